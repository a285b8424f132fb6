/// CREAM. In training a window of n tokens stands for a text of s·L. Its first h tokens keep their places, its last h stand at the very end of
/// s·L, and the middle m = n - 2h tokens lie in one piece between them, ending at e. Drawn per sequence: h is ⌊L/3⌋ or 4s, each half of the time
/// (the first shows all distances, the second leaves nearly all of the window to the middle); α = ⌊x⌋, x of a normal distribution about 1 + s with
/// deviation σ, cut to [2, 2s] (what lies outside counts to the ends); e ~ U{h + ⌊(m - 1) α/2⌋ .. ⌊n α/2⌋ - h - 1}. Outside training p' = p.
/// The published code also takes the middle's and the end's text from later in the document; here the text stays in one piece. Meant together with
/// a frequency scaling by s (linear, as published).
/// Wu, Zhao, Zheng 2024, arXiv 2406.07138 (NeurIPS 2024), with its published code.
#include "core/position/entry.h"
#include "core/position/positions/drawn.h"

#include <cmath>

namespace lw {

namespace {

class Cream final : public PositionMap {
public:
    explicit Cream(const Params& params) : factor_(real_param(params, "factor")), sigma_(real_param(params, "sigma")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.training) return {indices, indices};
        const auto sequences = std::max<std::int64_t>(context.batch, 1);
        const auto device = indices.device();
        const auto tokens = static_cast<double>(context.length);
        const auto ends = head_length(sequences, context, device);                                                       // [B, 1]
        const auto middle = tokens - 2 * ends;
        const auto half = centre(drawn_reals(sequences, 0, 1, device)) / 2;                                              // α / 2, [B, 1]
        const auto low = ends + at::floor((middle - 1) * half), high = at::floor(tokens * half) - ends - 1;
        const auto end = low + at::floor(drawn_reals(sequences, 0, 1, device) * (high - low + 1));                       // [B, 1]
        const auto target = at::full_like(end, std::floor(factor_ * tokens));
        const auto positions = three_pieces(indices, tokens, {ends, end, target});                                       // [B, T]
        return {positions, positions};
    }

private:
    /// h, [B, 1]: a third of the window, or 4s where that leaves a middle.
    at::Tensor head_length(std::int64_t sequences, const PositionContext& context, at::Device device) const {
        const auto third = std::floor(static_cast<double>(context.length) / 3);
        const auto small = std::min(third, std::floor(4 * factor_));
        return at::where(drawn_integers(sequences, 0, 1, device).eq(0), third, small);
    }
    /// α from uniform numbers [B, 1], by the inverse of the distribution cut to [2, 2s].
    at::Tensor centre(const at::Tensor& uniform) const {
        const auto x = 1 + factor_ + sigma_ * std::sqrt(2.0) * at::erfinv(2 * uniform - 1);
        return at::floor(x.clamp(2, std::max(2.0, 2 * factor_)));
    }

    double factor_, sigma_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Cream>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "cream";
    info.name = "CREAM";
    info.summary = "In training the text is cut in three: begin, end, and a middle placed mostly in the middle of the long text.";
    info.formula = "p′ = p for p < h; e − m + 1 … e; s·L − h … s·L − 1;  e from a normal distribution about the middle, cut to the text";
    info.paper = "Wu, Zhao, Zheng (2024): An Efficient Recipe for Long Context Extension via Middle-Focused Positional Encoding";
    info.url = "https://arxiv.org/abs/2406.07138";
    info.beyond_training = "Distances up to s times the training length have been seen in training, the middle of long texts most often. "
                           "Set the same factor s in a frequency scaling.";
    info.claims = claims({"ascending", "random-in-training", "fixed"});
    info.params = {
        real_spec({"factor", "Target factor s", "Positions reach up to s times the training length."}, 4, {1, 64, 0.5}),
        real_spec({"sigma", "Deviation σ", "How far the middle strays from the centre.", ""}, 3, {0.1, 32, 0.1}),
    };
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& cream() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {"factor"}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
