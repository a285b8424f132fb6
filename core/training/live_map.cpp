#include "core/training/live_map.h"

#include "core/attention/part_tile.h"

#include <ATen/ATen.h>

namespace lw {

namespace {

TileRequest whole_map(const LiveMapRequest& request, std::int64_t length) {
    TileRequest tile;
    tile.layer = request.layer;
    tile.head = request.head;
    tile.part = request.part;
    tile.queries = {0, length};
    tile.keys = {0, length};
    return tile;
}

}  // namespace

std::optional<MapTile> live_map_tile(Transformer& model, const at::Tensor& tokens, const LiveMapRequest& request) {
    const ModelSpec& spec = model.spec();
    if (request.layer < 0 || request.layer >= spec.layers || request.head < 0 || request.head >= spec.heads) return std::nullopt;
    const at::NoGradGuard no_gradient;
    std::vector<LayerCapture> captured;
    ForwardOptions options;
    options.capture = &captured;
    options.last_rows = 1;  // the logits are not wanted
    (void)model.forward(tokens, options);
    const LayerCapture& capture = captured.at(static_cast<std::size_t>(request.layer));
    const std::int64_t length = tokens.size(1);
    const LayerScores scores = scores_of(model.scheme()->layer(request.layer), capture.inputs, capture.log_normaliser);
    const TileRequest tile_request = whole_map(request, length);
    const at::Tensor pixels = part_tile(scores, tile_request, [] {}).select(0, request.head).to(at::kCPU, at::kFloat).contiguous();  // [rows, columns]
    MapTile tile;
    tile.layer = request.layer;
    tile.head = request.head;
    tile.part = request.part;
    tile.queries = tile_request.queries;
    tile.keys = tile_request.keys;
    tile.rows = pixels.size(0);
    tile.columns = pixels.size(1);
    tile.values.assign(pixels.const_data_ptr<float>(), pixels.const_data_ptr<float>() + pixels.numel());
    tile.reducer = tile_request.reducer;
    tile.cells_per_row = static_cast<double>(cells_per_pixel(length, tile_request.max_rows));
    tile.cells_per_column = static_cast<double>(cells_per_pixel(length, tile_request.max_columns));
    return tile;
}

}  // namespace lw
