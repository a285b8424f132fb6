#include "core/data/files.h"
#include "core/data/task.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace lw {
namespace {

constexpr std::string_view kConsonants = "bdfgklmnprstvz";
constexpr std::string_view kVowels = "aeiou";

class WordTokenizer final : public Tokenizer {
public:
    WordTokenizer(std::string task, std::vector<std::string> words) : task_(std::move(task)), words_(std::move(words)) {
        for (std::size_t i = 0; i < words_.size(); ++i) ids_[words_[i]] = static_cast<std::int64_t>(i);
    }

    /// Words between spaces or newlines; a word that the task does not have is refused.
    [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const override {
        std::vector<std::int64_t> ids;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find_first_of(" \n\r\t", begin), text.size());
            if (end > begin) ids.push_back(id_of(std::string(text.substr(begin, end - begin))));
            begin = end + 1;
        }
        return ids;
    }
    [[nodiscard]] std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const std::int64_t id : ids) text += (text.empty() ? "" : " ") + piece(id);
        return text;
    }
    [[nodiscard]] std::string piece(std::int64_t id) const override {
        if (id < 0 || id >= size())
            throw Failure(ErrorKind::invalid_argument, fmt::format("Token {} is outside the {} words of task {}.", id, size(), task_));
        return words_[static_cast<std::size_t>(id)];
    }
    [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(words_.size()); }
    [[nodiscard]] std::string id() const override { return fmt::format("task-{}-{}", task_, size()); }
    void save(const std::filesystem::path& folder) const override {
        const nlohmann::json description{{"kind", "task"}, {"task", task_}, {"vocabulary", size()}, {"words", words_}};
        write_whole_file(folder / "tokenizer.json", description.dump(2) + "\n");
    }

private:
    [[nodiscard]] std::int64_t id_of(const std::string& word) const {
        const auto found = ids_.find(word);
        if (found == ids_.end())
            throw Failure(ErrorKind::invalid_argument, fmt::format("\"{}\" is not a word of task {}. It knows {} words, such as {} and {}.", word, task_, size(),
                                                                   words_.front(), words_.back()));
        return found->second;
    }

    std::string task_;
    std::vector<std::string> words_;
    std::unordered_map<std::string, std::int64_t> ids_;
};

}  // namespace

std::shared_ptr<const Tokenizer> word_tokenizer(const std::string& task, std::vector<std::string> words) {
    return std::make_shared<WordTokenizer>(task, std::move(words));
}

std::shared_ptr<const Tokenizer> read_word_tokenizer(const std::string& json, const std::string& origin) {
    try {
        const auto description = nlohmann::json::parse(json);
        auto words = description.at("words").get<std::vector<std::string>>();
        if (words.empty()) throw Failure(ErrorKind::corrupt_file, origin + " lists no words.");
        return word_tokenizer(description.at("task").get<std::string>(), std::move(words));
    } catch (const nlohmann::json::exception&) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} does not describe a task's words: it must be an object with \"task\", a name, and \"words\", a list of words.", origin));
    }
}

std::vector<std::string> invented_words(std::int64_t count, std::int64_t skip) {
    const auto syllables = static_cast<std::int64_t>(kConsonants.size() * kVowels.size());
    const auto syllable = [](std::int64_t n) {
        const auto index = static_cast<std::size_t>(n);
        return std::string{kConsonants[index / kVowels.size()], kVowels[index % kVowels.size()]};
    };
    std::vector<std::string> words;
    for (std::int64_t i = skip; i < skip + count; ++i) {
        // 1,009 has no factor in common with 4,900, so every word comes once and neighbours look different.
        const std::int64_t n = i * 1009 % (syllables * syllables);
        words.push_back(syllable(n / syllables) + syllable(n % syllables));
    }
    return words;
}

}  // namespace lw
