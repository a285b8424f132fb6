#pragma once
/// What lengthwise-cli returns to the shell. Documented in --help and README.md.

#include "core/api/result.h"

namespace lw::cli {

enum class ExitCode : int {
    ok = 0,
    internal = 1,
    invalid_argument = 2,
    not_found = 3,
    corrupt_file = 4,
    out_of_memory = 5,
    cancelled = 6,
    unavailable = 7,
    io = 8,
    deviates = 9  ///< probe: a number is outside its tolerance
};

[[nodiscard]] constexpr ExitCode exit_code(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalid_argument: return ExitCode::invalid_argument;
        case ErrorKind::not_found: return ExitCode::not_found;
        case ErrorKind::corrupt_file: return ExitCode::corrupt_file;
        case ErrorKind::out_of_memory: return ExitCode::out_of_memory;
        case ErrorKind::cancelled: return ExitCode::cancelled;
        case ErrorKind::unavailable: return ExitCode::unavailable;
        case ErrorKind::io: return ExitCode::io;
        case ErrorKind::internal: return ExitCode::internal;
    }
    return ExitCode::internal;
}

}  // namespace lw::cli
