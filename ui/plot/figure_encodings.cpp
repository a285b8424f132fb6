/// Figures of encodings: the plots and maps of the Encodings page without the page. See figures.h.
#include "ui/plot/encoding_maps.h"
#include "ui/plot/encoding_plots.h"
#include "ui/plot/encoding_previews.h"
#include "ui/plot/figures.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace lw::ui {

namespace {

struct EncodingMap {
    const char* id;
    QuantityMap (*map)(const ShownScheme&, const EncodingMapsView&);
};

const std::vector<EncodingMap>& encodingMaps() {
    static const std::vector<EncodingMap> maps{
        {"distance-map", &distanceMap}, {"wave-map", [](const ShownScheme& scheme, const EncodingMapsView&) { return waveMap(scheme); }}, {"bias-map", &biasMap}};
    return maps;
}

std::vector<ShownScheme> shownSchemes(const std::vector<EncodingFigure>& schemes) {
    std::vector<ShownScheme> shown;
    for (const EncodingFigure& scheme : schemes) {
        ShownScheme one{QString::fromStdString(scheme.title), scheme.style > 0 ? scheme.style : static_cast<int>(shown.size()) + 1, scheme.preview};
        one.scheme = scheme.scheme;
        one.plain = scheme.plain;
        one.without = QString::fromStdString(scheme.without);
        shown.push_back(std::move(one));
    }
    return shown;
}

/// Says what there is instead.
FigureResult nothing(const std::vector<ShownScheme>& schemes, const std::string& kind, const EncodingView& view) {
    std::string there;
    const auto note = [&](const char* id) { there += (there.empty() ? "" : ", ") + std::string(id); };
    for (const EncodingPlot& plot : encodingPlots())
        if (!plot.content(schemes, view).series.empty()) note(plot.id);
    for (const EncodingMap& map : encodingMaps())
        if (!schemes.empty() && !map.map(schemes.front(), {view.head}).empty()) note(map.id);
    const std::string what = kind.empty() ? "no curve to draw" : "nothing of the kind \"" + kind + "\" to draw";
    return lw::Error{lw::ErrorKind::not_found, "These schemes have " + what + (there.empty() ? "." : ". There is: " + there + ".")};
}

/// What is drawn, of what: one scheme by name, of several the head that stands for each.
std::string titleOf(const EncodingPlot& plot, const std::vector<ShownScheme>& schemes, std::int64_t head) {
    const std::string heading = plot.heading.toStdString();
    if (schemes.size() == 1) return schemes.front().title.toStdString() + ": " + heading;
    return std::string(plot.id) == "bias" ? heading + ", head " + std::to_string(head) : heading;
}

FigureResult drawPlot(const EncodingPlot& plot, const CurveContent& content, FigureOptions options) {
    options.log_y = plot.logY;
    return render_content_figure(content, contentCsv(content), options);
}

FigureResult drawMap(const QuantityMap& map, const std::string& title, FigureOptions options) {
    if (options.title.empty()) options.title = title + ": " + map.title.toStdString();
    if (map.squareCells) options.height_mm = 0;
    return render_quantity_figure(map, options);
}

QString translate(const char* text) { return QCoreApplication::translate("Encodings", text); }

/// Of one scheme that is drawn.
QStringList notesOf(const lw::EncodingPreview& preview, const std::string& kind) {
    QStringList notes;
    if (!preview.note.empty()) notes << QString::fromStdString(preview.note);
    if (preview.attention_factor != 1) notes << translate("Scores are multiplied by the square of %1.").arg(numberText(preview.attention_factor, 3));
    if (kind == "wave-map") {
        if (const QString pairs = unresolvedText(preview); !pairs.isEmpty()) notes << translate("%1: from one drawn place to the next they turn more than half around, so their stripes are not those of the wave.").arg(pairs);
    }
    if (kind != "distance-map") return notes;
    if (shareOfPairs(preview) < 1) notes << translate("The scheme %1.").arg(visibilityText(preview));
    if (preview.effective_distance.size() > 1) notes << translate("Heads use other distances; the map is of the first.");
    return notes;
}

}  // namespace

lw::Result<EncodingFigure> encoding_figure(const lw::PreviewRequest& request) {
    auto previews = previewWithPlain(request);
    if (!previews.ok()) return previews.error();
    const std::string title = request.scheme.name.empty() ? lw::scheme_line(request.scheme) : request.scheme.name;
    SchemePreviews& both = previews.value();
    return EncodingFigure{title, request.scheme, std::move(both.own), std::move(both.plain), both.without.toStdString()};
}

std::vector<std::string> left_out_of_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head) {
    const std::vector<ShownScheme> shown = shownSchemes(schemes);
    const EncodingView view{head, train_length, true};
    const auto empty = [&](const EncodingPlot& plot, const std::vector<ShownScheme>& of) { return plot.content(of, view).series.empty(); };
    const auto& plots = encodingPlots();
    const auto drawn = std::find_if(plots.begin(), plots.end(), [&](const EncodingPlot& plot) { return (kind.empty() || kind == plot.id) && !empty(plot, shown); });
    std::vector<std::string> left;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const bool map_of_another = drawn == plots.end() && i > 0;
        if (map_of_another || (drawn != plots.end() && empty(*drawn, {shown[i]}))) left.push_back(schemes[i].title);
    }
    return left;
}

std::vector<std::string> notes_of_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head) {
    const std::vector<std::string> left = left_out_of_encoding_figure(schemes, kind, train_length, head);
    std::vector<std::string> notes;
    for (const EncodingFigure& scheme : schemes) {
        if (std::find(left.begin(), left.end(), scheme.title) != left.end()) continue;
        for (const QString& note : notesOf(scheme.preview, kind)) notes.push_back((schemes.size() > 1 ? scheme.title + ": " : "") + note.toStdString());
    }
    return notes;
}

std::vector<std::string> encoding_figure_kinds() {
    std::vector<std::string> kinds;
    for (const EncodingPlot& plot : encodingPlots()) kinds.emplace_back(plot.id);
    for (const EncodingMap& map : encodingMaps()) kinds.emplace_back(map.id);
    return kinds;
}

FigureResult render_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head,
                                    const FigureOptions& options) {
    const std::vector<ShownScheme> shown = shownSchemes(schemes);
    const EncodingView view{head, train_length, true};
    for (const EncodingPlot& plot : encodingPlots()) {
        if (!kind.empty() && kind != plot.id) continue;
        const CurveContent content = plot.content(shown, view);
        if (content.series.empty()) continue;
        FigureOptions wanted = options;
        if (wanted.title.empty()) wanted.title = titleOf(plot, shown, head);
        if (wanted.caption.empty()) wanted.caption = plainNote(shown).toStdString();
        return drawPlot(plot, content, wanted);
    }
    for (const EncodingMap& map : encodingMaps()) {
        if (kind != map.id || shown.empty()) continue;
        if (const QuantityMap made = map.map(shown.front(), {head}); !made.empty()) return drawMap(made, schemes.front().title, options);
    }
    return nothing(shown, kind, view);
}

}  // namespace lw::ui
