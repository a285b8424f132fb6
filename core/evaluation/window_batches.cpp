#include "core/evaluation/window_batches.h"

#include <algorithm>
#include <functional>
#include <map>

namespace lw {

double planned_tokens(const LengthPlan& plan) {
    double sum = 0;
    for (const Window& window : plan.windows) sum += static_cast<double>(window.size());
    return sum;
}

/// From about kEven tokens on, small models spend more on attention than on everything else.
double work_of(const Window& window) {
    constexpr double kEven = 1024;
    const auto size = static_cast<double>(window.size());
    return size * (1 + size / kEven);
}

double planned_work(const LengthPlan& plan) {
    double sum = 0;
    for (const Window& window : plan.windows) sum += work_of(window);
    return sum;
}

std::vector<std::vector<Window>> batches_of(const LengthPlan& plan, std::int64_t tokens_per_call) {
    std::vector<std::vector<Window>> batches;
    std::map<std::int64_t, std::size_t, std::greater<>> open;  // window size -> batch being filled
    for (const Window& window : plan.windows) {
        const auto most = static_cast<std::size_t>(std::max<std::int64_t>(tokens_per_call / window.size(), 1));
        const auto found = open.find(window.size());
        if (found == open.end() || batches[found->second].size() >= most) {
            open[window.size()] = batches.size();
            batches.emplace_back();
        }
        batches[open[window.size()]].push_back(window);
    }
    return batches;
}

}  // namespace lw
