/// Left padding. Pad tokens do not count: p' = (number of other tokens up to and with this one) - 1, at least 0, so that a text gets the
/// same positions whether it is padded to the length of its batch mates or not. Only positions: the pad tokens stay readable keys.
/// Where no tokens are given (previews) p' = p.
/// The rule of Hugging Face transformers (issues 17866, 26137): positions = cumsum(mask) - 1.
#include "core/position/entry.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

class Shifted final : public PositionMap {
public:
    explicit Shifted(const Params& params) : pad_(integer_param(params, "pad_token")) {}

    MappedPositions map(const at::Tensor& indices, const PositionContext& context) override {
        if (!context.tokens.defined()) return {indices, indices};
        const auto counted = context.tokens.ne(pad_).to(at::kDouble).cumsum(1);  // [B, T]
        const auto positions = (counted - 1).clamp_min(0);                       // [B, T]
        return {positions, positions};
    }
    bool reads_tokens() const override { return true; }

private:
    std::int64_t pad_;
};

std::shared_ptr<PositionMap> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<Shifted>(params); }

MethodInfo describe() {
    MethodInfo info;
    info.slot = "positions";
    info.id = "shifted";
    info.name = "Left padding";
    info.summary = "Pad tokens do not count, so a text padded on its left gets the positions it has alone.";
    info.formula = "p′ = max(0, Σ_{l ≤ p} [token l is no pad] − 1)";
    info.paper = "Wolf et al. (2020): Transformers: State-of-the-Art Natural Language Processing (rule of its issue 26137)";
    info.url = "https://github.com/huggingface/transformers/issues/26137";
    info.beyond_training = "Positions of real tokens are plain, so nothing changes past the training length.";
    info.claims = claims({"ascending", "content-dependent", "fixed"});
    info.params = {
        integer_spec({"pad_token", "Pad token", "Number of the token that fills up short texts. It stays a key that can be read."}, 0, {0, 1048576, 1}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::positions {
const Entry& shifted() {
    static const Entry entry{describe(), Make<PositionMap>{make}, nullptr, {}};
    return entry;
}
}  // namespace entries_of::positions

}  // namespace lw
