/// See encoding_maps.h. What is read out is in encoding_map_readings.cpp.
#include "ui/plot/encoding_maps.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace lw::ui {

namespace {

using Values = std::vector<double>;

QString translate(const char* text) { return QCoreApplication::translate("Encodings", text); }

std::vector<float> floats(const Values& values) {
    std::vector<float> made;
    made.reserve(values.size());
    for (const double value : values) made.push_back(static_cast<float>(value));
    return made;
}

/// Rows at the places of the text, columns the same places or `pairs` of them, each its own.
QuantityMap placed(const Values& values, const std::vector<std::int64_t>& places, std::int64_t pairs = 0) {
    QuantityMap map;
    const auto count = static_cast<std::int64_t>(places.size());
    const std::int64_t columns = pairs > 0 ? pairs : count;
    if (count == 0 || static_cast<std::int64_t>(values.size()) != count * columns) return map;
    map.rows = map.columns = places;
    if (pairs > 0) {
        map.columns.clear();
        for (std::int64_t m = 0; m < pairs; ++m) map.columns.push_back(m);
    }
    lw::MapTile& tile = map.tile;
    tile.queries = {0, places.back() + 1};
    tile.keys = pairs > 0 ? lw::CellRange{0, pairs} : tile.queries;
    tile.rows = count;
    tile.columns = columns;
    tile.values = floats(values);
    tile.cells_per_row = static_cast<double>(tile.queries.size()) / static_cast<double>(count);
    tile.cells_per_column = static_cast<double>(tile.keys.size()) / static_cast<double>(columns);
    tile.sampled = tile.cells_per_row > 1;
    map.squareCells = pairs == 0;
    return map;
}

QuantityMap ofDistance(const Values& values, const lw::EncodingPreview& preview, const QString& title, const char* name) {
    QuantityMap map = placed(values, preview.map_index);
    map.title = title;
    map.name = name;
    map.unit = translate("tokens");
    map.rowTitle = translate("query position i (tokens)");
    map.columnTitle = translate("key position j (tokens)");
    return map;
}

QuantityMap ofWave(const Values& values, const lw::EncodingPreview& preview, const QString& title, const char* name) {
    QuantityMap map = placed(values, preview.map_index, static_cast<std::int64_t>(preview.frequency.size()));
    map.title = title;
    map.name = name;
    map.unit = translate("cos(p θ)");
    map.rowTitle = translate("position p (tokens)");
    map.columnTitle = translate("rotated pair");
    map.scale = {ColourMapId::blueRed, -1, 1, false};
    return map;
}

/// Alike where both are hidden, too.
bool differ(const Values& a, const Values& b) {
    return a.size() == b.size() && !std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

Values minus(const Values& a, const Values& b) {
    Values gap(a.size());
    std::transform(a.begin(), a.end(), b.begin(), gap.begin(), std::minus<>());
    return gap;
}

ColourScale differenceScale(const std::vector<float>& values) {
    const ValueSpread spread = valueSpread(values);
    const double most = std::max(std::abs(spread.low), std::abs(spread.high));
    const double limit = most > 0 ? niceCeiling(most) : 1;
    return {ColourMapId::blueRed, -limit, limit, false};
}

/// Distances of the scheme and of its plain form on one scale: where the colour changes, the distance does.
ColourScale distanceScale(const ShownScheme& scheme, bool logarithmic) {
    double most = 2;
    const auto include = [&most](const Values& values) {
        for (const double value : values)
            if (std::isfinite(value)) most = std::max(most, value);
    };
    include(scheme.preview.distance_map);
    if (scheme.plain) include(scheme.plain->distance_map);
    return {ColourMapId::night, logarithmic ? 1.0 : 0.0, most, logarithmic};
}

/// Bias of a head at ascending used distances.
using Samples = std::vector<std::pair<double, double>>;

Samples biasSamples(const lw::EncodingPreview& p, std::int64_t head) {
    Samples samples;
    if (p.bias.empty() || p.effective_distance.size() > 1) return samples;
    const Values& bias = p.bias[std::min(static_cast<std::size_t>(std::max<std::int64_t>(0, head)), p.bias.size() - 1)];
    for (std::size_t n = 0; n < bias.size() && n < p.distance.size(); ++n)
        samples.emplace_back(p.effective_distance.empty() ? static_cast<double>(p.distance[n]) : p.effective_distance.front()[n], bias[n]);
    std::sort(samples.begin(), samples.end());
    samples.erase(std::unique(samples.begin(), samples.end(), [](const auto& a, const auto& b) { return a.first == b.first; }), samples.end());
    return samples;
}

/// Not a number past the samples: the last query need not reach every distance that another one uses.
double interpolated(const Samples& samples, double distance) {
    if (std::isnan(distance) || samples.empty() || distance > samples.back().first) return std::numeric_limits<double>::quiet_NaN();
    const auto above = std::lower_bound(samples.begin(), samples.end(), std::pair{distance, -std::numeric_limits<double>::infinity()});
    if (above == samples.begin() || above->first == distance) return above->second;
    const auto below = std::prev(above);
    return below->second + (above->second - below->second) * (distance - below->first) / (above->first - below->first);
}

}  // namespace

QuantityMap distanceMap(const ShownScheme& scheme, const EncodingMapsView& view) {
    QuantityMap map = ofDistance(scheme.preview.distance_map, scheme.preview, translate("Distance that is used"), "used_distance");
    map.scale = distanceScale(scheme, view.logDistance);
    return map;
}

QuantityMap besideDistanceMap(const ShownScheme& scheme, const EncodingMapsView& view) {
    if (!scheme.plain || !differ(scheme.preview.distance_map, scheme.plain->distance_map)) return {};
    if (view.beside == MapBeside::plain) {
        QuantityMap map = ofDistance(scheme.plain->distance_map, *scheme.plain, translate("Plain distance i − j"), "plain_distance");
        map.scale = distanceScale(scheme, view.logDistance);
        return map;
    }
    QuantityMap map = ofDistance(minus(scheme.preview.distance_map, scheme.plain->distance_map), scheme.preview, translate("Used minus plain distance"), "distance_change");
    map.scale = differenceScale(map.tile.values);
    return map;
}

QuantityMap waveMap(const ShownScheme& scheme) { return ofWave(scheme.preview.wave_map, scheme.preview, translate("Waves of the rotation"), "wave"); }

QuantityMap besideWaveMap(const ShownScheme& scheme, const EncodingMapsView& view) {
    if (!scheme.plain || !differ(scheme.preview.wave_map, scheme.plain->wave_map)) return {};
    if (view.beside == MapBeside::plain) return ofWave(scheme.plain->wave_map, *scheme.plain, translate("Plain waves"), "plain_wave");
    QuantityMap map = ofWave(minus(scheme.preview.wave_map, scheme.plain->wave_map), scheme.preview, translate("Waves minus plain waves"), "wave_change");
    map.unit = translate("difference of cos(p θ)");
    map.scale = {ColourMapId::blueRed, -2, 2, false};
    return map;
}

bool biasFollowsDistance(const lw::SchemeSpec& scheme) {
    const auto choice = scheme.slots.find("bias");
    if (choice == scheme.slots.end()) return false;
    const auto info = lw::describe_method("bias", choice->second.id);
    return info.ok() && std::any_of(info.value().claims.begin(), info.value().claims.end(), [](const lw::ClaimInfo& claim) { return claim.id == "relative"; });
}

QuantityMap biasMap(const ShownScheme& scheme, const EncodingMapsView& view) {
    const lw::EncodingPreview& p = scheme.preview;
    if (!biasFollowsDistance(scheme.scheme)) return {};
    const Samples samples = biasSamples(p, view.head);
    if (samples.empty()) return {};
    Values values;
    values.reserve(p.distance_map.size());
    for (const double distance : p.distance_map) values.push_back(interpolated(samples, distance));
    const std::int64_t head = std::clamp<std::int64_t>(view.head, 0, static_cast<std::int64_t>(p.bias.size()) - 1);
    QuantityMap map = ofDistance(values, p, translate("Bias of head %1").arg(head), "bias");
    map.name = "bias_head" + std::to_string(head);
    map.unit = translate("nats");
    map.scale = scaleFor(lw::ScorePart::bias, {valueSpread(map.tile.values)}, false);
    return map;
}

double shareOfPairs(const lw::EncodingPreview& p) {
    const std::size_t count = p.map_index.size();
    if (count == 0 || p.distance_map.size() != count * count) return 1;
    const bool sampled = static_cast<std::int64_t>(count) <= p.map_index.back();
    double read = 0, all = 0;
    for (std::size_t r = 0; r < count; ++r) {
        for (std::size_t c = 0; c <= r; ++c) {
            const double pairs = sampled && c == r ? 0.5 : 1;
            all += pairs;
            if (!std::isnan(p.distance_map[r * count + c])) read += pairs;
        }
    }
    return read / all;
}

QString visibilityText(const lw::EncodingPreview& preview) {
    const double share = shareOfPairs(preview);
    if (share >= 1) return translate("reads every pair j ≤ i");
    if (share < 0.01) return translate("reads less than 1 % of the pairs j ≤ i");
    return translate("reads %1 % of the pairs j ≤ i").arg(numberText(std::min(99.0, 100 * share), 0));
}

QString unresolvedText(const lw::EncodingPreview& p) {
    if (p.map_index.size() < 2) return {};
    const double step = static_cast<double>(p.map_index.back()) / static_cast<double>(p.map_index.size() - 1);
    const auto fast = std::count_if(p.frequency.begin(), p.frequency.end(), [step](double theta) { return theta * step > std::numbers::pi; });
    if (fast == 0) return {};
    return fast == 1 ? translate("1 fast pair is undersampled") : translate("%1 fast pairs are undersampled").arg(fast);
}

}  // namespace lw::ui
