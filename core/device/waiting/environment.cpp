/// liblw_environment.so: its constructor tells OpenMP, before that library starts, that threads sleep soon while they wait; see waiting.cpp.
#include "core/device/waiting/environment.h"

#include <cstdlib>

namespace {

__attribute__((constructor)) void sleep_soon() {
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr) ::setenv("GOMP_SPINCOUNT", lw_spin_count(), 0);
}

}  // namespace

const char* lw_spin_count() { return "10000"; }
