/// See screenshots.h.
#include "ui/screenshots.h"

#include "core/api/doctor.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/studies_page.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSize>
#include <QThread>

#include <algorithm>
#include <array>

namespace lw::ui {

namespace {

constexpr int kLayouts = 20;
constexpr int kQuiet = 250;     // ms without any job: timers of pages have fired and asked for what they need
constexpr int kLongest = 120000;

/// The Encodings page with a scheme that comes with the program, as curves or as maps.
void showScheme(MainWindow& window, const char* preset, EncodingsPage::View view) {
    auto* page = static_cast<EncodingsPage*>(window.page(PageId::encodings));
    if (const auto scheme = lw::find_scheme(preset); scheme.ok()) page->schemeForm()->setScheme(scheme.value());
    Q_EMIT page->schemeForm()->edited();
    page->setView(view);
}

/// The study of the demo models, which are finished.
void showStudy(MainWindow& window, StudiesPage::View view) {
    auto* page = static_cast<StudiesPage*>(window.page(PageId::studies));
    if (page->loaded() == nullptr) page->addFile(QString::fromStdString((lw::resource_folder() / "studies" / "demo.json").string()));
    page->setView(view);
}

void showCurves(MainWindow& window, CurvesMode mode, bool beyond) {
    auto* page = static_cast<CurvesPage*>(window.page(PageId::curves));
    page->setBeyond(beyond);
    page->setMode(mode);
}

/// The Maps page of a run of text with an adaptive term, which every view of its heads has something to show of.
MapsPage* showHeads(Session& session, MainWindow& window, HeadsPanel::View view) {
    const auto adaptive = [](const RunEntry& run) { return !run.isTask() && run.info.recipe.scheme.slots.contains("adaptive"); };
    const auto found = std::find_if(session.runs().begin(), session.runs().end(), adaptive);
    const bool there = session.currentRun() != nullptr && adaptive(*session.currentRun());
    if (!there && found != session.runs().end()) session.setCurrentRun(found->key);
    auto* page = static_cast<MapsPage*>(window.page(PageId::maps));
    page->heads()->showView(view);
    page->stopComparing();
    return page;
}

/// The text that follows beside the one that is open.
void showTexts(Session& session, MainWindow& window) {
    MapsPage* page = showHeads(session, window, HeadsPanel::kTexts);
    waitForJobs(session);
    lw::TextRequest next = session.textRequest();
    next.offset += next.length;
    page->compareWithText(next);
}

struct Named {
    PageId page;
    const char* name;
    void (*prepare)(Session&, MainWindow&) = nullptr;
};
constexpr std::array<Named, 13> kPages = {{{PageId::curves, "curves", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::perplexity, false); }},
                                           {PageId::curves, "curves-position", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::position, false); }},
                                           {PageId::curves, "curves-beyond", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::position, true); }},
                                           {PageId::maps, "maps", [](Session& session, MainWindow& window) { showHeads(session, window, HeadsPanel::kPictures); }},
                                           {PageId::maps, "maps-atlas", [](Session& session, MainWindow& window) { showHeads(session, window, HeadsPanel::kAtlas); }},
                                           {PageId::maps, "maps-texts", showTexts},
                                           {PageId::encodings, "encodings", [](Session&, MainWindow& window) { showScheme(window, "kerple-log", EncodingsPage::kCurves); }},
                                           {PageId::encodings, "encodings-extended", [](Session&, MainWindow& window) { showScheme(window, "rope-yarn", EncodingsPage::kCurves); }},
                                           {PageId::encodings, "encodings-maps", [](Session&, MainWindow& window) { showScheme(window, "rope-self-extend", EncodingsPage::kMaps); }},
                                           {PageId::train, "train"},
                                           {PageId::tasks, "tasks"},
                                           {PageId::studies, "studies", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kMatrix); }},
                                           {PageId::studies, "studies-curves", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kCurves); }}}};
constexpr std::array<QSize, 2> kSizes = {QSize(1600, 1000), QSize(1024, 700)};

}  // namespace

void waitForJobs(Session& session) {
    QElapsedTimer total, quiet;
    total.start();
    quiet.start();
    while (quiet.elapsed() < kQuiet && total.elapsed() < kLongest) {
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
        if (!session.compute().idle()) quiet.restart();
        QThread::msleep(5);
    }
    // On a busy machine that may have been a handful of rounds, and each layout asks its parent's for another.
    for (int round = 0; round < kLayouts; ++round) QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

lw::Result<int> saveScreenshots(Session& session, MainWindow& window, const std::filesystem::path& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return lw::Error{lw::ErrorKind::io, "The folder " + folder.string() + " cannot be made: " + failure.message() + "."};
    window.show();
    int saved = 0;
    for (const bool dark : {false, true}) {
        theme::apply(dark);
        for (const QSize size : kSizes) {
            window.resize(size);
            window.resetLayout();
            for (const Named& page : kPages) {
                window.showPage(page.page);
                if (page.prepare != nullptr) page.prepare(session, window);
                waitForJobs(session);
                const QPixmap picture = window.grab();
                const QString scale = picture.devicePixelRatio() > 1 ? QStringLiteral("@%1x").arg(picture.devicePixelRatio()) : QString();
                const QString name = QStringLiteral("%1-%2-%3x%4%5.png").arg(QLatin1String(page.name), dark ? QStringLiteral("dark") : QStringLiteral("light")).arg(size.width()).arg(size.height()).arg(scale);
                const auto file = folder / name.toStdString();
                if (!picture.save(QString::fromStdString(file.string()))) return lw::Error{lw::ErrorKind::io, "The picture " + file.string() + " could not be written."};
                ++saved;
            }
        }
    }
    return saved;
}

}  // namespace lw::ui
