#pragma once
/// Depth grids of several runs on one page, for the widget and for figures.

#include "ui/plot/depth_grid.h"
#include "ui/plot/figure_panels.h"

namespace lw::ui {

struct DepthPage {
    std::vector<DepthGrid> grids;
    PlotTheme theme;
    PanelGrid panels{};
    DepthMargins margins{};
};
/// Panels on a page of this width, beginning at `top`, as high as looks even; their height may then be changed.
void layOutDepths(DepthPage& page, double width, double top, std::int64_t columns);
void paintDepths(QPainter& painter, const DepthPage& page);

}  // namespace lw::ui
