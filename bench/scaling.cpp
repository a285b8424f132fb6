/// One point of a curve over length, H = 8, d = 32, DAPE with 32 hidden units, without gradients: the time of one kind of work, or the most memory
/// it takes beside what it is given. scripts/lib/scaling.py runs it for growing lengths, each in a process of its own, and fits the exponents.
///
/// Usage: lw_bench_scaling list                      cases with their titles
///        lw_bench_scaling CASE time|memory LENGTH   one JSON object

#include "bench/support.h"
#include "core/api/doctor.h"
#include "core/attention/attention.h"
#include "core/attention/part_tile.h"
#include "core/position/scheme.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace lw::bench {
namespace {

constexpr std::int64_t kHeads = 8, kWidth = 32;
constexpr std::int64_t kPixels = 512;        // of a map, along each side
constexpr std::int64_t kWarmUpLength = 256;
constexpr std::int64_t kLeast = 128, kMost = 1 << 20;  // lengths

using Work = std::function<void()>;

/// One layer of a preset with random queries, keys and values.
struct Layer {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;

    Layer(const std::string& preset, std::int64_t length) {
        SlotShape shape;
        shape.heads = shape.kv_heads = kHeads;
        shape.head_width = kWidth;
        shape.width = kHeads * kWidth;
        shape.train_length = kTrainLength;
        scheme = std::make_shared<PositionScheme>(check_scheme(find_scheme(preset).value()).value(), shape, 1);
        for (auto* x : {&inputs.q, &inputs.k, &inputs.v}) *x = at::randn({1, kHeads, length, kWidth});  // [1, H, T, d]
        inputs.query_positions = inputs.key_positions = at::arange(length, at::kDouble);
        inputs.length = length;
        inputs.train_length = kTrainLength;
    }
    [[nodiscard]] const LayerScheme& terms() const { return scheme->layer(0); }
};

Work attention(const std::string& preset, std::int64_t length) {
    const auto layer = std::make_shared<const Layer>(preset, length);
    return [layer] { attend(layer->terms(), layer->inputs); };
}

/// The whole map of one head, every cell computed. What a layer keeps for its maps is made the first time, as when a person opens it.
Work map(const std::string& preset, std::int64_t length) {
    const auto layer = std::make_shared<Layer>(preset, length);
    const auto normaliser = attend(layer->terms(), layer->inputs, true).log_normaliser;  // [1, H, T]
    layer->inputs.v = at::Tensor();
    const auto scores = std::make_shared<LayerScores>(scores_of(layer->terms(), layer->inputs, normaliser));
    TileRequest request;
    request.head = 0;
    request.part = ScorePart::probability;
    request.queries = request.keys = {0, length};
    request.max_rows = request.max_columns = kPixels;
    return [layer, scores, request] {
        if (!scores->reader) scores->reader = TileReader::of(scores->layer, scores->inputs, scores->log_normaliser);
        part_tile(*scores, request, [] {});
    };
}

struct Case {
    const char* id;
    const char* title;
    const char* preset;
    Work (*prepare)(const std::string& preset, std::int64_t length);
};

constexpr Case kCases[] = {
    {"attention-none", "attention, no bias", "nope", attention},
    {"attention-kerple", "attention, Kerple", "kerple-log", attention},
    {"attention-dape-kerple", "attention, DAPE-Kerple", "dape-kerple", attention},
    {"map-kerple", "exact map of a head, Kerple", "kerple-log", map},
    {"map-dape-kerple", "exact map of a head, DAPE-Kerple", "dape-kerple", map},
};

double seconds_of(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Least of some rounds, by the clock and of processor time: other work on the machine lengthens the second less.
std::string timed(const Work& work) {
    constexpr int kLeastRounds = 3, kMostRounds = 60;
    constexpr double kEnough = 4;  // seconds
    double wall = std::numeric_limits<double>::infinity(), processor = wall;
    int rounds = 0;
    work();  // threads, pages and tables are there from now on
    const double begin = seconds_of(CLOCK_MONOTONIC);
    do {
        const double wall_before = seconds_of(CLOCK_MONOTONIC), processor_before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        work();
        wall = std::min(wall, seconds_of(CLOCK_MONOTONIC) - wall_before);
        processor = std::min(processor, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - processor_before);
        ++rounds;
    } while (rounds < kMostRounds && (rounds < kLeastRounds || seconds_of(CLOCK_MONOTONIC) - begin < kEnough));
    return fmt::format(R"("seconds": {:.9f}, "processor_seconds": {:.9f}, "rounds": {})", wall, processor, rounds);
}

/// Makes the kernel count the highest resident size from now on. Where it refuses, the count since the start stands in, which is never less.
bool forget_peak() {
    std::ofstream file("/proc/self/clear_refs");
    file << "5" << std::flush;
    return file.good();
}

/// The first run of a new process: nothing that an earlier run left behind can serve it. Freed blocks are given back before, because memory
/// that is kept for reuse would hide what the work takes.
std::string weighed(const Work& work) {
    malloc_trim(0);
    const bool fresh = forget_peak();
    const auto before = memory_use().resident;
    work();
    const auto extra = std::max<std::int64_t>(0, memory_use().peak - before);
    return fmt::format(R"("kept_bytes": {}, "extra_bytes": {}, "peak_reset": {})", before, extra, fresh);
}

int list() {
    for (const auto& c : kCases) fmt::print("{}\t{}\n", c.id, c.title);
    return 0;
}

int refuse(const std::string& sentence) {
    fmt::print(stderr, "{}\n", sentence);
    return 2;
}

int measure(const Case& c, const std::string& what, std::int64_t length) {
    const at::NoGradGuard no_gradient;
    at::manual_seed(1);
    c.prepare(c.preset, kWarmUpLength)();
    const auto work = c.prepare(c.preset, length);
    const auto result = what == "time" ? timed(work) : weighed(work);
    fmt::print(R"({{"case": "{}", "length": {}, "threads": {}, {}}})" "\n", c.id, length, at::get_num_threads(), result);
    return 0;
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.size() == 1 && arguments[0] == "list") return list();
    if (arguments.size() != 3) return refuse("Usage: lw_bench_scaling list, or lw_bench_scaling CASE time|memory LENGTH");
    const auto* found = std::find_if(std::begin(kCases), std::end(kCases), [&](const Case& c) { return arguments[0] == c.id; });
    if (found == std::end(kCases)) return refuse(fmt::format("There is no case \"{}\"; \"list\" shows those there are.", arguments[0]));
    if (arguments[1] != "time" && arguments[1] != "memory") return refuse(fmt::format("\"{}\" cannot be measured: choose time or memory.", arguments[1]));
    const auto length = std::strtoll(arguments[2].c_str(), nullptr, 10);
    if (length < kLeast || length > kMost) return refuse(fmt::format("The length {} is not between {} and {}.", arguments[2], kLeast, kMost));
    return measure(*found, arguments[1], length);
}

}  // namespace
}  // namespace lw::bench

int main(int argc, char** argv) {
    try {
        lw::initialise();
        return lw::bench::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
