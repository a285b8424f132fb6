/// xPos. As RoPE, and pair n of a query at position p is multiplied by ζ_n^((p - c) / B), of a key by ζ_n^(-(p - c) / B), with
/// ζ_n = (2n/d + γ) / (1 + γ): scores of pair n decay as ζ_n^(δ / B). The centre c cancels and only keeps the numbers small; it must not
/// move while a text grows, because keys are cached turned.
/// Sun et al. 2022, arXiv 2212.10554; γ = 0.4, B = 512 and interleaved pairs as in torchscale, which centres on half the current length.
#include "core/position/rotation/pair_rotation.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

/// Largest exponent of e that a factor may have before scores of that type overflow.
double exponent_limit(at::ScalarType type) {
    if (type == at::kDouble) return 300;
    return type == at::kHalf ? 8 : 80;
}

class XPos final : public PairRotation {
public:
    XPos(const Params& params, const SlotShape& shape)
        : PairRotation("xPos", params, shape.head_width, shape.head_width),
          pairs_(shape.head_width / 2),
          gamma_(real_param(params, "gamma")),
          scale_base_(real_param(params, "scale_base")),
          centre_(real_param(params, "centre")) {}

    std::vector<double> decay() const override {
        std::vector<double> factors;
        for (const double rate : rates()) factors.push_back(std::exp(rate));
        return factors;
    }

protected:
    at::Tensor length_factor(const at::Tensor& positions, Side side, at::ScalarType type) const override {
        const auto rate = at::tensor(rates(), at::kDouble).to(positions.device());     // [d/2]
        const auto exponent = (positions - centre_).unsqueeze(-1) * rate;              // [.., T, d/2]
        const double largest = exponent.numel() == 0 ? 0 : exponent.abs().max().item<double>();
        if (largest > exponent_limit(type)) refuse(type);
        return at::exp(side == Side::query ? exponent : -exponent);
    }

private:
    /// ln ζ_n / B.
    std::vector<double> rates() const {
        std::vector<double> all;
        for (std::int64_t n = 0; n < pairs_; ++n) {
            const double share = static_cast<double>(n) / static_cast<double>(pairs_);
            all.push_back(std::log((share + gamma_) / (1 + gamma_)) / scale_base_);
        }
        return all;
    }
    [[noreturn]] void refuse(at::ScalarType type) const {
        const double reach = exponent_limit(type) / -rates().front();
        throw Failure(ErrorKind::invalid_argument, fmt::format("xPos can go {:.0f} tokens from its centre before its factors overflow. Raise scale_base "
                                                               "or gamma, or set centre to half the longest text.", std::floor(reach)));
    }

    std::int64_t pairs_;
    double gamma_, scale_base_, centre_;
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<XPos>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "xpos";
    info.name = "xPos";
    info.summary = "RoPE whose pairs also decay with distance, the fast ones most.";
    info.formula = "RoPE with q·ζₙ^(p/B) and k·ζₙ^(−p/B),  ζₙ = (2n/d + γ)/(1 + γ)";
    info.paper = "Sun, Dong, Patra, Ma, Huang, Benhaim, Chaudhary, Song, Wei (2022): A Length-Extrapolatable Transformer";
    info.url = "https://arxiv.org/abs/2212.10554";
    info.beyond_training = "Degrades more slowly than RoPE; its authors read long texts with blockwise attention. "
                           "In single precision it goes about 32000 tokens from its centre, then it is refused.";
    info.claims = claims({"relative", "fixed"});
    info.params = {
        base_spec(),
        real_spec({"gamma", "Offset γ", "Smaller values let the fast pairs decay sooner."}, 0.4, {0.1, 1, 0.05}),
        real_spec({"scale_base", "Scale base B", "Distance over which a pair loses its factor once.", "tokens"}, 512, {64, 1 << 20, 64, true}),
        real_spec({"centre", "Centre", "Position at which factors are 1. It changes no score, only the size of the numbers.", "tokens"}, 0,
                  {-65536, 65536, 64}),
        layout_spec("interleaved"),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& xpos() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
