#pragma once
/// Files of independent numbers against this library: the door for verification from outside. docs/probe.md describes the format.

#include "core/api/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lw {

/// One number, array or word of a case, under its key in the file ("logits", "gradients.S").
struct ProbeValue {
    std::string key;
    std::string computed;       ///< as JSON, every digit of a double; "" = the library has no such number
    std::string reason;         ///< why it does not hold, or why it was not computed; "" otherwise
    double deviation = 0;       ///< largest |computed - expected| of what was compared
    std::int64_t compared = 0;  ///< numbers and words compared; null is not
    bool holds = true;
};

/// unknown: also a case that expects numbers of which the library has none.
/// deviates: a value is outside the tolerance, the library refused what it should compute, or computed what it should refuse.
/// computed: the case expects nothing, so there is nothing to compare.
enum class ProbeStatus { holds, deviates, unknown, computed };
/// "holds", "deviates", ...
[[nodiscard]] const char* probe_status_name(ProbeStatus status);

struct ProbeCase {
    std::string id;
    std::string method;  ///< what the case names: its kind, method, protocol or task
    ProbeStatus status = ProbeStatus::unknown;
    std::string reason;  ///< of a refusal, or why the case is unknown
    std::vector<ProbeValue> values;
    std::vector<std::string> not_read;  ///< "params.scale", "inputs.b": what the case gives and nothing took account of; it changes no status
};

struct ProbeReport {
    std::string file;
    std::string group;
    std::vector<ProbeCase> cases;
    [[nodiscard]] std::int64_t count(ProbeStatus status) const;
};

/// Computes every case of a file through the slots' entries and core's own functions. A file that cannot be read or is no such
/// file is an error; a case that the library does not know is not.
Result<ProbeReport> probe_file(const std::filesystem::path& file);

}  // namespace lw
