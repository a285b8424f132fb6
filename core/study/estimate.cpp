/// Time and memory of what is left of a study, by arithmetic.
#include "core/api/doctor.h"
#include "core/device/device.h"
#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/study/cells.h"

namespace lw {

namespace {

/// As for training: the part of one large product's speed that the many small ones of a model reach.
constexpr double kMatrixSpeed = 0.6;

/// Operations of measuring: two for each weight and token, and four for each pair of tokens and channel.
double evaluation_operations(const StudyCell& cell, std::int64_t parameters) {
    const ModelSpec& model = cell.recipe.model;
    const auto width = static_cast<double>(model.heads * model.head_width);
    double operations = 0;
    for (const std::int64_t length : cell.recipe.evaluation.lengths) {
        const auto tokens = static_cast<double>(length * cell.recipe.evaluation.documents);
        operations += tokens * (2 * static_cast<double>(parameters) + 2 * static_cast<double>(length) * width * static_cast<double>(model.layers));
    }
    return operations;
}

struct CellCost {
    double seconds = 0;
    std::int64_t bytes = 0;
};

CellCost cost_of(const StudyCell& cell, const std::string& device) {
    if (cell.state == "finished" || cell.state == "failed" || cell.state == "diverged") return {};
    const TrainingEstimate training = estimate_training(cell.recipe, device).value();
    CellCost cost;
    const bool trains = cell.steps != 0 && cell.state != "trained";
    if (trains) cost.bytes = training.bytes;
    if (device != "cpu") return cost;  // only the processor's speed is known
    if (trains) cost.seconds += training.seconds_per_step * static_cast<double>(cell.recipe.training.steps - cell.step);
    cost.seconds += evaluation_operations(cell, training.parameters) / (machine_gflops() * 1e9 * kMatrixSpeed);
    return cost;
}

}  // namespace

Result<StudyEstimate> estimate_study(const StudyStatus& status, const std::string& device) {
    return guarded<StudyEstimate>([&] {
        StudyEstimate estimate;
        for (const StudyCell& cell : status.cells) {
            const CellCost cost = cost_of(cell, device);
            estimate.cell_seconds.push_back(cost.seconds);
            estimate.seconds += cost.seconds;
            if (cost.bytes <= estimate.bytes) continue;
            estimate.bytes = cost.bytes;
            estimate.largest = cell_line(cell);
        }
        estimate.bytes_available = device == "cpu" ? memory_use().available : free_gpu_memory(device);
        return estimate;
    });
}

}  // namespace lw
