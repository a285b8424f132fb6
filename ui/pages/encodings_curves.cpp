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
    addPlot(QStringLiteral("biasPlot"), tr("Bias against distance"), &biasContent, tr("What is added to a score, for the last query of the sequence."));
    addPlot(QStringLiteral("similarityPlot"), tr("Similarity of rotated queries and keys"), &similarityContent, tr("Mean of cos(δ θ) over the rotated pairs."));
    addPlot(QStringLiteral("decayPlot"), tr("Expected decay of qᵀk"), &decayContent,
            tr("Relative bound of |qᵀk| by the mean of |S_j|, S_j = Σ over m < j of exp(i δ θ_m); 1 at δ = 0. RoFormer, section 3.4.3."));
    addPlot(QStringLiteral("mappedPlot"), tr("Distance that is used"), &mappedContent, tr("For the last query of the sequence. A gap: the query does not read the key."));
    addPlot(QStringLiteral("temperaturePlot"), tr("Factor on a row's scores"), &temperatureContent, tr("By the query's position."));
    addPlot(QStringLiteral("wavelengthPlot"), tr("Wavelength of each rotated pair"), &wavelengthContent, tr("Tokens for one full turn."), true);
    addPlot(QStringLiteral("turnsPlot"), tr("Turns of each pair inside the training window"), &turnsContent,
            tr("Pairs below one full turn have not met all their angles in training; past L they reach new ones."), true);
    addPlot(QStringLiteral("inputPlot"), tr("Similarity of position vectors"), &inputContent,
            tr("Scalar product of the last position's vector with one δ before it, relative to its own."));
}

void EncodingsCurves::addPlot(const QString& name, const QString& heading, Content content, const QString& help, bool logY) {
    auto* plot = new CurvePlot;
    plot->setObjectName(name);
    plot->setLogY(logY);
    PlotBox* box = add(heading, plot);
    box->setHelp(help);
    connect(plot, &CurvePlot::exportRequested, this, [this, plot] { Q_EMIT exportRequested(plot); });
    m_plots.push_back({box, plot, content, logY});
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
