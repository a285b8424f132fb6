/// Runs that cannot be compared in one plot, and what is shown of those that can.
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_page.h"
#include "ui/pages/curves_table.h"
#include "ui/plot/curve_plot.h"
#include "ui/theme.h"

#include <QLabel>
#include <QRegularExpression>
#include <QTableView>

#include <algorithm>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

/// The demo runs, and one of the workspace that reads bytes.
struct WithBytes : SessionFixture {
    WithBytes() {
        lw::Recipe recipe;
        recipe.scheme = lw::find_scheme("t5").value();
        recipe.scheme.name = recipe.name = "DAPE of bytes";
        recipe.data.tokenizer = "byte";
        recipe.training.steps = 10;
        const auto run = lw::train(recipe, session->workspace());
        REQUIRE(run.ok());
        session->reloadRuns();
        page = std::make_unique<CurvesPage>(session.get());
        page->resize(1100, 700);
        page->setVisible(true);
        bytes = QString::fromStdString(run.value().folder.string());
        session->evaluateRuns({bytes});
        QStringList keys;
        for (const RunEntry& one : session->runs()) keys << one.key;
        session->setShownOnly(keys);
        REQUIRE(eventually([&] { return page->loaded().content.series.size() == 10; }));
    }
    [[nodiscard]] bool bold(int row) const {
        const QVariant font = model()->index(row, 1).data(Qt::FontRole);
        return font.isValid() && font.value<QFont>().bold();
    }
    [[nodiscard]] QAbstractItemModel* model() const { return page->findChild<QTableView*>(QStringLiteral("curvesTable"))->model(); }
    std::unique_ptr<CurvesPage> page;
    QString bytes;
};

}  // namespace

TEST_CASE("runs of other tokens are named as such, and are not the best among the others", "[ui][curves]") {
    WithBytes f;
    const auto* banner = f.page->findChild<QLabel*>(QStringLiteral("comparisonBanner"));
    REQUIRE(banner->isVisible());
    CHECK(banner->text().startsWith(QStringLiteral("Different tokenizers: perplexity per token cannot be compared")));
    CHECK(banner->toolTip().contains(QRegularExpression(QStringLiteral("one token per byte[^\\n]*: DAPE of bytes"))));
    const CurvesLoaded& loaded = f.page->loaded();
    CHECK(loaded.content.series.back().title == QStringLiteral("DAPE of bytes"));  // the smaller group comes last
    CHECK_FALSE(f.bold(static_cast<int>(loaded.set.lines.size()) - 1));
    int best = 0;
    for (int row = 0; row < f.model()->rowCount(); ++row) best += f.bold(row) ? 1 : 0;
    CHECK(best >= 1);
    const auto& facts = f.session->details().at(QStringLiteral("protocol")).facts;
    const auto tokens = std::find_if(facts.begin(), facts.end(), [](const DetailFact& fact) { return fact.label == QStringLiteral("Tokenizer"); });
    REQUIRE(tokens != facts.end());
    CHECK(tokens->value.contains(QStringLiteral("one token per byte")));
    CHECK(tokens->value.contains(QStringLiteral("pieces of en-prose")));
    const auto unlike = std::find_if(facts.begin(), facts.end(), [](const DetailFact& fact) { return fact.label == QStringLiteral("Not alike"); });
    REQUIRE(unlike != facts.end());
    CHECK(unlike->value.startsWith(QStringLiteral("tokens differ between runs")));
    f.session->setShown(f.bytes, false);
    REQUIRE(eventually([&] { return f.page->loaded().content.series.size() == 9; }));
    CHECK_FALSE(banner->isVisible());
}

TEST_CASE("losses of other tokens cannot be compared either", "[ui][curves]") {
    WithBytes f;
    f.page->setMode(CurvesMode::training);
    REQUIRE(eventually([&] { return f.page->loaded().mode == CurvesMode::training; }));
    CHECK(f.page->loaded().warning == QStringLiteral("Different tokenizers: loss per token cannot be compared across these runs"));
}

TEST_CASE("training and validation of a run share its colour, and the validation is dashed", "[ui][curves]") {
    WithBytes f;
    f.page->setMode(CurvesMode::training);
    REQUIRE(eventually([&] { return f.page->loaded().mode == CurvesMode::training; }));
    const auto& content = f.page->loaded().content;
    CHECK_FALSE(content.logTwoX);
    REQUIRE(content.series.size() > 1);
    CHECK(content.series[0].style == content.series[1].style);
    CHECK_FALSE(content.series[0].dashed);
    CHECK(content.series[1].dashed);
}

TEST_CASE("figures of training losses are drawn as in the window", "[ui][figure]") {
    lw::CurveSet set;
    set.x_label = "Step";
    for (const char* run : {"rope", "alibi"})
        for (const char* what : {"training", "validation"}) {
            lw::CurveLine line;
            line.title = std::string(run) + ", " + what;
            line.runs = {run};
            line.length = {10, 20};
            line.value = line.low = line.high = {4, 3};
            set.lines.push_back(line);
        }
    const CurveContent content = curveContent(set);
    CHECK_FALSE(content.logTwoX);
    REQUIRE(content.series.size() == 4);
    CHECK(content.series[0].style == content.series[1].style);
    CHECK(content.series[2].style == content.series[3].style);
    CHECK(content.series[0].style != content.series[2].style);
    CHECK(content.series[1].dashed);
    CHECK_FALSE(content.series[2].dashed);
    CHECK_FALSE(content.series[0].hasIntervals());
}

TEST_CASE("while no line has two seeds there is no column of p", "[ui][curves]") {
    WithBytes f;
    CurvesModel model;
    model.setContent(f.page->loaded());
    const int without = model.columnCount();
    ReferenceTable table;
    table.reference = QStringLiteral("Kerple");
    lw::Comparison alone;
    table.cells[{lineKey(f.page->loaded().set.lines.front()), 2048}] = alone;
    model.setReference(table, 2048);
    CHECK(model.columnCount() == without);
    table.cells.begin()->second.welch_p = 0.02;
    model.setReference(table, 2048);
    CHECK(model.columnCount() == without + 1);
}

TEST_CASE("what still reads a run that was deleted is no error", "[ui][session]") {
    SessionFixture f;
    int errors = 0;
    QObject::connect(f.session.get(), &Session::errorReported, f.session.get(), [&] { ++errors; });
    const std::filesystem::path folder = f.session->workspace() / "run-1";
    const lw::Error late{lw::ErrorKind::not_found, "There is no run folder " + folder.string() + "."};
    f.session->report(late, QStringLiteral("Reading the curves"));
    CHECK(errors == 1);
    REQUIRE(f.session->deleteRun(folder).ok());
    f.session->report(late, QStringLiteral("Reading the curves"));
    CHECK(errors == 1);
    std::filesystem::create_directories(folder);  // another run of that name is read like any other
    f.session->report(late, QStringLiteral("Reading the curves"));
    CHECK(errors == 2);
}

TEST_CASE("an extended run has the colour of its weights and a dash of its own", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    const RunEntry* rope = nullptr;
    for (const RunEntry& run : f.session->runs())
        if (run.title() == QStringLiteral("RoPE")) rope = &run;
    REQUIRE(rope != nullptr);
    const QString key = rope->key;
    for (const char* id : {"yarn", "linear"}) {
        lw::SchemeSpec extension;
        extension.slots["frequency"] = {id, {}};
        REQUIRE(lw::extend_run(key.toStdString(), extension, f.session->workspace()).ok());
    }
    f.session->reloadRuns();
    const int base = f.session->findRun(key)->style;
    std::set<int> styles{base};
    for (const RunEntry& run : f.session->runs()) {
        if (!run.isExtended()) continue;
        CHECK(theme::runColour(run.style, false) == theme::runColour(base, false));
        CHECK(theme::runPenStyle(run.style) != theme::runPenStyle(base));
        styles.insert(run.style);
    }
    CHECK(styles.size() == 3);
}
