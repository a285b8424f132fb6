/// liblw_waiting.so: the threads of LibTorch sleep while they wait for each other.
///
/// The wheel's OpenMP library (libgomp) lets a thread that waits spin some hundred thousand times first. Where more work wants to run than there are
/// cores, the spinning takes the time of the very thread that is waited for: measured on two busy cores, eight steps of a small model took 50 s
/// instead of 4 s. libgomp reads its settings from the environment in its constructor, long before main(). The constructor of a library that
/// stands after libgomp in the program's list of libraries runs before it (tests/app/catalogue_test.py sees that it does), and this one does
/// nothing else. Settings of one's own stay.

#include "core/device/waiting/waiting.h"

#include <cstdlib>

namespace {

__attribute__((constructor)) void sleep_while_waiting() {
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr) ::setenv("OMP_WAIT_POLICY", "passive", 0);
}

}  // namespace

bool lw_waiting_is_passive() {
    const char* const policy = std::getenv("OMP_WAIT_POLICY");
    return policy != nullptr && (policy[0] == 'p' || policy[0] == 'P');
}
