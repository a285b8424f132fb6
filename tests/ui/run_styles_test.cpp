/// The rule of colours: what runs and schemes get, in the window and in figures of the command line.
#include "tests/ui/ui_support.h"
#include "ui/plot/curve_content.h"
#include "ui/plot/figures.h"
#include "ui/plot/plot_theme.h"
#include "ui/plot/run_styles.h"
#include "ui/theme.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace lw::ui;
using lw::test::SessionFixture;

namespace {

lw::RunInfo own(const std::string& preset, const std::string& id, std::int64_t length) {
    lw::RunInfo run;
    run.id = id;
    run.folder = std::filesystem::path("/fake/own") / id;
    run.recipe.scheme = lw::find_scheme(preset).value();
    run.recipe.training.length = length;
    run.title = run.recipe.scheme.name;
    return run;
}

double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

lw::CurveLine lineOf(const lw::RunInfo& run, const std::string& title) {
    lw::CurveLine line;
    line.title = title;
    line.runs = {run.id};
    return line;
}

}  // namespace

TEST_CASE("other runs of a scheme have its colour with a dash of their own", "[ui][styles]") {
    RunStyleMemory memory;
    std::vector<lw::RunInfo> runs = lw::demo_runs();
    const std::size_t demos = runs.size();
    runs.push_back(own("rope", "rope-512", 512));
    runs.push_back(own("rope", "rope-1024", 1024));
    runs.push_back(own("t5", "t5-512", 512));
    const std::vector<int> styles = stylesOfRuns(runs, memory);
    REQUIRE(styles.size() == runs.size());
    int rope = -1;
    for (std::size_t r = 0; r < demos; ++r)
        if (runs[r].title == "RoPE") rope = styles[r];
    REQUIRE(rope >= 0);
    for (const std::size_t r : {demos, demos + 1}) {
        CHECK(theme::runColour(styles[r], false) == theme::runColour(rope, false));
        CHECK(theme::runPenStyle(styles[r]) != theme::runPenStyle(rope));
    }
    CHECK(styles[demos] != styles[demos + 1]);
    CHECK(std::count(styles.begin(), styles.end(), styles[demos + 2]) == 1);
    CHECK(memory.size() == 3);  // the demo runs' follow from the rule
}

TEST_CASE("a run keeps its style when an older one goes", "[ui][styles]") {
    RunStyleMemory memory;
    std::vector<lw::RunInfo> runs = lw::demo_runs();
    runs.push_back(own("t5", "t5-512", 512));
    runs.push_back(own("rope-yarn", "yarn-512", 512));
    const int kept = stylesOfRuns(runs, memory).back();
    runs.erase(runs.end() - 2);
    CHECK(stylesOfRuns(runs, memory).back() == kept);

    const QTemporaryDir folder;
    const std::filesystem::path workspace = folder.path().toStdString();
    CHECK(readRunStyles(workspace).empty());
    REQUIRE(saveRunStyles(workspace, memory).ok());
    CHECK(readRunStyles(workspace) == memory);
}

TEST_CASE("another seed of a demo run has its style, at every reading", "[ui][styles]") {
    RunStyleMemory memory;
    std::vector<lw::RunInfo> runs = lw::demo_runs();
    REQUIRE_FALSE(runs.empty());
    lw::RunInfo seed = own("rope", "seed-9", 128);
    seed.recipe = runs[0].recipe;
    seed.recipe.seed = 9;
    runs.push_back(seed);
    runs.push_back(own("t5", "t5-512", 512));
    memory[seedGroup(seed)] = 3;  // as it was once written
    const std::vector<int> first = stylesOfRuns(runs, memory);
    CHECK(first[runs.size() - 2] == first[0]);
    CHECK(stylesOfRuns(runs, memory) == first);
    CHECK(stylesOfRuns(runs, memory) == first);
    runs.erase(runs.end() - 2);
    std::vector<int> without = first;
    without.erase(without.end() - 2);
    CHECK(stylesOfRuns(runs, memory) == without);
}

TEST_CASE("a figure drawn from the command line has the colours of the window", "[ui][styles][figure]") {
    SessionFixture f;
    lw::Recipe recipe;
    recipe.scheme = lw::find_scheme("rope").value();
    recipe.training.length = 512;
    recipe.training.steps = 10;
    REQUIRE(lw::train(recipe, f.session->workspace()).ok());
    f.session->reloadRuns();
    std::vector<lw::RunInfo> drawn;  // a few, in another order than the list's
    std::vector<int> window;
    lw::CurveSet set;
    for (const std::size_t r : {f.session->runs().size() - 1, std::size_t{5}, std::size_t{2}}) {
        const RunEntry& run = f.session->runs()[r];
        drawn.push_back(run.info);
        window.push_back(run.style);
        set.lines.push_back(lineOf(run.info, run.info.title + ", training"));
    }
    CHECK(curve_styles(set, drawn, f.session->workspace()) == window);
    CHECK(curveContent(set, curve_styles(set, drawn, f.session->workspace())).series.front().style == window.front());
    // Of a run and one of the same id, each line has its own.
    lw::RunInfo twin = own("alibi", drawn[1].id, 256);
    set.lines = {lineOf(drawn[1], "same"), lineOf(twin, "same")};
    const std::vector<int> twins = curve_styles(set, {drawn[1], twin}, f.session->workspace());
    REQUIRE(twins.size() == 2);
    CHECK(twins[0] == window[1]);
    CHECK(twins[1] != twins[0]);
}

TEST_CASE("an encoding is drawn in the colour of its scheme's runs", "[ui][styles][figure]") {
    SessionFixture f;
    f.session->reloadRuns();
    int alibi = -1;
    for (const RunEntry& run : f.session->runs())
        if (run.title() == QStringLiteral("ALiBi")) alibi = run.style;
    REQUIRE(alibi > 0);
    std::vector<EncodingFigure> figures(3);
    figures[0].scheme = lw::find_scheme("t5").value();
    figures[1].scheme = figures[2].scheme = lw::find_scheme("alibi").value();
    style_encoding_figures(figures, f.session->workspace());
    CHECK(figures[1].style == alibi);
    CHECK(figures[0].style > 0);
    CHECK(std::set<int>{figures[0].style, figures[1].style, figures[2].style}.size() == 3);
    // An extended scheme has the colour of the one it extends.
    int rope = -1;
    for (const RunEntry& run : f.session->runs())
        if (run.title() == QStringLiteral("RoPE")) rope = run.style;
    figures = {EncodingFigure{}};
    figures[0].scheme = lw::find_scheme("rope-yarn").value();
    style_encoding_figures(figures, f.session->workspace());
    CHECK(figures[0].style == rope);
    figures = {EncodingFigure{}};
    figures[0].scheme = lw::find_scheme("rope").value();
    figures[0].scheme.slots["positions"] = {"linear", {}};  // what may be put on a trained model is not only in some slots
    style_encoding_figures(figures, f.session->workspace());
    CHECK(figures[0].style == rope);
}

TEST_CASE("the names of lines can be read on the ground of figures, in every colour", "[ui][styles]") {
    for (const bool dark : {false, true}) {
        const PlotTheme figure = PlotTheme::forExport(dark);
        std::set<QRgb> different;
        for (int style = 0; style < theme::runColourCount(); ++style) {
            const double name = luminance(figure.runText(style)), ground = luminance(figure.background);
            CHECK((std::max(name, ground) + 0.05) / (std::min(name, ground) + 0.05) >= 4.5);
            different.insert(figure.runText(style).rgb());
        }
        CHECK(different.size() == static_cast<std::size_t>(theme::runColourCount()));
    }
}
