/// See depth_map.h.
#include "ui/plot/depth_map.h"

#include "ui/plot/depth_page.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace lw::ui {

DepthMap::DepthMap(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding); }

void DepthMap::setGrids(std::vector<DepthGrid> grids) {
    m_grids = std::move(grids);
    QStringList lines;
    for (const DepthGrid& grid : m_grids) lines << grid.title;
    setAccessibleName(QCoreApplication::translate("DepthGrid", "Accuracy by length and place: %1").arg(lines.join(QStringLiteral(", "))));
    update();
}

void DepthMap::paintEvent(QPaintEvent* /*event*/) {
    if (m_grids.empty()) return;
    DepthPage page{m_grids, PlotTheme::fromPalette(palette())};
    layOutDepths(page, width(), 4, 0);
    const double room = (height() - 8 - page.margins.below - page.panels.rows * page.panels.titleHeight - (page.panels.rows - 1) * page.panels.gap) / page.panels.rows;
    page.panels.height = std::max(20.0, room);
    QPainter painter(this);
    painter.fillRect(rect(), page.theme.background);
    paintDepths(painter, page);
}

}  // namespace lw::ui
