/// NTK-aware scaling. The base becomes b' = b · s^(d/(d-2)), d the rotated width, so θ'_n = θ_n · s^(-2n/(d-2)):
/// the fastest pair stays, the slowest is divided by s, those between by less.
/// bloc97 2023 (public post); described in Peng et al. 2023, arXiv 2309.00071, section 3.1.
#include "core/position/entry.h"
#include "core/position/frequency/ntk_base.h"

namespace lw {

namespace {

class Ntk final : public FrequencyScaling {
public:
    explicit Ntk(double factor) : factor_(factor) {}
    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        return ntk_scaled(inverse, resolved_factor(factor_, length, train_length));
    }
    bool length_dependent() const override { return factor_ == 0; }

private:
    double factor_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) {
    return std::make_shared<Ntk>(real_param(params, "factor"));
}

std::string values(const Params& params, const ModelShape& shape) {
    return new_base(shape, resolved_factor(real_param(params, "factor"), shape.length, shape.train_length));
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "ntk";
    info.name = "NTK-aware";
    info.summary = "A larger base: slow pairs are slowed by the full factor, fast pairs hardly.";
    info.formula = "b′ = b·s^(d/(d−2)),  θ′ₙ = b′^(−2n/d)";
    info.paper = "bloc97 (2023): NTK-Aware Scaled RoPE; described by Peng, Quesnelle, Fan, Shippole (2023)";
    info.url = "https://arxiv.org/abs/2309.00071";
    info.beyond_training = "Works to about two to four times the training length without further training. "
                           "The factor must be somewhat larger than length / training length.";
    info.claims = claims({"identity-at-factor-1", "keeps-fastest", "slows-slowest", "length-independent", "fixed"});
    info.params = {real_spec({"factor", "Factor s", "Also called alpha. 0 = length / training length, once the text is longer."}, 4, {0, 1024, 0.5})};
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& ntk() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, [](const Params& p) { check_factor("NTK-aware scaling", p); }, {"factor"}, values};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
