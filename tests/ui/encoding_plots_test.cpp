/// Curves of the Encodings page that come from maps of positions and distances, and from temperatures.
#include "tests/ui/ui_support.h"
#include "ui/pages/encoding_plots.h"

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
