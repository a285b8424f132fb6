/// What the left side of the Maps page gives to files and to the clipboard: the atlas of heads, and how they depend on the text.
#include "ui/forms/save_figure.h"
#include "ui/forms/save_table.h"
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/pages/maps_texts.h"
#include "ui/plot/atlas_plot.h"
#include "ui/plot/map_painter.h"
#include "ui/plot/number_text.h"
#include "ui/session.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMimeData>

namespace lw::ui {

namespace {

/// "128" or "128 to 2,048".
QString spanText(const std::vector<std::int64_t>& stops) {
    const QString first = integerText(stops.front());
    return stops.size() < 2 ? first : MapsPage::tr("%1 to %2").arg(first, integerText(stops.back()));
}

}  // namespace

void MapsPage::connectExports() {
    connect(m_heads->atlas(), &HeadAtlasView::exportRequested, this, &MapsPage::exportAtlas);
    connect(m_heads->atlas(), &HeadAtlasView::copyRequested, this, &MapsPage::copyAtlas);
    connect(m_heads->texts(), &TextsView::saveRequested, this, &MapsPage::saveTexts);
}

/// What is seen at the left comes before the maps.
void MapsPage::addHeadsChoices(QMenu* menu, MapsCanvas::Place place) {
    const bool atlas = m_heads->view() == HeadsPanel::kAtlas && !m_heads->atlas()->plot()->content().empty();
    const bool texts = m_heads->view() == HeadsPanel::kTexts && m_heads->texts()->hasNumbers();
    if (atlas) menu->addAction(tr("The atlas of the heads…"), this, [this, place] { exportAs(Figure::atlas, place); });
    if (texts) menu->addAction(m_heads->texts()->allHeads() ? tr("The table of all heads, as CSV…") : tr("The list of places, as CSV…"), this, [this, place] { exportAs(Figure::texts, place); });
    if (atlas || texts) menu->addSeparator();
}

/// As the command line has it below a figure of its own.
QString MapsPage::atlasSubtitle() const {
    const lw::HeadAtlas& atlas = m_heads->atlas()->shown();
    const lw::MapsInfo& info = *session()->mapsInfo();
    const RunEntry* run = session()->findRun(session()->mapsRun());
    const bool ways = m_heads->atlas()->showsWays();
    const QString lengths = ways ? spanText(atlas.lengths) : integerText(info.length), steps = ways ? spanText(atlas.steps) : integerText(info.step);
    QString text = tr("%1 tokens, trained at L = %2, seed %3, step %4").arg(lengths, integerText(info.train_length)).arg(run ? run->info.recipe.seed : 0).arg(steps);
    if (!ways) text += tr(", query %1").arg(integerText(session()->effectiveQuery()));
    return atlas.texts > 1 ? tr("%1; %2 texts").arg(text).arg(atlas.texts) : text;
}

FigureOptions MapsPage::atlasOptions() const {
    FigureOptions options = exportOptions(session()->settings(), QStringLiteral("atlas"));
    const RunEntry* run = session()->findRun(session()->mapsRun());
    options.title = tr("%1: %2 of its heads").arg(run ? run->title() : QString(), partText(m_heads->atlas()->shown().of)).toStdString();
    options.subtitle = atlasSubtitle().toStdString();
    QJsonObject state = QJsonDocument::fromJson(QByteArray::fromStdString(stateJson(MapsCanvas::kFirst))).object();
    state[QStringLiteral("figure")] = QStringLiteral("atlas");
    state[QStringLiteral("axis")] = m_heads->atlas()->axis();
    options.state = QJsonDocument(state).toJson().toStdString();
    return options;
}

void MapsPage::exportAtlas() {
    const AtlasContent content = m_heads->atlas()->plot()->content();
    if (!canExport() || content.empty()) return;
    exportWith(atlasOptions(), [content, csv = m_heads->atlas()->csv()](const FigureOptions& options) { return render_atlas_content_figure(content, csv, options); }, session(), this);
}

void MapsPage::copyAtlas() {
    AtlasPlot* plot = m_heads->atlas()->plot();
    if (plot->content().empty()) return;
    auto* mime = new QMimeData;  // the clipboard takes it
    mime->setImageData(plot->grab().toImage());
    mime->setText(QString::fromStdString(m_heads->atlas()->csv()));
    QGuiApplication::clipboard()->setMimeData(mime);
    session()->notice(tr("Copied the atlas and its numbers."));
}

void MapsPage::saveTexts() {
    const TextsView* texts = m_heads->texts();
    if (!texts->hasNumbers()) return;
    const QString head = QStringLiteral("texts-layer%1-head%2").arg(session()->layer()).arg(session()->head());
    saveTable(texts->allHeads() ? QStringLiteral("texts-all-heads") : head, texts->csv(), session(), this);
}

}  // namespace lw::ui
