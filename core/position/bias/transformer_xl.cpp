/// Transformer-XL. Scores become [(q_i + u)·k_j + (q_i + v)·R(i - j)] / √d, so B(i, j) = [u·k_j + (q_i + v)·R(i - j)] / √d.
/// R(δ) = W_r · (sin(δ θ_n), cos(δ θ_n)), θ_n = 10000^(-2n/E), E = model width, all sines before all cosines; W_r [H d, E],
/// u and v [H, d], all learned and of each layer's own (as in GPT-NeoX; the original shares u and v), N(0, 0.02) at the start.
/// q and k are taken before any rotation. Later keys have negative δ.
/// Dai, Yang, Yang, Carbonell, Le, Salakhutdinov 2019, arXiv 1901.02860.
#include "core/position/content_bias.h"
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

constexpr double kBase = 10000, kStart = 0.02;

class TransformerXl final : public ContentBias {
public:
    explicit TransformerXl(const SlotShape& shape) : heads_(shape.heads), head_width_(shape.head_width) {
        if (shape.width % 2 != 0) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("Transformer-XL needs pairs of sine and cosine, but the model width is {} (odd). Choose an even width.", shape.width));
        }
        for (std::int64_t n = 0; n < shape.width / 2; ++n) {
            theta_.push_back(std::pow(kBase, -2.0 * static_cast<double>(n) / static_cast<double>(shape.width)));
        }
        u_ = register_parameter("u", at::empty({heads_, head_width_}).normal_(0, kStart));
        v_ = register_parameter("v", at::empty({heads_, head_width_}).normal_(0, kStart));
        projection_ = register_parameter("projection", at::empty({heads_ * head_width_, shape.width}).normal_(0, kStart));
    }

    at::Tensor content_tile(const ContentView& view, const TileGeometry& geometry) override {
        const auto queries = view.q + v_.to(view.q.scalar_type()).unsqueeze(1);                      // [B, H, r, d]
        const auto of_distance = has_unit_steps(geometry) ? by_sliding(queries, geometry) : by_products(queries, geometry);
        return (of_key(view.k) + of_distance) / std::sqrt(static_cast<double>(head_width_));         // [B, H, r, c]
    }

private:
    /// δ θ in double, [n, E/2].
    at::Tensor angles(const at::Tensor& positions) const {
        return at::outer(positions, at::tensor(theta_, at::kDouble).to(positions.device()));
    }

    /// u·k_j, [B, H, 1, c].
    at::Tensor of_key(const at::Tensor& k) const {
        const auto groups = u_.to(k.scalar_type()).view({k.size(1), heads_ / k.size(1), head_width_});  // [Hkv, G, d]
        return at::matmul(groups, k.transpose(-2, -1)).reshape({k.size(0), heads_, 1, k.size(2)});
    }

    /// (q + v)·R where positions rise by 1: R of each difference once, then every row takes its own window of them.
    at::Tensor by_sliding(const at::Tensor& queries, const TileGeometry& geometry) const {
        const auto angle = angles(sliding_differences(geometry));
        const auto waves = at::cat({angle.sin(), angle.cos()}, -1).to(queries.scalar_type());        // [n, E]
        const auto r = at::matmul(projection_.to(queries.scalar_type()), waves.t());                 // [H d, n]
        return sliding_rows(at::matmul(queries, r.view({heads_, head_width_, -1})), geometry.key_positions.numel());
    }

    /// The same for any positions: sin and cos of a difference are products of those of its ends.
    at::Tensor by_products(const at::Tensor& queries, const TileGeometry& geometry) const {
        const auto type = queries.scalar_type();
        const auto turned = at::matmul(queries, projection_.to(type).view({heads_, head_width_, -1}));  // [B, H, r, E]
        const auto halves = turned.chunk(2, -1);                                                     // what meets sin, what meets cos
        const auto i = angles(geometry.query_positions), j = angles(geometry.key_positions);
        const auto sin_i = i.sin().to(type), cos_i = i.cos().to(type);                               // [r, E/2]
        const auto rows = at::cat({halves[0] * sin_i + halves[1] * cos_i, halves[1] * sin_i - halves[0] * cos_i}, -1);
        const auto columns = at::cat({j.cos(), j.sin()}, -1).to(type);                               // [c, E]
        return at::matmul(rows, columns.t());                                                        // [B, H, r, c]
    }

    std::int64_t heads_, head_width_;
    std::vector<double> theta_;
    at::Tensor u_, v_, projection_;
};

std::shared_ptr<Bias> make(const Params& /*params*/, const SlotShape& shape) { return std::make_shared<TransformerXl>(shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "transformer-xl";
    info.name = "Transformer-XL";
    info.summary = "Each query meets a projected sinusoid of the distance, and two learned vectors stand in for the query itself.";
    info.formula = "B(i, j) = [u·kⱼ + (qᵢ + v)·W_r·sinusoid(i − j)]/√d";
    info.paper = "Dai, Yang, Yang, Carbonell, Le, Salakhutdinov (2019): Transformer-XL: Attentive Language Models beyond a Fixed-Length Context";
    info.url = "https://arxiv.org/abs/1901.02860";
    info.beyond_training = "Sinusoids of distances that were never trained appear past the training length. Some extrapolation, then perplexity rises.";
    info.claims = claims({"content-dependent", "pointwise", "learned"});
    info.learned = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& transformer_xl() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
