#pragma once
/// Drawing of an atlas of heads, for the widget and for figures.

#include "ui/plot/atlas_content.h"
#include "ui/plot/plot_theme.h"

#include <QMarginsF>
#include <QRectF>

#include <optional>

class QPainter;

namespace lw::ui {

/// From measures to pixels. Across: λ from −1 to 1. Up: linear, or asinh(y / kLinearTo), which is linear near 0 and logarithmic beyond.
struct AtlasView {
    QRectF area;
    double low = -1, high = 1;   ///< of the measure
    bool bothSigns = false;
    [[nodiscard]] QPointF pixel(QPointF value) const;
};
[[nodiscard]] AtlasView atlasView(const AtlasContent& content, const QRectF& area);
[[nodiscard]] std::vector<double> atlasTicks(const AtlasView& view, int about);
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
