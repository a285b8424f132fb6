#pragma once
/// One entry's module on its own, outside a scheme.

#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"

namespace lw {

/// Defaults filled in, bounds and the entry's own rules checked. Throws Failure(invalid_argument).
Params complete_params(const Entry& entry, const Params& given);

/// A module in float64 from checked parameters, with learned values drawn from `seed`.
template <class Slot>
std::shared_ptr<Slot> make_entry(const std::string& slot, const std::string& id, const Params& params, const SlotShape& shape,
                                 std::uint64_t seed = 1) {
    const Entry& entry = find_entry(slot, id);
    const GeneratorScope generator(seed);
    auto module = std::get<Make<Slot>>(entry.make)(complete_params(entry, params), shape);
    module->to(at::kDouble);
    return module;
}

/// Overwrites a parameter ("first.weight") in place, whatever shape the numbers come in. Throws Failure(invalid_argument) when the
/// module has none of that name, or one of another size.
void set_parameter(torch::nn::Module& module, const std::string& name, const at::Tensor& value);

}  // namespace lw
