#include "core/evaluation/line_titles.h"

#include "core/evaluation/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

namespace lw {
namespace {

using Property = std::function<std::string(const EvaluatedRun&)>;

/// From what a person would say first to what always differs. "" adds nothing.
const std::vector<Property>& properties() {
    static const std::vector<Property> all = {
        [](const EvaluatedRun& run) { return std::string(run.demo ? "demo" : ""); },
        [](const EvaluatedRun& run) { return "L = " + with_commas(run.train_length); },
        [](const EvaluatedRun& run) { return run.evaluation.source; },
        [](const EvaluatedRun& run) { return run.tokenizer; },
        [](const EvaluatedRun& run) { return fmt::format("seed {}", run.seed); },
    };
    return all;
}

/// Titles of runs that all have the same one.
std::vector<std::string> told_apart(const std::vector<const EvaluatedRun*>& runs) {
    std::vector<std::vector<std::string>> words(runs.size());
    std::vector<std::string> titles(runs.size(), runs.front()->title);
    const auto all_differ = [&] { return std::set<std::string>(titles.begin(), titles.end()).size() == runs.size(); };
    const auto differs = [&](const Property& of) { return std::any_of(runs.begin(), runs.end(), [&](const auto* run) { return of(*run) != of(*runs.front()); }); };
    const auto add = [&](const Property& of) {
        for (std::size_t n = 0; n < runs.size(); ++n) {
            if (const std::string word = of(*runs[n]); !word.empty()) words[n].push_back(word);
            titles[n] = words[n].empty() ? runs[n]->title : fmt::format("{}, {}", runs[n]->title, fmt::join(words[n], ", "));
        }
    };
    for (const Property& property : properties()) {
        if (!all_differ() && differs(property)) add(property);
    }
    if (!all_differ()) {
        for (auto& list : words) list.clear();
        add(name_of);
    }
    return titles;
}

}  // namespace

std::vector<std::string> distinct_titles(const std::vector<const EvaluatedRun*>& runs) {
    std::vector<std::string> titles(runs.size());
    for (std::size_t n = 0; n < runs.size(); ++n) {
        if (!titles[n].empty()) continue;
        std::vector<const EvaluatedRun*> same;
        std::vector<std::size_t> places;
        for (std::size_t other = n; other < runs.size(); ++other) {
            if (runs[other]->title != runs[n]->title) continue;
            same.push_back(runs[other]);
            places.push_back(other);
        }
        const auto apart = told_apart(same);
        for (std::size_t k = 0; k < places.size(); ++k) titles[places[k]] = apart[k];
    }
    return titles;
}

std::string name_of(const EvaluatedRun& run) { return (run.demo ? "demo:" : "") + run.evaluation.run; }

}  // namespace lw
