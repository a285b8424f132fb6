#pragma once
/// Slots "rotation" and "frequency".

#include "core/position/slot_module.h"

#include <vector>

namespace lw {

/// Inverse frequencies in double and the factor on cos and sin.
struct Frequencies {
    std::vector<double> inverse;   ///< θ, [d/2], radians per token
    double attention_factor = 1;
    at::Tensor learned{};          ///< the same θ as a float64 tensor with a gradient, where training changes them (CLEX); else undefined

    /// θ as a float64 tensor on the device.
    [[nodiscard]] at::Tensor theta(at::Device device) const;
};

/// slot "frequency": changes a rotation's frequencies. Pure function of (θ, base, d, length, L). One module serves all layers, also
/// where it learns.
class FrequencyScaling : public SlotModule {
public:
    virtual Frequencies scale(const std::vector<double>& inverse, double base, std::int64_t length, std::int64_t train_length) const = 0;
    /// Called before every pass of a model: what must be the same for all layers, queries and keys of the pass is drawn here, from the
    /// default generator (CLEX's scale in training).
    virtual void begin_pass(bool /*training*/) {}
};

/// Which side of the product is turned: xPos and PoPE treat queries and keys differently.
enum class Side { query, key };

/// slot "rotation". Entries with learned parameters are made once per layer, others once per model.
class Rotation : public SlotModule {
public:
    /// Plain θ, before any frequency scaling; empty where the rotation has no fixed frequencies (PaTH).
    virtual std::vector<double> inverse_frequencies() const = 0;
    virtual double base() const = 0;
    /// x [B, H, T, d] turned by positions [T], [B, 1, T] or [1, H, T] float64 with the given frequencies -> [B, H, T, d'] (d' = d
    /// but for PoPE, which doubles it); angles built in float64.
    virtual at::Tensor rotate(const at::Tensor& x, const at::Tensor& positions, const Frequencies& frequencies, Side side) const = 0;

    /// Factor per token of distance on each pair's part of the scores, [d/2]; empty where there is none (all but xPos).
    virtual std::vector<double> decay() const { return {}; }

    /// True when the turn depends on the text: scores() then takes the place of rotate(), and the cache keeps plain keys.
    virtual bool reads_state() const { return false; }
    /// What is kept per token, from the layer's normed input [B, T, E] -> [B, S, T, n].
    virtual at::Tensor token_state(const at::Tensor& /*normed*/) { return {}; }
    /// Scaled scores [B, H, r, c] of queries q [B, H, r, d] (the first is key number `first_row`) and all keys k [B, Hkv, c, d] from
    /// the first on, at least to the last query's own; state [B, S, c, n].
    virtual at::Tensor scores(const at::Tensor& /*q*/, const at::Tensor& /*k*/, const at::Tensor& /*state*/, std::int64_t /*first_row*/,
                              double /*scale*/) {
        return {};
    }
};

}  // namespace lw
