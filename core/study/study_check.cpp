/// What a study needs before its cells can be made: lists without repeats, words that are known, nothing left open.
#include "core/api/published.h"
#include "core/evaluation/protocol.h"
#include "core/position/nearest.h"
#include "core/storage/recipe_json.h"
#include "core/storage/strict_json.h"
#include "core/study/study_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace lw {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

/// A thing that stands twice in a list would be trained once and look like two.
template <class Values, class Name>
void refuse_repeats(const Values& values, const char* what, const Name& name) {
    std::set<std::string> seen;
    for (const auto& value : values) {
        if (const std::string word = name(value); !seen.insert(word).second) refuse(fmt::format("The study has the {} {} twice.", what, word));
    }
}

void check_word(const std::string& word, const std::vector<std::string>& known, const char* what) {
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    refuse(fmt::format("The study's {} is \"{}\".{}", what, word, suggestion(word, known)));
}

std::vector<std::string> names_of(const std::vector<SchemeSpec>& schemes) {
    std::vector<std::string> names;
    for (const SchemeSpec& scheme : schemes) names.push_back(scheme.name);
    return names;
}

void check_names(const StudySpec& spec) {
    refuse_control_characters(spec.name, "The name of a study");
    for (const auto* schemes : {&spec.schemes, &spec.continuation.extensions}) {
        for (const SchemeSpec& scheme : *schemes) refuse_control_characters(scheme.name, "The name of a scheme");
    }
    for (const StudySize& size : spec.sizes) refuse_control_characters(size.name, "The name of a size");
}

void check_lists(const StudySpec& spec) {
    const auto number = [](auto value) { return fmt::format("{}", value); };
    refuse_repeats(spec.schemes, "scheme", [](const SchemeSpec& scheme) { return scheme.name; });
    refuse_repeats(spec.continuation.extensions, "extension", [](const SchemeSpec& scheme) { return scheme.name; });
    refuse_repeats(spec.seeds, "seed", number);
    refuse_repeats(spec.lengths, "training length", number);
    refuse_repeats(spec.continuation.lengths, "length to continue at", number);
    refuse_repeats(spec.continuation.steps, "number of steps", number);
    refuse_repeats(spec.sizes, "size", [](const StudySize& size) { return size.name; });
    refuse_repeats(spec.corpora, "corpus", [](const DataSpec& data) { return fmt::format("{} ({}, {})", data.source, data.tokenizer, data.vocabulary); });
}

/// Every cell is compared with every run and with the cells before it. A study of thousands is asked for by mistake, as by a list that a script wrote.
void check_size(const StudySpec& spec) {
    constexpr double kMostCells = 10'000;
    const auto count = [](const auto& list) { return static_cast<double>(list.size()); };
    const StudyContinuation& more = spec.continuation;
    const double plain = count(spec.schemes) * count(spec.seeds) * count(spec.lengths) * count(spec.sizes) * count(spec.corpora);
    const double bases = more.runs.empty() ? plain : count(more.runs);
    const double cells = plain + bases * count(more.extensions) * count(more.lengths) * count(more.steps);
    if (cells <= kMostCells) return;
    refuse(fmt::format("The study has {} cells (schemes, seeds, lengths, sizes and corpora multiplied, and its continuations); {} are the most. Divide it into several studies.",
                       cells < 1e15 ? with_commas(static_cast<std::int64_t>(cells)) : fmt::format("{:.1e}", cells), with_commas(static_cast<std::int64_t>(kMostCells))));
}

}  // namespace

StudySpec checked_study(StudySpec spec) {
    (void)study_id(spec.name);
    check_names(spec);
    for (DataSpec& data : spec.corpora) data.source = without_trailing_slash(data.source);
    const bool continues = !spec.continuation.extensions.empty();
    if (spec.schemes.empty() && !(continues && !spec.continuation.runs.empty())) refuse("The study has no schemes; name presets or give schemes with their slots, as in a recipe.");
    if (spec.seeds.empty()) refuse("The study has an empty list of seeds; leave it out for seed 1.");
    if (spec.sizes.empty()) spec.sizes.emplace_back();
    if (spec.corpora.empty()) spec.corpora.emplace_back();
    if (spec.lengths.empty()) spec.lengths.push_back(spec.sizes.front().training.length);
    if (continues && spec.continuation.lengths.empty()) spec.continuation.lengths.push_back(2 * *std::max_element(spec.lengths.begin(), spec.lengths.end()));
    check_size(spec);
    check_lists(spec);
    check_word(spec.test, {"welch", "paired"}, "test");
    if (!spec.published.empty()) (void)published_set(spec.published).value();
    // The rows of a continuation are known with its cells, which need the runs they go on with: study_cells() looks there.
    if (!spec.reference.empty() && !continues) check_word(spec.reference, names_of(spec.schemes), "reference");
    return spec;
}

std::string study_folder_name(const std::string& name) {
    std::string id;
    for (const unsigned char c : name) {
        if (c < 128 && std::isalnum(c) != 0) id += static_cast<char>(std::tolower(c));
        else if (!id.empty() && id.back() != '-') id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id.substr(0, 60);
}

std::string study_id(const std::string& name) {
    std::string id = study_folder_name(name);
    if (id.empty()) refuse("A study needs a \"name\" with at least one letter or digit; its folder is called after it.");
    return id;
}

}  // namespace lw
