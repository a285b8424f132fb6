#include "core/training/adamw.h"

#include <ATen/ATen.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/_foreach_norm.h>
#include <ATen/ops/_fused_adamw.h>
#include <fmt/format.h>

namespace lw {

AdamW::AdamW(std::vector<NamedParameter> parameters, const TrainingSpec& spec) : spec_(spec) {
    TORCH_CHECK(!parameters.empty(), "there is nothing to train");
    updates_ = at::zeros({}, parameters.front().value.options().dtype(at::kFloat).requires_grad(false));
    for (NamedParameter& parameter : parameters) {
        const at::Tensor values = parameter.value.detach();
        slots_.push_back({std::move(parameter), at::zeros_like(values), at::zeros_like(values)});
    }
}

at::Tensor AdamW::clip_gradients() {
    std::vector<at::Tensor> gradients;
    for (const Slot& slot : slots_) {
        if (slot.parameter.value.grad().defined()) gradients.push_back(slot.parameter.value.grad());
    }
    const at::Tensor norm = at::stack(at::_foreach_norm(gradients)).norm();  // []
    // No branch on the norm: it stays on the device, and a factor of 1 changes nothing.
    if (spec_.clip > 0) at::_foreach_mul_(gradients, (spec_.clip / (norm + 1e-6)).clamp_max(1.0));
    return norm;
}

void AdamW::step(double rate) {
    const at::NoGradGuard no_gradient;
    updates_.add_(1);
    update(true, rate);
    update(false, rate);
}

void AdamW::update(bool decays, double rate) {
    std::vector<at::Tensor> values, gradients, first, second;
    for (const Slot& slot : slots_) {
        if (slot.parameter.decays != decays || !slot.parameter.value.grad().defined()) continue;
        values.push_back(slot.parameter.value);
        gradients.push_back(slot.parameter.value.grad());
        first.push_back(slot.first);
        second.push_back(slot.second);
    }
    if (values.empty()) return;
    const std::vector<at::Tensor> updates(values.size(), updates_);
    at::_fused_adamw_(values, gradients, first, second, {}, updates, rate, spec_.beta1, spec_.beta2, decays ? spec_.weight_decay : 0.0, spec_.epsilon,
                      /*amsgrad=*/false, /*maximize=*/false);
}

void AdamW::drop_gradients() {
    for (Slot& slot : slots_) slot.parameter.value.mutable_grad().reset();
}

std::map<std::string, at::Tensor> AdamW::state() const {
    std::map<std::string, at::Tensor> tensors;
    for (const Slot& slot : slots_) {
        tensors["first." + slot.parameter.name] = slot.first.to(at::kCPU);
        tensors["second." + slot.parameter.name] = slot.second.to(at::kCPU);
    }
    tensors["updates"] = updates_.to(at::kCPU);
    return tensors;
}

void AdamW::load_state(const std::map<std::string, at::Tensor>& tensors) {
    const auto take = [&](const std::string& name, at::Tensor& into) {
        const auto found = tensors.find(name);
        if (found == tensors.end() || found->second.sizes() != into.sizes() || found->second.scalar_type() != into.scalar_type()) {
            throw Failure(ErrorKind::corrupt_file, fmt::format("The training state lacks \"{}\" in the right shape: it belongs to another recipe.", name));
        }
        into.copy_(found->second);
    };
    for (Slot& slot : slots_) {
        take("first." + slot.parameter.name, slot.first);
        take("second." + slot.parameter.name, slot.second);
    }
    take("updates", updates_);
}

}  // namespace lw
