#pragma once
/// Slot "positions": which number each token gets before anything else looks at it.

#include "core/position/slot_module.h"

namespace lw {

/// What a position map may look at.
struct PositionContext {
    std::int64_t length = 0;        ///< tokens so far
    std::int64_t train_length = 0;  ///< L
    bool training = false;          ///< random maps draw anew each time, from the default generator
    at::Tensor tokens{};            ///< [B, length] int64, every token so far; undefined in previews
    std::int64_t batch = 0;         ///< B, for maps that draw per sequence; 0 = not known, one draw
};

struct MappedPositions {
    at::Tensor absolute;  ///< [T] or [B, T] float64: what the input encoding sees
    at::Tensor relative;  ///< [T] or [B, T] float64: what rotation, distance map and bias see
};

class PositionMap : public SlotModule {
public:
    /// indices [T] float64 = 0 .. T - 1, all tokens so far -> their positions, ascending in relative order. One draw serves the whole
    /// batch ([T]) unless the method needs one per sequence ([B, T]).
    virtual MappedPositions map(const at::Tensor& indices, const PositionContext& context) = 0;
    /// True when map() reads the tokens.
    [[nodiscard]] virtual bool reads_tokens() const { return false; }
};

}  // namespace lw
