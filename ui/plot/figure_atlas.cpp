/// The figure of an atlas. See figures.h.
#include "ui/plot/atlas_painter.h"
#include "ui/plot/figure_panels.h"
#include "ui/plot/qcp.h"

#include <QCoreApplication>

#include <cmath>

namespace lw::ui {

namespace {

lw::Error unknownAxis(const std::string& asked) {
    std::string known;
    for (const AtlasAxis& axis : atlasAxes()) known += (known.empty() ? "" : ", ") + std::string(axis.id);
    return {lw::ErrorKind::invalid_argument, "An atlas has no axis \"" + asked + "\"; choose one of " + known + "."};
}

void drawPage(QCPPainter& painter, const AtlasContent& content, const FigureOptions& options, QSize size) {
    const PlotTheme theme = PlotTheme::forExport(options.dark);
    const double heading = headingHeight(options, theme);
    painter.fillRect(QRect(QPoint(0, 0), size), theme.background);
    drawHeading(painter, options, theme, size.width());
    const double wide = size.width() - 2.0 * kFigureMargin;
    const double top = heading + paintAtlasLegend(&painter, content, theme, QRectF(kFigureMargin, heading, wide, size.height())) + 8;
    const QRectF page(kFigureMargin, top, wide, size.height() - top - kFigureMargin);
    paintAtlas(painter, content, atlasView(content, page.marginsRemoved(atlasMargins(content, theme))), theme, {});
}

}  // namespace

FigureResult render_atlas_figure(const lw::HeadAtlas& atlas, const std::string& axis, lw::TrailAxis over, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    const AtlasAxis* chosen = findAtlasAxis(axis);
    if (chosen == nullptr) return unknownAxis(axis);
    const AtlasContent content = atlasContent(atlas, *chosen, over);
    if (content.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "No head has a value of " + axis + ": A needs several texts."};
    return render_atlas_content_figure(content, lw::atlas_csv(atlas), options);
}

FigureResult render_atlas_content_figure(const AtlasContent& content, const std::string& csv, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    if (content.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There are no heads to draw: they have to be measured first."};
    const QSize size = pageUnits(options.width_mm, options.height_mm > 0 ? options.height_mm : 0.75 * options.width_mm);
    const auto written = write_figure(options, size, [&](QCPPainter& painter) { drawPage(painter, content, options, size); });
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), csv); !saved.ok()) return saved.error();
    }
    return files;
}

}  // namespace lw::ui
