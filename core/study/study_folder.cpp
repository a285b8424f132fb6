#include "core/study/study_folder.h"

#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lw {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::int64_t kFormat = 1;

fs::path state_file(const fs::path& folder) { return folder / "state.json"; }

std::string state_json(const StudyState& state) {
    ordered_json cells = ordered_json::object();
    for (const auto& [id, notes] : state.cells) {
        if (notes.empty()) continue;
        ordered_json& cell = cells[id];
        if (notes.priority != 0) cell["priority"] = notes.priority;
        if (notes.retry) cell["retry"] = true;
        if (!notes.failure.empty()) cell["failure"] = notes.failure;
    }
    return ordered_json{{"format", kFormat}, {"paused", state.paused}, {"cells", cells}}.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

StudyState state_from(const json& root) {
    if (root.at("format") != kFormat) throw json::other_error::create(500, "format", nullptr);
    StudyState state;
    state.paused = root.at("paused").get<bool>();
    for (const auto& [id, cell] : root.at("cells").items()) {
        state.cells[id] = {cell.value("priority", std::int64_t{0}), cell.value("retry", false), cell.value("failure", std::string())};
    }
    return state;
}

}  // namespace

StudyState StudyFolder::read_state() const {
    std::error_code absent;
    const fs::path file = state_file(path_);
    if (!fs::exists(file, absent)) return {};
    const auto damaged = [&] {
        return Failure(ErrorKind::corrupt_file, fmt::format("{} cannot be read. It holds priorities and failures only: delete it, and the study goes on from its runs.", file.string()));
    };
    try {
        return state_from(parse_json(read_file(file)));
    } catch (const json::exception&) {
        throw damaged();
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::invalid_argument) throw;
        throw damaged();  // a folder, or larger than any state
    }
}

void StudyFolder::change_state(const std::function<void(StudyState&)>& change) const {
    const FileLock alone(path_ / ".state-lock", fmt::format("{} is being changed by another program; try again.", state_file(path_).string()), 2000);
    StudyState state = read_state();
    change(state);
    write_file(state_file(path_), state_json(state));
}

std::unique_ptr<FileLock> StudyFolder::lock() const {
    return std::make_unique<FileLock>(path_ / ".lock", fmt::format("Another program works on the study {} already; pause it or wait until it ends.", path_.filename().string()));
}

bool StudyFolder::locked() const { return FileLock::held(path_ / ".lock"); }

std::vector<std::string> study_ids(const fs::path& workspace) {
    std::vector<std::string> ids;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(workspace / "studies", error)) {
        std::error_code unreadable;
        if (fs::exists(entry.path() / "study.json", unreadable)) ids.push_back(entry.path().filename().string());
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

StudyFolder find_study(const fs::path& workspace, const std::string& id) {
    const std::vector<std::string> known = study_ids(workspace);
    if (std::find(known.begin(), known.end(), id) != known.end()) return {workspace, id};
    const std::string advice = known.empty() ? fmt::format(" There are none in {}; begin with: lengthwise-cli study add FILE", workspace.string()) : suggestion(id, known);
    throw Failure(ErrorKind::not_found, fmt::format("There is no study \"{}\".{}", id, advice));
}

}  // namespace lw
