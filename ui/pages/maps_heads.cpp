/// See maps_heads.h.
#include "ui/pages/maps_heads.h"

#include "ui/pages/maps_legend.h"
#include "ui/plot/head_rows.h"
#include "ui/plot/number_text.h"
#include "ui/plot/thumbnail_grid.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {
/// Pictures are small; where a pixel would stand for more cells than this, one cell per pixel is taken instead of pooling all.
constexpr std::int64_t kPooledLength = 2048;
constexpr int kPixels = 64;
}  // namespace

HeadsPanel::HeadsPanel(Session* session, QWidget* parent) : QWidget(parent), m_session(session), m_grid(new ThumbnailGrid), m_legend(new ClassLegend), m_heading(new QLabel), m_rows(new HeadRows) {
    m_grid->setObjectName(QStringLiteral("headGrid"));
    m_rows->setObjectName(QStringLiteral("headRows"));
    m_heading->setObjectName(QStringLiteral("rowsHeading"));
    m_heading->setTextFormat(Qt::RichText);
    m_heading->setWordWrap(true);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, theme::kGrid, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_grid);
    layout->addWidget(m_legend);
    layout->addSpacing(2 * theme::kGrid);
    layout->addWidget(m_heading);
    layout->addWidget(m_rows, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    connect(m_grid, &ThumbnailGrid::headClicked, this, [this](qint64 layer, qint64 head) { Q_EMIT headChosen(layer, head, QApplication::keyboardModifiers() & Qt::ControlModifier); });
    connect(m_grid, &ThumbnailGrid::headHovered, this, &HeadsPanel::headHovered);
    connect(m_grid, &ThumbnailGrid::hoverLeft, this, &HeadsPanel::hoverLeft);
    connect(m_rows, &HeadRows::headClicked, this, [this](qint64 head) { Q_EMIT headChosen(m_selected.first, head, QApplication::keyboardModifiers() & Qt::ControlModifier); });
    connect(m_legend, &ClassLegend::filterChanged, m_grid, &ThumbnailGrid::setFilter);
}

HeadsPanel::~HeadsPanel() { m_session->compute().release(std::exchange(m_maps, nullptr)); }

void HeadsPanel::setMaps(std::shared_ptr<lw::MapSession> maps, const lw::MapsInfo& info, lw::ScorePart part, bool logarithmic) {
    const bool newMaps = maps != m_maps;
    const bool newPart = part != m_part;
    const bool recoloured = logarithmic != m_logarithmic;
    m_part = part;
    m_logarithmic = logarithmic;
    if (!newMaps && !newPart) {
        if (recoloured) recolour();
        return;
    }
    m_session->compute().release(std::exchange(m_maps, std::move(maps)));
    m_length = info.length;
    m_layers = info.layers;
    m_heads = info.heads;
    m_grid->setHeads(info.layers, info.heads);
    m_tiles.clear();
    m_grid->clearImages();  // pictures of two parts side by side would be read as one
    if (newMaps) {
        m_measures.clear();
        m_measuredQuery = -1;
    }
    // The layer that is looked at comes first.
    m_order = {m_selected.first};
    for (std::int64_t layer = 0; layer < m_layers; ++layer)
        if (layer != m_selected.first) m_order.push_back(layer);
    loadLayer(0);
    if (newMaps) loadMeasures();
}

void HeadsPanel::clear() {
    m_session->compute().cancelChannel(QStringLiteral("thumbnails"));
    m_session->compute().cancelChannel(QStringLiteral("measures"));
    m_session->compute().release(std::exchange(m_maps, nullptr));
    m_tiles.clear();
    m_measures.clear();
    m_measuredQuery = -1;
    m_grid->clearImages();
    m_grid->setMeasures({});
    m_rows->setRows({}, m_part);
    m_rows->setMeasures({});
    m_legend->setMeasures({});
    heading();
}

void HeadsPanel::loadLayer(std::size_t place) {
    if (place >= m_order.size() || !m_maps) return;
    lw::TileRequest request;
    request.layer = m_order[place];
    request.part = m_part;
    request.queries = request.keys = {0, m_length};
    request.max_rows = request.max_columns = kPixels;
    request.sampled = m_length > kPooledLength;
    m_session->compute().run<std::vector<lw::MapTile>>(
        QStringLiteral("thumbnails"), [maps = m_maps, request](const lw::RunContext& context) { return maps->tiles(request, context); }, this,
        [this, place](lw::Result<std::vector<lw::MapTile>> tiles) {
            if (!tiles.ok()) {
                if (tiles.error().kind != lw::ErrorKind::cancelled) m_session->report(tiles.error(), tr("Drawing the heads"));
                return;
            }
            for (lw::MapTile& tile : tiles.value()) m_tiles[{tile.layer, tile.head}] = std::move(tile);
            recolour();
            Q_EMIT tilesChanged();
            loadLayer(place + 1);
        });
}

void HeadsPanel::loadMeasures() {
    if (!m_maps) return;
    lw::MeasureRequest request;
    request.query = m_query;
    request.sequences = 1;
    m_measuredQuery = m_query;
    m_session->compute().run<std::vector<lw::HeadMeasures>>(
        QStringLiteral("measures"), [maps = m_maps, request](const lw::RunContext& context) { return maps->measures(request, context); }, this,
        [this](lw::Result<std::vector<lw::HeadMeasures>> measures) {
            if (measures.ok()) return setMeasures(measures.value());
            if (measures.error().kind != lw::ErrorKind::cancelled) m_session->report(measures.error(), tr("Measuring the heads"));
        });
}

void HeadsPanel::setMeasures(const std::vector<lw::HeadMeasures>& measures) {
    m_measures = measures;
    m_grid->setMeasures(measures);
    m_rows->setMeasures(measures);
    m_legend->setMeasures(measures);
    Q_EMIT measuresChanged();
}

const lw::HeadMeasures* HeadsPanel::measuresOf(HeadKey head) const {
    for (const lw::HeadMeasures& m : m_measures)
        if (m.layer == head.first && m.head == head.second) return &m;
    return nullptr;
}

void HeadsPanel::setQuery(std::int64_t query) {
    m_query = query;
    if (m_maps && query != m_measuredQuery) loadMeasures();
    heading();
}

void HeadsPanel::setSelected(std::int64_t layer, std::int64_t head) {
    m_selected = {layer, head};
    m_grid->setSelected(layer, head);
    m_rows->setSelected(head);
    heading();
}

void HeadsPanel::setRows(const std::vector<lw::RowProfile>& rows, lw::ScorePart part) {
    m_rows->setRows(rows, part);
    heading();
}

void HeadsPanel::heading() {
    const QString quiet = theme::secondaryText(palette()).name();
    m_heading->setVisible(!m_rows->rows().empty());
    m_heading->setText(tr("<b>Layer %1, query %2</b> &nbsp;<span style='font-size:small; color:%3'>%4</span>").arg(m_selected.first).arg(m_query < 0 ? QString() : integerText(m_query), quiet, m_rows->legend()));
}

void HeadsPanel::setOwnLimits(bool own) {
    m_ownLimits = own;
    recolour();
}

void HeadsPanel::setSortedByLocality(bool sorted) {
    m_sorted = sorted;
    m_grid->setSortedByLocality(sorted);
}

void HeadsPanel::recolour() {
    const ColourScale shared = thumbnailScale(m_tiles, m_part, m_logarithmic);
    const QRgb masked = theme::masked(palette()).rgb();
    for (const auto& [head, tile] : m_tiles) {
        const ColourScale scale = m_ownLimits ? scaleFor(m_part, {valueSpread(tile.values)}, m_logarithmic) : shared;
        m_grid->setImage(head.first, head.second, colourImage(tile.values, tile.rows, tile.columns, scale, masked));
    }
}

void HeadsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    recolour();
    heading();
}

}  // namespace lw::ui
