#pragma once
/// AdamW: Adam with decoupled weight decay. Loshchilov & Hutter 2019, "Decoupled Weight Decay Regularization".
///
///     θ ← θ − η λ θ
///     m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²
///     θ ← θ − η (m / (1 − β₁ᵗ)) / (√(v / (1 − β₂ᵗ)) + ε)

#include "core/api/recipe.h"
#include "core/training/parameter_groups.h"

#include <map>

namespace lw {

class AdamW {
public:
    AdamW(std::vector<NamedParameter> parameters, const TrainingSpec& spec);

    /// Global norm over all gradients, a tensor of one value on the parameters' device; scales them down to `clip` (0 = off).
    at::Tensor clip_gradients();
    /// One update with learning rate η; parameters without a gradient stay as they are.
    void step(double rate);
    void drop_gradients();

    /// Moments by name ("first.<parameter>", "second.<parameter>") and the count of updates ("updates"), on the CPU.
    [[nodiscard]] std::map<std::string, at::Tensor> state() const;
    /// Throws Failure(corrupt_file) where a tensor is missing or misshapen.
    void load_state(const std::map<std::string, at::Tensor>& tensors);

private:
    struct Slot {
        NamedParameter parameter;
        at::Tensor first, second;  // m and v, shaped as the parameter
    };
    void update(bool decays, double rate);

    std::vector<Slot> slots_;
    TrainingSpec spec_;
    at::Tensor updates_;  // t, one float on the parameters' device
};

}  // namespace lw
