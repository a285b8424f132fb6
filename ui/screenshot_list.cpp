/// See screenshot_list.h.
#include "ui/screenshot_list.h"

#include "core/api/doctor.h"
#include "core/api/study.h"
#include "ui/forms/scheme_form.h"
#include "ui/main_window.h"
#include "ui/models/runs_model.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/encodings_page.h"
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_texts.h"
#include "ui/pages/studies_page.h"
#include "ui/plot/segmented.h"
#include "ui/screenshots.h"

#include <QListView>
#include <QPushButton>

#include <algorithm>

namespace lw::ui {

namespace {

/// The Encodings page with a scheme that comes with the program, as curves or as maps.
void showScheme(MainWindow& window, const char* preset, EncodingsPage::View view) {
    auto* page = static_cast<EncodingsPage*>(window.page(PageId::encodings));
    if (const auto scheme = lw::find_scheme(preset); scheme.ok()) page->schemeForm()->setScheme(scheme.value());
    Q_EMIT page->schemeForm()->edited();
    page->setView(view);
}

/// The study of the demo models, which are finished, with values that a paper states beside them.
void showStudy(MainWindow& window, StudiesPage::View view) {
    auto* page = static_cast<StudiesPage*>(window.page(PageId::studies));
    if (page->loaded() == nullptr) {
        if (auto spec = lw::read_study(lw::resource_folder() / "studies" / "demo.json"); spec.ok()) {
            spec.value().published = "dape-arxiv-125m-l128";
            page->addSpec(spec.value(), false);
        }
    }
    page->setView(view);
}

void exportAtlas(MainWindow& window) { Q_EMIT static_cast<MapsPage*>(window.page(PageId::maps))->heads()->atlas()->exportRequested(); }
void savePlaces(MainWindow& window) { Q_EMIT static_cast<MapsPage*>(window.page(PageId::maps))->heads()->texts()->saveRequested(); }

/// The seeds under the first heading in the list of runs.
void openSeeds(MainWindow& window, bool open) {
    auto* model = window.findChild<QListView*>(QStringLiteral("runsView"))->model();
    for (int row = 0; row < model->rowCount(); ++row)
        if (model->setData(model->index(row, 0), open, RunsModel::OpenRole)) return;
}

void showCurves(MainWindow& window, CurvesMode mode, bool beyond) {
    openSeeds(window, false);
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

/// As a person chooses one of several views; segments that are not there are not chosen.
void choose(QWidget* page, const char* segmented, int id) {
    const auto* views = page->findChild<Segmented*>(QLatin1String(segmented));
    if (views != nullptr && views->button(id) != nullptr) views->button(id)->click();
}

/// Dots alone, or with their ways over lengths.
void showAtlas(Session& session, MainWindow& window, bool lengths) {
    MapsPage* page = showHeads(session, window, HeadsPanel::kAtlas);
    waitForJobs(session);
    choose(page, "atlasWays", lengths ? 1 : 0);
}

/// The text that follows beside the one that is open.
void showTexts(Session& session, MainWindow& window, bool allHeads) {
    MapsPage* page = showHeads(session, window, HeadsPanel::kTexts);
    choose(page, "textsScope", allHeads ? 1 : 0);
    waitForJobs(session);
    lw::TextRequest next = session.textRequest();
    next.offset += next.length;
    page->compareWithText(next);
}

}  // namespace

const std::vector<Shot>& demoShots() {
    static const std::vector<Shot> shots{
        {PageId::curves, "curves-seeds", [](Session&, MainWindow& window) {
             showCurves(window, CurvesMode::perplexity, false);
             openSeeds(window, true);
         }},
        {PageId::curves, "curves", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::perplexity, false); }},
        {PageId::curves, "curves-position", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::position, false); }},
        {PageId::curves, "curves-beyond", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::position, true); }},
        {PageId::curves, "dialog-evaluate", [](Session&, MainWindow& window) { showCurves(window, CurvesMode::perplexity, false); }, [](MainWindow& window) { window.page(PageId::curves)->evaluate(); }},
        {PageId::maps, "maps", [](Session& session, MainWindow& window) { showHeads(session, window, HeadsPanel::kPictures); }},
        {PageId::maps, "maps-atlas", [](Session& session, MainWindow& window) { showAtlas(session, window, false); }},
        {PageId::maps, "dialog-export-atlas", [](Session& session, MainWindow& window) { showAtlas(session, window, false); }, exportAtlas},
        {PageId::maps, "maps-atlas-lengths", [](Session& session, MainWindow& window) { showAtlas(session, window, true); }},
        {PageId::maps, "dialog-export-atlas-lengths", [](Session& session, MainWindow& window) { showAtlas(session, window, true); }, exportAtlas},
        {PageId::maps, "maps-texts", [](Session& session, MainWindow& window) { showTexts(session, window, false); }},
        {PageId::maps, "dialog-save-places", [](Session& session, MainWindow& window) { showTexts(session, window, false); }, savePlaces},
        {PageId::maps, "maps-texts-all-heads", [](Session& session, MainWindow& window) { showTexts(session, window, true); }},
        {PageId::encodings, "encodings", [](Session&, MainWindow& window) { showScheme(window, "kerple-log", EncodingsPage::kCurves); }},
        {PageId::encodings, "encodings-extended", [](Session&, MainWindow& window) { showScheme(window, "rope-yarn", EncodingsPage::kCurves); }},
        {PageId::encodings, "encodings-maps", [](Session&, MainWindow& window) { showScheme(window, "rope-self-extend", EncodingsPage::kMaps); }},
        {PageId::train, "train"},
        {PageId::tasks, "tasks"},
        {PageId::studies, "studies", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kMatrix); }},
        {PageId::studies, "studies-curves", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kCurves); }},
        {PageId::studies, "studies-table", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kTable); }},
        {PageId::studies, "studies-report", [](Session&, MainWindow& window) { showStudy(window, StudiesPage::kReport); }},
        {PageId::studies, "dialog-new-study", nullptr, [](MainWindow& window) { window.page(PageId::studies)->findChild<QPushButton*>(QStringLiteral("newStudy"))->click(); }}};
    return shots;
}

const std::vector<Shot>& emptyShots() {
    static const std::vector<Shot> shots{{PageId::curves, "empty-curves"}, {PageId::maps, "empty-maps"}, {PageId::encodings, "empty-encodings"},
                                         {PageId::train, "empty-train"},   {PageId::tasks, "empty-tasks"}, {PageId::studies, "empty-studies"}};
    return shots;
}

}  // namespace lw::ui
