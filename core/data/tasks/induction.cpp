/// Induction. A text of random words in which the last word stood exactly once before; the answer is the word that followed it there. With
/// a marker the asked word is always the same one, as in the induction-heads test of Gu and Dao 2023, arXiv 2312.00752; without it any word
/// can be asked, which is the pattern A B … A → B of Olsson et al. 2022, arXiv 2209.11895.
#include "core/data/task.h"

namespace lw {
namespace {

constexpr std::int64_t kPadding = 0;
constexpr std::int64_t kMarker = 1;
constexpr std::int64_t kFirstWord = 2;

class Induction final : public Task {
public:
    explicit Induction(const Params& params) : words_(task_integer(params, "words")), marker_(task_chooses(params, "asked", "marker")) {
        std::vector<std::string> list{"·", "!"};
        for (auto& word : invented_words(words_)) list.push_back(std::move(word));
        tokenizer_ = word_tokenizer("induction", std::move(list));
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return 3; }
    /// The answer is another word than the asked one.
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(marker_ ? words_ : words_ - 1); }
    [[nodiscard]] std::int64_t padding() const override { return kPadding; }

protected:
    void fill(TaskExample& example, std::int64_t length, Random& random) const override {
        const std::int64_t asked = marker_ ? kMarker : kFirstWord + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(words_)));
        for (auto& token : example.tokens) token = other_than(asked, random);
        const auto place = static_cast<std::size_t>(random.below(static_cast<std::uint64_t>(length - 2)));
        example.tokens[place] = example.tokens.back() = asked;
        example.targets.back() = example.tokens[place + 1];
    }

private:
    [[nodiscard]] std::int64_t other_than(std::int64_t asked, Random& random) const {
        const std::int64_t choices = marker_ ? words_ : words_ - 1;
        const std::int64_t word = kFirstWord + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(choices)));
        return !marker_ && word >= asked ? word + 1 : word;
    }

    std::int64_t words_;
    bool marker_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

TaskInfo info() {
    TaskInfo info{"induction", "Induction", "The last word stood exactly once before: which word followed it there?",
                  {task_integer("words", "Different words", "Number of different words of the text.", 16, 3, 2048),
                   task_choice("asked", "Asked word", "any: a random word of the text. marker: always the same mark, as in the test of Gu and Dao.", {"any", "marker"})}};
    info.paper = "Olsson et al. (2022): In-context Learning and Induction Heads, https://arxiv.org/abs/2209.11895";
    return info;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& induction() {
    static const TaskEntry entry{info(), [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<Induction>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
