#include "core/evaluation/resampling_units.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>

namespace lw {

std::vector<LossSum> units_of(const LengthPlan& plan, const std::vector<LossSum>& places, bool by_document) {
    std::vector<LossSum> units;
    std::map<std::size_t, std::size_t> of_document;
    for (std::size_t n = 0; n < places.size(); ++n) {
        if (places[n].tokens == 0) continue;
        const auto [found, fresh] = of_document.try_emplace(plan.place_documents[n], units.size());
        if (fresh || !by_document) units.emplace_back();
        units[by_document ? found->second : units.size() - 1] += places[n];
    }
    return units;
}

std::int64_t documents_with_tokens(const LengthPlan& plan, const std::vector<LossSum>& places) {
    std::set<std::size_t> documents;
    for (std::size_t n = 0; n < places.size(); ++n) {
        if (places[n].tokens > 0) documents.insert(plan.place_documents[n]);
    }
    return static_cast<std::int64_t>(documents.size());
}

void count_places(LengthPoint& point, const LengthPlan& plan, const std::vector<LossSum>& places) {
    point.places = std::count_if(places.begin(), places.end(), [](const LossSum& place) { return place.tokens > 0; });
    point.documents = documents_with_tokens(plan, places);
}

}  // namespace lw
