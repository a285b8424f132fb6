/// Last-k, the paired protocol: the same k scored tokens at the same places of the same documents at every length; only the
/// context to their left grows. Differences between lengths are then effects of context alone.
///
/// Places lie where the longest length fits to the left. They are spread over the documents in turn and evenly inside each,
/// the last one ending with its document; scored ranges never overlap.

#include "core/evaluation/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {
namespace {

struct Place {
    std::size_t document = 0;
    std::int64_t end = 0;
};

/// Number of places for each document: in turn, one each, until `wanted` are given or no document has room.
std::vector<std::int64_t> share_out(const std::vector<std::int64_t>& room, std::int64_t wanted) {
    std::vector<std::int64_t> given(room.size(), 0);
    for (bool any = true; any && wanted > 0;) {
        any = false;
        for (std::size_t n = 0; n < room.size() && wanted > 0; ++n) {
            if (given[n] >= room[n]) continue;
            ++given[n];
            --wanted;
            any = true;
        }
    }
    return given;
}

std::vector<Place> choose_places(const ProtocolRequest& request, std::int64_t scored) {
    const std::int64_t longest = request.lengths.back();
    std::vector<std::int64_t> room;
    for (const DocumentLength& document : request.documents) {
        room.push_back(document.tokens < longest ? 0 : (document.tokens - longest) / scored + 1);
    }
    const std::vector<std::int64_t> given = share_out(room, request.places);
    std::vector<Place> places;
    for (std::size_t document = 0; document < given.size(); ++document) {
        const std::int64_t count = given[document];
        const std::int64_t spread = request.documents[document].tokens - longest;
        for (std::int64_t n = count - 1; n >= 0; --n) {
            const std::int64_t back = count > 1 ? n * spread / (count - 1) : 0;
            places.push_back({document, request.documents[document].tokens - back});
        }
    }
    return places;
}

/// Every scored token needs context at the shortest length, so k is half of it unless asked for.
std::int64_t resolve_scored(const ProtocolRequest& request) {
    const std::int64_t shortest = request.lengths.front();
    if (request.scored == 0) return std::clamp<std::int64_t>(std::min(request.train_length, shortest) / 2, 1, 256);
    if (request.scored < shortest) return request.scored;
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("{} scored tokens do not fit into a window of {}: each needs at least one token before it. "
                              "Score at most {}, or leave the length {} out.",
                              with_commas(request.scored), counted(shortest, "token"), with_commas(shortest - 1), with_commas(shortest)));
}

EvaluationPlan plan(const ProtocolRequest& request) {
    EvaluationPlan out;
    out.scored = resolve_scored(request);
    const std::vector<Place> chosen = choose_places(request, out.scored);
    LengthPlan shape;
    std::int64_t documents = 0;
    for (std::size_t n = 0; n < chosen.size(); ++n) {
        if (n == 0 || chosen[n].document != chosen[n - 1].document) ++documents;
        shape.places.push_back({request.documents[chosen[n].document].id, chosen[n].end - out.scored, chosen[n].end});
        shape.place_documents.push_back(chosen[n].document);
    }
    const auto count = static_cast<std::int64_t>(chosen.size());
    if (count < std::min<std::int64_t>(request.places, 8)) {
        shape.warning = fmt::format("rests on {} only: few documents have {} tokens", counted(count, "place"), with_commas(request.lengths.back()));
    }
    for (const std::int64_t length : request.lengths) {
        LengthPlan at = shape;
        at.length = length;
        for (std::size_t n = 0; n < chosen.size(); ++n) {
            const std::int64_t end = chosen[n].end;
            at.windows.push_back({chosen[n].document, n, end - length, end, end - out.scored});
        }
        out.lengths.push_back(std::move(at));
    }
    out.line = fmt::format("same {} last tokens at every length, {} of {}", with_commas(out.scored), counted(count, "place"), counted(documents, "document"));
    return out;
}

}  // namespace

Protocol last_k_protocol() {
    return {"last-k", "Same last tokens",
            "The same k tokens of the same documents are scored at every length; only the context to their left grows.", plan, {.scored = true}};
}

}  // namespace lw
