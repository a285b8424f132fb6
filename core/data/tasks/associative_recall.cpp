/// Associative recall. Pairs of words ("hakuna matata") stand somewhere in a text of filler words; at the end "?" and a key ask
/// for the word that followed it. Scored at each asked key; the answer then stands in the text, and the next question follows.
/// Arora et al. 2023 (multi-query recall), arXiv 2312.04927; with one pair at the start it is the passkey test in small.
#include "core/data/task.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace lw {
namespace {

constexpr std::int64_t kPadding = 0;
constexpr std::int64_t kQuestion = 1;
constexpr std::int64_t kFirstWord = 2;
constexpr std::size_t kQuestionTokens = 3;  // "?", key, answer; the last answer is not needed any more

/// The first `chosen` of a random order of 0 … count - 1.
std::vector<std::int64_t> choose(Random& random, std::int64_t count, std::int64_t chosen) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (std::int64_t i = 0; i < chosen; ++i) {
        const auto other = i + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count - i)));
        std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(other)]);
    }
    order.resize(static_cast<std::size_t>(chosen));
    return order;
}

class AssociativeRecall final : public Task {
public:
    explicit AssociativeRecall(const Params& params)
        : pairs_(task_integer(params, "pairs")), vocabulary_(task_integer(params, "vocabulary")), filler_(task_integer(params, "filler")),
          questions_(std::min(task_integer(params, "questions"), pairs_)), at_start_(task_chooses(params, "placement", "start")) {
        if (pairs_ > vocabulary_)
            throw Failure(ErrorKind::invalid_argument, "pairs = " + std::to_string(pairs_) + " is more than vocabulary = " + std::to_string(vocabulary_) +
                                                           ": every pair needs its own key. Raise vocabulary or lower pairs.");
        std::vector<std::string> words{"·", "?", "hakuna"};
        for (auto& word : invented_words(2 * vocabulary_ + filler_ - 2)) words.push_back(std::move(word));
        words.insert(words.begin() + static_cast<std::ptrdiff_t>(kFirstWord + vocabulary_), "matata");  // the first value
        tokenizer_ = word_tokenizer("associative-recall", std::move(words));
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return 2 * pairs_ + static_cast<std::int64_t>(question_tokens()); }
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(vocabulary_); }
    [[nodiscard]] std::int64_t padding() const override { return kPadding; }

protected:
    void fill(TaskExample& example, std::int64_t /*length*/, Random& random) const override {
        const std::size_t text = example.tokens.size() - question_tokens();
        for (std::size_t i = 0; i < text; ++i) example.tokens[i] = filler_word(random);
        const auto keys = choose(random, vocabulary_, pairs_);
        std::vector<std::int64_t> values;
        for (std::int64_t i = 0; i < pairs_; ++i) values.push_back(kFirstWord + vocabulary_ + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(vocabulary_))));
        place_pairs(example, random, text, keys, values);
        const auto asked = choose(random, pairs_, questions_);
        std::size_t at = text;
        for (const std::int64_t pair : asked) {
            const auto index = static_cast<std::size_t>(pair);
            example.tokens[at] = kQuestion;
            example.tokens[at + 1] = kFirstWord + keys[index];
            example.targets[at + 1] = values[index];
            if (at + 2 < example.tokens.size()) example.tokens[at + 2] = values[index];
            at += kQuestionTokens;
        }
    }

private:
    [[nodiscard]] std::size_t question_tokens() const { return kQuestionTokens * static_cast<std::size_t>(questions_) - 1; }
    [[nodiscard]] std::int64_t filler_word(Random& random) const {
        return kFirstWord + 2 * vocabulary_ + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(filler_)));
    }
    /// Spread: the gaps before the pairs are a random choice among all ways to place them. Start: all gaps are 0.
    void place_pairs(TaskExample& example, Random& random, std::size_t text, const std::vector<std::int64_t>& keys, const std::vector<std::int64_t>& values) const {
        const auto room = static_cast<std::int64_t>(text) - 2 * pairs_;
        auto slots = at_start_ ? std::vector<std::int64_t>() : choose(random, room + pairs_, pairs_);
        std::sort(slots.begin(), slots.end());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            // slots[i] - i filler words and i pairs of two words come before pair i.
            const auto begin = at_start_ ? 2 * i : static_cast<std::size_t>(slots[i]) + i;
            example.tokens[begin] = kFirstWord + keys[i];
            example.tokens[begin + 1] = values[i];
        }
    }

    std::int64_t pairs_, vocabulary_, filler_, questions_;
    bool at_start_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

}  // namespace

namespace entries_of::tasks {
const TaskEntry& associative_recall() {
    static const TaskEntry entry{
        {"associative-recall", "Associative recall",
         "Word pairs such as \"hakuna matata\" stand in a text of filler; at the end a key is asked, and the word that followed it is the answer.",
         {task_integer("pairs", "Pairs", "Pairs to remember.", 4, 1, 512),
          task_integer("questions", "Questions", "Keys asked at the end; at most as many as there are pairs.", 4, 1, 512),
          task_integer("vocabulary", "Different keys", "Number of different keys, and as many different values.", 16, 1, 1024),
          task_integer("filler", "Filler words", "Number of different words that mean nothing and fill the distance.", 8, 1, 512),
          task_choice("placement", "Place of the pairs",
                      "spread: anywhere in the text. start: all at its beginning, so that the distance to the question grows with the length.", {"spread", "start"})},
         "", "Arora et al. (2023): Zoology, https://arxiv.org/abs/2312.04927"},
        [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<AssociativeRecall>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
