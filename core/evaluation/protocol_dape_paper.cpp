/// The DAPE paper's protocol, as its code runs it (Zheng et al., NeurIPS 2024): whole sequences of T tokens, loss of the last
/// min(256, T) positions, 20 batches of 128, 64, 32, 16, 8, 1, 1 sequences at T = 128, 256, ..., 8192, perplexity = exp(mean of the
/// batch losses). Sequences of different lengths are cut anew from the text, so different lengths score different tokens, and
/// T <= 256 scores tokens with almost no context: such points do not compare with longer ones.

#include "core/evaluation/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

constexpr std::int64_t kLastTokens = 256;
constexpr std::int64_t kBatches = 20;

/// Sequences a batch holds on one device in the released code.
std::int64_t batch_at(std::int64_t length) {
    return length > 2048 ? 1 : std::clamp<std::int64_t>(128 * 128 / length, 1, 128);
}

/// Sequences of T inputs and T targets, so T + 1 tokens; neighbours share the token that is target of one and input of the next.
std::vector<Window> all_sequences(const ProtocolRequest& request, std::int64_t length, std::int64_t scored) {
    std::vector<Window> windows;
    for (std::size_t document = 0; document < request.documents.size(); ++document) {
        for (std::int64_t begin = 0; begin + length + 1 <= request.documents[document].tokens; begin += length) {
            const std::int64_t end = begin + length + 1;
            windows.push_back({document, 0, begin, end, end - scored});
        }
    }
    return windows;
}

LengthPlan plan_length(const ProtocolRequest& request, std::int64_t length) {
    const std::int64_t scored = std::min(request.scored > 0 ? request.scored : kLastTokens, length);
    const std::vector<Window> all = all_sequences(request, length, scored);
    const auto available = static_cast<std::int64_t>(all.size());
    const std::int64_t wanted = batch_at(length) * std::min(kBatches, request.places);
    LengthPlan at{length, {}, {}, {}, ""};
    const std::int64_t count = std::min(wanted, available);
    for (std::int64_t n = 0; n < count; ++n) {
        Window window = all[static_cast<std::size_t>(n * available / count)];  // evenly spread over the text
        window.place = at.places.size();
        at.places.push_back({request.documents[window.document].id, window.scored_begin, window.end});
        at.place_documents.push_back(window.document);
        at.windows.push_back(window);
    }
    if (count < wanted) at.warning = fmt::format("the text has {} of this length; the paper's batches take {}", counted(count, "sequence"), with_commas(wanted));
    return at;
}

EvaluationPlan plan(const ProtocolRequest& request) {
    EvaluationPlan out;
    out.scored = request.scored > 0 ? request.scored : kLastTokens;
    for (const std::int64_t length : request.lengths) out.lengths.push_back(plan_length(request, length));
    out.line = fmt::format("DAPE paper: last min({}, T) tokens of whole sequences, other text at each length", with_commas(out.scored));
    return out;
}

}  // namespace

Protocol dape_paper_protocol() {
    return {"dape-paper", "DAPE paper",
            "Whole sequences of T tokens, the last min(256, T) scored, as in the DAPE paper's code; different lengths score different text.", plan,
            {.scored = true}};
}

}  // namespace lw
