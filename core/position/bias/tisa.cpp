/// TISA. B(i, j) = Σ_s a_hs · exp(-|b_hs| · (k - c_hs)²), k = j - i: a sum of S bell curves per head over the signed distance.
/// a, b, c are learned, one set per layer; added to the scaled scores. Keys on both sides of the query have curves.
/// Start (this program's; the paper's was not read): a ~ U(-1/2, 1/2), c ~ U(-reach, 0), |b| ~ U(1/2, 2) · (2 / reach)².
/// Wennberg, Henter 2021, arXiv 2106.01950.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Tisa final : public DistanceBias {
public:
    Tisa(const Params& params, const SlotShape& shape) {
        const auto bumps = integer_param(params, "bumps");
        const double reach = real_param(params, "reach"), sharpness = 4 / (reach * reach);
        const auto drawn = [&](double low, double high) { return at::empty({shape.heads, bumps}).uniform_(low, high); };
        a_ = register_parameter("a", drawn(-0.5, 0.5));                         // [H, S]
        b_ = register_parameter("b", drawn(0.5 * sharpness, 2 * sharpness));    // [H, S]
        c_ = register_parameter("c", drawn(-reach, 0));                         // [H, S]
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override { return by_difference(distances, geometry); }
    at::Tensor by_difference(const at::Tensor& differences, const TileGeometry& /*geometry*/) override {
        const auto k = -differences.to(precision()).view({1, -1, 1});                                     // [1, n, 1]
        const auto bumps = at::exp(-cast(b_).abs() * (k - cast(c_)).square());                            // [H, n, S]
        return (cast(a_) * bumps).sum(-1);                                                                // [H, n]
    }

private:
    at::Tensor cast(const at::Tensor& parameter) const { return parameter.to(precision()).unsqueeze(1); }  // [H, 1, S]

    at::Tensor a_, b_, c_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Tisa>(params, shape); }

MethodCost cost(const Params& params, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(shape.heads);
    cost.learned = 3 * integer_param(params, "bumps") * shape.heads;  // a, b and c
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "tisa";
    info.name = "TISA";
    info.summary = "Every head adds a few learned bell curves over the distance.";
    info.formula = "B(i, j) = Σₛ aₕₛ·exp(−|bₕₛ|·(j − i − cₕₛ)²)";
    info.paper = "Wennberg, Henter (2021): The Case for Translation-Invariant Self-Attention in Transformer-Based Language Models";
    info.url = "https://arxiv.org/abs/2106.01950";
    info.beyond_training = "Far tokens get a bias near 0, wherever no curve reaches, so far text is read as without positions.";
    info.claims = claims({"relative", "pointwise", "learned"});
    info.params = {
        integer_spec({"bumps", "Curves S", "Bell curves per head."}, 5, {1, 32, 1}),
        real_spec({"reach", "Reach at the start", "The curves start within this many tokens before the query.", "tokens"}, 16, {1, 4096, 1, true}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& tisa() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {"bumps"}, nullptr, cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
