/// ALiBi. B(i, j) = -m_h · δ · min(1, 1/f), δ = max(i - j, 0), added to the scaled scores of every layer.
/// Slopes m_h = 2^(-M (h + 1) / H) for H a power of two; else the slopes of the next lower power n, then every second one of
/// the list for 2n. M = max_bias (8). f is the interpolation factor (1 = none).
/// Press, Smith, Lewis 2022, arXiv 2108.12409; interpolation: Al-Khateeb et al. 2023, arXiv 2310.13017.
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

#include <cmath>

namespace lw {

namespace {

std::vector<double> slopes(std::int64_t heads, double max_bias) {
    std::int64_t power = 1;
    while (power * 2 <= heads) power *= 2;
    const auto slope = [max_bias](double index, std::int64_t of) { return std::exp2(-max_bias * index / static_cast<double>(of)); };
    std::vector<double> all;
    for (std::int64_t h = 0; h < power; ++h) all.push_back(slope(static_cast<double>(h + 1), power));
    for (std::int64_t h = 0; h < heads - power; ++h) all.push_back(slope(static_cast<double>(2 * h + 1), 2 * power));
    return all;
}

class Alibi final : public DistanceBias {
public:
    Alibi(const Params& params, const SlotShape& shape)
        : slopes_(slopes(shape.heads, real_param(params, "max_bias"))), factor_(real_param(params, "factor")) {}

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override {
        const double factor = resolved_factor(factor_, geometry.length, geometry.train_length);
        const auto slope = at::tensor(slopes_, at::kDouble).to(distances.device()).div_(-factor);  // [H]
        return (slope.unsqueeze(1) * distances.unsqueeze(0)).to(precision());                      // [H, n]
    }

    /// Earlier tokens were read with other slopes once the factor grows with the text.
    bool length_dependent() const override { return factor_ == 0; }

private:
    std::vector<double> slopes_;  // kept in double: far distances times small slopes lose digits in 16 bit
    double factor_;
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Alibi>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "alibi";
    info.name = "ALiBi";
    info.summary = "Every head subtracts its own fixed slope times the distance.";
    info.formula = "B(i, j) = −mₕ·(i − j)/f,  mₕ = 2^(−M·(h+1)/H)";
    info.paper = "Press, Smith, Lewis (2022): Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation";
    info.url = "https://arxiv.org/abs/2108.12409";
    info.beyond_training = "Perplexity stays flat past the training length. Far tokens are hardly read, because the penalty grows without bound.";
    info.claims = claims({"relative", "monotone", "zero-at-zero", "pointwise", "fixed"});
    info.params = {
        real_spec({"max_bias", "Largest exponent M", "The last head's slope is 2^−M. The usual value is 8."}, 8, {1, 16, 0.5}),
        real_spec({"factor", "Interpolation factor f", "Slopes are divided by it. 0 = length / training length, once the text is longer."}, 1,
                  {0, 64, 0.5}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& alibi() {
    static const Entry entry{describe(), Make<Bias>{make}, [](const Params& params) { check_factor("ALiBi", params); }, {}};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
