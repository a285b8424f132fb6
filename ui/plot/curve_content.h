#pragma once
/// What a curve plot shows, as plain values.

#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace lw {
struct CurveSet;
}

namespace lw::ui {

struct CurveSeries {
    QString title;                      ///< label at the line's end
    int style = 0;                      ///< run colour, line style and marker
    std::vector<double> x, y;           ///< x ascending; points that are not finite are left out
    std::vector<double> low, high;      ///< interval of each y; empty = none
    bool markers = true;
    bool bold = false;                  ///< the current run
    bool faint = false;                 ///< published values, validation loss: thinner, half transparent
    bool line = true;                   ///< false = markers alone
    QString name = {};                  ///< in tables, where the label is empty or says too little
    bool dashed = false;                ///< beside a solid line of the same run: its validation loss
    std::vector<char> filled = {};      ///< for each point whether its marker is filled; empty = none is
    [[nodiscard]] bool hasIntervals() const { return low.size() == y.size() && high.size() == y.size() && !y.empty(); }
};

struct CurveMark {
    double x = 0;
    QString text;                       ///< "trained at L = 128"
};

struct CurveContent {
    std::vector<CurveSeries> series;
    QString xLabel, yLabel;
    QString xName = QStringLiteral("T");  ///< in the read-out: "T = 2,048"
    bool logTwoX = true;                ///< ticks at the powers of two that occur
    std::vector<CurveMark> marks;       ///< dashed vertical lines
    double trainLength = 0;             ///< the read-out adds "= 16 L"; 0 = not
    std::optional<std::pair<double, double>> yRange = {};  ///< of a linear axis, whatever the values
};

/// few: bands of all lines while they are few, else only of the bold and the hovered one, which would be lost among so many.
enum class Intervals { none, bars, bands, few };
constexpr std::size_t kFewLines = 4;

/// The lines of a set; `styles` gives each its colour, in order where it is short.
[[nodiscard]] CurveContent curveContent(const lw::CurveSet& curves, const std::vector<int>& styles = {});

/// Names of the series in tables and files: never empty, never twice.
[[nodiscard]] std::vector<QString> seriesNames(const CurveContent& content);
/// All numbers: a row for each x, a column for each series and two more where it has intervals.
[[nodiscard]] QString contentTable(const CurveContent& content, QChar separator);
/// The same with commas and with quotes where a name needs them.
[[nodiscard]] std::string contentCsv(const CurveContent& content);

}  // namespace lw::ui
