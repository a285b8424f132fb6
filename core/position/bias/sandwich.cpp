/// Sandwich. B(i, j) = ( Σ_k cos(δ · 10000^(-2k/w)) - [w/2] ) · H / (8h), h = 1..H, δ = max(i - j, 0); nothing is learned.
/// The sum runs over k = 1..w/2 (with w/2 subtracted, so that it starts near 0) or k = 0..w/2 - 1.
/// The bias is divided by the head's compression ratio 8h/H; the distance itself is not scaled.
/// Chi, Fan, Rudnicky, Ramadge 2023, arXiv 2212.10356.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

constexpr double kBase = 10000;

class Sandwich final : public DistanceBias {
public:
    Sandwich(const Params& params, const SlotShape& shape) : subtract_half_(flag_param(params, "subtract_half")) {
        both_sides_ = flag_param(params, "bidirectional");
        const auto width = integer_param(params, "width"), first = integer_param(params, "first_k");
        for (std::int64_t k = first; k < first + width / 2; ++k) {
            frequencies_.push_back(std::pow(kBase, -2.0 * static_cast<double>(k) / static_cast<double>(width)));
        }
        for (std::int64_t h = 1; h <= shape.heads; ++h) {
            head_factors_.push_back(static_cast<double>(shape.heads) / (8.0 * static_cast<double>(h)));
        }
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& /*geometry*/) override {
        auto raw = at::zeros_like(distances);                                                    // [n] float64
        for (const double frequency : frequencies_) raw += at::cos(distances * frequency);
        if (subtract_half_) raw -= static_cast<double>(frequencies_.size());
        const auto factors = at::tensor(head_factors_, at::kDouble).to(distances.device());      // [H]
        return (factors.unsqueeze(1) * raw.unsqueeze(0)).to(precision());                        // [H, n]
    }

private:
    std::vector<double> frequencies_, head_factors_;
    bool subtract_half_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Sandwich>(params, shape); }

void check(const Params& params) {
    const auto width = integer_param(params, "width");
    if (width % 2 != 0) throw Failure(ErrorKind::invalid_argument, fmt::format("width of Sandwich is {}; it must be even.", width));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "sandwich";
    info.name = "Sandwich";
    info.summary = "The dot product of two sinusoidal encodings, given to each head at its own strength.";
    info.formula = "B(i, j) = (Σₖ cos((i − j)·10000^(−2k/w)) − w/2)·H/(8h),  h = 1…H";
    info.paper = "Chi, Fan, Rudnicky, Ramadge (2023): Dissecting Transformer Length Extrapolation via the Lens of Receptive Field Analysis";
    info.url = "https://arxiv.org/abs/2212.10356";
    info.beyond_training = "Falls like a logarithm and then oscillates, so far tokens stay readable. Not monotone.";
    info.claims = claims({"relative", "pointwise", "fixed"});
    info.params = {
        integer_spec({"width", "Width w", "Width of the sinusoidal encodings; independent of the model."}, 128, {2, 1024, 2}),
        integer_spec({"first_k", "First k", "The sum runs over w/2 values of k from here."}, 1, {0, 1, 1}),
        flag_spec({"subtract_half", "Subtract w/2", "A constant per head: attention weights are the same, the curve starts near 0."}, true),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& sandwich() {
    static const Entry entry{describe(), Make<Bias>{make}, check, {}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
