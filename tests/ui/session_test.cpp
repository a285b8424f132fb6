/// The session: runs, choices, maps, what is remembered.
#include "tests/ui/ui_support.h"
#include "ui/theme.h"

#include <QSignalSpy>

#include <set>

using namespace lw;
using namespace lw::ui;
using lw::test::eventually;
using lw::test::SessionFixture;

TEST_CASE("the demo runs are there at the first start and all are shown", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    REQUIRE(f.session->runs().size() == demo_runs().size());
    CHECK(f.session->shownRuns().size() == demo_runs().size());
    REQUIRE(f.session->currentRun());
    CHECK(f.session->currentRun()->info.recipe.scheme.slots.contains("adaptive"));
}

TEST_CASE("seeds of one recipe share a colour and other recipes have others", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    std::map<QString, int> styles;
    for (const RunEntry& run : f.session->runs()) {
        const auto [known, fresh] = styles.emplace(run.group, run.style);
        if (!fresh) CHECK(known->second == run.style);
    }
    std::set<int> distinct;
    for (const auto& [group, style] : styles) distinct.insert(style);
    CHECK(distinct.size() == styles.size());
    CHECK(styles.size() == 9);
}

TEST_CASE("a run keeps its colour and tick when another one comes and at the next start", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    const QString key = f.session->runs()[4].key;
    const int style = f.session->runs()[4].style;
    f.session->setShown(key, false);
    lw::Recipe recipe;
    recipe.scheme = find_scheme("t5").value();
    recipe.training.steps = 10;
    REQUIRE(train(recipe, f.session->workspace()).ok());
    f.session->reloadRuns();
    CHECK(f.session->runs().size() == demo_runs().size() + 1);
    CHECK(f.session->findRun(key)->style == style);
    CHECK_FALSE(f.session->findRun(key)->shown);

    f.session->settings().sync();
    SessionOptions options;
    options.mode = ComputeThread::Mode::immediate;
    options.settingsFile = f.folder.filePath("settings.ini");
    options.workspace = f.session->workspace();
    Session next(options);
    next.reloadRuns();
    CHECK(next.findRun(key)->style == style);
    CHECK_FALSE(next.findRun(key)->shown);
}

TEST_CASE("choices are told once and remembered", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    QSignalSpy head(f.session.get(), &Session::headChanged), length(f.session.get(), &Session::lengthChanged), run(f.session.get(), &Session::currentRunChanged);
    f.session->setHead(2, 5);
    f.session->setHead(2, 5);
    f.session->setLength(2048);
    f.session->setLength(2048);
    f.session->setCurrentRun(f.session->runs().front().key);
    f.session->setCurrentRun("/no/such/run");
    f.session->setPart(ScorePart::bias);
    CHECK(head.count() == 1);
    CHECK(length.count() == 1);
    CHECK(run.count() == 1);
    f.session->settings().sync();
    SessionOptions options;
    options.mode = ComputeThread::Mode::immediate;
    options.settingsFile = f.folder.filePath("settings.ini");
    Session next(options);
    next.reloadRuns();
    CHECK(next.layer() == 2);
    CHECK(next.head() == 5);
    CHECK(next.length() == 2048);
    CHECK(next.part() == ScorePart::bias);
    CHECK(next.currentRun()->key == f.session->runs().front().key);
}

TEST_CASE("settings that make no sense do no harm", "[ui][session]") {
    SessionFixture f;
    f.session->settings().setValue("choice/layer", -7);
    f.session->settings().setValue("choice/length", 99999999);
    f.session->settings().setValue("choice/part", "nonsense");
    f.session->settings().sync();
    SessionOptions options;
    options.mode = ComputeThread::Mode::immediate;
    options.settingsFile = f.folder.filePath("settings.ini");
    Session next(options);
    CHECK(next.layer() == 0);
    CHECK(next.length() == 65536);
    CHECK(next.part() == ScorePart::probability);
}

TEST_CASE("maps are opened once and again only when run or text changed", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    f.session->ensureMaps();
    f.session->ensureMaps();
    CHECK(fake::state().open_maps_calls == 1);
    REQUIRE(f.session->mapsInfo());
    CHECK(f.session->mapsInfo()->length == f.session->length());
    CHECK(f.session->effectiveQuery() == f.session->length() - 1);
    f.session->setHead(1, 1);
    f.session->ensureMaps();
    CHECK(fake::state().open_maps_calls == 1);
    f.session->setLength(1024);
    f.session->ensureMaps();
    CHECK(fake::state().open_maps_calls == 2);
    f.session->setCurrentRun(f.session->runs().front().key);
    f.session->ensureMaps();
    CHECK(fake::state().open_maps_calls == 3);
    CHECK(f.session->mapsRun() == f.session->runs().front().key);
}

TEST_CASE("maps that cannot be opened leave a sentence and a later try works", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    fake::state().fail_maps = {ErrorKind::out_of_memory, "This needs 40 GB; 8,192 tokens would fit."};
    f.session->ensureMaps();
    CHECK(f.session->mapsInfo() == nullptr);
    CHECK(f.session->mapsError().contains("8,192"));
    fake::state().fail_maps.message.clear();
    f.session->setLength(256);
    f.session->ensureMaps();
    CHECK(f.session->mapsInfo() != nullptr);
    CHECK(f.session->mapsError().isEmpty());
}

TEST_CASE("with a thread only the newest maps arrive while a person pages through runs", "[ui][session]") {
    SessionFixture f(ComputeThread::Mode::thread);
    f.session->reloadRuns();
    REQUIRE(eventually([&] { return !f.session->runs().empty(); }));
    for (const RunEntry& run : f.session->runs()) {
        f.session->setCurrentRun(run.key);
        f.session->ensureMaps();
    }
    REQUIRE(eventually([&] { return f.session->compute().idle(); }));
    CHECK(f.session->mapsRun() == f.session->currentRun()->key);
    CHECK_FALSE(f.session->mapsOpening());
}

TEST_CASE("evaluating a demo run is kept in the person's own folder, also at the next start", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    QSignalSpy changed(f.session.get(), &Session::evaluationChanged);
    const QString key = f.session->runs().front().key;
    EvaluationSpec spec;
    spec.protocol = "sliding";
    f.session->evaluateRuns({key}, spec);
    REQUIRE(eventually([&] { return f.session->findRun(key)->protocols.contains("sliding"); }));
    CHECK(changed.count() >= 1);
    CHECK(f.session->findRun(key)->evaluationFolder != f.session->findRun(key)->info.folder);
    CHECK(f.session->freshEvaluations().empty());
    SessionOptions options;
    options.mode = ComputeThread::Mode::immediate;
    options.settingsFile = f.folder.filePath("other.ini");
    Session next(options);
    next.reloadRuns();
    CHECK(next.findRun(key)->protocols.contains("sliding"));
    CHECK(read_evaluations(next.findRun(key)->evaluationFolder).value().size() == 2);
}

TEST_CASE("evaluations by two protocols do not replace each other and a cancelled one leaves nothing half", "[ui][session]") {
    SessionFixture f(ComputeThread::Mode::thread);
    f.session->reloadRuns();
    REQUIRE(eventually([&] { return !f.session->runs().empty(); }));
    const QString key = f.session->runs().front().key;
    EvaluationSpec last, sliding;
    sliding.protocol = "sliding";
    std::set<std::string> seen;
    QObject::connect(f.session.get(), &Session::evaluationChanged, f.session.get(), [&] {
        for (const auto& [fresh, evaluation] : f.session->freshEvaluations()) {
            CHECK(fresh.second == evaluation.protocol.protocol);
            seen.insert(fresh.second);
        }
    });
    f.session->evaluateRuns({key}, last);
    f.session->evaluateRuns({key}, sliding);
    REQUIRE(eventually([&] { return f.session->compute().idle() && f.session->freshEvaluations().empty(); }));
    f.session->evaluateRuns({key}, last);
    f.session->compute().cancelAll();
    REQUIRE(eventually([&] { return f.session->compute().idle(); }));
    CHECK(f.session->freshEvaluations().empty());
}

TEST_CASE("a run selected by its training is the one of the next start", "[ui][session]") {
    SessionFixture f;
    f.session->reloadRuns();
    const QString key = f.session->runs()[3].key;
    f.session->reloadRuns(key);
    CHECK(f.session->settings().value("choice/run").toString() == key);
}

TEST_CASE("cancelled is not reported as an error", "[ui][session]") {
    SessionFixture f;
    QSignalSpy errors(f.session.get(), &Session::errorReported);
    f.session->report({ErrorKind::cancelled, "Cancelled."});
    CHECK(errors.count() == 0);
    f.session->report({ErrorKind::io, "The disk is full."}, "Saving");
    CHECK(errors.count() == 1);
}

TEST_CASE("empty detail sections disappear", "[ui][session]") {
    SessionFixture f;
    DetailSection section;
    section.title = "Layer 2, head 4";
    f.session->setDetails("head", section);
    CHECK(f.session->details().contains("head"));
    f.session->setDetails("head", {});
    CHECK_FALSE(f.session->details().contains("head"));
}

TEST_CASE("run colours differ and are lighter in the dark", "[ui][theme]") {
    std::set<QRgb> colours;
    for (int style = 0; style < theme::runColourCount(); ++style) {
        colours.insert(theme::runColour(style, false).rgb());
        CHECK(theme::runColour(style, true).lightnessF() >= theme::runColour(style, false).lightnessF() - 0.001F);
    }
    CHECK(static_cast<int>(colours.size()) == theme::runColourCount());
    CHECK(theme::runPenStyle(0) == Qt::SolidLine);
    CHECK(theme::runPenStyle(theme::runColourCount()) != Qt::SolidLine);
}
