/// The verbs that measure perplexity against length.

#include "core/api/evaluation.h"
#include "core/attention/poll.h"
#include "core/data/task.h"
#include "core/evaluation/evaluation_json.h"
#include "core/evaluation/evaluator.h"
#include "core/evaluation/key_token_filter.h"
#include "core/evaluation/transformer_scorer.h"
#include "core/lab/estimates.h"
#include "core/lab/evaluated_runs.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/storage/atomic_file.h"
#include "core/storage/run_folder.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

namespace lw {
namespace {

/// Results depend on the evaluation's settings, not on the run's seed, so that runs can be paired resample by resample.
constexpr std::uint64_t kBootstrapSeed = 1;
/// As in recipes: more change no digit of an interval and take minutes.
constexpr std::int64_t kMostResamples = 1'000'000;

std::vector<EvaluatedDocument> documents_of(const DocumentSet& set, const EvaluationSpec& spec, const std::string& source) {
    std::vector<EvaluatedDocument> documents;
    for (const Document& document : set.documents()) {
        if (document.split == spec.split) documents.push_back({document.id, document.tokens});
    }
    if (documents.empty()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" has no document in its {} split; choose train, validation or test.", source, spec.split));
    }
    return documents;
}

/// The longest window that can come up: asked for or the default, as far as a document reaches.
std::int64_t longest_window(const EvaluationSpec& spec, std::int64_t train_length, const std::vector<EvaluatedDocument>& documents) {
    const std::vector<std::int64_t> lengths = spec.lengths.empty() ? default_lengths(train_length) : spec.lengths;
    std::size_t longest = 0;
    for (const EvaluatedDocument& document : documents) longest = std::max(longest, document.tokens.size());
    return std::min(*std::max_element(lengths.begin(), lengths.end()), static_cast<std::int64_t>(longest));
}

Evaluation describe(const LoadedModel& loaded, const EvaluationSpec& spec, const std::string& device) {
    Evaluation head;
    head.protocol = spec;
    head.run = loaded.run.id;
    head.recipe_hash = recipe_hash(loaded.run.recipe);
    head.step = loaded.step;
    head.source = loaded.run.recipe.data.source;
    head.device = device;
    head.dtype = "float32";
    head.torch_version = TORCH_VERSION;
    head.created = timestamp();
    head.threads = at::get_num_threads();
    head.seed = kBootstrapSeed;
    return head;
}

void check_spec(const EvaluationSpec& spec) {
    if (spec.bootstrap < 0) throw Failure(ErrorKind::invalid_argument, fmt::format("the number of bootstrap resamples is {}; it must be 0 or more", spec.bootstrap));
    if (spec.bootstrap > kMostResamples) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("the number of bootstrap resamples is {}; it can be at most {}", with_commas(spec.bootstrap), with_commas(kMostResamples)));
    }
    if (!(spec.level > 0 && spec.level < 1)) throw Failure(ErrorKind::invalid_argument, fmt::format("the interval's level is {}; it must lie between 0 and 1", spec.level));
    if (spec.split != "train" && spec.split != "validation" && spec.split != "test") {
        throw Failure(ErrorKind::invalid_argument, fmt::format("there is no split \"{}\"; choose train, validation or test", spec.split));
    }
}

void check_keys_spec(const KeyTokenSpec& keys) {
    constexpr std::int64_t kLongest = 1 << 20;
    if (keys.short_context > kLongest) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("the short context is {} tokens; it can be at most {}", with_commas(keys.short_context), with_commas(kLongest)));
    }
    for (const auto& [value, what] : {std::pair{keys.gain, "gain"}, {keys.probability, "log-probability"}}) {
        if (!std::isfinite(value))
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("the least {} of key tokens is {}; it must be a finite number of nats", what, value));
    }
}

/// The second model of an evaluation by key tokens; without one the measured run marks its own.
struct Evaluator {
    LoadedModel loaded;
    std::unique_ptr<TransformerScorer> scorer;
};

/// Losses per token can be set beside each other only where the tokens are the same.
void check_tokens(const LoadedModel& measured, const LoadedModel& evaluator) {
    if (is_task(evaluator.run.recipe.data.source)) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("the run \"{}\" was trained on {} and cannot mark key tokens of a text",
                                                               evaluator.run.id, evaluator.run.recipe.data.source));
    }
    if (evaluator.tokenizer->id() == measured.tokenizer->id()) return;
    throw Failure(
        ErrorKind::invalid_argument,
        fmt::format("the evaluator \"{}\" reads other tokens ({}) than \"{}\" ({}), so it cannot mark key tokens for it; choose a run with the same "
                    "tokenizer",
                    evaluator.run.id, tokenizer_words(evaluator.run.recipe.data), measured.run.id, tokenizer_words(measured.run.recipe.data)));
}

/// "demo:<id>" for a run that comes with the program, since one of the workspace may have the same id.
std::string reference_of(const RunInfo& run) { return (run.demo ? "demo:" : "") + run.id; }

/// Loads the evaluator unless it is the measured checkpoint, and notes in `head` who marks the key tokens.
std::optional<Evaluator> open_evaluator(const LoadedModel& measured, const KeyTokenSpec& keys, Evaluation& head, const std::string& device) {
    head.keys = KeyEvaluator{reference_of(measured.run), head.recipe_hash, head.step};
    std::error_code error;
    if (keys.evaluator.empty()) return std::nullopt;
    Evaluator evaluator{load_model(keys.evaluator, keys.evaluator_step, device), nullptr};
    check_tokens(measured, evaluator.loaded);
    if (std::filesystem::equivalent(keys.evaluator, measured.run.folder, error) && evaluator.loaded.step == measured.step) return std::nullopt;
    head.keys = KeyEvaluator{reference_of(evaluator.loaded.run), recipe_hash(evaluator.loaded.run.recipe), evaluator.loaded.step};
    evaluator.scorer = std::make_unique<TransformerScorer>(*evaluator.loaded.model);
    return evaluator;
}

/// A run that was deleted meanwhile must not come back as a folder with nothing but an evaluation in it.
void write_into(const std::filesystem::path& run, const std::filesystem::path& folder, const Evaluation& evaluation) {
    std::error_code error;
    if (!std::filesystem::exists(RunFolder(run).recipe_file(), error)) {
        throw Failure(ErrorKind::not_found, fmt::format("The run {} was deleted while it was measured; its numbers are not kept.", run.filename().string()));
    }
    write_evaluation(folder, evaluation);
}

/// What a cancelled evaluation of the same checkpoint left, if it was measured in the same way: it is gone on with.
std::optional<Evaluation> begun_before(const std::filesystem::path& run, const Evaluation& head) {
    std::optional<Evaluation> before;
    try {
        before = read_evaluation(RunFolder(run).evaluation_folder(), head.protocol.protocol);
    } catch (const Failure&) {
        return std::nullopt;  // a damaged file is written anew
    }
    if (!before || before->complete) return std::nullopt;
    const EvaluationSpec &had = before->protocol, &wanted = head.protocol;
    const bool alike = before->recipe_hash == head.recipe_hash && before->step == head.step && before->source == head.source && before->device == head.device &&
                       before->dtype == head.dtype && before->seed == head.seed && had.split == wanted.split && had.bootstrap == wanted.bootstrap && had.level == wanted.level;
    return alike ? before : std::nullopt;
}

}  // namespace

Result<Evaluation> evaluate(const std::filesystem::path& run, const EvaluationSpec& spec, std::int64_t step, const RunContext& context,
                            const std::function<void(const Evaluation&)>& on_point) {
    return guarded<Evaluation>([&] {
        check_spec(spec);
        const bool marks_keys = find_protocol(spec.protocol).marks_keys;
        if (marks_keys) check_keys_spec(spec.keys);
        const LoadedModel loaded = load_model(run, step, context.device);
        const DataSpec& data = loaded.run.recipe.data;
        if (is_task(data.source)) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("the run \"{}\" was trained on {}, which is measured by its accuracy, not by perplexity", loaded.run.id, data.source));
        }
        const auto set = open_documents(data.source, loaded.tokenizer, context);
        EvaluationJob job;
        job.head = describe(loaded, spec, context.device);
        job.documents = documents_of(*set, spec, data.source);
        job.train_length = loaded.run.recipe.training.length;
        refuse_too_long(*loaded.model, longest_window(spec, job.train_length, job.documents), false, context.device);
        std::optional<Evaluator> evaluator;
        if (marks_keys) evaluator = open_evaluator(loaded, spec.keys, job.head, context.device);
        if (evaluator) refuse_too_long(*evaluator->loaded.model, longest_window(spec, job.train_length, job.documents), false, context.device);
        job.known = begun_before(run, job.head);
        TransformerScorer scorer(*loaded.model);
        KeyTokenFilter filter(spec.keys, scorer, evaluator ? evaluator->scorer.get() : nullptr);
        if (marks_keys) job.filter = &filter;
        // Demo runs come with the program and are not written to. Elsewhere a read-only folder is refused before the work begins,
        // and what is finished is on the disk even when the program is killed.
        const std::filesystem::path folder = RunFolder(run).evaluation_folder();
        if (!loaded.run.demo) prepare_evaluation_file(folder / (spec.protocol + ".json"));
        const auto noted = [&](const Evaluation& so_far) {
            Evaluation partial = so_far;
            partial.complete = false;
            if (!loaded.run.demo) write_into(run, folder, partial);
            if (on_point) on_point(so_far);
        };
        const PollScope polling(context);
        Evaluation result = run_evaluation(job, scorer, context, noted);
        const std::int64_t longest = result.points.empty() ? job.train_length : result.points.back().length;
        result.attention_path = loaded.model->attention_note(1, longest, false);
        if (!loaded.run.demo && !result.points.empty()) write_into(run, folder, result);
        return result;
    });
}

Result<std::vector<Evaluation>> read_evaluations(const std::filesystem::path& run) {
    return guarded<std::vector<Evaluation>>([&] { return read_evaluation_folder(RunFolder(run).evaluation_folder()); });
}

std::vector<ProtocolInfo> evaluation_protocols() {
    std::vector<ProtocolInfo> all;
    for (const Protocol& protocol : protocols()) {
        all.push_back({protocol.id, protocol.name, protocol.summary, protocol.uses.scored, protocol.uses.stride, protocol.marks_keys});
    }
    return all;
}

EvaluationSpec evaluation_spec(const Recipe& recipe, const std::string& protocol) {
    EvaluationSpec spec = recipe.evaluation;
    const std::int64_t once_written = std::clamp<std::int64_t>(recipe.training.length / 2, 1, 256);
    const bool other = !protocol.empty() && protocol != spec.protocol;
    if (other) spec.protocol = protocol;
    if (other || (spec.protocol == "last-k" && spec.scored == once_written)) spec.scored = 0;
    if (other) spec.stride = 0;
    return spec;
}

}  // namespace lw
