/// Dynamic NTK. Up to L nothing changes; past it the base becomes b · a^(d/(d-2)) with
///   continuous: a = f · length / L - (f - 1)             stepped: a = max(1, 2^ceil(log2(length / L) + 1) - 1)
/// Three forms are published: emozilla's original and the one of Hugging Face are both the continuous one (f is called alpha there,
/// factor here), Qwen 1 runs the stepped one.
/// All angles change while the text grows, so keys are cached un-rotated and every result belongs to its own length.
/// emozilla 2023 (public post); described in Peng et al. 2023, arXiv 2309.00071.
#include "core/position/catalogue.h"
#include "core/position/entry.h"
#include "core/position/frequency/ntk_base.h"

#include <cmath>

namespace lw {

namespace {

/// a, past the training length.
double growth(double factor, bool stepped, double ratio) {
    return stepped ? std::max(1.0, std::exp2(std::ceil(std::log2(ratio) + 1)) - 1) : factor * ratio - (factor - 1);
}

class DynamicNtk final : public FrequencyScaling {
public:
    explicit DynamicNtk(const Params& params) : factor_(real_param(params, "factor")), stepped_(choice_param(params, "form") == "stepped") {}

    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t length, std::int64_t train_length) const override {
        if (length <= train_length || train_length <= 0) return {inverse, 1};
        return ntk_scaled(inverse, growth(factor_, stepped_, static_cast<double>(length) / static_cast<double>(train_length)));
    }
    bool length_dependent() const override { return true; }

private:
    double factor_;
    bool stepped_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& /*shape*/) { return std::make_shared<DynamicNtk>(params); }

std::string values(const Params& params, const ModelShape& shape) {
    const double ratio = static_cast<double>(shape.length) / static_cast<double>(shape.train_length);
    const double a = ratio <= 1 ? 1 : growth(real_param(params, "factor"), choice_param(params, "form") == "stepped", ratio);
    const std::string base = new_base(shape, a);
    return "length/L = " + number_text(ratio) + (base.empty() ? "" : ", " + base);
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "dynamic-ntk";
    info.name = "Dynamic NTK";
    info.summary = "The base grows with the text, and only past the training length.";
    info.formula = "b′ = b·(f·length/L − (f − 1))^(d/(d−2)) for length > L";
    info.paper = "emozilla (2023): Dynamically Scaled RoPE; described by Peng, Quesnelle, Fan, Shippole (2023)";
    info.url = "https://arxiv.org/abs/2309.00071";
    info.beyond_training = "Degrades slowly instead of breaking, without further training. The same token gets another angle in a longer text.";
    info.claims = claims({"keeps-fastest", "plain-within-training", "length-dependent", "fixed"});
    info.params = {
        real_spec({"factor", "Factor f", "1: the ratio length / training length itself. Larger values grow the base faster. Continuous form only."}, 1,
                  {1, 64, 0.5}),
        choice_spec({"form", "Form", "continuous: recomputed at every length, as first posted and in Hugging Face. stepped: powers of two, as in Qwen 1."}, "continuous",
                    {"continuous", "stepped"}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& dynamic_ntk() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, nullptr, {}, values};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
