#pragma once
/// The one thread that may touch LibTorch. Window code hands it jobs and gets values back on the window thread.
///
/// Interactive jobs belong to a channel ("tiles", "rows", ...): a newer one with the same channel replaces the older, which
/// is stopped when it runs, and whose result is dropped. Long jobs (training, evaluation) form a queue; while one
/// runs, its RunContext::serve lets pending interactive jobs run in between.

#include "core/api/context.h"
#include "core/api/result.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <any>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace lw::ui {

using JobId = quint64;

enum class JobState { queued, running, stopping };

/// What panels show of a job.
struct JobInfo {
    JobId id = 0;
    QString title;
    QString channel;        ///< "" for long jobs
    JobState state = JobState::queued;
    lw::Progress progress;
    [[nodiscard]] bool isLong() const { return channel.isEmpty(); }
};

class ComputeThread : public QObject {
    Q_OBJECT
public:
    /// immediate: every job runs inside run() or enqueue(), for tests.
    enum class Mode { thread, immediate };

    /// `prepare` runs on the compute thread before the first job (thread counts are a property of the calling thread).
    explicit ComputeThread(Mode mode = Mode::thread, std::function<void()> prepare = {}, QObject* parent = nullptr);
    /// Asks everything to stop and waits for the thread.
    ~ComputeThread() override;

    /// Interactive job, latest wins. `work` runs on the compute thread; `done` on the window thread, unless a newer job of
    /// the channel was started or the receiver is gone. Exceptions of `work` become an Error. T must be named by the caller:
    /// thread.run<lw::EncodingPreview>("preview", [request](const auto&) { return lw::preview_scheme(request); }, this, ...).
    template <class T>
    JobId run(const QString& channel, std::function<lw::Result<T>(const lw::RunContext&)> work, QObject* receiver,
              std::function<void(lw::Result<T>)> done, const QString& title = {}) {
        return start(channel, title, erase<T>(std::move(work)), receiver, restore<T>(std::move(done)));
    }

    /// Long job: queued, listed in the jobs panel under its title, can be cancelled there.
    template <class T>
    JobId enqueue(const QString& title, std::function<lw::Result<T>(const lw::RunContext&)> work, QObject* receiver,
                  std::function<void(lw::Result<T>)> done) {
        return start({}, title, erase<T>(std::move(work)), receiver, restore<T>(std::move(done)));
    }

    /// A running job is told to stop (its `done` gets what the work returns); a waiting one is removed (`done` gets "cancelled").
    void cancel(JobId id);
    /// Stops and forgets the interactive job of a channel; its `done` is never called.
    void cancelChannel(const QString& channel);
    void cancelAll();

    /// Running and waiting jobs, the running first.
    [[nodiscard]] std::vector<JobInfo> jobs() const;
    /// Nothing runs, waits, or is still to be delivered.
    [[nodiscard]] bool idle() const;

    /// Calls `call` on the window thread, where `receiver` is checked for being alive. From any thread.
    void post(QPointer<QObject> receiver, std::function<void()> call);
    /// Lets go of an object on the compute thread (map sessions own tensors).
    void release(std::shared_ptr<void> object);
    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] bool onComputeThread() const;

    /// Device given to every job from now on ("cpu", "cuda:0").
    void setDevice(const std::string& device);
    [[nodiscard]] std::string device() const;

Q_SIGNALS:
    void jobsChanged();      ///< a job was added, began or ended
    void progressChanged();  ///< at most 30 times a second
    void idleChanged(bool idle);

private:
    using Work = std::function<std::any(const lw::RunContext&)>;
    using Done = std::function<void(std::any)>;
    struct Job;
    using JobPointer = std::shared_ptr<Job>;

    template <class T>
    static Work erase(std::function<lw::Result<T>(const lw::RunContext&)> work) {
        return [work = std::move(work)](const lw::RunContext& context) -> std::any {
            return std::make_shared<lw::Result<T>>(work(context));
        };
    }
    /// An error travels as lw::Error, a value as shared_ptr<Result<T>>: the queue in between knows neither type.
    template <class T>
    static Done restore(std::function<void(lw::Result<T>)> done) {
        return [done = std::move(done)](std::any value) {
            if (!done) return;
            if (auto* error = std::any_cast<lw::Error>(&value)) return done(lw::Result<T>(*error));
            done(std::move(*std::any_cast<std::shared_ptr<lw::Result<T>>>(value)));
        };
    }

    JobId start(const QString& channel, const QString& title, Work work, QObject* receiver, Done done);
    void runNow(const JobPointer& job);
    void add(const JobPointer& job);
    void loop(const std::stop_token& stop);
    JobPointer takeNext(bool longJobsToo);
    void serveInteractive();
    void freeReleased();
    template <class Test>
    void dropWhere(std::deque<JobPointer>& queue, Test test);
    void execute(const JobPointer& job);
    [[nodiscard]] std::any call(const JobPointer& job);
    void retire(const JobPointer& job, std::any value);
    void finish(const JobPointer& job, std::any value);
    void noteProgress(const JobPointer& job, const lw::Progress& progress);
    void flushProgress();
    void announce();
    void changed();

    Mode m_mode;
    mutable std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::deque<JobPointer> m_interactive;
    std::deque<JobPointer> m_long;
    std::vector<JobPointer> m_running;              ///< innermost last: an interactive job may run inside a long one
    std::vector<std::shared_ptr<void>> m_released;
    std::map<QString, JobId> m_newest;              ///< per channel: results of others are dropped
    std::string m_device = "cpu";
    JobId m_lastId = 0;
    int m_undelivered = 0;
    bool m_announcePending = false;
    bool m_progressPending = false;
    bool m_progressDirty = false;
    bool m_closing = false;
    bool m_wasIdle = true;
    std::thread::id m_threadId;
    std::function<void()> m_prepare;
    std::optional<std::jthread> m_thread;           ///< last: joined before anything it uses dies
};

}  // namespace lw::ui
