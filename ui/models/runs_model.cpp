/// See runs_model.h; its words are in runs_words.cpp.
#include "ui/models/runs_model.h"

#include <algorithm>

namespace lw::ui {

namespace {

const QString kOpen = QStringLiteral("runs/open");

}  // namespace

RunsModel::RunsModel(Session* session, QObject* parent) : QAbstractListModel(parent), m_session(session) {
    const QStringList open = session->settings().value(kOpen).toStringList();
    m_open = QSet<QString>(open.begin(), open.end());
    connect(session, &Session::runsChanged, this, [this] { rebuild(); });
    connect(session, &Session::shownRunsChanged, this, [this] {
        if (!m_rows.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    });
    rebuild();
}

void RunsModel::rebuild() {
    beginResetModel();
    fill();
    endResetModel();
}

/// Groups in the order of their first runs.
void RunsModel::fill() {
    m_rows.clear();
    std::vector<Row> groups;
    for (const RunEntry& run : m_session->runs()) {
        auto group = std::find_if(groups.begin(), groups.end(), [&](const Row& row) { return row.group == run.group; });
        if (group == groups.end()) group = groups.insert(groups.end(), Row{Kind::run, {}, run.group});
        group->keys << run.key;
    }
    for (Row& group : groups) {
        if (group.keys.size() > 1) group.kind = Kind::heading;
        m_rows.push_back(group);
        if (group.kind != Kind::heading || !m_open.contains(group.group)) continue;
        for (const QString& key : group.keys) m_rows.push_back({Kind::seed, {key}, group.group});
    }
}

int RunsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }

const RunsModel::Row* RunsModel::rowAt(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() ? &m_rows[static_cast<std::size_t>(index.row())] : nullptr;
}

const RunEntry* RunsModel::entry(const Row& row) const {
    const RunEntry* current = m_session->currentRun();
    return current != nullptr && row.keys.contains(current->key) ? current : m_session->findRun(row.keys.front());
}

std::vector<const RunEntry*> RunsModel::entries(const Row& row) const {
    std::vector<const RunEntry*> runs;
    for (const QString& key : row.keys)
        if (const RunEntry* run = m_session->findRun(key)) runs.push_back(run);
    return runs;
}

/// Below its heading a run is told by its seed, and by its title where that is another one.
QString RunsModel::title(const Row& row) const {
    const RunEntry* run = row.kind == Kind::heading ? m_session->findRun(row.keys.front()) : entry(row);
    if (row.kind != Kind::seed) return run->title();
    const QString text = runSubtitle(*run).section(QStringLiteral(" · "), 1);
    const auto heading = std::find_if(m_rows.begin(), m_rows.end(), [&](const Row& other) { return other.kind == Kind::heading && other.group == row.group; });
    return heading == m_rows.end() || title(*heading) == run->title() ? text : tr("%1 · %2").arg(run->title(), text);
}

QString RunsModel::help(const Row& row) const {
    const RunEntry* run = entry(row);
    const QString line = QString::fromStdString(lw::scheme_line(run->info.recipe.scheme));
    if (row.kind != Kind::heading) return QStringLiteral("%1\n%2\n%3\n%4").arg(line, runSubtitle(*run), perplexityHelp(*run), run->key);
    return QStringLiteral("%1\n%2\n%3").arg(line, seedsSubtitle(entries(row)), perplexityHelp(entries(row)));
}

Qt::CheckState RunsModel::tick(const Row& row) const {
    const std::vector<const RunEntry*> runs = entries(row);
    const auto shown = std::count_if(runs.begin(), runs.end(), [](const RunEntry* run) { return run->shown; });
    return shown == 0 ? Qt::Unchecked : shown == static_cast<std::ptrdiff_t>(runs.size()) ? Qt::Checked : Qt::PartiallyChecked;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const Row* row = rowAt(index);
    if (row == nullptr || entry(*row) == nullptr) return {};
    const bool heading = row->kind == Kind::heading;
    switch (role) {
        case Qt::DisplayRole: return title(*row);
        case Qt::CheckStateRole: return tick(*row);
        case Qt::ToolTipRole:
        case Qt::AccessibleDescriptionRole: return help(*row);
        case KeyRole: return entry(*row)->key;
        case KeysRole: return row->keys;
        case SubtitleRole: return heading ? seedsSubtitle(entries(*row)) : row->kind == Kind::seed ? QString() : runSubtitle(*entry(*row));
        case StyleRole: return entry(*row)->style;
        case ValueRole: return heading ? perplexityText(entries(*row)) : perplexityText(*entry(*row));
        case StatusRole: return QString::fromStdString(entry(*row)->info.status);
        case KindRole: return static_cast<int>(row->kind);
        case OpenRole: return heading && m_open.contains(row->group);
        default: return {};
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const Row* row = rowAt(index);
    if (row == nullptr) return false;
    if (role == OpenRole && row->kind == Kind::heading) {
        setOpen(QString(row->group), value.toBool());
        return true;
    }
    if (role != Qt::CheckStateRole) return false;
    m_session->setShown(QStringList(row->keys), value.toInt() == Qt::Checked);
    return true;
}

void RunsModel::setOpen(const QString& group, bool open) {
    if (open == m_open.contains(group)) return;
    if (open) m_open.insert(group);
    else m_open.remove(group);
    m_session->settings().setValue(kOpen, QStringList(m_open.begin(), m_open.end()));
    rebuild();
    Q_EMIT openChanged();
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemNeverHasChildren;
}

QModelIndex RunsModel::indexOf(const QString& key) const {
    QModelIndex heading;
    for (int r = 0; r < rowCount(); ++r) {
        const Row& row = m_rows[static_cast<std::size_t>(r)];
        if (!row.keys.contains(key)) continue;
        if (row.kind != Kind::heading) return index(r);
        heading = index(r);
    }
    return heading;
}

}  // namespace lw::ui
