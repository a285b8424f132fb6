/// The verbs around a study's folder: adding, listing, looking, and telling a program that works on it what to do.
#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/storage/atomic_file.h"
#include "core/storage/json_text.h"
#include "core/study/cells.h"
#include "core/study/study_json.h"
#include "core/study/survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace lw {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListed = 8;  // of the cells that an id may mean

/// By its id, or a beginning or end of it that no other cell has. A whole id counts before any part: that of a plug-in ends with its base's.
std::string cell_id(const StudyStatus& status, const std::string& asked) {
    const auto whole = [&](const StudyCell& cell) { return cell.id == asked; };
    if (std::any_of(status.cells.begin(), status.cells.end(), whole)) return asked;
    std::vector<std::string> found, lines;
    for (const StudyCell& cell : status.cells) {
        if (!cell.id.starts_with(asked) && !cell.id.ends_with(asked)) continue;
        found.push_back(cell.id);
        lines.push_back(fmt::format("{} ({})", cell.id, cell_line(cell)));
    }
    if (found.size() == 1) return found.front();
    if (lines.size() > kListed) lines.resize(kListed), lines.emplace_back("…");
    if (found.empty()) throw Failure(ErrorKind::not_found, fmt::format("The study has no cell \"{}\"; its status lists them.", asked));
    throw Failure(ErrorKind::invalid_argument, fmt::format("{} cells begin or end with \"{}\"; give more of the id: {}.", found.size(), asked, fmt::join(lines, "; ")));
}

Status change_cell(const fs::path& workspace, const std::string& id, const std::string& cell, const std::function<void(CellNotes&)>& change) {
    return guarded<Nothing>([&] {
        const StudyFolder folder = find_study(workspace, id);
        const std::string found = cell_id(survey_folder(workspace, folder), cell);
        folder.change_state([&](StudyState& state) { change(state.cells[found]); });
        return Nothing{};
    });
}

/// The name of the study in the folder; nothing where there is none, or where its file cannot be read and may as well be replaced.
std::optional<std::string> name_in(const StudyFolder& folder) {
    std::error_code absent;
    if (!fs::exists(folder.spec_file(), absent)) return std::nullopt;
    const auto root = parse_json(read_file(folder.spec_file()));
    if (!root.is_object() || !root.contains("name") || !root["name"].is_string()) return std::nullopt;
    return root["name"].get<std::string>();
}

/// Names that differ in their signs only have one folder, and what a program works on stays as it is.
std::string store(const fs::path& workspace, const std::string& name, const std::string& text) {
    const StudyFolder folder(workspace, study_id(name));
    std::string id = folder.path().filename().string();
    const auto before = name_in(folder);
    if (before && *before != name) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("The workspace has the study \"{}\" already, and \"{}\" would be kept in the same folder, studies/{}. Give it another name.",
                                                               *before, name, id));
    }
    if (before && read_file(folder.spec_file()) == text) return id;
    make_folder(folder.path());
    const auto alone = folder.lock();
    write_file(folder.spec_file(), text);
    return id;
}

}  // namespace

Result<std::string> add_study(const fs::path& workspace, const StudySpec& spec) {
    return guarded<std::string>([&] {
        const StudySpec checked = checked_study(spec);
        return store(workspace, checked.name, study_json(checked));
    });
}

Result<std::string> add_study_file(const fs::path& workspace, const fs::path& file) {
    return guarded<std::string>([&] {
        const std::string text = read_file(file);
        return store(workspace, study_from_json(text, file.string(), workspace).name, text);
    });
}

Result<std::vector<std::string>> list_studies(const fs::path& workspace) {
    return guarded<std::vector<std::string>>([&] { return study_ids(workspace); });
}

Result<StudyStatus> study_status(const fs::path& workspace, const std::string& id) {
    return guarded<StudyStatus>([&] { return survey_folder(workspace, find_study(workspace, id)); });
}

Result<StudyStatus> preview_study(const fs::path& workspace, const StudySpec& spec) {
    return guarded<StudyStatus>([&] { return survey(workspace, checked_study(spec), {}); });
}

Status pause_study(const fs::path& workspace, const std::string& id) {
    return guarded<Nothing>([&] {
        find_study(workspace, id).change_state([](StudyState& state) { state.paused = true; });
        return Nothing{};
    });
}

Status prioritise_cell(const fs::path& workspace, const std::string& id, const std::string& cell, std::int64_t priority) {
    if (priority < -kLargestPriority || priority > kLargestPriority) {
        return Error{ErrorKind::invalid_argument, fmt::format("The priority is {}; it must lie between {} and {}.", with_commas(priority),
                                                              with_commas(-kLargestPriority), with_commas(kLargestPriority))};
    }
    return change_cell(workspace, id, cell, [&](CellNotes& notes) { notes.priority = priority; });
}

Status retry_cell(const fs::path& workspace, const std::string& id, const std::string& cell) {
    return change_cell(workspace, id, cell, [](CellNotes& notes) {
        notes.retry = true;
        notes.failure.clear();
    });
}

}  // namespace lw
