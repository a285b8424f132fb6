#pragma once
/// A scheme put together: model-level slots (input, rotation, frequency) and per-layer ones (bias, adaptive).

#include "core/api/scheme.h"
#include "core/position/slots.h"

namespace lw {

/// The slots of one attention layer. Absent slots are null.
struct LayerScheme {
    std::shared_ptr<Bias> bias;          // may be shared by all layers
    std::shared_ptr<Adaptive> adaptive;
};

/// A module that owns every slot's module of a model; its state dict names are
/// "input.*", "rotation.*", "bias.*" (shared) or "layers.<n>.bias.*", "layers.<n>.adaptive.*".
class PositionScheme : public torch::nn::Module {
public:
    /// `spec` must have passed check_scheme(). Throws Failure(invalid_argument) where shapes do not fit (odd head width with a rotation).
    /// Learned parameters are drawn from the process's default generator: callers seed it inside their own scope.
    PositionScheme(const SchemeSpec& spec, const SlotShape& shape, std::int64_t layers);

    /// embedded [B, T, E] with the input encoding applied; unchanged without one.
    at::Tensor apply_input(const at::Tensor& embedded, const at::Tensor& positions);
    /// x [B, H, T, d] rotated; unchanged without a rotation. `length` matters for length-dependent frequencies only.
    at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, std::int64_t length);
    /// True when cached keys must be kept un-rotated.
    [[nodiscard]] bool rotation_depends_on_length() const;
    [[nodiscard]] bool has_rotation() const { return rotation_ != nullptr; }
    [[nodiscard]] const LayerScheme& layer(std::int64_t index) const { return layers_.at(static_cast<std::size_t>(index)); }
    [[nodiscard]] const SchemeSpec& spec() const { return spec_; }
    [[nodiscard]] std::int64_t train_length() const { return shape_.train_length; }
    [[nodiscard]] const std::shared_ptr<InputEncoding>& input() const { return input_; }
    [[nodiscard]] const std::shared_ptr<Rotation>& rotation() const { return rotation_; }
    [[nodiscard]] const std::shared_ptr<FrequencyScaling>& frequency() const { return frequency_; }
    /// Frequencies in force at this length. Only with a rotation.
    [[nodiscard]] Frequencies frequencies(std::int64_t length) const;

private:
    SchemeSpec spec_;
    SlotShape shape_;
    std::shared_ptr<InputEncoding> input_;
    std::shared_ptr<Rotation> rotation_;
    std::shared_ptr<FrequencyScaling> frequency_;
    std::vector<LayerScheme> layers_;
};

}  // namespace lw
