#include "core/evaluation/excerpt.h"

#include <algorithm>

namespace lw {

std::int64_t ExcerptPlan::tokens() const {
    std::int64_t sum = 0;
    for (const Excerpt& excerpt : excerpts) sum += excerpt.end;
    return sum;
}

ExcerptPlan plan_excerpts(const ProtocolRequest& request) {
    ExcerptPlan plan;
    plan.block = request.lengths.back();
    const auto documents = static_cast<std::int64_t>(request.documents.size());
    const std::int64_t share = std::max(2 * plan.block, request.places * plan.block / std::max<std::int64_t>(documents, 1));
    for (std::size_t document = 0; document < request.documents.size(); ++document) {
        const std::int64_t end = std::min(request.documents[document].tokens, share);
        if (end < 2) continue;
        plan.excerpts.push_back({document, end, plan.places.size()});
        for (std::int64_t begin = 0; begin < end; begin += plan.block) {
            plan.places.push_back({request.documents[document].id, begin, std::min(begin + plan.block, end)});
            plan.place_documents.push_back(document);
        }
    }
    return plan;
}

}  // namespace lw
