#include "core/study/cell_words.h"

#include "core/evaluation/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace lw {

namespace {

/// A folder by its name, where no other corpus of the study has the same one.
std::string corpus_words(const StudySpec& spec, const DataSpec& data) {
    const auto short_name = [](const std::string& source) { return source.find('/') == std::string::npos ? source : std::filesystem::path(source).filename().string(); };
    const bool shared = std::any_of(spec.corpora.begin(), spec.corpora.end(),
                                    [&](const DataSpec& other) { return other.source != data.source && short_name(other.source) == short_name(data.source); });
    return shared ? data.source : short_name(data.source);
}

/// Equal for runs that differ in their seed only. The run that a run was started from has the same seed, so its hash is left out as well.
std::string seedless_hash(Recipe recipe) {
    recipe.seed = 0;
    recipe.start = {};
    return training_hash(recipe);
}

}  // namespace

std::string setting_of(const StudySpec& spec, std::int64_t length, const StudySize& size, const DataSpec& data) {
    std::vector<std::string> words = {"L = " + with_commas(length)};
    if (!size.name.empty()) words.push_back(size.name);
    words.push_back(corpus_words(spec, data));
    const bool tokenizers = std::any_of(spec.corpora.begin(), spec.corpora.end(), [&](const DataSpec& other) { return other.tokenizer != data.tokenizer || other.vocabulary != data.vocabulary; });
    if (tokenizers) words.push_back(data.tokenizer == "bpe" ? fmt::format("bpe {}", data.vocabulary) : data.tokenizer);
    return fmt::format("{}", fmt::join(words, ", "));
}

void tell_apart(std::vector<StudyCell>& bases) {
    struct Recipes {
        std::vector<std::string> hashes, firsts;
    };
    std::map<std::string, Recipes> titles;
    const auto row_of = [](const StudyCell& base) { return fmt::format("{}\n{}\n{}", base.scheme, base.recipe.training.length, base.recipe.data.source); };
    for (const StudyCell& base : bases) {
        Recipes& recipes = titles[row_of(base)];
        const std::string hash = seedless_hash(base.recipe);
        if (std::find(recipes.hashes.begin(), recipes.hashes.end(), hash) != recipes.hashes.end()) continue;
        recipes.hashes.push_back(hash);
        recipes.firsts.push_back(base.id);
    }
    for (StudyCell& base : bases) {
        const Recipes& recipes = titles[row_of(base)];
        if (recipes.hashes.size() < 2) continue;
        const auto at = std::find(recipes.hashes.begin(), recipes.hashes.end(), seedless_hash(base.recipe)) - recipes.hashes.begin();
        base.scheme += fmt::format(" ({})", recipes.firsts[static_cast<std::size_t>(at)]);
    }
}

std::string continued_title(const std::string& base, const SchemeSpec& extension, std::int64_t steps) {
    const std::string what = extension.slots.empty() ? base : extension.name.starts_with(base) ? extension.name : base + " + " + extension.name;
    return what + ", " + (steps == 0 ? "plug-in" : counted(steps, "step"));
}

}  // namespace lw
