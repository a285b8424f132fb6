#pragma once
/// Curves over seeds and comparisons between runs, from evaluations that were read. Torch-free.

#include "core/api/evaluation.h"
#include "core/evaluation/statistics.h"

#include <optional>
#include <string>
#include <vector>

namespace lw {

/// One run with its evaluation by the protocol in question.
struct EvaluatedRun {
    std::string title;
    std::string group;      ///< the same for runs that differ in their seed only
    std::string tokenizer;  ///< perplexities per token compare only where this is equal
    std::int64_t train_length = 0;
    Evaluation evaluation;
    std::uint64_t seed = 0;  ///< of the run: groups with the same seeds are compared seed by seed as well
    bool demo = false;       ///< comes with the program
};

/// One line for each run, or for each group of seeds: mean over seeds with Student's interval, on log perplexity. A group's
/// line has the lengths that all its seeds have. Two runs of one recipe and one seed are the same experiment: the first counts.
/// Titles that would be equal are told apart.
[[nodiscard]] std::vector<CurveLine> curve_lines(const std::vector<EvaluatedRun>& runs, bool group_seeds);

/// Whether both scored the same places. Places depend on the longest length: it must fit to their left.
[[nodiscard]] bool same_places(const Evaluation& a, const Evaluation& b);

/// Runs of one group (other seeds of one recipe) against those of another at one length; nothing where a side lacks the length in one of its
/// runs. Throws Failure(invalid_argument) as compare_groups().
[[nodiscard]] std::optional<Comparison> compare_at(const std::vector<EvaluatedRun>& a, const std::vector<EvaluatedRun>& b, std::int64_t length);

/// A perplexity of more than this many times another one is said as so many times, as "higher by 2672 %" is hard to read.
constexpr double kSaidInTimes = 3;
/// "27.7 times as high as": the words between the two, for ratios above kSaidInTimes; with the interval in brackets where there is one.
[[nodiscard]] std::string times_words(const Comparison& comparison);

/// Why the two cannot be compared, as compare_groups() would refuse it; "" where they can.
[[nodiscard]] std::string pairing_problem(const EvaluatedRun& a, const EvaluatedRun& b);

/// One length of a group of seeds: the mean of their losses, and what sampling seeds and sampling documents leave open.
struct GroupPoint {
    MeanSummary loss;                   ///< over seeds, nats per token
    std::optional<Interval> documents;  ///< of the perplexity: bootstrap over the resampling units, losses averaged over seeds
    std::int64_t document_count = 0, tokens = 0;
    std::string units;                  ///< what the bootstrap went over: "48 documents"
};
/// Nothing where a run lacks the length.
[[nodiscard]] std::optional<GroupPoint> group_point(const std::vector<EvaluatedRun>& group, std::int64_t length);

/// Every other group against that of the first run, at each length both have. Throws Failure(invalid_argument) when there is
/// one group only, or when tokenizers or scored places differ, since such perplexities cannot be paired.
[[nodiscard]] std::vector<Comparison> compare_groups(const std::vector<EvaluatedRun>& runs);

}  // namespace lw
