/// Menus of the Maps page: what to compare with, and how maps are shown.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_texts.h"
#include "ui/pages/maps_view.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"
#include "ui/tile_memory.h"

#include <QInputDialog>
#include <QMenu>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lw::ui {

void MapsPage::openCompareMenu() {
    if (comparing()) return stopComparing();
    QMenu menu(this);
    fillHeadMenu(&menu);
    fillRunMenu(menu.addMenu(tr("Another run")));
    fillStepMenu(menu.addMenu(tr("Another checkpoint")));
    fillTextMenu(menu.addMenu(tr("Another text")));
    menu.exec(m_compareButton->mapToGlobal(QPoint(0, m_compareButton->height())));
}

void MapsPage::fillHeadMenu(QMenu* menu) {
    menu->addSection(tr("Another head: Ctrl + click its picture, or"));
    const HeadKey own{session()->layer(), session()->head()};
    for (const SimilarHead& similar : similarHeads(m_heads->tiles(), own, 2))
        menu->addAction(tr("Layer %1, head %2 (most alike, %3)").arg(similar.head.first).arg(similar.head.second).arg(numberText(similar.correlation, 2)), this,
                        [this, head = similar.head] { compareWithHead(head.first, head.second); });
    // The opposite of the present head says most: an anti-local one for a local one, and the other way round.
    const lw::HeadMeasures* mine = m_heads->measuresOf(own);
    const lw::HeadMeasures* opposite = nullptr;
    for (const lw::HeadMeasures& m : m_heads->measures())
        if (mine && (!opposite || std::abs(m.contrast - mine->contrast) > std::abs(opposite->contrast - mine->contrast))) opposite = &m;
    if (opposite && opposite != mine)
        menu->addAction(tr("Layer %1, head %2 (most unlike: %3, C %4)").arg(opposite->layer).arg(opposite->head).arg(QString::fromStdString(opposite->head_class), signedText(opposite->contrast, 1)), this,
                        [this, layer = opposite->layer, head = opposite->head] { compareWithHead(layer, head); });
    menu->addSection(tr("The same head of"));
}

void MapsPage::fillRunMenu(QMenu* menu) {
    for (const RunEntry& run : session()->runs()) {
        if (run.key == session()->mapsRun() || run.info.checkpoints.empty()) continue;
        menu->addAction(tr("%1, seed %2").arg(run.title()).arg(run.info.recipe.seed), this, [this, key = run.key] { compareWithRun(key); });
    }
    menu->menuAction()->setEnabled(!menu->isEmpty());
}

void MapsPage::fillStepMenu(QMenu* menu) {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    const std::int64_t shown = session()->mapsInfo() ? session()->mapsInfo()->step : -1;
    for (const lw::CheckpointInfo& checkpoint : run ? run->info.checkpoints : std::vector<lw::CheckpointInfo>{}) {
        if (checkpoint.step == shown) continue;
        menu->addAction(checkpoint.best ? tr("Step %1 (best)").arg(integerText(checkpoint.step)) : tr("Step %1").arg(integerText(checkpoint.step)), this,
                        [this, step = checkpoint.step] { compareWithStep(step); });
    }
    menu->menuAction()->setEnabled(!menu->isEmpty());
}

/// What follows in this document stands apart from other ones.
void MapsPage::fillTextMenu(QMenu* menu) {
    for (const OfferedText& offered : offeredTexts()) {
        menu->addAction(offered.label, this, [this, text = offered.text] { compareWithText(text); });
        if (offered.text.offset > 0) menu->addSeparator();
    }
    if (!menu->isEmpty()) menu->addSeparator();
    menu->addAction(tr("Typed text…"), this, [this] {
        lw::TextRequest typed;
        typed.text = QInputDialog::getText(this, tr("Another text"), tr("Second text")).trimmed().toStdString();
        if (!typed.text.empty()) compareWithText(typed);
    });
}

/// For the menu of texts: it opens at once, so the list is there before.
void MapsPage::readDocuments() {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run || std::exchange(m_documentsRun, run->key) == run->key) return;
    session()->compute().run<std::vector<lw::DocumentInfo>>(
        QStringLiteral("maps documents"), [folder = run->info.folder](const lw::RunContext&) { return lw::run_documents(folder); }, this,
        [this](lw::Result<std::vector<lw::DocumentInfo>> documents) {
            m_documents = documents.ok() ? std::move(documents).value() : std::vector<lw::DocumentInfo>{};
            showTexts();
        });
}

void MapsPage::fillCheckpointMenu(QMenu* menu) {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run || run->info.checkpoints.size() < 2) return;
    menu->addSection(tr("Checkpoint"));
    const auto add = [&](const QString& text, std::int64_t step) {
        QAction* action = menu->addAction(text, this, [this, step] { session()->setStep(step); });
        action->setCheckable(true);
        action->setChecked(session()->step() == step);
    };
    add(tr("Best"), -1);
    for (const lw::CheckpointInfo& checkpoint : run->info.checkpoints) add(tr("Step %1").arg(integerText(checkpoint.step)), checkpoint.step);
}

/// Both scales are kept, whichever part is looked at when a person asks for it.
void MapsPage::setLimits(Limits limits) {
    const bool probability = m_part == lw::ScorePart::probability;
    if (limits == Limits::kept) {
        const double now = m_canvas->map()->scale().high;
        m_keptSigned = !probability ? std::optional(now) : m_firstView->spreads().empty() ? std::nullopt : std::optional(scaleFor(lw::ScorePart::bias, m_firstView->spreads(), false).high);
        m_keptProbability = probability ? std::optional(now) : std::nullopt;
    }
    m_limits = limits;
    QSettings& settings = session()->settings();
    settings.setValue(QStringLiteral("maps/limits"), static_cast<int>(limits));
    settings.setValue(QStringLiteral("maps/keptSigned"), m_keptSigned.value_or(0));
    settings.setValue(QStringLiteral("maps/keptProbability"), m_keptProbability.value_or(0));
    applyScale();
}

void MapsPage::setReducer(lw::Reducer reducer) {
    m_reducer = reducer;
    session()->settings().setValue(QStringLiteral("maps/reducer"), QLatin1String(lw::reducer_name(reducer)));
    if (session()->mapsInfo()) setTargets();
}

void MapsPage::openViewMenu() {
    QMenu menu(this);
    fillViewMenu(&menu);
    menu.exec(m_viewButton->mapToGlobal(QPoint(0, m_viewButton->height())));
}

void MapsPage::fillViewMenu(QMenu* menu) {
    const auto choice = [this](QMenu* into, const QString& text, bool checked, std::function<void()> call) {
        QAction* action = into->addAction(text, this, std::move(call));
        action->setCheckable(true);
        action->setChecked(checked);
    };
    menu->addSection(tr("Colour limits"));
    choice(menu, tr("One for all parts of the head"), m_limits == Limits::head, [this] { setLimits(Limits::head); });
    choice(menu, tr("Fitted to what is seen"), m_limits == Limits::seen, [this] { setLimits(Limits::seen); });
    choice(menu, tr("Kept while heads change"), m_limits == Limits::kept, [this] { setLimits(Limits::kept); });
    menu->addSection(tr("Several cells in one pixel"));
    choice(menu, tr("Largest magnitude with its sign"), m_reducer == lw::Reducer::signed_max_abs, [this] { setReducer(lw::Reducer::signed_max_abs); });
    choice(menu, tr("Largest value"), m_reducer == lw::Reducer::max, [this] { setReducer(lw::Reducer::max); });
    choice(menu, tr("Mean"), m_reducer == lw::Reducer::mean, [this] { setReducer(lw::Reducer::mean); });
    menu->addSection(tr("Colours"));
    const bool probability = m_part == lw::ScorePart::probability;
    for (const ColourMapId id : probability ? std::vector{ColourMapId::night, ColourMapId::ink} : std::vector{ColourMapId::blueRed, ColourMapId::purpleGreen}) {
        choice(menu, colourMapName(id), (probability ? m_probabilityMap : m_signedMap) == id, [this, id, probability] {
            (probability ? m_probabilityMap : m_signedMap) = id;
            session()->settings().setValue(probability ? QStringLiteral("maps/probabilityColours") : QStringLiteral("maps/signedColours"), QString::fromStdString(colourMapKey(id)));
            applyScale();
            showDifference();
        });
    }
    menu->addSection(tr("Pictures of the heads"));
    choice(menu, tr("Limits of their own"), m_heads->ownLimits(), [this] {
        m_heads->setOwnLimits(!m_heads->ownLimits());
        session()->settings().setValue(QStringLiteral("maps/ownLimits"), m_heads->ownLimits());
    });
    choice(menu, tr("Most local head first"), m_heads->sortedByLocality(), [this] {
        m_heads->setSortedByLocality(!m_heads->sortedByLocality());
        session()->settings().setValue(QStringLiteral("maps/sorted"), m_heads->sortedByLocality());
    });
    QMenu* memory = menu->addMenu(tr("Memory for finished tiles"));
    memory->setObjectName(QStringLiteral("tileMemoryMenu"));
    fillTileMemoryMenu(memory, session()->settings(), [this](std::int64_t bytes) {
        for (const auto& maps : {session()->maps(), m_other.maps})
            if (maps) maps->set_tile_budget(bytes);
    });
    fillCheckpointMenu(menu);
}

}  // namespace lw::ui
