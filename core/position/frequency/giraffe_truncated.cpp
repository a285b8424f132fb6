/// Giraffe, truncated basis. With T the truncation length, b_hi = 2π / T and b_lo = b_hi / 8:
///   θ_n >= b_hi stays;  b_lo < θ_n < b_hi becomes 2π / (16 T);  θ_n <= b_lo becomes 0 (the pair is not turned).
/// No attention factor. T = 0 stands for the training length L.
/// Pal et al. 2023, arXiv 2308.10882; constants as in abacusai/Long-Context.
#include "core/position/entry.h"

#include <numbers>

namespace lw {

namespace {

class GiraffeTruncated final : public FrequencyScaling {
public:
    explicit GiraffeTruncated(std::int64_t truncate) : truncate_(truncate) {}
    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t /*length*/, std::int64_t train_length) const override {
        const double fastest_kept = 2 * std::numbers::pi / static_cast<double>(truncate_ > 0 ? truncate_ : train_length);
        Frequencies scaled{inverse, 1};
        for (double& theta : scaled.inverse) {
            if (theta >= fastest_kept) continue;
            theta = theta > fastest_kept / 8 ? fastest_kept / 16 : 0;
        }
        return scaled;
    }

private:
    std::int64_t truncate_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<GiraffeTruncated>(integer_param(params, "truncate"));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "giraffe-truncated";
    info.name = "Giraffe (truncated basis)";
    info.summary = "Pairs that finish a turn stay, somewhat slower ones share one small frequency, the slowest are not turned.";
    info.formula = "θ′ₙ = θₙ for θₙ ≥ 2π/T,  2π/(16T) for θₙ > 2π/(8T),  else 0";
    info.paper = "Pal, Karkhanis, Roberts, Dooley, Sundararajan, Naidu (2023): Giraffe: Adventures in Expanding Context Lengths in LLMs";
    info.url = "https://arxiv.org/abs/2308.10882";
    info.beyond_training = "No pair reaches an angle it never saw, but far tokens look alike. Meant for a model that is trained or tuned with it.";
    info.claims = claims({"keeps-fastest", "length-independent", "fixed"});
    info.params = {integer_spec({"truncate", "Truncation length T", "Pairs that finish a turn within it stay. 0 = the training length.", "tokens"}, 0,
                                {0, 1 << 24, 64})};
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& giraffe_truncated() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
