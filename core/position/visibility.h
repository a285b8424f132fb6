#pragma once
/// Slot "visibility": which keys a query may read. Without an entry: all keys up to its own (causal).

#include "core/position/slot_module.h"

namespace lw {

class Visibility : public SlotModule {
public:
    /// [Tq, Tk] bool by places in the text (geometry.query_places(), key_places()). Every query must see at least one key.
    virtual at::Tensor visible(const TileGeometry& geometry) const = 0;
    /// True where queries read keys after their own (an encoder).
    [[nodiscard]] virtual bool sees_future() const { return false; }
};

}  // namespace lw
