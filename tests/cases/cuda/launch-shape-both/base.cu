#include <cuda_runtime.h>

#include "vec.cuh"

#define WARP_SIZE 32

namespace ops {

template <typename T, int kVec>
__global__ __launch_bounds__(256) void scale_kernel(const T* __restrict__ in, T* __restrict__ out, float scale, int n) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  out[index] = static_cast<T>(static_cast<float>(in[index]) * scale);
}

template <typename T>
__global__ void fill_kernel(T* out, T value, int n) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= n) return;
  out[index] = value;
}

void launch(const float* in, float* out, float scale, int n, cudaStream_t stream) {
  dim3 block(256);
  dim3 grid((n + 255) / 256);
#ifdef USE_ROCM
  scale_kernel<float, 1><<<grid, block>>>(in, out, scale, n);
#else
  scale_kernel<float, 4><<<grid, block, 0, stream>>>(in, out, scale, n);
#endif
}

}  // namespace ops
