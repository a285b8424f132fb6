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

/// One sequence's positions are a plain list: [1, T] -> [T].
at::Tensor for_one(const at::Tensor& positions) { return positions.dim() == 2 && positions.size(0) == 1 ? positions.squeeze(0) : positions; }

bool shares(const SlotModule& module) { return module.parameters().empty(); }
bool shares(const FrequencyScaling& /*frequency*/) { return true; }
bool shares(const Bias& bias) { return bias.shared_by_layers(); }

/// Makes a slot's module for one layer, or hands on the first layer's where all layers share it.
template <class Slot>
std::shared_ptr<Slot> placed(const SchemeSpec& scheme, const std::string& slot, const SlotShape& shape, const std::shared_ptr<Slot>& first,
                             torch::nn::Module& whole, torch::nn::Module& layer) {
    if (first && shares(*first)) return first;
    const auto module = made<Slot>(scheme, slot, shape);
    if (module) (shares(*module) ? whole : layer).register_module(slot, module);
    return module;
}

}  // namespace

Frequencies LayerScheme::frequencies(std::int64_t length, std::int64_t train_length) const {
    if (!rotation) throw Failure(ErrorKind::internal, "a scheme without rotation has no frequencies");
    Frequencies plain{rotation->inverse_frequencies(), 1};
    if (frequency) plain = frequency->scale(plain.inverse, rotation->base(), length, train_length);
    return distance ? distance->adjusted(plain, length, train_length) : plain;
}

at::Tensor LayerScheme::rotate(const at::Tensor& x, const at::Tensor& positions, std::int64_t length, std::int64_t train_length, Side side) const {
    return rotation ? rotation->rotate(x, positions, frequencies(length, train_length), side) : x;
}

bool LayerScheme::rotates_in_tile() const {
    if (bias && bias->reads_content()) return true;
    return rotation && (distance || rotation->reads_state());
}

at::Tensor LayerScheme::token_state(const at::Tensor& normed) const {
    if (rotation && rotation->reads_state()) return rotation->token_state(normed);
    return bias && bias->reads_content() ? bias->token_state(normed) : at::Tensor();
}

std::string LayerScheme::beyond_fast_paths() const {
    if (distance) return "a distance map changes the scores cell by cell";
    if (bias && bias->reads_content()) return "the bias reads the text";
    if (rotation && rotation->reads_state()) return "the rotation reads the text";
    if (visibility) return "keys are hidden by a pattern";
    if (normaliser) return "weights are no softmax";
    if (temperature && temperature->changes_logit()) return "a temperature acts on whole scores";
    return "";
}

PositionScheme::PositionScheme(const SchemeSpec& spec, const SlotShape& shape, std::int64_t layers)
    : spec_(checked_scheme(spec)), shape_(shape) {
    shape_.has_bias = spec_.slots.count("bias") != 0;
    positions_ = made<PositionMap>(spec_, "positions", shape_);
    input_ = made<InputEncoding>(spec_, "input", shape_);
    if (positions_) register_module("positions", positions_);
    if (input_) register_module("input", input_);
    const auto holder = register_module("layers", std::make_shared<torch::nn::Module>("layers"));
    for (std::int64_t index = 0; index < layers; ++index) add_layer(index, *holder);
}

void PositionScheme::add_layer(std::int64_t index, torch::nn::Module& holder) {
    SlotShape shape = shape_;
    shape.layer = index;
    const auto module = holder.register_module(std::to_string(index), std::make_shared<torch::nn::Module>("layer"));
    const LayerScheme first = layers_.empty() ? LayerScheme{} : layers_.front();
    LayerScheme layer;
    layer.rotation = placed(spec_, "rotation", shape, first.rotation, *this, *module);
    if (layer.rotation) shape.pairs = static_cast<std::int64_t>(layer.rotation->inverse_frequencies().size());
    layer.frequency = placed(spec_, "frequency", shape, first.frequency, *this, *module);
    layer.distance = placed(spec_, "distance", shape, first.distance, *this, *module);
    layer.bias = placed(spec_, "bias", shape, first.bias, *this, *module);
    layer.adaptive = placed(spec_, "adaptive", shape, first.adaptive, *this, *module);
    layer.temperature = placed(spec_, "temperature", shape, first.temperature, *this, *module);
    layer.visibility = placed(spec_, "visibility", shape, first.visibility, *this, *module);
    layer.normaliser = placed(spec_, "normaliser", shape, first.normaliser, *this, *module);
    layers_.push_back(std::move(layer));
}

MappedPositions PositionScheme::map_positions(const at::Tensor& indices, const PositionContext& context) {
    if (!positions_) return {indices, indices};
    const auto mapped = positions_->map(indices, context);
    return {for_one(mapped.absolute), for_one(mapped.relative)};
}

void PositionScheme::begin_pass() {
    if (const auto& scaling = layers_.at(0).frequency) scaling->begin_pass(scaling->is_training());
}

at::Tensor PositionScheme::apply_input(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& tokens) {
    return input_ ? input_->apply(embedded, positions, tokens) : embedded;
}

bool PositionScheme::changes_between(std::int64_t length, std::int64_t longer) const {
    const LayerScheme& first = layers_.at(0);
    const std::initializer_list<const SlotModule*> others{positions_.get(), input_.get(), first.distance.get(), first.bias.get(), first.adaptive.get(),
                                                          first.temperature.get(), first.visibility.get(), first.normaliser.get()};
    for (const auto* slot : others) {
        if (slot != nullptr && slot->length_dependent()) return true;
    }
    if (!first.rotation || (!first.frequency && !first.distance)) return false;
    const auto before = frequencies(length), after = frequencies(longer);
    return before.inverse != after.inverse || before.attention_factor != after.attention_factor;
}

}  // namespace lw
