/// probe: computes the cases of files of independent numbers, and says how far they are from what the files expect.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "core/api/probe.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw::cli {
namespace {

struct Options {
    std::vector<std::string> files;
    bool verbose = false;
};

Json to_json(const ProbeValue& value) {
    Json out{{"key", value.key}, {"holds", value.holds}, {"compared", value.compared}, {"deviation", nullptr}, {"computed", nullptr}};
    if (value.compared > 0) out["deviation"] = value.deviation;
    if (!value.computed.empty()) out["computed"] = Json::parse(value.computed);
    if (!value.reason.empty()) out["reason"] = value.reason;
    return out;
}

Json to_json(const ProbeCase& one) {
    Json values = Json::array();
    for (const auto& value : one.values) values.push_back(to_json(value));
    Json out{{"id", one.id}, {"method", one.method}, {"status", probe_status_name(one.status)}, {"values", values}};
    if (!one.reason.empty()) out["reason"] = one.reason;
    if (!one.not_read.empty()) out["not_read"] = one.not_read;
    return out;
}

Json to_json(const ProbeReport& report) {
    Json cases = Json::array();
    for (const auto& one : report.cases) cases.push_back(to_json(one));
    Json counts;
    for (const auto status : {ProbeStatus::holds, ProbeStatus::deviates, ProbeStatus::unknown, ProbeStatus::computed}) {
        counts[probe_status_name(status)] = report.count(status);
    }
    return {{"file", report.file}, {"group", report.group}, {"counts", counts}, {"cases", cases}};
}

/// As much of a value as fits a line.
std::string shortened(const std::string& computed) {
    constexpr std::size_t kWidth = 72;
    return computed.size() <= kWidth ? computed : computed.substr(0, kWidth) + "…";
}

std::string value_line(const ProbeValue& value) {
    if (value.computed.empty()) return fmt::format("    {}: not computed, {}\n", value.key, value.reason);
    std::string line = fmt::format("    {}: ", value.key);
    if (value.compared > 0) line += fmt::format("{}, largest deviation {:.3g} among {} numbers", value.holds ? "holds" : "DEVIATES", value.deviation, value.compared);
    else line += "nothing to compare";
    if (!value.holds) line += fmt::format("; {}", value.reason);
    return line + fmt::format("\n      {}\n", shortened(value.computed));
}

std::string case_text(const ProbeCase& one) {
    std::string text = fmt::format("  {}: {}\n", one.id, probe_status_name(one.status));
    if (!one.reason.empty()) text += fmt::format("    {}\n", one.reason);
    for (const auto& value : one.values) text += value_line(value);
    if (!one.not_read.empty()) text += fmt::format("    not read: {}\n", fmt::join(one.not_read, ", "));
    return text;
}

std::string summary(const ProbeReport& report) {
    std::string text = fmt::format("{} ({}): {} cases hold, {} deviate, {} unknown", report.file, report.group, report.count(ProbeStatus::holds),
                                   report.count(ProbeStatus::deviates), report.count(ProbeStatus::unknown));
    if (const auto computed = report.count(ProbeStatus::computed); computed > 0) text += fmt::format(", {} expect nothing", computed);
    const auto lacking = std::count_if(report.cases.begin(), report.cases.end(), [](const ProbeCase& one) {
        return std::any_of(one.values.begin(), one.values.end(), [](const ProbeValue& value) { return value.computed.empty(); });
    });
    if (lacking > 0) text += fmt::format(", {} expect numbers that are not computed", lacking);
    const auto unread = std::count_if(report.cases.begin(), report.cases.end(), [](const ProbeCase& one) { return !one.not_read.empty(); });
    if (unread > 0) text += fmt::format(", {} give what is not read", unread);
    return text + "\n";
}

/// Cases that hold are many and say little, but for what they give in vain; those that expect nothing were asked for their values.
bool is_shown(const ProbeCase& one, bool verbose, bool quiet) {
    if (quiet) return one.status == ProbeStatus::deviates;
    return verbose || one.status != ProbeStatus::holds || !one.not_read.empty();
}

void run(Shell& shell, const Options& options) {
    Json documents = Json::array();
    std::int64_t deviating = 0, computed = 0;
    for (const auto& file : options.files) {
        const auto report = need(probe_file(file));
        deviating += report.count(ProbeStatus::deviates);
        computed += report.count(ProbeStatus::holds) + report.count(ProbeStatus::computed);
        shell.print(summary(report));
        for (const auto& one : report.cases) {
            if (is_shown(one, options.verbose, shell.quiet)) shell.print(case_text(one));
        }
        documents.push_back(to_json(report));
    }
    shell.emit(documents);
    // Files of which nothing is known must not look like ones that hold.
    if (deviating == 0 && computed == 0) shell.print("Nothing was compared: no case of these files is known. docs/probe.md lists the groups and methods.\n");
    if (deviating > 0) shell.end_with(ExitCode::deviates);
}

}  // namespace

void add_probe(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "probe", "Compute the cases of files of independent numbers and compare",
                                  "lengthwise-cli probe tests/golden/*.json --json > computed.json");
    command->add_option("files", options->files, "JSON files in the format of docs/probe.md")->required();
    command->add_flag("--verbose", options->verbose, "Also the values of the cases that hold");
    shell.on_run(command, [&shell, options] { run(shell, *options); });
}

}  // namespace lw::cli
