/// See studies_matrix.h.
#include "ui/pages/studies_matrix.h"

#include "ui/panels/quiet_headers.h"
#include "ui/theme.h"

#include <QContextMenuEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kGap = 3;      // around a tile
constexpr int kRadius = 4;
constexpr int kTileWidth = 112;
constexpr int kNamedWidth = 200;  // at most, of a column under which others of its setting follow

QColor toneColour(CellLook::Tone tone, const QPalette& palette) {
    switch (tone) {
        case CellLook::Tone::busy: return theme::accent(palette);
        case CellLook::Tone::done: return theme::good(palette);
        case CellLook::Tone::bad: return theme::error(palette);
        case CellLook::Tone::quiet: break;
    }
    return theme::secondaryText(palette);
}

/// A calm ground with a bar for what is done of it, then glyph and words in the colour of text.
class TileDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const auto* model = static_cast<const StudyModel*>(index.model());
        if (model->cell(index) == nullptr) return;
        const CellLook look = model->look(index);
        const QPalette& palette = option.palette;
        const QRectF tile = QRectF(option.rect).adjusted(kGap, kGap, -kGap, -kGap);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        paintGround(painter, tile, look, palette);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(QPen(theme::accent(palette), 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRoundedRect(tile, kRadius, kRadius);
        }
        QRect text = tile.toRect().adjusted(8, 0, -8, 0);
        painter->setFont(theme::tabular());
        painter->setPen(toneColour(look.tone, palette));
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, look.glyph);
        text.setLeft(text.left() + painter->fontMetrics().horizontalAdvance(QStringLiteral("▶")) + 6);
        painter->setPen(look.tone == CellLook::Tone::quiet ? theme::secondaryText(palette) : theme::text(palette));
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(look.text, Qt::ElideRight, text.width()));
        painter->restore();
    }

private:
    static void paintGround(QPainter* painter, const QRectF& tile, const CellLook& look, const QPalette& palette) {
        QColor ground = toneColour(look.tone, palette);
        ground.setAlphaF(look.tone == CellLook::Tone::quiet ? 0.06F : 0.13F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(tile, kRadius, kRadius);
        if (look.share < 0) return;
        QRectF bar(tile.left() + 4, tile.bottom() - 4, (tile.width() - 8) * look.share, 2);
        painter->fillRect(bar, toneColour(look.tone, palette));
    }
};

}  // namespace

void StudyModel::setStudy(const StudyLoaded& loaded, const StudyLive& live) {
    const StudyGrid grid = studyGrid(loaded.status);
    const bool alike = grid.rows == m_grid.rows && grid.cells == m_grid.cells &&
                       std::equal(grid.columns.begin(), grid.columns.end(), m_grid.columns.begin(), m_grid.columns.end(), [](const StudyColumn& a, const StudyColumn& b) { return a.setting == b.setting && a.seed == b.seed; });
    if (!alike) beginResetModel();
    m_loaded = loaded;
    m_live = live;
    m_grid = grid;
    // The same matrix keeps its selection.
    if (!alike) endResetModel();
    else if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void StudyModel::setLive(const StudyLive& live) {
    m_live = live;
    if (rowCount() > 0 && columnCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const lw::StudyCell* StudyModel::cell(const QModelIndex& index) const {
    if (!index.isValid()) return nullptr;
    const int cell = m_grid.cells[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    return cell < 0 ? nullptr : &m_loaded.status.cells[static_cast<std::size_t>(cell)];
}

CellLook StudyModel::look(const QModelIndex& index) const {
    const lw::StudyCell* found = cell(index);
    return found == nullptr ? CellLook{} : cellLook(*found, m_live, m_loaded.numbers);
}

QModelIndex StudyModel::indexOf(const std::string& id) const {
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column)
            if (const lw::StudyCell* found = cell(index(row, column)); found != nullptr && found->id == id) return index(row, column);
    return {};
}

int StudyModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_grid.rows.size()); }
int StudyModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_grid.columns.size()); }

QVariant StudyModel::data(const QModelIndex& index, int role) const {
    const lw::StudyCell* found = cell(index);
    if (found == nullptr) return {};
    if (role == Qt::DisplayRole) return look(index).text;
    if (role == Qt::ToolTipRole) return QStringLiteral("%1\n%2").arg(cellName(*found), look(index).help);
    if (role == Qt::AccessibleTextRole) return QStringLiteral("%1: %2").arg(cellName(*found), look(index).help);
    return {};
}

QVariant StudyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Vertical) {
        if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
        return role == Qt::DisplayRole && at < m_grid.rows.size() ? QVariant(m_grid.rows[at]) : QVariant();
    }
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (at >= m_grid.columns.size() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const StudyColumn& column = m_grid.columns[at];
    const QString seed = tr("seed %1").arg(column.seed);
    if (role == Qt::ToolTipRole) return QStringLiteral("%1, %2").arg(column.setting, seed);
    if (m_grid.oneSetting()) return seed;  // the page's title says which
    const bool named = section == 0 || m_grid.columns[at - 1].setting != column.setting;
    return QStringLiteral("%1\n%2").arg(named ? column.setting : QString(), seed);
}

Qt::ItemFlags StudyModel::flags(const QModelIndex& index) const { return cell(index) == nullptr ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren; }

StudyMatrix::StudyMatrix(QWidget* parent) : QTableView(parent), m_model(new StudyModel(this)) {
    setObjectName(QStringLiteral("studyMatrix"));
    setAccessibleName(tr("Runs of the study"));
    setModel(m_model);
    setItemDelegate(new TileDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->setTextElideMode(Qt::ElideRight);
    connect(this, &QTableView::activated, this, &StudyMatrix::opened);
    arrange();
}

void StudyMatrix::setStudy(const StudyLoaded& loaded, const StudyLive& live) {
    const lw::StudyCell* before = currentCell();
    const std::string chosen = before != nullptr ? before->id : std::string();
    m_model->setStudy(loaded, live);
    if (currentCell() == nullptr || currentCell()->id != chosen) setCurrentIndex(m_model->indexOf(chosen));
    arrange();
    Q_EMIT cellChosen();
}

void StudyMatrix::arrange() {
    setQuietHeaders(this);
    verticalHeader()->setDefaultSectionSize(QFontMetrics(theme::body()).height() + 2 * kGap + 14);
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const QStringList lines = m_model->headerData(column, Qt::Horizontal).toString().split(QLatin1Char('\n'));
        int width = std::max(kTileWidth, QFontMetrics(theme::body()).horizontalAdvance(QStringLiteral("▶ 00,000 / 00,000")) + 24);
        const bool alone = column + 1 == m_model->columnCount() || !m_model->headerData(column + 1, Qt::Horizontal).toString().startsWith(QLatin1Char('\n'));
        const int words = QFontMetrics(theme::caption()).horizontalAdvance(lines.front()) + 24;
        width = std::max(width, alone ? words : std::min(words, kNamedWidth));
        setColumnWidth(column, width);
    }
}

void StudyMatrix::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) QMetaObject::invokeMethod(this, [this] { arrange(); }, Qt::QueuedConnection);
}

/// By the mouse for the cell under it; by the keyboard for the current one.
void StudyMatrix::contextMenuEvent(QContextMenuEvent* event) {
    const bool mouse = event->reason() == QContextMenuEvent::Mouse;
    if (mouse) setCurrentIndex(indexAt(viewport()->mapFromGlobal(event->globalPos())));
    if (currentCell() == nullptr) return;
    Q_EMIT menuRequested(mouse ? event->globalPos() : viewport()->mapToGlobal(visualRect(currentIndex()).center()));
}

void StudyMatrix::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
    QTableView::currentChanged(current, previous);
    Q_EMIT cellChosen();
}

}  // namespace lw::ui
