/// A table of one's own: one number per pair, fastest first.
///   divisors: θ'_n = θ_n / f_n (what GGUF files keep as rope_freqs, and LongRoPE's lists);  frequencies: θ'_n = f_n, radians per token.
/// cos and sin are multiplied by the attention factor. An empty list changes nothing.
/// Own definition (2026); the meaning of divisors is that of GGUF.
#include "core/position/entry.h"
#include "core/position/frequency/pair_list.h"

#include <algorithm>

namespace lw {

namespace {

class Custom final : public FrequencyScaling {
public:
    Custom(const Params& params, const SlotShape& shape)
        : values_(list_param(params, "values")), divides_(choice_param(params, "kind") == "divisors"), attention_(real_param(params, "attention_factor")) {
        if (shape.pairs > 0) check_pair_list("the custom table", "values", values_, static_cast<std::size_t>(shape.pairs));
    }

    Frequencies scale(const std::vector<double>& inverse, double /*base*/, std::int64_t /*length*/, std::int64_t /*train_length*/) const override {
        check_pair_list("the custom table", "values", values_, inverse.size());
        Frequencies scaled{inverse, attention_};
        for (std::size_t n = 0; n < values_.size(); ++n) scaled.inverse[n] = divides_ ? inverse[n] / values_[n] : values_[n];
        return scaled;
    }

private:
    std::vector<double> values_;
    bool divides_;
    double attention_;
};

std::shared_ptr<FrequencyScaling> make(const Params& params, const SlotShape& shape) { return std::make_shared<Custom>(params, shape); }

void check(const Params& params) {
    const auto values = list_param(params, "values");
    if (choice_param(params, "kind") != "divisors" || std::find(values.begin(), values.end(), 0.0) == values.end()) return;
    throw Failure(ErrorKind::invalid_argument, "values of the custom table hold a 0, and frequencies cannot be divided by it. Set kind to frequencies "
                                               "to give frequencies themselves; there 0 stops a pair.");
}

MethodInfo describe() {
    MethodInfo info;
    info.slot = "frequency";
    info.id = "custom";
    info.name = "Custom table";
    info.summary = "One number per pair, given as a list: divisors of the frequencies, or the frequencies themselves.";
    info.formula = "θ′ₙ = θₙ/fₙ  or  θ′ₙ = fₙ;  cos and sin × attention factor";
    info.paper = "Lengthwise (2026): own definition; divisors as rope_freqs of GGUF files";
    info.url = "https://github.com/ggml-org/ggml/blob/master/docs/gguf.md";
    info.beyond_training = "Whatever the table does.";
    info.claims = claims({"length-independent", "fixed"});
    info.params = {
        choice_spec({"kind", "Numbers are", "divisors: the plain frequency is divided by the number. frequencies: radians per token."}, "divisors",
                    {"divisors", "frequencies"}),
        list_spec({"values", "Numbers", "One per pair, fastest pair first. Empty: nothing changes."}, "", {0, 1e9, 0}),
        real_spec({"attention_factor", "Attention factor", "Multiplies cos and sin, so scores get its square."}, 1, {0.05, 4, 0.05}),
    };
    info.plug_in = true;
    return info;
}

}  // namespace

namespace entries_of::frequency {
const Entry& custom() {
    static const Entry entry{describe(), Make<FrequencyScaling>{make}, check, {}};
    return entry;
}
}  // namespace entries_of::frequency

}  // namespace lw
