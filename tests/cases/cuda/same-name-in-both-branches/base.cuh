#pragma once

#ifdef USE_ROCM
#define SHFL(value, lane) __shfl(value, lane)
#else
#define SHFL(value, lane) __shfl_sync(0xffffffff, value, lane)
#endif

struct Shape {
  int rows;
  int cols;
};
