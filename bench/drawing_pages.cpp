/// The window with the real laboratory and the demo models.
#include "bench/drawing.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/heat_map.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSlider>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <cstdio>
#include <memory>

namespace lw::bench {
namespace {

struct Window {
    Window() {
        ui::SessionOptions options;
        options.settingsFile = folder.filePath(QStringLiteral("settings.ini"));
        options.workspace = folder.filePath(QStringLiteral("workspace")).toStdString();
        std::filesystem::create_directories(options.workspace);
        session = std::make_unique<ui::Session>(options);
        window = std::make_unique<ui::MainWindow>(session.get());
        window->resize(1600, 1000);
        window->show();
        wait_for([this] { return !session->runs().empty() && session->compute().idle(); });
    }
    /// The compute thread has nothing to do and everything it brought is painted. More than once: what is asked for may begin an event later.
    void settle() const {
        for (int turn = 0; turn < 4; ++turn) {
            wait_for([this] { return session->compute().idle(); });
            for (int pass = 0; pass < 5; ++pass) QCoreApplication::processEvents();
        }
    }
    QTemporaryDir folder;
    std::unique_ptr<ui::Session> session;
    std::unique_ptr<ui::MainWindow> window;
};

QSlider* slider_of(const QWidget* form) {
    for (QSlider* slider : form->findChildren<QSlider*>())
        if (slider->isVisible()) return slider;
    return nullptr;
}

std::vector<QWidget*> painted_by(QWidget* page) {
    std::vector<QWidget*> widgets;
    for (auto* plot : page->findChildren<ui::CurvePlot*>())
        if (plot->isVisible()) widgets.push_back(plot->findChild<QWidget*>());  // what the plot is drawn by
    for (auto* map : page->findChildren<ui::HeatMap*>())
        if (map->isVisible()) widgets.push_back(map);
    return widgets;
}

/// From the slider's step to plots that show it: nothing else happens before the next step.
Frames slider_latency(Window& w, QSlider* slider, const std::vector<QWidget*>& plots, const std::string& name) {
    Frames frames(name + ", step to painted");
    const PaintCounter paints(plots);
    for (int f = 0; frames.wanted(); ++f) {
        const int before = paints.count();
        frames.measure([&] {
            slider->setValue(slider->minimum() + (slider->maximum() - slider->minimum()) * (20 + f % 60) / 100);
            wait_for([&] { return w.session->compute().idle() && paints.count() > before; }, 2);
        });
        w.settle();
    }
    return frames;
}

/// The slider moves at every chance, as under a hand: time between two pictures.
Frames slider_rate(Window& w, QSlider* slider, const std::vector<QWidget*>& plots, const std::string& name) {
    Frames frames(name + ", moving on");
    const PaintCounter paints({plots.front()});
    Stopwatch since;
    int seen = paints.count();
    for (int step = 0; step < 4000 && frames.wanted(); ++step) {
        slider->setValue(slider->minimum() + (slider->maximum() - slider->minimum()) * (20 + step % 60) / 100);
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 2);
        if (paints.count() == seen) continue;
        seen = paints.count();
        frames.add(since.elapsed());
        since.restart();
    }
    w.settle();
    return frames;
}

void move_mouse(QWidget* over, QEvent::Type type, QPointF at) {
    const bool release = type == QEvent::MouseButtonRelease;
    QMouseEvent event(type, at, over->mapToGlobal(at), type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, release ? Qt::NoButton : Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(over, &event);
}

/// From a step of the mouse to the picture, back and forth.
Frames dragged(QWidget* widget, QPointF centre, const std::string& name) {
    Frames frames(name);
    const PaintCounter paints({widget});
    move_mouse(widget, QEvent::MouseButtonPress, centre);
    for (int f = 0; frames.wanted(); ++f) {
        const double way = 4 * (f % 100 < 50 ? f % 50 : 50 - f % 50);
        const int before = paints.count();
        frames.measure([&] {
            move_mouse(widget, QEvent::MouseMove, centre + QPointF(10 + way, way));
            wait_for([&] { return paints.count() > before; }, 1);
        });
    }
    move_mouse(widget, QEvent::MouseButtonRelease, centre);
    return frames;
}

void encodings(Window& w, std::vector<Frames>& all, const char* preset, ui::EncodingsPage::View view) {
    w.window->showPage(ui::PageId::encodings);
    auto* page = static_cast<ui::EncodingsPage*>(w.window->page(ui::PageId::encodings));
    page->schemeForm()->setScheme(find_scheme(preset).value());
    Q_EMIT page->schemeForm()->edited();
    page->setView(view);
    w.settle();
    QSlider* slider = slider_of(page->schemeForm());
    const std::vector<QWidget*> plots = painted_by(page);
    if (slider == nullptr || plots.empty()) return;
    const std::string name = std::string("Encodings, ") + preset + (view == ui::EncodingsPage::kMaps ? ", " : ", ") + std::to_string(plots.size()) + (view == ui::EncodingsPage::kMaps ? " maps" : " plots");
    all.push_back(slider_latency(w, slider, plots, name));
    all.push_back(slider_rate(w, slider, plots, name));
    if (view == ui::EncodingsPage::kCurves) all.push_back(dragged(plots.front(), QPointF(plots.front()->rect().center()), name + ", the first dragged"));
}

/// The large map under a dragging mouse, while tiles come from the compute thread as they can.
Frames drag(Window& w, ui::MapsPage* page, const std::string& name) {
    ui::HeatMap* map = page->canvas()->map();
    map->setWindow({6000, 8000, 2000, 4000});
    wait_for([&] { return page->settled() && w.session->compute().idle(); }, 60);
    return dragged(map, map->geometryOfCells().area.center(), name);
}

/// The wheel over its middle, from everything to single cells and back: no picture of before can be shifted.
Frames zoom(Window& w, ui::MapsPage* page, const std::string& name) {
    Frames frames(name);
    ui::HeatMap* map = page->canvas()->map();
    map->fit();
    wait_for([&] { return page->settled() && w.session->compute().idle(); }, 60);
    const PaintCounter paints({map});
    const QPointF centre = map->geometryOfCells().area.center();
    for (int f = 0; frames.wanted(); ++f) {
        const int before = paints.count();
        const QPoint turn(0, f % 40 < 20 ? 120 : -120);
        QWheelEvent event(centre, map->mapToGlobal(centre), QPoint(), turn, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        frames.measure([&] {
            QApplication::sendEvent(map, &event);
            wait_for([&] { return paints.count() > before; }, 1);
        });
    }
    return frames;
}

void maps(Window& w, std::vector<Frames>& all) {
    for (const ui::RunEntry& run : w.session->runs())
        if (run.title() == QStringLiteral("Kerple") && run.info.recipe.seed == 1) w.session->setCurrentRun(run.key);
    w.session->setLength(8192);
    w.session->setPart(ScorePart::logit);
    w.window->showPage(ui::PageId::maps);
    auto* page = static_cast<ui::MapsPage*>(w.window->page(ui::PageId::maps));
    const auto drawn = [&] { return page->settled() && w.session->compute().idle() && !page->canvas()->map()->shownTile().values.empty() && page->canvas()->map()->geometryOfCells().keys > 4096; };
    if (!wait_for(drawn, 120)) return void(std::fprintf(stderr, "The map of Kerple at 8,192 tokens did not come.\n"));
    const std::string name = "Maps, Kerple at " + std::to_string(page->canvas()->map()->geometryOfCells().keys);
    all.push_back(drag(w, page, name + ", dragged"));
    all.push_back(zoom(w, page, name + ", zoomed"));
    page->compareWithHead(1, 1);
    all.push_back(drag(w, page, name + ", two heads, dragged"));
    page->stopComparing();
    // Its limits follow what is seen, so that every tile that comes may change the colours.
    w.session->setPart(ScorePart::probability);
    all.push_back(drag(w, page, name + ", probability, dragged"));
}

}  // namespace

std::vector<Frames> measure_encodings() {
    std::vector<Frames> all;
    Window w;
    encodings(w, all, "kerple-log", ui::EncodingsPage::kCurves);
    encodings(w, all, "rope-yarn", ui::EncodingsPage::kCurves);
    encodings(w, all, "kerple-log", ui::EncodingsPage::kMaps);
    encodings(w, all, "rope-yarn", ui::EncodingsPage::kMaps);
    encodings(w, all, "rope-self-extend", ui::EncodingsPage::kMaps);
    return all;
}

std::vector<Frames> measure_maps() {
    std::vector<Frames> all;
    Window w;
    maps(w, all);
    return all;
}

}  // namespace lw::bench
