#include "core/position/frequency/pair_list.h"

#include "core/api/result.h"

#include <fmt/format.h>

namespace lw {

void check_pair_list(const std::string& method, const std::string& id, const std::vector<double>& list, std::size_t pairs) {
    if (list.empty() || list.size() == pairs) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("{} of {} has {} numbers, but the rotation has {} pairs and needs one for each.", id,
                                                           method, list.size(), pairs));
}

}  // namespace lw
