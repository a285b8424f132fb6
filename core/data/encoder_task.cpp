#include "core/data/encoder_task.h"

#include <fmt/format.h>

#include <set>

namespace lw {
namespace {

constexpr std::int64_t kEnd = 2;
constexpr std::int64_t kLongestFactor = 5;  // the randomized-encodings papers measure up to 500 after training up to 40

}  // namespace

EncoderTask::EncoderTask(const std::string& id, EncoderRules rules) : rules_(std::move(rules)) {
    auto words = rules_.words;
    words.emplace_back("_");  // the placeholder
    tokenizer_ = word_tokenizer(id, std::move(words));
}

std::vector<std::int64_t> EncoderTask::usual_lengths(std::int64_t train_length) const {
    std::set<std::int64_t> lengths;
    for (std::int64_t quarter = 1; quarter <= 4; ++quarter) lengths.insert(std::max<std::int64_t>(1, train_length * quarter / 4));
    for (std::int64_t half = 3; half <= 2 * kLongestFactor; ++half) lengths.insert(std::max(train_length + 1, train_length * half / 2));
    return {lengths.begin(), lengths.end()};
}

std::vector<bool> EncoderTask::counted(const Symbols& answer) const {
    if (!rules_.ends) return {};
    std::vector<bool> counts(answer.size(), false);
    for (std::size_t i = 0; i < answer.size(); ++i) {
        counts[i] = true;
        if (answer[i] == kEnd) break;
    }
    return counts;
}

Symbols EncoderTask::symbols_of(const std::string& text) const {
    Symbols symbols;
    for (const char c : text) {
        const auto found = std::find(rules_.words.begin(), rules_.words.end(), std::string(1, c));
        if (found == rules_.words.end()) throw Failure(ErrorKind::invalid_argument, fmt::format("'{}' in \"{}\" is not a symbol of {}.", c, text, tokenizer_->id()));
        symbols.push_back(found - rules_.words.begin());
    }
    return symbols;
}

void EncoderTask::fill(TaskExample& example, std::int64_t length, Random& random) const {
    const Symbols input = rules_.draw(random, length);
    const Symbols answers = rules_.answer(input);
    const auto begin = static_cast<std::ptrdiff_t>(example.tokens.size() - answers.size());
    std::copy(input.begin(), input.end(), example.tokens.begin());
    std::copy(answers.begin(), answers.end(), example.targets.begin() + begin);
    const std::vector<bool> counts = counted(answers);
    if (counts.empty()) return;
    example.counted.assign(example.tokens.size(), false);
    std::copy(counts.begin(), counts.end(), example.counted.begin() + begin);
}

TaskInfo encoder_info(const std::string& id, const std::string& name, const std::string& complexity, const std::string& summary, std::vector<ParamSpec> params) {
    TaskInfo info{id, name, summary, std::move(params)};
    info.complexity = complexity;
    info.paper = "Delétang et al. (2023): Neural Networks and the Chomsky Hierarchy, https://arxiv.org/abs/2207.02098";
    info.encoder = true;
    info.length = 40;
    info.batch = 128;
    return info;
}

Symbols uniform_symbols(Random& random, std::int64_t n, std::int64_t count) {
    Symbols symbols(static_cast<std::size_t>(n));
    for (auto& symbol : symbols) symbol = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
    return symbols;
}

std::vector<std::string> digit_words(std::int64_t count) {
    std::vector<std::string> words;
    for (std::int64_t i = 0; i < count; ++i) words.push_back(std::to_string(i));
    return words;
}

Symbols ended(Symbols answer, std::int64_t length) {
    answer.push_back(kEnd);
    answer.resize(static_cast<std::size_t>(length), 0);
    return answer;
}

}  // namespace lw
