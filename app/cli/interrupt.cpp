#include "app/cli/interrupt.h"

#include "app/cli/exit_codes.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace lw::cli {
namespace {

/// A signal handler may do next to nothing, so it only writes a byte for the watching thread.
int wake_end = -1;
std::array<int, 2> pipe_ends{-1, -1};

extern "C" void on_signal(int) {
    const int saved = errno;
    const char byte = 's';
    if (write(wake_end, &byte, 1) < 0) _exit(static_cast<int>(ExitCode::cancelled));
    errno = saved;
}

}  // namespace

Interrupt::Interrupt() {
    if (pipe(pipe_ends.data()) != 0) return;  // without a pipe Ctrl-C ends the program, as usual
    wake_end = pipe_ends[1];
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    watcher_ = std::thread([this] { watch(); });
}

Interrupt::~Interrupt() {
    if (!watcher_.joinable()) return;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    const char byte = 'q';
    if (write(wake_end, &byte, 1) == 1) {
        watcher_.join();
    } else {
        watcher_.detach();
    }
    close(pipe_ends[0]);
    close(pipe_ends[1]);
}

void Interrupt::watch() {
    char byte = 0;
    for (int signals = 0; read(pipe_ends[0], &byte, 1) == 1 && byte == 's';) {
        if (++signals > 1) _exit(static_cast<int>(ExitCode::cancelled));
        std::fputs("\nStopping after the current step, and keeping what is done. Ctrl-C again ends at once.\n", stderr);
        source_.request_stop();
    }
}

}  // namespace lw::cli
