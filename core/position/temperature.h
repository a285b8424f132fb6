#pragma once
/// Slot "temperature": factors on the scores of a row that depend on how far into the text it stands.

#include "core/position/slot_module.h"

namespace lw {

class Temperature : public SlotModule {
public:
    /// τ on the content scores of each query row, [Tq] or [H, Tq] float64; folded into rotated queries before the
    /// product, or applied to content where the tile rotates. Undefined = none.
    virtual at::Tensor content_factor(const TileGeometry& /*geometry*/) { return {}; }
    /// True when apply() changes whole logits.
    [[nodiscard]] virtual bool changes_logit() const { return false; }
    /// logit [B, H, r, c] = content + bias + adaptive, not masked -> the same with the method's factor (and shift).
    virtual at::Tensor apply(const at::Tensor& logit, const TileGeometry& /*geometry*/) { return logit; }
};

}  // namespace lw
