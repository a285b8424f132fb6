#pragma once
/// The texts that heads are measured on.

#include "core/api/heads.h"

namespace lw {

/// The text asked for and up to count - 1 others of its length: places spread over the run's validation and test documents (the bundled
/// samples of its language when the corpus is absent), or examples of its task, each once. A typed text stands alone. Throws Failure: those of
/// read_text; cancelled.
std::vector<TokenText> measure_texts(const MapsRequest& request, const std::string& source, std::int64_t count, const RunContext& context);

/// Short names of the documents that texts are from, each once: "persuasion".
[[nodiscard]] std::vector<std::string> documents_of(const std::vector<TokenText>& texts);
/// "persuasion, emma and 3 more"
[[nodiscard]] std::string documents_words(const std::vector<std::string>& documents);
/// Throws Failure(invalid_argument) for thresholds that are no numbers of 0 or more, and for no text.
void check_measure(const MeasureRequest& measure);

/// The text's end; all of it where it is no longer than that.
TokenText last_tokens(const TokenText& text, std::int64_t length);

/// Texts for several lengths: ends of the same texts, or new examples of a task at each length.
class LengthTexts {
public:
    /// `longest`: the longest length that will be asked for. Throws Failure: those of measure_texts; invalid_argument where a typed text is shorter.
    LengthTexts(const AtlasRequest& request, const std::string& source, std::int64_t longest, const RunContext& context);
    [[nodiscard]] std::vector<TokenText> of(std::int64_t length) const;
    /// "16 texts (persuasion, emma), each ending with the same tokens at every length".
    [[nodiscard]] std::string words() const;

private:
    [[nodiscard]] std::vector<TokenText> read(std::int64_t length) const;

    const AtlasRequest& request_;
    std::string source_;
    bool examples_ = false;  ///< of a task, which have no shorter form; a text typed for a run of a task has
    const RunContext& context_;
    std::vector<TokenText> longest_;
};

}  // namespace lw
