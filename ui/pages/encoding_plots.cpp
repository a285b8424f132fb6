/// See encoding_plots.h.
#include "ui/pages/encoding_plots.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>
#include <numbers>

namespace lw::ui {

namespace {

QString translate(const char* text) { return QCoreApplication::translate("Encodings", text); }

/// Distance 0 has no place on a logarithmic axis; its value is the same as that at 1 to the eye for all but the input.
CurveSeries againstDistance(const std::vector<std::int64_t>& distance, const std::vector<double>& value, bool logarithmic) {
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

}  // namespace

CurveContent biasContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("bias (nats)"), view);
    const auto with = std::count_if(schemes.begin(), schemes.end(), [](const ShownScheme& s) { return !s.preview.bias.empty(); });
    for (const ShownScheme& scheme : schemes) {
        const auto heads = static_cast<std::int64_t>(scheme.preview.bias.size());
        for (std::int64_t h = 0; h < heads; ++h) {
            if (with > 1 && h != std::min(view.head, heads - 1)) continue;
            CurveSeries series = againstDistance(scheme.preview.distance, scheme.preview.bias[static_cast<std::size_t>(h)], view.logDistance);
            series.title = with > 1 ? scheme.title : translate("head %1").arg(h);
            series.style = with > 1 ? scheme.style : static_cast<int>(h);
            content.series.push_back(std::move(series));
        }
    }
    return content;
}

CurveContent wavelengthContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content;
    content.xLabel = translate("rotated pair");
    content.xName = translate("pair");
    content.yLabel = translate("wavelength (tokens)");
    content.logTwoX = false;
    std::size_t pairs = 0;
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        const auto add = [&](const std::vector<double>& frequency, bool plain) {
            CurveSeries series;
            series.title = plain ? translate("%1 unscaled").arg(scheme.title) : scheme.title;
            series.style = plain ? 0 : scheme.style;
            series.faint = plain;
            series.markers = !plain;
            for (std::size_t m = 0; m < frequency.size(); ++m) {
                if (frequency[m] <= 0) continue;
                series.x.push_back(static_cast<double>(m));
                series.y.push_back(2 * std::numbers::pi / frequency[m]);
            }
            if (!series.x.empty()) content.series.push_back(std::move(series));
        };
        if (p.plain_frequency != p.frequency) add(p.plain_frequency, true);
        add(p.frequency, false);
        pairs = std::max(pairs, p.frequency.size());
    }
    if (pairs > 1) {
        CurveSeries limit;
        limit.title = translate("L = %1").arg(integerText(view.trainLength));
        limit.style = 0;
        limit.markers = false;
        limit.faint = true;
        limit.x = {0, static_cast<double>(pairs - 1)};
        limit.y = {static_cast<double>(view.trainLength), static_cast<double>(view.trainLength)};
        content.series.push_back(std::move(limit));
    }
    return content;
}

CurveContent similarityContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("similarity"), view);
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if (p.similarity.empty()) continue;
        if (p.plain_similarity != p.similarity) {
            CurveSeries plain = againstDistance(p.distance, p.plain_similarity, view.logDistance);
            plain.title = translate("%1 unscaled").arg(scheme.title);
            plain.faint = true;
            content.series.push_back(std::move(plain));
        }
        CurveSeries series = againstDistance(p.distance, p.similarity, view.logDistance);
        series.title = scheme.title;
        series.style = scheme.style;
        content.series.push_back(std::move(series));
    }
    return content;
}

CurveContent mappedContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("distance that is used"), view);
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        const bool hides = std::find(p.visible.begin(), p.visible.end(), false) != p.visible.end();
        if (p.effective_distance.empty() && !hides) continue;
        std::vector<double> used(p.distance.begin(), p.distance.end());
        if (!p.effective_distance.empty()) used = p.effective_distance[std::min(static_cast<std::size_t>(view.head), p.effective_distance.size() - 1)];
        for (std::size_t n = 0; n < used.size() && n < p.visible.size(); ++n)
            if (!p.visible[n]) used[n] = std::numeric_limits<double>::quiet_NaN();
        CurveSeries series = againstDistance(p.distance, used, view.logDistance);
        series.title = scheme.title;
        series.style = scheme.style;
        content.series.push_back(std::move(series));
    }
    return content;
}

CurveContent temperatureContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("factor"), view);
    content.xLabel = translate("query position i (tokens)");
    content.xName = QStringLiteral("i");
    for (const ShownScheme& scheme : schemes) {
        const auto& p = scheme.preview;
        if (p.row_factor.empty()) continue;
        CurveSeries series = againstDistance(p.distance, p.row_factor[std::min(static_cast<std::size_t>(view.head), p.row_factor.size() - 1)], view.logDistance);
        series.title = scheme.title;
        series.style = scheme.style;
        content.series.push_back(std::move(series));
    }
    return content;
}

CurveContent inputContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    CurveContent content = distanceContent(translate("input similarity"), view);
    for (const ShownScheme& scheme : schemes) {
        if (scheme.preview.input_dot.empty()) continue;
        CurveSeries series = againstDistance(scheme.preview.distance, scheme.preview.input_dot.front(), view.logDistance);
        series.title = scheme.title;
        series.style = scheme.style;
        content.series.push_back(std::move(series));
    }
    return content;
}

}  // namespace lw::ui
