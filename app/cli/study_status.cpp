#include "app/cli/study_status.h"

#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace lw::cli {
namespace {

/// Enough of an id to name the cell by: its end tells more than its beginning, which plug-ins share.
std::string short_id(const StudyCell& cell) { return cell.id.substr(cell.id.size() - 6); }

/// "finished 3fa2c1"
std::string mark(const StudyCell& cell) {
    const auto name = short_id(cell);
    if (cell.state == "stopped") return fmt::format("step {} of {} {}", grouped(cell.step), grouped(cell.recipe.training.steps), name);
    return cell.priority == 0 ? fmt::format("{} {}", cell.state, name) : fmt::format("{} {} (priority {})", cell.state, name, cell.priority);
}

/// Seeds in the order in which they come.
std::vector<std::uint64_t> seeds_of(const StudyStatus& status) {
    std::vector<std::uint64_t> seeds;
    for (const auto& cell : status.cells) {
        if (std::find(seeds.begin(), seeds.end(), cell.seed) == seeds.end()) seeds.push_back(cell.seed);
    }
    return seeds;
}

std::string matrix(const StudyStatus& status) {
    const auto seeds = seeds_of(status);
    std::vector<std::string> header{"scheme", "setting"};
    for (const auto seed : seeds) header.push_back(fmt::format("seed {}", seed));
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::map<std::uint64_t, std::string>> marks;
    for (const auto& cell : status.cells) {
        const std::pair key{cell.scheme, cell.setting};
        if (!marks.contains(key)) order.push_back(key);
        marks[key][cell.seed] = mark(cell);
    }
    Table table(header);
    for (const auto& key : order) {
        std::vector<std::string> row{key.first, key.second};
        for (const auto seed : seeds) row.push_back(marks[key].contains(seed) ? marks[key][seed] : "–");
        table.add(row);
    }
    return table.text();
}

}  // namespace

std::string cells_text(std::int64_t number) { return grouped(number) + (number == 1 ? " cell" : " cells"); }

std::string counts_text(const StudyStatus& status) {
    std::vector<std::string> parts;
    for (const char* state : {"finished", "running", "trained", "stopped", "waiting", "blocked", "failed", "diverged"}) {
        if (const auto number = status.count(state); number > 0) parts.push_back(fmt::format("{} {}", number, state));
    }
    return fmt::format("{}: {}{}{}\n", cells_text(static_cast<std::int64_t>(status.cells.size())), fmt::join(parts, ", "), status.running ? "; a program works on it" : "", status.paused ? "; paused" : "");
}

std::string status_text(const StudyStatus& status) {
    std::string text = status.spec.name + "\n" + counts_text(status) + "\n" + matrix(status);
    if (!status.cells.empty()) text += "Behind a state is the end of the cell's id, by which study retry and study prioritise name it.\n";
    std::string failures;
    for (const auto& cell : status.cells) {
        if (cell.message.empty() || cell.state == "blocked") continue;
        failures += fmt::format("{} {}, {}, seed {} {}: {}\n", short_id(cell), cell.scheme, cell.setting, cell.seed, cell.state, cell.message);
    }
    if (!failures.empty()) text += "\n" + failures;
    if (!status.problems.empty() || !status.notes.empty()) text += "\n";
    for (const auto& problem : status.problems) text += fmt::format("Cannot start: {}\n", problem);
    for (const auto& note : status.notes) text += fmt::format("{}\n", note);
    return text;
}

std::string estimate_text(const StudyEstimate& estimate) {
    std::string text;
    if (estimate.seconds > 0) text += fmt::format("time left    about {}\n", duration(estimate.seconds));
    if (estimate.bytes > 0) text += fmt::format("memory       {} of {} available, for {}\n", byte_size(estimate.bytes), byte_size(estimate.bytes_available), estimate.largest);
    return text;
}

Json status_json(const StudyStatus& status) {
    return {{"name", status.spec.name}, {"id", status.folder.filename().string()}, {"running", status.running}, {"paused", status.paused}, {"cells", list_json(status.cells)},
            {"problems", status.problems}, {"notes", status.notes}};
}

Json estimate_json(const StudyEstimate& estimate) {
    return {{"seconds", estimate.seconds}, {"bytes", estimate.bytes}, {"bytes_available", estimate.bytes_available}, {"largest", estimate.largest}, {"cell_seconds", estimate.cell_seconds}};
}

}  // namespace lw::cli
