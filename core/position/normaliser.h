#pragma once
/// Slot "normaliser": from masked logits to weights. Without an entry: softmax.

#include "core/position/slot_module.h"

namespace lw {

class Normaliser : public SlotModule {
public:
    /// logit [B, H, r, c] with -inf at hidden cells, the whole row (columns from the first key on) -> weights [B, H, r, c], each row's
    /// sum at most 1. geometry holds the rows' and columns' positions.
    virtual at::Tensor weights(const at::Tensor& logit, const TileGeometry& geometry) = 0;
    /// n with weight = exp(logit - n), [B, H, r]; undefined where weights are not of that form (stick-breaking).
    virtual at::Tensor log_normaliser(const at::Tensor& logit) = 0;
    /// False where a cell's weight depends on more of its row than n: maps then compute whole rows.
    [[nodiscard]] virtual bool has_log_normaliser() const { return true; }
};

}  // namespace lw
