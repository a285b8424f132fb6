/// doctor: versions, devices, measured speed, what is missing and what to do.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "core/api/doctor.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

void run(Shell& shell, bool measure) {
    const auto report = need(doctor(measure));
    Json lines = Json::array();
    std::string text;
    for (const auto& line : report.lines) {
        lines.push_back({{"topic", line.topic}, {"value", line.value}, {"status", line.status}, {"advice", line.advice}});
        const char* mark = line.status == "ok" ? "ok      " : line.status == "missing" ? "missing " : "note    ";
        text += fmt::format("{} {:<22} {}\n", mark, line.topic, line.value);
        if (!line.advice.empty()) text += fmt::format("{:<32}{}\n", "", line.advice);
    }
    shell.print(text);
    Json document = {{"lines", lines}, {"devices", report.devices}};
    if (measure) {
        document["gflops_one_thread"] = report.gflops_one_thread;
        document["gflops_all_threads"] = report.gflops_all_threads;
    }
    shell.emit(document);
}

}  // namespace

void add_doctor(CLI::App& app, Shell& shell) {
    auto* command = shell.command(app, "doctor", "Look at this machine: versions, devices, speed, what is missing", "lengthwise-cli doctor");
    auto quick = std::make_shared<bool>(false);
    command->add_flag("--no-speed", *quick, "Do not measure the speed");
    shell.on_run(command, [&shell, quick] { run(shell, !*quick); });
}

}  // namespace lw::cli
