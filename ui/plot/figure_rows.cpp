/// Figures of row profiles. See figures.h.
#include "ui/plot/axis_ticks.h"
#include "ui/plot/figure_panels.h"
#include "ui/plot/number_text.h"
#include "ui/plot/profile_painter.h"
#include "ui/plot/qcp.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr double kLeastProbability = 1e-6;

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

struct RowRange {
    double low = 0, high = 0;
    bool logarithmic = false;
};

/// Of all panels together. Probabilities span decades: they stand on a logarithmic axis.
RowRange valueRange(const std::vector<std::vector<ProfileLine>>& panels, bool probability) {
    RowRange range{HUGE_VAL, -HUGE_VAL, probability};
    for (const auto& lines : panels)
        for (const ProfileLine& line : lines)
            for (const float value : line.values) {
                if (!std::isfinite(value)) continue;
                range.low = std::min<double>(range.low, value);
                range.high = std::max<double>(range.high, value);
            }
    if (probability) {
        const double high = range.high > 0 ? std::min(1.0, niceCeiling(range.high)) : 1;
        return {std::min(kLeastProbability, high / 10), high, true};
    }
    if (!(range.low < range.high)) return {range.low - 1, range.low + 1, false};
    const double pad = 0.05 * (range.high - range.low);
    return {range.low - pad, range.high + pad, false};
}

void drawRowLegend(QPainter& painter, const std::vector<ProfileLine>& lines, const PlotTheme& theme, double y, std::int64_t trainLength) {
    double x = kFigureMargin;
    for (const ProfileLine& line : lines) {
        drawText(painter, QRectF(x, y, 300, 20), Qt::AlignLeft | Qt::AlignTop, theme.caption, line.colour, line.label);
        x += QFontMetricsF(theme.caption).horizontalAdvance(line.label) + 16;
    }
    if (trainLength > 0) drawText(painter, QRectF(x, y, 300, 20), Qt::AlignLeft | Qt::AlignTop, theme.caption, theme.secondary, tr("dashed: distance = L"));
}

std::vector<lw::NamedArray> rowArrays(const std::vector<lw::RowProfile>& rows) {
    std::vector<lw::NamedArray> arrays;
    for (const lw::RowProfile& row : rows) {
        const auto add = [&](const char* what, const std::vector<float>& values) {
            if (!values.empty()) arrays.push_back({headArrayName(row.layer, row.head, what), {static_cast<std::int64_t>(values.size())}, values});
        };
        add("content", row.content);
        add("bias", row.bias);
        add("adaptive", row.adaptive);
        add("logit", row.logit);
        add("probability", row.probability);
        add("query", {static_cast<float>(row.query)});
    }
    return arrays;
}

/// All that the drawing needs, worked out before the file is opened.
struct RowFigure {
    const std::vector<lw::RowProfile>& rows;
    const FigureOptions& options;
    PlotTheme theme;
    std::vector<std::vector<ProfileLine>> lines;
    RowRange range;
    PanelGrid grid;
    double below = 0, width = 0;
    QSize size;
    [[nodiscard]] bool single() const { return rows.size() == 1; }
};

RowFigure layOut(const std::vector<lw::RowProfile>& rows, const FigureOptions& options) {
    RowFigure page{rows, options, PlotTheme::forExport(options.dark), {}, {}, makeGrid(rows.size(), options.columns), 0, options.width_mm * kUnitsPerMillimetre, {}};
    const lw::ScorePart part = options.probability_rows ? lw::ScorePart::probability : lw::ScorePart::bias_adaptive;
    for (const lw::RowProfile& row : rows) page.lines.push_back(profileLines(row, part, page.theme));
    page.range = valueRange(page.lines, options.probability_rows);
    page.range.low = options.low.value_or(page.range.low);
    page.range.high = options.high.value_or(page.range.high);
    const QFontMetricsF metrics(page.theme.caption);
    PanelGrid& grid = page.grid;
    grid.left = kFigureMargin + metrics.horizontalAdvance(QStringLiteral("−00.0")) + 8;
    grid.top = headingHeight(options, page.theme) + (page.single() ? 0 : metrics.height() + 6);
    grid.titleHeight = metrics.height() + 4;
    grid.gap = 10;
    const double right = page.single() ? profileLabelWidth(page.theme, page.lines.front()) + kFigureMargin : kFigureMargin;
    page.below = 2 * metrics.height() + 6 + kFigureMargin;
    grid.width = std::max(20.0, (page.width - grid.left - right - (grid.columns - 1) * kPanelGap) / grid.columns);
    grid.height = grid.width * (page.single() ? 0.5 : 0.7);
    fitHeight(grid, options, page.below);
    page.size = QSize(static_cast<int>(std::lround(page.width)), static_cast<int>(std::lround(grid.top + grid.totalHeight() + page.below)));
    return page;
}

void drawRow(QPainter& painter, const RowFigure& page, std::size_t i) {
    const PanelGrid& grid = page.grid;
    const lw::RowProfile& row = page.rows[i];
    const ProfileView view{grid.panel(i), 0, static_cast<double>(row.content.size()), page.range.low, page.range.high, page.range.logarithmic};
    ProfileAxes axes;
    axes.valueNumbers = static_cast<int>(i) % grid.columns == 0;
    axes.keyNumbers = i + static_cast<std::size_t>(grid.columns) >= page.rows.size();
    axes.keys = static_cast<std::int64_t>(row.content.size());
    axes.keepInside = !page.single();
    if (axes.valueNumbers) axes.unit = page.range.logarithmic ? tr("probability") : tr("nats");
    if (page.options.train_length > 0) axes.markedKey = row.query - page.options.train_length;
    axes.mark = page.single() ? tr("distance = L") : QString();
    paintProfileAxes(painter, view, page.theme, axes);
    for (const ProfileLine& line : page.lines[i]) paintProfileLine(painter, view, line);
    if (page.single()) paintProfileLabels(painter, view, page.theme, page.lines[i]);
    const auto& titles = page.options.panel_titles;
    const QString title = i < titles.size() ? QString::fromStdString(titles[i]) : tr("Layer %1, head %2").arg(row.layer).arg(row.head);
    drawText(painter, QRectF(view.area.left(), view.area.top() - grid.titleHeight, grid.width + kPanelGap, grid.titleHeight), Qt::AlignLeft | Qt::AlignTop, page.theme.caption, page.theme.text, title);
}

}  // namespace

FigureResult render_rows_figure(const std::vector<lw::RowProfile>& rows, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    if (rows.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There is no row to draw."};
    const RowFigure page = layOut(rows, options);
    const auto written = write_figure(options, page.size, [&](QCPPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), page.size), page.theme.background);
        drawHeading(painter, options, page.theme, page.width);
        if (!page.single()) drawRowLegend(painter, page.lines.front(), page.theme, headingHeight(options, page.theme) - 4, options.train_length);
        for (std::size_t i = 0; i < rows.size(); ++i) drawRow(painter, page, i);
        const double under = page.size.height() - page.below + 6 + QFontMetricsF(page.theme.caption).height();
        drawKeyTitle(painter, page.grid, page.theme, under, tr("key position j (query i = %1)").arg(integerText(rows.front().query)));
    });
    if (!written.ok()) return written.error();
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), lw::rows_csv(rows)); !saved.ok()) return saved.error();
    }
    if (const auto saved = saveArrays(rowArrays(rows), options, files); !saved.ok()) return saved.error();
    return files;
}

}  // namespace lw::ui
