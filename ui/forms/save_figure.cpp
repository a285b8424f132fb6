/// See save_figure.h. The figure has a light theme of its own and does not depend on the screen's scale.
#include "ui/forms/save_figure.h"

#include "ui/plot/curve_plot.h"
#include "ui/plot/figure_file.h"
#include "ui/session.h"

#include "core/api/export.h"

#include <QFileDialog>

namespace lw::ui {

lw::Status writeCurveFigure(const CurvePlot& plot, const std::filesystem::path& file, const QString& title, const std::string& state) {
    FigureOptions options;
    options.path = file;
    options.title = title.toStdString();
    options.state = state;
    if (auto status = check_figure(options); !status.ok()) return status;
    CurvePlot paper;
    paper.setFixedTheme(PlotTheme::forExport(false), title);
    paper.setContent(plot.content());
    paper.setLogY(plot.logY());
    paper.setIntervals(plot.intervals());
    const QSize units = pageUnits(options.width_mm, options.height_mm);
    auto status = write_figure(options, units, [&](QCPPainter& painter) { paper.render(painter, units); });
    if (!status.ok()) return status;
    QString csv = plot.tableText();
    csv.replace(QLatin1Char('\t'), QLatin1Char(','));
    return lw::write_text_file(beside(file, "csv"), csv.toStdString());
}

void saveCurveFigure(const CurvePlot& plot, const QString& name, const std::string& state, Session* session, QWidget* parent) {
    const QString last = session->settings().value(QStringLiteral("export/folder"), QDir::homePath()).toString();
    const QString path = QFileDialog::getSaveFileName(parent, CurvePlot::tr("Export figure"), QDir(last).filePath(name + QStringLiteral(".pdf")),
                                                      CurvePlot::tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty()) return;
    session->settings().setValue(QStringLiteral("export/folder"), QFileInfo(path).absolutePath());
    const auto status = writeCurveFigure(plot, path.toStdString(), name, state);
    if (!status.ok()) return session->report(status.error(), CurvePlot::tr("Exporting"));
    session->notice(CurvePlot::tr("Saved %1 and its numbers as CSV beside it.").arg(path));
}

}  // namespace lw::ui
