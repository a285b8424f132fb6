/// Curves of the Encodings page: what maps of positions and distances, temperatures and rotations draw, and the plain scheme in grey.
#include "tests/ui/ui_support.h"
#include "ui/plot/encoding_plots.h"
#include "ui/pages/encodings_grid.h"

#include <algorithm>
#include <cmath>

using namespace lw::ui;

namespace {

ShownScheme windowed() {
    ShownScheme scheme;
    scheme.title = QStringLiteral("Window");
    scheme.preview.distance = {0, 1, 2, 4};
    scheme.preview.visible = {true, true, true, false};
    scheme.preview.row_factor = {{1, 1, 1.5, 2}};
    return scheme;
}

/// A scheme whose plug-in methods halve distances, bias and frequencies.
ShownScheme extended(const char* title) {
    ShownScheme scheme = windowed();
    scheme.title = QLatin1String(title);
    scheme.style = 3;
    lw::EncodingPreview& p = scheme.preview;
    p.visible.assign(4, true);
    p.plain_frequency = {1, 0.01};
    p.frequency = {1, 0.005};
    p.turns_in_training = {20, 0.2};
    p.plain_decay_bound = {1, 0.9, 0.6, 0.4};
    p.decay_bound = {1, 0.95, 0.8, 0.7};
    scheme.plain = p;
    scheme.plain->row_factor.clear();
    scheme.plain->bias = {{0, -1, -2, -4}, {0, 0, 0, 0}};
    p.effective_distance = {{0, 0.5, 1, 2}};
    p.bias = {{0, -0.5, -1, -2}, {0, 0, 0, 0}};
    scheme.without = QStringLiteral("Halving");
    return scheme;
}

const CurveSeries* faintOf(const CurveContent& content) {
    const auto found = std::find_if(content.series.begin(), content.series.end(), [](const CurveSeries& series) { return series.faint; });
    return found == content.series.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("keys that are hidden leave a gap, and plain schemes draw no used distance", "[ui][encodings]") {
    const EncodingView view{0, 4, false};
    auto scheme = windowed();
    const auto hidden = mappedContent({scheme}, view);
    REQUIRE(hidden.series.size() == 1);
    CHECK(hidden.series[0].y[2] == 2);
    CHECK(std::isnan(hidden.series[0].y[3]));
    scheme.preview.visible[3] = true;
    CHECK(mappedContent({scheme}, view).series.empty());
    scheme.preview.effective_distance = {{0, 1, 1, 2}, {0, 0, 0, 1}};
    CHECK(mappedContent({scheme}, view).series[0].y[3] == 2);
    CHECK(mappedContent({scheme}, {1, 4, false}).series[0].y[3] == 1);
}

TEST_CASE("a temperature is drawn against the query's position", "[ui][encodings]") {
    const auto content = temperatureContent({windowed()}, {0, 4, false});
    REQUIRE(content.series.size() == 1);
    CHECK(content.series[0].y.back() == 2);
    CHECK(content.xLabel.contains(QStringLiteral("position")));
}

TEST_CASE("the plain scheme is a faint line where it differs, and only there", "[ui][encodings]") {
    const EncodingView view{0, 4, false};
    const auto scheme = extended("Half");
    const auto mapped = mappedContent({scheme}, view), factor = temperatureContent({scheme}, view), decay = decayContent({scheme}, view);
    REQUIRE(faintOf(mapped));
    CHECK(faintOf(mapped)->y == std::vector<double>{0, 1, 2, 4});
    CHECK(faintOf(mapped)->style == 0);
    CHECK(mapped.series.back().y == std::vector<double>{0, 0.5, 1, 2});
    CHECK(mapped.series.back().style == 3);
    REQUIRE(faintOf(factor));
    CHECK(faintOf(factor)->y == std::vector<double>(4, 1.0));
    REQUIRE(faintOf(decay));
    CHECK(faintOf(decay)->y.back() == 0.4);
    auto same = scheme;
    same.plain = same.preview;
    CHECK_FALSE(faintOf(mappedContent({same}, view)));
    CHECK_FALSE(faintOf(temperatureContent({same}, view)));
}

TEST_CASE("the bias has a faint line for each head that changes, without a label that hides the others", "[ui][encodings]") {
    const EncodingView view{0, 4, false};
    const auto content = biasContent({extended("Half")}, view);
    REQUIRE(content.series.size() == 3);
    CHECK(content.series[0].faint);
    CHECK(content.series[0].title.isEmpty());
    CHECK(content.series[0].name.contains(QStringLiteral("head 0")));
    CHECK(content.series[1].style != 0);
    const auto compared = biasContent({extended("Half"), extended("Third")}, view);
    CHECK(std::count_if(compared.series.begin(), compared.series.end(), [](const CurveSeries& series) { return series.faint; }) == 1);
    CHECK(faintOf(compared)->title.contains(QStringLiteral("Half")));
}

TEST_CASE("the note says what the grey lines leave out", "[ui][encodings]") {
    auto second = extended("Third");
    second.without = QStringLiteral("Thirds");
    CHECK(plainNote({windowed()}).isEmpty());
    CHECK(plainNote({extended("Half"), extended("Half")}).count(QStringLiteral("Halving")) == 1);
    CHECK(plainNote({extended("Half"), second}).contains(QStringLiteral("Thirds")));
}

TEST_CASE("turns in training have a line at one full turn", "[ui][encodings]") {
    const auto content = turnsContent({extended("Half")}, {0, 128, false});
    REQUIRE(content.series.size() == 2);
    CHECK(content.series[0].y == std::vector<double>{20, 0.2});
    CHECK(content.series[1].y == std::vector<double>{1, 1});
    CHECK(content.series[1].title.contains(QStringLiteral("full turn")));
    CHECK(turnsContent({windowed()}, {0, 128, false}).series.empty());
}

TEST_CASE("plots stand in two columns where they are wide, or where one column would scroll", "[ui][encodings]") {
    const QSize smallest(300, 180);
    CHECK(gridColumns(1, {1400, 700}, smallest, 1100) == 1);
    CHECK(gridColumns(4, {1400, 900}, smallest, 1100) == 2);
    CHECK(gridColumns(2, {700, 700}, smallest, 1100) == 1);
    CHECK(gridColumns(4, {700, 700}, smallest, 1100) == 2);
    CHECK(gridColumns(4, {500, 700}, smallest, 1100) == 1);
}

TEST_CASE("rows of plots with a shape of their own leave the rest to the others", "[ui][encodings]") {
    CHECK(rowHeights(900, {std::nullopt, std::nullopt, std::nullopt}, 200) == std::vector<int>{300, 300, 300});
    CHECK(rowHeights(900, {250, std::nullopt}, 200) == std::vector<int>{250, 650});
    CHECK(rowHeights(900, {250, 150}, 200) == std::vector<int>{250, 200});
    CHECK(rowHeights(400, {350, std::nullopt}, 200) == std::vector<int>{200, 200});
}

TEST_CASE("long names are shortened beside the lines and whole in tables", "[ui][encodings]") {
    const auto content = temperatureContent({extended("RoPE + YaRN + Self-Extend + log-n")}, {0, 4, false});
    CHECK(content.series.back().title.size() <= 16);
    CHECK(seriesNames(content).back() == QStringLiteral("RoPE + YaRN + Self-Extend + log-n"));
}
