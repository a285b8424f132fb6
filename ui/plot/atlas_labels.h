#pragma once
/// Where the names of heads stand in an atlas: beside their dots, clear of other dots, names and the lines of ways.

#include "ui/plot/atlas_painter.h"

class QFontMetricsF;

namespace lw::ui {

struct AtlasLabel {
    std::size_t dot = 0;   ///< index into the content's dots
    QRectF box;
    QLineF leader = {};    ///< from the dot to a name that stands farther away; null beside the dot
};

/// Names in the order in which they chose their place: what is under the mouse and what is chosen first, faint ones not at all. A dot around
/// which nothing is free has none.
[[nodiscard]] std::vector<AtlasLabel> placeAtlasLabels(const AtlasContent& content, const AtlasView& view, const QFontMetricsF& metrics, const AtlasMarks& marks);

}  // namespace lw::ui
