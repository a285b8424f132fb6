/// See encoding_plots.h.
#include "ui/plot/encoding_plots.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace lw::ui {

namespace {

using Schemes = std::vector<ShownScheme>;
using Values = std::vector<double>;

QString translate(const char* text) { return QCoreApplication::translate("Encodings", text); }

/// Distance 0 has no place on a logarithmic axis; its value is the same as that at 1 to the eye for all but the input.
CurveSeries againstDistance(const std::vector<std::int64_t>& distance, const Values& value, bool logarithmic) {
    CurveSeries series;
    series.markers = false;
    for (std::size_t p = 0; p < distance.size() && p < value.size(); ++p) {
        if (logarithmic && distance[p] == 0) continue;
        series.x.push_back(static_cast<double>(distance[p]));
        series.y.push_back(value[p]);
    }
    return series;
}

CurveContent distanceContent(const QString& label, const EncodingView& view) {
    CurveContent content;
    content.xLabel = translate("distance δ (tokens)");
    content.xName = QStringLiteral("δ");
    content.yLabel = label;
    content.logTwoX = view.logDistance;
    content.trainLength = static_cast<double>(view.trainLength);
    content.marks.push_back({static_cast<double>(view.trainLength), translate("L = %1").arg(integerText(view.trainLength))});
    return content;
}

CurveContent pairContent(const QString& label) {
    CurveContent content;
    content.xLabel = translate("rotated pair");
    content.xName = translate("pair");
    content.yLabel = label;
    content.logTwoX = false;
    return content;
}

constexpr qsizetype kLongestTitle = 16;

/// Names of own combinations list every method; beside a small plot they would leave no room for it. Tables have them in full.
QString shortened(const QString& title) { return title.size() <= kLongestTitle ? title : title.left(kLongestTitle - 1).trimmed() + QStringLiteral("…"); }

/// What tells a pinned scheme from that of the form stays whole.
QString nameOf(const ShownScheme& scheme) { return scheme.pinned ? translate("%1 (pinned)").arg(scheme.title) : scheme.title; }
QString labelOf(const ShownScheme& scheme) { return scheme.pinned ? translate("%1 (pinned)").arg(shortened(scheme.title)) : shortened(scheme.title); }

/// One word is enough while a scheme is compared with itself only.
QString plainTitle(const Schemes& schemes, const ShownScheme& scheme) {
    return schemes.size() > 1 ? translate("%1 plain").arg(labelOf(scheme)) : translate("plain");
}

void add(CurveContent& content, CurveSeries series, const QString& title, int style) {
    if (series.x.empty()) return;
    series.title = title;
    series.style = style;
    content.series.push_back(std::move(series));
}

void add(CurveContent& content, CurveSeries series, const ShownScheme& scheme) {
    if (labelOf(scheme) != nameOf(scheme)) series.name = nameOf(scheme);
    add(content, std::move(series), labelOf(scheme), scheme.style);
}

/// Grey, once: extensions of one scheme have the same plain line.
void addPlain(CurveContent& content, CurveSeries series, const QString& title, const QString& name = {}) {
    const auto same = [&](const CurveSeries& other) { return other.faint && other.x == series.x && other.y == series.y; };
    if (std::any_of(content.series.begin(), content.series.end(), same)) return;
    series.faint = true;
    series.markers = false;
    series.name = name;
    series.title = title;
    if (!series.x.empty()) content.series.push_back(std::move(series));
}

/// The chosen row of a list with one row for each head or one for all; empty when there is none.
Values rowOf(const std::vector<Values>& rows, std::int64_t head) {
    if (rows.empty()) return {};
    return rows[std::min(static_cast<std::size_t>(std::max<std::int64_t>(0, head)), rows.size() - 1)];
}

Values used(const lw::EncodingPreview& p, const EncodingView& view) {
    Values distance = rowOf(p.effective_distance, view.head);
    if (distance.empty()) distance.assign(p.distance.begin(), p.distance.end());
    for (std::size_t n = 0; n < distance.size() && n < p.visible.size(); ++n)
        if (!p.visible[n]) distance[n] = std::numeric_limits<double>::quiet_NaN();
    return distance;
}

/// 1 where no temperature is.
Values factors(const lw::EncodingPreview& p, const EncodingView& view) {
    const Values row = rowOf(p.row_factor, view.head);
    return row.empty() ? Values(p.distance.size(), 1.0) : row;
}

/// The plain values of a scheme where they are others than its own.
void addChanged(CurveContent& content, const Values& own, const Values& plain, const ShownScheme& scheme, const Schemes& schemes, const EncodingView& view) {
    if (plain != own) addPlain(content, againstDistance(scheme.preview.distance, plain, view.logDistance), plainTitle(schemes, scheme));
}

/// A curve of the rotation that previews hold before and after scaling.
CurveContent rotationContent(CurveContent content, const Schemes& schemes, const EncodingView& view, Values lw::EncodingPreview::*own, Values lw::EncodingPreview::*plain) {
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if ((p.*own).empty()) continue;
        if (p.*plain != p.*own) addPlain(content, againstDistance(p.distance, p.*plain, view.logDistance), plainTitle(schemes, scheme));
        add(content, againstDistance(p.distance, p.*own, view.logDistance), scheme);
    }
    return content;
}

/// A level across all pairs.
void addLevel(CurveContent& content, std::size_t pairs, double level, const QString& title) {
    if (pairs < 2) return;
    CurveSeries line;
    line.x = {0, static_cast<double>(pairs - 1)};
    line.y = {level, level};
    addPlain(content, std::move(line), title);
}

/// Values that a logarithmic axis can show, against the pair's number.
CurveSeries againstPair(const Values& values) {
    CurveSeries series;
    for (std::size_t m = 0; m < values.size(); ++m) {
        if (!(values[m] > 0) || !std::isfinite(values[m])) continue;
        series.x.push_back(static_cast<double>(m));
        series.y.push_back(values[m]);
    }
    return series;
}

Values wavelengths(const Values& frequency) {
    Values lengths;
    for (const double theta : frequency) lengths.push_back(theta > 0 ? 2 * std::numbers::pi / theta : 0);
    return lengths;
}

}  // namespace

CurveContent biasContent(const Schemes& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("bias (nats)"), view);
    const auto with = std::count_if(schemes.begin(), schemes.end(), [](const ShownScheme& s) { return !s.preview.bias.empty(); });
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        const auto heads = static_cast<std::int64_t>(p.bias.size());
        for (std::int64_t h = 0; h < heads; ++h) {
            if (with > 1 && h != std::min(view.head, heads - 1)) continue;
            const auto row = static_cast<std::size_t>(h);
            const QString title = with > 1 ? labelOf(scheme) : translate("head %1").arg(h);
            if (scheme.plain && row < scheme.plain->bias.size() && scheme.plain->bias[row] != p.bias[row]) {
                // Eight grey names at the line ends would hide the others; the note under the plots says what grey is.
                addPlain(content, againstDistance(scheme.plain->distance, scheme.plain->bias[row], view.logDistance), with > 1 ? plainTitle(schemes, scheme) : QString(),
                         translate("%1 plain").arg(title));
            }
            // Style 0 is the grey of what is plain.
            CurveSeries series = againstDistance(p.distance, p.bias[row], view.logDistance);
            if (with > 1) add(content, std::move(series), scheme);
            else add(content, std::move(series), title, static_cast<int>(h) + 1);
        }
    }
    return content;
}

CurveContent wavelengthContent(const Schemes& schemes, const EncodingView& view) {
    CurveContent content = pairContent(translate("wavelength (tokens)"));
    std::size_t pairs = 0;
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if (p.plain_frequency != p.frequency) addPlain(content, againstPair(wavelengths(p.plain_frequency)), plainTitle(schemes, scheme));
        add(content, againstPair(wavelengths(p.frequency)), scheme);
        pairs = std::max(pairs, p.frequency.size());
    }
    addLevel(content, pairs, static_cast<double>(view.trainLength), translate("L = %1").arg(integerText(view.trainLength)));
    return content;
}

CurveContent turnsContent(const Schemes& schemes, const EncodingView&) {
    CurveContent content = pairContent(translate("turns within L"));
    std::size_t pairs = 0;
    for (const ShownScheme& scheme : schemes) {
        add(content, againstPair(scheme.preview.turns_in_training), scheme);
        pairs = std::max(pairs, scheme.preview.turns_in_training.size());
    }
    addLevel(content, pairs, 1, translate("one full turn"));
    return content;
}

CurveContent similarityContent(const Schemes& schemes, const EncodingView& view) {
    return rotationContent(distanceContent(translate("similarity"), view), schemes, view, &lw::EncodingPreview::similarity, &lw::EncodingPreview::plain_similarity);
}

CurveContent decayContent(const Schemes& schemes, const EncodingView& view) {
    return rotationContent(distanceContent(translate("relative bound"), view), schemes, view, &lw::EncodingPreview::decay_bound, &lw::EncodingPreview::plain_decay_bound);
}

CurveContent mappedContent(const Schemes& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("used distance"), view);
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        const bool hides = std::find(p.visible.begin(), p.visible.end(), false) != p.visible.end();
        if (p.effective_distance.empty() && !hides) continue;
        const Values own = used(p, view);
        if (scheme.plain) addChanged(content, own, used(*scheme.plain, view), scheme, schemes, view);
        add(content, againstDistance(p.distance, own, view.logDistance), scheme);
    }
    return content;
}

CurveContent temperatureContent(const Schemes& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("factor"), view);
    content.xLabel = translate("query position i (tokens)");
    content.xName = QStringLiteral("i");
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if (p.row_factor.empty()) continue;
        const Values own = factors(p, view);
        if (scheme.plain) addChanged(content, own, factors(*scheme.plain, view), scheme, schemes, view);
        add(content, againstDistance(p.distance, own, view.logDistance), scheme);
    }
    return content;
}

CurveContent inputContent(const Schemes& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("input similarity"), view);
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if (p.input_dot.empty()) continue;
        if (scheme.plain) addChanged(content, p.input_dot.front(), rowOf(scheme.plain->input_dot, 0), scheme, schemes, view);
        add(content, againstDistance(p.distance, p.input_dot.front(), view.logDistance), scheme);
    }
    return content;
}

const std::vector<EncodingPlot>& encodingPlots() {
    static const std::vector<EncodingPlot> plots{
        {"bias", translate("Bias against distance"), translate("What is added to a score, for the last query of the sequence."), &biasContent},
        {"similarity", translate("Similarity of rotated queries and keys"), translate("Mean of cos(δ θ) over the rotated pairs."), &similarityContent},
        {"decay", translate("Expected decay of qᵀk"),
         translate("Relative bound of |qᵀk| by the mean of |S_j|, S_j = Σ over m < j of exp(i δ θ_m); 1 at δ = 0. RoFormer, section 3.4.3."), &decayContent},
        {"mapped", translate("Distance that is used"), translate("For the last query of the sequence. A gap: the query does not read the key."), &mappedContent},
        {"temperature", translate("Factor on a row's scores"), translate("By the query's position."), &temperatureContent},
        {"wavelength", translate("Wavelength of each rotated pair"), translate("Tokens for one full turn."), &wavelengthContent, true},
        {"turns", translate("Turns of each pair inside the training window"),
         translate("Pairs below one full turn have not met all their angles in training; past L they reach new ones."), &turnsContent, true},
        {"input", translate("Similarity of position vectors"), translate("Scalar product of the last position's vector with one δ before it, relative to its own."),
         &inputContent},
    };
    return plots;
}

QString plainNote(const Schemes& schemes) {
    QStringList names;
    for (const ShownScheme& scheme : schemes)
        if (scheme.plain && !names.contains(scheme.without)) names << scheme.without;
    return names.isEmpty() ? QString() : translate("Grey, plain: without %1.").arg(names.join(translate(" or ")));
}

}  // namespace lw::ui
