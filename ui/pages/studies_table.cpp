/// See studies_table.h.
#include "ui/pages/studies_table.h"

#include "ui/plot/number_text.h"
#include "ui/theme.h"

#include <algorithm>

namespace lw::ui {

namespace {

bool isAccuracy(const lw::StudyTable& table) { return table.measure == "accuracy"; }

/// Over seeds where there are several, else over documents.
std::pair<double, double> intervalOf(const lw::StudyValue& value) {
    if (value.seeds > 1) return {value.low, value.high};
    return {value.document_low, value.document_high};
}

}  // namespace

void StudyTableModel::setTable(const lw::StudyTable& table) {
    beginResetModel();
    m_table = table;
    endResetModel();
}

int StudyTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size()); }
int StudyTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 1 + static_cast<int>(m_table.lengths.size()); }

/// "23.41 [23.1, 23.7] ~"
QString StudyTableModel::numbers(const lw::StudyValue& value, bool published) const {
    const double scale = isAccuracy(m_table) ? 100 : 1;
    const auto [low, high] = intervalOf(value);
    if (published || !(high > low)) return numberText(scale * value.value, value.value < 1000 ? 2 : 0) + (value.near_best ? QStringLiteral(" ~") : QString());
    const QString text = QStringLiteral("%1 %2").arg(estimateText(scale * value.value, scale * low, scale * high), intervalText(scale * low, scale * high));
    return value.near_best ? text + QStringLiteral(" ~") : text;
}

QString StudyTableModel::help(const lw::StudyValue& value, bool published) const {
    if (published) return QString::fromStdString(m_table.published_source);
    const double scale = isAccuracy(m_table) ? 100 : 1;
    QStringList lines;
    if (value.seeds > 1 && value.high > value.low) lines << tr("Interval over %1 seeds: %2").arg(value.seeds).arg(intervalText(scale * value.low, scale * value.high));
    if (value.document_high > value.document_low) lines << tr("Interval over %1: %2").arg(QString::fromStdString(value.units), intervalText(scale * value.document_low, scale * value.document_high));
    if (value.seeds == 1) lines << tr("One seed.");
    if (value.tokens > 0) lines << tr("%1 scored tokens").arg(integerText(value.tokens));
    if (value.best) lines << tr("The best at this length.");
    else if (value.near_best) lines << tr("Not significantly worse than the best at this length.");
    return lines.join(QLatin1Char('\n'));
}

QVariant StudyTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight)));
    const lw::StudyRow& row = m_table.rows[static_cast<std::size_t>(index.row())];
    if (index.column() == 0) return role == Qt::DisplayRole ? QVariant(QString::fromStdString(row.title)) : QVariant();
    const auto column = static_cast<std::size_t>(index.column() - 1);
    const auto& value = column < row.values.size() ? row.values[column] : std::nullopt;
    if (!value) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
    if (role == Qt::DisplayRole) return numbers(*value, row.published);
    if (role == Qt::ToolTipRole) return help(*value, row.published);
    if (role == Qt::FontRole && value->best) {
        QFont font = theme::tabular();
        font.setBold(true);
        return font;
    }
    return {};
}

QVariant StudyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (section == 0 ? Qt::AlignLeft : Qt::AlignRight)));
    if (role != Qt::DisplayRole) return {};
    if (section == 0) return isAccuracy(m_table) ? tr("Accuracy, %") : tr("Perplexity");
    return integerText(m_table.lengths[static_cast<std::size_t>(section - 1)]);
}

QString tableMarks(const lw::StudyTable& table, const lw::StudyReport& report) {
    const auto compared = std::count_if(table.rows.begin(), table.rows.end(), [](const lw::StudyRow& row) { return !row.published; });
    if (compared < 2) return {};
    if (table.test.empty()) return StudyTableModel::tr("Nothing was tested, so that nothing is marked.");
    const double chance = 1 - report.level;
    return StudyTableModel::tr("Bold: the best at its length. ~: not significantly worse than it (%1; p ≥ %2 where there is a p), which is not the same as equal.")
        .arg(QString::fromStdString(table.test), numberText(chance, decimalsFor(chance)));
}

}  // namespace lw::ui
