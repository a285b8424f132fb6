#pragma once
/// The maps of the Encodings page: used distances, the rotation's waves, and a static bias, with the plain scheme or the change beside.

#include "ui/pages/encodings_grid.h"
#include "ui/plot/encoding_maps.h"

#include <array>

namespace lw::ui {

class HeatMap;

class EncodingsMaps : public PlotGrid {
    Q_OBJECT
public:
    enum Place { kDistance = 0, kDistanceBeside, kWaves, kWavesBeside, kBias, kPlaces };

    explicit EncodingsMaps(QWidget* parent = nullptr);
    /// Whether there is any map: not before a preview was made with them.
    bool setContent(const ShownScheme& scheme, const EncodingMapsView& view);
    [[nodiscard]] HeatMap* map(Place place) const { return m_maps[static_cast<std::size_t>(place)]; }
    /// What the map at a place shows; empty where none is shown.
    [[nodiscard]] const QuantityMap& quantity(Place place) const { return m_quantities[static_cast<std::size_t>(place)]; }
    [[nodiscard]] bool empty() const;
    /// The first that is shown.
    [[nodiscard]] Place mainPlace() const;
    [[nodiscard]] bool hasBias() const { return !quantity(kBias).empty(); }

Q_SIGNALS:
    void exportRequested(int place);

private:
    /// Maps with the same axes move together: crosshair and what is seen.
    [[nodiscard]] static bool alike(int a, int b) { return (a == kWaves || a == kWavesBeside) == (b == kWaves || b == kWavesBeside); }
    void addMap(Place place, const QString& name, const QString& help);
    void link(Place place);
    void read(Place place, MapCell cell);
    void stopReading();
    [[nodiscard]] QString noteOf(Place place) const;

    ShownScheme m_scheme;
    EncodingMapsView m_view;
    std::array<HeatMap*, kPlaces> m_maps{};
    std::array<PlotBox*, kPlaces> m_boxes{};
    std::array<QuantityMap, kPlaces> m_quantities;
    bool m_linking = false;
};

}  // namespace lw::ui
