#include "core/training/parameter_groups.h"

#include "core/model/layers.h"

#include <set>

namespace lw {

namespace {

std::set<const at::TensorImpl*> norm_parameters(const torch::nn::Module& model) {
    std::set<const at::TensorImpl*> found;
    for (const auto& module : model.modules(false)) {
        if (dynamic_cast<const Norm*>(module.get()) == nullptr) continue;
        for (const at::Tensor& parameter : module->parameters(false)) found.insert(parameter.unsafeGetTensorImpl());
    }
    return found;
}

std::string own_name(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? path : path.substr(dot + 1);
}

}  // namespace

std::vector<NamedParameter> trainable_parameters(torch::nn::Module& model) {
    const std::set<const at::TensorImpl*> norms = norm_parameters(model);
    std::set<const at::TensorImpl*> seen;  // a module registered in several places is one module
    std::vector<NamedParameter> parameters;
    for (const auto& item : model.named_parameters()) {
        if (!item.value().requires_grad() || !seen.insert(item.value().unsafeGetTensorImpl()).second) continue;
        const bool spared = own_name(item.key()) == "bias" || norms.contains(item.value().unsafeGetTensorImpl());
        parameters.push_back({item.key(), item.value(), !spared});
    }
    return parameters;
}

}  // namespace lw
