/// See curve_content.h.
#include "ui/plot/curve_content.h"

#include "core/api/evaluation.h"
#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <cmath>
#include <set>

namespace lw::ui {

CurveContent curveContent(const lw::CurveSet& curves, const std::vector<int>& styles) {
    CurveContent content;
    content.xLabel = QString::fromStdString(curves.x_label);
    content.yLabel = QString::fromStdString(curves.y_label);
    std::set<double> trained;
    for (std::size_t i = 0; i < curves.lines.size(); ++i) {
        const lw::CurveLine& line = curves.lines[i];
        CurveSeries series;
        series.title = QString::fromStdString(line.title);
        series.style = i < styles.size() ? styles[i] : static_cast<int>(i);
        series.x = line.length;
        series.y = line.value;
        if (line.low.size() == line.value.size() && line.high.size() == line.value.size()) {
            series.low = line.low;
            series.high = line.high;
        }
        content.series.push_back(std::move(series));
        if (line.train_length > 0) trained.insert(static_cast<double>(line.train_length));
    }
    for (const double length : trained)
        content.marks.push_back({length, QCoreApplication::translate("Curves", "trained at L = %1").arg(integerText(std::llround(length)))});
    if (trained.size() == 1) content.trainLength = *trained.begin();
    return content;
}

}  // namespace lw::ui
