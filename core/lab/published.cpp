/// Values that papers state, from resources/published.
#include "core/api/published.h"

#include "core/api/doctor.h"
#include "core/lab/guard.h"
#include "core/position/nearest.h"
#include "core/storage/atomic_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace lw {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

PublishedSeries series_from(const json& object) {
    PublishedSeries series{object.at("title").get<std::string>(), {}};
    for (const json& point : object.at("points")) series.points.push_back({point.at(0).get<std::int64_t>(), point.at(1).get<double>()});
    return series;
}

PublishedSet read_set(const fs::path& file) {
    try {
        const json root = json::parse(read_file(file));
        PublishedSet set{file.stem().string(), root.at("title"), root.at("source"), root.at("protocol"), root.at("certainty"), root.at("note"), {}, root.at("length").get<std::int64_t>()};
        for (const json& series : root.at("series")) set.series.push_back(series_from(series));
        return set;
    } catch (const json::exception& error) {
        throw Failure(ErrorKind::corrupt_file, fmt::format("The published values {} cannot be read: {}.", file.string(), error.what()));
    }
}

std::vector<fs::path> set_files() {
    std::vector<fs::path> files;
    std::error_code absent;
    for (const auto& entry : fs::directory_iterator(resource_folder() / "published", absent)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::vector<PublishedSet> published_sets() {
    std::vector<PublishedSet> sets;
    for (const fs::path& file : set_files()) {
        // One damaged file must not hide the others.
        const auto set = guarded<PublishedSet>([&] { return read_set(file); });
        if (set.ok() && !set.value().series.empty()) sets.push_back(set.value());
    }
    return sets;
}

Result<PublishedSet> published_set(const std::string& id) {
    return guarded<PublishedSet>([&] {
        std::vector<std::string> known;
        for (const fs::path& file : set_files()) {
            if (file.stem() == id) return read_set(file);
            known.push_back(file.stem().string());
        }
        throw Failure(ErrorKind::not_found, fmt::format("There is no set of published values \"{}\".{}", id, suggestion(id, known)));
    });
}

}  // namespace lw
