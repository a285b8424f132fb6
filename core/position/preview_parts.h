#pragma once
/// The parts of a preview: one query row, the temperature along the text, and maps.

#include "core/position/scheme.h"

namespace lw {

/// A scheme, the layer of it that is shown, and the positions its map gives to every token of the previewed text.
struct PreviewScheme {
    PositionScheme& scheme;
    const PreviewRequest& request;
    MappedPositions positions;  ///< [length] float64 each
    std::int64_t layer = 0;

    [[nodiscard]] const LayerScheme& slots() const { return scheme.layer(layer); }

    /// Queries and keys at these places in the text, [Tq] and [Tk] int64.
    [[nodiscard]] TileGeometry geometry(const at::Tensor& queries, const at::Tensor& keys) const;
};

MappedPositions preview_positions(PositionScheme& scheme, const PreviewRequest& request);

/// f(i, j) of the first head where heads differ, [Tq, Tk] float64: the distance after position and distance maps.
at::Tensor effective_distances(const PreviewScheme& of, const TileGeometry& geometry);
/// [Tq, Tk] bool.
at::Tensor visible_places(const PreviewScheme& of, const TileGeometry& geometry);

/// Curves of the last query: bias, similarity of the rotation, input encoding, effective distance, visibility.
void preview_row(const PreviewScheme& of, EncodingPreview& preview);
/// The temperature's factor at every sampled query position.
void preview_factors(const PreviewScheme& of, EncodingPreview& preview);
/// Distance, visibility and cosine maps over the whole text.
void preview_maps(const PreviewScheme& of, EncodingPreview& preview);

}  // namespace lw
