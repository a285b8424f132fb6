/// extend: a trained run with plug-in methods put in, as a run of its own that shares the weights.

#include "app/cli/parameters.h"
#include "app/cli/shell.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

struct Options {
    std::string run, name;
    std::vector<std::string> methods, sets;
};

/// "frequency=yarn" into the extension, "frequency.factor=4" into what stands in the slot: a method just named, else the run's own.
void set(SchemeSpec& extension, const SchemeSpec& trained, const std::string& text) {
    const auto given = parse_slot_setting(text);
    auto& choice = extension.slots[given.slot];
    if (given.parameter.empty()) {
        choice.id = given.value;
        return;
    }
    const auto own = trained.slots.find(given.slot);
    if (choice.id.empty() && own != trained.slots.end()) choice = own->second;
    if (choice.id.empty()) throw empty_slot(text, given.slot, trained);
    choice.params[given.parameter] = parse_parameter(given.value);
}

SchemeSpec extension_of(const Options& options, const SchemeSpec& trained) {
    SchemeSpec extension{options.name, {}};
    for (const auto& text : options.methods) {
        const auto given = parse_slot_setting(text);
        if (given.parameter.empty() && extension.slots.contains(given.slot)) {
            throw Failure(ErrorKind::invalid_argument, fmt::format("The slot {} is given twice ({} and {}); it holds one method.", given.slot, extension.slots[given.slot].id, given.value));
        }
        set(extension, trained, text);
    }
    for (const auto& text : options.sets) set(extension, trained, text);
    return extension;
}

void run(Shell& shell, const Options& options) {
    const auto base = shell.find(options.run);
    const auto extended = need(extend_run(base.folder, extension_of(options, base.recipe.scheme), shell.workspace_folder()));
    shell.print(fmt::format("{}: {}\nuses the weights of {}, folder {}\nNext: lengthwise-cli evaluate {}\n", extended.title, scheme_line(extended.recipe.scheme), (base.demo ? "demo:" : "") + base.id,
                            extended.folder.string(), extended.id));
    shell.emit(to_json(extended));
}

}  // namespace

void add_extend(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "extend", "Put plug-in methods (YaRN, Self-Extend, log-n, ...) into a trained run",
                                  "lengthwise-cli extend demo:rope frequency=yarn --set frequency.factor=8");
    command->add_option("run", options->run, "Run: id, title or folder")->required();
    command->add_option("methods", options->methods, "SLOT=METHOD, several allowed; SLOT=none takes a plug-in out");
    command->add_option("--set", options->sets, "A parameter of a slot, or its method; may be repeated")->take_all()->type_name(kSlotSettingForm)->allow_extra_args(false);
    command->add_option("--name", options->name, "Title of the extended run");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
