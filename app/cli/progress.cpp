#include "app/cli/progress.h"

#include "app/cli/text.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace lw::cli {
namespace {

constexpr auto kRewriteEvery = std::chrono::milliseconds(100);
constexpr auto kLineEvery = std::chrono::seconds(5);

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

/// Cut so that the line never wraps: a wrapped line cannot be rewritten.
std::string fitted(const std::string& text, std::size_t width) {
    if (shown_width(text) < width) return text;
    std::string out;
    for (char c : text) {
        if ((c & 0xC0) != 0x80 && shown_width(out) + 2 > width) break;
        out += c;
    }
    return out;
}

}  // namespace

ProgressLine::Style ProgressLine::style_of_stderr() { return isatty(STDERR_FILENO) != 0 ? Style::terminal : Style::lines; }

std::string progress_text(const Progress& progress) {
    std::string text = progress.stage;
    const auto done = static_cast<std::int64_t>(std::llround(progress.done));
    if (progress.total > 0) {
        text += fmt::format("  {} / {} {} ({:.0f} %)", grouped(done), grouped(std::llround(progress.total)), progress.unit,
                            100 * progress.done / progress.total);
    } else if (progress.done > 0) {
        text += fmt::format("  {} {}", grouped(done), progress.unit);
    }
    if (progress.rate > 0) text += fmt::format("  {} {}/s", compact(progress.rate), progress.rate_unit);
    if (progress.seconds_left >= 0) text += fmt::format("  {} left", duration(progress.seconds_left));
    if (!progress.note.empty()) text += "  " + progress.note;
    return text;
}

bool ProgressLine::due(const Progress& progress) {
    const auto now = Clock::now();
    const auto pause = style_ == Style::terminal ? Clock::duration(kRewriteEvery) : Clock::duration(kLineEvery);
    const bool complete = progress.total > 0 && progress.done >= progress.total;
    if (progress.stage == stage_ && !complete && now - last_ < pause) return false;
    stage_ = progress.stage;
    last_ = now;
    return true;
}

void ProgressLine::show(const Progress& progress) {
    if (style_ == Style::off || !due(progress)) return;
    const std::string text = progress_text(progress);
    if (style_ == Style::terminal) {
        fmt::print(stderr, "\r\033[K{}", fitted(text, terminal_width()));
        std::fflush(stderr);
        visible_ = true;
    } else {
        fmt::print(stderr, "{}\n", text);
    }
}

void ProgressLine::clear() {
    if (!visible_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    visible_ = false;
}

}  // namespace lw::cli
