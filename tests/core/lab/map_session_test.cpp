/// Maps of real, tiny runs: parts sum to logits, cells, rows and tiles agree, and heads are measured on what they say.
#include "tests/support/catch_torch.h"

#include "core/api/export.h"
#include "core/api/maps.h"
#include "tests/core/training/tiny_run.h"

#include <cmath>
#include <set>

using namespace lw;

namespace {

constexpr std::int64_t kLength = 40;

RunInfo trained(const TinyLaboratory& lab, const SchemeSpec& scheme, const std::string& source = "") {
    Recipe recipe = lab.recipe();
    recipe.scheme = scheme;
    recipe.training.steps = 2;
    if (!source.empty()) recipe.data.source = source;
    return train(recipe, lab.workspace).value();
}

MapsRequest request_for(const RunInfo& run) {
    MapsRequest request;
    request.run = run.folder;
    request.text.length = kLength;
    return request;
}

SchemeSpec dape(const std::string& variant) {
    SchemeSpec scheme = find_scheme("dape-kerple").value();
    scheme.slots.at("adaptive").params["variant"] = variant;
    return scheme;
}

std::size_t place_of(std::int64_t number) { return static_cast<std::size_t>(number); }

/// All cells of one part of a layer, unpooled.
std::vector<MapTile> whole(MapSession& session, std::int64_t layer, ScorePart part) {
    TileRequest request;
    request.layer = layer;
    request.part = part;
    request.queries = request.keys = {0, kLength};
    return session.tiles(request).value();
}

float value(const MapTile& tile, std::int64_t query, std::int64_t key) { return tile.values.at(place_of(query * tile.columns + key)); }

}  // namespace

TEST_CASE("content, bias and adaptive sum to the logit of every cell, and cells agree with rows and tiles", "[lab][maps]") {
    const TinyLaboratory lab;
    // The variant "concat" leaves the static bias out of the sum; "alibi" has no adaptive term, "rope" neither.
    for (const SchemeSpec& scheme : {dape("concat_residual"), dape("concat"), find_scheme("alibi").value(), find_scheme("rope").value()}) {
        const auto session = open_maps(request_for(trained(lab, scheme))).value();
        const auto contents = whole(*session, 1, ScorePart::content), logits = whole(*session, 1, ScorePart::logit), shares = whole(*session, 1, ScorePart::probability);
        const auto rows = session->rows(1, 31).value();
        for (std::int64_t head = 0; head < 4; ++head) {
            for (const std::int64_t key : {0, 7, 31}) {
                CAPTURE(scheme.name, head, key);
                const CellArithmetic cell = session->cell(1, head, 31, key).value();
                CHECK(cell.content + (cell.bias_is_added ? cell.bias : 0) + cell.adaptive == Approx(cell.logit).margin(1e-5));
                const RowProfile& row = rows.at(place_of(head));
                CHECK(row.content.at(place_of(key)) == Approx(cell.content).margin(1e-5));
                CHECK(row.logit.at(place_of(key)) == Approx(cell.logit).margin(1e-5));
                CHECK(row.probability.at(place_of(key)) == Approx(cell.probability).margin(1e-6));
                CHECK(value(contents.at(place_of(head)), 31, key) == Approx(cell.content).margin(1e-5));
                CHECK(value(logits.at(place_of(head)), 31, key) == Approx(cell.logit).margin(1e-5));
                CHECK(value(shares.at(place_of(head)), 31, key) == Approx(cell.probability).margin(1e-6));
            }
            double mass = 0;
            for (const float p : rows.at(place_of(head)).probability) mass += static_cast<double>(p);
            CHECK(mass == Approx(1).margin(1e-4));
        }
    }
}

TEST_CASE("the variant that drops the static bias says so in its cells", "[lab][maps]") {
    const TinyLaboratory lab;
    const auto session = open_maps(request_for(trained(lab, dape("concat")))).value();
    const CellArithmetic cell = session->cell(0, 1, 20, 3).value();
    CHECK_FALSE(cell.bias_is_added);
    CHECK(cell.bias != 0);
    CHECK(cell.content + cell.adaptive == Approx(cell.logit).margin(1e-5));
    CHECK(open_maps(request_for(trained(lab, dape("concat_residual")))).value()->cell(0, 1, 20, 3).value().bias_is_added);
}

TEST_CASE("what is not there is refused with the bounds", "[lab][maps]") {
    const TinyLaboratory lab;
    const auto session = open_maps(request_for(trained(lab, find_scheme("alibi").value()))).value();
    CHECK(session->rows(2, 5).error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(session->rows(0, kLength).error().message, Catch::Contains("40 tokens"));
    CHECK(session->cell(0, 9, 5, 5).error().kind == ErrorKind::invalid_argument);
    CHECK_FALSE(session->cell(0, 0, 5, 9).value().visible);
    TileRequest outside;
    outside.queries = outside.keys = {0, kLength + 1};
    CHECK_THAT(session->tiles(outside).error().message, Catch::Contains("40 tokens"));
}

TEST_CASE("heads are measured over several places of documents, each number with its part and texts", "[lab][maps]") {
    const TinyLaboratory lab;
    MeasureRequest measure;
    measure.sequences = 3;
    const auto heads = measure_heads(request_for(trained(lab, dape("concat_residual"))), measure).value();
    REQUIRE(heads.size() == 8);
    for (const HeadMeasures& m : heads) {
        CHECK(m.of == ScorePart::bias_adaptive);
        CHECK(m.texts == 3);
        CHECK(m.adaptivity > 0);
        CHECK(m.locality >= -1);
        CHECK(m.locality <= 1);
    }
    const std::string csv = measures_csv(heads);
    CHECK_THAT(csv, Catch::Contains("of,texts"));
    CHECK_THAT(csv, Catch::Contains("bias+adaptive,3"));
}

TEST_CASE("heads name the documents they were measured on, which are the run's own", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("alibi").value());
    MeasureRequest measure;
    measure.sequences = 1000;  // more than there are
    MapsRequest request = request_for(run);
    request.text.length = 1000;
    const auto own = measure_heads(request, measure).value();
    REQUIRE_FALSE(own.front().documents.empty());
    for (const std::string& document : own.front().documents) CHECK_THAT(document, Catch::StartsWith("document-"));
    // Where the corpus is not on this machine, samples in its language stand in.
    std::string recipe = read_file(run.folder / "recipe.json");
    const std::string source = lab.corpus.string();
    REQUIRE(recipe.find(source) != std::string::npos);
    write_file(run.folder / "recipe.json", recipe.replace(recipe.find(source), source.size(), "en-prose"));
    const auto samples = measure_heads(request, measure).value();
    REQUIRE_FALSE(samples.front().documents.empty());
    for (const std::string& document : samples.front().documents) CHECK_THAT(document, Catch::StartsWith("sample:") && !Catch::Contains("tea-road"));
}

TEST_CASE("thresholds of heads are numbers of 0 or more", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("alibi").value());
    MeasureRequest measure;
    measure.sequences = 1;
    measure.rank_threshold = std::nan("");
    CHECK_THAT(measure_heads(request_for(run), measure).error().message, Catch::Contains("threshold of the rank"));
    measure.rank_threshold = 0;
    measure.peak_threshold = -0.5;
    CHECK_THAT(measure_heads(request_for(run), measure).error().message, Catch::Contains("-0.5; it must be a number of 0 or more"));
    measure.peak_threshold = 0.5;
    CHECK(measure_heads(request_for(run), measure).ok());
}

TEST_CASE("a static bias does not change from text to text, and with one text nobody knows", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("alibi").value());
    MeasureRequest measure;
    measure.sequences = 2;
    for (const HeadMeasures& m : measure_heads(request_for(run), measure).value()) CHECK(m.adaptivity == Approx(0).margin(1e-6));
    MapsRequest typed = request_for(run);
    typed.text.text = "The blue lamp stands by the water.";
    for (const HeadMeasures& m : measure_heads(typed, measure).value()) {
        CHECK(m.texts == 1);
        CHECK(std::isnan(m.adaptivity));
    }
    for (const HeadMeasures& m : open_maps(typed).value()->measures(measure).value()) CHECK(std::isnan(m.adaptivity));
}

TEST_CASE("a scheme without bias is measured on its content, and says so", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("rope").value());
    for (const HeadMeasures& m : measure_heads(request_for(run), {}).value()) CHECK(m.of == ScorePart::content);
    MeasureRequest bias;
    bias.of = ScorePart::bias;
    CHECK_THAT(measure_heads(request_for(run), bias).error().message, Catch::Contains("no bias"));
}

TEST_CASE("heads of a run trained on a task are measured over different examples", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("alibi").value(), "task:copy");
    MeasureRequest measure;
    measure.of = ScorePart::content;
    measure.sequences = 12;  // more than the examples that are listed
    std::set<std::int64_t> texts;
    for (const HeadMeasures& m : measure_heads(request_for(run), measure).value()) {
        texts.insert(m.texts);
        CHECK(m.adaptivity > 0);
    }
    CHECK(texts == std::set<std::int64_t>{12});
}

TEST_CASE("opening maps and measuring heads stop when asked to", "[lab][maps]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, find_scheme("dape-kerple").value());
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    CHECK(open_maps(request_for(run), context).error().kind == ErrorKind::cancelled);
    CHECK(measure_heads(request_for(run), {}, context).error().kind == ErrorKind::cancelled);
}
