/// See figures.h. Curves here; maps and rows in figure_maps.cpp.
#include "ui/plot/figures.h"

#include "core/api/export.h"
#include "ui/plot/curve_plot.h"
#include "ui/plot/figure_file.h"
#include "ui/plot/qcp.h"

#include <algorithm>
#include <map>

namespace lw::ui {

namespace {

constexpr int kCaptionMargin = 10;

void append(std::vector<float>& to, const std::vector<double>& values) {
    for (const double value : values) to.push_back(static_cast<float>(value));
}

/// Letters that a NumPy name may have everywhere; the rest becomes "_".
std::string arrayName(const QString& title) {
    QString name;
    for (const QChar c : title) name += c.isLetterOrNumber() && c.unicode() < 128 ? c : QLatin1Char('_');
    return name.toStdString();
}

/// Rows of each array: x, value, and low and high where there are intervals.
std::vector<lw::NamedArray> contentArrays(const CurveContent& content) {
    std::vector<lw::NamedArray> arrays;
    const std::vector<QString> names = seriesNames(content);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const CurveSeries& series = content.series[i];
        lw::NamedArray array;
        array.name = arrayName(names[i]);
        array.shape = {series.hasIntervals() ? 4 : 2, static_cast<std::int64_t>(series.x.size())};
        append(array.values, series.x);
        append(array.values, series.y);
        if (series.hasIntervals()) {
            append(array.values, series.low);
            append(array.values, series.high);
        }
        const std::string first = array.name;
        const auto taken = [&] { return std::any_of(arrays.begin(), arrays.end(), [&](const lw::NamedArray& other) { return other.name == array.name; }); };
        for (int again = 2; taken(); ++again) array.name = first + "_" + std::to_string(again);
        arrays.push_back(std::move(array));
    }
    return arrays;
}

/// The numbers beside a figure, as far as they are asked for.
FigureResult withNumbers(const CurveContent& content, const std::string& csv, const FigureOptions& options) {
    std::vector<std::filesystem::path> files{options.path};
    if (options.csv) {
        files.push_back(beside(options.path, "csv"));
        if (const auto saved = lw::write_text_file(files.back(), csv); !saved.ok()) return saved.error();
    }
    if (options.npz) {
        files.push_back(beside(options.path, "npz"));
        if (const auto saved = lw::write_npz(files.back(), contentArrays(content)); !saved.ok()) return saved.error();
    }
    return files;
}

/// Wrapped to the page's width below the plot.
QRect captionBox(const FigureOptions& options, const PlotTheme& theme, QSize size) {
    if (options.caption.empty()) return {};
    const QRect room(kCaptionMargin, 0, size.width() - 2 * kCaptionMargin, size.height());
    const int height = QFontMetrics(theme.caption).boundingRect(room, static_cast<int>(Qt::AlignLeft) | Qt::TextWordWrap, QString::fromStdString(options.caption)).height();
    return {room.left(), size.height() - height - kCaptionMargin, room.width(), height};
}

}  // namespace

FigureResult render_content_figure(const CurveContent& content, const std::string& csv, const FigureOptions& options) {
    if (const auto checked = check_figure(options); !checked.ok()) return checked.error();
    const PlotTheme theme = PlotTheme::forExport(options.dark);
    CurvePlot plot;
    plot.setLogY(options.log_y);
    plot.setIntervals(!options.bands ? Intervals::none : options.few_bands ? Intervals::few : Intervals::bands);
    const QSize size = pageUnits(options.width_mm, options.height_mm > 0 ? options.height_mm : options.width_mm * 0.62);
    // A title longer than the page ends in an ellipsis instead of in the middle of a letter; the file's own title is whole.
    plot.setFixedTheme(theme, QFontMetrics(theme.title).elidedText(QString::fromStdString(options.title), Qt::ElideRight, size.width() - 20));
    plot.setContent(content);
    const QRect caption = captionBox(options, theme, size);
    const auto written = write_figure(options, size, [&](QCPPainter& painter) {
        painter.fillRect(QRect(QPoint(0, 0), size), theme.background);
        plot.render(painter, QSize(size.width(), caption.isNull() ? size.height() : caption.top() - kCaptionMargin / 2));
        painter.setFont(theme.caption);
        painter.setPen(theme.secondary);
        painter.drawText(caption, static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap, QString::fromStdString(options.caption));
    });
    if (!written.ok()) return written.error();
    return withNumbers(content, csv, options);
}

namespace {

/// The protocol, and which lines are means over seeds with a band of another kind.
std::string captionOf(const lw::CurveSet& curves) {
    std::map<std::string, std::string> titles;  // by band
    for (const lw::CurveLine& line : curves.lines) {
        if (line.seeds < 2) continue;
        std::string& all = titles[line.band];
        all += (all.empty() ? "" : ", ") + line.title;
    }
    std::string caption = lw::measured_words(curves);
    for (const auto& [band, lines] : titles) caption += "; " + lines + ": mean with " + band;
    return caption;
}

}  // namespace

FigureResult render_curves_figure(const lw::CurveSet& curves, const FigureOptions& options) {
    if (curves.lines.empty()) return lw::Error{lw::ErrorKind::invalid_argument, "There are no curves to draw: evaluate at least one run first."};
    FigureOptions wanted = options;
    if (wanted.caption.empty()) wanted.caption = captionOf(curves);
    return render_content_figure(curveContent(curves, options.styles), lw::curves_csv(curves), wanted);
}

}  // namespace lw::ui
