/// Fake laboratory: values that a paper states. See fake_lab.h.
#include "core/api/published.h"

namespace lw {

std::vector<PublishedSet> published_sets() {
    return {{"paper", "A paper: arXiv, L = 128", "Someone, 2024.", "last 256 tokens", "stated", "Other texts.",
             {{"Kerple", {{128, 8.3}, {8192, 31.9}}}, {"Another method", {{8192, 5.0}}}}}};
}

Result<PublishedSet> published_set(const std::string& id) {
    for (const PublishedSet& set : published_sets())
        if (set.id == id) return set;
    return Error{ErrorKind::not_found, "There is no set of published values \"" + id + "\"."};
}

}  // namespace lw
