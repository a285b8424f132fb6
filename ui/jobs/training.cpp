/// See training.h. Hooks run on the compute thread and only post; everything else is on the window thread.
#include "ui/jobs/training.h"

namespace lw::ui {

Training::Training(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    m_logBox = Mailbox<std::vector<lw::LogPoint>>::create(&session->compute(), this, [this](const std::vector<lw::LogPoint>& more) {
        m_log.insert(m_log.end(), more.begin(), more.end());
        Q_EMIT logGrown();
    });
    m_mapBox = Mailbox<std::optional<lw::MapTile>>::create(&session->compute(), this, [this](std::optional<lw::MapTile> tile) {
        m_map = std::move(tile);
        Q_EMIT mapChanged();
    });
}

void Training::start(const lw::Recipe& recipe, bool evaluateAfter) {
    const QString name = QString::fromStdString(recipe.name.empty() ? recipe.scheme.name : recipe.name);
    queue(
        tr("Training %1").arg(name),
        [recipe, workspace = m_session->workspace()](const lw::RunContext& context, const lw::TrainHooks& hooks) {
            return lw::train(recipe, workspace, context, hooks);
        },
        evaluateAfter);
}

void Training::resume(const RunEntry& run, bool evaluateAfter) {
    queue(
        tr("Training %1").arg(run.title()),
        [folder = run.info.folder](const lw::RunContext& context, const lw::TrainHooks& hooks) { return lw::resume(folder, context, hooks); },
        evaluateAfter);
}

void Training::queue(const QString& title, Work work, bool evaluateAfter) {
    lw::TrainHooks hooks;
    const QPointer<QObject> self(this);  // copied, never looked at, on the compute thread
    ComputeThread* compute = &m_session->compute();
    hooks.on_start = [this, self, compute](const lw::RunInfo& run) { compute->post(self, [this, run] { begin(run); }); };
    hooks.on_log = [box = m_logBox](const lw::LogPoint& point) {
        box->change([&](std::vector<lw::LogPoint>& held) { held.push_back(point); });
    };
    hooks.on_map = [box = m_mapBox](const lw::MapTile& tile) { box->put(tile); };
    hooks.live_map = [live = m_live] {
        const std::lock_guard lock(live->mutex);
        return live->request;
    };
    compute->enqueue<lw::RunInfo>(
        title, [work = std::move(work), hooks](const lw::RunContext& context) { return work(context, hooks); }, this,
        [this, title, evaluateAfter](lw::Result<lw::RunInfo> run) { finish(title, std::move(run), evaluateAfter); });
}

void Training::begin(const lw::RunInfo& run) {
    m_running = 0;
    for (const JobInfo& job : m_session->compute().jobs())
        if (job.isLong() && job.state != JobState::queued) m_running = job.id;
    m_stopping = false;
    m_run = run;
    m_log.clear();
    m_map.reset();
    m_session->reloadRuns();
    Q_EMIT started();
}

void Training::stop() {
    if (m_running == 0) return;
    m_stopping = true;
    m_session->compute().cancel(m_running);
}

void Training::finish(const QString& title, lw::Result<lw::RunInfo> run, bool evaluateAfter) {
    m_logBox->flush();
    m_mapBox->flush();
    m_running = 0;
    m_stopping = false;
    const bool good = run.ok();
    if (good) {
        m_run = run.value();
        const QString key = QString::fromStdString(m_run.folder.string());
        m_session->reloadRuns(key);
        if (evaluateAfter && m_run.status == "finished") {
            m_session->evaluateFolder(m_run.folder, QString::fromStdString(m_run.title));
            m_session->showPage(PageId::curves);
        }
    } else {
        m_session->report(run.error(), title);
        m_session->reloadRuns();
    }
    Q_EMIT ended(good);
}

void Training::setLiveMap(const lw::LiveMapRequest& request) {
    const std::lock_guard lock(m_live->mutex);
    m_live->request = request;
}

lw::LiveMapRequest Training::liveMapRequest() const {
    const std::lock_guard lock(m_live->mutex);
    return m_live->request;
}

}  // namespace lw::ui
