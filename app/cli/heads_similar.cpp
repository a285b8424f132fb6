/// heads --similar: which heads attend alike.
#include "app/cli/heads_views.h"
#include "app/cli/text.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

constexpr std::size_t kNearest = 3;

std::string name(const HeadPlace& place) { return fmt::format("{}.{}", place.layer, place.head); }

Json similar_json(const HeadDistances& distances) {
    Json list = Json::array();
    for (const auto& head : distances.heads) {
        Json nearest = Json::array();
        for (const auto& other : most_similar(distances, head, distances.heads.size())) {
            nearest.push_back({{"layer", other.head.layer}, {"head", other.head.head}, {"divergence", other.divergence}});
        }
        list.push_back({{"layer", head.layer}, {"head", head.head}, {"nearest", nearest}});
    }
    return list;
}

}  // namespace

void show_similar(Shell& shell, const AtlasSelection& selection, const std::string& out) {
    const auto distances = need(head_distances(atlas_request(shell, selection), shell.context()));
    shell.print(fmt::format("{}, step {}, {} tokens: mean over the last {} queries of {} text{}\n\n", distances.run_title, grouped(distances.step), grouped(distances.length),
                            grouped(distances.queries), distances.texts, distances.texts == 1 ? "" : "s"));
    Table table({"head", "most similar", "divergence", "next", "divergence", "next", "divergence"});
    for (const auto& head : distances.heads) {
        std::vector<std::string> row{name(head)};
        for (const auto& other : most_similar(distances, head, kNearest)) {
            row.push_back(name(other.head));
            row.push_back(fmt::format("{:.3f}", other.divergence));
        }
        row.resize(1 + 2 * kNearest);
        table.add(row);
    }
    shell.print(table.text());
    shell.print("Heads as layer.head. Divergence: Jensen–Shannon of two heads' attention, nats; 0 = the same, 0.693 = no key in common.\n");
    save_table(shell, out, distances_csv(distances));
    shell.emit({{"run", distances.run_title}, {"step", distances.step}, {"length", distances.length}, {"texts", distances.texts}, {"queries", distances.queries},
                {"measure", "mean Jensen-Shannon divergence of attention rows, nats"}, {"heads", similar_json(distances)}});
}

}  // namespace lw::cli
