/// See heat_map.h. Input events are in heat_map_input.cpp.
#include "ui/plot/heat_map.h"

#include "ui/plot/copy_picture.h"
#include "ui/plot/number_text.h"
#include "ui/plot/qcp.h"
#include "ui/plot/read_out.h"

#include <QPainter>
#include <QRubberBand>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {
constexpr int kBarWidth = 13;
constexpr int kBarGap = 8;
}  // namespace

HeatMap::HeatMap(QWidget* parent) : QWidget(parent), m_theme(PlotTheme::fromPalette(palette())), m_unit(partUnit(lw::ScorePart::bias)), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 140);
    setAccessibleName(tr("Map"));
    m_readOut->setObjectName(QStringLiteral("mapReadOut"));
    m_band = new QRubberBand(QRubberBand::Rectangle, this);
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
    m_overview = std::move(tile);
    m_message.clear();
    recolour();
}

void HeatMap::setDetail(lw::MapTile tile) {
    m_detail = std::move(tile);
    m_message.clear();
    recolour();
}

void HeatMap::clearTiles() {
    m_overview = {};
    m_detail = {};
    recolour();
}

void HeatMap::setScale(const ColourScale& scale) {
    if (scale == m_scale) return;
    m_scale = scale;
    place();
    recolour();
}

void HeatMap::setUnit(const QString& unit) {
    m_unit = unit;
    update();
}

void HeatMap::setTitle(const QString& title, const QString& note) {
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
    m_message = message;
    update();
}

void HeatMap::setCrosshair(std::optional<MapCell> cell) {
    if (m_crosshair == cell) return;
    m_crosshair = cell;
    if (!cell) m_readOut->hide();
    update();
}

void HeatMap::setMarkedQuery(std::int64_t query) {
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
    if (!m_spread.any) return text;
    text.cutLow = !m_scale.logarithmic && m_spread.low < m_scale.low - 1e-9;
    text.cutHigh = m_spread.high > m_scale.high + 1e-9;
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

QMargins HeatMap::room() const {
    const QFontMetrics caption(m_theme.caption), heading(m_theme.title);
    const int numbers = caption.horizontalAdvance(integerText(std::max(m_geometry.queries, m_geometry.keys))) + 14;
    const int bar = kBarGap + kBarWidth + colourBarTextWidth(m_scale, m_theme);
    const int beside = m_queryTitle.isEmpty() ? 0 : caption.height() + 2, below = m_keyTitle.isEmpty() ? 0 : caption.height() + 2;
    return {std::max(m_leftRoom, numbers + beside), m_title.isEmpty() ? 6 : heading.height() + 8, std::max(m_rightRoom, bar), caption.height() + 6 + below};
}

int HeatMap::fittingHeight(int width) const {
    const QMargins around = room();
    const double cells = static_cast<double>(m_geometry.queries) / static_cast<double>(m_geometry.keys);
    return around.top() + around.bottom() + static_cast<int>(std::max(10, width - around.left() - around.right()) * cells);
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
    Q_EMIT areaChanged(area);
    announce();
}

void HeatMap::announce() {
    update();
    if (m_geometry.area.width() < 2) return;
    const QSize pixels = (m_geometry.area.size() * devicePixelRatioF()).toSize();
    Q_EMIT viewChanged(m_geometry.visibleQueries(), m_geometry.visibleKeys(), pixels);
    // Linked maps answer with the same window: only a new one is passed on.
    if (m_geometry.window == m_announced) return;
    m_announced = m_geometry.window;
    Q_EMIT windowChanged(m_geometry.window);
}

void HeatMap::recolour() {
    const auto layer = [this](const lw::MapTile& tile) {
        return mapLayer(tile, colourImage(tile.values, tile.rows, tile.columns, m_scale, m_theme.masked.rgb()));
    };
    m_overviewLayer = layer(m_overview);
    m_detailLayer = layer(m_detail);
    m_spread = valueSpread(shownTile().values);
    Q_EMIT captionChanged(caption());
    update();
}

void HeatMap::paintHeader(QPainter& painter) {
    if (m_title.isEmpty()) return;
    const QFontMetrics heading(m_theme.title), caption(m_theme.caption);
    painter.setFont(m_theme.title);
    painter.setPen(m_theme.text);
    const int left = 0;
    painter.drawText(QRect(left, 0, width(), heading.height()), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), m_title);
    const int used = left + heading.horizontalAdvance(m_title) + 16;
    painter.setFont(m_theme.caption);
    painter.setPen(m_theme.secondary);
    const double end = m_geometry.area.right() + kBarGap + kBarWidth;
    const int room = std::max(0, static_cast<int>(end) - used);
    painter.drawText(QRect(used, 0, room, heading.height()), static_cast<int>(Qt::AlignRight | Qt::AlignVCenter), caption.elidedText(m_note, Qt::ElideRight, room));
}

void HeatMap::paintMarks(QPainter& painter) {
    const QRectF& area = m_geometry.area;
    painter.save();
    painter.setClipRect(area.adjusted(-8, 0, 0, 0));
    if (m_markedQuery >= 0) {
        const double y = m_geometry.y(static_cast<double>(m_markedQuery) + 0.5);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.accent);
        painter.drawPolygon(QPolygonF{{area.left() - 7, y - 4}, {area.left() - 1, y}, {area.left() - 7, y + 4}});
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setClipRect(area);
    if (m_crosshair) {
        const double x = m_geometry.x(static_cast<double>(m_crosshair->key) + 0.5), y = m_geometry.y(static_cast<double>(m_crosshair->query) + 0.5);
        // A light line in a dark one is seen on every colour of every map.
        for (const auto& [colour, width] : {std::pair{QColor(20, 24, 32, 150), 3}, std::pair{QColor(255, 255, 255, 230), 1}}) {
            painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(QPointF(std::floor(x) + 0.5, area.top()), QPointF(std::floor(x) + 0.5, area.bottom()));
            painter.drawLine(QPointF(area.left(), std::floor(y) + 0.5), QPointF(area.right(), std::floor(y) + 0.5));
        }
    }
    painter.restore();
}

void HeatMap::paintPicture(QPainter& painter) {
    painter.fillRect(m_geometry.area, m_theme.masked);
    if (!m_message.isEmpty() && m_overviewLayer.image.isNull() && m_detailLayer.image.isNull()) {
        painter.setFont(m_theme.body);
        painter.setPen(m_theme.secondary);
        painter.drawText(m_geometry.area.adjusted(24, 0, -24, 0), static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap, m_message);
    }
    paintCells(painter, m_geometry, m_overviewLayer);
    paintCells(painter, m_geometry, m_detailLayer);
    paintMapAxes(painter, m_geometry, m_theme, {true, true, m_queryTitle, m_keyTitle, false});
    const QRectF bar(m_geometry.area.right() + kBarGap, m_geometry.area.top(), kBarWidth, m_geometry.area.height());
    const bool cut = barText().cutHigh || barText().cutLow;
    paintColourBar(painter, cut ? bar.adjusted(0, 8, 0, -8) : bar, m_scale, m_theme, barText());
}

void HeatMap::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.background);
    paintHeader(painter);
    paintPicture(painter);
    paintMarks(painter);
    if (hasFocus()) {
        painter.setPen(QPen(m_theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_geometry.area.adjusted(-0.5, -0.5, 0.5, 0.5));
    }
}

void HeatMap::showReadOut(const QString& heading, const std::vector<ReadOutRow>& rows) {
    if (!m_crosshair) return;
    m_readOut->setTheme(m_theme);
    m_readOut->setContent(heading, rows);
    const QPointF at(m_geometry.x(static_cast<double>(m_crosshair->key) + 0.5), m_geometry.y(static_cast<double>(m_crosshair->query) + 0.5));
    m_readOut->showNear(at.toPoint(), rect());
}

void HeatMap::hideReadOut() { m_readOut->hide(); }

QImage HeatMap::image(double factor) {
    QImage picture(size() * factor, QImage::Format_RGB32);
    picture.setDevicePixelRatio(factor);
    picture.fill(m_theme.background);
    QPainter painter(&picture);
    paintHeader(painter);
    paintPicture(painter);
    return picture;
}

void HeatMap::copyToClipboard() {
    const lw::MapTile& tile = shownTile();
    QString text;
    for (std::int64_t r = 0; r < tile.rows; ++r)
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            const float value = tile.values[static_cast<std::size_t>(r * tile.columns + c)];
            text += (std::isnan(value) ? QString() : QString::number(value, 'g', 7)) + (c + 1 < tile.columns ? QLatin1Char('\t') : QLatin1Char('\n'));
        }
    const auto draw = [this](QCPPainter& painter) {
        painter.fillRect(rect(), m_theme.background);
        paintHeader(painter);
        paintPicture(painter);
    };
    copyPicture(image(), size(), draw, text);
}

}  // namespace lw::ui
