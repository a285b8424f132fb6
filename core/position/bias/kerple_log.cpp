/// KERPLE, logarithmic form. B(i, j) = -p_h · ln(1 + a_h · δ), δ = max(i - j, 0), added to the scaled scores.
/// One p and one a per head and layer, kept at or above a floor. p ~ U(0, 2), a ~ U(0, 1) at the start.
/// Chi, Fan, Ramadge, Rudnicky 2022, arXiv 2205.09921.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"
#include "core/position/projection.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class KerpleLog final : public DistanceBias {
public:
    KerpleLog(const Params& params, const SlotShape& shape) : floor_(real_param(params, "floor")) {
        p_ = register_parameter("p", at::empty({shape.heads}).uniform_(0, 2));  // [H]
        a_ = register_parameter("a", at::empty({shape.heads}).uniform_(0, 1));  // [H]
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& /*geometry*/) override {
        const auto p = projected(p_, floor_, std::nullopt, is_training()).to(precision()).unsqueeze(1);  // [H, 1]
        const auto a = projected(a_, floor_, std::nullopt, is_training()).to(precision()).unsqueeze(1);  // [H, 1]
        return -p * at::log1p(a * distances.to(precision()).unsqueeze(0));                               // [H, n]
    }

private:
    double floor_;
    at::Tensor p_, a_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<KerpleLog>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "kerple-log";
    info.name = "KERPLE (logarithmic)";
    info.summary = "Every head learns how strongly the logarithm of the distance counts against a token.";
    info.formula = "B(i, j) = −pₕ·ln(1 + aₕ·(i − j)),  pₕ, aₕ ≥ floor, learned";
    info.paper = "Chi, Fan, Ramadge, Rudnicky (2022): KERPLE: Kernelized Relative Positional Embedding for Length Extrapolation";
    info.url = "https://arxiv.org/abs/2205.09921";
    info.beyond_training = "Perplexity stays flat or falls slightly past the training length. Heads with small p stay open to far tokens.";
    info.claims = claims({"relative", "monotone", "zero-at-zero", "pointwise", "learned"});
    info.params = {real_spec({"floor", "Floor", "p and a are kept at or above this value at every pass."}, 0.01, {1e-6, 0.1, 0.001, true})};
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& kerple_log() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
