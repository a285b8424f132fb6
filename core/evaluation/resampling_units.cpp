#include "core/evaluation/resampling_units.h"

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

void count_places(LengthPoint& point, const LengthPlan& plan, const std::vector<LossSum>& places) {
    std::set<std::size_t> documents;
    for (std::size_t n = 0; n < places.size(); ++n) {
        if (places[n].tokens == 0) continue;
        ++point.places;
        documents.insert(plan.place_documents[n]);
    }
    point.documents = static_cast<std::int64_t>(documents.size());
}

}  // namespace lw
