#pragma once
/// Knobs of the fake laboratory: a link-time substitute of the verbs of core/api for tests of the window. It computes small,
/// smooth, plausible values without LibTorch; none of its numbers is shown to users.

#include "core/api/evaluation.h"
#include "core/api/runs.h"
#include "core/api/study.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace lw::fake {

struct State {
    std::atomic<int> step_milliseconds{0};   ///< how long a training step takes
    std::atomic<int> text_milliseconds{0};   ///< how long a training run reads its text before it has a folder
    std::atomic<int> open_maps_calls{0};
    std::atomic<int> preview_calls{0};
    std::atomic<int> distance_calls{0};
    std::atomic<int> dependence_calls{0};
    std::atomic<bool> fail_distances{false};  ///< head_distances fails
    std::mutex mutex;                        ///< guards what follows
    std::vector<RunInfo> trained;            ///< runs of the fake workspace
    std::vector<std::string> fetched;        ///< corpora fetched
    std::map<std::string, std::vector<Evaluation>> evaluated;  ///< by run folder, beside what demo runs come with
    std::map<std::string, TaskEvaluation> tasks;               ///< by run folder
    std::set<std::string> incomparable;      ///< titles that compare() refuses, on either side
    std::vector<SchemePreset> presets;       ///< the person's own, whatever the workspace
    std::map<std::string, StudyStatus> studies;                ///< by id, whatever the workspace
    std::set<std::string> without_boundary;  ///< titles whose evaluations were made before losses beyond L were kept
    std::set<std::string> failing;           ///< schemes whose training fails in a study
    std::vector<std::string> calls;          ///< "runs" and "doctor", in their order
    Error fail_maps{ErrorKind::internal, ""};       ///< open_maps fails with it when it has a message
    Error fail_training{ErrorKind::internal, ""};
    Error fail_report{ErrorKind::internal, ""};     ///< study_report likewise
};

[[nodiscard]] State& state();
/// Forgets trained runs, counters and failures.
void reset();

/// Plausible perplexity of a scheme at a length, in tokens, for a model trained at L.
[[nodiscard]] double perplexity(const std::string& scheme, double length, double train_length, std::uint64_t seed);
/// What compare() says of two titles: another number for every pair and for each order.
[[nodiscard]] double welch_p(const std::string& a, const std::string& b);

}  // namespace lw::fake
