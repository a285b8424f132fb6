/// extend_run: a run of its own that shares a trained run's weights and changes what may be changed on a trained model.
#include "core/api/doctor.h"
#include "core/api/evaluation.h"
#include "core/api/runs.h"
#include "core/data/tokenizer.h"
#include "core/lab/guard.h"
#include "core/lab/load_model.h"
#include "core/lab/new_run_folder.h"
#include "core/position/catalogue.h"
#include "core/storage/atomic_file.h"
#include "core/storage/recipe_json.h"
#include "core/storage/run_folder.h"
#include "core/storage/strict_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace lw {

namespace {

namespace fs = std::filesystem;

/// How the extended run's record names the run whose weights it uses: demo runs and neighbours by id, others by their path.
std::string reference_to(const RunInfo& base, const fs::path& workspace) {
    if (base.demo) return "demo:" + base.id;
    std::error_code error;
    const bool neighbour = fs::equivalent(fs::absolute(base.folder).parent_path(), workspace, error);
    return neighbour && !error ? base.id : fs::absolute(base.folder).lexically_normal().string();
}

/// "factor = 0": the parameters in which a method differs from the one the run was trained with.
std::string changes_of(const SlotChoice& trained, const SlotChoice& wanted, const char* between = " = ", const char* separator = ", ") {
    std::vector<std::string> changes;
    for (const auto& [id, value] : wanted.params) {
        const auto before = trained.params.find(id);
        if (before == trained.params.end() || param_text(before->second) != param_text(value)) changes.push_back(fmt::format("{}{}{}", id, between, param_text(value)));
    }
    return changes.empty() ? "unchanged" : fmt::format("{}", fmt::join(changes, separator));
}

/// What stands in the slot is the run's own method, with other parameters.
const SlotChoice* own_choice(const RunInfo& base, const std::string& slot, const SlotChoice& choice) {
    const auto own = base.recipe.scheme.slots.find(slot);
    return own != base.recipe.scheme.slots.end() && own->second.id == choice.id ? &own->second : nullptr;
}

/// "YaRN (factor 16)": a method with what was chosen otherwise than by default.
std::string words_of(const std::string& slot, const SlotChoice& choice) {
    const MethodInfo& info = find_entry(slot, choice.id).info;
    std::vector<std::string> chosen;
    for (const auto& spec : info.params) {
        const auto given = choice.params.find(spec.id);
        if (given != choice.params.end() && param_text(given->second) != param_text(spec.default_value)) chosen.push_back(spec.id + " " + param_text(given->second));
    }
    return chosen.empty() ? info.name : fmt::format("{} ({})", info.name, fmt::join(chosen, ", "));
}

/// The name of one's own preset that this scheme is; "" where there is none.
std::string own_preset_name(const SchemeSpec& scheme, const fs::path& workspace) {
    for (const auto& preset : scheme_presets(workspace).presets) {
        if (preset.own && difference_of(preset.scheme, scheme).slots.empty() && difference_of(scheme, preset.scheme).slots.empty()) return preset.scheme.name;
    }
    return "";
}

/// "RoPE + YaRN, log-n" for methods put in, "ALiBi + factor = 0" for parameters of the run's own.
std::string title_of(const RunInfo& base, const SchemeSpec& extension, const SchemeSpec& scheme, const fs::path& workspace) {
    if (!extension.name.empty()) return extension.name;
    if (auto name = own_preset_name(scheme, workspace); !name.empty()) return name;
    std::vector<std::string> added;
    for (const auto& [slot, choice] : extension.slots) {
        if (choice.id == "none") added.push_back("no " + slot);
        else if (const auto* own = own_choice(base, slot, choice)) added.push_back(changes_of(*own, choice));
        else added.push_back(words_of(slot, choice));
    }
    return fmt::format("{} + {}", base.title, fmt::join(added, ", "));
}

/// "rope-l128-s1-yarn" for methods put in, "alibi-l128-s1-factor-0" for parameters of the run's own: a folder's name of plain letters.
std::string id_of(const RunInfo& base, const SchemeSpec& extension) {
    std::string id = base.id;
    for (const auto& [slot, choice] : extension.slots) {
        const auto* own = own_choice(base, slot, choice);
        id += "-" + (choice.id == "none" ? "no-" + slot : own != nullptr ? changes_of(*own, choice, "-", "-") : choice.id);
    }
    const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_'; };
    std::replace_if(id.begin(), id.end(), [&](char c) { return !plain(c); }, '-');
    return id.substr(0, 80);
}

/// Measured by default as the run it extends was, so that both can be compared. A damaged evaluation counts as none.
EvaluationSpec measured_as(const RunInfo& base) {
    const auto evaluations = read_evaluations(base.folder);
    if (!evaluations.ok()) return base.recipe.evaluation;
    for (const Evaluation& evaluation : evaluations.value()) {
        if (evaluation.complete && evaluation.protocol.protocol == base.recipe.evaluation.protocol) return evaluation.protocol;
    }
    return base.recipe.evaluation;
}

/// As it is named on the command line; the path of a run that cannot be read.
std::string name_of(const fs::path& folder) {
    const auto run = read_run(folder);
    return run.ok() ? (run.value().demo ? "demo:" : "") + run.value().id : folder.string();
}

RunInfo extended_run(const RunInfo& base, const SchemeSpec& extension, const fs::path& workspace) {
    if (base.checkpoints.empty()) {
        if (base.base.empty()) throw no_checkpoint(base);
        throw Failure(ErrorKind::not_found, fmt::format("The run \"{}\" has no weights. {}", base.id, base.message));
    }
    if (!base.base.empty()) throw Failure(ErrorKind::invalid_argument, fmt::format("{} uses another run's weights itself; extend that run instead: {}.", base.id, name_of(base.base)));
    if (extension.slots.empty()) throw Failure(ErrorKind::invalid_argument, "An extension changes at least one slot; name a method, for example frequency=yarn.");
    check_given_name(extension.name, "The name of an extended run");
    Recipe recipe = base.recipe;
    recipe.scheme = extended_scheme(base.recipe.scheme, extension);
    if (difference_of(base.recipe.scheme, recipe.scheme).slots.empty()) {
        throw Failure(ErrorKind::invalid_argument, fmt::format("This extension changes nothing of {} ({}); name a method that it does not have.", base.title, scheme_line(base.recipe.scheme)));
    }
    recipe.name = title_of(base, extension, recipe.scheme, workspace);
    recipe.evaluation = measured_as(base);
    RunRecord record = RunFolder(base.folder).read_record();
    record.recipe_hash = recipe_hash(recipe);
    record.recipe = recipe_json(recipe);
    record.base = reference_to(base, fs::absolute(workspace).lexically_normal());
    record.created = timestamp();
    record.status = "finished";
    record.message.clear();
    NewRunFolder made(workspace);
    make_folder(made.folder().evaluation_folder());
    write_file(made.folder().recipe_file(), recipe_json(recipe));
    load_tokenizer(base.folder)->save(made.folder().path());
    made.folder().write_record(record);
    // Parameters that the weights do not have (ALiBi with slopes to learn) are refused here, not when the run is first used.
    (void)load_model(made.folder().path(), -1, "cpu");
    made.appear(id_of(base, extension));
    made.keep();
    return read_run(made.folder().path()).value();
}

std::optional<RunInfo> made_before(const RunInfo& base, const SchemeSpec& extension, const fs::path& workspace) {
    const SchemeSpec wanted = extended_scheme(base.recipe.scheme, extension);
    for (auto& run : list_runs(workspace).value().runs) {
        std::error_code error;
        const bool ours = !run.base.empty() && fs::equivalent(run.base, base.folder, error) && !error;
        if (ours && difference_of(wanted, run.recipe.scheme).slots.empty()) return std::move(run);
    }
    return std::nullopt;
}

}  // namespace

Result<std::optional<RunInfo>> find_extended_run(const fs::path& run, const SchemeSpec& extension, const fs::path& workspace) {
    return guarded<std::optional<RunInfo>>([&] { return made_before(read_run(run).value(), extension, workspace); });
}

Result<RunInfo> extend_run(const fs::path& run, const SchemeSpec& extension, const fs::path& workspace) {
    return guarded<RunInfo>([&] { return extended_run(read_run(run).value(), extension, workspace); });
}

}  // namespace lw
