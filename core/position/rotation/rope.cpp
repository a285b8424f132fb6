/// RoPE. Queries and keys are turned by their positions before the scores are made: pair n of the first r elements by the
/// angle p · θ_n, θ_n = b^(-2n/r); the other d - r elements stay. (x, y) -> (x cos - y sin, y cos + x sin).
/// Layouts: half_split pairs (n, n + r/2), interleaved pairs (2n, 2n + 1); the same up to a fixed permutation of the rows.
/// Su, Lu, Pan, Murtadha, Wen, Liu 2021, arXiv 2104.09864. Angles are built in double at every length.
#include "core/position/entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>

namespace lw {

namespace {

class Rope final : public Rotation {
public:
    Rope(const Params& params, const SlotShape& shape)
        : base_(real_param(params, "base")), interleaved_(choice_param(params, "layout") == "interleaved") {
        if (shape.head_width % 2 != 0) {
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("RoPE turns pairs of elements, but the head width is {} (odd). Choose an even head width "
                                      "(width / heads), or a scheme without rotation.", shape.head_width));
        }
        const double share = real_param(params, "fraction") * static_cast<double>(shape.head_width);
        width_ = std::max<std::int64_t>(2, 2 * static_cast<std::int64_t>(std::floor(share / 2 + 1e-9)));
    }

    std::vector<double> inverse_frequencies() const override {
        std::vector<double> theta;
        for (std::int64_t n = 0; n < width_ / 2; ++n) theta.push_back(std::pow(base_, -2.0 * static_cast<double>(n) / static_cast<double>(width_)));
        return theta;
    }
    double base() const override { return base_; }

    at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side /*side*/) const override {
        const auto theta = frequencies.theta(positions.device());  // [r/2]
        const auto angle = positions.to(at::kDouble).unsqueeze(-1) * theta;                      // [.., T, r/2]
        // At least float32: 16-bit cosines would already be wrong at position 257.
        const auto type = x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
        const auto cos = (at::cos(angle) * frequencies.attention_factor).to(type);               // [T, r/2]
        const auto sin = (at::sin(angle) * frequencies.attention_factor).to(type);               // [T, r/2]
        const auto turned = interleaved_ ? turn_interleaved(x.slice(-1, 0, width_).to(type), cos, sin)
                                         : turn_halves(x.slice(-1, 0, width_).to(type), cos, sin);
        if (width_ == x.size(-1)) return turned.to(x.scalar_type());                             // [B, H, T, d]
        return at::cat({turned.to(x.scalar_type()), x.slice(-1, width_)}, -1);                   // [B, H, T, d]
    }

private:
    at::Tensor turn_halves(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) const {
        const auto a = x.slice(-1, 0, width_ / 2), b = x.slice(-1, width_ / 2);                  // [B, H, T, r/2] each
        return at::cat({a * cos - b * sin, b * cos + a * sin}, -1);                              // [B, H, T, r]
    }
    at::Tensor turn_interleaved(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) const {
        const auto a = x.slice(-1, 0, std::nullopt, 2), b = x.slice(-1, 1, std::nullopt, 2);     // [B, H, T, r/2] each
        return at::stack({a * cos - b * sin, b * cos + a * sin}, -1).flatten(-2);                // [B, H, T, r]
    }

    double base_;
    bool interleaved_;
    std::int64_t width_ = 0;  // r
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<Rope>(params, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "rope";
    info.name = "RoPE";
    info.summary = "Queries and keys are turned by angles proportional to their positions, so scores depend on the distance.";
    info.formula = "q·k → (R(i)·q)·(R(j)·k),  θₙ = b^(−2n/r),  R turns pair n by position·θₙ";
    info.paper = "Su, Lu, Pan, Murtadha, Wen, Liu (2021): RoFormer: Enhanced Transformer with Rotary Position Embedding";
    info.url = "https://arxiv.org/abs/2104.09864";
    info.beyond_training = "Perplexity rises steeply past the training length, because slow pairs reach angles never seen. "
                           "Frequency scaling delays that.";
    info.claims = claims({"relative", "norm-preserving", "partial-tail", "fixed"});
    info.params = {
        real_spec({"base", "Base b", "Larger bases turn the slow pairs more slowly."}, 10000, {10, 1e8, 1000, true}),
        real_spec({"fraction", "Rotated fraction", "Share of each head's elements that is rotated, rounded down to pairs."}, 1, {0.05, 1, 0.05}),
        choice_spec({"layout", "Pair layout", "half_split: GPT-NeoX, Llama in Hugging Face form. interleaved: GPT-J, Llama as first released."},
                    "half_split", {"half_split", "interleaved"}),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& rope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
