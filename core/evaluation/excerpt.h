#pragma once
/// The text that window-by-window protocols read: the same excerpts and the same places at every length.

#include "core/evaluation/protocol.h"

namespace lw {

/// Tokens [0, end) of a document, cut into places of `block` tokens, the unit of resampling where documents are few.
struct Excerpt {
    std::size_t document = 0;
    std::int64_t end = 0;
    std::size_t first_place = 0;  ///< index of the place that holds its token 0
};

struct ExcerptPlan {
    std::vector<Excerpt> excerpts;
    std::vector<ScoredPlace> places;
    std::vector<std::size_t> place_documents;
    std::int64_t block = 0;
    [[nodiscard]] std::int64_t tokens() const;
};

/// All of every document that has at least two tokens, as long as the excerpts together stay near `places` x longest length;
/// beyond that each document's beginning, never less than twice the longest length, so that windows can move.
[[nodiscard]] ExcerptPlan plan_excerpts(const ProtocolRequest& request);

}  // namespace lw
