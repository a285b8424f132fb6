/// See heat_map.h. Painting is in heat_map_paint.cpp, input events in heat_map_input.cpp.
#include "ui/plot/heat_map.h"

#include "ui/plot/read_out.h"

#include <QRubberBand>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw::ui {

HeatMap::HeatMap(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())), m_unit(partUnit(lw::ScorePart::bias)), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
    setAccessibleName(tr("Map"));
    m_readOut->setObjectName(QStringLiteral("mapReadOut"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_band = new QRubberBand(QRubberBand::Rectangle, this);
    m_picture.setScale(m_scale, m_theme.masked.rgb());
    m_geometry.fit();
}

void HeatMap::setCells(std::int64_t queries, std::int64_t keys) {
    if (m_geometry.queries == queries && m_geometry.keys == keys) return;
    m_geometry.queries = std::max<std::int64_t>(1, queries);
    m_geometry.keys = std::max<std::int64_t>(1, keys);
    m_geometry.fit();
    clearTiles();
    place();
    announce();
}

void HeatMap::setOverview(lw::MapTile tile) {
    std::swap(m_overview, tile);
    m_message.clear();
    valuesChanged(MapPicture::overview, tile);
}

void HeatMap::setDetail(lw::MapTile tile) {
    std::swap(m_detail, tile);
    m_message.clear();
    valuesChanged(MapPicture::detail, tile);
}

void HeatMap::clearTiles() {
    const lw::MapTile overview = std::exchange(m_overview, {}), detail = std::exchange(m_detail, {});
    valuesChanged(MapPicture::overview, overview);
    valuesChanged(MapPicture::detail, detail);
}

/// Nothing is coloured before it is painted: a hidden map costs nothing.
void HeatMap::valuesChanged(MapPicture::Level level, const lw::MapTile& before) {
    m_picture.setTile(level, level == MapPicture::overview ? &m_overview : &m_detail, before);
    const ColourBarText text = barText();
    m_range = finiteRange(shownTile().values.data(), shownTile().values.size());
    updateMap();
    const ColourBarText now = barText();
    if (now.cutLow != text.cutLow || now.cutHigh != text.cutHigh) update(barPlace());
    Q_EMIT captionChanged(caption());
}

void HeatMap::setScale(const ColourScale& scale) {
    if (scale == m_scale) return;
    m_scale = scale;
    m_picture.setScale(scale, m_theme.masked.rgb());
    place();
    update();
}

void HeatMap::setUnit(const QString& unit) {
    if (unit == m_unit) return;
    m_unit = unit;
    update(barPlace());
}

void HeatMap::setTitle(const QString& title, const QString& note) {
    if (title == m_title && note == m_note) return;
    m_title = title;
    m_note = note;
    place();
    update();
}

void HeatMap::setAxisTitles(const QString& queries, const QString& keys) {
    if (queries == m_queryTitle && keys == m_keyTitle) return;
    m_queryTitle = queries;
    m_keyTitle = keys;
    place();
    update();
}

void HeatMap::setSquareCells(bool square) {
    if (square == m_squareCells) return;
    m_squareCells = square;
    place();
}

void HeatMap::setMessage(const QString& message) {
    if (message == m_message) return;
    m_message = message;
    update();
}

void HeatMap::setCrosshair(std::optional<MapCell> cell) {
    if (m_crosshair == cell) return;
    m_crosshair = cell;
    if (!cell) m_readOut->hide();
    updateMap();
}

void HeatMap::setMarkedQuery(std::int64_t query) {
    if (query == m_markedQuery) return;
    m_markedQuery = query;
    update();
}

void HeatMap::setWindow(const MapWindow& window) {
    const MapWindow before = m_geometry.window;
    m_geometry.window = window;
    m_geometry.pan({0, 0});  // clamps
    if (!(m_geometry.window == before)) announce();
}

void HeatMap::fit() {
    m_geometry.fit();
    announce();
}

void HeatMap::setSideRoom(int left, int right) {
    m_leftRoom = left;
    m_rightRoom = right;
    place();
}

QString HeatMap::caption() const { return shownTile().values.empty() ? QString() : tileCaption(shownTile()); }

ColourBarText HeatMap::barText() const {
    ColourBarText text{m_unit, false, false};
    if (m_range.low > m_range.high) return text;
    text.cutLow = !m_scale.logarithmic && m_range.low < m_scale.low - 1e-9;
    text.cutHigh = m_range.high > m_scale.high + 1e-9;
    return text;
}

float HeatMap::valueAt(MapCell cell) const {
    for (const lw::MapTile* tile : {&m_detail, &m_overview}) {
        if (tile->values.empty() || cell.query < tile->queries.begin || cell.query >= tile->queries.end || cell.key < tile->keys.begin || cell.key >= tile->keys.end) continue;
        const auto row = std::min(tile->rows - 1, static_cast<std::int64_t>(static_cast<double>(cell.query - tile->queries.begin) / tile->cells_per_row));
        const auto column = std::min(tile->columns - 1, static_cast<std::int64_t>(static_cast<double>(cell.key - tile->keys.begin) / tile->cells_per_column));
        return tile->values[static_cast<std::size_t>(row * tile->columns + column)];
    }
    return std::numeric_limits<float>::quiet_NaN();
}

void HeatMap::place() {
    const QMargins around = room();
    QRectF area(around.left(), around.top(), std::max(10, width() - around.left() - around.right()), std::max(10, height() - around.top() - around.bottom()));
    // Cells are square while everything is seen: a causal map then shows its diagonal at 45 degrees.
    const double cells = static_cast<double>(m_geometry.queries) / static_cast<double>(m_geometry.keys);
    if (m_squareCells && area.width() * cells > area.height()) area.setWidth(area.height() / cells);
    else if (m_squareCells) area.setHeight(area.width() * cells);
    area = QRectF(area.toRect());
    if (area == m_geometry.area) return;
    m_geometry.area = area;
    update();
    Q_EMIT areaChanged(area);
    announce();
}

void HeatMap::announce() {
    updateMap();
    update(axesPlace());
    if (m_geometry.area.width() < 2) return;
    const QSize pixels = (m_geometry.area.size() * devicePixelRatioF()).toSize();
    Q_EMIT viewChanged(m_geometry.visibleQueries(), m_geometry.visibleKeys(), pixels);
    // Linked maps answer with the same window: only a new one is passed on.
    if (m_geometry.window == m_announced) return;
    m_announced = m_geometry.window;
    Q_EMIT windowChanged(m_geometry.window);
}

void HeatMap::showReadOut(const QString& heading, const std::vector<ReadOutRow>& rows) {
    if (!m_crosshair) return;
    m_readOut->setTheme(m_theme);
    m_readOut->setContent(heading, rows);
    const QPointF at(m_geometry.x(static_cast<double>(m_crosshair->key) + 0.5), m_geometry.y(static_cast<double>(m_crosshair->query) + 0.5));
    m_readOut->showNear(at.toPoint(), rect());
}

void HeatMap::hideReadOut() { m_readOut->hide(); }

}  // namespace lw::ui
