#pragma once

#define SHFL(value, lane) __shfl_sync(0xffffffff, value, lane)

struct Shape {
  int rows;
  int cols;
};
