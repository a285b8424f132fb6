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
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RunInfo& r) { return r.recipe.scheme.name == scheme; });
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
