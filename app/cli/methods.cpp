/// methods: the catalogue of positional methods, the presets made of them, and presets of one's own.

#include "app/cli/parameters.h"
#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/scheme.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw::cli {
namespace {

Json preset_object(const SchemePreset& preset) {
    return {{"id", preset.id}, {"name", preset.scheme.name}, {"summary", preset.summary}, {"slots", scheme_line(preset.scheme)}, {"own", preset.own}};
}

/// Presets with their slots, one's own marked; a file that is no preset is named below.
std::string preset_text(const PresetList& list) {
    Table table({"preset", "name", "slots"});
    bool own = false;
    for (const auto& preset : list.presets) {
        table.add({preset.own ? preset.id + " *" : preset.id, preset.scheme.name, scheme_line(preset.scheme)});
        own = own || preset.own;
    }
    std::string text = table.text();
    if (own) text += "* your own, in schemes/ of the workspace\n";
    for (const auto& problem : list.problems) text += problem + "\n";
    return text;
}

void list(Shell& shell, const std::string& slot) {
    const PresetList presets = scheme_presets(shell.workspace_folder());
    Json preset_json = Json::array();
    for (const auto& preset : presets.presets) preset_json.push_back(preset_object(preset));
    Table table({"slot", "method", "name", "summary"});
    Json method_json = Json::array();
    for (const auto& method : methods()) {
        if (!slot.empty() && method.slot != slot) continue;
        table.add({method.slot, method.id, method.name, method.summary});
        method_json.push_back(to_json(method));
    }
    if (table.empty()) throw Failure(ErrorKind::not_found, fmt::format("No method fills a slot \"{}\"; lengthwise-cli methods lists all.", slot));
    shell.print(slot.empty() ? "Presets (for train, --recipe files and the window)\n\n" + preset_text(presets) + "\nMethods\n\n" + table.text()
                             : table.text());
    shell.emit({{"presets", preset_json}, {"problems", presets.problems}, {"methods", method_json}});
}

void save(Shell& shell, const std::string& name, const std::string& scheme_name, const std::vector<std::string>& sets) {
    SchemeSpec scheme = need(find_scheme(scheme_name, shell.workspace_folder()));
    for (const auto& assignment : sets) set_in_scheme(scheme, assignment);
    const auto preset = need(save_preset(shell.workspace_folder(), name, scheme));
    shell.print(fmt::format("Saved {} ({}): {}\n", preset.scheme.name, preset.id, scheme_line(preset.scheme)));
    shell.emit(preset_object(preset));
}

void remove(Shell& shell, const std::string& name) {
    need(delete_preset(shell.workspace_folder(), name));
    shell.print(fmt::format("Deleted the preset {}.\n", name));
    shell.emit({{"deleted", name}});
}

/// The formula's symbols and the cost at the usual sizes; "" where there is nothing to say.
std::string numbers_text(const MethodNumbers& numbers) {
    std::string text;
    if (!numbers.values.empty()) text += "  " + numbers.values + "\n";
    if (!numbers.cost_line.empty()) text += "\n" + numbers.cost_line + "\n";
    return text;
}

std::string description(const MethodInfo& method, const MethodNumbers& numbers) {
    std::string text = fmt::format("{} ({}: {})\n{}\n\n  {}\n{}\n{}\n{}\n", method.name, method.slot, method.id, method.summary, method.formula,
                                   numbers_text(numbers), method.paper, method.url);
    if (!method.not_to_confuse.empty()) text += "\nNames: " + method.not_to_confuse + "\n";
    if (!method.beyond_training.empty()) text += "\nPast the training length: " + method.beyond_training + "\n";
    if (!method.claims.empty()) text += "\nClaims, tested:\n";
    for (const auto& claim : method.claims) text += fmt::format("  {}: {}\n", claim.id, claim.sentence);
    if (method.params.empty()) return text;
    return text + "\n" + parameter_table(method.params);
}

/// The methods of that id, in any slot or the one asked for.
std::vector<MethodInfo> matching(const std::string& id, const std::string& slot) {
    std::vector<MethodInfo> found;
    for (const auto& method : methods()) {
        if (method.id == id && (slot.empty() || method.slot == slot)) found.push_back(method);
    }
    if (found.empty() && !slot.empty()) found.push_back(need(describe_method(slot, id)));  // says what is near
    if (found.empty()) throw Failure(ErrorKind::not_found, fmt::format("No method is called \"{}\"; lengthwise-cli methods lists all.", id));
    return found;
}

void describe(Shell& shell, const std::string& id, const std::string& slot) {
    const auto found = matching(id, slot);
    Json list = Json::array();
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto numbers = need(method_numbers(found[i].slot, {found[i].id, {}}));
        shell.print((i > 0 ? "\n" : "") + description(found[i], numbers));
        list.push_back(to_json(found[i]));
        list.back().update(to_json(numbers));
    }
    shell.emit({{"methods", list}});
}

/// The slots of a preset, each with its formula, its numbers and its cost.
void describe_preset(Shell& shell, const SchemeSpec& scheme) {
    std::string text = scheme.name + "\n" + scheme_line(scheme) + "\n";
    Json list = Json::array();
    for (const auto& numbers : need(scheme_numbers(scheme))) {
        const auto method = need(describe_method(numbers.slot, numbers.id));
        text += fmt::format("\n{} ({}: {})\n\n  {}\n{}", method.name, method.slot, method.id, method.formula, numbers_text(numbers));
        list.push_back(to_json(numbers));
    }
    shell.print(text);
    shell.emit({{"name", scheme.name}, {"slots", list}});
}

/// A method of that id; else a preset of that name.
void describe_any(Shell& shell, const std::string& id, const std::string& slot) {
    const auto& all = methods();
    const bool method = std::any_of(all.begin(), all.end(), [&](const MethodInfo& info) { return info.id == id; });
    const auto preset = find_scheme(id, shell.workspace_folder());
    if (method || !slot.empty() || !preset.ok()) return describe(shell, id, slot);
    describe_preset(shell, preset.value());
}

/// "bias alibi" is alibi in slot bias.
void describe_words(Shell& shell, const std::vector<std::string>& words, const std::string& slot) {
    if (words.size() == 1) return describe_any(shell, words.front(), slot);
    describe(shell, words.back(), words.front());
}

struct Options {
    bool markdown = false;
    std::string slot, describe_slot;
    std::string preset, scheme;
    std::vector<std::string> described, sets;
};

}  // namespace

void add_methods(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "methods", "List the presets and methods, or describe one", "lengthwise-cli methods describe dape");
    command->add_flag("--markdown", options->markdown, "The whole catalogue as Markdown (docs/methods.md)");
    command->add_option("--slot", options->slot, "Only the methods of this slot");
    auto* describe_command = shell.command(*command, "describe", "Formula with its numbers, cost, paper, claims and parameters of a method; formulas and costs of a preset",
                                           "lengthwise-cli methods describe alibi");
    describe_command->add_option("id", options->described, "Method id, its slot before it or not; or a preset")->required()->expected(1, 2)->type_name("[SLOT] ID");
    describe_command->add_option("--in", options->describe_slot, "Slot, when methods of two slots share the id");
    auto* list_command = shell.command(*command, "list", "The same as without a word", "lengthwise-cli methods list --slot bias");
    auto* save_command = shell.command(*command, "save", "Keep a scheme under a name, as a preset of the workspace",
                                       "lengthwise-cli methods save \"My YaRN\" rope-yarn --set frequency.factor=16");
    save_command->add_option("name", options->preset, "Name of the preset; one of your own of that name is replaced")->required();
    save_command->add_option("scheme", options->scheme, "Preset to start from")->required();
    save_command->add_option("--set", options->sets, "A parameter of a slot, or its method: frequency.factor=4, frequency=yarn; may be repeated")->type_name(kSlotSettingForm)->allow_extra_args(false);
    auto* delete_command = shell.command(*command, "delete", "Delete a preset of your own", "lengthwise-cli methods delete my-yarn");
    delete_command->add_option("name", options->preset, "Preset id or name")->required();
    command->require_subcommand(0, 1);
    shell.on_run(command, [&shell, options, describe_command, list_command, save_command, delete_command] {
        if (save_command->parsed()) return save(shell, options->preset, options->scheme, options->sets);
        if (delete_command->parsed()) return remove(shell, options->preset);
        if (describe_command->parsed()) return describe_words(shell, options->described, options->describe_slot);
        if (options->markdown && !list_command->parsed()) {
            const auto text = methods_markdown();
            shell.print(text);
            return shell.emit({{"markdown", text}});
        }
        list(shell, options->slot);
    });
}

}  // namespace lw::cli
