/// HoPE. As RoPE, but pairs that do not finish a turn within L are not turned: θ_n stays where θ_n >= 2π / L, else it is 0.
/// Chen et al. 2024, arXiv 2410.21216 (the method of this name for language models, not the hyperbolic or the vision one). That the slow
/// pairs lose their position is the paper's; the exact cut-off 2π / L is recalled, not read there. It is also the first step of FoPE
/// (arXiv 2412.17739, fope).
#include "core/position/rotation/pair_rotation.h"

#include <algorithm>

namespace lw {

namespace {

/// Frequencies below 2π / L are 0; L = the training length where the parameter is 0.
std::vector<double> cut(std::vector<double> theta, const Params& params, std::int64_t train_length) {
    const auto length = integer_param(params, "length");
    std::fill(theta.begin() + pairs_within(theta, length > 0 ? length : train_length), theta.end(), 0.0);
    return theta;
}

class Hope final : public PairRotation {
public:
    Hope(const Params& params, const SlotShape& shape)
        : PairRotation("HoPE", params, shape.head_width, shape.head_width), theta_(cut(PairRotation::inverse_frequencies(), params, shape.train_length)) {}

    std::vector<double> inverse_frequencies() const override { return theta_; }

private:
    std::vector<double> theta_;
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<Hope>(params, shape); }

std::string values(const Params& params, const ModelShape& shape) {
    return turn_values(cut(pair_frequencies(real_param(params, "base"), shape.head_width), params, shape.train_length));
}

MethodCost cost(const Params& /*params*/, const ModelShape& shape) { return turn_cost(shape.head_width, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "hope";
    info.name = "HoPE";
    info.summary = "Only pairs that finish a turn within the training length are turned (cut-off as recalled, not read in the paper).";
    info.formula = "θₙ = b^(−2n/d) where ≥ 2π/L, else 0";
    info.paper = "Chen et al. (2024): HoPE: A Novel Positional Encoding Without Long-Term Decay for Enhanced Context Awareness and Extrapolation";
    info.url = "https://arxiv.org/abs/2410.21216";
    info.beyond_training = "No pair reaches an angle it never saw in training. Certainty: the idea is the paper's, the cut-off 2π/L is recalled.";
    info.claims = claims({"relative", "norm-preserving", "fixed"});
    info.params = {
        base_spec(),
        integer_spec({"length", "Length L", "Pairs that finish a turn within it are turned. 0 = the training length.", "tokens"}, 0, {0, 1 << 24, 64}),
        layout_spec(),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& hope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}, values, cost};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
