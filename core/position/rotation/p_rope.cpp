/// p-RoPE ("proportional"). As RoPE on the whole head, θ_n = b^(-2n/d), but only the floor(p d/2) fastest pairs are turned: the other
/// frequencies are 0. p = 1 is RoPE, p = 0 no position at all. The exponent's denominator stays d, unlike in partial RoPE.
/// Barbero et al. 2024, arXiv 2410.06205 (rope_type "proportional" in Hugging Face).
#include "core/position/rotation/pair_rotation.h"

#include <cmath>

namespace lw {

namespace {

/// floor(p d/2) pairs.
std::size_t turned_pairs(const Params& params, std::int64_t head_width) {
    return static_cast<std::size_t>(std::floor(real_param(params, "p") * static_cast<double>(head_width) / 2 + 1e-9));
}

/// The frequencies after the first `turned` are 0.
std::vector<double> proportional(std::vector<double> theta, std::size_t turned) {
    for (std::size_t n = turned; n < theta.size(); ++n) theta[n] = 0;
    return theta;
}

class ProportionalRope final : public PairRotation {
public:
    ProportionalRope(const Params& params, const SlotShape& shape)
        : PairRotation("p-RoPE", params, shape.head_width, shape.head_width),
          turned_(turned_pairs(params, shape.head_width)) {}

    std::vector<double> inverse_frequencies() const override { return proportional(PairRotation::inverse_frequencies(), turned_); }

private:
    std::size_t turned_;
};

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) { return std::make_shared<ProportionalRope>(params, shape); }

std::string values(const Params& params, const ModelShape& shape) {
    return turn_values(proportional(pair_frequencies(real_param(params, "base"), shape.head_width), turned_pairs(params, shape.head_width)));
}

MethodCost cost(const Params& /*params*/, const ModelShape& shape) { return turn_cost(shape.head_width, shape); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "rotation";
    info.id = "p-rope";
    info.name = "p-RoPE";
    info.summary = "Only the fastest share of the pairs is turned; the slow ones carry content without position.";
    info.formula = "θₙ = b^(−2n/d) for n < ⌊p·d/2⌋, else 0";
    info.paper = "Barbero, Vitvitskyi, Perivolaropoulos, Pascanu, Veličković (2024): Round and Round We Go! What Makes Rotary Positional Encodings Useful?";
    info.url = "https://arxiv.org/abs/2410.06205";
    info.beyond_training = "The slow pairs that carry RoPE to unseen angles are gone. How far it reaches depends on the share that is left.";
    info.claims = claims({"relative", "norm-preserving", "fixed"});
    info.params = {
        base_spec(),
        real_spec({"p", "Share p", "Of the pairs that are turned, rounded down. 1 = RoPE, 0 = no position."}, 0.75, {0, 1, 0.05}),
        layout_spec(),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& p_rope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {"p"}, values, cost};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
