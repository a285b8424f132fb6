#pragma once
/// Progress on stderr: one line that is rewritten on a terminal, plain lines from time to time when piped.

#include "core/api/context.h"

#include <chrono>
#include <string>

namespace lw::cli {

class ProgressLine {
public:
    enum class Style { terminal, lines, off };
    explicit ProgressLine(Style style) : style_(style) {}
    [[nodiscard]] static Style style_of_stderr();

    void show(const Progress& progress);
    /// Makes room for other output.
    void clear();
    [[nodiscard]] bool rewrites() const { return style_ == Style::terminal; }

private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] bool due(const Progress& progress);

    Style style_;
    std::string stage_;
    Clock::time_point last_{};
    bool visible_ = false;
};

/// "Training  250 / 1,000 steps (25 %)  18,400 tokens/s  0:42 left  loss 3.214".
[[nodiscard]] std::string progress_text(const Progress& progress);

}  // namespace lw::cli
