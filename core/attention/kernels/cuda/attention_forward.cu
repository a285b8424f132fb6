/// Fused attention, forward: forward_block() by the threads of a GPU.
#include "core/attention/kernels/cuda/launch.cuh"
#include "core/attention/kernels/forward_block.h"

namespace {

using namespace lw::kernels;

template <class K>
__global__ void __launch_bounds__(kThreads) forward_kernel(const __grid_constant__ LwAttentionForward call) {
    extern __shared__ float shared[];
    forward_block<K>(call, static_cast<int>(blockIdx.x), shared, BlockRun{});
}

}  // namespace

extern "C" int lw_cuda_attention_forward(const LwAttentionForward* call) {
    const DeviceScope scope(call->attention.device);
    if (scope.error() != cudaSuccess) return scope.error();
    const auto& attention = call->attention;
    const int blocks = attention.batch * head_groups(attention) * quotient_up(attention.queries, call->plan.rows);
    return dispatch(attention, call->plan, [&](auto kind) { return launch(forward_kernel<decltype(kind)>, *call, blocks); });
}
