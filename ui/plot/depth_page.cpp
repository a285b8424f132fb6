/// See depth_page.h.
#include "ui/plot/depth_page.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace lw::ui {

namespace {

constexpr double kCellShape = 0.4;  // height of a panel by its width where nobody asks for one

}  // namespace

void layOutDepths(DepthPage& page, double width, double top, std::int64_t columns) {
    page.panels = makeGrid(page.grids.size(), columns);
    const QFontMetricsF metrics(page.theme.caption);
    page.margins = depthMargins(page.theme);
    PanelGrid& panels = page.panels;
    panels.left = kFigureMargin + page.margins.left;
    panels.top = top;
    panels.titleHeight = metrics.height() + 5;
    panels.gap = page.margins.below;
    panels.width = std::max(20.0, (width - panels.left - kFigureMargin - (panels.columns - 1) * kPanelGap) / panels.columns);
    panels.height = panels.width * kCellShape;
}

void paintDepths(QPainter& painter, const DepthPage& page) {
    for (std::size_t i = 0; i < page.grids.size(); ++i) {
        const QRectF cells = page.panels.panel(i);
        const QRectF title(cells.left(), cells.top() - page.panels.titleHeight, cells.width(), page.panels.titleHeight);
        drawText(painter, title, Qt::AlignLeft | Qt::AlignTop, page.theme.caption, page.theme.text, page.grids[i].title);
        paintDepthGrid(painter, cells, page.grids[i], page.theme, static_cast<int>(i) % page.panels.columns == 0);
    }
}

}  // namespace lw::ui
