/// What the compute thread tells its listeners: progress, at most 30 times a second, and changes of the list of jobs.
#include "ui/jobs/compute_job.h"

#include <QTimer>

namespace lw::ui {

namespace {
constexpr int kProgressInterval = 33;
}

void ComputeThread::noteProgress(const JobPointer& job, const lw::Progress& progress) {
    {
        const std::lock_guard lock(m_mutex);
        job->info.progress = progress;
        m_progressDirty = true;
        if (m_progressPending) return;
        m_progressPending = true;
    }
    QMetaObject::invokeMethod(this, [this] { flushProgress(); }, Qt::QueuedConnection);
}

/// Tells listeners, then stays quiet for a while: a flood of reports costs 30 wake-ups a second and the last one arrives.
void ComputeThread::flushProgress() {
    {
        const std::lock_guard lock(m_mutex);
        m_progressPending = m_progressDirty;
        if (!m_progressDirty) return;
        m_progressDirty = false;
    }
    Q_EMIT progressChanged();
    QTimer::singleShot(kProgressInterval, this, [this] { flushProgress(); });
}

/// From the compute thread: a job began.
void ComputeThread::announce() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_announcePending) return;
        m_announcePending = true;
    }
    QMetaObject::invokeMethod(
        this,
        [this] {
            {
                const std::lock_guard lock(m_mutex);
                m_announcePending = false;
            }
            changed();
        },
        Qt::QueuedConnection);
}

void ComputeThread::changed() {
    Q_EMIT jobsChanged();
    const bool now = idle();
    if (now == m_wasIdle) return;
    m_wasIdle = now;
    Q_EMIT idleChanged(now);
}

}  // namespace lw::ui
