/// See session.h: choices and the list of runs. Colours and deleted runs are in session_runs.cpp, maps in session_maps.cpp, evaluations in session_evaluations.cpp.
#include "ui/session.h"

#include "core/api/doctor.h"
#include "ui/plot/run_styles.h"

#include <QThread>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw::ui {

namespace {

constexpr int kRecent = 8;

QString pathText(const std::filesystem::path& path) { return QString::fromStdString(path.string()); }

struct RunsRead {
    std::vector<lw::RunInfo> demo;
    lw::RunList list;
    lw::PresetList presets;
};

/// The window keeps one core for itself.
void prepareComputing() { lw::initialise(qMax(1, QThread::idealThreadCount() - 1)); }

}  // namespace

double RunEntry::bestPerplexity() const { return info.best_loss > 0 ? std::exp(info.best_loss) : 0; }

Session::Session(const SessionOptions& options, QObject* parent)
    : QObject(parent), m_workspace(options.workspace), m_demo(options.demo), m_presets(lw::scheme_presets()), m_compute(std::make_unique<ComputeThread>(options.mode, prepareComputing)) {
    if (options.settingsFile.isEmpty()) {
        m_settings = std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("lengthwise"),
                                                 QStringLiteral("lengthwise"));
    } else {
        m_settings = std::make_unique<QSettings>(options.settingsFile, QSettings::IniFormat);
    }
    restore();
}

Session::~Session() {
    m_compute->cancelAll();
    m_compute.reset();
}

/// Choices of last time. Values are checked where they are used: a file edited by hand must not hurt.
void Session::restore() {
    if (m_workspace.empty()) {
        const QString last = m_settings->value(QStringLiteral("workspace")).toString();
        m_workspace = last.isEmpty() ? lw::default_workspace() : std::filesystem::path(last.toStdString());
    }
    m_currentRun = m_settings->value(QStringLiteral("choice/run")).toString();
    m_layer = qMax<qint64>(0, m_settings->value(QStringLiteral("choice/layer"), 0).toLongLong());
    m_head = qMax<qint64>(0, m_settings->value(QStringLiteral("choice/head"), 0).toLongLong());
    m_query = qMax<qint64>(-1, m_settings->value(QStringLiteral("choice/query"), -1).toLongLong());
    m_step = qMax<qint64>(-1, m_settings->value(QStringLiteral("choice/step"), -1).toLongLong());
    m_text.length = std::clamp<qint64>(m_settings->value(QStringLiteral("choice/length"), 512).toLongLong(), 2, 65536);
    m_text.document = m_settings->value(QStringLiteral("choice/document")).toString().toStdString();
    m_text.offset = qMax<qint64>(0, m_settings->value(QStringLiteral("choice/offset"), 0).toLongLong());
    m_text.text = m_settings->value(QStringLiteral("choice/text")).toString().toStdString();
    const auto part = lw::parse_score_part(m_settings->value(QStringLiteral("choice/part")).toString().toStdString());
    if (part.ok()) m_part = part.value();
}

void Session::setWorkspace(const std::filesystem::path& folder) {
    if (folder == m_workspace) return;
    m_workspace = folder;
    m_settings->setValue(QStringLiteral("workspace"), pathText(folder));
    QStringList recent = recentWorkspaces();
    recent.removeAll(pathText(folder));
    recent.prepend(pathText(folder));
    m_settings->setValue(QStringLiteral("recentWorkspaces"), QStringList(recent.mid(0, kRecent)));
    Q_EMIT workspaceChanged();
    reloadRuns();
}

QStringList Session::recentWorkspaces() const { return m_settings->value(QStringLiteral("recentWorkspaces")).toStringList(); }

const RunEntry* Session::findRun(const QString& key) const {
    for (const RunEntry& run : m_runs)
        if (run.key == key) return &run;
    return nullptr;
}

std::vector<const RunEntry*> Session::shownRuns() const {
    std::vector<const RunEntry*> list;
    for (const RunEntry& run : m_runs)
        if (run.shown) list.push_back(&run);
    return list;
}

void Session::setShown(const QStringList& keys, bool shown) {
    bool changed = false;
    for (RunEntry& run : m_runs) {
        if (!keys.contains(run.key) || run.shown == shown) continue;
        run.shown = shown;
        changed = true;
        m_settings->setValue(QStringLiteral("shown/") + run.group + QStringLiteral("-%1").arg(run.info.recipe.seed), shown);
    }
    if (changed) Q_EMIT shownRunsChanged();
}

void Session::setShownOnly(const QStringList& keys) {
    for (RunEntry& run : m_runs) {
        run.shown = keys.contains(run.key);
        m_settings->setValue(QStringLiteral("shown/") + run.group + QStringLiteral("-%1").arg(run.info.recipe.seed), run.shown);
    }
    Q_EMIT shownRunsChanged();
}

void Session::reloadRuns(const QString& select) {
    m_compute->run<RunsRead>(
        QStringLiteral("runs"),
        [workspace = m_workspace, demo = m_demo](const lw::RunContext&) -> lw::Result<RunsRead> {
            RunsRead read;
            if (demo) read.demo = lw::demo_runs();
            read.presets = lw::scheme_presets(workspace);
            std::error_code ignored;
            if (!std::filesystem::is_directory(workspace, ignored)) return read;  // nothing was trained yet
            auto list = lw::list_runs(workspace);
            if (!list.ok()) {
                read.list.problems.push_back(list.error().message);
                return read;
            }
            read.list = std::move(list).value();
            return read;
        },
        this,
        [this, select](lw::Result<RunsRead> read) {
            if (!read.ok()) return report(read.error(), tr("Reading the workspace"));
            RunsRead value = std::move(read).value();
            auto& problems = value.list.problems;
            problems.insert(problems.end(), value.presets.problems.begin(), value.presets.problems.end());
            adoptPresets(std::move(value.presets.presets));
            adoptRuns(std::move(value.demo), std::move(value.list), select);
        });
}

void Session::adoptRuns(std::vector<lw::RunInfo> demo, lw::RunList list, const QString& select) {
    std::vector<lw::RunInfo> all = std::move(demo);
    all.insert(all.end(), std::make_move_iterator(list.runs.begin()), std::make_move_iterator(list.runs.end()));
    const QString before = currentRun() != nullptr ? m_currentRun : QString();
    const std::vector<int> styles = stylesOf(all);
    std::vector<RunEntry> runs;
    for (std::size_t r = 0; r < all.size(); ++r) {
        RunEntry run;
        run.key = pathText(all[r].folder);
        run.group = QString::fromStdString(seedGroup(all[r]));
        run.info = std::move(all[r]);
        run.style = styles[r];
        const QString shownKey = QStringLiteral("shown/") + run.group + QStringLiteral("-%1").arg(run.info.recipe.seed);
        run.shown = run.key == select || m_settings->value(shownKey, true).toBool();
        findEvaluations(run);
        runs.push_back(std::move(run));
    }
    m_runs = std::move(runs);
    if (findRun(select)) {
        m_currentRun = select;
        m_settings->setValue(QStringLiteral("choice/run"), select);
    }
    // At the first start the richest picture comes first: the first run of text that adapts its bias, else the first of text, else the first.
    if (!currentRun() && !m_runs.empty()) {
        const auto adapts = [](const RunEntry& run) { return !run.isTask() && run.info.recipe.scheme.slots.contains("adaptive"); };
        auto found = std::find_if(m_runs.begin(), m_runs.end(), adapts);
        if (found == m_runs.end()) found = std::find_if(m_runs.begin(), m_runs.end(), [](const RunEntry& run) { return !run.isTask(); });
        m_currentRun = (found == m_runs.end() ? m_runs.front() : *found).key;
    }
    Q_EMIT runsChanged();
    Q_EMIT shownRunsChanged();
    if (m_currentRun != before || !select.isEmpty()) {
        if (m_currentRun != before && !before.isEmpty()) m_step = -1;
        markMapsStale();
        Q_EMIT currentRunChanged();
    }
    // The list is read often; a folder that cannot be read is named once.
    if (std::exchange(m_problems, list.problems) == list.problems || list.problems.empty()) return;
    QStringList lines;
    for (const std::string& problem : list.problems) lines << QString::fromStdString(problem);
    report({lw::ErrorKind::corrupt_file, lines.join(QLatin1Char('\n')).toStdString()}, tr("Reading the workspace"));
}

void Session::setCurrentRun(const QString& key) {
    if (key == m_currentRun || !findRun(key)) return;
    m_currentRun = key;
    m_step = -1;
    m_detailsRun.reset();
    m_settings->setValue(QStringLiteral("choice/run"), key);
    m_settings->remove(QStringLiteral("choice/step"));
    markMapsStale();
    Q_EMIT currentRunChanged();
}

void Session::setLength(std::int64_t length) {
    if (length < 2 || length == m_text.length) return;
    lw::TextRequest text = m_text;
    text.length = length;
    setTextRequest(text);
}

void Session::setTextRequest(const lw::TextRequest& text) {
    const bool lengthMoved = text.length != m_text.length;
    m_text = text;
    m_settings->setValue(QStringLiteral("choice/length"), static_cast<qint64>(text.length));
    m_settings->setValue(QStringLiteral("choice/document"), QString::fromStdString(text.document));
    m_settings->setValue(QStringLiteral("choice/offset"), static_cast<qint64>(text.offset));
    m_settings->setValue(QStringLiteral("choice/text"), QString::fromStdString(text.text));
    setQuery(-1);
    markMapsStale();
    if (lengthMoved) Q_EMIT lengthChanged(text.length);
    Q_EMIT textRequestChanged();
}

void Session::setHead(std::int64_t layer, std::int64_t head) {
    if (layer == m_layer && head == m_head) return;
    m_layer = layer;
    m_head = head;
    m_settings->setValue(QStringLiteral("choice/layer"), static_cast<qint64>(layer));
    m_settings->setValue(QStringLiteral("choice/head"), static_cast<qint64>(head));
    Q_EMIT headChanged(layer, head);
}

void Session::setQuery(std::int64_t query) {
    if (query == m_query) return;
    m_query = query;
    m_settings->setValue(QStringLiteral("choice/query"), static_cast<qint64>(query));
    Q_EMIT queryChanged(query);
}

void Session::setStep(std::int64_t step) {
    if (step == m_step) return;
    m_step = step;
    m_settings->setValue(QStringLiteral("choice/step"), static_cast<qint64>(step));
    markMapsStale();
}

void Session::setPart(lw::ScorePart part) {
    if (part == m_part) return;
    m_part = part;
    m_settings->setValue(QStringLiteral("choice/part"), QString::fromLatin1(lw::score_part_name(part)));
    Q_EMIT partChanged();
}

void Session::setDetails(const QString& key, const DetailSection& section) {
    if (section.empty()) {
        if (m_details.erase(key) == 0) return;
    } else {
        m_details[key] = section;
    }
    Q_EMIT detailsChanged();
}

void Session::setDetailsRun(const std::optional<QString>& key) {
    if (key == m_detailsRun) return;
    m_detailsRun = key;
    Q_EMIT detailsRunChanged();
}

void Session::report(const lw::Error& error, const QString& context) {
    if (error.kind == lw::ErrorKind::cancelled || ofDeletedRun(error)) return;  // the person asked for it
    Q_EMIT errorReported(error, context);
}

void Session::notice(const QString& text) { Q_EMIT noticeGiven(text); }

}  // namespace lw::ui
