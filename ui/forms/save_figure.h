#pragma once
/// Exporting a figure from a page: the dialog starts with the choices of last time, and the message bar says where the file is.

#include "ui/plot/figures.h"

#include <QString>

#include <functional>

class QSettings;
class QWidget;

namespace lw::ui {

class CurvePlot;
class Session;

/// Folder, kind of file, size and resolution of last time.
[[nodiscard]] FigureOptions exportOptions(const QSettings& settings, const QString& name);
/// Intervals as they are seen; the dialog then offers them.
void setIntervalOptions(FigureOptions& options, const CurvePlot& plot);
/// Asks, writes, remembers the choices and tells where the file is.
void exportWith(const FigureOptions& start, const std::function<FigureResult(const FigureOptions&)>& render, Session* session, QWidget* parent);

struct CurveExport {
    QString name;       ///< of the file, without ending
    QString title;
    std::string state;  ///< JSON of what made the figure
    QString caption = {};  ///< below the plot: whose values they are
};
/// The plot's own content with its numbers.
void exportCurves(const CurvePlot& plot, const CurveExport& what, Session* session, QWidget* parent);

}  // namespace lw::ui
