/// Passkey retrieval. A number stands somewhere in a text of a few sentences that come again and again; at the end it is asked, digit by
/// digit. Words, order of the parts and the repeated filler as in Mohtashami and Jaggi 2023, arXiv 2305.16300; a word is a token.
#include "core/data/haystack.h"
#include "core/data/task.h"

#include <map>
#include <sstream>

namespace lw {
namespace {

constexpr std::int64_t kDigits = 10;
constexpr const char* kTask = "There is an important info hidden inside a lot of irrelevant text . Find it and memorize it . I will quiz you about it .";
constexpr const char* kFiller = "The grass is green . The sky is blue . The sun is yellow . Here we go . There and back again .";
constexpr const char* kBefore = "The pass key is";
constexpr const char* kBetween = ". Remember it .";
constexpr const char* kAfter = "is the pass key .";
constexpr const char* kQuestion = "What is the pass key ? The pass key is";

using Tokens = std::vector<std::int64_t>;

/// Digits, the line break, then every word in the order of its first use.
class Words {
public:
    Words() {
        for (std::int64_t digit = 0; digit < kDigits; ++digit) add(std::to_string(digit));
        for (const char* text : {"/", kTask, kFiller, kBefore, kBetween, kAfter, kQuestion}) static_cast<void>(tokens_of(text));
    }
    Tokens tokens_of(const std::string& text) {
        Tokens tokens;
        std::istringstream stream(text);
        for (std::string word; stream >> word;) tokens.push_back(add(word));
        return tokens;
    }
    [[nodiscard]] const std::vector<std::string>& list() const { return list_; }

private:
    std::int64_t add(const std::string& word) {
        const auto [found, is_new] = ids_.emplace(word, static_cast<std::int64_t>(list_.size()));
        if (is_new) list_.push_back(word);
        return found->second;
    }
    std::map<std::string, std::int64_t> ids_;
    std::vector<std::string> list_;
};

void append(Tokens& to, const Tokens& more) { to.insert(to.end(), more.begin(), more.end()); }

class Passkey final : public Task {
public:
    explicit Passkey(const Params& params) : digits_(task_integer(params, "digits")), depths_(even_depths(task_integer(params, "depths"))) {
        Words words;
        parts_ = {words.tokens_of(kTask), words.tokens_of(kFiller), {}, words.tokens_of(kQuestion), words.tokens_of("/")};
        before_ = words.tokens_of(kBefore);
        between_ = words.tokens_of(kBetween);
        after_ = words.tokens_of(kAfter);
        tokenizer_ = word_tokenizer("passkey", words.list());
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override {
        const Tokens none(static_cast<std::size_t>(digits_), 0);
        return static_cast<std::int64_t>(passkey_prompt(parts_with(none), 0, 0).text.size()) + digits_ - 1;
    }
    [[nodiscard]] std::int64_t shown_length() const override { return min_length() + static_cast<std::int64_t>(parts_.filler.size()); }
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(kDigits); }
    [[nodiscard]] std::int64_t padding() const override { return parts_.line_break.front(); }
    [[nodiscard]] std::vector<double> depths() const override { return depths_; }

protected:
    void fill(TaskExample& example, std::int64_t length, Random& random) const override {
        Tokens key(static_cast<std::size_t>(digits_));
        for (auto& digit : key) digit = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(kDigits)));
        example.depth = static_cast<std::int64_t>(random.below(depths_.size()));
        const auto garbage = static_cast<std::size_t>(length - min_length());
        const auto prefix = static_cast<std::size_t>(static_cast<double>(garbage) * depths_[static_cast<std::size_t>(example.depth)]);
        Tokens text = passkey_prompt(parts_with(key), garbage, prefix).text;
        const std::size_t asked = text.size() - 1;
        append(text, {key.begin(), key.end() - 1});
        example.tokens = text;
        std::copy(key.begin(), key.end(), example.targets.begin() + static_cast<std::ptrdiff_t>(asked));
    }

private:
    [[nodiscard]] PasskeyParts<Tokens> parts_with(const Tokens& key) const {
        PasskeyParts<Tokens> parts = parts_;
        for (const Tokens* piece : {&before_, &key, &between_, &key, &after_}) append(parts.needle, *piece);
        return parts;
    }

    std::int64_t digits_;
    std::vector<double> depths_;
    PasskeyParts<Tokens> parts_;
    Tokens before_, between_, after_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

TaskInfo info() {
    TaskInfo info{"passkey", "Passkey retrieval", "A number stands once in a long text of sentences that come again and again; at the end it is asked, digit by digit.",
                  {task_integer("digits", "Digits", "Digits of the number.", 5, 1, 16),
                   task_integer("depths", "Depths", "Number of places between the beginning and the end of the text at which the number can stand.", 11, 1, 101)}};
    info.paper = "Mohtashami and Jaggi (2023): Landmark Attention, https://arxiv.org/abs/2305.16300";
    return info;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& passkey() {
    static const TaskEntry entry{info(), [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<Passkey>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
