/// liblw_waiting.so: the threads of LibTorch soon sleep while they wait for each other.
///
/// The wheel's OpenMP library (libgomp) lets a thread that waits spin some hundred thousand times first. Where more work wants to run than there are
/// cores, the spinning takes the time of the very thread that is waited for: measured on two busy cores, eight steps of a small model took 50 s
/// instead of 4 s. Sleeping at once costs a fifth of the speed where nothing else runs; 10,000 rounds, some tens of microseconds, cost nothing
/// there and were the fastest beside two busy programs as well. libgomp reads its settings from the environment in its constructor, long before main(). Constructors of libraries that do not
/// need each other run in the order in which they were found, last first, and libraries are found level by level: those that the program needs,
/// then those that they need. libgomp is of the first level, or of the second where Qt brings it; so the library whose constructor sets
/// the environment (environment.cpp) is needed by this one alone, which makes it of the second level and behind Qt's.
/// tests/app/catalogue_test.py sees that it works. Settings of one's own stay.

#include "core/device/waiting/waiting.h"

#include "core/device/waiting/environment.h"

#include <cstdlib>
#include <cstring>

bool lw_waiting_is_short() {
    const char* const rounds = std::getenv("GOMP_SPINCOUNT");
    return rounds != nullptr && std::strcmp(rounds, lw_spin_count()) == 0;
}
