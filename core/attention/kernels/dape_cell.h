#pragma once
/// The arithmetic of DAPE's pointwise network at one cell (i, j), shared by the CUDA kernel and the test that runs it on the CPU.
///
///   u = [S_1..S_H, B_1..B_H];  f = W2 · leaky(W1 · u + b1) + b2;  logit_h = S_h (+ B_h) + f_h        (DAPE, 2405.14722, eq. 2 and 3)

#ifdef __CUDACC__
#define LW_HOST_DEVICE __host__ __device__
#else
#define LW_HOST_DEVICE
#endif

namespace lw::kernels {

/// Heads a cell can hold in registers or local memory; larger models take the general path.
inline constexpr int kMaxHeads = 64;

/// Weights laid out so that one hidden unit's row of W1 and column of W2 are contiguous.
struct DapeWeights {
    const float* w1;   ///< [D, C]
    const float* b1;   ///< [D] or null
    const float* w2t;  ///< [D, H]: W2 transposed
    const float* b2;   ///< [H] or null
    int heads;         ///< H
    int hidden;        ///< D
    int inputs;        ///< C: H or 2H
    float slope;
    bool adds_bias;
};

/// u [C] inputs, content [H], bias [H] or null -> logit [H].
LW_HOST_DEVICE inline void dape_cell(const DapeWeights& weights, const float* u, const float* content, const float* bias, float* logit) {
    for (int h = 0; h < weights.heads; ++h) {
        logit[h] = content[h] + (weights.b2 ? weights.b2[h] : 0.0f) + (weights.adds_bias && bias ? bias[h] : 0.0f);
    }
    for (int unit = 0; unit < weights.hidden; ++unit) {
        float z = weights.b1 ? weights.b1[unit] : 0.0f;
        for (int c = 0; c < weights.inputs; ++c) z += weights.w1[unit * weights.inputs + c] * u[c];
        z = z > 0.0f ? z : z * weights.slope;
        for (int h = 0; h < weights.heads; ++h) logit[h] += weights.w2t[unit * weights.heads + h] * z;
    }
}

}  // namespace lw::kernels
