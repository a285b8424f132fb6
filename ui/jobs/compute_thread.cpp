/// See compute_thread.h; what it tells listeners is in compute_thread_progress.cpp. One mutex guards the queues; `done` functions
/// and signals run on the window thread only.
#include "ui/jobs/compute_job.h"

#include <algorithm>
#include <new>
#include <utility>

namespace lw::ui {

ComputeThread::ComputeThread(Mode mode, std::function<void()> prepare, QObject* parent)
    : QObject(parent), m_mode(mode), m_prepare(std::move(prepare)) {
    if (mode == Mode::thread) {
        m_thread.emplace([this](const std::stop_token& stop) { loop(stop); });
        m_threadId = m_thread->get_id();
    } else if (m_prepare) {
        m_prepare();
    }
}

ComputeThread::~ComputeThread() {
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
        for (auto* queue : {&m_interactive, &m_long}) dropWhere(*queue, [](const JobPointer&) { return true; });
        for (const JobPointer& job : m_running) job->stop.request_stop();
    }
    m_thread.reset();  // requests stop, wakes the loop and joins
}

JobId ComputeThread::start(const QString& channel, const QString& title, Work work, QObject* receiver, Done done) {
    auto job = std::make_shared<Job>();
    job->info.title = title;
    job->info.channel = channel;
    job->work = std::move(work);
    job->receiver = receiver;
    job->done = std::move(done);
    add(job);
    const JobId id = job->info.id;
    if (m_mode == Mode::immediate) {
        runNow(job);
    } else {
        m_wake.notify_all();
        changed();
    }
    return id;
}

/// Waiting jobs are taken away; what their work captured (map sessions own tensors) is let go on the compute thread, never here.
template <class Test>
void ComputeThread::dropWhere(std::deque<JobPointer>& queue, Test test) {
    for (const JobPointer& job : queue)
        if (test(job)) m_released.push_back(std::make_shared<Work>(std::exchange(job->work, nullptr)));
    std::erase_if(queue, test);
}

/// Numbers the job and puts it where it belongs. A newer job of a channel replaces what waits there and stops what runs.
void ComputeThread::add(const JobPointer& job) {
    const std::lock_guard lock(m_mutex);
    const QString channel = job->info.channel;
    job->info.id = ++m_lastId;
    if (!channel.isEmpty()) {
        m_newest[channel] = job->info.id;
        dropWhere(m_interactive, [&](const JobPointer& other) { return other->info.channel == channel; });
        for (const JobPointer& other : m_running)
            if (other->info.channel == channel) other->stop.request_stop();
    }
    if (m_mode == Mode::immediate) {
        job->info.state = JobState::running;
        m_running.push_back(job);
    } else {
        (channel.isEmpty() ? m_long : m_interactive).push_back(job);
    }
}

void ComputeThread::runNow(const JobPointer& job) {
    changed();
    std::any value = call(job);
    {
        const std::lock_guard lock(m_mutex);
        std::erase(m_running, job);
        ++m_undelivered;
    }
    finish(job, std::move(value));
}

void ComputeThread::loop(const std::stop_token& stop) {
    if (m_prepare) m_prepare();
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, stop, [this] { return !m_interactive.empty() || !m_long.empty() || !m_released.empty(); });
        }
        freeReleased();
        if (const JobPointer job = takeNext(true)) execute(job);
    }
    freeReleased();
}

/// Outside the lock: freeing tensors takes time, and the window must not wait for it.
void ComputeThread::freeReleased() {
    std::vector<std::shared_ptr<void>> released;  // declared before the lock, so it is emptied after the lock is gone
    const std::lock_guard lock(m_mutex);
    released.swap(m_released);
}

ComputeThread::JobPointer ComputeThread::takeNext(bool longJobsToo) {
    const std::lock_guard lock(m_mutex);
    if (m_closing) return {};
    std::deque<JobPointer>* queue = !m_interactive.empty() ? &m_interactive : longJobsToo && !m_long.empty() ? &m_long : nullptr;
    if (queue == nullptr) return {};
    JobPointer job = queue->front();
    queue->pop_front();
    job->info.state = JobState::running;
    m_running.push_back(job);
    return job;
}

/// Between two slices of a long job: memory of what was let go comes back, then everything interactive that waits.
void ComputeThread::serveInteractive() {
    freeReleased();
    while (const JobPointer job = takeNext(false)) execute(job);
}

void ComputeThread::execute(const JobPointer& job) {
    announce();
    retire(job, call(job));
}

/// Exceptions end here: the window sees an Error.
std::any ComputeThread::call(const JobPointer& job) {
    lw::RunContext context;
    context.stop = job->stop.get_token();
    context.progress = [this, job](const lw::Progress& progress) { noteProgress(job, progress); };
    if (job->info.isLong() && m_mode == Mode::thread) context.serve = [this] { serveInteractive(); };
    context.device = device();
    std::any value;
    try {
        value = job->work(context);
    } catch (const lw::Failure& failure) {
        value = lw::Error{failure.kind(), failure.what()};
    } catch (const std::bad_alloc&) {
        value = lw::Error{lw::ErrorKind::out_of_memory, "There was not enough memory. Try a shorter text or a smaller model."};
    } catch (const std::exception& exception) {
        value = lw::Error{lw::ErrorKind::internal, exception.what()};
    } catch (...) {
        value = lw::Error{lw::ErrorKind::internal, "The job ended with an unknown exception."};
    }
    job->work = nullptr;  // what it captured is let go on this thread
    return value;
}

void ComputeThread::retire(const JobPointer& job, std::any value) {
    {
        const std::lock_guard lock(m_mutex);
        std::erase(m_running, job);
        ++m_undelivered;
    }
    QMetaObject::invokeMethod(
        this, [this, job, value = std::move(value)]() mutable { finish(job, std::move(value)); }, Qt::QueuedConnection);
}

void ComputeThread::finish(const JobPointer& job, std::any value) {
    bool wanted = !job->receiver.isNull();
    {
        const std::lock_guard lock(m_mutex);
        --m_undelivered;
        if (!job->info.channel.isEmpty()) wanted = wanted && m_newest[job->info.channel] == job->info.id;
    }
    if (wanted) {
        job->done(std::move(value));
    } else {
        release(std::make_shared<std::any>(std::move(value)));
    }
    changed();
}

void ComputeThread::cancel(JobId id) {
    JobPointer waiting;
    {
        const std::lock_guard lock(m_mutex);
        const auto isIt = [id](const JobPointer& job) { return job->info.id == id; };
        for (const JobPointer& job : m_running) {
            if (!isIt(job)) continue;
            job->info.state = JobState::stopping;
            job->stop.request_stop();
        }
        dropWhere(m_interactive, isIt);
        const auto found = std::find_if(m_long.begin(), m_long.end(), isIt);
        if (found != m_long.end()) {
            waiting = *found;
            dropWhere(m_long, isIt);
            ++m_undelivered;
        }
    }
    m_wake.notify_all();
    if (waiting) finish(waiting, lw::Error{lw::ErrorKind::cancelled, "Cancelled before it began."});
    changed();
}

void ComputeThread::cancelChannel(const QString& channel) {
    {
        const std::lock_guard lock(m_mutex);
        m_newest[channel] = ++m_lastId;  // no job has this number: whatever arrives is dropped
        dropWhere(m_interactive, [&](const JobPointer& job) { return job->info.channel == channel; });
        for (const JobPointer& job : m_running)
            if (job->info.channel == channel) job->stop.request_stop();
    }
    m_wake.notify_all();
    changed();
}

void ComputeThread::cancelAll() {
    for (const JobInfo& job : jobs()) cancel(job.id);
}

std::vector<JobInfo> ComputeThread::jobs() const {
    const std::lock_guard lock(m_mutex);
    std::vector<JobInfo> list;
    for (const JobPointer& job : m_running) list.push_back(job->info);
    for (const JobPointer& job : m_long) list.push_back(job->info);
    return list;
}

bool ComputeThread::idle() const {
    const std::lock_guard lock(m_mutex);
    return m_running.empty() && m_interactive.empty() && m_long.empty() && m_undelivered == 0;
}

void ComputeThread::post(QPointer<QObject> receiver, std::function<void()> call) {
    QMetaObject::invokeMethod(
        this,
        [receiver = std::move(receiver), call = std::move(call)] {
            if (receiver) call();
        },
        Qt::QueuedConnection);
}

void ComputeThread::release(std::shared_ptr<void> object) {
    if (m_mode == Mode::immediate || !object) return;
    {
        const std::lock_guard lock(m_mutex);
        m_released.push_back(std::move(object));
    }
    m_wake.notify_all();
}

bool ComputeThread::onComputeThread() const {
    return m_mode == Mode::immediate || std::this_thread::get_id() == m_threadId;
}

void ComputeThread::setDevice(const std::string& device) {
    const std::lock_guard lock(m_mutex);
    m_device = device;
}

std::string ComputeThread::device() const {
    const std::lock_guard lock(m_mutex);
    return m_device;
}

}  // namespace lw::ui
