#include "core/data/tokenizers.h"
#include "core/data/utf8.h"

#include <fmt/format.h>
#include <sentencepiece_trainer.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <utility>

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
    /// Frees the lines.
    void release() {
        std::vector<std::string>().swap(lines_);
        at_ = 0;
    }

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

using Counts = std::unordered_map<char32_t, std::int64_t>;

template <class Visit>
void for_each_character(std::string_view line, const Visit& visit) {
    while (!line.empty()) {
        const std::string_view character = line.substr(0, std::max<std::size_t>(utf8_length(line), 1));
        visit(utf8_decode(character), character);
        line.remove_prefix(character.size());
    }
}

Counts count_characters(const std::vector<std::string>& lines) {
    Counts counts;
    for (const auto& line : lines) for_each_character(line, [&](char32_t code, std::string_view) { ++counts[code]; });
    return counts;
}

/// Characters from the most frequent on.
std::vector<std::pair<std::int64_t, char32_t>> by_frequency(const Counts& counts) {
    std::vector<std::pair<std::int64_t, char32_t>> ordered;
    for (const auto& [code, count] : counts) ordered.emplace_back(-count, code);
    std::sort(ordered.begin(), ordered.end());
    return ordered;
}

/// Lines cut at every character that is not kept, which is left out.
std::vector<std::string> without_others(const std::vector<std::string>& lines, const Counts& kept) {
    std::vector<std::string> result;
    for (const auto& line : lines) {
        std::string piece;
        for_each_character(line, [&](char32_t code, std::string_view character) {
            if (kept.contains(code)) piece += character;
            else add_line(std::exchange(piece, {}), result);
        });
        add_line(piece, result);
    }
    return result;
}

/// The share of characters that get a piece of their own, for SentencePiece, which asks for at least 0.98. Thousands of rare
/// characters, as Chinese has, would leave no room for merges: then only the frequent ones stay in the lines, as many as fill half
/// of the free vocabulary, and the others are written in bytes.
double cover_characters(std::vector<std::string>& lines, std::int64_t vocabulary) {
    const Counts counts = count_characters(lines);
    std::int64_t total = 0, covered = 0;
    for (const auto& entry : counts) total += entry.second;
    const auto room = static_cast<std::size_t>((vocabulary - kFixedPieces) / 2);
    Counts kept;
    for (const auto& [negative_count, code] : by_frequency(counts)) {
        if (kept.size() == room) break;
        kept[code] = -negative_count;
        covered -= negative_count;
        if (static_cast<double>(covered) >= kCoverage * static_cast<double>(total)) return kCoverage;
    }
    lines = without_others(lines, kept);
    return 1.0;
}

/// SentencePiece at work in a thread of its own, because it cannot be stopped: who cancels leaves it behind. It writes no file, and what it
/// finds is dropped.
class Learning {
public:
    Learning(std::vector<std::string> lines, double coverage, std::int64_t vocabulary)
        : lines_(std::move(lines)), coverage_(coverage), vocabulary_(vocabulary) {}

    /// Until it is done. Throws Failure(cancelled) when asked to stop before.
    static void wait(const std::shared_ptr<Learning>& learning, const std::stop_token& stop) {
        make_library_statics();
        learning->thread_ = std::thread([learning = learning.get()] { learning->run(); });
        if (learning->ended_or(stop)) learning->thread_.join();
        else ::on_exit(&end_without_it, new std::shared_ptr<Learning>(learning));  // kept for good: its thread works on it
        if (stop.stop_requested()) throw Failure(ErrorKind::cancelled, "Learning the vocabulary was cancelled.");
    }

    struct Learned {
        sentencepiece::util::Status status;
        std::string model;
    };
    /// Throws what SentencePiece threw.
    [[nodiscard]] const Learned& result() const {
        if (error_) std::rethrow_exception(error_);
        return learned_;
    }

private:
    void run() {
        try {
            learned_.status = sentencepiece::SentencePieceTrainer::Train(settings(), &lines_, &learned_.model);
        } catch (...) {
            error_ = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        lines_.release();  // a learning that was left behind is kept for good
        done_ = true;
        ended_.notify_all();
    }

    /// Waits until it is done, which is true, or until it is asked to stop.
    [[nodiscard]] bool ended_or(const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        ended_.wait(lock, stop, [&] { return done_; });
        return done_;
    }

    /// SentencePiece and protobuf make function-local statics at their first use, and exit() destroys what was made last first: all of them
    /// must exist before end_without_it() is registered, or they are destroyed under the thread that was left behind.
    static void make_library_statics() {
        static std::once_flag once;
        std::call_once(once, [] { Learning({"a line of words", "and another line of words"}, kCoverage, kFixedPieces + 20).run(); });
    }

    /// The program ends: where SentencePiece still computes, libraries must not be taken down under it, so nothing but files is closed.
    static void end_without_it(int status, void* left_behind) {
        auto& learning = **static_cast<std::shared_ptr<Learning>*>(left_behind);
        {
            const std::scoped_lock lock(learning.mutex_);
            if (!learning.done_) {
                std::fflush(nullptr);
                ::_exit(status);
            }
        }
        learning.thread_.join();  // done, but perhaps not yet through its own end
    }

    [[nodiscard]] std::unordered_map<std::string, std::string> settings() const {
        return {{"model_type", "bpe"}, {"vocab_size", std::to_string(vocabulary_)}, {"character_coverage", fmt::format("{:.8f}", coverage_)},
                {"byte_fallback", "true"}, {"normalization_rule_name", "identity"}, {"remove_extra_whitespaces", "false"},
                {"add_dummy_prefix", "false"}, {"allow_whitespace_only_pieces", "true"}, {"user_defined_symbols", "\n"},
                {"bos_id", "-1"}, {"eos_id", "-1"}, {"pad_id", "-1"}, {"unk_id", "0"}, {"max_sentence_length", "8192"},
                {"num_threads", "1"}, {"hard_vocab_limit", "true"}, {"minloglevel", "2"}};
    }

    Lines lines_;
    double coverage_;
    std::int64_t vocabulary_;
    Learned learned_;
    std::exception_ptr error_;
    std::mutex mutex_;
    std::condition_variable_any ended_;
    bool done_ = false;
    std::thread thread_;
};

}  // namespace

void check_bpe_size(std::int64_t vocabulary) {
    if (vocabulary >= kSmallestBpe && vocabulary <= kLargestBpe) return;
    const std::string why = vocabulary < kSmallestBpe ? fmt::format(": {} tokens are needed for bytes alone", kFixedPieces) : "";
    throw Failure(ErrorKind::invalid_argument, fmt::format("A BPE vocabulary of {} is outside {} … {}{}.", vocabulary, kSmallestBpe, kLargestBpe, why));
}

std::string train_bpe(const std::function<bool(std::string&)>& next, std::int64_t vocabulary, const std::stop_token& stop) {
    check_bpe_size(vocabulary);
    auto lines = training_lines(next);
    if (lines.empty()) throw Failure(ErrorKind::invalid_argument, "The training text has no characters to learn a vocabulary from.");
    const double coverage = cover_characters(lines, vocabulary);
    const auto learning = std::make_shared<Learning>(std::move(lines), coverage, vocabulary);
    Learning::wait(learning, stop);
    const auto& [status, model] = learning->result();
    if (!status.ok() || model.empty())
        throw Failure(ErrorKind::invalid_argument, fmt::format("No vocabulary of {} pieces can be learned from this text ({}). Try a smaller one, or the byte "
                                                               "tokenizer.", vocabulary, status.ToString()));
    return model;
}

}  // namespace lw
