/// See figures.h. Curves here; maps and rows in figure_maps.cpp.
#include "ui/plot/figures.h"

#include "core/api/export.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/figure_file.h"
#include "ui/plot/qcp.h"

namespace lw::ui {

namespace {

void append(std::vector<float>& to, const std::vector<double>& values) {
    for (const double value : values) to.push_back(static_cast<float>(value));
}

std::vector<lw::NamedArray> curve_arrays(const lw::CurveSet& curves) {
    std::vector<lw::NamedArray> arrays;
    for (std::size_t i = 0; i < curves.lines.size(); ++i) {
        const lw::CurveLine& line = curves.lines[i];
        lw::NamedArray array;
        array.name = "line_" + std::to_string(i);
        array.shape = {2, static_cast<std::int64_t>(line.length.size())};
        append(array.values, line.length);
        append(array.values, line.value);
        if (line.low.size() == line.value.size() && line.high.size() == line.value.size()) {
            array.shape[0] = 4;
            append(array.values, line.low);
            append(array.values, line.high);
        }
        arrays.push_back(std::move(array));  // rows: length, value, low, high
    }
    return arrays;
}

}  // namespace

FigureResult render_content_figure(const CurveContent& content, const std::string& csv, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    CurvePlot plot;
    plot.setLogY(options.log_y);
    plot.setIntervals(options.bands ? Intervals::bands : Intervals::none);
    plot.setFixedTheme(PlotTheme::forExport(options.dark), QString::fromStdString(options.title));
    plot.setContent(content);
    const QSize size = pageUnits(options.width_mm, options.height_mm > 0 ? options.height_mm : options.width_mm * 0.62);
    const auto written = write_figure(options, size, [&](QCPPainter& painter) { plot.render(painter, size); });
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    if (!options.csv) return files;
    files.push_back(beside(options.path, "csv"));
    if (const auto saved = lw::write_text_file(files.back(), csv); !saved.ok()) return saved.error();
    return files;
}

FigureResult render_curves_figure(const lw::CurveSet& curves, const FigureOptions& options) {
    if (curves.lines.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There are no curves to draw: evaluate at least one run first."};
    FigureResult result = render_content_figure(curveContent(curves, options.styles), lw::curves_csv(curves), options);
    if (!result.ok() || !options.npz) return result;
    const auto file = beside(options.path, "npz");
    if (const auto saved = lw::write_npz(file, curve_arrays(curves)); !saved.ok()) return saved.error();
    result.value().push_back(file);
    return result;
}

}  // namespace lw::ui
