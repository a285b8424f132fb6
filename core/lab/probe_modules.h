#pragma once
/// Modules with the values that a case gives, for more than one group.

#include "core/lab/probe_input.h"

namespace lw {

/// "W1" -> "first.weight"; other names stay.
std::string parameter_name(const std::string& name);
/// Sets every parameter that `values` names, in float64.
void set_values(torch::nn::Module& module, const nlohmann::json& values);
/// A bias entry with a case's parameters ("width", "L0" and "activation" of FIRE) and `values` in place of its learned ones.
std::shared_ptr<Bias> bias_with(const std::string& id, const ProbeInput& settings, const nlohmann::json& values, const SlotShape& shape);
/// The same with parameters of its own.
std::shared_ptr<Bias> bias_with(const std::string& id, const nlohmann::json& settings, const nlohmann::json& values, const SlotShape& shape);
/// ALiBi of one head with a given slope > 0.
std::shared_ptr<Bias> alibi_of_slope(double slope);
/// FIRE's network, c and multiplier, from inputs and parameters of a case.
nlohmann::json fire_values(const ProbeInput& test);
/// Values at differences i - j of any sign [n] -> [H, n]: one query at 0.
at::Tensor at_differences(Bias& bias, const at::Tensor& differences);

}  // namespace lw
