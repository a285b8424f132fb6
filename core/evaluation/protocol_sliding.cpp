/// Sliding windows: a window of T tokens advances by the stride S. The first window of a document scores every token but the
/// first, later ones only the tokens that are new, each with at least T - S tokens of context. S = T gives the non-overlapping
/// protocol, S = 1 the full context T for every token; the cost is N/S passes. The stride default is T/2.

#include "core/evaluation/excerpt.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

void add_windows(LengthPlan& at, const Excerpt& excerpt, std::int64_t stride, const ExcerptPlan& text, bool bos) {
    std::int64_t seen = 0;
    for (std::int64_t begin = 0; seen < excerpt.end; begin += stride) {
        const std::int64_t end = std::min(begin + at.length, excerpt.end);
        const std::int64_t scored = std::max(seen, bos ? begin : begin + 1);
        const auto block = static_cast<std::size_t>(std::min(scored, end - 1) / text.block);
        if (scored < end) at.windows.push_back({excerpt.document, excerpt.first_place + block, begin, end, scored});
        seen = end;
    }
}

EvaluationPlan plan(const ProtocolRequest& request) {
    const ExcerptPlan text = plan_excerpts(request);
    EvaluationPlan out;
    out.stride = request.stride;
    for (const std::int64_t length : request.lengths) {
        // A stride longer than the window would leave tokens out.
        const std::int64_t stride = request.stride > 0 ? std::min(request.stride, length) : std::max<std::int64_t>(length / 2, 1);
        LengthPlan at{length, {}, text.places, text.place_documents, ""};
        for (const Excerpt& excerpt : text.excerpts) add_windows(at, excerpt, stride, text, request.bos);
        if (request.stride > length) at.warning = fmt::format("stride {} is longer than the window: {} used", with_commas(request.stride), with_commas(length));
        out.lengths.push_back(std::move(at));
    }
    const std::string stride = request.stride > 0 ? with_commas(request.stride) : "T/2";
    out.line = fmt::format("sliding windows, stride {}, {} of {}", stride, counted(text.tokens(), "token"),
                           counted(static_cast<std::int64_t>(text.excerpts.size()), "document"));
    return out;
}

}  // namespace

Protocol sliding_protocol() {
    return {"sliding", "Sliding windows", "A window of T moves by the stride; only the new tokens of each window are scored.", plan, {.stride = true}};
}

}  // namespace lw
