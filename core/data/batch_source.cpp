#include "core/data/batch_source.h"

#include "core/api/doctor.h"
#include "core/data/random.h"
#include "core/data/task.h"
#include "core/data/token_files.h"
#include "core/data/tokenizers.h"

#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace lw {
namespace {

class TextBatches final : public BatchSource {
public:
    TextBatches(const DataSpec& data, std::uint64_t seed, std::int64_t length, std::shared_ptr<const Tokenizer> tokenizer, const RunContext& context)
        : source_(data.source), seed_(seed), tokenizer_(std::move(tokenizer)) {
        for (const auto& source : resolve_sources(data.source)) {
            sources_.push_back(open_tokens(source, *tokenizer_, context));
            for (const auto& document : sources_.back()->documents()) {
                if (document.split == "train") train_.add(document.tokens);
                if (document.split == "validation") validation_.add(document.tokens);
            }
        }
        require(train_, "training", length);
        require(validation_, "validation", length);
    }

    Batch training_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const override {
        require(train_, "training", length);
        const auto places = static_cast<std::uint64_t>(train_.size() - length);
        return collect(train_, batch, length, [&](std::int64_t row) {
            return static_cast<std::int64_t>(Random(seed_, static_cast<std::uint64_t>(index * batch + row)).below(places));
        });
    }

    Batch validation_batch(std::int64_t index, std::int64_t batch, std::int64_t length) const override {
        require(validation_, "validation", length);
        // Non-overlapping windows in an order that spreads the first few over the whole split; the same for every seed.
        const std::int64_t windows = (validation_.size() - 1) / length;
        const std::int64_t stride = coprime_near(windows * 382 / 1000, windows);
        return collect(validation_, batch, length, [&](std::int64_t row) { return (index * batch + row) % windows * stride % windows * length; });
    }

    [[nodiscard]] std::shared_ptr<const Tokenizer> tokenizer() const override { return tokenizer_; }

private:
    void require(const TokenChain& chain, const char* split, std::int64_t length) const {
        if (length < 1) throw Failure(ErrorKind::invalid_argument, fmt::format("A length of {} tokens is not possible: it must be at least 1.", length));
        if (chain.size() < length + 1)
            throw Failure(ErrorKind::invalid_argument, fmt::format("The {} split of {} has {} tokens, length {} needs at least {}. Choose a shorter length or more text.",
                                                                   split, source_, chain.size(), length, length + 1));
    }
    static std::int64_t coprime_near(std::int64_t wanted, std::int64_t modulus) {
        for (std::int64_t stride = std::max<std::int64_t>(wanted, 1);; ++stride) {
            if (std::gcd(stride, modulus) == 1) return stride;
        }
    }
    /// Targets are the tokens one later.
    template <class Place>
    static Batch collect(const TokenChain& chain, std::int64_t batch, std::int64_t length, const Place& place) {
        Batch result{at::empty({batch, length}, at::kLong), at::empty({batch, length}, at::kLong)};  // [B, T] each
        auto* tokens = result.tokens.mutable_data_ptr<std::int64_t>();
        auto* targets = result.targets.mutable_data_ptr<std::int64_t>();
        for (std::int64_t row = 0; row < batch; ++row, tokens += length, targets += length) {
            const std::int64_t begin = place(row);
            chain.copy(begin, length, tokens);
            chain.copy(begin + 1, length, targets);
        }
        return result;
    }

    std::string source_;
    std::uint64_t seed_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    std::vector<std::shared_ptr<const TokenizedSource>> sources_;
    TokenChain train_, validation_;
};

/// Trained on the training split only: the test text must not shape the vocabulary.
std::shared_ptr<const Tokenizer> cached_bpe(const DataSpec& data, const RunContext& context) {
    std::vector<SourceDocument> training;
    for (const auto& source : resolve_sources(data.source)) {
        for (const auto& document : source.documents) {
            if (document.split == "train") training.push_back(document);
        }
    }
    const auto file = data_folder() / "tokenizers" / fmt::format("{}-bpe-{}.model", source_signature(training), data.vocabulary);
    if (std::filesystem::exists(file)) {
        try {
            return bpe_tokenizer(read_whole_file(file), file.string());
        } catch (const Failure&) {
            // A damaged cache is made again below.
        }
    }
    Progress progress;
    progress.stage = fmt::format("Learning a vocabulary of {}", data.vocabulary);
    context.report(progress);
    std::size_t at = 0;
    const auto next = [&](std::string& text) {
        if (context.stopping()) throw Failure(ErrorKind::cancelled, "Learning the vocabulary was cancelled.");
        if (at == training.size()) return false;
        text = read_document_text(training[at++]).text;
        return true;
    };
    const std::string model = train_bpe(next, data.vocabulary, context.stop);
    write_whole_file(file, model);
    return bpe_tokenizer(model, file.string());
}

}  // namespace

std::shared_ptr<const Tokenizer> open_tokenizer(const DataSpec& data, const RunContext& context) {
    if (is_task(data.source)) return open_task(data)->tokenizer();
    if (data.tokenizer == "byte") return byte_tokenizer();
    if (data.tokenizer == "bpe") return cached_bpe(data, context);
    throw Failure(ErrorKind::invalid_argument, fmt::format("There is no tokenizer \"{}\". There are: byte, bpe.", data.tokenizer));
}

std::shared_ptr<const BatchSource> open_batches(const DataSpec& data, std::uint64_t seed, std::int64_t length,
                                                const std::shared_ptr<const Tokenizer>& tokenizer, const RunContext& context) {
    if (is_task(data.source)) return task_batches(open_task(data), seed, length);
    return std::make_shared<TextBatches>(data, seed, length, tokenizer ? tokenizer : open_tokenizer(data, context), context);
}

}  // namespace lw
