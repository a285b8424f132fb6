#pragma once
/// FIRE's network at one cell, and the phases of its gradient: B_h = W2 · act(w1 · x + b1) + b2, x = ψ(δ) / (ψ(max(i, τ)) + ε) (2310.04418).

#include "core/attention/kernels/portable.h"

namespace lw::kernels {

struct LogDistanceNetwork {
    const float *first, *first_bias;    ///< [w], [w]
    const float *second, *second_bias;  ///< [heads, w], [heads]: those of the tile
    int heads, width;
    float slope;

    LW_HOST_DEVICE float before(int unit, float x) const { return first[unit] * x + first_bias[unit]; }
    LW_HOST_DEVICE float act(float z) const { return z > 0 ? z : z * slope; }
};

/// Writes cell[h * step] for every head. Eight heads at a time keep their sums in registers.
LW_HOST_DEVICE inline void log_distance_bias(const LogDistanceNetwork& network, float x, float* cell, int step) {
    constexpr int kAtOnce = 8;
    for (int h0 = 0; h0 < network.heads; h0 += kAtOnce) {
        const int count = smaller(kAtOnce, network.heads - h0);
        float sums[kAtOnce];
        for (int h = 0; h < kAtOnce; ++h) sums[h] = h < count ? network.second_bias[h0 + h] : 0.0f;
        for (int unit = 0; unit < network.width; ++unit) {
            const float hidden = network.act(network.before(unit, x));
            for (int h = 0; h < kAtOnce; ++h) sums[h] += h < count ? network.second[(h0 + h) * network.width + unit] * hidden : 0.0f;
        }
        for (int h = 0; h < count; ++h) cell[(h0 + h) * step] = sums[h];
    }
}

/// The gradient of a hidden unit's input at a cell from the gradients of the heads' biases, gradient[h * step].
LW_HOST_DEVICE inline float log_distance_inner(const LogDistanceNetwork& network, float x, int unit, const float* gradient, int step) {
    float sum = 0;
    for (int h = 0; h < network.heads; ++h) sum += network.second[h * network.width + unit] * gradient[h * step];
    return network.before(unit, x) > 0 ? sum : sum * network.slope;
}

}  // namespace lw::kernels
