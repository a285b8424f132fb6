/// RoPE. Queries and keys are turned by their positions before the scores are made: pair n of the first r elements by the
/// angle p · θ_n, θ_n = b^(-2n/r); the other d - r elements stay. (x, y) -> (x cos - y sin, y cos + x sin).
/// Layouts: half_split pairs (n, n + r/2), interleaved pairs (2n, 2n + 1); the same up to a fixed permutation of the rows.
/// Su, Lu, Pan, Murtadha, Wen, Liu 2021, arXiv 2104.09864. Angles are built in double at every length.
#include "core/position/rotation/pair_rotation.h"

#include <cmath>

namespace lw {

namespace {

/// r, the rotated width: the given share of d, rounded down to pairs, at least one.
std::int64_t rotated_width(const Params& params, std::int64_t head_width) {
    const double share = real_param(params, "fraction") * static_cast<double>(head_width);
    return std::max<std::int64_t>(2, 2 * static_cast<std::int64_t>(std::floor(share / 2 + 1e-9)));
}

std::shared_ptr<Rotation> make(const Params& params, const SlotShape& shape) {
    return std::make_shared<PairRotation>("RoPE", params, shape.head_width, rotated_width(params, shape.head_width));
}

std::string values(const Params& params, const ModelShape& shape) {
    const auto width = rotated_width(params, shape.head_width);
    return "r = " + std::to_string(width) + ", " + turn_values(pair_frequencies(real_param(params, "base"), width));
}

MethodCost cost(const Params& params, const ModelShape& shape) { return turn_cost(rotated_width(params, shape.head_width), shape); }

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
        base_spec(),
        real_spec({"fraction", "Rotated fraction", "Share of each head's elements that is rotated, rounded down to pairs."}, 1, {0.01, 1, 0.05}),
        layout_spec(),
    };
    return info;
}

}  // namespace

namespace entries_of::rotation {
const Entry& rope() {
    static const Entry entry{describe(), Make<Rotation>{make}, nullptr, {}, values, cost};
    return entry;
}
}  // namespace entries_of::rotation

}  // namespace lw
