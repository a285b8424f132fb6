/// Runs of one id or title on the Curves page, and which line the others are compared with, on the fake laboratory.
#include "tests/ui/ui_support.h"
#include "ui/pages/curves_page.h"
#include "ui/theme.h"

#include <QFontMetrics>
#include <QTableView>

#include <stop_token>

using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

namespace {

/// A run of the workspace with the id and the title of the demo ALiBi.
lw::RunInfo twin() {
    lw::RunInfo run = lw::read_run("/fake/demo/alibi-s1").value();
    run.folder = "/fake/workspace/alibi-s1";
    run.demo = false;
    run.recipe.training.length = 64;
    run.recipe.data.source = "sample:lighthouse";
    return run;
}

struct Twins : SessionFixture {
    Twins() {
        lw::fake::state().trained = {twin()};
        session->reloadRuns();
        page = std::make_unique<CurvesPage>(session.get());
        page->setVisible(true);
        REQUIRE(eventually([&] { return session->findRun(QStringLiteral("/fake/workspace/alibi-s1")) != nullptr; }));
        session->setShownOnly({QStringLiteral("/fake/demo/alibi-s1"), QStringLiteral("/fake/workspace/alibi-s1"), QStringLiteral("/fake/demo/rope-s1")});
        REQUIRE(eventually([&] { return page->loaded().content.series.size() == 3; }));
    }
    std::unique_ptr<CurvesPage> page;
};

ReferenceLine line(const char* key, const char* folder, std::size_t seeds, bool current = false) { return {key, QLatin1String(key), {std::string("/fake/demo/") + folder}, seeds, current}; }

CurveRun named(const char* id, std::int64_t length, std::uint64_t seed, bool demo) {
    CurveRun run;
    run.id = id;
    run.title = QStringLiteral("ALiBi");
    run.trainLength = length;
    run.seed = seed;
    run.demo = demo;
    return run;
}

}  // namespace

TEST_CASE("a run of the workspace with the id of a demo run keeps its own line and colour", "[ui][curves]") {
    const Twins twins;
    const CurvesLoaded& loaded = twins.page->loaded();
    std::set<int> runs;
    std::set<std::string> keys;
    for (std::size_t i = 0; i < loaded.set.lines.size(); ++i) {
        runs.insert(loaded.lineRun[i]);
        keys.insert(lineKey(loaded.set.lines[i]));
        const CurveRun& run = loaded.runs[static_cast<std::size_t>(loaded.lineRun[i])];
        CHECK(run.trainLength == loaded.set.lines[i].train_length);
        CHECK(loaded.content.series[i].style == run.style);
    }
    CHECK(runs.size() == 3);
    CHECK(keys.size() == 3);
}

TEST_CASE("lines of one title are told apart by what differs between their runs", "[ui][curves]") {
    const Twins twins;
    QStringList titles;
    for (const CurveSeries& series : twins.page->loaded().content.series) titles << series.title;
    CHECK(titles.contains(QStringLiteral("ALiBi, L = 64")));
    CHECK(titles.contains(QStringLiteral("ALiBi, L = 128")));
    CHECK(titles.contains(QStringLiteral("RoPE")));
    CHECK(distinctTitles({named("a", 128, 1, true), named("a", 128, 1, false)}) == QStringList{QStringLiteral("ALiBi, demo"), QStringLiteral("ALiBi")});
    CHECK(distinctTitles({named("a", 128, 1, true), named("b", 128, 2, true)}) == QStringList{QStringLiteral("ALiBi, seed 1"), QStringLiteral("ALiBi, seed 2")});
    CHECK(distinctTitles({named("a", 128, 1, false), named("b", 128, 1, false)}) == QStringList{QStringLiteral("ALiBi, a"), QStringLiteral("ALiBi, b")});
}

TEST_CASE("files name runs by their ids", "[ui][curves]") {
    const Twins twins;
    const lw::CurveSet set = namedById(twins.page->loaded().set, twins.page->loaded().runs);
    for (const lw::CurveLine& line : set.lines) CHECK((line.runs == std::vector<std::string>{"alibi-s1"} || line.runs == std::vector<std::string>{"rope-s1"}));
}

TEST_CASE("the reference is a line that most others can be compared with", "[ui][curves]") {
    lw::fake::reset();
    lw::fake::state().incomparable = {"Kerple"};
    ReferenceRequest request;
    // The fake refuses what is compared with Kerple's as well as the other way round.
    request.lines = {line("k", "kerple-s1", 3), line("r", "rope-s1", 1), line("f", "fire-s1", 1), line("n", "nope-s1", 1, true)};
    const ReferenceTable table = loadReference(request).value();
    CHECK(table.reference == QStringLiteral("r"));
    CHECK(table.cells.size() == 2);
    CHECK(table.problems.contains("k"));
}

TEST_CASE("of lines that compare alike the reference has several seeds and is not the current run's", "[ui][curves]") {
    lw::fake::reset();
    ReferenceRequest request;
    request.lines = {line("r", "rope-s1", 1), line("d", "dape-kerple-s1", 3, true), line("k", "kerple-s1", 3), line("f", "fire-s1", 1)};
    CHECK(loadReference(request).value().reference == QStringLiteral("k"));
    request.chosen = 3;
    CHECK(loadReference(request).value().reference == QStringLiteral("f"));
}

TEST_CASE("a comparison that is stopped says nothing of its lines", "[ui][curves]") {
    lw::fake::reset();
    ReferenceRequest request;
    request.lines = {line("k", "kerple-s1", 3), line("f", "fire-s1", 1)};
    std::stop_source source;
    source.request_stop();
    lw::RunContext context;
    context.stop = source.get_token();
    for (const bool chosen : {false, true}) {
        if (chosen) request.chosen = 0;
        const auto stopped = loadReference(request, context);
        REQUIRE_FALSE(stopped.ok());
        CHECK(stopped.error().kind == lw::ErrorKind::cancelled);
    }
}

TEST_CASE("a run that is there twice does not count as two seeds", "[ui][curves]") {
    SessionFixture fixture;
    lw::RunInfo copy = lw::read_run("/fake/demo/alibi-s1").value();
    copy.folder = "/fake/workspace/alibi-s1";
    copy.demo = false;
    lw::fake::state().trained = {copy};
    fixture.session->reloadRuns();
    CurvesPage page(fixture.session.get());
    page.setVisible(true);
    REQUIRE(eventually([&] { return fixture.session->findRun(QStringLiteral("/fake/workspace/alibi-s1")) != nullptr; }));
    fixture.session->setShownOnly({QStringLiteral("/fake/demo/alibi-s1"), QStringLiteral("/fake/workspace/alibi-s1"), QStringLiteral("/fake/demo/rope-s1"), QStringLiteral("/fake/demo/fire-s1")});
    REQUIRE(eventually([&] { return page.loaded().content.series.size() == 3; }));
    const auto asked = page.referenceRequest();
    REQUIRE(asked.has_value());
    for (const ReferenceLine& line : asked->lines) CHECK(line.seeds == 1);
}

TEST_CASE("the column that the table is sorted by is marked", "[ui][curves]") {
    const Twins twins;
    const auto* model = twins.page->findChild<QTableView*>(QStringLiteral("curvesTable"))->model();
    int marked = 0;
    for (int c = 0; c < model->columnCount(); ++c) {
        const QString text = model->headerData(c, Qt::Horizontal).toString();
        if (!text.endsWith(QStringLiteral("▴"))) continue;
        ++marked;
        CHECK(text.startsWith(QStringLiteral("16,384")));
    }
    CHECK(marked == 1);
}

TEST_CASE("several ways of scoring are counted, not listed", "[ui][curves]") {
    CHECK(scoredText(QStringLiteral("same 64 last tokens, no BOS")) == QStringLiteral("same 64 last tokens, no BOS"));
    const QString text = scoredText(QStringLiteral("same 32 last tokens | same 64 last tokens | same 64 last tokens, BOS"));
    CHECK(text.startsWith(QStringLiteral("same 32 last tokens;")));
    CHECK(text.contains(QStringLiteral("2 other ways")));
}

TEST_CASE("a text without room gives way to a shorter one", "[ui]") {
    const QFontMetrics metrics(theme::body());
    const QStringList texts{QStringLiteral("Protocol: same 64 last tokens, 32 places"), QStringLiteral("Protocol: Same last tokens"), QStringLiteral("Protocol")};
    CHECK(theme::fittingText(texts, metrics, 2000) == texts[0]);
    CHECK(theme::fittingText(texts, metrics, metrics.horizontalAdvance(texts[1]) + 2) == texts[1]);
    CHECK(theme::fittingText(texts, metrics, metrics.horizontalAdvance(texts[2]) + 2) == texts[2]);
    CHECK(theme::fittingText(texts, metrics, metrics.horizontalAdvance(texts[2]) - 4).endsWith(QChar(0x2026)));
}
