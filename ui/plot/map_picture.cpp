/// See map_picture.h.
#include "ui/plot/map_picture.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <ranges>

namespace lw::ui {

namespace {

/// What lies in the middle goes to the next, however its place was rounded.
constexpr double kMiddle = 0.5 + 1e-6;

bool sameCells(const lw::MapTile& a, const lw::MapTile& b) {
    const auto same = [](const lw::CellRange& x, const lw::CellRange& y) { return x.begin == y.begin && x.end == y.end; };
    return !a.values.empty() && a.values.size() == b.values.size() && a.rows == b.rows && a.columns == b.columns && same(a.queries, b.queries) && same(a.keys, b.keys) &&
           a.cells_per_row == b.cells_per_row && a.cells_per_column == b.cells_per_column;
}

/// First row that differs and the row after the last. Bits are compared: NaN is equal to itself here.
std::pair<std::int64_t, std::int64_t> differingRows(const lw::MapTile& a, const lw::MapTile& b) {
    const auto width = static_cast<std::size_t>(a.columns);
    const auto same = [&](std::int64_t row) {
        const std::size_t at = static_cast<std::size_t>(row) * width;
        return std::memcmp(a.values.data() + at, b.values.data() + at, width * sizeof(float)) == 0;
    };
    std::int64_t first = 0, end = a.rows;
    while (first < end && same(first)) ++first;
    while (end > first && same(end - 1)) --end;
    return {first, end};
}

}  // namespace

double MapPicture::Axis::cell(int pixel) const {
    // Rounding of the origin must not leave a pixel of nothing at the map's end.
    return std::clamp((static_cast<double>(origin + pixel) + kMiddle) * step, 0.0, static_cast<double>(cells) * (1 - 1e-12));
}

int MapPicture::Axis::pixelOf(double wanted, int count) const {
    return *std::ranges::partition_point(std::views::iota(0, count + 1), [&](int pixel) { return pixel < count && cell(pixel) < wanted; });
}

void MapPicture::setScale(const ColourScale& scale, QRgb masked) {
    if (scale == m_scale && (masked | 0xff000000U) == m_masked) return;
    m_scale = scale;
    m_masked = masked | 0xff000000U;
    m_colouring.reset();
    m_stale = true;
}

void MapPicture::setTile(Level level, const lw::MapTile* tile, const lw::MapTile& before) {
    m_tiles[level] = tile;
    if (m_stale) return;
    QRegion region;
    if (sameCells(*tile, before)) {
        const auto [first, end] = differingRows(*tile, before);
        region = rectOf(*tile, first, end);
    } else {
        region = QRegion(rectOf(before, 0, before.rows)) + rectOf(*tile, 0, tile->rows);
    }
    // What lies under the detail is not seen.
    if (const lw::MapTile* fine = m_tiles[detail]; level == overview && fine != nullptr) region -= rectOf(*fine, 0, fine->rows);
    m_dirty += region;
}

/// Pixels of some rows of a tile in the present picture.
QRect MapPicture::rectOf(const lw::MapTile& tile, std::int64_t firstRow, std::int64_t endRow) const {
    if (tile.values.empty() || firstRow >= endRow) return {};
    const auto queryOf = [&](std::int64_t row) { return std::min(static_cast<double>(tile.queries.end), static_cast<double>(tile.queries.begin) + static_cast<double>(row) * tile.cells_per_row); };
    const int top = m_down.pixelOf(queryOf(firstRow), m_image.height()), bottom = m_down.pixelOf(queryOf(endRow), m_image.height());
    const int left = m_across.pixelOf(static_cast<double>(tile.keys.begin), m_image.width()), right = m_across.pixelOf(static_cast<double>(tile.keys.end), m_image.width());
    return {left, top, right - left, bottom - top};
}

MapPicture::Axis MapPicture::axisOf(double begin, double end, std::int64_t cells, int pixels, const Axis& before) {
    double step = (end - begin) / pixels;
    // A moved window keeps its size but for rounding.
    if (before.cells == cells && std::abs(step - before.step) < 1e-9 * step) step = before.step;
    return {step, static_cast<std::int64_t>(std::floor(begin / step + kMiddle)), cells};
}

/// Shifts what stays and says what is left to colour.
QRegion MapPicture::changed(const Axis& across, const Axis& down) {
    const QRect whole = m_image.rect();
    const std::int64_t right = across.origin - m_across.origin, below = down.origin - m_down.origin;
    const bool same = across.step == m_across.step && down.step == m_down.step && across.cells == m_across.cells && down.cells == m_down.cells;
    if (m_stale || !same || std::abs(right) >= whole.width() || std::abs(below) >= whole.height()) return whole;
    const int dx = static_cast<int>(right), dy = static_cast<int>(below);
    if (dx == 0 && dy == 0) return m_dirty & whole;
    shift(dx, dy);
    return (m_dirty.translated(-dx, -dy) + (QRegion(whole) - QRegion(whole.translated(-dx, -dy)))) & whole;
}

void MapPicture::shift(int across, int down) {
    const int width = m_image.width() - std::abs(across), from = std::max(0, across), to = std::max(0, -across);
    const int rows = m_image.height() - std::abs(down);
    const auto move = [&](int y) { std::memmove(line(y) + to, line(y + down) + from, static_cast<std::size_t>(width) * sizeof(QRgb)); };
    if (down >= 0) {
        for (int y = 0; y < rows; ++y) move(y);
    } else {
        for (int y = m_image.height() - 1; y >= -down; --y) move(y);
    }
}

const QImage& MapPicture::update(const MapGeometry& view, QSize size) {
    m_coloured = {};
    if (size.isEmpty()) return m_image = {};
    if (m_image.size() != size) {
        m_image = QImage(size, QImage::Format_RGB32);
        m_stale = true;
    }
    const Axis across = axisOf(view.window.keyBegin, view.window.keyEnd, view.keys, size.width(), m_across);
    const Axis down = axisOf(view.window.queryBegin, view.window.queryEnd, view.queries, size.height(), m_down);
    m_coloured = changed(across, down);
    m_across = across;
    m_down = down;
    m_dirty = {};
    m_stale = false;
    if (m_coloured.isEmpty()) return m_image;
    if (!m_colouring) m_colouring.emplace(m_scale, m_masked);
    locate();
    for (const QRect& area : m_coloured) colour(area);
    return m_image;
}

std::vector<int> MapPicture::places(const Axis& axis, int pixels, lw::CellRange range, double cellsPerPlace, std::int64_t count) {
    std::vector<int> made(static_cast<std::size_t>(pixels), -1);
    for (int pixel = 0; pixel < pixels; ++pixel) {
        const double cell = axis.cell(pixel);
        if (cell < static_cast<double>(range.begin) || cell >= static_cast<double>(range.end)) continue;
        const auto place = static_cast<std::int64_t>((cell - static_cast<double>(range.begin)) / cellsPerPlace);
        made[static_cast<std::size_t>(pixel)] = static_cast<int>(std::min(place, count - 1));
    }
    return made;
}

void MapPicture::locate() {
    for (const Level level : {overview, detail}) {
        Places& at = m_places[level];
        at = {std::vector<int>(static_cast<std::size_t>(m_image.height()), -1), {}, 0, 0};
        const lw::MapTile* tile = m_tiles[level];
        if (tile == nullptr || tile->values.empty()) continue;
        at.rows = places(m_down, m_image.height(), tile->queries, tile->cells_per_row, tile->rows);
        at.columns = places(m_across, m_image.width(), tile->keys, tile->cells_per_column, tile->columns);
        at.left = m_across.pixelOf(static_cast<double>(tile->keys.begin), m_image.width());
        at.right = m_across.pixelOf(static_cast<double>(tile->keys.end), m_image.width());
    }
}

/// Rows of pixels on the same rows of cells are coloured once.
void MapPicture::colour(const QRect& area) {
    const auto sameAsAbove = [this](int y) {
        const auto row = static_cast<std::size_t>(y);
        return std::ranges::all_of(m_places, [row](const Places& at) { return at.rows[row] == at.rows[row - 1]; });
    };
    for (int y = area.top(); y <= area.bottom(); ++y) {
        if (y == area.top() || !sameAsAbove(y)) colourRow(y, area.left(), area.right() + 1);
        else std::memcpy(line(y) + area.left(), line(y - 1) + area.left(), static_cast<std::size_t>(area.width()) * sizeof(QRgb));
    }
}

void MapPicture::colourRow(int y, int from, int to) {
    const Places& fine = m_places[detail];
    if (fine.rows[static_cast<std::size_t>(y)] < 0) return colourCoarse(y, from, to);
    const int left = std::clamp(fine.left, from, to), right = std::clamp(fine.right, left, to);
    colourCoarse(y, from, left);
    colourCells(detail, y, left, right);
    colourCoarse(y, right, to);
}

/// The overview, and the masked colour where there is none.
void MapPicture::colourCoarse(int y, int from, int to) {
    const Places& coarse = m_places[overview];
    const bool there = coarse.rows[static_cast<std::size_t>(y)] >= 0;
    const int left = there ? std::clamp(coarse.left, from, to) : to, right = there ? std::clamp(coarse.right, left, to) : to;
    std::fill(line(y) + from, line(y) + left, m_masked);
    colourCells(overview, y, left, right);
    std::fill(line(y) + right, line(y) + to, m_masked);
}

/// One value a pixel is coloured where it lies; of enlarged cells each once; of those that are left out nothing.
void MapPicture::colourCells(Level level, int y, int from, int to) {
    if (from >= to) return;
    const lw::MapTile& tile = *m_tiles[level];
    const int* columns = m_places[level].columns.data() + from;
    const auto count = static_cast<std::size_t>(to - from), span = static_cast<std::size_t>(columns[count - 1] - columns[0] + 1);
    const float* row = tile.values.data() + static_cast<std::size_t>(m_places[level].rows[static_cast<std::size_t>(y)]) * static_cast<std::size_t>(tile.columns);
    QRgb* out = line(y) + from;
    if (span == count) return m_colouring->line(row + columns[0], count, out);
    if (span < count) {
        m_colours.resize(std::max(m_colours.size(), span));
        m_colouring->line(row + columns[0], span, m_colours.data());
        for (std::size_t i = 0; i < count; ++i) out[i] = m_colours[static_cast<std::size_t>(columns[i] - columns[0])];
        return;
    }
    m_values.resize(std::max(m_values.size(), count));
    for (std::size_t i = 0; i < count; ++i) m_values[i] = row[columns[i]];
    m_colouring->line(m_values.data(), count, out);
}

}  // namespace lw::ui
