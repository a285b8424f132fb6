#pragma once
/// A scheme put together: model-level slots (input, rotation, frequency) and per-layer ones (bias, adaptive).

#include "core/api/scheme.h"
#include "core/position/slots.h"

namespace lw {

/// The slots of one attention layer. Absent slots are null; what has no parameters of its own is shared by all layers.
struct LayerScheme {
    std::shared_ptr<Bias> bias;
    std::shared_ptr<Adaptive> adaptive;
    std::shared_ptr<Rotation> rotation{};
    std::shared_ptr<FrequencyScaling> frequency{};
    std::shared_ptr<DistanceMap> distance{};
    std::shared_ptr<Temperature> temperature{};
    std::shared_ptr<Visibility> visibility{};
    std::shared_ptr<Normaliser> normaliser{};

    /// Frequencies in force at this length. Only with a rotation.
    [[nodiscard]] Frequencies frequencies(std::int64_t length, std::int64_t train_length) const;
    /// x [B, H, T, d] turned by positions as Rotation::rotate() takes them; unchanged without a rotation.
    [[nodiscard]] at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, std::int64_t length, std::int64_t train_length, Side side) const;
    /// True where scores need plain queries and keys: turn and row temperature then happen inside a tile, and the cache keeps plain keys.
    [[nodiscard]] bool rotates_in_tile() const;
    /// What is kept per token beside its key, from the layer's normed input [B, T, E] -> [B, S, T, n]; undefined for nothing.
    [[nodiscard]] at::Tensor token_state(const at::Tensor& normed) const;
    /// "" when scores are content + static bias + adaptive under a causal softmax, else what stands in the way of a fast path.
    [[nodiscard]] std::string beyond_fast_paths() const;
};

/// A module that owns every slot's module of a model; its state dict names are
/// "<slot>.*" (shared by all layers) or "layers.<n>.<slot>.*".
class PositionScheme : public torch::nn::Module {
public:
    /// `spec` must have passed check_scheme(). Throws Failure(invalid_argument) where shapes do not fit (odd head width with a rotation).
    /// Learned parameters are drawn from the process's default generator: callers seed it inside their own scope.
    PositionScheme(const SchemeSpec& spec, const SlotShape& shape, std::int64_t layers);

    /// Before every pass of a model: see FrequencyScaling::begin_pass().
    void begin_pass();
    /// Positions of all tokens so far, indices [T] float64 = 0 .. T - 1.
    MappedPositions map_positions(const at::Tensor& indices, const PositionContext& context);
    /// embedded [B, T, E] with the input encoding applied; unchanged without one. positions [T] or [B, T], tokens [B, T].
    at::Tensor apply_input(const at::Tensor& embedded, const at::Tensor& positions, const at::Tensor& tokens);
    /// True when what was computed for earlier tokens changes between these two lengths: a cache must then be filled again.
    [[nodiscard]] bool changes_between(std::int64_t length, std::int64_t longer) const;
    [[nodiscard]] bool has_rotation() const { return layers_.at(0).rotation != nullptr; }
    [[nodiscard]] const LayerScheme& layer(std::int64_t index) const { return layers_.at(static_cast<std::size_t>(index)); }
    [[nodiscard]] const SchemeSpec& spec() const { return spec_; }
    [[nodiscard]] std::int64_t train_length() const { return shape_.train_length; }
    [[nodiscard]] const std::shared_ptr<PositionMap>& positions() const { return positions_; }
    [[nodiscard]] const std::shared_ptr<InputEncoding>& input() const { return input_; }
    [[nodiscard]] const std::shared_ptr<Rotation>& rotation() const { return layers_.at(0).rotation; }
    [[nodiscard]] const std::shared_ptr<FrequencyScaling>& frequency() const { return layers_.at(0).frequency; }
    /// Frequencies in force at this length. Only with a rotation.
    [[nodiscard]] Frequencies frequencies(std::int64_t length) const { return layers_.at(0).frequencies(length, shape_.train_length); }

private:
    void add_layer(std::int64_t index, torch::nn::Module& holder);

    SchemeSpec spec_;
    SlotShape shape_;
    std::shared_ptr<PositionMap> positions_;
    std::shared_ptr<InputEncoding> input_;
    std::vector<LayerScheme> layers_;
};

}  // namespace lw
