/// liblw_environment.so: its constructor tells OpenMP, before that library starts, that threads sleep while they wait; see waiting.cpp.
#include "core/device/waiting/environment.h"

#include <cstdlib>

namespace {

__attribute__((constructor)) void sleep_while_waiting() {
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr) ::setenv("OMP_WAIT_POLICY", "passive", 0);
}

}  // namespace

const char* lw_wait_policy() { return std::getenv("OMP_WAIT_POLICY"); }
