#pragma once
/// The two tokenizers of texts.

#include "core/data/tokenizer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace lw {

/// 256 tokens, one per byte value, no special ones.
std::shared_ptr<const Tokenizer> byte_tokenizer();

/// SentencePiece BPE from a serialised model. Throws Failure(corrupt_file) naming `origin`.
std::shared_ptr<const Tokenizer> bpe_tokenizer(const std::string& model, const std::string& origin);

/// Sizes of a BPE vocabulary: the smallest holds all bytes and some pieces.
inline constexpr std::int64_t kSmallestBpe = 320, kLargestBpe = 65536;
/// Throws Failure(invalid_argument) for a size outside them.
void check_bpe_size(std::int64_t vocabulary);

/// Trains a BPE model on texts: the same texts and vocabulary give the same bytes. `next` hands out one text after the other
/// and false at the end. Throws Failure(invalid_argument) when the vocabulary is too small or too large for the texts, and
/// Failure(cancelled) as soon as it is asked to stop.
std::string train_bpe(const std::function<bool(std::string&)>& next, std::int64_t vocabulary, const std::stop_token& stop = {});

}  // namespace lw
