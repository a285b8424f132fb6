#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace lw {

using nlohmann::json;

std::string parameter_name(const std::string& name) {
    static const std::map<std::string, std::string> names = {{"W1", "first.weight"},  {"C1", "first.weight"},  {"b1", "first.bias"},
                                                             {"W2", "second.weight"}, {"C2", "second.weight"}, {"b2", "second.bias"}};
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
}

void set_values(torch::nn::Module& module, const json& values) {
    for (const auto& [name, value] : values.items()) {
        set_parameter(module, parameter_name(name), value.is_number() ? at::full({}, value.get<double>(), at::kDouble) : tensor_of(value));
    }
}

std::shared_ptr<Bias> bias_with(const std::string& id, const ProbeInput& settings, const json& values, const SlotShape& shape) {
    const auto bias = make_entry<Bias>("bias", id, settings.params_for("bias", id, {{"hidden", "width"}, {"threshold", "L0"}}), shape);
    set_values(*bias, values);
    bias->eval();
    return bias;
}

std::shared_ptr<Bias> bias_with(const std::string& id, const json& settings, const json& values, const SlotShape& shape) {
    const json test{{"params", settings.is_null() ? json::object() : settings}};
    return bias_with(id, ProbeInput(test, test), values, shape);
}

std::shared_ptr<Bias> alibi_of_slope(double slope) {
    // One head's own slope is 2^-M; what M cannot say is left to the multiplier.
    const double exponent = std::clamp(-std::log2(slope), 1.0, 16.0);
    SlotShape shape;
    shape.heads = 1;
    return make_entry<Bias>("bias", "alibi", {{"max_bias", exponent}, {"slope_multiplier", slope / std::exp2(-exponent)}}, shape);
}

at::Tensor at_differences(Bias& bias, const at::Tensor& differences) {
    TileGeometry geometry;
    geometry.query_positions = at::zeros({1}, at::kDouble);
    geometry.key_positions = -differences.reshape({-1});
    geometry.length = geometry.train_length = 1;
    return bias.tile(geometry).squeeze(1);
}

json fire_values(const ProbeInput& test) {
    json values;
    for (const char* name : {"W1", "b1", "W2", "b2"}) values[name] = test.input(name);
    values["c"] = test.real("c");
    values["multiplier"] = test.real("multiplier", 1);
    return values;
}

}  // namespace lw
