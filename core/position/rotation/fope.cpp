/// FoPE. Pairs that do not finish a turn within L carry no position (cos = 1, sin = 0); each of the others is turned by a short Fourier series in
/// place of one wave:
///   cos_m(p) = Σ_n C[h][n][m] cos(p θ_n),  sin_m(p) = Σ_n S[h][n][m] sin(p θ_n),  n over the N pairs with θ_n >= 2π / L
/// C and S [Hkv, N, M] are drawn once, 1 at n = m⌈N/M⌉ (the pair's own wave) plus normal numbers of deviation g √(2 / (M (N + Hkv))), which is
/// LibTorch's Xavier start of a tensor of this shape with gain g. They stay as drawn, or are trained where asked for. M = min(N, ⌊d/4⌋) as published,
/// or N. Cosine and sine of different series are no rotation: lengths of vectors change, and scores depend on more than the distance.
/// Hua et al. 2024, arXiv 2412.17739 (ICML 2025), with the code of its appendix. That code fills the sines of pairs without position with 1,
/// where the text says frequency 0; here they are 0. Its division of the series by their sums, switched off in the published settings, is left out.
#include "core/position/rotation/pair_rotation.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// How many pairs finish a turn within L, and how many series are made of them.
struct Series {
    std::int64_t waves = 0;   // N
    std::int64_t turned = 0;  // M
};

Series series_of(const std::vector<double>& theta, const Params& params, std::int64_t train_length, std::int64_t head_width) {
    const auto length = integer_param(params, "length");
    Series series;
    series.waves = pairs_within(theta, length > 0 ? length : train_length);
    series.turned = choice_param(params, "series") == "all" ? series.waves : std::min(series.waves, head_width / 4);
    return series;
}

class Fope final : public PairRotation {
public:
    Fope(const Params& params, const SlotShape& shape)
        : PairRotation("FoPE", params, shape.head_width, shape.head_width),
          series_(series_of(PairRotation::inverse_frequencies(), params, shape.train_length, shape.head_width)), pairs_(shape.head_width / 2) {
        const bool trained = flag_param(params, "trained");
        const double gain = real_param(params, "gain");
        cos_ = register_parameter("cos", drawn(gain, shape.key_heads()), trained);  // [Hkv, N, M]
        sin_ = register_parameter("sin", drawn(gain, shape.key_heads()), trained);
    }

    /// Pairs that carry no position have frequency 0.
    std::vector<double> inverse_frequencies() const override {
        auto theta = PairRotation::inverse_frequencies();
        std::fill(theta.begin() + series_.waves, theta.end(), 0.0);
        return theta;
    }

    at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side /*side*/) const override {
        const auto theta = frequencies.theta(positions.device()).slice(0, 0, series_.waves);                         // [N]
        const auto angle = positions.to(at::kDouble).unsqueeze(-1) * theta;                                          // [.., T, N]
        const auto cos = padded(at::matmul(at::cos(angle), per_head(cos_, x.size(1))), 1);                           // [.., H, T, d/2]
        const auto sin = padded(at::matmul(at::sin(angle), per_head(sin_, x.size(1))), 0);
        return turned(x, cos * frequencies.attention_factor, sin * frequencies.attention_factor);                    // [B, H, T, d]
    }

private:
    /// 1 at each series' own wave, plus normal numbers.
    at::Tensor drawn(double gain, std::int64_t heads) const {
        auto values = at::zeros({heads, series_.waves, series_.turned});
        if (values.numel() == 0) return values;
        values.normal_(0, gain * std::sqrt(2.0 / static_cast<double>(series_.turned * (series_.waves + heads))));
        const auto step = (series_.waves + series_.turned - 1) / series_.turned;
        for (std::int64_t m = 0; m < series_.turned && m * step < series_.waves; ++m) values.select(1, m * step).select(1, m).add_(1);
        return values;
    }
    /// Series of the key heads repeated to `heads` query heads, [heads, N, M] float64.
    static at::Tensor per_head(const at::Tensor& values, std::int64_t heads) {
        const auto wide = values.to(at::kDouble);
        return heads == wide.size(0) ? wide : wide.repeat_interleave(heads / wide.size(0), 0);
    }
    at::Tensor padded(const at::Tensor& series, double value) const { return at::constant_pad_nd(series, {0, pairs_ - series_.turned}, value); }

    Series series_;
    std::int64_t pairs_;
    at::Tensor cos_, sin_;
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<Fope>(params, shape); }

std::string values(const Params& params, const ModelShape& shape) {
    auto theta = pair_frequencies(real_param(params, "base"), shape.head_width);
    const auto series = series_of(theta, params, shape.train_length, shape.head_width);
    std::fill(theta.begin() + series.waves, theta.end(), 0.0);
    return turn_values(theta) + "; " + std::to_string(series.turned) + " series of " + std::to_string(series.waves) + " waves (curves and maps show each pair's own wave)";
}

/// The turn, and per token the series of every head.
MethodCost cost(const Params& params, const ModelShape& shape) {
    const auto series = series_of(pair_frequencies(real_param(params, "base"), shape.head_width), params, shape.train_length, shape.head_width);
    auto cost = turn_cost(shape.head_width, shape);
    cost.per_token = *cost.per_token + 4.0 * static_cast<double>(series.waves * series.turned * (shape.heads + shape.key_heads()));
    cost.learned = flag_param(params, "trained") ? 2 * series.waves * series.turned * shape.key_heads() : 0;
    return cost;
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "fope";
    info.name = "FoPE";
    info.summary = "Each pair is turned by a short Fourier series of frequencies; pairs too slow for the training length carry no position.";
    info.formula = "cosₘ(p) = Σₙ Cₙₘ cos(p·θₙ), sinₘ(p) = Σₙ Sₙₘ sin(p·θₙ), θₙ = b^(−2n/d) ≥ 2π/L";
    info.paper = "Hua, Tian, Chen, et al. (2024): Fourier Position Embedding: Enhancing Attention's Periodic Extension for Length Generalization";
    info.url = "https://arxiv.org/abs/2412.17739";
    info.beyond_training = "No pair reaches an angle it never saw in training, and the mixed waves make the model ready for spectral damage. "
                           "It must be trained with.";
    info.claims = claims({"fixed"});
    info.params = {
        base_spec(),
        integer_spec({"length", "Length L", "Pairs that finish a turn within it carry position. 0 = the training length.", "tokens"}, 0, {0, 1 << 24, 64}),
        choice_spec({"series", "Series", "quarter: at most a quarter of the head width, as published. all: one for every pair that carries position."},
                    "quarter", {"quarter", "all"}),
        real_spec({"gain", "Gain g", "Size of the other waves' shares. 0 = the pair's own wave alone."}, 0.3, {0, 1, 0.05}),
        flag_spec({"trained", "Trained", "The shares are trained; off leaves them as drawn, as published."}, false),
        layout_spec(),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& fope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}, values, cost};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
