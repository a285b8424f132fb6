/// What the Maps page says of the cell under the mouse and of the chosen head.
#include "ui/pages/maps_atlas.h"
#include "ui/pages/maps_heads.h"
#include "ui/pages/maps_page.h"
#include "ui/plot/heat_map.h"
#include "ui/plot/number_text.h"
#include "ui/plot/plot_theme.h"
#include "ui/plot/read_out.h"
#include "ui/session.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lw::ui {

namespace {

constexpr std::int64_t kTexts = 16;
constexpr std::int64_t kTrailTexts = 4;  // over several lengths or checkpoints

QString piece(const lw::MapsInfo& info, std::int64_t position) {
    if (position < 0 || position >= static_cast<std::int64_t>(info.text.pieces.size())) return {};
    return QString::fromStdString(info.text.pieces[static_cast<std::size_t>(position)]);
}

QString cellHeading(const lw::MapsInfo& info, std::int64_t query, std::int64_t key) {
    return MapsPage::tr("i %1 “%2” · j %3 “%4” · distance %5").arg(integerText(query), piece(info, query), integerText(key), piece(info, key), integerText(query - key));
}

bool has(const lw::MapsInfo& info, lw::ScorePart part) { return std::find(info.parts.begin(), info.parts.end(), part) != info.parts.end(); }

}  // namespace

const lw::MapsInfo* MapsPage::infoOf(int place) const { return place == MapsCanvas::kSecond && m_other.maps ? &m_other.info : session()->mapsInfo(); }

void MapsPage::hover(int place, std::int64_t query, std::int64_t key) {
    const lw::MapsInfo* info = infoOf(place);
    if (!info) return;
    m_hoverPlace = place;
    if (key > query && info->causal) {
        session()->compute().cancelChannel(QStringLiteral("cell"));
        return m_canvas->map(static_cast<MapsCanvas::Place>(place))->showReadOut(cellHeading(*info, query, key), {{{}, tr("masked: the key lies after the query"), {}, {}}});
    }
    if (place == MapsCanvas::kDifference) return hoverDifference(query, key);
    const MapTarget target = place == MapsCanvas::kSecond ? secondTarget() : firstTarget();
    session()->compute().run<lw::CellArithmetic>(
        QStringLiteral("cell"), [target, query, key](const lw::RunContext&) { return target.session->cell(target.layer, target.head, query, key); }, this,
        [this, place](lw::Result<lw::CellArithmetic> cell) {
            if (cell.ok()) showCell(place, cell.value());
        });
}

/// The cell itself in both maps: a pixel of the pictures may stand for many, and pools them.
void MapsPage::hoverDifference(std::int64_t query, std::int64_t key) {
    const MapTarget first = firstTarget(), second = secondTarget();
    if (!first.session || !second.session || query >= second.length) return;
    session()->compute().run<std::array<lw::CellArithmetic, 2>>(
        QStringLiteral("cell"),
        [first, second, query, key](const lw::RunContext&) -> lw::Result<std::array<lw::CellArithmetic, 2>> {
            const auto a = first.session->cell(first.layer, first.head, query, key), b = second.session->cell(second.layer, second.head, query, key);
            if (!a.ok()) return a.error();
            if (!b.ok()) return b.error();
            return std::array<lw::CellArithmetic, 2>{a.value(), b.value()};
        },
        this,
        [this, query, key, parts = std::pair{first.part, second.part}](lw::Result<std::array<lw::CellArithmetic, 2>> cells) {
            HeatMap* map = m_canvas->map(MapsCanvas::kDifference);
            const lw::MapsInfo* info = session()->mapsInfo();
            if (!cells.ok() || !info || m_hoverPlace != MapsCanvas::kDifference || map->crosshair() != MapCell{query, key}) return;
            const double a = partOf(cells.value()[0], parts.first), b = partOf(cells.value()[1], parts.second);
            const auto text = [&](double value) { return m_part == lw::ScorePart::probability ? shortText(value) : signedText(value, 2); };
            map->showReadOut(cellHeading(*info, query, key), {{{}, tr("first"), text(a), {}}, {{}, tr("second"), text(b), {}}, {{}, tr("difference"), text(a - b), {}}});
        });
}

void MapsPage::endHover() {
    m_hoverPlace = -1;
    session()->compute().cancelChannel(QStringLiteral("cell"));
    for (const MapsCanvas::Place place : {MapsCanvas::kFirst, MapsCanvas::kSecond, MapsCanvas::kDifference}) m_canvas->map(place)->hideReadOut();
}

void MapsPage::showCell(int place, const lw::CellArithmetic& cell) {
    HeatMap* map = m_canvas->map(static_cast<MapsCanvas::Place>(place));
    const lw::MapsInfo* info = infoOf(place);
    if (!info || m_hoverPlace != place || map->crosshair() != MapCell{cell.query, cell.key}) return;  // the mouse went on
    if (!cell.visible) return map->showReadOut(cellHeading(*info, cell.query, cell.key), {{{}, tr("masked"), {}, {}}});
    const PlotTheme colours = PlotTheme::fromPalette(palette());
    std::vector<ReadOutRow> rows{{colours.part(lw::ScorePart::content), tr("content"), signedText(cell.content, 2), {}}};
    if (has(*info, lw::ScorePart::bias)) rows.push_back({colours.part(lw::ScorePart::bias), tr("bias"), signedText(cell.bias, 2), cell.bias_is_added ? QString() : tr("not added")});
    if (has(*info, lw::ScorePart::adaptive)) rows.push_back({colours.part(lw::ScorePart::adaptive), tr("adaptive"), signedText(cell.adaptive, 2), {}});
    rows.push_back({colours.part(lw::ScorePart::logit), tr("logit"), signedText(cell.logit, 2), {}});
    rows.push_back({colours.part(lw::ScorePart::probability), tr("probability"), shortText(cell.probability), {}});
    map->showReadOut(cellHeading(*info, cell.query, cell.key), rows);
}

DetailSection MapsPage::headSection(const lw::HeadMeasures& m) {
    const PlotTheme colours = PlotTheme::fromPalette(palette());
    const lw::MapsInfo& info = *session()->mapsInfo();
    DetailSection section;
    section.heading = tr("Head %1, layer %2").arg(m.head).arg(m.layer);
    section.facts = {{tr("Class"), QString::fromStdString(m.head_class), colours.headClass(m.head_class)},
                     {tr("Far − near contrast C"), tr("%1 nats").arg(signedText(m.contrast, 2)), {}},
                     {tr("Rank correlation ρ"), signedText(m.rank, 2), {}},
                     {tr("Locality λ"), signedText(m.locality, 2), {}}};
    if (m.adaptivity > 0) section.facts.push_back({tr("Adaptivity A"), numberText(m.adaptivity, 2), {}});
    QStringList names{tr("content")}, sizes{shortText(m.rms_content)};
    if (has(info, lw::ScorePart::bias)) names << tr("bias"), sizes << shortText(m.rms_bias);
    if (has(info, lw::ScorePart::adaptive)) names << tr("adaptive"), sizes << shortText(m.rms_adaptive);
    section.facts.push_back({tr("RMS %1").arg(names.join(QStringLiteral(" / "))), sizes.join(QStringLiteral(" / ")), {}});
    section.facts.push_back({tr("Entropy of the row"), tr("%1 nats").arg(numberText(m.entropy, 2)), {}});
    section.facts.push_back({tr("Mass beyond L"), numberText(m.beyond_training, 2), {}});
    section.facts.push_back({tr("Mass on key 0"), numberText(m.first_key, 2), {}});
    const bool one = m.texts == 1;
    section.facts.push_back({tr("Measured over"), one ? tr("1 text") : tr("%1 texts").arg(m.texts), {}});
    // Typed text stands alone: there is nothing to average over.
    if (one && session()->textRequest().text.empty()) section.actions.push_back({tr("Measure over %1 texts").arg(kTexts), [this] { measureOverTexts(); }});
    return section;
}

void MapsPage::describeHead() {
    if (!isVisible() || !session()->mapsInfo()) return;
    const HeadKey head{session()->layer(), session()->head()};
    DetailSection section;
    if (const lw::HeadMeasures* measures = m_heads->measuresOf(head)) section = headSection(*measures);
    session()->setDetails(QStringLiteral("head"), section);
    describeSimilar(head);
}

/// What comes back belongs to the run, checkpoint, text and row it was asked for; when one of them changed, it is not shown.
void MapsPage::measureOverTexts() {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run) return;
    lw::MapsRequest request;
    request.run = run->info.folder;
    request.step = session()->mapsInfo()->step;
    request.text = session()->textRequest();
    lw::MeasureRequest measure;
    measure.query = session()->effectiveQuery();
    measure.sequences = kTexts;
    session()->compute().enqueue<std::vector<lw::HeadMeasures>>(
        tr("Measuring the heads of %1").arg(run->title()), [request, measure](const lw::RunContext& context) { return lw::measure_heads(request, measure, context); }, this,
        [this, maps = std::weak_ptr(session()->maps()), query = measure.query](lw::Result<std::vector<lw::HeadMeasures>> measures) {
            if (!measures.ok()) return session()->report(measures.error(), tr("Measuring the heads"));
            if (maps.lock() == session()->maps() && query == session()->effectiveQuery()) m_heads->setMeasures(measures.value());
        });
}

namespace {

/// From half of L to eight times L, as far as the text reaches; the text's own length where L is longer than it.
std::vector<std::int64_t> trailLengths(const lw::MapsInfo& info, std::int64_t tokens) {
    std::vector<std::int64_t> lengths;
    const std::int64_t shortest = std::max<std::int64_t>(2, info.train_length / 2);
    for (std::int64_t length = shortest; length <= std::min(16 * shortest, tokens); length *= 2) lengths.push_back(length);
    if (lengths.empty()) lengths.push_back(info.length);
    return lengths;
}

}  // namespace

/// Belongs to the run and text it was asked for; not shown when one of them changed.
void MapsPage::measureTrails(lw::TrailAxis over) {
    const RunEntry* run = session()->findRun(session()->mapsRun());
    if (!run || !session()->mapsInfo()) return m_heads->atlas()->dropRequest(over);
    const lw::MapsInfo& info = *session()->mapsInfo();
    lw::AtlasRequest request;
    request.run = run->info.folder;
    request.text = session()->textRequest();
    request.steps = {info.step};
    request.lengths = {info.length};
    request.measure.sequences = kTrailTexts;
    if (over == lw::TrailAxis::length) request.lengths = trailLengths(info, std::max(info.length, info.text.document_tokens - info.text.offset));
    else for (const lw::CheckpointInfo& checkpoint : run->info.checkpoints) request.steps.push_back(checkpoint.step);
    session()->compute().enqueue<lw::HeadAtlas>(
        tr("Measuring the heads of %1").arg(run->title()), [request](const lw::RunContext& context) { return lw::head_atlas(request, context); }, this,
        [this, over, maps = std::weak_ptr(session()->maps())](lw::Result<lw::HeadAtlas> atlas) {
            if (!atlas.ok()) session()->report(atlas.error(), tr("Measuring the heads"));
            const auto of = maps.lock();
            if (of == nullptr || of != session()->maps()) return;
            if (atlas.ok()) m_heads->atlas()->setAtlas(atlas.value(), over);
            else m_heads->atlas()->dropRequest(over);
        });
}

}  // namespace lw::ui
