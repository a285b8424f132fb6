#pragma once
/// The MapSession behind open_maps: a text run through a model once, its layers' scores kept as q, k and log-normalisers.

#include "core/api/maps.h"
#include "core/attention/part_tile.h"
#include "core/lab/load_model.h"
#include "core/lab/tile_cache.h"
#include "core/lab/tile_grid.h"

namespace lw {

/// How a head's row is read for its measures: rows of one sequence, all heads of a layer.
struct HeadRows {
    std::vector<std::vector<double>> measured;  ///< [H][i + 1], indexed by distance
    std::vector<RowProfile> rows;               ///< [H]
};

class ModelMapSession : public MapSession {
public:
    ModelMapSession(const LoadedModel& loaded, TokenText text, std::int64_t tile_bytes = -1);

    [[nodiscard]] const MapsInfo& info() const override { return info_; }
    Result<std::vector<MapTile>> tiles(const TileRequest& request, const RunContext& context) override;
    Status view(const TileRequest& request, const PictureSink& sink, const RunContext& context) override;
    std::optional<std::vector<MapTile>> finished_view(const TileRequest& request) const override;
    TileUse tile_use() const override { return tiles_.use(); }
    void set_tile_budget(std::int64_t bytes) override { tiles_.set_budget(bytes); }
    Result<std::vector<RowProfile>> rows(std::int64_t layer, std::int64_t query) override;
    Result<CellArithmetic> cell(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) override;
    Result<std::vector<HeadMeasures>> measures(const MeasureRequest& request, const RunContext& context) override;

    /// The rows from which a layer's heads are measured. `query` is resolved. Throws Failure.
    HeadRows head_rows(std::int64_t layer, std::int64_t query, ScorePart of) const;
    /// -1 = last; checked.
    [[nodiscard]] std::int64_t resolve_query(std::int64_t query) const;
    /// q, k and log-normalisers of a layer that is there.
    [[nodiscard]] LayerScores scores(std::int64_t layer) const;

private:
    /// What a layer's terms mean for tiles, known from the start so that any thread may ask.
    struct LayerTraits {
        bool causal = true, whole_rows = false, whole_rows_for_weights = false;
    };
    [[nodiscard]] TileGrid grid_of(const TileRequest& request) const;
    [[nodiscard]] std::vector<TilePlace> places_of(const TileRequest& request, const TileGrid& grid) const;
    void note_traits();
    std::vector<RowProfile> row_profiles(std::int64_t layer, std::int64_t query) const;
    CellArithmetic cell_arithmetic(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) const;
    void check_part(ScorePart part) const;
    void check(const TileRequest& request) const;
    void check_head(std::int64_t layer, std::int64_t head) const;

    MapsInfo info_;
    std::shared_ptr<Transformer> model_;
    std::vector<LayerCapture> captured_;
    std::vector<LayerTraits> traits_;
    mutable std::vector<std::shared_ptr<const TileReader>> readers_;  // made when a layer is first looked at
    mutable std::vector<char> reader_made_;
    mutable TileCache tiles_;  // has its own lock
};

/// What heads are measured on: the part asked for, but content where bias + adaptive was asked of a scheme with neither (RoPE, NoPE).
/// Throws Failure(invalid_argument) for another part that the scheme lacks.
ScorePart measured_part(const MapsInfo& info, ScorePart asked);

/// Measures of every head from the rows of one or several sequences.
std::vector<HeadMeasures> measure_sessions(const std::vector<std::shared_ptr<ModelMapSession>>& sessions, const MeasureRequest& request,
                                           const RunContext& context);

}  // namespace lw
