// Runs scripts/fetch_corpus and turns its lines into progress.
#include "core/api/doctor.h"
#include "core/api/text.h"
#include "core/data/corpus_list.h"
#include "core/lab/guard.h"
#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace lw {
namespace {

constexpr int kPollMilliseconds = 40;  // a cancel is seen within this time

/// Two ends of a pipe, closed on every way out.
class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) ends_ = {-1, -1};
    }
    ~Pipe() {
        close_write_end();
        if (ends_[0] >= 0) ::close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    [[nodiscard]] bool open() const { return ends_[0] >= 0; }
    [[nodiscard]] int read_end() const { return ends_[0]; }
    [[nodiscard]] int write_end() const { return ends_[1]; }
    void close_write_end() {
        if (ends_[1] >= 0) ::close(ends_[1]);
        ends_[1] = -1;
    }

private:
    std::array<int, 2> ends_{-1, -1};
};

/// A running program with both outputs piped; ends it with its children when it goes out of scope.
class Child {
public:
    explicit Child(const std::vector<std::string>& command) {
        if (!out_.open() || !err_.open()) fail(command.front(), errno);
        const int code = start(command);
        out_.close_write_end();
        err_.close_write_end();
        if (code == 0) return;
        pid_ = -1;
        fail(command.front(), code);
    }
    ~Child() {
        if (pid_ > 0) {
            ::kill(-pid_, SIGTERM);
            static_cast<void>(wait());
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// Waits a moment for output; appends what came. False when both outputs are closed.
    bool read(std::string& out, std::string& err) {
        std::array<pollfd, 2> waiting{pollfd{out_open_ ? out_.read_end() : -1, POLLIN, 0}, pollfd{err_open_ ? err_.read_end() : -1, POLLIN, 0}};
        if (::poll(waiting.data(), waiting.size(), kPollMilliseconds) > 0) {
            if (waiting[0].revents != 0) out_open_ = take(out_.read_end(), out);
            if (waiting[1].revents != 0) err_open_ = take(err_.read_end(), err);
        }
        return out_open_ || err_open_;
    }
    /// Exit status; 128 + signal when a signal ended it.
    int wait() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    /// 0, or why it did not start.
    int start(const std::vector<std::string>& command) {
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, out_.write_end(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, err_.write_end(), STDERR_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // so that downloads it starts end with it
        std::vector<char*> arguments;
        for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        const int code = ::posix_spawnp(&pid_, command.front().c_str(), &actions, &attributes, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        return code;
    }
    [[noreturn]] static void fail(const std::string& program, int code) {
        throw Failure(ErrorKind::unavailable, fmt::format("{} could not be started ({}). Fetching a corpus needs Python 3.", program, std::strerror(code)));
    }
    static bool take(int descriptor, std::string& text) {
        std::array<char, 4096> buffer{};
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
        return count > 0 || (count < 0 && errno == EINTR);
    }

    pid_t pid_ = -1;
    Pipe out_, err_;
    bool out_open_ = true, err_open_ = true;
};

/// "2/4 Extracting documents".
void report_line(const std::string& line, const RunContext& context) {
    int done = 0, total = 0, read = 0;
    if (std::sscanf(line.c_str(), "%d/%d %n", &done, &total, &read) < 2) return;
    Progress progress;
    progress.stage = line.substr(static_cast<std::size_t>(read));
    progress.done = done;
    progress.total = total;
    progress.unit = "steps";
    context.report(progress);
}

void report_lines(std::string& pending, const RunContext& context) {
    for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n')) {
        report_line(pending.substr(0, end), context);
        pending.erase(0, end + 1);
    }
}

std::string trimmed(const std::string& text) {
    const auto last = text.find_last_not_of(" \n\r\t");
    return last == std::string::npos ? "" : text.substr(0, last + 1);
}

void run_script(const std::string& id, const RunContext& context) {
    // Beside the resources in the source tree, inside them when installed.
    const auto beside = resource_folder().parent_path() / "scripts" / "fetch_corpus";
    const auto script = std::filesystem::exists(beside) ? beside : resource_folder() / "scripts" / "fetch_corpus";
    if (!std::filesystem::exists(script))
        throw Failure(ErrorKind::unavailable, fmt::format("The program that fetches corpora is not there: {} is missing.", script.string()));
    Child child({"python3", script.string(), id, "--into", (data_folder() / "corpora").string(), "--resources", resource_folder().string()});
    std::string out, err;
    while (child.read(out, err)) {
        report_lines(out, context);
        if (context.stopping()) throw Failure(ErrorKind::cancelled, fmt::format("Fetching {} was cancelled; nothing of it was kept.", id));
    }
    const int status = child.wait();
    if (status != 0) throw Failure(ErrorKind::io, err.empty() ? fmt::format("Fetching {} ended with status {}.", id, status) : trimmed(err));
    if (err.empty()) return;
    Progress warning;  // documents that differ because the system's packages do: worth a word, no failure
    warning.stage = "Fetched " + id;
    warning.note = trimmed(err);
    context.report(warning);
}

}  // namespace

Status fetch_corpus(const std::string& id, const RunContext& context) {
    return guarded<Nothing>([&] {
        std::vector<std::string> known;
        for (const auto& corpus : listed_corpora()) known.push_back(corpus.id);
        if (std::find(known.begin(), known.end(), id) == known.end())
            throw Failure(ErrorKind::not_found, fmt::format("There is no corpus \"{}\" to fetch.{}", id, suggestion(id, known)));
        run_script(id, context);
        return Nothing{};
    });
}

}  // namespace lw
