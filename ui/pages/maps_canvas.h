#pragma once
/// The large map over its row profile on one key axis; in comparison two maps and their difference with linked cursors.

#include "ui/plot/map_geometry.h"

#include <QWidget>

#include <array>

namespace lw::ui {

class HeatMap;
class ProfilePlot;

class MapsCanvas : public QWidget {
    Q_OBJECT
public:
    enum Place { kFirst = 0, kSecond = 1, kDifference = 2 };

    explicit MapsCanvas(QWidget* parent = nullptr);
    [[nodiscard]] HeatMap* map(Place place = kFirst) const { return m_maps[static_cast<std::size_t>(place)]; }
    [[nodiscard]] ProfilePlot* profile() const { return m_profile; }
    void setComparing(bool comparing);
    [[nodiscard]] bool comparing() const { return m_comparing; }
    /// Crosshairs and the profile's cursor on a cell, which is brought into sight.
    void select(MapCell cell);
    /// After titles, scales or lines changed: widths of labels may have.
    void arrange();

Q_SIGNALS:
    void hovered(int place, qint64 query, qint64 key);
    void hoverLeft();
    void cellClicked(qint64 query, qint64 key);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void link(HeatMap* map, int place);
    void alignProfile();
    void arrangeSingle();
    void arrangeComparison();

    std::array<HeatMap*, 3> m_maps{};
    ProfilePlot* m_profile;
    bool m_comparing = false;
    bool m_linking = false;
    int m_profileUnder = kFirst;
};

}  // namespace lw::ui
