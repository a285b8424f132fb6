#include "core/data/tokenizers.h"
#include "core/data/utf8.h"

#include <fmt/format.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <unordered_map>

namespace lw {
namespace {

constexpr std::int64_t kFixedPieces = 1 + 256 + 1;   // unknown, bytes, newline
constexpr std::size_t kLongestLine = 4000;           // SentencePiece drops longer sentences
constexpr std::size_t kTrainingBytes = 12'000'000;   // more text changes the pieces little and costs minutes
constexpr double kCoverage = 0.9998;

/// Hands SentencePiece the lines; it never sees newline or tab (see bpe_tokenizer.cpp).
class Lines final : public sentencepiece::SentenceIterator {
public:
    explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {}
    [[nodiscard]] bool done() const override { return at_ >= lines_.size(); }
    void Next() override { ++at_; }
    [[nodiscard]] const std::string& value() const override { return lines_[at_]; }
    [[nodiscard]] sentencepiece::util::Status status() const override { return {}; }

private:
    std::vector<std::string> lines_;
    std::size_t at_ = 0;
};

void add_line(std::string_view line, std::vector<std::string>& lines) {
    while (line.size() > kLongestLine) {
        std::size_t cut = line.rfind(' ', kLongestLine);
        if (cut == std::string_view::npos || cut == 0) {
            cut = kLongestLine;
            while ((static_cast<unsigned char>(line[cut]) & 0xC0U) == 0x80U) --cut;
        }
        lines.emplace_back(line.substr(0, cut));
        line.remove_prefix(cut);
    }
    if (!line.empty()) lines.emplace_back(line);
}

std::vector<std::string> training_lines(const std::function<bool(std::string&)>& next) {
    std::vector<std::string> lines;
    std::string text;
    while (next(text)) {
        const std::string_view view = text;
        for (std::size_t begin = 0; begin < view.size();) {
            const std::size_t end = std::min(view.find_first_of("\n\t", begin), view.size());
            add_line(view.substr(begin, end - begin), lines);
            begin = end + 1;
        }
    }
    std::size_t bytes = 0;
    for (const auto& line : lines) bytes += line.size();
    if (bytes <= kTrainingBytes) return lines;
    // Evenly spread lines of the whole text, so that no document is left out.
    std::vector<std::string> kept;
    const double share = static_cast<double>(kTrainingBytes) / static_cast<double>(bytes);
    double due = 0;
    for (auto& line : lines) {
        due += share;
        if (due < 1) continue;
        due -= 1;
        kept.push_back(std::move(line));
    }
    return kept;
}

/// The share of characters that get a piece of their own: enough for the text, but at most half of the free vocabulary, because
/// thousands of rare characters would leave no room for merges; the rest is written in bytes.
double character_coverage(const std::vector<std::string>& lines, std::int64_t vocabulary) {
    std::unordered_map<char32_t, std::int64_t> counts;
    std::int64_t total = 0;
    for (const auto& line : lines) {
        for (std::string_view rest = line; !rest.empty(); ++total) {
            const std::size_t length = std::max<std::size_t>(utf8_length(rest), 1);
            ++counts[utf8_decode(rest.substr(0, length))];
            rest.remove_prefix(length);
        }
    }
    std::vector<std::int64_t> ordered;
    for (const auto& entry : counts) ordered.push_back(entry.second);
    std::sort(ordered.rbegin(), ordered.rend());
    std::int64_t covered = 0;
    const auto room = static_cast<std::size_t>((vocabulary - kFixedPieces) / 2);
    for (std::size_t i = 0; i < std::min(room, ordered.size()); ++i) {
        covered += ordered[i];
        if (static_cast<double>(covered) >= kCoverage * static_cast<double>(total)) return kCoverage;
    }
    return static_cast<double>(covered) / static_cast<double>(total);
}

}  // namespace

std::string train_bpe(const std::function<bool(std::string&)>& next, std::int64_t vocabulary) {
    if (vocabulary < 320 || vocabulary > 65536)
        throw Failure(ErrorKind::invalid_argument, fmt::format("A BPE vocabulary of {} is outside 320 … 65536: {} tokens are needed for bytes alone.",
                                                               vocabulary, kFixedPieces));
    auto lines = training_lines(next);
    if (lines.empty()) throw Failure(ErrorKind::invalid_argument, "The training text has no characters to learn a vocabulary from.");
    const double coverage = character_coverage(lines, vocabulary);
    Lines iterator(std::move(lines));
    std::string model;
    const auto status = sentencepiece::SentencePieceTrainer::Train(
        {{"model_type", "bpe"}, {"vocab_size", std::to_string(vocabulary)}, {"character_coverage", fmt::format("{:.8f}", coverage)},
         {"byte_fallback", "true"}, {"normalization_rule_name", "identity"}, {"remove_extra_whitespaces", "false"},
         {"add_dummy_prefix", "false"}, {"allow_whitespace_only_pieces", "true"}, {"user_defined_symbols", "\n"},
         {"bos_id", "-1"}, {"eos_id", "-1"}, {"pad_id", "-1"}, {"unk_id", "0"}, {"max_sentence_length", "8192"},
         {"num_threads", "1"}, {"hard_vocab_limit", "true"}, {"minloglevel", "2"}},
        &iterator, &model);
    if (!status.ok() || model.empty())
        throw Failure(ErrorKind::invalid_argument, fmt::format("No vocabulary of {} pieces can be learned from this text ({}). Try a smaller one, or the byte "
                                                               "tokenizer.", vocabulary, status.ToString()));
    return model;
}

}  // namespace lw
