#pragma once
/// What a tile knows about positions. Everything is written for "some queries and some keys", never for "T".

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace lw {

/// Positions are float64 tensors on the CPU or the model's device, so that far and fractional ones stay exact.
struct TileGeometry {
    at::Tensor query_positions;       ///< [Tq] float64
    at::Tensor key_positions;         ///< [Tk] float64
    std::int64_t length = 0;          ///< total length of the sequence so far (largest position + 1); for length-dependent methods
    std::int64_t train_length = 0;    ///< L
};

}  // namespace lw
