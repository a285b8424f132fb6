/// See encodings_curves.h.
#include "ui/pages/encodings_curves.h"

#include "ui/plot/curve_plot.h"
#include "ui/theme.h"

#include <algorithm>

namespace lw::ui {

namespace {

constexpr int kPlotHeight = 160;
constexpr int kPlotWidth = 300;
constexpr int kTwoColumns = 1100;

QSize smallestBox() { return {kPlotWidth, kPlotHeight + QFontMetrics(theme::body()).height() + 4}; }

}  // namespace

EncodingsCurves::EncodingsCurves(QWidget* parent) : PlotGrid(smallestBox(), kTwoColumns, parent) {
    for (const EncodingPlot& plot : encodingPlots()) addPlot(plot);
}

void EncodingsCurves::addPlot(const EncodingPlot& of) {
    auto* plot = new CurvePlot;
    plot->setObjectName(QLatin1String(of.id) + QStringLiteral("Plot"));
    plot->setLogY(of.logY);
    PlotBox* box = add(of.heading, plot);
    box->setHelp(of.help);
    connect(plot, &CurvePlot::exportRequested, this, [this, plot] { Q_EMIT exportRequested(plot); });
    m_plots.push_back({box, plot, of.content, of.logY});
}

bool EncodingsCurves::setContent(const std::vector<ShownScheme>& schemes, const EncodingView& view) {
    bool any = false;
    for (const Plot& plot : m_plots) {
        const CurveContent content = plot.content(schemes, view);
        plot.box->setVisible(!content.series.empty());
        if (content.series.empty()) continue;
        any = true;
        plot.plot->setContent(content);
        plot.plot->setLogY(plot.logY);
    }
    arrange();
    return any;
}

CurvePlot* EncodingsCurves::mainPlot() const {
    const auto shown = std::find_if(m_plots.begin(), m_plots.end(), [](const Plot& plot) { return !plot.box->isHidden(); });
    return shown == m_plots.end() ? nullptr : shown->plot;
}

QString EncodingsCurves::headingOf(const CurvePlot* plot) const {
    const auto found = std::find_if(m_plots.begin(), m_plots.end(), [plot](const Plot& one) { return one.plot == plot; });
    return found == m_plots.end() ? QString() : found->box->heading();
}

}  // namespace lw::ui
