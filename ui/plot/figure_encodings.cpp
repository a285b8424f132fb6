/// Figures of encodings: the plots and maps of the Encodings page without the page. See figures.h.
#include "ui/plot/encoding_maps.h"
#include "ui/plot/encoding_plots.h"
#include "ui/plot/figures.h"

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
        ShownScheme one{QString::fromStdString(scheme.title), static_cast<int>(shown.size()) + 1, scheme.preview};  // style 0 is the grey of what is plain
        one.scheme = scheme.scheme;
        one.plain = scheme.plain;
        shown.push_back(std::move(one));
    }
    return shown;
}

FigureResult nothing(const std::string& kind) {
    return lw::Error{lw::ErrorKind::not_found, "These schemes have nothing of the kind \"" + kind + "\" to draw."};
}

FigureResult drawPlot(const EncodingPlot& plot, const CurveContent& content, FigureOptions options) {
    options.log_y = plot.logY;
    if (options.title.empty()) options.title = plot.heading.toStdString();
    return render_content_figure(content, contentCsv(content), options);
}

FigureResult drawMap(const QuantityMap& map, const std::string& title, FigureOptions options) {
    if (options.title.empty()) options.title = title + ": " + map.title.toStdString();
    if (map.squareCells) options.height_mm = 0;
    return render_quantity_figure(map, options);
}

}  // namespace

std::vector<std::string> encoding_figure_kinds() {
    std::vector<std::string> kinds;
    for (const EncodingPlot& plot : encodingPlots()) kinds.emplace_back(plot.id);
    for (const EncodingMap& map : encodingMaps()) kinds.emplace_back(map.id);
    return kinds;
}

FigureResult render_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head,
                                    const FigureOptions& options) {
    const std::vector<ShownScheme> shown = shownSchemes(schemes);
    for (const EncodingPlot& plot : encodingPlots()) {
        if (!kind.empty() && kind != plot.id) continue;
        if (const CurveContent content = plot.content(shown, {head, train_length, true}); !content.series.empty()) return drawPlot(plot, content, options);
    }
    for (const EncodingMap& map : encodingMaps()) {
        if (kind != map.id || shown.empty()) continue;
        if (const QuantityMap made = map.map(shown.front(), {head}); !made.empty()) return drawMap(made, schemes.front().title, options);
    }
    return nothing(kind.empty() ? "curve" : kind);
}

}  // namespace lw::ui
