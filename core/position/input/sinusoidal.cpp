/// Sinusoidal. p(t) is added to the embedding of token t (times √E where asked): sin(t θ_k) and cos(t θ_k),
/// θ_k = b^(-2k/E), k = 0..E/2 - 1, or b^(-k/(E/2 - 1)) in the tensor2tensor form.
/// Layouts: interleaved (sin, cos, sin, cos, ... as in the paper) or concatenated (all sin, then all cos).
/// Vaswani et al. 2017, arXiv 1706.03762.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class Sinusoidal final : public InputEncoding {
public:
    Sinusoidal(const Params& params, const SlotShape& shape)
        : interleaved_(choice_param(params, "layout") == "interleaved"),
          position_scale_(real_param(params, "position_scale")),
          embedding_scale_(flag_param(params, "scale_embedding") ? std::sqrt(static_cast<double>(shape.width)) : 1.0) {
        if (shape.width % 2 != 0) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("Sinusoidal encoding needs pairs of elements, but the model width is {} (odd). Choose an even width.", shape.width));
        }
        const auto pairs = shape.width / 2;
        const bool tensor2tensor = choice_param(params, "exponent") == "tensor2tensor";
        const double denominator = static_cast<double>(tensor2tensor ? std::max<std::int64_t>(pairs - 1, 1) : pairs);
        for (std::int64_t k = 0; k < pairs; ++k) {
            frequencies_.push_back(std::pow(real_param(params, "base"), -static_cast<double>(k) / denominator));
        }
    }

    at::Tensor apply(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& /*tokens*/) override {
        const auto scaled = embedding_scale_ == 1.0 ? embedded : embedded * embedding_scale_;  // [B, T, E]
        return scaled + table(positions).to(embedded.scalar_type());                           // [B, T, E]
    }

    at::Tensor table(const at::Tensor& positions) override {
        const auto theta = at::tensor(frequencies_, at::kDouble).to(positions.device());                           // [E/2]
        const auto angle = (positions.to(at::kDouble) / position_scale_).unsqueeze(-1) * theta;                    // [.., T, E/2]
        const auto sin = at::sin(angle), cos = at::cos(angle);                                                     // [.., T, E/2] each
        const auto joined = interleaved_ ? at::stack({sin, cos}, -1).flatten(-2) : at::cat({sin, cos}, -1);        // [.., T, E]
        return joined.to(precision());
    }

private:
    bool interleaved_;
    double position_scale_, embedding_scale_;
    std::vector<double> frequencies_;
};

std::shared_ptr<InputEncoding> make(const Params& params, const SlotShape& shape) { return std::make_shared<Sinusoidal>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "input";
    info.id = "sinusoidal";
    info.name = "Sinusoidal";
    info.summary = "Fixed sines and cosines of the position are added to the token embeddings.";
    info.formula = "x(t) → x(t) + p(t),  p₂ₖ = sin(t·θₖ), p₂ₖ₊₁ = cos(t·θₖ),  θₖ = b^(−2k/E)";
    info.paper = "Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin (2017): Attention Is All You Need";
    info.url = "https://arxiv.org/abs/1706.03762";
    info.beyond_training = "Perplexity rises steeply past the training length.";
    info.claims = claims({"relative-dot", "fixed"});
    info.params = {
        real_spec({"base", "Base b", "Larger bases make the slow elements slower."}, 10000, {10, 1e10, 1000, true}),
        choice_spec({"layout", "Layout", "interleaved as in the paper, or all sines followed by all cosines."}, "interleaved",
                    {"interleaved", "concatenated"}),
        choice_spec({"exponent", "Exponent", "paper: −2k/E. tensor2tensor: −k/(E/2 − 1), a slightly different table."}, "paper",
                    {"paper", "tensor2tensor"}),
        real_spec({"position_scale", "Position scale", "Positions are divided by it (position interpolation)."}, 1, {1, 1024, 0.5}),
        flag_spec({"scale_embedding", "Scale embedding by √E", "Token embeddings are multiplied by √E first, as in some implementations."}, false),
    };
    return info;
}

}  // namespace

namespace entries_of::input {
const Entry& sinusoidal() {
    static const Entry entry{describe(), Make<InputEncoding>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::input

}  // namespace lw
