/// Shaw's relative positions. B(i, j) = q_i · a_m / √d, m = clip(j - i, -k, k): one learned vector per clipped distance on the key
/// side, shared by heads, one table per layer. Where asked for, the value side too: output_i += Σ_j w_ij · a'_m.
/// q is taken before any rotation. Fractional distances are rounded to the nearest whole one.
/// Start: N(0, 0.02), this program's choice.
/// Shaw, Uszkoreit, Vaswani 2018, arXiv 1803.02155.
#include "core/position/content_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

constexpr double kStart = 0.02;

class Shaw final : public ContentBias {
public:
    Shaw(const Params& params, const SlotShape& shape) : clip_(integer_param(params, "clip")) {
        const auto drawn = [&] { return at::empty({2 * clip_ + 1, shape.head_width}).normal_(0, kStart); };
        keys_ = register_parameter("keys", drawn());                                             // [2k + 1, d]
        if (flag_param(params, "values")) values_ = register_parameter("values", drawn());       // [2k + 1, d]
    }

    at::Tensor content_tile(const ContentView& view, const TileGeometry& geometry) override {
        const double scale = 1 / std::sqrt(static_cast<double>(view.q.size(-1)));
        const auto products = at::matmul(view.q, keys_.to(view.q.scalar_type()).t()) * scale;    // [B, H, r, 2k + 1]
        return products.gather(-1, numbers(geometry).expand({view.q.size(0), view.q.size(1), -1, -1}));  // [B, H, r, c]
    }

    at::Tensor value_term(const at::Tensor& weights, const TileGeometry& geometry) override {
        if (!values_.defined()) return {};
        const auto batch = weights.size(0), heads = weights.size(1), rows = weights.size(2);
        const auto per_vector = at::zeros({batch, heads, rows, 2 * clip_ + 1}, weights.options())
                                    .scatter_add(-1, numbers(geometry).expand({batch, heads, -1, -1}), weights);
        return at::matmul(per_vector, values_.to(weights.scalar_type()));                        // [B, H, r, d]
    }

private:
    /// The number of each cell's vector, [r, c] int64.
    at::Tensor numbers(const TileGeometry& geometry) const {
        const auto limit = static_cast<double>(clip_);
        const auto steps = geometry.key_positions.unsqueeze(0) - geometry.query_positions.unsqueeze(1);
        return steps.round().clamp(-limit, limit).to(at::kLong) + clip_;
    }

    std::int64_t clip_;
    at::Tensor keys_, values_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Shaw>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "shaw";
    info.name = "Shaw";
    info.summary = "Each query meets a learned vector for the distance, besides the key itself.";
    info.formula = "B(i, j) = qᵢ·a[clip(j − i, ±k)]/√d  (and outputᵢ += Σⱼ wᵢⱼ·a′[clip(j − i, ±k)])";
    info.paper = "Shaw, Uszkoreit, Vaswani (2018): Self-Attention with Relative Position Representations";
    info.url = "https://arxiv.org/abs/1803.02155";
    info.beyond_training = "All distances past the clip share one vector, so nothing new appears past the training length. Far order is not seen.";
    info.claims = claims({"content-dependent", "pointwise", "learned"});
    info.params = {
        integer_spec({"clip", "Clip k", "Distances beyond it count as k.", "tokens"}, 16, {1, 512, 1}),
        flag_spec({"values", "Value side", "A second table is added to the values that are read."}, false),
    };
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& shaw() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {"clip"}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
