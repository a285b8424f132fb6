#pragma once
/// A map of the model while it is trained.

#include "core/api/runs.h"
#include "core/model/transformer.h"

#include <optional>

namespace lw {

/// The asked part of one head on one sequence, tokens [1, T]. Nothing where layer or head do not exist.
std::optional<MapTile> live_map_tile(Transformer& model, const at::Tensor& tokens, const LiveMapRequest& request);

}  // namespace lw
