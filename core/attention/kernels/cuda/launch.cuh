#pragma once
/// What the kernels' files share: phases on a GPU, the choice of element type and arithmetic, shared memory.

#include "core/attention/kernels/shared_layout.h"

#include <cuda_runtime.h>

namespace lw::kernels {

inline constexpr int kThreads = 256;

/// All threads of the block do a phase, then wait for each other.
struct BlockRun {
    template <class Phase>
    LW_HOST_DEVICE void operator()(const Phase& phase) const {
#ifdef __CUDA_ARCH__
        phase(Worker{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)});
        __syncthreads();
#endif
    }
};

/// The launches go to the call's GPU, and the thread's own is put back afterwards.
class DeviceScope {
public:
    explicit DeviceScope(int device) : error_(cudaGetDevice(&before_)), switched_(error_ == cudaSuccess && before_ != device) {
        if (switched_) error_ = cudaSetDevice(device);
    }
    ~DeviceScope() {
        if (switched_) cudaSetDevice(before_);
    }
    DeviceScope(const DeviceScope&) = delete;
    DeviceScope& operator=(const DeviceScope&) = delete;
    cudaError_t error() const { return error_; }

private:
    int before_ = 0;
    cudaError_t error_;
    bool switched_;
};

/// Launches after allowing the kernel the plan's shared memory, which may be more than a block has without asking.
template <class Call>
cudaError_t launch(void (*kernel)(Call), const Call& call, int blocks) {
    if (blocks <= 0) return cudaSuccess;
    const auto bytes = call.plan.shared_bytes;
    auto error = cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error != cudaSuccess) return error;
    kernel<<<blocks, call.plan.threads, static_cast<std::size_t>(bytes), static_cast<cudaStream_t>(call.attention.stream)>>>(call);
    return cudaGetLastError();
}

/// launch_kind(Kind<..>{}) with the element type of the call and the arithmetic of the plan.
template <class Launch>
cudaError_t dispatch(const LwAttention& call, const LwAttentionPlan& plan, const Launch& launch_kind) {
    const bool tensor = plan.tensor_cores != 0;
    switch (call.element) {
        case kLwFloat16: return tensor ? launch_kind(Kind<__half, Math::tensor>{}) : launch_kind(Kind<__half, Math::plain>{});
        case kLwBfloat16: return tensor ? launch_kind(Kind<__nv_bfloat16, Math::tensor>{}) : launch_kind(Kind<__nv_bfloat16, Math::plain>{});
        case kLwFloat32: return tensor ? launch_kind(Kind<float, Math::tensor_split>{}) : launch_kind(Kind<float, Math::plain>{});
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace lw::kernels
