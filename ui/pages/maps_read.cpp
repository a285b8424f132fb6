/// What the Maps page says of the cell under the mouse and of the chosen head.
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/plot_theme.h"
#include "ui/plot/read_out.h"
#include "ui/session.h"

#include <cmath>

namespace lw::ui {

namespace {

QString piece(const lw::MapsInfo& info, std::int64_t position) {
    if (position < 0 || position >= static_cast<std::int64_t>(info.text.pieces.size())) return {};
    return QString::fromStdString(info.text.pieces[static_cast<std::size_t>(position)]);
}

QString cellHeading(const lw::MapsInfo& info, std::int64_t query, std::int64_t key) {
    return MapsPage::tr("i %1 “%2” · j %3 “%4” · distance %5").arg(integerText(query), piece(info, query), integerText(key), piece(info, key), integerText(query - key));
}

bool has(const lw::MapsInfo& info, lw::ScorePart part) { return std::find(info.parts.begin(), info.parts.end(), part) != info.parts.end(); }

}  // namespace

void MapsPage::hover(int place, std::int64_t query, std::int64_t key) {
    const lw::MapsInfo* info = session()->mapsInfo();
    if (!info) return;
    HeatMap* map = m_canvas->map(static_cast<MapsCanvas::Place>(place));
    if (place == MapsCanvas::kDifference) {
        const MapCell cell{query, key};
        const float a = m_canvas->map()->valueAt(cell), b = m_canvas->map(MapsCanvas::kSecond)->valueAt(cell);
        const auto text = [&](float value) { return std::isnan(value) ? tr("masked") : m_part == lw::ScorePart::probability ? shortText(value) : signedText(value, 2); };
        return map->showReadOut(cellHeading(*info, query, key), {{{}, tr("first"), text(a), {}}, {{}, tr("second"), text(b), {}}, {{}, tr("difference"), text(a - b), {}}});
    }
    if (key > query) {
        session()->compute().cancelChannel(QStringLiteral("cell"));
        return map->showReadOut(cellHeading(*info, query, key), {{{}, tr("masked: the key lies after the query"), {}, {}}});
    }
    const MapTarget target = place == MapsCanvas::kSecond ? secondTarget() : firstTarget();
    session()->compute().run<lw::CellArithmetic>(
        QStringLiteral("cell"), [target, query, key](const lw::RunContext&) { return target.session->cell(target.layer, target.head, query, key); }, this,
        [this, place](lw::Result<lw::CellArithmetic> cell) {
            if (cell.ok()) showCell(place, cell.value());
        });
}

void MapsPage::showCell(int place, const lw::CellArithmetic& cell) {
    HeatMap* map = m_canvas->map(static_cast<MapsCanvas::Place>(place));
    if (map->crosshair() != MapCell{cell.query, cell.key}) return;  // the mouse went on
    const lw::MapsInfo* info = place == MapsCanvas::kSecond && !m_other.key.isEmpty() ? &m_other.info : session()->mapsInfo();
    if (!info) return;
    if (!cell.visible) return map->showReadOut(cellHeading(*info, cell.query, cell.key), {{{}, tr("masked"), {}, {}}});
    const PlotTheme colours = PlotTheme::fromPalette(palette());
    std::vector<ReadOutRow> rows{{colours.part(lw::ScorePart::content), tr("content"), signedText(cell.content, 2), {}}};
    if (has(*info, lw::ScorePart::bias)) rows.push_back({colours.part(lw::ScorePart::bias), tr("bias"), signedText(cell.bias, 2), cell.bias_is_added ? QString() : tr("not added")});
    if (has(*info, lw::ScorePart::adaptive)) rows.push_back({colours.part(lw::ScorePart::adaptive), tr("adaptive"), signedText(cell.adaptive, 2), {}});
    rows.push_back({colours.part(lw::ScorePart::logit), tr("logit"), signedText(cell.logit, 2), {}});
    rows.push_back({colours.part(lw::ScorePart::probability), tr("probability"), shortText(cell.probability), {}});
    map->showReadOut(cellHeading(*info, cell.query, cell.key), rows);
}

void MapsPage::describeHead() {
    if (!isVisible() || !session()->mapsInfo()) return;
    const HeadKey head{session()->layer(), session()->head()};
    DetailSection section, similar;
    if (const lw::HeadMeasures* m = m_heads->measuresOf(head)) {
        const PlotTheme colours = PlotTheme::fromPalette(palette());
        section.heading = tr("Head %1, layer %2").arg(m->head).arg(m->layer);
        section.facts = {{tr("Class"), QString::fromStdString(m->head_class), colours.headClass(m->head_class)},
                         {tr("Far − near contrast C"), tr("%1 nats").arg(signedText(m->contrast, 2)), {}},
                         {tr("Rank correlation ρ"), signedText(m->rank, 2), {}},
                         {tr("Locality λ"), signedText(m->locality, 2), {}}};
        if (m->adaptivity > 0) section.facts.push_back({tr("Adaptivity A"), numberText(m->adaptivity, 2), {}});
        QStringList names{tr("content")}, sizes{shortText(m->rms_content)};
        if (has(*session()->mapsInfo(), lw::ScorePart::bias)) names << tr("bias"), sizes << shortText(m->rms_bias);
        if (has(*session()->mapsInfo(), lw::ScorePart::adaptive)) names << tr("adaptive"), sizes << shortText(m->rms_adaptive);
        section.facts.push_back({tr("RMS %1").arg(names.join(QStringLiteral(" / "))), sizes.join(QStringLiteral(" / ")), {}});
        section.facts.push_back({tr("Entropy of the row"), tr("%1 nats").arg(numberText(m->entropy, 2)), {}});
        section.facts.push_back({tr("Mass beyond L"), numberText(m->beyond_training, 2), {}});
        section.facts.push_back({tr("Mass on key 0"), numberText(m->first_key, 2), {}});
        section.actions.push_back({tr("Measure over 16 texts"), [this] { measureOverTexts(); }});
    }
    const std::vector<SimilarHead> list = similarHeads(m_heads->tiles(), head, 3);
    if (!list.empty()) similar.heading = tr("Most similar heads");
    for (const SimilarHead& other : list) similar.facts.push_back({tr("Layer %1, head %2").arg(other.head.first).arg(other.head.second), numberText(other.correlation, 2), {}});
    session()->setDetails(QStringLiteral("head"), section);
    session()->setDetails(QStringLiteral("similar"), similar);
}

void MapsPage::measureOverTexts() {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run) return;
    lw::MapsRequest request;
    request.run = run->info.folder;
    request.text = session()->textRequest();
    lw::MeasureRequest measure;
    measure.query = session()->effectiveQuery();
    session()->compute().enqueue<std::vector<lw::HeadMeasures>>(
        tr("Measuring the heads of %1").arg(run->title()), [request, measure](const lw::RunContext& context) { return lw::measure_heads(request, measure, context); }, this,
        [this, key = run->key](lw::Result<std::vector<lw::HeadMeasures>> measures) {
            if (!measures.ok()) {
                if (measures.error().kind != lw::ErrorKind::cancelled) session()->report(measures.error(), tr("Measuring the heads"));
                return;
            }
            if (key == session()->mapsRun()) m_heads->setMeasures(measures.value());
        });
}

}  // namespace lw::ui
