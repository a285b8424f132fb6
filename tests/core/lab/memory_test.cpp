/// The promise that long texts fit: memory of a pass at 16,384 tokens, each in a process of its own, since a process's peak never falls.
#include "tests/support/catch_torch.h"

#include "core/api/doctor.h"
#include "core/model/transformer.h"
#include "tests/core/training/tiny_run.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace lw;

namespace {

constexpr const char* kSchemeVariable = "LENGTHWISE_TEST_MEMORY_SCHEME";
constexpr std::int64_t kLength = 16384;
constexpr std::int64_t kMostBytes = 2'000'000'000;

/// One layer is enough: layers follow one another, and their memory is used again.
ModelSpec one_layer() {
    ModelSpec spec;
    spec.layers = 1;
    spec.heads = spec.kv_heads = 4;
    spec.width = 32;
    spec.head_width = 8;
    spec.ffn_width = 64;
    spec.vocabulary = 64;
    return spec;
}

bool passes_in_a_process_of_its_own(const std::string& scheme) {
    const ScopedVariable variable(kSchemeVariable, scheme);
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl("/proc/self/exe", "lab_tests", "reads a long text within its memory", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("reads a long text within its memory", "[.memory]") {
    const char* scheme = std::getenv(kSchemeVariable);
    REQUIRE(scheme != nullptr);
    initialise();
    const at::NoGradGuard no_gradient;
    Transformer model(one_layer(), check_scheme(find_scheme(scheme).value()).value(), 128, 1);
    model.eval();
    // Maps keep the log-normalisers of all rows, evaluation wants the last rows only.
    std::vector<LayerCapture> captured;
    ForwardOptions options;
    options.last_rows = 64;
    options.drop_unscored_rows = false;
    const at::Tensor tokens = at::arange(kLength, at::kLong).remainder(64).unsqueeze(0);  // [1, T]
    CHECK(model.forward(tokens, options).isfinite().all().item<bool>());
    options.capture = &captured;
    CHECK(model.forward(tokens, options).isfinite().all().item<bool>());
    CHECK(memory_use().peak < kMostBytes);
}

TEST_CASE("reading 16,384 tokens takes less than 2 GB with a static bias", "[lab][memory]") { CHECK(passes_in_a_process_of_its_own("alibi")); }

TEST_CASE("reading 16,384 tokens takes less than 2 GB with DAPE", "[lab][memory][slow]") { CHECK(passes_in_a_process_of_its_own("dape-kerple")); }
