#pragma once
/// Base of biases that read the text: their values come from queries, keys or tokens, never from positions alone.

#include "core/api/result.h"
#include "core/position/slots.h"

namespace lw {

class ContentBias : public Bias {
public:
    at::Tensor tile(const TileGeometry& /*geometry*/) final {
        throw Failure(ErrorKind::internal, "a bias that reads the text has no tile from positions alone");
    }
    bool distance_only() const final { return false; }
    bool reads_content() const final { return true; }
};

}  // namespace lw
