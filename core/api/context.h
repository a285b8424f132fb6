#pragma once
/// How a long verb is told to stop, reports progress and is given a device.

#include <functional>
#include <stop_token>
#include <string>

namespace lw {

/// A snapshot, not an event: the newest one replaces the older ones.
struct Progress {
    std::string stage;        ///< "Training", "Evaluating at 4,096"
    double done = 0;          ///< in `unit`
    double total = 0;         ///< 0 = unknown
    std::string unit;         ///< "steps", "documents", "bytes"
    double rate = 0;          ///< of `rate_unit` per second, 0 = unknown
    std::string rate_unit;    ///< "tokens"
    double seconds_left = -1; ///< < 0 = unknown
    std::string note;         ///< "loss 3.214"
};

/// Passed to every verb that can take longer than a moment. Default-constructed: CPU, no progress, cannot be stopped.
struct RunContext {
    std::stop_token stop;
    std::function<void(const Progress&)> progress;  ///< called on the computing thread
    std::function<void()> serve;                    ///< called between slices of long work, so that short jobs can run in between
    std::string device = "cpu";                     ///< "cpu" | "cuda" | "cuda:1"

    [[nodiscard]] bool stopping() const { return stop.stop_requested(); }
    void report(const Progress& p) const {
        if (progress) progress(p);
    }
};

}  // namespace lw
