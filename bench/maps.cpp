/// Latency of map tiles of the first demo model: what a person waits for when a head is opened or the map is moved.

#include "bench/support.h"
#include "core/api/maps.h"
#include "core/api/runs.h"

#include <benchmark/benchmark.h>

#include <algorithm>

namespace lw::bench {
namespace {

std::shared_ptr<MapSession> session_of(const std::string& scheme, std::int64_t length) {
    const auto runs = demo_runs();
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& r) {
        return r.recipe.scheme.name == scheme && !r.recipe.data.source.starts_with("task:");  // examples of a task are short
    });
    if (found == runs.end()) return nullptr;
    MapsRequest request{found->folder, -1, {}};
    request.text.length = length;
    auto session = open_maps(request);
    return session.ok() ? session.value() : nullptr;
}

void map_tile(benchmark::State& state, const std::string& scheme, ScorePart part, std::int64_t cells, bool sampled) {
    const auto session = session_of(scheme, state.range(0));
    if (session == nullptr) {
        state.SkipWithError("no demo model of this scheme, or no text of this length");
        return;
    }
    TileRequest request;
    request.head = 0;
    request.part = part;
    request.sampled = sampled;
    request.queries = request.keys = {0, std::min(cells, session->info().length)};
    for ([[maybe_unused]] auto tile : state) benchmark::DoNotOptimize(session->tiles(request));
}

/// The same cells cut into tiles of one shape: what squares cost beside stripes. range(1) x range(2) cells a tile, over a 4,096 x 4,096 corner.
void tile_shape(benchmark::State& state, const std::string& scheme, ScorePart part) {
    constexpr std::int64_t kSide = 4096;
    const auto session = session_of(scheme, state.range(0));
    if (session == nullptr) {
        state.SkipWithError("no demo model of this scheme, or no text of this length");
        return;
    }
    const auto length = session->info().length;
    TileRequest request;
    request.part = part;
    request.max_rows = std::max<std::int64_t>(1, state.range(1) / 8);
    request.max_columns = std::max<std::int64_t>(1, state.range(2) / 8);
    for ([[maybe_unused]] auto round : state) {
        for (auto row = length - kSide; row < length; row += state.range(1)) {
            for (std::int64_t column = 0; column < kSide; column += state.range(2)) {
                request.queries = {row, row + state.range(1)};
                request.keys = {column, column + state.range(2)};
                benchmark::DoNotOptimize(session->tiles(request));
            }
        }
    }
    state.counters["ns_per_cell"] = benchmark::Counter(static_cast<double>(kSide * kSide), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void shapes(benchmark::internal::Benchmark* bench) {
    for (const std::int64_t side : {64, 128, 256, 512, 1024, 4096}) bench->Args({8192, side, side});
    for (const std::int64_t rows : {8, 16, 64, 128}) bench->Args({8192, rows, 4096});  // stripes of about the cells of a square
    bench->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK_CAPTURE(tile_shape, kerple, "Kerple", ScorePart::probability)->Apply(shapes);
BENCHMARK_CAPTURE(tile_shape, dape_kerple, "DAPE-Kerple", ScorePart::probability)->Apply(shapes);

/// Eight head maps from the kept q and k to their exact picture, through the tile service.
void head_maps(benchmark::State& state, const std::string& scheme) {
    const auto session = session_of(scheme, state.range(0));
    if (session == nullptr) {
        state.SkipWithError("no demo model of this scheme, or no text of this length");
        return;
    }
    session->set_tile_budget(0);  // every round computes
    TileRequest request;
    request.queries = request.keys = {0, session->info().length};
    for ([[maybe_unused]] auto round : state) benchmark::DoNotOptimize(session->view(request, [](const std::vector<MapTile>&) {}));
}
BENCHMARK_CAPTURE(head_maps, kerple, "Kerple")->Arg(8192)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(head_maps, dape_kerple, "DAPE-Kerple")->Arg(8192)->Unit(benchmark::kMillisecond)->UseRealTime()->MeasureProcessCPUTime();

BENCHMARK_CAPTURE(map_tile, kerple_whole_map_coarse, "Kerple", ScorePart::probability, 16384, true)
    ->RangeMultiplier(4)->Range(512, 8192)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(map_tile, kerple_whole_map_exact, "Kerple", ScorePart::probability, 16384, false)
    ->RangeMultiplier(4)->Range(512, 8192)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(map_tile, dape_kerple_512_square, "DAPE-Kerple", ScorePart::adaptive, 512, false)
    ->RangeMultiplier(4)->Range(512, 8192)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(map_tile, dape_kerple_whole_map_coarse, "DAPE-Kerple", ScorePart::adaptive, 16384, true)
    ->RangeMultiplier(4)->Range(512, 8192)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace lw::bench
