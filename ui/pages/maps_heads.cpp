/// See maps_heads.h. What is shown of the heads, and the legend below, is in maps_heads_views.cpp.
#include "ui/pages/maps_heads.h"

#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_legend.h"
#include "ui/pages/maps_texts.h"
#include "ui/plot/head_rows.h"
#include "ui/plot/number_text.h"
#include "ui/plot/segmented.h"
#include "ui/plot/thumbnail_grid.h"
#include "ui/session.h"
#include "ui/theme.h"

#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace lw::ui {

namespace {
constexpr std::int64_t kPixels = 64;
/// Up to this length pictures are made exactly at once; beyond, one cell per pixel comes first and the exact ones follow in bands of
/// at most so many query rows, so that nothing else waits long for them.
constexpr std::int64_t kDirectLength = 512, kBandQueries = 512;
/// Beyond it the pictures stay sampled, and say so: exact ones would cost as much as every large map together.
constexpr std::int64_t kLongestExact = 16384;
constexpr int kPause = 300;  // ms
}  // namespace

HeadsPanel::HeadsPanel(Session* session, QWidget* parent) : QWidget(parent), m_session(session), m_view(new Segmented), m_grid(new ThumbnailGrid), m_atlas(new HeadAtlasView), m_texts(new TextsView), m_legend(new ClassLegend), m_heading(new QLabel), m_rows(new HeadRows), m_exact(new QTimer(this)) {
    m_grid->setObjectName(QStringLiteral("headGrid"));
    m_rows->setObjectName(QStringLiteral("headRows"));
    m_heading->setObjectName(QStringLiteral("rowsHeading"));
    m_heading->setTextFormat(Qt::RichText);
    m_heading->setWordWrap(true);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, theme::kGrid, 0);
    layout->setSpacing(theme::kGrid);
    layout->addWidget(m_view, 0, Qt::AlignLeft);
    layout->addWidget(m_grid);
    layout->addWidget(m_atlas);
    layout->addWidget(m_texts);
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
    connectViews();
    m_exact->setSingleShot(true);
    m_exact->setInterval(kPause);
    connect(m_exact, &QTimer::timeout, this, [this] {
        const std::vector<JobInfo> jobs = m_session->compute().jobs();
        const bool wanted = std::any_of(jobs.begin(), jobs.end(), [](const JobInfo& job) { return !job.isLong(); });
        if (wanted) return m_exact->start(kPause);
        loadPiece(m_nextPiece);
    });
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
        m_atlas->setMeasures({});
        m_measuredQuery = -1;
    }
    planPieces();
    loadPiece(0);
    if (newMaps) loadMeasures();
}

void HeadsPanel::clear() {
    m_exact->stop();
    m_pieces.clear();
    m_growing.clear();
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
    m_atlas->setMeasures({});
    m_texts->setMessage(tr("Places appear here as soon as the text is read."));
    fillLegend();
    heading();
}

std::int64_t HeadsPanel::cellsPerPixel() const { return std::max<std::int64_t>(1, (m_length + kPixels - 1) / kPixels); }

/// The layer that is looked at comes first.
void HeadsPanel::planPieces() {
    std::vector<std::int64_t> order{m_selected.first};
    for (std::int64_t layer = 0; layer < m_layers; ++layer)
        if (layer != m_selected.first) order.push_back(layer);
    m_exact->stop();
    m_pieces.clear();
    m_growing.clear();
    const std::int64_t cells = cellsPerPixel(), rows = (m_length + cells - 1) / cells;
    const bool direct = m_length <= kDirectLength;
    const std::int64_t band = direct ? rows : std::max<std::int64_t>(1, kBandQueries / cells);
    if (!direct)
        for (const std::int64_t layer : order) m_pieces.push_back({layer, true, 0, rows});
    if (m_length > kLongestExact) return;
    for (const std::int64_t layer : order)
        for (std::int64_t row = 0; row < rows; row += band) m_pieces.push_back({layer, false, row, std::min(band, rows - row)});
}

void HeadsPanel::loadPiece(std::size_t place) {
    m_nextPiece = place;
    if (place >= m_pieces.size() || !m_maps) return;
    const Piece piece = m_pieces[place];
    lw::TileRequest request;
    request.layer = piece.layer;
    request.part = m_part;
    request.queries = {piece.firstRow * cellsPerPixel(), std::min(m_length, (piece.firstRow + piece.rows) * cellsPerPixel())};
    request.keys = {0, m_length};
    request.max_rows = piece.rows;
    request.max_columns = kPixels;
    request.sampled = piece.sampled;
    m_session->compute().run<std::vector<lw::MapTile>>(
        QStringLiteral("thumbnails"), [maps = m_maps, request](const lw::RunContext& context) { return maps->tiles(request, context); }, this,
        [this, place, piece](lw::Result<std::vector<lw::MapTile>> tiles) {
            if (!tiles.ok()) {
                if (tiles.error().kind != lw::ErrorKind::cancelled) m_session->report(tiles.error(), tr("Drawing the heads"));
                return;
            }
            takePiece(piece, std::move(tiles).value());
            m_nextPiece = place + 1;
            const bool quick = m_nextPiece < m_pieces.size() && (m_pieces[m_nextPiece].sampled || m_length <= kDirectLength);
            if (quick) loadPiece(m_nextPiece);
            else if (m_nextPiece < m_pieces.size()) m_exact->start(piece.sampled ? kPause : 0);
        });
}

/// A whole picture is shown; a band is kept until its picture is whole.
void HeadsPanel::takePiece(const Piece& piece, std::vector<lw::MapTile> tiles) {
    const std::int64_t cells = cellsPerPixel(), rows = (m_length + cells - 1) / cells;
    const bool first = piece.firstRow == 0, last = piece.firstRow + piece.rows >= rows;
    for (lw::MapTile& tile : tiles) {
        const HeadKey head{tile.layer, tile.head};
        if (first && last) {
            m_tiles[head] = std::move(tile);
            continue;
        }
        if (first) m_growing[head] = emptyPicture(tile, m_length, rows, static_cast<double>(cells));
        addBand(m_growing[head], tile);
        if (last) m_tiles[head] = std::move(m_growing[head]);
    }
    if (!last) return;
    recolour();
    Q_EMIT tilesChanged();
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
    m_atlas->setMeasures(measures);
    fillLegend();
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
    m_atlas->setSelected(layer, head);
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
        const auto shown = [](const lw::CellRange& range, std::int64_t pixels, double cells) { return std::min(1.0, static_cast<double>(range.size()) / (static_cast<double>(pixels) * cells)); };
        m_grid->setImage(head.first, head.second, colourImage(tile.values, tile.rows, tile.columns, scale, masked),
                         {shown(tile.keys, tile.columns, tile.cells_per_column), shown(tile.queries, tile.rows, tile.cells_per_row)});
    }
}

void HeadsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    recolour();
    heading();
}

}  // namespace lw::ui
