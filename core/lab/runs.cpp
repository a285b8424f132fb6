/// Workspace and runs: listing, reading, finding, deleting.

#include "core/api/runs.h"

#include "core/api/doctor.h"
#include "core/data/task.h"
#include "core/data/utf8.h"
#include "core/lab/guard.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"
#include "core/storage/recipe_json.h"
#include "core/storage/run_folder.h"
#include "core/storage/strict_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>

namespace lw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDemoPrefix = "demo:";

/// Never throws: a folder that cannot be looked into is no run.
bool looks_like_run(const fs::path& folder) {
    std::error_code unreadable;
    return fs::exists(RunFolder(folder).record_file(), unreadable) || fs::exists(RunFolder(folder).recipe_file(), unreadable);
}

bool is_demo(const fs::path& folder) {
    std::error_code error;
    const fs::path demo = fs::weakly_canonical(resource_folder() / "demo", error);
    const fs::path parent = fs::weakly_canonical(folder, error).parent_path();
    return parent == demo;
}

std::vector<CheckpointInfo> checkpoints_of(const RunFolder& folder, std::int64_t best_step) {
    std::vector<CheckpointInfo> checkpoints;
    for (const std::int64_t step : folder.weight_steps()) checkpoints.push_back({step, folder.weights_file(step), step == best_step});
    return checkpoints;
}

/// A run that says "running" while nobody holds its lock was cut off: its program was killed or the machine went down.
void note_interruption(const RunFolder& folder, RunInfo& info) {
    if (info.status != "running") return;
    for (const LogPoint& point : read_log_file(folder.log_file())) info.step = std::max(info.step, point.step);
    if (RunLock::held(folder)) return;
    info.status = "stopped";
    info.message = "The program ended while this run was training; resuming goes on from its last checkpoint.";
}

/// Where the run lies whose weights an extended one uses.
fs::path base_folder(const fs::path& extended, const std::string& reference) {
    if (reference.starts_with(kDemoPrefix)) return resource_folder() / "demo" / reference.substr(kDemoPrefix.size());
    if (fs::path(reference).is_absolute()) return reference;
    return (extended.has_filename() ? extended : extended.parent_path()).parent_path() / reference;
}

/// An extended run has the checkpoints of the run it extends.
void add_base(RunInfo& info, const RunRecord& record) {
    if (record.base.empty()) return;
    info.base = base_folder(info.folder, record.base);
    const RunFolder base(info.base);
    std::error_code error;
    if (fs::exists(base.record_file(), error)) info.checkpoints = checkpoints_of(base, base.read_record().best_step);
    if (info.checkpoints.empty()) {
        info.message = fmt::format("It uses the weights of the run {}, which is not at {} any more.", info.base.filename().string(), info.base.string());
    }
}

Recipe parsed(const std::string& text, const std::string& origin) {
    return recipe_from_json(text, origin, [](const std::string& name) { return find_scheme(name); });
}

/// A run's recipe was written by the program: whatever is wrong with it, the file is damaged or from elsewhere.
Recipe recipe_of(const RunFolder& folder) {
    try {
        return parsed(read_file(folder.recipe_file()), folder.recipe_file().string());
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::invalid_argument && failure.kind() != ErrorKind::not_found) throw;
        throw Failure(ErrorKind::corrupt_file, failure.what());
    }
}

/// Both are read by this program, so that keys which came into being after the training have the same value in both. Extended runs were not
/// trained: their recipe is what is measured.
std::optional<bool> was_edited(const RunRecord& record, const Recipe& now) {
    if (record.recipe.empty() || !record.base.empty()) return std::nullopt;
    if (recipe_json(now) == record.recipe) return false;
    try {
        return training_hash(parsed(record.recipe, "run.json")) != training_hash(now);
    } catch (const Failure&) {
        return std::nullopt;  // of another version of the program
    }
}

RunInfo read_run_folder(const fs::path& path) {
    if (!fs::is_directory(path)) throw Failure(ErrorKind::not_found, fmt::format("There is no run folder {}.", path.string()));
    const RunFolder folder(path);
    if (!looks_like_run(path)) throw Failure(ErrorKind::not_found, fmt::format("{} is not a run: it has no run.json.", path.string()));
    const RunRecord record = folder.read_record();
    RunInfo info;
    info.folder = path;
    info.id = (path.has_filename() ? path : path.parent_path()).filename().string();
    refuse_other_than_utf8(info.id, fmt::format("The name of the run folder {}", repair_utf8(path.string()).text));  // evaluations name it: better now than measured in vain
    info.recipe = recipe_of(folder);
    info.title = !info.recipe.name.empty() ? info.recipe.name : !info.recipe.scheme.name.empty() ? info.recipe.scheme.name : info.id;
    info.status = record.status;
    info.message = record.message;
    info.diverged = record.diverged;
    info.trained_hash = record.recipe_hash;
    info.recipe_edited = was_edited(record, info.recipe);
    info.step = record.step;
    info.parameters = record.parameters;
    info.best_loss = record.best_step < 0 ? 0 : record.best_loss;
    info.checkpoints = checkpoints_of(folder, record.best_step);
    info.evaluations = folder.evaluation_names();
    info.demo = is_demo(path);
    add_base(info, record);
    note_interruption(folder, info);
    return info;
}

std::string problem_of(const fs::path& folder, const std::string& what) { return fmt::format("{}: {}", folder.filename().string(), what); }

/// Folders that may be runs, by name; those that the system will not show become problems. Names with a dot are runs in the making.
std::vector<fs::path> run_folders(const fs::path& workspace, std::vector<std::string>& problems) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(workspace)) {
        if (entry.path().filename().string().starts_with('.')) continue;
        std::error_code error;
        const fs::file_status status = fs::status(fs::is_directory(entry.path(), error) ? RunFolder(entry.path()).record_file() : entry.path(), error);
        if (status.type() == fs::file_type::none) problems.push_back(problem_of(entry.path(), fmt::format("It cannot be read: {}.", error.message())));
        else if (looks_like_run(entry.path())) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

struct Dated {
    std::string created;
    RunInfo run;
};

RunList read_workspace(const fs::path& workspace) {
    RunList list;
    if (!fs::exists(workspace)) return list;  // A workspace comes into being with its first run.
    if (!fs::is_directory(workspace)) throw Failure(ErrorKind::invalid_argument, fmt::format("The workspace {} is a file, not a folder. Choose a folder.", workspace.string()));
    std::vector<Dated> dated;
    for (const fs::path& folder : run_folders(workspace, list.problems)) {
        try {
            dated.push_back({RunFolder(folder).read_record().created, read_run_folder(folder)});
        } catch (...) {
            list.problems.push_back(problem_of(folder, classify(std::current_exception()).message));
        }
    }
    std::stable_sort(dated.begin(), dated.end(), [](const Dated& a, const Dated& b) { return a.created < b.created; });
    for (Dated& entry : dated) list.runs.push_back(std::move(entry.run));
    return list;
}

std::string lowered(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Whether a demo run of a task would stand in for one of text: by a title that both have the one of text is meant.
bool is_task_beside(const RunInfo& run, const RunInfo* found) {
    return found != nullptr && run.demo && is_task(run.recipe.data.source) && !is_task(found->recipe.data.source);
}

/// The run with that id; else the newest of those whose title or id is the name in any case. `runs` is oldest first.
const RunInfo* match(const std::vector<RunInfo>& runs, const std::string& name) {
    const RunInfo* found = nullptr;
    for (const RunInfo& run : runs) {
        if (run.id == name) return &run;
        const bool named = lowered(run.title) == lowered(name) || lowered(run.id) == lowered(name);
        if (named && !is_task_beside(run, found)) found = &run;
    }
    return found;
}

/// The nearest names, three at most; else some that there are.
std::string run_advice(const std::string& name, const std::vector<std::string>& ids) {
    if (ids.empty()) return " There are no runs yet.";
    std::vector<std::string> known;  // a run of the workspace may have the id of a demo run
    for (const auto& id : ids) {
        if (std::find(known.begin(), known.end(), id) == known.end()) known.push_back(id);
    }
    std::vector<std::string> near, rest = known;
    for (std::string next = nearest(name, rest); !next.empty() && near.size() < 3; next = nearest(name, rest)) {
        near.push_back(next);
        std::erase(rest, next);
    }
    if (!near.empty()) return fmt::format(" Did you mean \"{}\"?", fmt::join(near, "\", \""));
    const std::size_t some = std::min<std::size_t>(3, known.size());
    return fmt::format(" There are {}, among them {}.", known.size() == 1 ? "1 run" : fmt::format("{} runs", known.size()), fmt::join(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(some), ", "));
}

RunInfo find_by_name(const fs::path& workspace, std::string name) {
    const std::vector<RunInfo> demos = demo_runs();
    const bool demo_only = name.starts_with(kDemoPrefix);
    if (demo_only) name.erase(0, kDemoPrefix.size());
    // A person's own runs come first: the demo runs carry the titles that one's first runs get as well.
    const std::vector<RunInfo> own = demo_only ? std::vector<RunInfo>() : read_workspace(workspace).runs;
    std::vector<std::string> ids;
    for (const auto* runs : {&own, &demos}) {
        if (const RunInfo* found = match(*runs, name)) return *found;
        for (const RunInfo& run : *runs) ids.push_back(run.id);
    }
    // A folder of that name is there, but damaged: reading it says how.
    if (const fs::path folder = workspace / name; !demo_only && fs::path(name).filename() == name && looks_like_run(folder)) return read_run_folder(folder);
    throw Failure(ErrorKind::not_found, fmt::format("There is no {}run \"{}\".{}", demo_only ? "demo " : "", name, run_advice(name, ids)));
}

}  // namespace

fs::path default_workspace() {
    for (const char* name : {"LENGTHWISE_WORKSPACE", "HOME"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        return std::string_view(name) == "HOME" ? fs::path(value) / "Lengthwise" : fs::path(value);
    }
    return fs::current_path() / "Lengthwise";
}

std::vector<RunInfo> demo_runs() {
    const fs::path folder = resource_folder() / "demo";
    std::error_code error;
    if (!fs::is_directory(folder, error)) return {};
    const Result<RunList> list = list_runs(folder);
    return list.ok() ? list.value().runs : std::vector<RunInfo>();
}

Result<RunList> list_runs(const fs::path& workspace) {
    return guarded<RunList>([&] { return read_workspace(workspace); });
}

Result<RunInfo> read_run(const fs::path& folder) {
    return guarded<RunInfo>([&] { return read_run_folder(folder); });
}

Result<RunInfo> find_run(const fs::path& workspace, const std::string& name) {
    return guarded<RunInfo>([&] {
        // A path to a run folder names it too, wherever it lies.
        if (name.find('/') != std::string::npos) return read_run_folder(name);
        return find_by_name(workspace, name);
    });
}

namespace {

/// Runs beside this one that use its weights.
std::string borrowers_of(const fs::path& path) {
    const fs::path folder = path.has_filename() ? path : path.parent_path();
    std::string names;
    for (const RunInfo& run : read_workspace(fs::absolute(folder).parent_path()).runs) {
        std::error_code error;
        // A run without weights of its own or of others (its base names itself, or goes round in a circle) loses nothing.
        if (run.checkpoints.empty() || fs::equivalent(run.folder, folder, error)) continue;
        if (!run.base.empty() && fs::equivalent(run.base, folder, error)) names += (names.empty() ? "" : ", ") + run.id;
    }
    return names;
}

/// Throws what deleting it would be refused for.
void refuse_undeletable(const fs::path& path) {
    if (is_demo(path)) throw Failure(ErrorKind::invalid_argument, fmt::format("{} comes with the program and is not deleted.", path.filename().string()));
    if (!fs::is_directory(path) || !looks_like_run(path)) {
        throw Failure(ErrorKind::not_found, fmt::format("{} is not a run folder; nothing was deleted.", path.string()));
    }
    if (RunLock::held(RunFolder(path))) {
        throw Failure(ErrorKind::unavailable, fmt::format("The run {} is being trained; stop it before deleting it.", path.filename().string()));
    }
    if (const auto borrowers = borrowers_of(path); !borrowers.empty()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("The weights of {} are used by {}; delete what uses them first.", path.filename().string(), borrowers));
    }
}

}  // namespace

Status check_deletable(const fs::path& path) {
    return guarded<Nothing>([&] {
        refuse_undeletable(path);
        return Nothing{};
    });
}

Status delete_run(const fs::path& path) {
    return guarded<Nothing>([&] {
        refuse_undeletable(path);
        std::error_code error;
        fs::remove_all(path, error);
        if (error) throw Failure(ErrorKind::io, fmt::format("Cannot delete {}: {}.", path.string(), error.message()));
        return Nothing{};
    });
}

Result<std::vector<LogPoint>> read_log(const fs::path& run) {
    return guarded<std::vector<LogPoint>>([&] { return read_log_file(RunFolder(run).log_file()); });
}

}  // namespace lw
