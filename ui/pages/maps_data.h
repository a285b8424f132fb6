#pragma once
/// What the Maps page shows, read on the compute thread as plain values.

#include "core/api/maps.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/profile_painter.h"

#include <QStringList>

#include <functional>
#include <map>

namespace lw::ui {

using HeadKey = std::pair<std::int64_t, std::int64_t>;  ///< layer, head

/// One head's map: whose, of which part, how reduced.
struct MapTarget {
    std::shared_ptr<lw::MapSession> session;
    std::int64_t length = 0;                ///< tokens, so that nobody asks the session on the window thread
    std::int64_t layer = 0, head = 0;
    lw::ScorePart part = lw::ScorePart::probability;
    lw::Reducer reducer = lw::Reducer::signed_max_abs;
    std::vector<lw::ScorePart> signedParts;  ///< parts that share one colour scale
    [[nodiscard]] bool sameHead(const MapTarget& other) const { return session == other.session && layer == other.layer && head == other.head && length == other.length; }
    [[nodiscard]] bool same(const MapTarget& other) const { return sameHead(other) && part == other.part && reducer == other.reducer; }
};

/// The whole map, quickly and coarsely, and how large the values of the head's signed parts are.
struct MapOverview {
    lw::MapTile tile;
    std::vector<ValueSpread> spreads;
};
[[nodiscard]] lw::Result<MapOverview> loadOverview(const MapTarget& target, bool withSpreads, const lw::RunContext& context);
/// What is seen, at most so many pixels.
[[nodiscard]] lw::TileRequest detailRequest(const MapTarget& target, lw::CellRange queries, lw::CellRange keys, std::int64_t rows, std::int64_t columns);
/// Its exact picture; `better` is shown those that come before it.
[[nodiscard]] lw::Result<lw::MapTile> loadDetail(const MapTarget& target, const lw::TileRequest& request, const std::function<void(lw::MapTile)>& better,
                                                 const lw::RunContext& context);
/// The same where all of it is kept already; on the window thread, since finished tiles may be read from anywhere.
[[nodiscard]] std::optional<lw::MapTile> finishedDetail(const MapTarget& target, const lw::TileRequest& request);

/// The parts of a scheme that are measured in nats and therefore share limits.
[[nodiscard]] std::vector<lw::ScorePart> signedParts(const std::vector<lw::ScorePart>& parts);
/// The asked part if the scheme has it, else the nearest one that says where the scheme acts.
[[nodiscard]] lw::ScorePart availablePart(lw::ScorePart wanted, const std::vector<lw::ScorePart>& parts);

/// A picture of a whole head, masked everywhere, that bands of rows are put into.
[[nodiscard]] lw::MapTile emptyPicture(const lw::MapTile& like, std::int64_t length, std::int64_t rows, double cells);
/// Puts rows of pixels of the same keys at their place. Where two fall on one row, the larger magnitude stays.
void addBand(lw::MapTile& whole, const lw::MapTile& band);

/// Limits shared by all thumbnails: what three quarters of the heads stay within.
[[nodiscard]] ColourScale thumbnailScale(const std::map<HeadKey, lw::MapTile>& tiles, lw::ScorePart part, bool logarithmic);
/// Heads whose pictures are most alike, by correlation over the cells that both have.
struct SimilarHead {
    HeadKey head;
    double correlation = 0;
};
[[nodiscard]] std::vector<SimilarHead> similarHeads(const std::map<HeadKey, lw::MapTile>& tiles, HeadKey of, std::size_t most);
/// Pearson correlation over cells that are finite in both; 0 where there are too few or one does not vary.
[[nodiscard]] double correlation(const std::vector<float>& a, const std::vector<float>& b);
/// a - b cell by cell; nothing where the tiles do not lie on the same cells.
[[nodiscard]] std::optional<lw::MapTile> difference(const lw::MapTile& a, const lw::MapTile& b);
/// Values of a row in [0, 1] for the token strip: square root of the share of the largest, since probabilities fall off fast.
[[nodiscard]] std::vector<float> shadeOf(const std::vector<float>& probability);
/// The value of a part in the arithmetic of a cell.
[[nodiscard]] double partOf(const lw::CellArithmetic& cell, lw::ScorePart part);
/// A part of a row; empty when the scheme has it not.
[[nodiscard]] std::vector<float> partOf(const lw::RowProfile& row, lw::ScorePart part);

}  // namespace lw::ui
