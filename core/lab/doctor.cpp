/// doctor(): what this machine is, what was found, what is missing and what to do about it.

#include "core/api/doctor.h"
#include "core/api/maps.h"
#include "core/api/runs.h"
#include "core/api/text.h"
#include "core/attention/cuda_library.h"
#include "core/device/device.h"
#include "core/device/waiting/waiting.h"
#include "core/lab/guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

namespace lw {
namespace {

std::string gigabytes(std::int64_t bytes) { return fmt::format("{:.1f} GB", static_cast<double>(bytes) / 1e9); }

void describe_machine(DoctorReport& report) {
    const auto memory = memory_use();
    report.lines.push_back({"Lengthwise", LW_VERSION, "ok", ""});
    report.lines.push_back({"LibTorch", torch_version(), "ok", ""});
    report.lines.push_back({"Processor", fmt::format("{}, {} cores, {}", cpu_name(), std::thread::hardware_concurrency(), vector_instructions()),
                            "ok", ""});
    report.lines.push_back({"Threads", fmt::format("{}, {}", thread_count(), lw_waiting_is_short() ? "asleep soon while they wait for each other" : "waiting as OMP_WAIT_POLICY or GOMP_SPINCOUNT say"), "ok", ""});
    const bool little = memory.available < 1'500'000'000;
    report.lines.push_back({"Memory", fmt::format("{} free of {}", gigabytes(memory.available), gigabytes(memory.total)), little ? "note" : "ok",
                            little ? "Training a small model takes about 1.5 GB; close other programs." : ""});
}

void describe_tiles(DoctorReport& report) {
    report.lines.push_back({"Map tiles", fmt::format("up to {} kept for each opened text", gigabytes(default_tile_bytes())), "ok", ""});
}

void describe_gpu(DoctorReport& report) {
    const auto& state = cuda_state();
    for (const auto& device : usable_devices()) report.devices.push_back(device.id);
    if (state.devices.empty()) {
        report.lines.push_back({"GPU", "none in use", state.driver ? "missing" : "note", state.note});
        return;
    }
    for (const auto& device : state.devices) {
        report.lines.push_back({"GPU " + device.id, fmt::format("{}, {}", device.name, gigabytes(device.memory)), "ok", ""});
    }
    // Asked of the very loader that attention uses: a library it refuses must not be called loaded.
    const bool kernels = cuda_library().loaded();
    report.lines.push_back({"Fused GPU kernels", kernels ? "loaded" : "not loaded", kernels ? "ok" : "note",
                            kernels ? "" : cuda_library().why_not() + "; until then the GPU runs the general paths."});
}

void describe_speed(DoctorReport& report, bool measure) {
    if (!measure) {
        report.lines.push_back({"Matrix products", blas_name(), "ok", ""});
        return;
    }
    const int threads = thread_count();
    report.gflops_one_thread = measure_gflops(1);
    report.gflops_all_threads = threads > 1 ? measure_gflops(threads) : report.gflops_one_thread;
    const bool slower = report.gflops_all_threads < 0.9 * report.gflops_one_thread;
    const std::string all = threads > 1 ? fmt::format(", {:.0f} with {}", report.gflops_all_threads, threads) : "";
    report.lines.push_back({"Matrix products", fmt::format("{}, {:.0f} GFLOP/s with 1 thread{}", blas_name(), report.gflops_one_thread, all),
                            slower ? "note" : "ok", slower ? "More threads are slower here: other programs use the cores." : ""});
}

/// A folder that can be written to, or the first existing one above it can.
bool writable(std::filesystem::path folder) {
    std::error_code error;
    while (!folder.empty() && !std::filesystem::exists(folder, error) && folder != folder.parent_path()) folder = folder.parent_path();
    return access(folder.c_str(), W_OK) == 0;
}

void describe_folders(DoctorReport& report) {
    const auto resources = resource_folder();
    const bool there = std::filesystem::is_directory(resources / "schemes");
    report.lines.push_back({"Resources", resources.string(), there ? "ok" : "missing",
                            there ? "" : "The presets and demo models are not there; set LENGTHWISE_RESOURCES to the folder that holds them."});
    const auto workspace = default_workspace();
    const bool can_write = writable(workspace);
    report.lines.push_back({"Workspace", workspace.string(), can_write ? "ok" : "missing",
                            can_write ? "" : "This folder cannot be written to; choose another one with --workspace."});
    const auto space = std::filesystem::space(std::filesystem::exists(workspace) ? workspace : std::filesystem::temp_directory_path());
    const auto free = static_cast<std::int64_t>(space.available);
    report.lines.push_back({"Disk", gigabytes(free) + " free", free < 1'000'000'000 ? "note" : "ok",
                            free < 1'000'000'000 ? "Checkpoints of a small run take some 10 MB each; make room." : ""});
}

void describe_texts(DoctorReport& report) {
    const auto demos = demo_runs().size();
    report.lines.push_back({"Demo models", std::to_string(demos), demos > 0 ? "ok" : "missing",
                            demos > 0 ? "" : "Train them with scripts/train_demo_models."});
    std::string fetched;
    std::string absent;
    for (const auto& corpus : corpora()) {
        if (corpus.bundled) continue;
        std::string& list = corpus.fetched ? fetched : absent;
        list += (list.empty() ? "" : ", ") + corpus.id;
    }
    report.lines.push_back({"Corpora", fetched.empty() ? "none fetched" : fetched, fetched.empty() ? "missing" : "ok",
                            absent.empty() ? "" : "More: lengthwise-cli corpus fetch NAME (" + absent + ")"});
}

void describe_warnings(DoctorReport& report) {
    for (const auto& warning : library_warnings()) report.lines.push_back({"LibTorch warned", warning, "note", ""});
}

}  // namespace

Result<DoctorReport> doctor(bool measure_speed) {
    return guarded<DoctorReport>([&] {
        DoctorReport report;
        describe_machine(report);
        describe_tiles(report);
        describe_gpu(report);
        describe_speed(report, measure_speed);
        describe_folders(report);
        describe_texts(report);
        describe_warnings(report);
        return report;
    });
}

}  // namespace lw
