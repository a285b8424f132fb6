#pragma once
/// Lists with one number per pair of a rotation.

#include <cstddef>
#include <string>
#include <vector>

namespace lw {

/// Throws Failure(invalid_argument), naming the parameter, when a list that is not empty has another number of entries than `pairs`.
void check_pair_list(const std::string& method, const std::string& id, const std::vector<double>& list, std::size_t pairs);

}  // namespace lw
