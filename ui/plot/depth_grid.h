#pragma once
/// Accuracy by length and by the place where the answer is hidden in the text: the "needle in a haystack" map.

#include "core/api/evaluation.h"
#include "ui/plot/plot_theme.h"

#include <QString>

#include <vector>

class QPainter;
class QRectF;

namespace lw::ui {

/// Columns are lengths, rows are depths, as they were measured and not to scale.
struct DepthGrid {
    QString title;
    std::vector<std::int64_t> lengths;  ///< rising
    std::vector<double> depths;         ///< rising, 0 = at the beginning of the text
    std::vector<double> values;         ///< token accuracy [depths x lengths], row major; NaN = not measured
    std::int64_t trainLength = 0;       ///< a line stands between it and longer ones; 0 = none
    [[nodiscard]] bool empty() const { return values.empty(); }
};
/// Empty for a task that hides nothing.
[[nodiscard]] DepthGrid depthGrid(const lw::TaskEvaluation& evaluation, const QString& title);

/// Room around the cells: depths at the left, lengths and the axes' titles below.
struct DepthMargins {
    double left = 0, below = 0;
};
[[nodiscard]] DepthMargins depthMargins(const PlotTheme& theme);
/// Cells with their values, where there is room for them; numbers of depths only at the left of the first of several.
void paintDepthGrid(QPainter& painter, const QRectF& cells, const DepthGrid& grid, const PlotTheme& theme, bool depthNumbers);

}  // namespace lw::ui
