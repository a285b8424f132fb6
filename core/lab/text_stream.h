#pragma once
/// Text that grows token by token, handed out in whole characters only.

#include "core/data/tokenizer.h"

#include <functional>

namespace lw {

class TextStream {
public:
    /// `ids` is the prompt; its text is not handed out.
    TextStream(const Tokenizer& tokenizer, std::vector<std::int64_t> ids);
    /// Adds a token; returns the text that became certain, "" while a character is still incomplete.
    std::string add(std::int64_t id);
    /// What was held back, bad bytes replaced.
    std::string finish();
    [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }

private:
    std::string advance(bool last);

    const Tokenizer& tokenizer_;
    std::vector<std::int64_t> ids_;
    std::string given_;      ///< everything handed out so far, with the prompt
};

}  // namespace lw
