/// ALiBi. B(i, j) = -w · m_h · n(i - j) / f, added to the scaled scores of every layer.
/// Slopes m_h = 2^(-M (h + 1) / H) for H a power of two; else the slopes of the next lower power n, then every second one of
/// the list for 2n. M = max_bias (8). f is the interpolation factor (1 = none). The slopes may be learned, from these on.
/// n counts: causal max(i - j, 0); symmetric |i - j|; deepmind |i - j| - 1/2 for earlier keys (the past counts half a step less).
/// w = 1; Falcon divides the bias by √d together with the scores; BiPE takes 96 times the slopes.
/// Programs that write m_h · j (BLOOM, MPT) differ by a constant per row, so their weights are the same.
/// Press, Smith, Lewis 2022, arXiv 2108.12409; interpolation: Al-Khateeb et al. 2023, arXiv 2310.13017.
#include "core/position/catalogue.h"
#include "core/position/distance_bias.h"
#include "core/position/entry.h"

#include <ATen/ATen.h>

#include <array>
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

// n(i - j) of each convention, from differences of any sign.
using Counting = at::Tensor (*)(const at::Tensor& differences);
at::Tensor past_only(const at::Tensor& differences) { return differences.clamp_min(0); }
at::Tensor both_sides(const at::Tensor& differences) { return differences.abs(); }
at::Tensor past_half_less(const at::Tensor& differences) { return differences.abs() - 0.5 * differences.gt(0).to(at::kDouble); }

struct Convention {
    const char* id;
    Counting count;
};
constexpr std::array kConventions{Convention{"causal", past_only}, Convention{"symmetric", both_sides}, Convention{"deepmind", past_half_less}};

Counting counting(const std::string& id) {
    for (const auto& convention : kConventions) {
        if (id == convention.id) return convention.count;
    }
    throw Failure(ErrorKind::internal, "unknown convention of ALiBi \"" + id + "\"");
}

class Alibi final : public DistanceBias {
public:
    Alibi(const Params& params, const SlotShape& shape)
        : slopes_(slopes(shape.heads, real_param(params, "max_bias"))),
          factor_(real_param(params, "factor")),
          strength_(real_param(params, "slope_multiplier")),
          count_(counting(choice_param(params, "convention"))) {
        if (choice_param(params, "scale") == "inverse_sqrt_d") strength_ /= std::sqrt(static_cast<double>(shape.head_width));
        if (flag_param(params, "learned_slopes")) learned_ = register_parameter("slopes", at::tensor(slopes_, at::kFloat));  // [H]
    }

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& geometry) override { return by_difference(distances, geometry); }
    at::Tensor by_difference(const at::Tensor& differences, const TileGeometry& geometry) override {
        const double factor = resolved_factor(factor_, geometry.length, geometry.train_length);
        const auto slope = slope_values(differences.device()) * (-strength_ / factor);             // [H]
        return (slope.unsqueeze(1) * count_(differences).unsqueeze(0)).to(precision());            // [H, n]
    }

    /// Earlier tokens were read with other slopes once the factor grows with the text.
    bool length_dependent() const override { return factor_ == 0; }

private:
    at::Tensor slope_values(at::Device device) const {
        return learned_.defined() ? learned_.to(at::kDouble) : at::tensor(slopes_, at::kDouble).to(device);
    }

    std::vector<double> slopes_;  // kept in double: far distances times small slopes lose digits in 16 bit
    double factor_, strength_;
    Counting count_;
    at::Tensor learned_;  // undefined where the slopes are fixed
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<Alibi>(params, shape); }

/// "mₕ = 0.5, 0.25, 0.125, …, 0.003906 for 8 heads".
std::string slope_values(const Params& params, const ModelShape& shape) {
    return "mₕ = " + short_list(slopes(shape.heads, real_param(params, "max_bias"))) + " for " + number_text(static_cast<double>(shape.heads)) + " heads";
}

MethodCost cost(const Params& params, const ModelShape& shape) {
    MethodCost cost;
    cost.per_pair = static_cast<double>(shape.heads);  // the slopes times the distances are one table per pass
    cost.learned = flag_param(params, "learned_slopes") ? shape.heads : 0;
    return cost;
}

std::vector<ParamSpec> params() {
    return {
        real_spec({"max_bias", "Largest exponent M", "The last head's slope is 2^−M. The usual value is 8."}, 8, {1, 16, 0.5}),
        real_spec({"factor", "Interpolation factor f", "Slopes are divided by it. 0 = length / training length, once the text is longer."}, 1,
                  {0, 1024, 0.5}),
        choice_spec({"convention", "Distance",
                     "causal: i − j, later keys count as 0. symmetric: |i − j|. deepmind: |i − j|, and half a step less for earlier keys."},
                    "causal", {"causal", "symmetric", "deepmind"}),
        choice_spec({"scale", "Scale", "one: added to the scaled scores. inverse_sqrt_d: divided by √d as the scores are (Falcon)."}, "one",
                    {"one", "inverse_sqrt_d"}),
        real_spec({"slope_multiplier", "Slope multiplier w", "All slopes times this. BiPE uses 96, between segments."}, 1, {0.01, 128, 1, true}),
        flag_spec({"learned_slopes", "Learned slopes", "Training changes the slopes; each layer has its own."}, false),
    };
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "bias";
    info.id = "alibi";
    info.name = "ALiBi";
    info.summary = "Every head subtracts its own fixed slope times the distance.";
    info.formula = "B(i, j) = −w·mₕ·(i − j)/f,  mₕ = 2^(−M·(h+1)/H)";
    info.paper = "Press, Smith, Lewis (2022): Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation";
    info.url = "https://arxiv.org/abs/2108.12409";
    info.beyond_training = "Perplexity stays flat past the training length. Far tokens are hardly read, because the penalty grows without bound.";
    info.claims = claims({"relative", "monotone", "zero-at-zero", "pointwise", "fixed"});
    info.params = params();
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& alibi() {
    static const Entry entry{describe(), Make<Bias>{make}, [](const Params& given) { check_factor("ALiBi", given); }, {}, slope_values, cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
