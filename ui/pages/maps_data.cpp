/// See maps_data.h.
#include "ui/pages/maps_data.h"

#include "ui/plot/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lw::ui {

namespace {
constexpr std::int64_t kOverview = 160;  // pixels: coarse, but there at once
constexpr std::int64_t kSpread = 48;
}  // namespace

lw::Result<MapOverview> loadOverview(const MapTarget& target, bool withSpreads, const lw::RunContext& context) {
    lw::TileRequest request;
    request.layer = target.layer;
    request.head = target.head;
    request.part = target.part;
    request.queries = request.keys = {0, target.length};
    request.max_rows = request.max_columns = kOverview;
    request.reducer = target.reducer;
    request.sampled = true;
    MapOverview overview;
    auto tiles = target.session->tiles(request, context);
    if (!tiles.ok()) return tiles.error();
    overview.tile = std::move(tiles.value().front());
    request.max_rows = request.max_columns = kSpread;
    for (const lw::ScorePart part : withSpreads ? target.signedParts : std::vector<lw::ScorePart>{}) {
        request.part = part;
        const auto small = target.session->tiles(request, context);
        if (!small.ok()) return small.error();
        overview.spreads.push_back(valueSpread(small.value().front().values));
    }
    return overview;
}

lw::TileRequest detailRequest(const MapTarget& target, lw::CellRange queries, lw::CellRange keys, std::int64_t rows, std::int64_t columns) {
    lw::TileRequest request;
    request.layer = target.layer;
    request.head = target.head;
    request.part = target.part;
    request.queries = queries;
    request.keys = keys;
    request.max_rows = std::max<std::int64_t>(1, rows);
    request.max_columns = std::max<std::int64_t>(1, columns);
    request.reducer = target.reducer;
    return request;
}

lw::Result<lw::MapTile> loadDetail(const MapTarget& target, const lw::TileRequest& request, const std::function<void(lw::MapTile)>& better,
                                   const lw::RunContext& context) {
    lw::MapTile last;
    const auto status = target.session->view(
        request,
        [&](std::vector<lw::MapTile> pictures) {
            if (pictures.front().sampled) better(std::move(pictures.front()));
            else last = std::move(pictures.front());
        },
        context);
    if (!status.ok()) return status.error();
    return last;
}

std::optional<lw::MapTile> finishedDetail(const MapTarget& target, const lw::TileRequest& request) {
    auto pictures = target.session->finished_view(request);
    if (!pictures) return std::nullopt;
    return std::move(pictures->front());
}

std::vector<lw::ScorePart> signedParts(const std::vector<lw::ScorePart>& parts) {
    std::vector<lw::ScorePart> chosen;
    for (const lw::ScorePart part : parts)
        if (part != lw::ScorePart::probability) chosen.push_back(part);
    return chosen;
}

lw::ScorePart availablePart(lw::ScorePart wanted, const std::vector<lw::ScorePart>& parts) {
    const auto has = [&](lw::ScorePart part) { return std::find(parts.begin(), parts.end(), part) != parts.end(); };
    if (has(wanted)) return wanted;
    const bool positional = wanted == lw::ScorePart::bias_adaptive || wanted == lw::ScorePart::adaptive;
    if (positional && has(lw::ScorePart::bias)) return lw::ScorePart::bias;
    if (wanted == lw::ScorePart::bias && has(lw::ScorePart::bias_adaptive)) return lw::ScorePart::bias_adaptive;
    return has(lw::ScorePart::logit) ? lw::ScorePart::logit : parts.empty() ? wanted : parts.front();
}

lw::MapTile emptyPicture(const lw::MapTile& like, std::int64_t length, std::int64_t rows, double cells) {
    lw::MapTile whole = like;
    whole.queries = {0, length};
    whole.rows = rows;
    whole.cells_per_row = cells;
    whole.values.assign(static_cast<std::size_t>(rows * like.columns), std::numeric_limits<float>::quiet_NaN());
    return whole;
}

void addBand(lw::MapTile& whole, const lw::MapTile& band) {
    if (band.columns != whole.columns) return;
    for (std::int64_t row = 0; row < band.rows; ++row) {
        const double query = static_cast<double>(band.queries.begin) + static_cast<double>(row) * band.cells_per_row;
        const auto target = static_cast<std::int64_t>(query / whole.cells_per_row + 1e-9);
        for (std::int64_t column = 0; column < band.columns && target < whole.rows; ++column) {
            float& kept = whole.values[static_cast<std::size_t>(target * whole.columns + column)];
            const float value = band.values[static_cast<std::size_t>(row * band.columns + column)];
            if (std::isnan(kept) || std::abs(value) > std::abs(kept)) kept = value;
        }
    }
}

ColourScale thumbnailScale(const std::map<HeadKey, lw::MapTile>& tiles, lw::ScorePart part, bool logarithmic) {
    std::vector<double> typical;
    ValueSpread all;
    for (const auto& [head, tile] : tiles) {
        const ValueSpread spread = valueSpread(tile.values);
        if (!spread.any) continue;
        typical.push_back(spread.typical);
        all.any = true;
        all.high = std::max(all.high, spread.high);
    }
    if (part == lw::ScorePart::probability || typical.empty()) return scaleFor(part, {all}, logarithmic);
    const auto rank = static_cast<std::ptrdiff_t>(3 * (typical.size() - 1) / 4);
    std::nth_element(typical.begin(), typical.begin() + rank, typical.end());
    ColourScale scale;
    scale.high = niceCeiling(std::max(typical[static_cast<std::size_t>(rank)], 1e-3));
    scale.low = -scale.high;
    return scale;
}

double correlation(const std::vector<float>& a, const std::vector<float>& b) {
    double n = 0, sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) continue;
        const double x = a[i], y = b[i];
        n += 1;
        sa += x;
        sb += y;
        saa += x * x;
        sbb += y * y;
        sab += x * y;
    }
    const double va = saa - sa * sa / std::max(n, 1.0), vb = sbb - sb * sb / std::max(n, 1.0);
    if (n < 3 || va <= 1e-12 * saa || vb <= 1e-12 * sbb) return 0;
    return (sab - sa * sb / n) / std::sqrt(va * vb);
}

std::vector<SimilarHead> similarHeads(const std::map<HeadKey, lw::MapTile>& tiles, HeadKey of, std::size_t most) {
    const auto own = tiles.find(of);
    if (own == tiles.end()) return {};
    std::vector<SimilarHead> list;
    for (const auto& [head, tile] : tiles)
        if (head != of && tile.values.size() == own->second.values.size()) list.push_back({head, correlation(own->second.values, tile.values)});
    std::stable_sort(list.begin(), list.end(), [](const SimilarHead& a, const SimilarHead& b) { return a.correlation > b.correlation; });
    if (list.size() > most) list.resize(most);
    return list;
}

std::optional<lw::MapTile> difference(const lw::MapTile& a, const lw::MapTile& b) {
    const auto same = [](const lw::CellRange& x, const lw::CellRange& y) { return x.begin == y.begin && x.end == y.end; };
    if (a.values.empty() || a.rows != b.rows || a.columns != b.columns || !same(a.queries, b.queries) || !same(a.keys, b.keys) || a.sampled != b.sampled) return std::nullopt;
    lw::MapTile d = a;
    for (std::size_t i = 0; i < d.values.size(); ++i) d.values[i] = a.values[i] - b.values[i];
    return d;
}

std::vector<float> shadeOf(const std::vector<float>& probability) {
    float largest = 0;
    for (const float p : probability)
        if (std::isfinite(p)) largest = std::max(largest, p);
    std::vector<float> shade;
    shade.reserve(probability.size());
    for (const float p : probability) shade.push_back(largest > 0 && std::isfinite(p) ? std::sqrt(p / largest) : 0.0F);
    return shade;
}

double partOf(const lw::CellArithmetic& cell, lw::ScorePart part) {
    switch (part) {
        case lw::ScorePart::content: return cell.content;
        case lw::ScorePart::bias: return cell.bias;
        case lw::ScorePart::adaptive: return cell.adaptive;
        case lw::ScorePart::bias_adaptive: return (cell.bias_is_added ? cell.bias : 0) + cell.adaptive;
        case lw::ScorePart::logit: return cell.logit;
        case lw::ScorePart::probability: return cell.probability;
    }
    return 0;
}

std::vector<float> partOf(const lw::RowProfile& row, lw::ScorePart part) {
    switch (part) {
        case lw::ScorePart::content: return row.content;
        case lw::ScorePart::bias: return row.bias;
        case lw::ScorePart::adaptive: return row.adaptive;
        case lw::ScorePart::bias_adaptive: return positionalSum(row);
        case lw::ScorePart::logit: return row.logit;
        case lw::ScorePart::probability: return row.probability;
    }
    return {};
}

}  // namespace lw::ui
