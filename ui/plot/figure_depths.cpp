/// Figures of accuracy by length and place. See figures.h.
#include "ui/plot/depth_page.h"
#include "ui/plot/qcp.h"

#include <cmath>
#include <sstream>

namespace lw::ui {

namespace {

std::string depthsCsv(const std::vector<lw::TaskEvaluation>& evaluations) {
    std::ostringstream text;
    text << "run,length,depth,token_accuracy,exact_match,examples\n";
    for (const lw::TaskEvaluation& evaluation : evaluations)
        for (const lw::TaskPoint& point : evaluation.points)
            for (const lw::TaskDepth& one : point.depths)
                text << evaluation.run << ',' << point.length << ',' << one.depth << ',' << one.token_accuracy << ',' << one.exact_match << ',' << one.examples << '\n';
    return text.str();
}

std::vector<DepthGrid> gridsOf(const std::vector<lw::TaskEvaluation>& evaluations, const FigureOptions& options) {
    std::vector<DepthGrid> grids;
    for (std::size_t i = 0; i < evaluations.size(); ++i) {
        const std::string& title = i < options.panel_titles.size() ? options.panel_titles[i] : evaluations[i].run;
        if (DepthGrid grid = depthGrid(evaluations[i], QString::fromStdString(title)); !grid.empty()) grids.push_back(std::move(grid));
    }
    return grids;
}

}  // namespace

FigureResult render_depth_figure(const std::vector<lw::TaskEvaluation>& evaluations, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    DepthPage page{gridsOf(evaluations, options), PlotTheme::forExport(options.dark)};
    if (page.grids.empty()) return lw::Error{lw::ErrorKind::not_found, "None of these runs has accuracies by place: its task must hide something in a text (passkey, needle), and the run be evaluated."};
    const double width = options.width_mm * kUnitsPerMillimetre;
    layOutDepths(page, width, headingHeight(options, page.theme), options.columns);
    fitHeight(page.panels, options, page.margins.below + kFigureMargin);
    const double height = page.panels.top + page.panels.totalHeight() + page.margins.below + kFigureMargin;
    const QSize size(static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height)));
    const auto written = write_figure(options, size, [&](QCPPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), size), page.theme.background);
        drawHeading(painter, options, page.theme, width);
        paintDepths(painter, page);
    });
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), depthsCsv(evaluations)); !saved.ok()) return saved.error();
    }
    return files;
}

}  // namespace lw::ui
