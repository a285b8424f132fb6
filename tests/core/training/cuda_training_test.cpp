/// Training, evaluation, maps and sampling on a GPU.
#include "tests/support/catch_torch.h"

#include "core/api/evaluation.h"
#include "tests/core/training/tiny_run.h"
#include "tests/support/gpu.h"

#include <cmath>

using namespace lw;

namespace {

RunContext on_gpu() {
    RunContext context;
    context.device = "cuda";
    return context;
}

RunInfo trained(const TinyLaboratory& lab, const std::string& scheme, const std::string& precision = "fp32") {
    auto recipe = lab.recipe(scheme);
    recipe.training.steps = 40;
    recipe.training.precision = precision;
    return train(recipe, lab.workspace, on_gpu()).value();
}

}  // namespace

TEST_CASE("training on a GPU learns, with float32 and with bf16", "[training][cuda]") {
    LW_NEEDS_GPU
    const TinyLaboratory lab;
    for (const auto* scheme : {"rope", "kerple-log", "fire", "dape-kerple", "dape-v2-kerple"}) {
        for (const auto* precision : {"fp32", "bf16"}) {
            CAPTURE(scheme, precision);
            const auto run = trained(lab, scheme, precision);
            CHECK(run.status == "finished");
            const auto log = read_log(run.folder).value();
            CHECK(log.back().loss < log.front().loss - 0.5);
        }
    }
}

TEST_CASE("a run resumed on a GPU goes on from its own state", "[training][cuda]") {
    LW_NEEDS_GPU
    const TinyLaboratory lab;
    const auto recipe = lab.recipe("kerple-log");
    const auto whole = train(recipe, lab.workspace, on_gpu()).value();
    const StopAt stop(3);
    auto context = stop.context();
    context.device = "cuda";
    const auto half = train(recipe, lab.workspace, context).value();
    REQUIRE(half.status == "stopped");
    const auto resumed = resume(half.folder, on_gpu()).value();
    CHECK(resumed.status == "finished");
    CHECK(resumed.best_loss == Approx(whole.best_loss).epsilon(1e-4));  // a GPU's sums have no fixed order
}

TEST_CASE("evaluation and maps on a GPU give the CPU's numbers", "[training][cuda]") {
    LW_NEEDS_GPU
    const TinyLaboratory lab;
    for (const auto* scheme : {"rope", "alibi", "fire", "dape-kerple", "dape-v2-kerple"}) {
        CAPTURE(scheme);
        const auto run = trained(lab, scheme);
        EvaluationSpec spec;
        spec.lengths = {32, 128, 512};
        const auto cpu = evaluate(run.folder, spec).value(), gpu = evaluate(run.folder, spec, -1, on_gpu()).value();
        REQUIRE(cpu.points.size() == gpu.points.size());
        for (std::size_t n = 0; n < cpu.points.size(); ++n) CHECK(gpu.points[n].loss == Approx(cpu.points[n].loss).epsilon(1e-4));

        MapsRequest request;
        request.run = run.folder;
        request.text.text = std::string(100, 'a') + "The red boat stands by the water.";
        const auto on_cpu = open_maps(request).value(), on_device = open_maps(request, on_gpu()).value();
        TileRequest tile;
        tile.queries = tile.keys = {0, on_cpu->info().length};
        for (const auto part : on_cpu->info().parts) {
            tile.part = part;
            const auto a = on_cpu->tiles(tile).value(), b = on_device->tiles(tile).value();
            REQUIRE(a.size() == b.size());
            double largest = 0;
            for (std::size_t head = 0; head < a.size(); ++head) {
                for (std::size_t i = 0; i < a[head].values.size(); ++i) {
                    REQUIRE(std::isnan(a[head].values[i]) == std::isnan(b[head].values[i]));
                    if (!std::isnan(a[head].values[i])) largest = std::max(largest, std::abs(static_cast<double>(a[head].values[i] - b[head].values[i])));
                }
            }
            CAPTURE(score_part_name(part));
            CHECK(largest < 1e-3);
        }
    }
}

TEST_CASE("greedy text from a GPU is the CPU's", "[training][cuda]") {
    LW_NEEDS_GPU
    const TinyLaboratory lab;
    const auto run = trained(lab, "dape-kerple");
    GenerateRequest request;
    request.run = run.folder;
    request.prompt = "The red";
    request.tokens = 40;
    request.temperature = 0;
    CHECK(generate(request, on_gpu()).value().text == generate(request).value().text);
}
