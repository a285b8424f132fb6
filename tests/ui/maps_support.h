#pragma once
/// A Maps page on the fake laboratory, shown and drawn exactly.

#include "tests/ui/ui_support.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/heat_map.h"

#include <QApplication>
#include <QMouseEvent>

namespace lw::test {

using ui::ComputeThread;
using ui::HeatMap;
using ui::MapCell;
using ui::MapGeometry;
using ui::MapsPage;
using ui::RunEntry;

struct ShownMaps : SessionFixture {
    explicit ShownMaps(const char* run = "DAPE-Kerple", ComputeThread::Mode mode = ComputeThread::Mode::immediate) : SessionFixture(mode) {
        session->reloadRuns();
        REQUIRE(eventually([&] { return !session->runs().empty(); }));
        choose(run);
        session->setLength(256);
        session->setPart(ScorePart::bias_adaptive);
        page = std::make_unique<MapsPage>(session.get());
        page->resize(1000, 680);
        page->show();
        REQUIRE(eventually([&] { return exact(); }));
    }
    void choose(const char* run) const {
        for (const RunEntry& entry : session->runs())
            if (entry.title() == QLatin1String(run)) return session->setCurrentRun(entry.key);
    }
    [[nodiscard]] HeatMap* map() const { return page->canvas()->map(); }
    [[nodiscard]] bool exact() const { return page->settled() && !map()->shownTile().values.empty() && !map()->shownTile().sampled; }
    void hover(HeatMap* over, MapCell cell) const {
        const MapGeometry& g = over->geometryOfCells();
        const QPointF at(g.x(static_cast<double>(cell.key) + 0.5), g.y(static_cast<double>(cell.query) + 0.5));
        QMouseEvent event(QEvent::MouseMove, at, over->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(over, &event);
    }
    std::unique_ptr<MapsPage> page;
};

}  // namespace lw::test
