#include "macros.h"

DEVICE_INLINE float& add_to(float& a, float b) {
  a += b;
  return a;
}

TEMPLATE_DISPATCH(half) UNSIGNED __global__ void (broken)(int n {
  return n
}

__global__ void copy(const float* in, float* out, int n) {
  int i = threadIdx.x;
  out[i] = in[i];
  out[i + n] = in[i + n];
}
