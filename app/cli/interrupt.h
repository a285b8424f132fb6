#pragma once
/// Ctrl-C: the first one asks running work to stop and keep what it has, the second one ends the program at once.

#include <stop_token>
#include <thread>

namespace lw::cli {

class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    void watch();

    std::stop_source source_;
    std::thread watcher_;
};

}  // namespace lw::cli
