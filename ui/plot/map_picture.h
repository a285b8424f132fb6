#pragma once
/// The part of a map that is on the screen, in device pixels, kept from frame to frame. Values go straight into its scan lines, and only
/// those of pixels that change: a moved map shifts its picture and colours the stripe that came into view, new values colour the rows that
/// differ. A pixel takes the nearest cell: positions are rounded, values never mixed.

#include "ui/plot/colouring.h"
#include "ui/plot/map_geometry.h"

#include <QRegion>

#include <array>
#include <optional>

namespace lw::ui {

class MapPicture {
public:
    /// The detail lies over the overview.
    enum Level { overview = 0, detail, levels };

    void setScale(const ColourScale& scale, QRgb masked);
    /// `tile` is kept by the caller; `before` is what it held until now.
    void setTile(Level level, const lw::MapTile* tile, const lw::MapTile& before);
    /// Brought up to date for this view on `size` device pixels.
    const QImage& update(const MapGeometry& view, QSize size);
    /// What the last update() coloured.
    [[nodiscard]] const QRegion& coloured() const { return m_coloured; }

private:
    /// Along one side pixel n lies on cell (origin + n + 1/2) * step. Whole numbers as origin: a moved view is the same pixels elsewhere.
    struct Axis {
        double step = 0;
        std::int64_t origin = 0;
        std::int64_t cells = 0;
        [[nodiscard]] double cell(int pixel) const;
        /// The first of `count` pixels whose cell is not before this one.
        [[nodiscard]] int pixelOf(double cell, int count) const;
    };
    /// Where pixels lie in a tile: its rows and columns, -1 outside.
    struct Places {
        std::vector<int> rows, columns;
        int left = 0, right = 0;  ///< pixels that the columns cover
    };
    [[nodiscard]] static Axis axisOf(double begin, double end, std::int64_t cells, int pixels, const Axis& before);
    [[nodiscard]] static std::vector<int> places(const Axis& axis, int pixels, lw::CellRange range, double cellsPerPlace, std::int64_t count);
    [[nodiscard]] QRegion changed(const Axis& across, const Axis& down);
    [[nodiscard]] QRect rectOf(const lw::MapTile& tile, std::int64_t firstRow, std::int64_t endRow) const;
    void shift(int across, int down);
    void locate();
    void colour(const QRect& area);
    void colourRow(int y, int from, int to);
    void colourCoarse(int y, int from, int to);
    void colourCells(Level level, int y, int from, int to);
    [[nodiscard]] QRgb* line(int y) { return reinterpret_cast<QRgb*>(m_image.scanLine(y)); }

    QImage m_image;
    ColourScale m_scale;
    QRgb m_masked = 0xff000000U;
    std::optional<Colouring> m_colouring;
    Axis m_across, m_down;
    std::array<const lw::MapTile*, levels> m_tiles{};
    std::array<Places, levels> m_places;
    bool m_stale = true;  ///< nothing of the picture holds
    QRegion m_dirty, m_coloured;
    std::vector<float> m_values;  ///< of a line, gathered
    std::vector<QRgb> m_colours;  ///< of a line, not yet spread
};

}  // namespace lw::ui
