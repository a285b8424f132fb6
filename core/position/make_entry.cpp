#include "core/position/make_entry.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

Params complete_params(const Entry& entry, const Params& given) {
    auto checked = checked_params(entry.info, given);
    if (entry.check != nullptr) entry.check(checked);
    return checked;
}

namespace {

/// "Dape" for "lw::(anonymous namespace)::Dape".
std::string plain_name(const torch::nn::Module& module) {
    const auto name = module.name();
    const auto end = name.rfind("::");
    return end == std::string::npos ? name : name.substr(end + 2);
}

}  // namespace

void set_parameter(torch::nn::Module& module, const std::string& name, const at::Tensor& value) {
    auto parameters = module.named_parameters();
    auto* parameter = parameters.find(name);
    if (parameter == nullptr) throw Failure(ErrorKind::invalid_argument, fmt::format("{} has no parameter \"{}\".", plain_name(module), name));
    if (parameter->numel() != value.numel()) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("{} numbers are given for \"{}\" of {}, which has {}.", value.numel(), name, plain_name(module), parameter->numel()));
    }
    const at::NoGradGuard no_grad;
    parameter->copy_(value.to(parameter->scalar_type()).reshape(parameter->sizes()));
}

}  // namespace lw
