#include "app/cli/maps_pan.h"

#include "app/cli/checks.h"
#include "app/cli/text.h"
#include "app/cli/values.h"
#include "core/api/doctor.h"
#include "core/api/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace lw::cli {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// A place to look at.
struct Step {
    std::string move;
    CellRange queries, keys;
};

/// What one view cost.
struct Timing {
    Step step;
    double cells_per_pixel = 0;
    double first_ms = NAN;         ///< to the first picture
    double first_exact_share = 0;  ///< of the first picture
    double exact_ms = NAN;         ///< to the exact picture; none where the view moved on before
    double stop_ms = NAN;          ///< from being told to stop to standing still
    double processor_ms = 0;       ///< of all threads, for the whole view: what a busy machine does not change much
    std::int64_t pictures = 0, computed = 0, reused = 0, tile_bytes = 0, peak_bytes = 0;
};

CellRange around(double middle, std::int64_t size, std::int64_t length) {
    const auto begin = std::clamp<std::int64_t>(std::llround(middle) - size / 2, 0, length - size);
    return {begin, begin + size};
}

/// In along the diagonal from the whole map until a pixel is a cell, from side to side there, and out again the same way.
std::vector<Step> tour(std::int64_t length, std::int64_t pixels, std::int64_t views) {
    std::vector<Step> in;
    const auto middle = 0.7 * static_cast<double>(length);
    for (auto size = length; ; size /= 2) {
        size = std::max(size, std::min(pixels, length));
        in.push_back({in.empty() ? "whole map" : "zoom in", around(middle, size, length), around(middle - 0.2 * static_cast<double>(size), size, length)});
        if (size <= pixels) break;
    }
    auto steps = in;
    // At a middling zoom one pans as often as the number of views allows, half of it there and half of it back.
    const auto& from = in[in.size() / 2];
    const auto size = from.keys.size();
    const auto pans = std::max<std::int64_t>(1, (views - 2 * static_cast<std::int64_t>(in.size()) + 1) / 2);
    std::vector<Step> there;
    for (std::int64_t n = 1; n <= pans; ++n) {
        const auto shift = n * size / 8;
        there.push_back({"pan left and up", around(0.5 * static_cast<double>(from.queries.begin + from.queries.end - shift), size, length),
                         around(0.5 * static_cast<double>(from.keys.begin + from.keys.end) - static_cast<double>(shift), size, length)});
    }
    for (const auto& step : there) steps.push_back(step);
    for (auto step = there.rbegin(); step != there.rend(); ++step) steps.push_back({"pan back", step->queries, step->keys});
    for (auto step = in.rbegin(); step != in.rend(); ++step) steps.push_back({step + 1 == in.rend() ? "whole map again" : "zoom out", step->queries, step->keys});
    return steps;
}

/// Asks for a stop after so many seconds, unless it is destroyed before.
class Alarm {
public:
    Alarm(std::stop_source source, double seconds) {
        if (seconds <= 0) return;
        thread_ = std::jthread([this, source, seconds](const std::stop_token& called_off) mutable {
            std::unique_lock lock(mutex_);
            wake_.wait_for(lock, called_off, std::chrono::duration<double>(seconds), [] { return false; });
            if (called_off.stop_requested()) return;
            rang_ = Clock::now();
            source.request_stop();
        });
    }
    /// When it rang; nothing when it did not.
    std::optional<Clock::time_point> rang() {
        if (thread_.joinable()) {
            thread_.request_stop();
            thread_.join();
        }
        return rang_;
    }

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::optional<Clock::time_point> rang_;
    std::jthread thread_;
};

Timing look(MapSession& session, const TileRequest& request, const Step& step, double dwell, const RunContext& outer) {
    Timing timing{.step = step};
    std::stop_source stop;
    const std::stop_callback passed_on(outer.stop, [&] { stop.request_stop(); });
    RunContext context = outer;
    context.stop = stop.get_token();
    const auto before = session.tile_use();
    const auto worked = std::clock();
    const auto begin = Clock::now();
    Alarm alarm(stop, dwell);
    const auto status = session.view(request, [&](const std::vector<MapTile>& pictures) {
        const auto now = milliseconds(Clock::now() - begin);
        const MapTile& picture = pictures.front();
        if (++timing.pictures == 1) {
            timing.first_ms = now;
            timing.first_exact_share = picture.exact_share;
        }
        if (!picture.sampled) timing.exact_ms = now;
        timing.cells_per_pixel = picture.cells_per_row;
    }, context);
    const auto end = Clock::now();
    const auto rang = alarm.rang();
    if (!status.ok() && (status.error().kind != ErrorKind::cancelled || outer.stopping())) throw Failure(status.error().kind, status.error().message);
    if (!status.ok() && rang) timing.stop_ms = milliseconds(end - *rang);
    timing.processor_ms = 1e3 * static_cast<double>(std::clock() - worked) / CLOCKS_PER_SEC;
    const auto after = session.tile_use();
    timing.computed = after.computed - before.computed;
    timing.reused = after.reused - before.reused;
    timing.tile_bytes = after.bytes;
    timing.peak_bytes = memory_use().peak;
    return timing;
}

Json json_of(const Timing& t) {
    const auto number = [](double value) { return std::isnan(value) ? Json() : Json(value); };
    return {{"move", t.step.move}, {"queries", {t.step.queries.begin, t.step.queries.end}}, {"keys", {t.step.keys.begin, t.step.keys.end}},
            {"cells_per_pixel", t.cells_per_pixel}, {"first_picture_ms", number(t.first_ms)}, {"first_exact_share", t.first_exact_share},
            {"exact_ms", number(t.exact_ms)}, {"stop_ms", number(t.stop_ms)}, {"processor_ms", t.processor_ms}, {"pictures", t.pictures}, {"tiles_computed", t.computed},
            {"tiles_reused", t.reused}, {"tile_bytes", t.tile_bytes}, {"peak_bytes", t.peak_bytes}};
}

std::string csv_of(const std::vector<Timing>& timings) {
    std::string text = "move,query_begin,query_end,key_begin,key_end,cells_per_pixel,first_picture_ms,first_exact_share,exact_ms,stop_ms,processor_ms,pictures,"
                       "tiles_computed,tiles_reused,tile_bytes,peak_bytes\n";
    const auto number = [](double value) { return std::isnan(value) ? std::string() : fmt::format("{:.3f}", value); };
    for (const auto& t : timings) {
        text += fmt::format("{},{},{},{},{},{},{},{:.4f},{},{},{:.3f},{},{},{},{},{}\n", t.step.move, t.step.queries.begin, t.step.queries.end, t.step.keys.begin,
                            t.step.keys.end, t.cells_per_pixel, number(t.first_ms), t.first_exact_share, number(t.exact_ms), number(t.stop_ms), t.processor_ms, t.pictures,
                            t.computed, t.reused, t.tile_bytes, t.peak_bytes);
    }
    return text;
}

std::string table_of(const std::vector<Timing>& timings) {
    Table table({"move", "queries", "keys", "cells per pixel", "first picture ms", "exact ms", "stopped in ms", "processor ms", "tiles made", "reused"});
    for (const auto& t : timings) {
        const auto range = [](const CellRange& r) { return fmt::format("{}:{}", r.begin, r.end); };
        table.add({t.step.move, range(t.step.queries), range(t.step.keys), compact(t.cells_per_pixel), compact(t.first_ms), compact(t.exact_ms), compact(t.stop_ms), compact(t.processor_ms),
                   std::to_string(t.computed), std::to_string(t.reused)});
    }
    return table.text();
}

void write_log(const std::string& file, const std::vector<Timing>& timings, const Json& document) {
    make_parent_folder(file);
    const bool csv = CLI::detail::to_lower(file).ends_with(".csv");
    need(write_text_file(file, csv ? csv_of(timings) : document.dump(1) + "\n"));
}

}  // namespace

void add_pan_options(CLI::App* command, PanOptions& options) {
    command->add_flag("--pan", options.pan, "Instead: move over the map, in, across and out again, and log the time to each first and exact picture");
    command->add_option("--views", options.views, "With --pan: about so many views")->check(whole_number_check(1, 100'000))->capture_default_str();
    command->add_option("--dwell", options.dwell, "With --pan: seconds at each view before it moves on, finished or not; 0 = until it is exact")->check(number_check(0, 3600))->capture_default_str();
    command->add_option("--log", options.log, "With --pan: file for the times, .csv or .json")->check(output_check({".csv", ".json"}));
}

namespace {

Json document_of(const MapSession& session, const TileRequest& request, const std::vector<Timing>& timings, double opening_seconds) {
    Json views = Json::array();
    for (const auto& timing : timings) views.push_back(json_of(timing));
    const auto& info = session.info();
    const auto use = session.tile_use();
    return {{"run", info.run_title}, {"step", info.step}, {"text", info.text.title}, {"length", info.length}, {"layer", request.layer}, {"head", request.head},
            {"part", score_part_name(request.part)}, {"reducer", reducer_name(request.reducer)}, {"opening_seconds", opening_seconds}, {"tile_budget", use.budget},
            {"tile_bytes", use.bytes}, {"tiles_dropped", use.dropped}, {"peak_bytes", memory_use().peak}, {"views", views}};
}

std::string report_of(const MapSession& session, const TileRequest& request, const std::vector<Timing>& timings, double opening_seconds) {
    const auto& info = session.info();
    const auto use = session.tile_use();
    return fmt::format("{}, {} tokens, {} of layer {}, {}; opened in {:.1f} s\n\n{}\ntiles kept: {} in {} of at most {}, {} dropped; peak memory {}\n", info.run_title,
                       grouped(info.length), score_part_name(request.part), request.layer, request.head < 0 ? "all heads" : fmt::format("head {}", request.head),
                       opening_seconds, table_of(timings), grouped(use.tiles), byte_size(use.bytes), byte_size(use.budget), grouped(use.dropped),
                       byte_size(memory_use().peak));
}

}  // namespace

void pan_map(Shell& shell, MapSession& session, const TileSelection& tile, const PanOptions& options, double opening_seconds) {
    const auto length = session.info().length;
    auto request = tile_request(tile, length);
    const auto context = shell.context();
    std::vector<Timing> timings;
    for (const auto& step : tour(length, std::min(tile.size, length), options.views)) {
        request.queries = step.queries;
        request.keys = step.keys;
        timings.push_back(look(session, request, step, options.dwell, context));
    }
    const auto document = document_of(session, request, timings, opening_seconds);
    shell.print(report_of(session, request, timings, opening_seconds));
    if (!options.log.empty()) {
        write_log(options.log, timings, document);
        shell.print(options.log + "\n");
    }
    shell.emit(document);
}

}  // namespace lw::cli
