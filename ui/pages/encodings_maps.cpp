/// See encodings_maps.h.
#include "ui/pages/encodings_maps.h"

#include "ui/plot/heat_map.h"
#include "ui/theme.h"

#include <algorithm>

namespace lw::ui {

namespace {

constexpr QSize kSmallestMap(300, 280);
/// Before and after stand beside each other wherever both fit.
constexpr int kTwoColumns = 2 * kSmallestMap.width();

}  // namespace

EncodingsMaps::EncodingsMaps(QWidget* parent) : PlotGrid(kSmallestMap, kTwoColumns, parent) {
    addMap(kDistance, QStringLiteral("distanceMap"), tr("The distance that the scheme uses for every query and key. Grey: the query does not read the key."));
    addMap(kDistanceBeside, QStringLiteral("plainDistanceMap"), tr("The same without the methods that may be changed on a trained model, or the change they make."));
    addMap(kWaves, QStringLiteral("waveMap"), tr("cos(p θ) of every rotated pair by position. A pair that does not come round within L meets new angles past it."));
    addMap(kWavesBeside, QStringLiteral("plainWaveMap"), tr("The same without the methods that may be changed on a trained model, or the change they make."));
    addMap(kBias, QStringLiteral("biasMap"), tr("What is added to the scores of this head: the curve over the distance, at the distance that is used."));
}

void EncodingsMaps::addMap(Place place, const QString& name, const QString& help) {
    const auto index = static_cast<std::size_t>(place);
    auto* map = new HeatMap;
    map->setObjectName(name);
    m_maps[index] = map;
    m_boxes[index] = add(QString(), map);
    m_boxes[index]->setHelp(help);
    if (place != kWaves && place != kWavesBeside) m_boxes[index]->setFittingHeight([map](int width) { return map->fittingHeight(width); });
    link(place);
}

void EncodingsMaps::link(Place place) {
    HeatMap* map = m_maps[static_cast<std::size_t>(place)];
    connect(map, &HeatMap::hovered, this, [this, place](qint64 query, qint64 key) { read(place, {query, key}); });
    connect(map, &HeatMap::hoverLeft, this, [this] { stopReading(); });
    connect(map, &HeatMap::exportRequested, this, [this, place] { Q_EMIT exportRequested(place); });
    connect(map, &HeatMap::windowChanged, this, [this, place](const MapWindow& window) {
        if (m_linking) return;
        m_linking = true;
        for (int other = 0; other < kPlaces; ++other)
            if (other != place && alike(other, place) && !quantity(static_cast<Place>(other)).empty()) m_maps[static_cast<std::size_t>(other)]->setWindow(window);
        m_linking = false;
    });
}

QString EncodingsMaps::noteOf(Place place) const {
    if (place == kWaves) return unresolvedText(m_scheme.preview);
    if (place != kDistance) return {};
    const QString share = visibilityText(m_scheme.preview);
    return m_scheme.preview.effective_distance.size() > 1 ? tr("%1 · first head").arg(share) : share;
}

bool EncodingsMaps::setContent(const ShownScheme& scheme, const EncodingMapsView& view) {
    m_scheme = scheme;
    m_view = view;
    m_quantities = {distanceMap(scheme, view), besideDistanceMap(scheme, view), waveMap(scheme), besideWaveMap(scheme, view), biasMap(scheme, view)};
    // A map that changes its size shows everything again, and one that comes back may have another part in view: all follow the first.
    m_linking = true;
    for (std::size_t place = 0; place < kPlaces; ++place) {
        const QuantityMap& quantity = m_quantities[place];
        m_boxes[place]->setVisible(!quantity.empty());
        if (quantity.empty()) continue;
        m_boxes[place]->setHeading(quantity.title);
        m_boxes[place]->setNote(noteOf(static_cast<Place>(place)));
        m_maps[place]->setAccessibleName(quantity.title);
        showQuantity(*m_maps[place], quantity);
    }
    for (const auto& [from, to] : {std::pair{kDistance, kDistanceBeside}, std::pair{kDistance, kBias}, std::pair{kWaves, kWavesBeside}})
        if (!quantity(from).empty() && !quantity(to).empty()) map(to)->setWindow(map(from)->geometryOfCells().window);
    m_linking = false;
    stopReading();
    arrange();
    return !empty();
}

bool EncodingsMaps::empty() const {
    return std::all_of(m_quantities.begin(), m_quantities.end(), [](const QuantityMap& quantity) { return quantity.empty(); });
}

EncodingsMaps::Place EncodingsMaps::mainPlace() const {
    const auto shown = std::find_if(m_quantities.begin(), m_quantities.end(), [](const QuantityMap& quantity) { return !quantity.empty(); });
    return shown == m_quantities.end() ? kDistance : static_cast<Place>(shown - m_quantities.begin());
}

void EncodingsMaps::read(Place place, MapCell cell) {
    const MapCell sample = sampleOf(quantity(place), cell);
    const bool wave = place == kWaves || place == kWavesBeside;
    const MapReading reading = wave ? waveReading(m_scheme, sample) : distanceReading(m_scheme, m_view, sample);
    for (int other = 0; other < kPlaces; ++other) {
        HeatMap* map = m_maps[static_cast<std::size_t>(other)];
        map->hideReadOut();
        map->setCrosshair(alike(other, place) && !quantity(static_cast<Place>(other)).empty() ? std::optional(cell) : std::nullopt);
    }
    m_maps[static_cast<std::size_t>(place)]->showReadOut(reading.heading, reading.rows);
}

void EncodingsMaps::stopReading() {
    for (HeatMap* map : m_maps) map->setCrosshair(std::nullopt);
}

}  // namespace lw::ui
