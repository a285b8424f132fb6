/// What can be said about a study's texts before anything is trained.
#include "core/data/batch_source.h"
#include "core/data/source.h"
#include "core/data/task.h"
#include "core/evaluation/protocol.h"
#include "core/study/cells.h"
#include "core/study/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace lw {

namespace {

/// Most bytes that a document, or its part of a file, can have, without reading it. A part begins and ends at the end of a line near its tenth of
/// the text, at most 2,000 bytes further on (part_bounds()).
std::int64_t most_bytes(const SourceDocument& document) {
    constexpr std::int64_t kToLineEnd = 2000;
    const std::int64_t bytes = document.file_bytes;
    if (document.part < 0) return bytes;
    if (document.part == 2) return bytes - bytes / 10 * 9;
    return std::min(bytes, (document.part == 0 ? bytes - bytes / 10 * 2 : bytes / 10 + 10) + kToLineEnd);
}

/// The documents of a split with as many tokens as they can have at most: a token stands for a byte or more.
std::vector<DocumentLength> longest_possible(const std::vector<TextSource>& sources, const std::string& split) {
    std::vector<DocumentLength> documents;
    for (const TextSource& source : sources) {
        for (const SourceDocument& document : source.documents) {
            if (document.split == split) documents.push_back({document.id, most_bytes(document)});
        }
    }
    return documents;
}

std::int64_t longest_of(const std::vector<DocumentLength>& documents) {
    std::int64_t longest = 0;
    for (const DocumentLength& document : documents) longest = std::max(longest, document.tokens);
    return longest;
}

/// Plans the evaluation as it will be planned once the cells are trained. Throws Failure(invalid_argument) where it is impossible.
EvaluationPlan plan_of(const StudyCell& cell, std::vector<DocumentLength> documents) {
    const EvaluationSpec& evaluation = cell.recipe.evaluation;
    ProtocolRequest request;
    request.documents = std::move(documents);
    request.lengths = evaluation.lengths;
    request.train_length = cell.recipe.training.length;
    request.scored = evaluation.scored;
    request.stride = evaluation.stride;
    request.places = evaluation.documents;
    return plan_evaluation(evaluation.protocol, std::move(request));
}

/// Why the cell's evaluation is impossible with these documents; "" where it is not.
std::string plan_problem(const StudyCell& cell, std::vector<DocumentLength> documents) {
    try {
        (void)plan_of(cell, std::move(documents));
        return "";
    } catch (const Failure& failure) {
        const std::string sentence = failure.what();
        return fmt::format("The evaluation on {} cannot be made: {}{}", cell.recipe.data.source, sentence, sentence.ends_with('.') ? "" : ".");
    }
}

void check_lengths(const std::string& source, std::int64_t longest, const EvaluationSpec& evaluation, StudyStatus& status) {
    std::vector<std::string> too_long;
    for (const std::int64_t length : evaluation.lengths) {
        if (length > longest) too_long.push_back(with_commas(length));
    }
    if (too_long.empty()) return;
    const std::string has = fmt::format("the longest document in the {} split of {} has at most {}", evaluation.split, source, counted(longest, "byte"));
    if (too_long.size() == evaluation.lengths.size()) {
        status.problems.push_back(fmt::format("No length of the evaluation can be measured: {}. Choose shorter lengths or another corpus.", has));
    } else {
        status.notes.push_back(fmt::format("The length{} {} will be left out: {}.", too_long.size() > 1 ? "s" : "", listed(too_long), has));
    }
}

/// A cell on this source; the evaluation of all of them is the same. Null without one.
const StudyCell* cell_on(const StudyStatus& status, const std::string& source) {
    const auto found = std::find_if(status.cells.begin(), status.cells.end(), [&](const StudyCell& cell) { return cell.recipe.data.source == source; });
    return found == status.cells.end() ? nullptr : &*found;
}

/// Once all its cells are finished a text is read no more.
bool is_needed(const StudyStatus& status, const std::string& source) {
    const auto reads = [&](const StudyCell& cell) { return cell.recipe.data.source == source; };
    if (std::none_of(status.cells.begin(), status.cells.end(), reads)) return true;  // none could be made, perhaps as it is not there
    return std::any_of(status.cells.begin(), status.cells.end(), [&](const StudyCell& cell) { return reads(cell) && cell.state != "finished"; });
}

/// Where all cells are finished the evaluation was possible, whatever the texts are now.
void check_evaluation(const StudyCell& cell, const std::vector<TextSource>& sources, bool needed, StudyStatus& status) {
    const EvaluationSpec& evaluation = cell.recipe.evaluation;
    auto documents = longest_possible(sources, evaluation.split);
    const std::size_t before = status.problems.size();
    check_lengths(cell.recipe.data.source, longest_of(documents), evaluation, status);
    if (!needed || status.problems.size() > before) return;
    if (auto problem = plan_problem(cell, std::move(documents)); !problem.empty()) status.problems.push_back(std::move(problem));
}

/// The documents as the cells of this corpus will read them. The tokenizer and the tokens are made here if they were not before, and kept for training.
/// Nothing where that fails: it is the cell that says why, and those of other corpora are worked on.
std::optional<std::vector<DocumentLength>> tokenised(const StudyCell& cell, const RunContext& context) {
    std::shared_ptr<const DocumentSet> set;
    try {
        set = open_documents(cell.recipe.data.source, open_tokenizer(cell.recipe.data, context), context);
    } catch (const Failure& failure) {
        if (failure.kind() == ErrorKind::cancelled) throw;
        return std::nullopt;
    }
    std::vector<DocumentLength> documents;
    for (const Document& document : set->documents()) {
        if (document.split == cell.recipe.evaluation.split) documents.push_back({document.id, static_cast<std::int64_t>(document.tokens.size())});
    }
    return documents;
}

}  // namespace

void check_texts(const StudySpec& spec, StudyStatus& status) {
    std::set<std::string> names;
    if (!spec.schemes.empty()) {
        for (const DataSpec& data : spec.corpora) names.insert(data.source);
    }
    for (const StudyCell& cell : status.cells) names.insert(cell.recipe.data.source);
    for (const std::string& name : names) {
        if (is_task(name)) continue;
        try {
            const auto sources = resolve_sources(name);
            if (const StudyCell* cell = cell_on(status, name)) check_evaluation(*cell, sources, is_needed(status, name), status);
        } catch (const Failure& failure) {
            if (is_needed(status, name)) status.problems.emplace_back(failure.what());
        }
    }
}

void refuse_impossible_evaluations(const StudyStatus& status, const RunContext& context) {
    std::set<std::tuple<std::string, std::string, std::int64_t>> seen;
    for (const StudyCell& cell : status.cells) {
        const DataSpec& data = cell.recipe.data;
        // Continuations read with the tokenizer of what they go on with, and what is trained by now is not lost by measuring it.
        if (cell.state != "waiting" || !cell.base.empty() || measures_task(cell)) continue;
        if (!seen.emplace(data.source, data.tokenizer, data.vocabulary).second) continue;
        const auto documents = tokenised(cell, context);
        const std::string problem = documents ? plan_problem(cell, *documents) : "";
        if (!problem.empty()) throw Failure(ErrorKind::invalid_argument, "The study cannot start: " + problem);
    }
}

}  // namespace lw
