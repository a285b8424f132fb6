/// LongPPL, the perplexity over key tokens: those that a long context helps. Most tokens can be predicted from the words just before them, so
/// that their mean hides the few that need more. Fang et al. 2024, arXiv 2410.23771 (ICLR 2025).
///
/// Here are the candidates: the scored tokens of last-k, the same at every length. Which of them are keys is found with the losses, see
/// key_token_filter.h. A candidate must have more than K tokens before it at every length, or both contexts would be one.

#include "core/evaluation/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

Protocol last_k_protocol();

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); }

std::int64_t resolve_short(const ProtocolRequest& request) {
    if (request.short_context < 0)
        refuse(fmt::format("the short context is {} tokens; it must be at least 1, or 0 for L / 4", request.short_context));
    const std::int64_t context = request.short_context > 0 ? request.short_context : std::max<std::int64_t>(request.train_length / 4, 1);
    const std::int64_t shortest = request.lengths.front();
    if (shortest - 2 < context) {
        refuse(
            fmt::format("length {} must be at least two tokens longer than the short context of {}: choose lengths from {} on, or a shorter short "
                        "context",
                        with_commas(shortest), counted(context, "token"), with_commas(context + 2)));
    }
    return context;
}

std::int64_t resolve_scored(const ProtocolRequest& request, std::int64_t context) {
    const std::int64_t shortest = request.lengths.front(), most = shortest - context - 1;
    if (request.scored == 0) return std::clamp<std::int64_t>(std::min(request.train_length, shortest) / 2, 1, std::min<std::int64_t>(256, most));
    if (request.scored <= most) return request.scored;
    refuse(fmt::format("{} scored tokens of a window of {} would not all have more than {} before them: score at most {}, or leave the length {} out",
                       with_commas(request.scored), counted(shortest, "token"), counted(context, "token"), with_commas(most), with_commas(shortest)));
}

/// The candidates of one short window have K … K + stride - 1 tokens before them: fewer than the shortest length has.
std::int64_t resolve_stride(const ProtocolRequest& request, std::int64_t context) {
    const std::int64_t shortest = request.lengths.front(), most = shortest - context;
    if (request.stride <= most) return std::max<std::int64_t>(request.stride, 1);
    refuse(fmt::format("the stride {} gives tokens up to {} of short context, which the length {} does not exceed: choose a stride of at most {}, or "
                       "leave the length {} out",
                       with_commas(request.stride), with_commas(context + request.stride - 1), with_commas(shortest), with_commas(most),
                       with_commas(shortest)));
}

/// "32 tokens", or "32 to 39 tokens" where windows move by several.
std::string short_words(std::int64_t context, std::int64_t stride) {
    if (stride == 1) return counted(context, "token");
    return fmt::format("{} to {}", with_commas(context), counted(context + stride - 1, "token"));
}

EvaluationPlan plan(const ProtocolRequest& request) {
    const std::int64_t context = resolve_short(request);
    ProtocolRequest candidates = request;
    candidates.scored = resolve_scored(request, context);
    EvaluationPlan out = last_k_protocol().plan(candidates);
    out.short_context = context;
    out.stride = resolve_stride(request, context);
    out.line = fmt::format("LongPPL, key tokens of the {}, against {} of context", out.line, short_words(context, out.stride));
    return out;
}

}  // namespace

Protocol longppl_protocol() {
    return {"longppl",
            "LongPPL: key tokens",
            "Of the same last tokens at every length, those alone that the long context helps by more than 2 nats against a short one.",
            plan,
            {.scored = true, .stride = true},
            true,
            "LongPPL"};
}

}  // namespace lw
