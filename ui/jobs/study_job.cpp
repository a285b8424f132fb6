/// See study_job.h. Hooks run on the compute thread and only post; everything else is on the window thread.
#include "ui/jobs/study_job.h"

#include "ui/plot/number_text.h"

#include <QStringList>

#include <algorithm>

namespace lw::ui {

StudyJob::StudyJob(Session* session, QObject* parent) : QObject(parent), m_session(session) {
    m_liveBox = Mailbox<StudyLive>::create(&session->compute(), this, [this](const StudyLive& live) {
        m_live = live;
        for (const ItemPointer& item : m_items)
            if (item->begun) Q_EMIT stepped(item->study);
    });
}

const StudyJob::Item* StudyJob::find(const QString& study) const {
    for (const ItemPointer& item : m_items)
        if (item->study == study && item->workspace == m_session->workspace()) return item.get();
    return nullptr;
}

bool StudyJob::waits(const QString& study) const {
    const Item* item = find(study);
    return item != nullptr && !item->begun;
}

bool StudyJob::pausing(const QString& study) const {
    const Item* item = find(study);
    return item != nullptr && item->pausing;
}

/// What the cell in work reached is gathered on the compute thread; the window gets the newest of it.
lw::StudyHooks StudyJob::hooks(const ItemPointer& item) {
    const QPointer<QObject> self(this);  // copied, never looked at, on the compute thread
    ComputeThread* compute = &m_session->compute();
    const auto live = std::make_shared<StudyLive>();
    const auto put = [box = m_liveBox, live] { box->put(*live); };
    const auto changes = [this, self, compute, item] { compute->post(self, [this, item] { cellChanged(item); }); };
    lw::StudyHooks hooks;
    hooks.on_status = [changes](const lw::StudyStatus&) { changes(); };
    hooks.on_point = [live, put](const lw::StudyCell& cell, const lw::Evaluation& evaluation) {
        *live = {{}, 0, cell.id, static_cast<std::int64_t>(evaluation.points.size())};
        put();
    };
    hooks.training.on_start = [live, put, changes](const lw::RunInfo& run) {
        *live = {run.id, run.step, {}, 0};
        put();
        changes();  // its run is there now
    };
    hooks.training.on_log = [live, put](const lw::LogPoint& point) {
        live->step = point.step;
        put();
    };
    return hooks;
}

void StudyJob::start(const QString& study, const QString& name) {
    if (has(study)) return;
    const auto item = std::make_shared<Item>();
    item->workspace = m_session->workspace();
    item->study = study;
    item->name = name;
    m_items.push_back(item);
    const QPointer<QObject> self(this);
    ComputeThread* compute = &m_session->compute();
    item->id = compute->enqueue<lw::StudyStatus>(
        tr("Study %1").arg(name),
        [this, self, compute, item, hooks = hooks(item), workspace = item->workspace, id = study.toStdString()](const lw::RunContext& context) {
            compute->post(self, [this, item] { begin(item); });
            auto status = lw::run_study(workspace, id, context, hooks);
            item->stopped = context.stopping();
            return status;
        },
        this, [this, item](const lw::Result<lw::StudyStatus>& status) { finish(item, status); });
    Q_EMIT changed(study);
}

void StudyJob::pause(const QString& study) {
    const auto found = std::find_if(m_items.begin(), m_items.end(), [&](const ItemPointer& item) { return item.get() == find(study); });
    if (found == m_items.end()) return;
    const ItemPointer item = *found;  // one that waits is taken away by cancel()
    item->pausing = true;
    m_session->compute().cancel(item->id);
    Q_EMIT changed(study);
}

void StudyJob::begin(const ItemPointer& item) {
    if (item->ended) return;
    item->begun = true;
    m_live = {};
    Q_EMIT changed(item->study);
}

void StudyJob::cellChanged(const ItemPointer& item) {
    if (item->ended) return;
    m_session->reloadRuns();
    Q_EMIT changed(item->study);
}

void StudyJob::finish(const ItemPointer& item, const lw::Result<lw::StudyStatus>& status) {
    m_liveBox->flush();
    m_live = {};
    item->ended = true;
    std::erase(m_items, item);
    if (!status.ok()) m_session->report(status.error(), tr("Study %1").arg(item->name));
    else if (!m_session->closing()) tell(*item, status.value());
    m_session->reloadRuns();
    Q_EMIT changed(item->study);
}

/// A study takes long, and whoever began it may look at something else meanwhile.
void StudyJob::tell(const Item& item, const lw::StudyStatus& status) { m_session->notice(endSentence(item.name, status, item.stopped)); }

QString endSentence(const QString& name, const lw::StudyStatus& status, bool stopped) {
    const auto all = static_cast<qint64>(status.cells.size());
    const std::int64_t finished = status.count("finished"), failed = status.count("failed") + status.count("diverged"), blocked = status.count("blocked"), elsewhere = status.count("running");
    const auto runs = [](qint64 count) { return count == 1 ? StudyJob::tr("1 run") : StudyJob::tr("%1 runs").arg(integerText(count)); };
    if (finished == all) return StudyJob::tr("The study %1 is finished: %2.").arg(name, runs(all));
    const QString done = StudyJob::tr("%1 of %2 finished").arg(integerText(finished), runs(all));
    // What waits behind a failed run, or is trained by another program, was not paused: going on would not help.
    if (stopped || status.paused) return StudyJob::tr("The study %1 is paused: %2. What was computed is kept.").arg(name, done);
    QStringList parts{done};
    if (failed > 0) parts << StudyJob::tr("%1 failed").arg(integerText(failed));
    if (blocked > 0) parts << StudyJob::tr("%1 blocked, as the runs they go on with are not there").arg(integerText(blocked));
    if (elsewhere > 0) parts << StudyJob::tr("%1 worked on by another program").arg(integerText(elsewhere));
    if (const auto left = all - finished - failed - blocked - elsewhere; left > 0) parts << StudyJob::tr("%1 left").arg(integerText(left));
    return StudyJob::tr("The study %1 ended: %2.").arg(name, parts.join(QStringLiteral(", ")));
}

}  // namespace lw::ui
