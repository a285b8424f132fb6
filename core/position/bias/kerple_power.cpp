/// KERPLE, power form. B(i, j) = -a_h · δ^(p_h), δ = max(i - j, 0), added to the scaled scores.
/// One p and one a per head and layer; a >= floor, floor <= p <= 2. p ~ U(0, 2), a ~ U(0, 1) at the start.
/// Here p is the exponent, in the logarithmic form it is the outer factor.
/// Chi, Fan, Ramadge, Rudnicky 2022, arXiv 2205.09921.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"
#include "core/position/projection.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

constexpr double kLargestExponent = 2;

class KerplePower final : public DistanceBias {
public:
    KerplePower(const Params& params, const SlotShape& shape) : floor_(real_param(params, "floor")) {
        p_ = register_parameter("p", at::empty({shape.heads}).uniform_(0, 2));  // [H]
        a_ = register_parameter("a", at::empty({shape.heads}).uniform_(0, 1));  // [H]
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& /*geometry*/) override {
        const auto p = projected(p_, floor_, kLargestExponent, is_training()).to(precision()).unsqueeze(1);  // [H, 1]
        const auto a = projected(a_, floor_, std::nullopt, is_training()).to(precision()).unsqueeze(1);      // [H, 1]
        // δ = 0 would give 0·ln 0 in the gradient of p: there the power is put to 0 by hand.
        const auto delta = distances.to(precision()).unsqueeze(0);                                           // [1, n]
        const auto power = at::exp(p * at::log(delta.clamp_min(1e-30))).masked_fill(delta.eq(0), 0);         // [H, n]
        return -a * power;                                                                                   // [H, n]
    }

private:
    double floor_;
    at::Tensor p_, a_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<KerplePower>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "kerple-power";
    info.name = "KERPLE (power)";
    info.summary = "Every head learns a power of the distance that counts against a token.";
    info.formula = "B(i, j) = −aₕ·(i − j)^pₕ,  aₕ ≥ floor, floor ≤ pₕ ≤ 2, learned";
    info.paper = "Chi, Fan, Ramadge, Rudnicky (2022): KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation";
    info.url = "https://arxiv.org/abs/2205.09921";
    info.beyond_training = "Behaves like ALiBi where p is near 1: flat perplexity, far tokens hardly read.";
    info.claims = claims({"relative", "monotone", "zero-at-zero", "pointwise", "learned"});
    info.params = {real_spec({"floor", "Floor", "p and a are kept at or above this value at every pass."}, 0.01, {1e-6, 0.1, 0.001, true})};
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& kerple_power() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
