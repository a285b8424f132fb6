/// DAPE's logits on a GPU without the hidden tensor [B, D, T, T]: a thread computes one cell (b, i, j) for all heads, the
/// weights lie in shared memory. The arithmetic is dape_cell(), which a test runs on the CPU against the plain path.
#include "core/attention/kernels/cuda/library.h"
#include "core/attention/kernels/dape_cell.h"

#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

/// Copies the weights of one call into shared memory and returns them as the cell sees them.
__device__ lw::kernels::DapeWeights stage_weights(const LwDapeScores& call, float* shared) {
    const int heads = static_cast<int>(call.heads), hidden = static_cast<int>(call.hidden), inputs = static_cast<int>(call.inputs);
    float* w1 = shared;
    float* w2t = w1 + hidden * inputs;
    float* b1 = w2t + hidden * heads;
    float* b2 = b1 + hidden;
    for (int n = threadIdx.x; n < hidden * inputs; n += blockDim.x) w1[n] = call.w1[n];
    for (int n = threadIdx.x; n < hidden * heads; n += blockDim.x) w2t[n] = call.w2t[n];
    for (int n = threadIdx.x; n < hidden; n += blockDim.x) b1[n] = call.b1 ? call.b1[n] : 0.0f;
    for (int n = threadIdx.x; n < heads; n += blockDim.x) b2[n] = call.b2 ? call.b2[n] : 0.0f;
    __syncthreads();
    return {w1, b1, w2t, b2, heads, hidden, inputs, call.slope, call.adds_bias != 0};
}

/// Gathers a cell's inputs in the order the first layer reads them: content channels, then bias channels.
__device__ void gather(const LwDapeScores& call, const float* content, const float* bias, float* u) {
    const int heads = static_cast<int>(call.heads);
    int channel = 0;
    if (call.sums_inputs) {
        for (int h = 0; h < heads; ++h) u[h] = content[h] + (call.bias ? bias[h] : 0.0f);
        return;
    }
    if (call.reads_content) {
        for (int h = 0; h < heads; ++h) u[channel++] = content[h];
    }
    if (call.reads_bias) {
        for (int h = 0; h < heads; ++h) u[channel++] = bias[h];
    }
}

__global__ void dape_scores_kernel(LwDapeScores call) {
    extern __shared__ float shared[];
    const auto weights = stage_weights(call, shared);
    const auto cell = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (cell >= call.cells) return;
    const auto sequence = static_cast<std::int64_t>(blockIdx.y);
    float content[lw::kernels::kMaxHeads], bias[lw::kernels::kMaxHeads], u[2 * lw::kernels::kMaxHeads], logit[lw::kernels::kMaxHeads];
    for (int h = 0; h < weights.heads; ++h) {
        content[h] = call.content[(sequence * call.heads + h) * call.cells + cell];
        bias[h] = call.bias ? call.bias[h * call.cells + cell] : 0.0f;
    }
    gather(call, content, bias, u);
    lw::kernels::dape_cell(weights, u, content, call.bias ? bias : nullptr, logit);
    for (int h = 0; h < weights.heads; ++h) call.logit[(sequence * call.heads + h) * call.cells + cell] = logit[h];
}

}  // namespace

extern "C" int lw_cuda_version(void) { return kLwCudaVersion; }

extern "C" const char* lw_cuda_error_text(int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); }

extern "C" int lw_cuda_dape_scores(const LwDapeScores* call) {
    const auto floats = call->hidden * call->inputs + call->hidden * call->heads + call->hidden + call->heads;
    const auto blocks = static_cast<unsigned>((call->cells + kThreads - 1) / kThreads);
    dape_scores_kernel<<<dim3(blocks, static_cast<unsigned>(call->batch)), kThreads, static_cast<std::size_t>(floats) * sizeof(float)>>>(*call);
    return static_cast<int>(cudaGetLastError());
}
