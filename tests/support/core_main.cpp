/// main() of the core test programs.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"

int main(int argc, char** argv) {
    lw::initialise();
    return Catch::Session().run(argc, argv);
}
