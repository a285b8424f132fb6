#include "core/evaluation/pairing.h"

#include "core/evaluation/line_titles.h"
#include "core/evaluation/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lw {
namespace {

/// What decides which tokens are scored.
std::string settings_of(const Evaluation& evaluation) {
    const EvaluationSpec& spec = evaluation.protocol;
    std::vector<std::int64_t> lengths;
    for (const LengthPoint& point : evaluation.points) lengths.push_back(point.length);
    return fmt::format("lengths {}, {} scored tokens, at most {} places, split {}", fmt::join(lengths, ", "), spec.scored, spec.documents, spec.split);
}

/// How two ways to choose places differ: by their settings, or only by the longest length, to which the places are fitted.
std::string places_words(const Evaluation& a, const Evaluation& b) {
    if (a.protocol_line != b.protocol_line) return a.protocol_line + "; " + b.protocol_line;
    const auto longest = [](const Evaluation& evaluation) { return evaluation.protocol.lengths.empty() ? 0 : evaluation.protocol.lengths.back(); };
    if (longest(a) == longest(b)) return "of different documents";
    return fmt::format("places depend on the longest length, and theirs are {} and {}", with_commas(longest(a)), with_commas(longest(b)));
}

/// Who marked the key tokens, as check_pairing() names it.
std::string evaluator_of(const EvaluatedRun& run) {
    const auto& keys = run.evaluation.keys;
    return keys ? fmt::format("{} at step {}", keys->run, with_commas(keys->step)) : "nobody";
}

}  // namespace

const LengthPoint* point_at(const EvaluatedRun& run, std::int64_t length) {
    for (const LengthPoint& point : run.evaluation.points) {
        if (point.length == length) return &point;
    }
    return nullptr;
}

void check_pairing(const EvaluatedRun& a, const EvaluatedRun& b) {
    const auto refuse = [&](const std::string& why) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} ({}) and {} ({}) cannot be compared: {}", a.title, name_of(a), b.title, name_of(b), why));
    };
    if (a.tokenizer != b.tokenizer) refuse(fmt::format("their tokens differ ({} and {}), so perplexity per token means different things.", a.tokenizer, b.tokenizer));
    if (a.evaluation.source != b.evaluation.source) refuse(fmt::format("they were measured on different texts ({} and {}).", a.evaluation.source, b.evaluation.source));
    if (!same_places(a.evaluation, b.evaluation)) {
        // What comes with the program keeps its evaluation, so the other one is to follow.
        const EvaluatedRun& model = a.demo ? a : b;
        const EvaluatedRun& other = a.demo ? b : a;
        refuse(fmt::format("they scored different places ({}). Evaluate {} again with the settings of {}: {}.", places_words(a.evaluation, b.evaluation),
                           name_of(other), name_of(model), settings_of(model.evaluation)));
    }
    if (!same_keys(a.evaluation, b.evaluation)) {
        refuse(fmt::format(
            "their key tokens are other tokens, marked by {} and by {} or with other settings. Evaluate both with the same evaluator and settings.",
            evaluator_of(a), evaluator_of(b)));
    }
    for (const LengthPoint& point : a.evaluation.points) {
        const LengthPoint* other = point_at(b, point.length);
        if (other != nullptr && other->document_tokens != point.document_tokens) {
            refuse(fmt::format("at {} they scored different tokens. Evaluate both again with the same settings.", with_commas(point.length)));
        }
    }
}

bool same_places(const Evaluation& a, const Evaluation& b) {
    const auto same = [](const ScoredPlace& x, const ScoredPlace& y) { return x.document == y.document && x.begin == y.begin && x.end == y.end; };
    return std::equal(a.places.begin(), a.places.end(), b.places.begin(), b.places.end(), same);
}

std::string pairing_problem(const EvaluatedRun& a, const EvaluatedRun& b) {
    try {
        check_pairing(a, b);
    } catch (const Failure& failure) {
        return failure.what();
    }
    return "";
}

}  // namespace lw
