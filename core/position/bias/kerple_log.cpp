/// KERPLE, logarithmic form. B(i, j) = -p_h · ln(1 + a_h · δ), δ = max(i - j, 0) or, if bidirectional, |i - j|, added to the scaled scores.
/// One p and one a per head and layer, kept at or above a floor. p ~ U(0, 2), a ~ U(0, 1) at the start.
/// Chi, Fan, Ramadge, Rudnicky 2022, arXiv 2205.09921.
#include "core/position/kerple.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class KerpleLog final : public KerpleBias {
public:
    using KerpleBias::KerpleBias;

    at::Tensor by_distance(const at::Tensor& distances, const TileGeometry& /*geometry*/) override {
        return -p() * at::log1p(a() * distances.to(precision()).unsqueeze(0));  // [H, n]
    }
};

std::shared_ptr<Bias> make(const Params& params, const SlotShape& shape) { return std::make_shared<KerpleLog>(params, shape); }

MethodInfo describe() {
    MethodInfo info = kerple_info("kerple-log");
    info.name = "KERPLE (logarithmic)";
    info.summary = "Every head learns how strongly the logarithm of the distance counts against a token.";
    info.formula = "B(i, j) = −pₕ·ln(1 + aₕ·(i − j)),  pₕ, aₕ ≥ floor, learned";
    info.beyond_training = "Perplexity stays flat or falls slightly past the training length. Heads with small p stay open to far tokens.";
    return info;
}

}  // namespace

namespace entries_of::bias {
const Entry& kerple_log() {
    static const Entry entry{describe(), Make<Bias>{make}, nullptr, {}, nullptr, kerple_cost};
    return entry;
}
}  // namespace entries_of::bias

}  // namespace lw
