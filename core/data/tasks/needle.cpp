/// Needle in a haystack. Sentences of random words; at a depth a sentence that names the word of a key, and with distractors more such
/// sentences about other keys. At the end the word of one key is asked. Depth times length is the known picture of this test.
/// Kamradt 2023, github.com/gkamradt/LLMTest_NeedleInAHaystack: the needle goes between sentences, at the depth or before it.
#include "core/data/haystack.h"
#include "core/data/task.h"

#include <numeric>

namespace lw {
namespace {

constexpr std::int64_t kStop = 0;
constexpr std::int64_t kWordOf = 1;    // "word-of"
constexpr std::int64_t kIs = 2;
constexpr std::int64_t kQuestion = 3;
constexpr std::int64_t kFirstKey = 4;
constexpr std::int64_t kNeedle = 5;    // word-of KEY is VALUE .
constexpr std::int64_t kQuestionTokens = 4;  // ? word-of KEY is
constexpr std::int64_t kShortest = 4, kLongest = 10;  // words of a sentence

using Tokens = std::vector<std::int64_t>;

class Needle final : public Task {
public:
    explicit Needle(const Params& params)
        : values_(task_integer(params, "values")), distractors_(task_integer(params, "distractors")), filler_(task_integer(params, "filler")),
          depths_(even_depths(task_integer(params, "depths"))) {
        std::vector<std::string> words{".", "word-of", "is", "?"};
        for (auto& word : invented_words(keys() + values_ + filler_)) words.push_back(std::move(word));
        tokenizer_ = word_tokenizer("needle", std::move(words));
    }
    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }
    [[nodiscard]] std::int64_t min_length() const override { return keys() * kNeedle + kQuestionTokens; }
    [[nodiscard]] double chance() const override { return 1.0 / static_cast<double>(values_); }
    [[nodiscard]] std::int64_t padding() const override { return kStop; }
    [[nodiscard]] std::vector<double> depths() const override { return depths_; }
    [[nodiscard]] std::int64_t shown_length() const override { return min_length() + 24; }

protected:
    void fill(TaskExample& example, std::int64_t length, Random& random) const override {
        Tokens text = sentences(random, static_cast<std::size_t>(length - min_length()));
        Tokens order(static_cast<std::size_t>(keys()));
        std::iota(order.begin(), order.end(), 0);
        std::swap(order.front(), order[random.below(order.size())]);  // the key that is asked
        example.depth = static_cast<std::int64_t>(random.below(depths_.size()));
        for (std::size_t i = 1; i < order.size(); ++i) insert(text, order[i], value(random), static_cast<double>(random.below(1000)) / 999.0);
        const std::int64_t answer = value(random);
        insert(text, order.front(), answer, depths_[static_cast<std::size_t>(example.depth)]);
        for (const auto token : {kQuestion, kWordOf, kFirstKey + order.front(), kIs}) text.push_back(token);
        example.tokens = std::move(text);
        example.targets.back() = answer;
    }

private:
    [[nodiscard]] std::int64_t keys() const { return 1 + distractors_; }
    [[nodiscard]] std::int64_t value(Random& random) const {
        return kFirstKey + keys() + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(values_)));
    }
    static void insert(Tokens& text, std::int64_t key, std::int64_t value, double depth) {
        const auto place = static_cast<std::ptrdiff_t>(needle_place(text, depth, kStop));
        const Tokens needle{kWordOf, kFirstKey + key, kIs, value, kStop};
        text.insert(text.begin() + place, needle.begin(), needle.end());
    }
    /// Random words in sentences; the last one is cut to fit and ends with a stop as well.
    [[nodiscard]] Tokens sentences(Random& random, std::size_t tokens) const {
        Tokens text;
        while (text.size() < tokens) {
            const auto words = kShortest + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(kLongest - kShortest + 1)));
            for (std::int64_t i = 0; i < words; ++i)
                text.push_back(kFirstKey + keys() + values_ + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(filler_))));
            text.push_back(kStop);
        }
        text.resize(tokens);
        if (!text.empty()) text.back() = kStop;
        return text;
    }

    std::int64_t values_, distractors_, filler_;
    std::vector<double> depths_;
    std::shared_ptr<const Tokenizer> tokenizer_;
};

TaskInfo info() {
    TaskInfo info{"needle", "Needle in a haystack", "One sentence among many of random words names the word of a key; at the end that word is asked. Measured by depth and length.",
                  {task_integer("values", "Answers", "Number of different words that can be the answer.", 32, 2, 1024),
                   task_integer("distractors", "Distractors", "Sentences of the same form about other keys.", 0, 0, 64),
                   task_integer("filler", "Filler words", "Number of different words in the other sentences.", 64, 1, 2048),
                   task_integer("depths", "Depths", "Number of places between the beginning and the end of the text at which the sentence can stand.", 11, 1, 101)}};
    info.paper = "Kamradt (2023): Needle In A Haystack, https://github.com/gkamradt/LLMTest_NeedleInAHaystack";
    return info;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& needle() {
    static const TaskEntry entry{info(), [](const Params& params) -> std::shared_ptr<Task> { return std::make_shared<Needle>(params); }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
