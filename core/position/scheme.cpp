#include "core/position/scheme.h"

#include "core/position/catalogue.h"

#include <fmt/format.h>

namespace lw {

namespace {

template <class Slot>
std::shared_ptr<Slot> made(const SchemeSpec& scheme, const std::string& slot, const SlotShape& shape) {
    const auto found = scheme.slots.find(slot);
    if (found == scheme.slots.end()) return nullptr;
    const Entry& entry = find_entry(slot, found->second.id);
    return std::get<Make<Slot>>(entry.make)(found->second.params, shape);
}

}  // namespace

PositionScheme::PositionScheme(const SchemeSpec& spec, const SlotShape& shape, std::int64_t layers)
    : spec_(checked_scheme(spec)), shape_(shape) {
    input_ = made<InputEncoding>(spec_, "input", shape_);
    rotation_ = made<Rotation>(spec_, "rotation", shape_);
    frequency_ = made<FrequencyScaling>(spec_, "frequency", shape_);
    if (input_) register_module("input", input_);
    if (rotation_) register_module("rotation", rotation_);
    if (frequency_) register_module("frequency", frequency_);
    shape_.has_bias = spec_.slots.count("bias") != 0;

    const auto holder = register_module("layers", std::make_shared<torch::nn::Module>("layers"));
    std::shared_ptr<Bias> shared;
    for (std::int64_t index = 0; index < layers; ++index) {
        SlotShape layer_shape = shape_;
        layer_shape.layer = index;
        const auto module = holder->register_module(std::to_string(index), std::make_shared<torch::nn::Module>("layer"));
        LayerScheme layer;
        layer.bias = shared ? shared : made<Bias>(spec_, "bias", layer_shape);
        if (layer.bias && layer.bias->shared_by_layers()) {
            if (!shared) register_module("bias", layer.bias);
            shared = layer.bias;
        } else if (layer.bias) {
            module->register_module("bias", layer.bias);
        }
        layer.adaptive = made<Adaptive>(spec_, "adaptive", layer_shape);
        if (layer.adaptive) module->register_module("adaptive", layer.adaptive);
        layers_.push_back(std::move(layer));
    }
}

at::Tensor PositionScheme::apply_input(const at::Tensor& embedded, const at::Tensor& positions) {
    return input_ ? input_->apply(embedded, positions) : embedded;
}

at::Tensor PositionScheme::rotate(const at::Tensor& x, const at::Tensor& positions, std::int64_t length) {
    return rotation_ ? rotation_->rotate(x, positions, frequencies(length)) : x;
}

bool PositionScheme::rotation_depends_on_length() const { return frequency_ && frequency_->length_dependent(); }

Frequencies PositionScheme::frequencies(std::int64_t length) const {
    if (!rotation_) throw Failure(ErrorKind::internal, "a scheme without rotation has no frequencies");
    Frequencies plain{rotation_->inverse_frequencies(), 1};
    return frequency_ ? frequency_->scale(plain.inverse, rotation_->base(), length, shape_.train_length) : plain;
}

}  // namespace lw
