/// See save_figure.h. The figure has a theme of its own and does not depend on the screen's scale.
#include "ui/forms/save_figure.h"

#include "ui/plot/curve_plot.h"
#include "ui/plot/export_dialog.h"
#include "ui/session.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace lw::ui {

FigureOptions exportOptions(const QSettings& settings, const QString& name) {
    const auto value = [&](const char* key, const QVariant& usual) { return settings.value(QStringLiteral("export/") + QLatin1String(key), usual); };
    FigureOptions options;
    const QString file = QStringLiteral("%1.%2").arg(name, value("ending", QStringLiteral("pdf")).toString());
    options.path = QDir(value("folder", QDir::homePath()).toString()).filePath(file).toStdString();
    options.width_mm = value("width", options.width_mm).toDouble();
    options.height_mm = value("height", options.height_mm).toDouble();
    options.dpi = value("dpi", options.dpi).toDouble();
    options.dark = value("dark", options.dark).toBool();
    options.csv = value("csv", options.csv).toBool();
    options.npz = value("npz", options.npz).toBool();
    return options;
}

namespace {

void remember(QSettings& settings, const FigureOptions& options, bool ownHeight) {
    const auto set = [&](const char* key, const QVariant& value) { settings.setValue(QStringLiteral("export/") + QLatin1String(key), value); };
    const QFileInfo info(QString::fromStdString(options.path.string()));
    set("folder", info.absolutePath());
    set("ending", info.suffix().toLower());
    set("width", options.width_mm);
    if (ownHeight) set("height", options.height_mm);  // maps are as high as their cells ask for
    set("dpi", options.dpi);
    set("dark", options.dark);
    set("csv", options.csv);
    set("npz", options.npz);
}

}  // namespace

void exportWith(const FigureOptions& start, const std::function<FigureResult(const FigureOptions&)>& render, Session* session, QWidget* parent) {
    ExportDialog dialog(start, render, parent);
    if (dialog.exec() != QDialog::Accepted) return;
    remember(session->settings(), dialog.options(), start.height_mm > 0);
    const QString file = QFileInfo(QString::fromStdString(dialog.options().path.string())).fileName();
    session->notice(dialog.written().size() > 1 ? ExportDialog::tr("Saved %1 with its numbers.").arg(file) : ExportDialog::tr("Saved %1.").arg(file));
}

void setIntervalOptions(FigureOptions& options, const CurvePlot& plot) {
    const auto& series = plot.content().series;
    options.bands = plot.intervals() != Intervals::none;
    options.few_bands = plot.intervals() == Intervals::few;
    options.ask_bands = std::any_of(series.begin(), series.end(), [](const CurveSeries& one) { return one.hasIntervals(); });
}

void exportCurves(const CurvePlot& plot, const CurveExport& what, Session* session, QWidget* parent) {
    FigureOptions options = exportOptions(session->settings(), what.name);
    options.title = what.title.toStdString();
    options.log_y = plot.logY();
    setIntervalOptions(options, plot);
    options.state = what.state;
    options.caption = what.caption.toStdString();
    const CurveContent content = plot.content();
    exportWith(options, [content](const FigureOptions& wanted) { return render_content_figure(content, contentCsv(content), wanted); }, session, parent);
}

}  // namespace lw::ui
