/// run_study(): the queue. Everything it knows is read again after each step of work, so that a killed program loses nothing and changes
/// made meanwhile (a priority, a deleted run) count at once.
#include "core/lab/guard.h"
#include "core/storage/atomic_file.h"
#include "core/study/cell_work.h"
#include "core/study/cells.h"
#include "core/study/survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>

namespace lw {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

bool has_work(const StudyCell& cell) { return cell.state == "waiting" || cell.state == "stopped" || cell.state == "trained"; }

class StudyRunner {
public:
    StudyRunner(fs::path workspace, const StudyFolder& folder, const RunContext& context, const StudyHooks& hooks)
        : workspace_(std::move(workspace)), folder_(folder), outer_(context), hooks_(hooks), on_stop_(context.stop, [this] { stop_.request_stop(); }) {}

    StudyStatus run() {
        refresh();
        refuse_problems();
        // Before the texts are read: a pause that is asked for meanwhile must not be taken back.
        folder_.change_state([](StudyState& state) { state.paused = false; });
        status_.paused = false;
        if (!texts_suffice()) return status_;
        while (const StudyCell* cell = next()) {
            work(*cell);
            refresh();
            if (stop_.stop_requested()) break;
        }
        return status_;
    }

private:
    void refresh() {
        status_ = survey_folder(workspace_, folder_);
        forget_failed();
        if (hooks_.on_status) hooks_.on_status(status_);
    }

    /// A cell that failed is worked on only when a person says so, and then in whatever state it was tried before; the same where that was
    /// said already.
    void forget_failed() {
        const StudyState state = folder_.read_state();
        for (const StudyCell& cell : status_.cells) {
            const auto noted = state.cells.find(cell.id);
            const bool again = noted != state.cells.end() && noted->second.retry;
            if (again || cell.state == "failed" || cell.state == "diverged") std::erase_if(tried_, [&](const auto& tried) { return tried.first == cell.id; });
        }
    }

    void refuse_problems() const {
        if (status_.problems.empty()) return;
        throw Failure(ErrorKind::invalid_argument, fmt::format("The study cannot start: {}", fmt::join(status_.problems, " ")));
    }

    /// False when stopped meanwhile: a tokenizer may have to be trained first.
    bool texts_suffice() const {
        RunContext context = outer_;
        context.stop = stop_.get_token();
        try {
            refuse_impossible_evaluations(status_, context);
        } catch (const Failure& failure) {
            if (failure.kind() != ErrorKind::cancelled) throw;
            return false;
        }
        return true;
    }

    /// The first of the highest priority. A cell that stays in its state after it was worked on (another program has its run) is left.
    const StudyCell* next() {
        if (stop_.stop_requested()) return nullptr;
        const StudyCell* chosen = nullptr;
        for (const StudyCell& cell : status_.cells) {
            if (!has_work(cell) || tried_.contains({cell.id, cell.state})) continue;
            if (chosen == nullptr || cell.priority > chosen->priority) chosen = &cell;
        }
        return chosen;
    }

    void work(const StudyCell& cell) {
        tried_.insert({cell.id, cell.state});
        const std::int64_t full_before = full_disk_failures();
        begin(cell);
        const auto done = guarded<Nothing>([&] {
            work_on(cell, workspace_, base_of(cell), context_for(cell), hooks_);
            return Nothing{};
        });
        if (done.ok() || done.error().kind == ErrorKind::cancelled) return;
        if (done.error().kind == ErrorKind::io && full_disk_failures() > full_before) stop_for_space(cell, done.error());
        note_failure(cell, done.error());
    }

    /// A retry is used up when it begins: should it fail again, the cell is failed again.
    void begin(const StudyCell& cell) const {
        folder_.change_state([&](StudyState& state) {
            const auto noted = state.cells.find(cell.id);
            if (noted == state.cells.end()) return;
            noted->second.retry = false;
            noted->second.failure.clear();
        });
    }

    /// A full disk fails every cell in turn: it is for a person, and the cell then goes on by itself.
    [[noreturn]] void stop_for_space(const StudyCell& cell, const Error& error) const {
        (void)guarded<Nothing>([&] {
            folder_.change_state([&](StudyState& state) { state.cells[cell.id].retry = true; });
            return Nothing{};
        });
        throw Failure(ErrorKind::io, fmt::format("The study stopped at {}: {} Run it again when that is mended; it goes on from there.", cell_line(cell), error.message));
    }

    /// A run whose own files are missing or damaged blocks its cell: trying again meets the same files.
    [[nodiscard]] std::string advice(const StudyCell& cell, ErrorKind kind) const {
        const bool damaged = kind == ErrorKind::not_found || kind == ErrorKind::corrupt_file;
        if (!damaged || cell.state != "trained" || cell.steps == 0 || cell.run.starts_with("demo:")) return "";
        return fmt::format(" Where its files cannot be put back, delete the run and try the cell again, which trains it anew: lengthwise-cli runs delete {} --yes && "
                           "lengthwise-cli study retry {} {}", cell.run, folder_.path().filename().string(), cell.id);
    }

    void note_failure(const StudyCell& cell, const Error& error) const {
        if (error.kind == ErrorKind::unavailable) return;  // another program trains that run
        folder_.change_state([&](StudyState& state) { state.cells[cell.id].failure = error.message + advice(cell, error.kind); });
    }

    [[nodiscard]] fs::path base_of(const StudyCell& cell) const {
        if (cell.base.empty()) return {};
        const auto found = std::find_if(status_.cells.begin(), status_.cells.end(), [&](const StudyCell& other) { return other.id == cell.base; });
        return found != status_.cells.end() ? found->folder : find_run(workspace_, cell.base).value().folder;
    }

    /// The cell's own context: stopped with the outer one and by a pause, its progress under the cell's name.
    RunContext context_for(const StudyCell& cell) {
        RunContext context = outer_;
        context.stop = stop_.get_token();
        const std::string where = fmt::format("{} of {}: {}", std::min<std::int64_t>(status_.count("finished") + 1, static_cast<std::int64_t>(status_.cells.size())),
                                              status_.cells.size(), cell_line(cell));
        context.progress = [this, where](const Progress& progress) {
            look_for_pause();
            Progress named = progress;
            named.stage = where + ": " + progress.stage;
            outer_.report(named);
        };
        return context;
    }

    /// The state's file is looked at now and then: whoever pauses may be another program.
    void look_for_pause() {
        if (Clock::now() - looked_ < std::chrono::milliseconds(500)) return;
        looked_ = Clock::now();
        const auto state = guarded<StudyState>([&] { return folder_.read_state(); });
        if (state.ok() && state.value().paused) stop_.request_stop();
    }

    fs::path workspace_;
    const StudyFolder& folder_;
    const RunContext& outer_;
    const StudyHooks& hooks_;
    std::stop_source stop_;
    std::stop_callback<std::function<void()>> on_stop_;
    StudyStatus status_;
    std::set<std::pair<std::string, std::string>> tried_;  ///< id and state
    Clock::time_point looked_{};
};

}  // namespace

Result<StudyStatus> run_study(const fs::path& workspace, const std::string& id, const RunContext& context, const StudyHooks& hooks) {
    return guarded<StudyStatus>([&] {
        const StudyFolder folder = find_study(workspace, id);
        const auto alone = folder.lock();
        StudyStatus status = StudyRunner(workspace, folder, context, hooks).run();
        status.running = false;
        return status;
    });
}

}  // namespace lw
