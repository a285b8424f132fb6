#pragma once
/// Colours and fonts of one plot. A value, not a global: the window's plots follow the desktop, a figure has a theme of its own.

#include "core/api/maps.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QPen>

#include <string>

namespace lw::ui {

struct PlotTheme {
    bool dark = false;
    QColor background, text, secondary, grid, axis, masked, accent, tint;
    QColor panel, panelText, panelSecondary;  ///< read-outs: dark in both themes, so that they stand off the plot
    QFont caption, body, title;

    static PlotTheme fromPalette(const QPalette& palette);
    /// Light on white unless dark is asked for; fonts in pixels of a 96-dpi page, so that no screen's scale gets into the file.
    static PlotTheme forExport(bool dark);

    [[nodiscard]] QColor run(int style) const;
    [[nodiscard]] QColor runText(int style) const;  ///< of a line's name: dark or light enough to be read
    [[nodiscard]] QPen runPen(int style, double width) const;
    [[nodiscard]] QColor part(lw::ScorePart part) const;
    [[nodiscard]] QColor headClass(const std::string& name) const;
};

}  // namespace lw::ui
