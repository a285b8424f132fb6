/// Fused attention, backward: backward_keys_block() and backward_queries_block() by the threads of a GPU.
#include "core/attention/kernels/backward_block.h"
#include "core/attention/kernels/cuda/launch.cuh"

namespace {

using namespace lw::kernels;

template <class K>
__global__ void __launch_bounds__(kThreads) keys_kernel(const __grid_constant__ LwAttentionBackward call) {
    extern __shared__ float shared[];
    backward_keys_block<K>(call, static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x), shared, BlockRun{});
}

template <class K>
__global__ void __launch_bounds__(kThreads) queries_kernel(const __grid_constant__ LwAttentionBackward call) {
    extern __shared__ float shared[];
    backward_queries_block<K>(call, static_cast<int>(blockIdx.x), shared, BlockRun{});
}

template <class K>
cudaError_t launch_both(const LwAttentionBackward& call) {
    const auto& attention = call.attention;
    const auto error = launch(keys_kernel<K>, call, call.plan.slots);
    if (error != cudaSuccess) return error;
    return launch(queries_kernel<K>, call, attention.batch * head_groups(attention) * quotient_up(attention.queries, call.plan.rows));
}

}  // namespace

extern "C" int lw_cuda_attention_backward(const LwAttentionBackward* call) {
    const DeviceScope scope(call->attention.device);
    if (scope.error() != cudaSuccess) return scope.error();
    return dispatch(call->attention, call->plan, [&](auto kind) { return launch_both<decltype(kind)>(*call); });
}
