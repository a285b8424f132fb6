#pragma once
/// The MapSession behind open_maps: a text run through a model once, its layers' scores kept as q, k and log-normalisers.

#include "core/api/maps.h"
#include "core/attention/part_tile.h"
#include "core/lab/load_model.h"

namespace lw {

/// How a head's row is read for its measures: rows of one sequence, all heads of a layer.
struct HeadRows {
    std::vector<std::vector<double>> measured;  ///< [H][i + 1], indexed by distance
    std::vector<RowProfile> rows;               ///< [H]
};

class ModelMapSession : public MapSession {
public:
    ModelMapSession(const LoadedModel& loaded, TokenText text);

    [[nodiscard]] const MapsInfo& info() const override { return info_; }
    Result<std::vector<MapTile>> tiles(const TileRequest& request, const RunContext& context) override;
    Result<std::vector<RowProfile>> rows(std::int64_t layer, std::int64_t query) override;
    Result<CellArithmetic> cell(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) override;
    Result<std::vector<HeadMeasures>> measures(const MeasureRequest& request, const RunContext& context) override;

    /// The rows from which a layer's heads are measured. `query` is resolved. Throws Failure.
    HeadRows head_rows(std::int64_t layer, std::int64_t query, ScorePart of) const;
    /// -1 = last; checked.
    [[nodiscard]] std::int64_t resolve_query(std::int64_t query) const;

private:
    [[nodiscard]] LayerScores scores(std::int64_t layer) const;
    std::vector<RowProfile> row_profiles(std::int64_t layer, std::int64_t query) const;
    CellArithmetic cell_arithmetic(std::int64_t layer, std::int64_t head, std::int64_t query, std::int64_t key) const;
    void check(const TileRequest& request) const;
    void check_head(std::int64_t layer, std::int64_t head) const;

    MapsInfo info_;
    std::shared_ptr<Transformer> model_;
    std::vector<LayerCapture> captured_;
};

/// Measures of every head from the rows of one or several sequences.
std::vector<HeadMeasures> measure_sessions(const std::vector<std::shared_ptr<ModelMapSession>>& sessions, const MeasureRequest& request,
                                           const RunContext& context);

}  // namespace lw
