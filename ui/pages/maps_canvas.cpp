/// See maps_canvas.h.
#include "ui/pages/maps_canvas.h"

#include "ui/plot/heat_map.h"
#include "ui/plot/profile_plot.h"

#include <algorithm>

namespace lw::ui {

namespace {
constexpr int kGap = 16;
constexpr int kProfileGap = 6;  // between a map and the profile below it
constexpr int kLeastProfile = 110;
constexpr int kMostProfile = 260;
}  // namespace

MapsCanvas::MapsCanvas(QWidget* parent) : QWidget(parent), m_profile(new ProfilePlot(this)) {
    static constexpr const char* kNames[] = {"heatMap", "secondMap", "differenceMap"};
    for (int place = 0; place < 3; ++place) {
        auto* map = new HeatMap(this);
        map->setObjectName(QLatin1String(kNames[place]));
        map->setVisible(place == kFirst);
        m_maps[static_cast<std::size_t>(place)] = map;
        link(map, place);
    }
    m_profile->setObjectName(QStringLiteral("profilePlot"));
    connect(m_profile, &ProfilePlot::keyHovered, this, [this](qint64 key) {
        for (HeatMap* map : m_maps)
            if (map->isVisible()) map->setCrosshair(MapCell{m_profile->row().query, key});
    });
    connect(m_profile, &ProfilePlot::hoverLeft, this, [this] {
        for (HeatMap* map : m_maps) map->setCrosshair(std::nullopt);
    });
    setMinimumSize(320, 260);
}

void MapsCanvas::link(HeatMap* map, int place) {
    connect(map, &HeatMap::windowChanged, this, [this, map](const MapWindow& window) {
        // A map that is not shown has no cells yet; its window would shrink those that are.
        if (map->isHidden()) return;
        alignProfile();
        if (!m_comparing || m_linking) return;
        m_linking = true;
        const MapGeometry& own = map->geometryOfCells();
        for (HeatMap* other : m_maps) {
            const MapGeometry& cells = other->geometryOfCells();
            if (other != map && cells.queries == own.queries && cells.keys == own.keys) other->setWindow(window);
        }
        m_linking = false;
    });
    connect(map, &HeatMap::areaChanged, this, [this] { alignProfile(); });
    connect(map, &HeatMap::hovered, this, [this, map, place](qint64 query, qint64 key) {
        for (HeatMap* other : m_maps)
            if (other != map && other->isVisible()) {
                other->hideReadOut();  // of the cell that was under the mouse there
                other->setCrosshair(MapCell{query, key});
            }
        m_profile->setCursorKey(key);
        Q_EMIT hovered(place, query, key);
    });
    connect(map, &HeatMap::hoverLeft, this, [this, map] {
        for (HeatMap* other : m_maps)
            if (other != map) other->setCrosshair(std::nullopt);
        m_profile->setCursorKey(std::nullopt);
        Q_EMIT hoverLeft();
    });
    connect(map, &HeatMap::cellClicked, this, &MapsCanvas::cellClicked);
}

void MapsCanvas::setComparing(bool comparing) {
    if (m_comparing == comparing) return;
    m_comparing = comparing;
    for (const Place place : {kSecond, kDifference}) map(place)->setVisible(comparing);
    if (comparing) {
        map(kSecond)->setWindow(map()->geometryOfCells().window);
        map(kDifference)->setWindow(map()->geometryOfCells().window);
    }
    arrange();
}

void MapsCanvas::select(MapCell cell) {
    const MapGeometry& seen = map()->geometryOfCells();
    const auto holds = [](const lw::CellRange& range, std::int64_t place) { return place >= range.begin && place < range.end; };
    if (!holds(seen.visibleQueries(), cell.query) || !holds(seen.visibleKeys(), cell.key)) map()->fit();
    for (HeatMap* each : m_maps)
        if (!each->isHidden()) each->setCrosshair(cell);
    m_profile->setCursorKey(cell.key);
}

void MapsCanvas::alignProfile() {
    const MapGeometry& cells = m_maps[static_cast<std::size_t>(m_profileUnder)]->geometryOfCells();
    const int offset = m_maps[static_cast<std::size_t>(m_profileUnder)]->x() - m_profile->x();
    m_profile->setKeyAxis(cells.area.left() + offset, cells.area.right() + offset, cells.window.keyBegin, cells.window.keyEnd, cells.keys);
}

void MapsCanvas::arrangeSingle() {
    m_profileUnder = kFirst;
    const int labels = m_profile->labelWidth() + 4;
    map()->setSideRoom(0, labels);
    const int height = std::min(map()->fittingHeight(width()), this->height() - kLeastProfile - kProfileGap);
    map()->setGeometry(0, 0, width(), height);
    m_profile->setGeometry(0, height + kProfileGap, width(), std::clamp(this->height() - height - kProfileGap, kLeastProfile, kMostProfile));
}

/// Two by two, or three in a row over the profile: whichever shows larger maps.
void MapsCanvas::arrangeComparison() {
    for (HeatMap* map : m_maps) map->setSideRoom(0, 0);
    const int third = (width() - 2 * kGap) / 3, half = (width() - kGap) / 2;
    const int rowHeight = std::min(map()->fittingHeight(third), height() - kLeastProfile - kProfileGap);
    const int gridHeight = std::min(map()->fittingHeight(half), (height() - 8) / 2);
    if (rowHeight >= gridHeight) {
        m_profileUnder = kFirst;
        for (int place = 0; place < 3; ++place) m_maps[static_cast<std::size_t>(place)]->setGeometry(place * (third + kGap), 0, third, rowHeight);
        m_profile->setGeometry(0, rowHeight + kProfileGap, width(), std::clamp(height() - rowHeight - kProfileGap, kLeastProfile, kMostProfile));
        return;
    }
    m_profileUnder = kSecond;
    map(kFirst)->setGeometry(0, 0, half, gridHeight);
    map(kSecond)->setGeometry(half + kGap, 0, half, gridHeight);
    map(kDifference)->setGeometry(0, gridHeight + 8, half, gridHeight);
    map(kSecond)->setSideRoom(0, m_profile->labelWidth());
    m_profile->setGeometry(half + kGap, gridHeight + 8, half, std::min(gridHeight, kMostProfile));
}

void MapsCanvas::arrange() {
    m_comparing ? arrangeComparison() : arrangeSingle();
    alignProfile();
}

void MapsCanvas::resizeEvent(QResizeEvent*) { arrange(); }

}  // namespace lw::ui
