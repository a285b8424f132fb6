#include "core/position/generator_scope.h"

#include <ATen/CPUGeneratorImpl.h>

#include <mutex>

namespace lw {

GeneratorScope::GeneratorScope(std::uint64_t seed) {
    auto generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    state_ = generator.get_state();
    generator.set_current_seed(seed);
}

GeneratorScope::~GeneratorScope() {
    auto generator = at::detail::getDefaultCPUGenerator();
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_state(state_);
}

}  // namespace lw
