#pragma once
/// Asks for a file and writes a curve plot into it (PDF, SVG or PNG) with its numbers as CSV beside it.

#include "core/api/result.h"

#include <QString>

#include <filesystem>

class QWidget;

namespace lw::ui {

class CurvePlot;
class Session;

/// Writes without asking. `state` is kept in the file: what made the figure.
[[nodiscard]] lw::Status writeCurveFigure(const CurvePlot& plot, const std::filesystem::path& file, const QString& title, const std::string& state);
/// Asks, writes, and tells in the message bar where the file is.
void saveCurveFigure(const CurvePlot& plot, const QString& name, const std::string& state, Session* session, QWidget* parent);

}  // namespace lw::ui
