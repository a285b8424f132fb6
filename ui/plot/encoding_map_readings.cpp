/// What the maps of the Encodings page read out under the mouse. See encoding_maps.h.
#include "ui/plot/encoding_maps.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <cmath>
#include <numbers>

namespace lw::ui {

namespace {

QString translate(const char* text) { return QCoreApplication::translate("Encodings", text); }

/// Tokens, with decimals where maps make fractions of them.
QString tokens(double distance) { return numberText(distance, std::abs(distance - std::round(distance)) < 0.005 ? 0 : 2); }

double valueAt(const std::vector<double>& values, std::int64_t row, std::int64_t column, std::size_t columns) {
    const auto index = static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column);
    return index < values.size() ? values[index] : std::nan("");
}

bool inside(MapCell sample, std::size_t rows, std::size_t columns) {
    return sample.query >= 0 && sample.key >= 0 && sample.query < static_cast<std::int64_t>(rows) && sample.key < static_cast<std::int64_t>(columns);
}

}  // namespace

MapReading distanceReading(const ShownScheme& scheme, const EncodingMapsView& view, MapCell sample) {
    const lw::EncodingPreview& p = scheme.preview;
    const std::size_t count = p.map_index.size();
    if (!inside(sample, count, count)) return {};
    const std::int64_t query = p.map_index[static_cast<std::size_t>(sample.query)], key = p.map_index[static_cast<std::size_t>(sample.key)];
    MapReading reading{translate("query i %1 · key j %2").arg(integerText(query), integerText(key)), {}};
    const double used = valueAt(p.distance_map, sample.query, sample.key, count);
    if (key > query && std::isnan(used)) {
        reading.rows.push_back({{}, translate("masked: the key lies after the query"), {}, {}});
        return reading;
    }
    reading.rows.push_back({{}, translate("δ = i − j"), integerText(query - key), {}});
    reading.rows.push_back({{}, translate("used distance"), std::isnan(used) ? translate("not read") : tokens(used), {}});
    const double plain = scheme.plain ? valueAt(scheme.plain->distance_map, sample.query, sample.key, count) : std::nan("");
    if (!std::isnan(plain)) reading.rows.push_back({{}, translate("plain"), tokens(plain), {}});
    if (const QuantityMap bias = biasMap(scheme, view); !bias.empty() && !std::isnan(used)) {
        const float value = bias.tile.values[static_cast<std::size_t>(sample.query) * count + static_cast<std::size_t>(sample.key)];
        if (!std::isnan(value)) reading.rows.push_back({{}, bias.title, signedText(value, 2), translate("nats")});
    }
    return reading;
}

MapReading waveReading(const ShownScheme& scheme, MapCell sample) {
    const lw::EncodingPreview& p = scheme.preview;
    const std::size_t pairs = p.frequency.size();
    if (!inside(sample, p.map_index.size(), pairs)) return {};
    const auto place = p.map_index[static_cast<std::size_t>(sample.query)];
    MapReading reading{translate("position p %1 · pair %2").arg(integerText(place)).arg(sample.key), {}};
    reading.rows.push_back({{}, translate("cos(p θ)"), signedText(valueAt(p.wave_map, sample.query, sample.key, pairs), 3), {}});
    if (scheme.plain && !scheme.plain->wave_map.empty())
        reading.rows.push_back({{}, translate("plain"), signedText(valueAt(scheme.plain->wave_map, sample.query, sample.key, pairs), 3), {}});
    if (const double theta = p.frequency[static_cast<std::size_t>(sample.key)]; theta > 0)
        reading.rows.push_back({{}, translate("wavelength"), shortText(2 * std::numbers::pi / theta), translate("tokens")});
    return reading;
}

}  // namespace lw::ui
