/// CoPE. A query counts its keys by gates: g_ij = σ(S_ij) for j <= i (S scaled, as attention sees it), place p_ij = Σ_{l=j..i} g_il
/// (the key and the query itself included), at most n - 1. Each whole place has a learned vector e_m, and
/// B(i, j) = z(⌈p⌉)·(p - ⌊p⌋) + z(⌊p⌋)·(1 - p + ⌊p⌋), z(m) = q_i·e_m with q not scaled and not rotated.
/// The table [n, d] is shared by heads, one per layer, and starts at 0: CoPE starts as no position.
/// Golovneva, Wang, Weston, Sukhbaatar 2024, arXiv 2405.18719.
#include "core/position/content_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Cope final : public ContentBias {
public:
    Cope(const Params& params, const SlotShape& shape) : places_(integer_param(params, "places")) {
        table_ = register_parameter("table", at::empty({places_, shape.head_width}).normal_(0, real_param(params, "initial")));  // [n, d]
    }

    at::Tensor content_tile(const ContentView& view, const TileGeometry& geometry) override {
        const auto past = geometry.key_places().unsqueeze(0).le(geometry.query_places().unsqueeze(1));        // [r, c]
        const auto gates = at::sigmoid(view.content.to(precision())).masked_fill(past.logical_not(), 0);      // [B, H, r, c]
        const auto place = gates.flip(-1).cumsum(-1).flip(-1).clamp_max(static_cast<double>(places_ - 1));    // [B, H, r, c]
        const auto values = at::matmul(view.q.to(precision()), table_.to(precision()).t());                   // z, [B, H, r, n]
        const auto below = place.detach().floor(), above = place.detach().ceil();
        const auto low = values.gather(-1, below.to(at::kLong)), high = values.gather(-1, above.to(at::kLong));
        return low + (place - below) * (high - low);                                                          // [B, H, r, c]
    }
    /// Places are counted back from the query.
    bool needs_row_end() const override { return true; }

private:
    std::int64_t places_;
    at::Tensor table_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Cope>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "cope";
    info.name = "CoPE";
    info.summary = "Each query counts only the keys that its gates let through, and meets a learned vector for the count.";
    info.formula = "B(i, j) = qᵢ·e(pᵢⱼ),  pᵢⱼ = min(Σ_{l=j…i} σ(Sᵢₗ), n − 1), e interpolated between whole places";
    info.paper = "Golovneva, Wang, Weston, Sukhbaatar (2024): Contextual Position Encoding: Learning to Count What's Important";
    info.url = "https://arxiv.org/abs/2405.18719";
    info.beyond_training = "Counts stop at n − 1 however long the text is, so nothing new appears past the training length.";
    info.claims = claims({"content-dependent", "learned"});
    info.params = {
        integer_spec({"places", "Places n", "Learned vectors; counts stop at the last one. Published: 64 whatever the length."}, 64, {2, 4096, 1}),
        real_spec({"initial", "Spread at the start", "Standard deviation of the vectors before training. 0 as published: no position at first."}, 0,
                  {0, 1, 0.01}),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& cope() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {"places"}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
