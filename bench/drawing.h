#pragma once
/// What the drawing benchmarks share: a list of measured frames, and waiting for the event loop.

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QWidget>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

namespace lw::bench {

/// Milliseconds by the clock and of processor time: on a machine with other work, the second says what the picture costs.
struct FrameTime {
    double wall = 0;
    double window = 0;   ///< processor time of the window thread
    double process = 0;  ///< of all threads
};

class Stopwatch {
public:
    Stopwatch() { restart(); }
    void restart() {
        m_wall = now(CLOCK_MONOTONIC);
        m_window = now(CLOCK_THREAD_CPUTIME_ID);
        m_process = now(CLOCK_PROCESS_CPUTIME_ID);
    }
    [[nodiscard]] FrameTime elapsed() const { return {now(CLOCK_MONOTONIC) - m_wall, now(CLOCK_THREAD_CPUTIME_ID) - m_window, now(CLOCK_PROCESS_CPUTIME_ID) - m_process}; }

private:
    static double now(clockid_t clock) {
        timespec time{};
        clock_gettime(clock, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    double m_wall = 0, m_window = 0, m_process = 0;
};

/// Single frames under a name. A measurement ends after some frames, or after some seconds on a slow way.
class Frames {
public:
    explicit Frames(std::string name, std::size_t most = 200) : m_name(std::move(name)), m_most(most) {}
    void add(const FrameTime& time) { m_times.push_back(time); }
    [[nodiscard]] bool wanted() const { return m_times.size() < m_most && (m_times.size() < 5 || m_all.elapsed().wall < 5000); }
    /// Runs and measures a frame.
    template <class Frame>
    void measure(Frame frame) {
        const Stopwatch watch;
        frame();
        add(watch.elapsed());
    }
    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::size_t count() const { return m_times.size(); }
    /// `share` 0 = the least, 0.5 = the median.
    [[nodiscard]] double quantile(double share, double FrameTime::*of = &FrameTime::wall) const {
        if (m_times.empty()) return 0;
        std::vector<double> sorted;
        for (const FrameTime& time : m_times) sorted.push_back(time.*of);
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }

private:
    std::string m_name;
    std::size_t m_most;
    std::vector<FrameTime> m_times;
    Stopwatch m_all;
};

/// Counts how often widgets were painted.
class PaintCounter : public QObject {
public:
    explicit PaintCounter(const std::vector<QWidget*>& widgets) {
        for (QWidget* widget : widgets) widget->installEventFilter(this);
    }
    [[nodiscard]] int count() const { return m_count; }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++m_count;
        return false;
    }

private:
    int m_count = 0;
};

/// Runs the event loop until the condition holds; false after some seconds without it.
template <class Condition>
bool wait_for(Condition condition, int seconds = 20) {
    QElapsedTimer timer;
    timer.start();
    while (!condition()) {
        if (timer.elapsed() > 1000 * seconds) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 5);
    }
    return true;
}

/// Widgets alone: panels with new data, the pan of one large map.
std::vector<Frames> measure_widgets();
/// Whole pages with the real laboratory: a slider that moves on Encodings.
std::vector<Frames> measure_encodings();
/// A long map on Maps, dragged and zoomed.
std::vector<Frames> measure_maps();

}  // namespace lw::bench
