#include "core/attention/kernel_memory.h"

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cmath>

namespace lw {

namespace {

std::int32_t small(std::int64_t n) {
    TORCH_CHECK(n >= 0 && n <= 0x7fffffff, "a size of ", n, " is beyond the attention kernels");
    return static_cast<std::int32_t>(n);
}

const float* data_or_null(const at::Tensor& x) { return x.defined() ? x.const_data_ptr<float>() : nullptr; }

std::int32_t element_of(at::ScalarType type) {
    if (type == at::kHalf) return kLwFloat16;
    if (type == at::kBFloat16) return kLwBfloat16;
    TORCH_CHECK(type == at::kFloat, "the attention kernels read float32, float16 and bfloat16, not ", type);
    return kLwFloat32;
}

void describe_bias(LwBias& bias, const KernelCall& call) {
    const auto& t = call.tensors;
    bias.table = data_or_null(t[kTable]);
    bias.distance = data_or_null(t[kDistance]);
    bias.row = data_or_null(t[kRow]);
    bias.first = data_or_null(t[kFirst]);
    bias.first_bias = data_or_null(t[kFirstBias]);
    bias.second = data_or_null(t[kSecond]);
    bias.second_bias = data_or_null(t[kSecondBias]);
    bias.distances = small(t[kTable].defined() ? t[kTable].size(1) : t[kDistance].defined() ? t[kDistance].size(0) : 0);
    bias.width = t[kFirst].defined() ? small(t[kFirst].size(0)) : 0;
    bias.slope = static_cast<float>(call.settings.bias_slope);
}

void describe_network(LwNetwork& network, const KernelCall& call) {
    const auto& t = call.tensors;
    network.w1_content = data_or_null(t[kW1Content]);
    network.w1_bias = data_or_null(t[kW1Bias]);
    network.b1 = data_or_null(t[kB1]);
    network.w2 = data_or_null(t[kW2]);
    network.b2 = data_or_null(t[kB2]);
    network.kernel = t[kW2].defined() ? small(t[kW2].size(0)) : 1;
    network.hidden = t[kW2].defined() ? small(t[kW2].size(2)) : 0;
    network.slope = static_cast<float>(call.settings.slope);
    network.adds_bias = call.settings.adds_bias;
}

}  // namespace

LwTensor described(const at::Tensor& x) {
    TORCH_CHECK(x.dim() == 4 && x.stride(3) == 1, "the attention kernels want [B, H, T, d] with a contiguous last axis, not ", x.sizes(), " with strides ", x.strides());
    small(x.stride(2));  // kernels step from row to row in 32 bits
    return {x.data_ptr(), x.stride(0), x.stride(1), x.stride(2)};
}

LwAttention described(const KernelCall& call) {
    const auto &q = call.tensors[kQ], &k = call.tensors[kK], &v = call.tensors[kV];
    TORCH_CHECK(q.scalar_type() == k.scalar_type() && q.scalar_type() == v.scalar_type(), "q, k and v are of different types");
    TORCH_CHECK(q.size(1) % k.size(1) == 0, "query heads ", q.sizes(), " are no multiple of key heads ", k.sizes());
    LwAttention attention{};
    attention.batch = small(q.size(0));
    attention.heads = small(q.size(1));
    attention.key_heads = small(k.size(1));
    attention.queries = small(q.size(2));
    attention.keys = small(k.size(2));
    attention.width = small(q.size(3));
    attention.value_width = small(v.size(3));
    attention.element = element_of(q.scalar_type());
    attention.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(q.size(3))));
    attention.q = described(q);
    attention.k = described(k);
    attention.v = described(v);
    describe_bias(attention.bias, call);
    describe_network(attention.network, call);
    attention.without_tensor_cores = call.settings.without_tensor_cores;
    if (q.is_cuda()) {
        attention.device = q.device().index();
        attention.stream = c10::impl::VirtualGuardImpl(c10::DeviceType::CUDA).getStream(q.device()).native_handle();
    }
    return attention;
}

void check(const AttentionKernels& kernels, int error) { TORCH_CHECK(error == 0, "the fused attention kernels failed: ", kernels.error_text(error)); }

}  // namespace lw
