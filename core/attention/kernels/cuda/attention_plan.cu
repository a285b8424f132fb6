/// How a call is run on its GPU, and the library's odds and ends.
#include "core/attention/kernels/cuda/launch.cuh"

namespace {

using namespace lw::kernels;

/// Tensor cores multiply float16 from sm_75 on, TF32 (which float32 and bfloat16 are computed in) from sm_80 on.
bool tensor_cores(const LwAttention& call, int generation) {
    if (call.without_tensor_cores != 0) return false;
    return call.element == kLwFloat16 ? generation >= 75 : generation >= 80;
}

}  // namespace

extern "C" int lw_cuda_version(void) { return kLwCudaVersion; }

extern "C" const char* lw_cuda_error_text(int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }

extern "C" int lw_cuda_attention_plan(const LwAttention* call, int backward, LwAttentionPlan* plan) {
    const DeviceScope scope(call->device);
    int limit = 0, major = 0, minor = 0, processors = 1;
    auto error = scope.error();
    const auto ask = [&](int& value, cudaDeviceAttr attribute) {
        if (error == cudaSuccess) error = cudaDeviceGetAttribute(&value, attribute, call->device);
    };
    ask(limit, cudaDevAttrMaxSharedMemoryPerBlockOptin);
    ask(major, cudaDevAttrComputeCapabilityMajor);
    ask(minor, cudaDevAttrComputeCapabilityMinor);
    ask(processors, cudaDevAttrMultiProcessorCount);
    if (error != cudaSuccess) return error;
    *plan = fit_tiles(*call, backward != 0, limit);
    if (plan->rows == 0) return cudaErrorInvalidConfiguration;
    plan->threads = kThreads;
    plan->tensor_cores = tensor_cores(*call, 10 * major + minor) && plan->rows >= 8;
    const int tiles = call->batch * head_groups(*call) * quotient_up(call->keys, plan->columns);
    plan->slots = smaller(tiles, 2 * processors);
    return cudaSuccess;
}
