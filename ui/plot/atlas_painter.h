#pragma once
/// Drawing of an atlas of heads, for the widget and for figures.

#include "ui/plot/atlas_content.h"
#include "ui/plot/plot_theme.h"

#include <QMarginsF>
#include <QRectF>

#include <optional>

class QPainter;

namespace lw::ui {

/// From measures to pixels: λ across, the measure up, each on its own scale.
struct AtlasView {
    QRectF area;
    double left = -1, right = 1;   ///< places of λ on its scale
    double low = -1, high = 1;     ///< places of the measure on its scale
    const AtlasScale* across = &atanhScale();
    const AtlasScale* up = &linearScale();
    [[nodiscard]] QPointF pixel(QPointF value) const;
};
/// Room for all dots and their ways; across always with some of either sign, so that 0 and both directions are seen.
[[nodiscard]] AtlasView atlasView(const AtlasContent& content, const QRectF& area);
/// Numbers of the upright axis and of the one across.
[[nodiscard]] std::vector<double> atlasTicks(const AtlasView& view, int about);
[[nodiscard]] std::vector<double> localityTicks(const AtlasView& view, int about);
/// The head whose dot is nearest to a pixel, within `reach`, one that a filter leaves bright before any other; -1 = none.
[[nodiscard]] int nearestDot(const AtlasContent& content, const AtlasView& view, QPointF pixel, double reach, const QString& filter = {});
/// The dot that an arrow key leads to: `direction` is one pixel left, right, up or down; -1 = there is none that way.
[[nodiscard]] int neighbourDot(const AtlasContent& content, const AtlasView& view, int from, QPointF direction);

struct AtlasMarks {
    int hovered = -1;            ///< index of a dot whose way stands out; -1 = none
    int selected = -1;
    QString filter = {};         ///< heads of other classes are faint; "" = none
    bool labels = true;          ///< "layer.head" beside dots, where there is room
};
/// Room for numbers and titles around the axes: left, top, right, bottom.
[[nodiscard]] QMarginsF atlasMargins(const AtlasContent& content, const PlotTheme& theme);
void paintAtlas(QPainter& painter, const AtlasContent& content, const AtlasView& view, const PlotTheme& theme, const AtlasMarks& marks);
/// Classes with their colours and counts, and what thin lines mean, in as many lines as the room's width asks for; returns their height. Without a
/// painter it is only measured.
double paintAtlasLegend(QPainter* painter, const AtlasContent& content, const PlotTheme& theme, const QRectF& room);

}  // namespace lw::ui
