/// See runs_model.h.
#include "ui/models/runs_model.h"

#include "ui/plot/number_text.h"

#include <algorithm>

namespace lw::ui {

QString runSubtitle(const RunEntry& run) {
    const auto& recipe = run.info.recipe;
    QString text = RunsModel::tr("L %1 · seed %2").arg(integerText(recipe.training.length)).arg(recipe.seed);
    if (run.info.status == "running") return text + RunsModel::tr(" · step %1").arg(integerText(run.info.step));
    if (run.info.status == "stopped") return text + RunsModel::tr(" · stopped at %1").arg(integerText(run.info.step));
    if (run.info.status == "failed") return text + RunsModel::tr(" · failed");
    return text;
}

/// An extended run has only the loss of the weights it stands on, and a task's loss is no perplexity of a text.
QString perplexityText(const RunEntry& run) {
    if (run.isTask()) return {};
    const double value = run.isExtended() ? 0 : run.bestPerplexity();
    if (value <= 0) return QStringLiteral("–");
    return numberText(value, value < 1000 ? 1 : 0);
}

QString perplexityHelp(const RunEntry& run) {
    if (run.isTask()) return RunsModel::tr("Trained on a task: its accuracy is on the Tasks page");
    if (run.isExtended()) return RunsModel::tr("No validation perplexity of its own: it uses another run's weights");
    return RunsModel::tr("Validation perplexity %1, at best, over windows of the training length").arg(perplexityText(run));
}

RunsModel::RunsModel(Session* session, QObject* parent) : QAbstractListModel(parent), m_session(session) {
    connect(session, &Session::runsChanged, this, [this] { rebuild(); });
    connect(session, &Session::shownRunsChanged, this, [this] {
        if (!m_keys.isEmpty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    });
    rebuild();
}

void RunsModel::rebuild() {
    beginResetModel();
    m_keys.clear();
    QStringList groups;
    for (const RunEntry& run : m_session->runs())
        if (!groups.contains(run.group)) groups << run.group;
    for (const QString& group : groups)
        for (const RunEntry& run : m_session->runs())
            if (run.group == group) m_keys << run.key;
    endResetModel();
}

int RunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_keys.size()); }

const RunEntry* RunsModel::entry(const QModelIndex& index) const {
    return index.isValid() && index.row() < m_keys.size() ? m_session->findRun(m_keys[index.row()]) : nullptr;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunEntry* run = entry(index);
    if (run == nullptr) return {};
    switch (role) {
        case Qt::DisplayRole: return run->title();
        case Qt::CheckStateRole: return run->shown ? Qt::Checked : Qt::Unchecked;
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole: {
            const QString line = QString::fromStdString(lw::scheme_line(run->info.recipe.scheme));
            return QStringLiteral("%1\n%2\n%3\n%4").arg(line, runSubtitle(*run), perplexityHelp(*run), run->key);
        }
        case KeyRole: return run->key;
        case SubtitleRole: return runSubtitle(*run);
        case StyleRole: return run->style;
        case ValueRole: return perplexityText(*run);
        case StatusRole: return QString::fromStdString(run->info.status);
        default: return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const RunEntry* run = entry(index);
    if (run == nullptr || role != Qt::CheckStateRole) return false;
    m_session->setShown(run->key, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

QModelIndex RunsModel::indexOf(const QString& key) const {
    const auto row = m_keys.indexOf(key);
    return row < 0 ? QModelIndex() : index(static_cast<int>(row));
}

}  // namespace lw::ui
