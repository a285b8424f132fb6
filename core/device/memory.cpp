/// Memory of this process and of the machine, from /proc and the control group's limit.

#include "core/api/doctor.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace lw {
namespace {

/// Bytes of a "Name:   123 kB" line, 0 when it is not there.
std::int64_t kilobyte_field(const char* file, const std::string& name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (line.compare(0, name.size(), name) != 0 || line.size() <= name.size() || line[name.size()] != ':') continue;
        return std::strtoll(line.c_str() + name.size() + 1, nullptr, 10) * 1024;
    }
    return 0;
}

/// A number in a file; nothing when it is absent or says "max".
std::optional<std::int64_t> number_in(const char* file) {
    std::ifstream in(file);
    std::int64_t value = 0;
    if (in >> value) return value;
    return std::nullopt;
}

struct GroupLimit {
    std::int64_t limit = 0;
    std::int64_t used = 0;
};

/// A container's limit counts, not the host's memory: going past it ends the process.
std::optional<GroupLimit> group_limit() {
    const struct {
        const char* limit;
        const char* used;
    } files[] = {{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
                 {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (const auto& file : files) {
        const auto limit = number_in(file.limit);
        if (limit && *limit > 0) return GroupLimit{*limit, number_in(file.used).value_or(0)};
    }
    return std::nullopt;
}

}  // namespace

MemoryUse memory_use() {
    MemoryUse use;
    use.resident = kilobyte_field("/proc/self/status", "VmRSS");
    use.peak = kilobyte_field("/proc/self/status", "VmHWM");
    use.total = kilobyte_field("/proc/meminfo", "MemTotal");
    use.available = kilobyte_field("/proc/meminfo", "MemAvailable");
    if (const auto group = group_limit(); group && group->limit < use.total) {
        use.total = group->limit;
        // The group's use includes file cache that can be dropped, so this is a cautious number.
        use.available = std::min(use.available, std::max<std::int64_t>(0, group->limit - group->used));
    }
    return use;
}

}  // namespace lw
