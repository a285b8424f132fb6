/// KERPLE, power form. B(i, j) = -a_h · δ^(p_h), δ = max(i - j, 0) or, if bidirectional, |i - j|, added to the scaled scores.
/// One p and one a per head and layer; a >= floor, floor <= p <= 2. p ~ U(0, 2), a ~ U(0, 1) at the start.
/// Here p is the exponent, in the logarithmic form it is the outer factor.
/// Chi, Fan, Ramadge, Rudnicky 2022, arXiv 2205.09921.
#include "core/position/kerple.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

constexpr double kLargestExponent = 2;

class KerplePower final : public KerpleBias {
public:
    using KerpleBias::KerpleBias;

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& /*geometry*/) override {
        // δ = 0 would give 0·ln 0 in the gradient of p: there the power is put to 0 by hand.
        const auto delta = distances.to(precision()).unsqueeze(0);                                // [1, n]
        const auto power = at::exp(p(kLargestExponent) * at::log(delta.clamp_min(1e-30)));        // [H, n]
        return -a() * power.masked_fill(delta.eq(0), 0);                                          // [H, n]
    }
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<KerplePower>(params, shape); }

MethodInfo describe() {
    MethodInfo info = kerple_info("kerple-power");
    info.name = "KERPLE (power)";
    info.summary = "Every head learns a power of the distance that counts against a token.";
    info.formula = "B(i, j) = −aₕ·(i − j)^pₕ,  aₕ ≥ floor, floor ≤ pₕ ≤ 2, learned";
    info.beyond_training = "Behaves like ALiBi where p is near 1: flat perplexity, far tokens hardly read.";
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& kerple_power() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}, nullptr, kerple_cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
