#pragma once
/// Perplexity against length, with its protocol and uncertainty, and comparisons between runs.

#include "core/api/context.h"
#include "core/api/recipe.h"

#include <optional>

namespace lw {

/// One length. All losses are natural logs; perplexity = exp(Σ nll / Σ tokens), never a mean of window means.
struct LengthPoint {
    std::int64_t length = 0;
    double loss = 0;  ///< nats per token
    double perplexity = 0;
    double low = 0, high = 0;  ///< bootstrap interval over the resampling units; both the perplexity where there is none
    std::int64_t documents = 0;
    std::int64_t places = 0;   ///< scored windows
    std::int64_t tokens = 0;   ///< scored tokens
    double seconds = 0;        ///< wall time for this length
    std::vector<double> document_loss;         ///< mean nll per resampling unit: document, or scored place when fewer than 8 documents
    std::vector<std::int64_t> document_tokens; ///< scored tokens per resampling unit
    std::string warning;       ///< "only 4 documents are this long"
    std::int64_t candidates = 0;  ///< longppl: tokens of which `tokens` are key tokens; 0 for protocols that count every scored token
    double all_loss = 0;          ///< longppl: mean nll of all candidates, what last-k would say of the same tokens
};

/// A scored place: token range of a document.
struct ScoredPlace {
    std::string document;
    std::int64_t begin = 0, end = 0;
};

/// Whose losses marked the key tokens of an evaluation by longppl.
struct KeyEvaluator {
    std::string run;          ///< id, "demo:<id>" of one that comes with the program; the measured run itself unless another one was asked for
    std::string recipe_hash;  ///< of that run
    std::int64_t step = 0;
};

struct Evaluation {
    EvaluationSpec protocol;   ///< resolved
    std::string protocol_line; ///< "same 64 last tokens, 32 places of 3 documents, no BOS"
    std::string run;           ///< id
    std::string recipe_hash;
    std::int64_t step = 0;
    std::string source;
    std::string unit = "document";             ///< what the bootstrap resamples: "document", or "place" where fewer than 8 documents have
                                               ///< scored tokens, or by longppl key tokens at one of the lengths
    std::vector<std::string> documents;        ///< that hold a scored token at any length
    std::vector<ScoredPlace> places;           ///< of the longest length; the same at every length but for dape-paper
    std::vector<LengthPoint> points;
    std::vector<std::int64_t> position_edges;  ///< log-spaced bins of position, [n + 1]; empty = not measured
    std::vector<double> position_loss;         ///< mean nll per bin at the longest length, [n]
    /// The same by distance from the training length: edges in tokens before the scored one, [n + 1], ascending, log-spaced away from L on both
    /// sides; a bin [L + 1, L + 2) holds the first tokens whose context is longer than any in training. Empty = not measured.
    std::vector<std::int64_t> boundary_edges;
    std::vector<double> boundary_loss;         ///< mean nll per bin, [n]
    std::string device, dtype, torch_version, created, attention_path;
    std::int64_t threads = 0;
    std::uint64_t seed = 0;
    std::vector<std::int64_t> asked;           ///< lengths that were asked for; protocol.lengths are those that the documents allow
    bool complete = true;      ///< false when cancelled: the points that were finished are kept
    std::optional<KeyEvaluator> keys{};        ///< of longppl only
};

/// True for an evaluation made before losses by distance from the training length were kept: measuring the run again brings them. False
/// where they are there, where no loss by position could be measured, and where no context was longer than any in training, L tokens.
[[nodiscard]] inline bool lacks_boundary_loss(const Evaluation& evaluation, std::int64_t train_length) {
    if (!evaluation.boundary_loss.empty() || evaluation.position_loss.empty() || evaluation.points.empty()) return false;
    return evaluation.points.back().length > train_length + 1;
}

/// Whether the key tokens of both were marked in the same way: by one evaluator at one step, with one short context, stride and pair of thresholds.
/// True of two evaluations without key tokens, false where only one has them.
[[nodiscard]] bool same_keys(const Evaluation& a, const Evaluation& b);
/// Who marked the key tokens of an evaluation by longppl, and how, as a JSON object: its member "keys" on disk and in what the command line
/// writes. "" for an evaluation without.
[[nodiscard]] std::string keys_json(const Evaluation& evaluation);

/// A way to measure perplexity against length, and which settings of an EvaluationSpec it reads besides lengths, split and places.
struct ProtocolInfo {
    std::string id;       ///< "last-k"
    std::string name;     ///< "Same last tokens"
    std::string summary;  ///< one sentence
    bool uses_scored = false;  ///< EvaluationSpec::scored
    bool uses_stride = false;  ///< EvaluationSpec::stride
    bool marks_keys = false;   ///< EvaluationSpec::keys
};
/// All of them, the usual one first.
[[nodiscard]] std::vector<ProtocolInfo> evaluation_protocols();

/// The run's own settings, for its protocol ("") or another one. A number of scored tokens or a stride belongs to the protocol it was
/// set for; another protocol takes its own. So does last-k where the recipe only holds what used to be written as the default.
[[nodiscard]] EvaluationSpec evaluation_spec(const Recipe& recipe, const std::string& protocol = "");

/// Evaluates a checkpoint and writes evaluations/<protocol>.json into the run (or, for demo runs, returns it only).
/// Cancelled: the points that were finished, complete = false; an error only where nothing was.
///
/// The protocol longppl measures LongPPL, exp of the mean nll over the key tokens (KeyTokenSpec) of the same last k tokens at every length T:
/// context T against context K. Each length has its own key tokens, marked by the evaluator at that length; `tokens` of a point counts them,
/// `candidates` all that were looked at, and a length without any is left out and named. Perplexities by it compare only where one
/// evaluator marked the tokens of all runs. Errors: invalid_argument for lengths that are not longer than the short context by at least two
/// tokens, for an evaluator with other tokens or one trained on a task, and where no length has a key token.
Result<Evaluation> evaluate(const std::filesystem::path& run, const EvaluationSpec& spec, std::int64_t step = -1,
                            const RunContext& context = {},
                            const std::function<void(const Evaluation&)>& on_point = {});
/// One evaluation for each protocol the run was evaluated by; none for a run without any. A damaged file is corrupt_file and named.
Result<std::vector<Evaluation>> read_evaluations(const std::filesystem::path& run);

/// Accuracy where what is asked for stands at one depth of the text.
struct TaskDepth {
    double depth = 0;  ///< 0 = at the beginning, 1 = at the end
    double token_accuracy = 0, exact_match = 0;
    std::int64_t examples = 0;
};
/// Task accuracy at one length, for runs trained on a synthetic task.
struct TaskPoint {
    std::int64_t length = 0;
    double token_accuracy = 0, exact_match = 0;
    double low = 0, high = 0;              ///< 95 % interval of token accuracy: bootstrap over examples, Wilson's over examples where all are alike
    double exact_low = 0, exact_high = 0;  ///< 95 % interval of exact match (Wilson over examples)
    double chance = 0;
    std::int64_t examples = 0;
    std::vector<TaskDepth> depths{};       ///< for tasks that hide something in a text
};
struct TaskEvaluation {
    std::string run;  ///< id
    std::int64_t step = 0;
    std::string source;  ///< "task:copy"
    std::vector<TaskPoint> points;
    std::string device, created;
    bool complete = true;  ///< false when cancelled: the lengths that were finished are kept
    std::int64_t train_length = 0;
    std::optional<TaskPoint> train{};       ///< the first examples that were trained on
    std::optional<TaskPoint> validation{};  ///< new examples, drawn as the run's validation set
};
/// Means over the lengths above the longest trained one, each length counting once.
struct TaskScore {
    double token_accuracy = 0, exact_match = 0;
    std::int64_t lengths = 0;  ///< 0 = none was measured
};
[[nodiscard]] TaskScore generalisation_score(const std::vector<TaskPoint>& points, std::int64_t train_length);
/// Measures a checkpoint on its training and validation examples and at the lengths (none: the task's usual ones) and writes
/// evaluations/task.json into the run (demo runs: returns it only). Errors: invalid_argument for a run trained on text, for fewer than one
/// example, and for a length too short for the task.
Result<TaskEvaluation> evaluate_task(const std::filesystem::path& run, const std::vector<std::int64_t>& lengths, std::int64_t examples = 256,
                                     std::int64_t step = -1, const RunContext& context = {});
/// What evaluate_task wrote last; nothing when the run was not measured yet. A damaged file is corrupt_file and named.
Result<std::optional<TaskEvaluation>> read_task_evaluation(const std::filesystem::path& run);

/// Two runs (or groups of seeds) at one length.
struct Comparison {
    std::string a, b;
    std::int64_t length = 0;
    double ratio = 0;              ///< perplexity a / b
    double low = 0, high = 0;      ///< of the ratio: paired bootstrap over the resampling units; both the ratio where there is none
    double welch_p = -1;           ///< over seeds on log-perplexity, -1 = fewer than 2 seeds each
    double paired_p = -1;          ///< seed by seed, -1 = the seeds are not the same, or fewer than 2
    double corrected_p = -1;       ///< the test that was asked for, after Holm's correction over all lengths and pairs; -1 = none was made
    std::optional<double> effect{};  ///< Hedges' g of a minus b over seeds on log-perplexity
    std::int64_t seeds_a = 0, seeds_b = 0, documents = 0;
    std::string units;             ///< what the bootstrap went over: "48 documents", "16 places of 5 documents"
    bool other_texts = true;       ///< false: places were resampled, so the interval says nothing about other texts
    std::string sentence;          ///< "DAPE-Kerple is lower than Kerple at 2,048 by 4.1 % [3.0, 5.2], ..."
};
/// Compares each of the runs with the first. Runs with the same scheme and recipe but other seeds form one group.
Result<std::vector<Comparison>> compare(const std::vector<std::filesystem::path>& runs, const std::string& protocol = "last-k",
                                        const RunContext& context = {});

/// A line of a perplexity-against-length plot, or of a loss by position: one run, or the mean over seeds with a band.
struct CurveLine {
    std::string title;
    std::string group;                ///< recipe hash without the seed
    std::vector<std::string> runs;
    std::int64_t seeds = 1;
    std::int64_t train_length = 0;
    std::vector<double> length, value, low, high;  ///< length or position; low/high: what `band` says; the value itself where there is no interval
    std::vector<double> tokens;       ///< scored tokens per point
    std::vector<double> candidates{}; ///< longppl: tokens per point of which `tokens` are key tokens; empty for other protocols
    std::string band;                 ///< "95 % bootstrap over 9 documents", "95 % t interval over 3 seeds" or "no interval"; "chance" for what guessing reaches, which is no run
};
/// Lines for the given runs. Runs without that protocol are left out and named in `missing`; those whose file is damaged as well, and
/// `problems` says what is wrong with it.
struct CurveSet {
    std::string protocol, protocol_line, x_label, y_label;  ///< protocol_line: as in the evaluations; several ways stand beside each other, with " | "
    std::vector<CurveLine> lines;
    std::vector<std::string> missing;
    std::vector<std::string> problems;
    /// In which ways the lines were not measured alike, a clause each ("texts differ between runs (en-prose, en-drama)"): a plot of them must say
    /// so. Empty where they can be read as one.
    std::vector<std::string> warnings{};
};
/// The label of a plot of them: their warnings, then how they were measured.
[[nodiscard]] inline std::string measured_words(const CurveSet& curves) {
    std::string words;
    for (const std::string& warning : curves.warnings) words += (words.empty() ? "" : "; ") + warning;
    return words + (words.empty() ? "" : ": ") + curves.protocol_line;
}
Result<CurveSet> perplexity_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol = "last-k", bool group_seeds = true);

/// What the position of a scored token is counted from.
enum class PositionOrigin {
    start,            ///< tokens before it, from the first of its text
    training_length,  ///< by how many tokens its context is longer than any in training, L: 1 is the first beyond
};
/// Mean loss (nats per token) by position of the scored token at the longest length of each run's evaluation: a line for each run, or for each
/// group of runs that differ in nothing but the seed, its mean over seeds with Student's interval in the bins that all of them have. `length`
/// of a line holds positions, the geometric middles of the bins; `tokens` is 0, and train_length too where L is the origin. Runs without such
/// losses are in `missing`. Errors: not_found for a folder that is no run, invalid_argument for an unknown protocol.
Result<CurveSet> position_curves(const std::vector<std::filesystem::path>& runs, const std::string& protocol = "last-k",
                                 PositionOrigin origin = PositionOrigin::start, bool group_seeds = true);

}  // namespace lw
