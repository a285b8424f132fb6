#pragma once
/// What a tile knows about positions. Everything is written for "some queries and some keys", never for "T".

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace lw {

/// Positions that rise by 1 from these on. Whoever knows so need not read them back, which on a GPU waits for all work before.
struct UnitSteps {
    double first_query = 0, first_key = 0;
};

/// Positions are float64 tensors on the CPU or the model's device, so that far and fractional ones stay exact.
struct TileGeometry {
    at::Tensor query_positions;       ///< [Tq] float64
    at::Tensor key_positions;         ///< [Tk] float64
    std::int64_t length = 0;          ///< total length of the sequence so far (largest position + 1); for length-dependent methods
    std::int64_t train_length = 0;    ///< L
    /// For terms that read neighbouring keys (DAPE v2): false = keys past the tile's last one count as masked keys, so that a row
    /// does not depend on whether text follows (cached decoding equals the full pass); true = nothing is there, hidden values
    /// are padded with zeros as in one pass of the published code. The two differ in the last k/2 columns only.
    bool sequence_ends = false;
    at::Tensor query_indices{};  ///< [Tq] float64, places in the text; undefined where they are the positions (no position map)
    at::Tensor key_indices{};    ///< [Tk] float64
    std::optional<UnitSteps> unit_steps{};  ///< set where that is known of query_positions and key_positions

    /// Places in the text, whatever a position map made of them: masks and row temperatures go by these.
    [[nodiscard]] const at::Tensor& query_places() const { return query_indices.defined() ? query_indices : query_positions; }
    [[nodiscard]] const at::Tensor& key_places() const { return key_indices.defined() ? key_indices : key_positions; }
};

}  // namespace lw
