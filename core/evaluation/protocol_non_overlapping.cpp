/// Non-overlapping windows: the text is cut into windows of T tokens and every token but the first of each window is scored
/// (all of them with a begin-of-sequence token). Windows reset the context, so the mean context is about T/2 and the curve
/// falls with T even for a model that uses few tokens. The last, shorter window counts with its tokens.

#include "core/evaluation/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

EvaluationPlan plan(const ProtocolRequest& request) {
    const ExcerptPlan text = plan_excerpts(request);
    EvaluationPlan out;
    for (const std::int64_t length : request.lengths) {
        LengthPlan at{length, {}, text.places, text.place_documents, ""};
        for (const Excerpt& excerpt : text.excerpts) {
            for (std::int64_t begin = 0; begin < excerpt.end; begin += length) {
                const std::int64_t end = std::min(begin + length, excerpt.end);
                const std::int64_t scored = request.bos ? begin : begin + 1;
                if (scored >= end) continue;
                at.windows.push_back({excerpt.document, excerpt.first_place + static_cast<std::size_t>(begin / text.block), begin, end, scored});
            }
        }
        out.lengths.push_back(std::move(at));
    }
    out.line = fmt::format("non-overlapping windows, {} of {}", counted(text.tokens(), "token"),
                           counted(static_cast<std::int64_t>(text.excerpts.size()), "document"));
    return out;
}

}  // namespace

Protocol non_overlapping_protocol() {
    return {"non-overlapping", "Non-overlapping windows",
            "Windows of T side by side; every token but the first of each is scored. Average context is only about T/2.", plan};
}

}  // namespace lw
