#pragma once
/// The curves of the Encodings page, each plot shown while it has something to show.

#include "ui/plot/encoding_plots.h"
#include "ui/pages/encodings_grid.h"

namespace lw::ui {

class CurvePlot;

class EncodingsCurves : public PlotGrid {
    Q_OBJECT
public:
    explicit EncodingsCurves(QWidget* parent = nullptr);
    /// Whether any plot has something to show.
    bool setContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
    /// The first that is shown; nullptr when none is.
    [[nodiscard]] CurvePlot* mainPlot() const;
    [[nodiscard]] QString headingOf(const CurvePlot* plot) const;

Q_SIGNALS:
    void exportRequested(lw::ui::CurvePlot* plot);

private:
    struct Plot {
        PlotBox* box = nullptr;
        CurvePlot* plot = nullptr;
        decltype(EncodingPlot::content) content = nullptr;
        bool logY = false;
    };
    void addPlot(const EncodingPlot& of);

    std::vector<Plot> m_plots;
};

}  // namespace lw::ui
