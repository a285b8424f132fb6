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

std::int64_t resolve_stride(const ProtocolRequest& request, std::int64_t context) {
    if (request.stride <= context) return std::max<std::int64_t>(request.stride, 1);
    refuse(fmt::format("the stride {} is larger than the short context of {}: tokens would have no context", with_commas(request.stride),
                       counted(context, "token")));
}

EvaluationPlan plan(const ProtocolRequest& request) {
    const std::int64_t context = resolve_short(request);
    ProtocolRequest candidates = request;
    candidates.scored = resolve_scored(request, context);
    EvaluationPlan out = last_k_protocol().plan(candidates);
    out.short_context = context;
    out.stride = resolve_stride(request, context);
    const std::string moved = out.stride > 1 ? fmt::format(" (windows moved by {})", with_commas(out.stride)) : "";
    out.line = fmt::format("LongPPL, key tokens of the {}, against {} of context{}", out.line, counted(context, "token"), moved);
    return out;
}

}  // namespace

Protocol longppl_protocol() {
    return {"longppl",
            "LongPPL: key tokens",
            "Of the same last tokens at every length, those alone that the long context helps by more than 2 nats against a short one.",
            plan,
            true,
            "LongPPL"};
}

}  // namespace lw
