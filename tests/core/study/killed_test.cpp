/// A study whose program is killed goes on with identical numbers.
#include "tests/support/catch_torch.h"

#include "tests/core/study/small_study.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace lw;

namespace {

constexpr const char* kChildVariable = "LENGTHWISE_TEST_KILLED_STUDY";

StudySpec killed_study(const TinyLaboratory& lab) {
    StudySpec spec = small_study(lab);
    spec.lengths = {32};
    spec.sizes[0].training.steps = 60;
    spec.sizes[0].training.checkpoint_every = 2;
    spec.sizes[0].training.keep_checkpoints = 1;
    return spec;
}

/// This test program again, as a process of its own that runs one hidden test case: a fork alone would share torch's threads.
pid_t start_child(const std::filesystem::path& workspace) {
    const ScopedVariable variable(kChildVariable, workspace.string());
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::execl("/proc/self/exe", "study_tests", "works on a study until it is killed", static_cast<char*>(nullptr));
    ::_exit(127);
}

std::vector<double> losses_of(const StudyStatus& status) {
    std::vector<double> losses;
    for (const StudyCell& cell : status.cells) {
        const auto evaluations = read_evaluations(cell.folder).value();
        for (const LengthPoint& point : evaluations.at(0).points) losses.push_back(point.loss);
    }
    return losses;
}

}  // namespace

TEST_CASE("works on a study until it is killed", "[.killed]") {
    const char* workspace = std::getenv(kChildVariable);
    REQUIRE(workspace != nullptr);
    (void)run_study(workspace, "small-study");
}

TEST_CASE("a study whose program is killed at any moment goes on with identical numbers", "[study]") {
    const TinyLaboratory lab;
    const StudySpec spec = killed_study(lab);
    const std::string id = add_study(lab.workspace, spec).value();
    // In the first cell, and again once half of the cells are there.
    for (const std::size_t runs : {1U, 3U}) {
        const pid_t child = start_child(lab.workspace);
        REQUIRE(child > 0);
        while (list_runs(lab.workspace).value().runs.size() < runs && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(3000);
        ::usleep(20000);
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        const StudyStatus cut = study_status(lab.workspace, id).value();
        CHECK_FALSE(cut.running);
        CHECK(cut.count("finished") < 4);
    }
    const StudyStatus resumed = run_study(lab.workspace, id).value();
    REQUIRE(resumed.count("finished") == 4);
    CHECK(list_runs(lab.workspace).value().runs.size() == 4);
    const std::filesystem::path undisturbed = lab.folder / "undisturbed";
    const StudyStatus whole = run_study(undisturbed, add_study(undisturbed, spec).value()).value();
    CHECK(losses_of(resumed) == losses_of(whole));
}
