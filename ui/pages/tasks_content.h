#pragma once
/// What the Tasks page shows of measured runs: curves by length, shares of the splits, maps by place.

#include "core/api/evaluation.h"
#include "ui/plot/curve_content.h"
#include "ui/plot/depth_grid.h"

#include <QString>

#include <vector>

namespace lw::ui {

struct MeasuredTask {
    QString title;
    int style = 0;
    lw::TaskEvaluation measured;
};

/// Token accuracy of each run, whole answers as a fainter line, guessing, and a mark at each training length.
[[nodiscard]] CurveContent taskCurves(const std::vector<MeasuredTask>& runs);
/// A line for each run; "" where no splits were measured.
[[nodiscard]] QString taskShares(const std::vector<MeasuredTask>& runs);
/// Of those whose task hides something in a text.
[[nodiscard]] std::vector<DepthGrid> taskDepths(const std::vector<MeasuredTask>& runs);

}  // namespace lw::ui
