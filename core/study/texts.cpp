/// What can be said about a study's texts before anything is trained.
#include "core/data/source.h"
#include "core/data/task.h"
#include "core/evaluation/protocol.h"
#include "core/study/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lw {

namespace {

/// Bytes of the longest document of a split. A token stands for a byte or more, so that a document has no more tokens than bytes.
std::int64_t longest_document(const std::vector<TextSource>& sources, const std::string& split) {
    std::int64_t longest = 0;
    for (const TextSource& source : sources) {
        for (const SourceDocument& document : source.documents) {
            // Of a part of a file the whole file's size is a bound that needs no reading.
            if (document.split == split) longest = std::max(longest, document.file_bytes);
        }
    }
    return longest;
}

void check_lengths(const std::string& source, std::int64_t longest, const EvaluationSpec& evaluation, StudyStatus& status) {
    std::vector<std::string> too_long;
    for (const std::int64_t length : evaluation.lengths) {
        if (length > longest) too_long.push_back(with_commas(length));
    }
    if (too_long.empty()) return;
    const std::string has = fmt::format("the longest document in the {} split of {} has {}", evaluation.split, source, counted(longest, "byte"));
    if (too_long.size() == evaluation.lengths.size()) {
        status.problems.push_back(fmt::format("No length of the evaluation can be measured: {}. Choose shorter lengths or another corpus.", has));
    } else {
        status.notes.push_back(fmt::format("The length{} {} will be left out: {}.", too_long.size() > 1 ? "s" : "", listed(too_long), has));
    }
}

/// The evaluation of the cells on this source; they all have the same.
const EvaluationSpec* evaluation_on(const StudyStatus& status, const std::string& source) {
    const auto found = std::find_if(status.cells.begin(), status.cells.end(), [&](const StudyCell& cell) { return cell.recipe.data.source == source; });
    return found == status.cells.end() ? nullptr : &found->recipe.evaluation;
}

/// Once all its cells are finished a text is read no more.
bool is_needed(const StudyStatus& status, const std::string& source) {
    const auto reads = [&](const StudyCell& cell) { return cell.recipe.data.source == source; };
    if (std::none_of(status.cells.begin(), status.cells.end(), reads)) return true;  // none could be made, perhaps as it is not there
    return std::any_of(status.cells.begin(), status.cells.end(), [&](const StudyCell& cell) { return reads(cell) && cell.state != "finished"; });
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
            const EvaluationSpec* evaluation = evaluation_on(status, name);
            if (evaluation != nullptr) check_lengths(name, longest_document(sources, evaluation->split), *evaluation, status);
        } catch (const Failure& failure) {
            if (is_needed(status, name)) status.problems.emplace_back(failure.what());
        }
    }
}

}  // namespace lw
