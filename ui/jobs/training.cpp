/// See training.h; the queue that outlives the program is in training_queue.cpp. Hooks run on the compute thread and only post;
/// everything else is on the window thread.
#include "ui/jobs/training.h"

#include <chrono>
#include <thread>

namespace lw::ui {

namespace {
constexpr auto kPausePoll = std::chrono::milliseconds(20);
}

Training::Training(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    m_logBox = Mailbox<std::vector<lw::LogPoint>>::create(&session->compute(), this, [this](const std::vector<lw::LogPoint>& more) {
        m_log.insert(m_log.end(), more.begin(), more.end());
        Q_EMIT logGrown();
    });
    m_mapBox = Mailbox<std::optional<lw::MapTile>>::create(&session->compute(), this, [this](std::optional<lw::MapTile> tile) {
        m_map = std::move(tile);
        Q_EMIT mapChanged();
    });
    readLeftOver();
}

void Training::start(const lw::Recipe& recipe, bool evaluateAfter) {
    const auto item = std::make_shared<Item>();
    item->title = QString::fromStdString(recipe.name.empty() ? recipe.scheme.name : recipe.name);
    item->recipe = lw::recipe_json(recipe);
    item->evaluateAfter = evaluateAfter;
    m_waiting.push_back(item);
    saveQueue();
    queue(item, [recipe, workspace = m_session->workspace()](const lw::RunContext& context, const lw::TrainHooks& hooks) {
        return lw::train(recipe, workspace, context, hooks);
    });
}

void Training::resume(const RunEntry& run, bool evaluateAfter) {
    const auto item = std::make_shared<Item>();
    item->title = run.title();
    item->evaluateAfter = evaluateAfter;
    queue(item, [folder = run.info.folder](const lw::RunContext& context, const lw::TrainHooks& hooks) { return lw::resume(folder, context, hooks); });
}

/// Between two steps a paused run serves short jobs until it is let go on or stopped.
lw::RunContext Training::pausing(const lw::RunContext& context, const std::shared_ptr<Live>& live) {
    lw::RunContext wrapped = context;
    const auto last = std::make_shared<lw::Progress>();
    wrapped.progress = [report = context.progress, last](const lw::Progress& progress) {
        *last = progress;
        if (report) report(progress);
    };
    wrapped.serve = [context, live, last] {
        if (context.serve) context.serve();
        if (!live->paused) return;
        lw::Progress standing = *last;
        standing.stage = tr("paused").toStdString();
        standing.seconds_left = -1;
        context.report(standing);
        while (live->paused && !context.stopping()) {
            std::this_thread::sleep_for(kPausePoll);
            if (context.serve) context.serve();
        }
    };
    return wrapped;
}

lw::TrainHooks Training::hooks(const ItemPointer& item) {
    lw::TrainHooks hooks;
    const QPointer<QObject> self(this);  // copied, never looked at, on the compute thread
    ComputeThread* compute = &m_session->compute();
    hooks.on_start = [this, self, compute, item](const lw::RunInfo& run) { compute->post(self, [this, item, run] { begin(item, run); }); };
    hooks.on_log = [box = m_logBox](const lw::LogPoint& point) {
        box->change([&](std::vector<lw::LogPoint>& held) { held.push_back(point); });
    };
    hooks.on_map = [box = m_mapBox](const lw::MapTile& tile) { box->put(tile); };
    hooks.live_map = [live = m_live] {
        const std::lock_guard lock(live->mutex);
        return live->request;
    };
    return hooks;
}

void Training::queue(const ItemPointer& item, Work work) {
    const QPointer<QObject> self(this);
    ComputeThread* compute = &m_session->compute();
    const JobId id = compute->enqueue<lw::RunInfo>(
        tr("Training %1").arg(item->title),
        [this, self, compute, item, live = m_live, work = std::move(work), hooks = hooks(item)](const lw::RunContext& context) {
            compute->post(self, [this, item] { take(item); });
            return work(pausing(context, live), hooks);
        },
        this, [this, item](lw::Result<lw::RunInfo> run) { finish(item, std::move(run)); });
    item->id = id;
}

/// Another job may end or be cancelled meanwhile: from here on only this one's end counts.
void Training::take(const ItemPointer& item) {
    forget(item);
    if (item->ended) return;
    m_running = item->id;
    m_stopping = false;
    m_live->paused = false;
    m_title = item->title;
    m_run = {};
    m_log.clear();
    m_map.reset();
    Q_EMIT taken();
}

void Training::begin(const ItemPointer& item, const lw::RunInfo& run) {
    if (item->ended) return;
    m_run = run;
    m_log.clear();
    m_session->reloadRuns();
    Q_EMIT started();
}

void Training::stop() {
    if (m_running == 0) return;
    m_stopping = true;
    m_session->compute().cancel(m_running);
}

void Training::setPaused(bool paused) { m_live->paused = paused && running(); }

void Training::finish(const ItemPointer& item, lw::Result<lw::RunInfo> run) {
    m_logBox->flush();
    m_mapBox->flush();
    item->ended = true;
    forget(item);
    if (m_running == item->id) {
        m_running = 0;
        m_stopping = false;
        m_live->paused = false;
    }
    if (run.ok()) {
        settle(*item, run.value());
    } else {
        m_session->report(run.error(), tr("Training %1").arg(item->title));
        m_session->reloadRuns();
    }
    Q_EMIT ended(run.ok());
}

/// Who looks at something else is not taken away from it.
void Training::settle(const Item& item, const lw::RunInfo& run) {
    m_run = run;
    const QString key = QString::fromStdString(run.folder.string()), title = QString::fromStdString(run.title);
    m_session->reloadRuns(m_followed ? key : QString());
    const bool evaluated = item.evaluateAfter && run.status == "finished";
    if (evaluated) m_session->evaluateFolder(run.folder, title, lw::evaluation_spec(run.recipe));
    if (m_followed && evaluated) return m_session->showPage(PageId::curves);
    if (m_followed || m_session->closing()) return;
    m_session->notice(evaluated ? tr("%1 is trained. It is being evaluated; its line comes to Curves.").arg(title) : tr("%1 has ended at step %2.").arg(title).arg(run.step));
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
