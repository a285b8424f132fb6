/// See curves_table.h.
#include "ui/pages/curves_table.h"

#include "ui/pages/curves_evaluate.h"
#include "ui/plot/number_text.h"
#include "ui/plot/run_mark.h"
#include "ui/theme.h"

#include <QGuiApplication>
#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QPixmap>
#include <QStyledItemDelegate>

#include <algorithm>
#include <cmath>
#include <set>

namespace lw::ui {

namespace {

/// A piece of the line before its name, a hairline under each row, and nothing else.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QPalette& palette = option.palette;
        if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, theme::selection(palette));
        painter->setPen(theme::line(palette));
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        QRect text = option.rect.adjusted(6, 0, -6, 0);
        const QVariant style = index.data(Qt::DecorationRole);
        if (style.isValid()) {
            paintRunMark(painter, QRect(text.left(), text.center().y() - kRunMark.height() / 2, kRunMark.width(), kRunMark.height()), style.toInt(), palette);
            text.setLeft(text.left() + kRunMark.width() + 6);
        }
        const QVariant font = index.data(Qt::FontRole);
        painter->setFont(font.isValid() ? font.value<QFont>() : option.font);
        painter->setPen(theme::text(palette));
        const auto align = index.data(Qt::TextAlignmentRole).value<Qt::Alignment>();
        painter->drawText(text, static_cast<int>(align), painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
    }
};

QString seedsText(std::int64_t seeds) { return seeds == 1 ? CurvesModel::tr("1 seed") : CurvesModel::tr("%1 seeds").arg(seeds); }

QString nameOf(const CurvesLoaded& loaded, std::size_t row) {
    QString name = loaded.content.series[row].title;
    if (row < loaded.set.lines.size() && loaded.set.lines[row].seeds > 1) name += QStringLiteral(" · ") + seedsText(loaded.set.lines[row].seeds);
    return name;
}

int groupOf(const CurvesLoaded& loaded, std::size_t row) { return row < loaded.group.size() ? loaded.group[row] : 0; }

std::optional<std::size_t> pointAt(const CurveSeries& series, double length) {
    const auto at = std::find(series.x.begin(), series.x.end(), length);
    if (at == series.x.end()) return std::nullopt;
    return static_cast<std::size_t>(at - series.x.begin());
}

}  // namespace

void CurvesModel::setContent(const CurvesLoaded& loaded) {
    beginResetModel();
    m_loaded = loaded;
    std::set<double> lengths;
    for (std::size_t row = 0; row < rows(); ++row) lengths.insert(loaded.content.series[row].x.begin(), loaded.content.series[row].x.end());
    m_lengths.assign(lengths.begin(), lengths.end());
    endResetModel();
}

void CurvesModel::setReference(const ReferenceTable& table, std::optional<std::int64_t> length) {
    beginResetModel();
    m_reference = table;
    m_referenceLength = table.reference.isEmpty() || !tested() ? std::nullopt : length;
    endResetModel();
}

int CurvesModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(rows()); }

int CurvesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 1 + static_cast<int>(m_lengths.size()) + (m_referenceLength ? 1 : 0);
}

bool CurvesModel::lowest(std::size_t row, double value, double length) const {
    std::size_t others = 0;
    for (std::size_t other = 0; other < rows(); ++other) {
        if (other == row || groupOf(m_loaded, other) != groupOf(m_loaded, row)) continue;
        ++others;
        const CurveSeries& series = m_loaded.content.series[other];
        if (const auto i = pointAt(series, length); i && series.y[*i] < value) return false;
    }
    return others > 0;
}

bool CurvesModel::tested() const {
    return std::any_of(m_reference.cells.begin(), m_reference.cells.end(), [](const auto& cell) { return cell.second.welch_p >= 0; });
}

bool CurvesModel::sortedBy(std::size_t column) const { return rows() > 1 && column + 1 == m_lengths.size(); }

QVariant CurvesModel::cell(const CurveSeries& series, std::size_t row, double length, int role) const {
    const auto i = pointAt(series, length);
    if (!i) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    const double value = series.y[*i];
    if (role == Qt::DisplayRole) return std::isfinite(value) ? numberText(value, value < 10000 ? 1 : 0) : numberText(value, 0);
    if (role == Qt::FontRole && lowest(row, value, length)) {
        QFont font = theme::tabular();
        font.setBold(true);
        return font;
    }
    if (role == Qt::ToolTipRole && series.hasIntervals()) {
        const lw::CurveLine* line = row < m_loaded.set.lines.size() ? &m_loaded.set.lines[row] : nullptr;
        QString text = QStringLiteral("%1 %2").arg(estimateText(value, series.low[*i], series.high[*i]), intervalText(series.low[*i], series.high[*i]));
        if (line) text += QStringLiteral("\n%1").arg(QString::fromStdString(line->band));
        if (line && *i < line->tokens.size()) text += QStringLiteral("\n") + tr("%1 scored tokens").arg(integerText(std::llround(line->tokens[*i])));
        return text;
    }
    return {};
}

QVariant CurvesModel::test(std::size_t row, int role) const {
    const std::string key = lineKey(m_loaded.set.lines[row]);
    const auto found = m_reference.cells.find({key, *m_referenceLength});
    if (found == m_reference.cells.end()) {
        const auto problem = m_reference.problems.find(key);
        if (role == Qt::ToolTipRole && problem != m_reference.problems.end()) return problem->second;
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    }
    const lw::Comparison& c = found->second;
    if (role == Qt::ToolTipRole) return QString::fromStdString(c.sentence);
    if (role != Qt::DisplayRole) return {};
    if (c.welch_p < 0) return seedsText(std::min(c.seeds_a, c.seeds_b));
    return c.welch_p < 0.001 ? QStringLiteral("< 0.001") : numberText(c.welch_p, c.welch_p < 0.1 ? 3 : 2);
}

QVariant CurvesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const CurveSeries& series = m_loaded.content.series[row];
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight)));
    if (index.column() == 0) {
        if (role == Qt::DisplayRole) return nameOf(m_loaded, row);
        if (role == Qt::DecorationRole) return series.style;
        return {};
    }
    const auto column = static_cast<std::size_t>(index.column() - 1);
    return column < m_lengths.size() ? cell(series, row, m_lengths[column], role) : test(row, role);
}

QVariant CurvesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section == 0 ? Qt::AlignLeft : Qt::AlignRight)));
    const auto column = static_cast<std::size_t>(section - 1);
    if (role == Qt::ToolTipRole && section > 0 && sortedBy(column)) return tr("Lowest first at this length; lines that end earlier come after.");
    if (role == Qt::ToolTipRole && section > 0 && column >= m_lengths.size())
        return tr("Welch's t test over seeds against %1 at %2 tokens, this comparison alone: not corrected for how many are looked at, as a study's report is. "
                  "A right click on a line makes it the reference.").arg(m_reference.reference, integerText(m_referenceLength.value_or(0)));
    if (role != Qt::DisplayRole) return {};
    if (section == 0) return countsKeyTokens(QString::fromStdString(m_loaded.set.protocol)) ? QString::fromStdString(m_loaded.set.y_label) : tr("Perplexity");
    if (column < m_lengths.size()) return integerText(std::llround(m_lengths[column])) + (sortedBy(column) ? QStringLiteral(" ▴") : QString());
    if (m_brief) return tr("p, %1").arg(integerText(m_referenceLength.value_or(0)));
    return tr("p against %1, %2").arg(m_reference.reference, integerText(m_referenceLength.value_or(0)));
}

void CurvesModel::setBrief(bool brief) {
    if (brief == std::exchange(m_brief, brief) || columnCount() == 0) return;
    Q_EMIT headerDataChanged(Qt::Horizontal, columnCount() - 1, columnCount() - 1);
}

QString CurvesModel::text() const {
    QString text = tr("Line");
    for (const double length : m_lengths) text += QStringLiteral("\t%1\t%1 low\t%1 high").arg(std::llround(length));
    for (std::size_t row = 0; row < rows(); ++row) {
        const CurveSeries& series = m_loaded.content.series[row];
        text += QLatin1Char('\n') + nameOf(m_loaded, row);
        for (const double length : m_lengths) {
            const auto i = pointAt(series, length);
            const auto number = [&](const std::vector<double>& values) { return i && *i < values.size() ? QString::number(values[*i], 'g', 8) : QString(); };
            text += QStringLiteral("\t%1\t%2\t%3").arg(number(series.y), number(series.low), number(series.high));
        }
    }
    return text;
}

CurvesTable::CurvesTable(QWidget* parent) : QTableView(parent) {
    setObjectName(QStringLiteral("curvesTable"));
    setItemDelegate(new RowDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setFont(theme::tabular());
    verticalHeader()->hide();
    horizontalHeader()->setSectionsClickable(false);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setFont(theme::caption());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    arrange();
}

void CurvesTable::arrange() {
    // The program's palette: a sheet's own background would come back as this widget's, and a changed look never be seen.
    const QPalette colours = QApplication::palette();
    const QString line = theme::line(colours).name(), quiet = theme::secondaryText(colours).name(), ground = theme::surface(colours).name();
    const QString sheet = QStringLiteral("QTableView { background: %3; } QHeaderView { background: %3; } QHeaderView::section { background: %3; color: %2; border: 0; border-bottom: 1px solid %1; padding: 3px 6px; }").arg(line, quiet, ground);
    if (sheet != styleSheet()) setStyleSheet(sheet);  // setting one changes the palette, which arranges again
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    if (!model()) return;
    auto* curves = qobject_cast<CurvesModel*>(model());
    int used = 0;
    for (const bool brief : {false, true}) {
        if (curves != nullptr) curves->setBrief(brief);
        used = fitColumns();
        if (used <= viewport()->width()) break;
    }
    // What is left over is shared by the columns of numbers, so that they stand evenly under the plot.
    const int columns = model()->columnCount();
    const int left = viewport()->width() - used;
    for (int c = 1; left > 0 && c < columns; ++c) setColumnWidth(c, columnWidth(c) + left / (columns - 1));
    updateGeometry();
}

/// The width of all columns.
int CurvesTable::fitColumns() {
    QFont bold = font();
    bold.setBold(true);
    int used = 0;
    for (int c = 0; c < model()->columnCount(); ++c) {
        int width = QFontMetrics(theme::caption()).horizontalAdvance(model()->headerData(c, Qt::Horizontal).toString()) + 20;
        for (int r = 0; r < model()->rowCount(); ++r) width = std::max(width, QFontMetrics(bold).horizontalAdvance(model()->index(r, c).data().toString()) + (c == 0 ? kRunMark.width() + 24 : 18));
        setColumnWidth(c, width);
        used += width;
    }
    return used;
}

void CurvesTable::setMostRows(int rows) {
    if (rows == m_mostRows) return;
    m_mostRows = rows;
    updateGeometry();
}

QSize CurvesTable::sizeHint() const {
    const int rows = model() ? std::min(model()->rowCount(), m_mostRows) : 0;
    const int extra = model() && model()->rowCount() > m_mostRows ? verticalHeader()->defaultSectionSize() / 2 : 0;
    return {400, horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + extra + 4};
}

void CurvesTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    arrange();
}

void CurvesTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) QMetaObject::invokeMethod(this, [this] { arrange(); }, Qt::QueuedConnection);
}

}  // namespace lw::ui
