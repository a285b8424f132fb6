/// Heads over lengths, checkpoints and texts, on real, tiny runs.
#include "tests/support/catch_torch.h"

#include "core/api/heads.h"
#include "core/storage/tensor_file.h"
#include "tests/core/training/tiny_run.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace lw;

namespace {

RunInfo trained(const TinyLaboratory& lab, const std::string& scheme, std::int64_t steps = 2) {
    Recipe recipe = lab.recipe(scheme);
    recipe.training.steps = steps;
    return train(recipe, lab.workspace).value();
}

AtlasRequest request_for(const RunInfo& run, std::int64_t texts = 2) {
    AtlasRequest request;
    request.run = run.folder;
    request.lengths = {16, 48};
    request.queries = 8;
    request.measure.sequences = texts;
    return request;
}

const HeadPoint& point_at(const HeadAtlas& atlas, std::int64_t length, std::int64_t layer, std::int64_t head) {
    for (const HeadPoint& point : atlas.points) {
        if (point.length == length && point.layer == layer && point.head == head) return point;
    }
    throw std::out_of_range("no such point");
}

std::vector<RowProfile> rows_of(const RunInfo& run, std::int64_t length, std::int64_t layer, std::int64_t query) {
    MapsRequest request;
    request.run = run.folder;
    request.text.length = length;
    return open_maps(request).value()->rows(layer, query).value();
}

/// Jensen–Shannon divergence by its definition through Kullback–Leibler divergences.
double js(const std::vector<float>& p, const std::vector<float>& q) {
    double sum = 0;
    for (std::size_t n = 0; n < p.size(); ++n) {
        const double a = p[n], b = q[n], m = (a + b) / 2;
        sum += 0.5 * (a > 0 ? a * std::log(a / m) : 0) + 0.5 * (b > 0 ? b * std::log(b / m) : 0);
    }
    return sum;
}

/// A tensor's full name in a file, by its end.
std::string name_of(const TensorFile& file, const std::string& end) {
    for (const auto& [name, tensor] : file.tensors) {
        if (name.ends_with(end)) return name;
    }
    throw std::out_of_range(end);
}

}  // namespace

TEST_CASE("an atlas holds every head at every length, measured on the rows that maps show", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "dape-kerple");
    AtlasRequest request = request_for(run, 1);
    const HeadAtlas atlas = head_atlas(request).value();
    CHECK(atlas.lengths == std::vector<std::int64_t>{16, 48});
    CHECK(atlas.steps.size() == 1);
    CHECK(atlas.train_length == 32);
    REQUIRE(atlas.points.size() == 2 * 2 * 4);
    REQUIRE(atlas.terms.size() == 2 * 2);
    // At the longest length the text is the one that maps read.
    const HeadPoint& point = point_at(atlas, 48, 1, 2);
    double entropy = 0, beyond = 0, sink = 0, squares = 0, cells = 0;
    for (std::int64_t query = 40; query < 48; ++query) {
        const RowProfile row = rows_of(run, 48, 1, query).at(2);
        sink += static_cast<double>(row.probability.front()) / 8;
        for (std::size_t key = 0; key < row.probability.size(); ++key) {
            const double p = row.probability[key];
            if (p > 0) entropy -= p * std::log(p) / 8;
            if (query - static_cast<std::int64_t>(key) >= 32) beyond += p / 8;
            squares += static_cast<double>(row.adaptive[key]) * static_cast<double>(row.adaptive[key]);
            cells += 1;
        }
    }
    CHECK(point.entropy == Approx(entropy).epsilon(1e-4));
    CHECK(point.effective_keys == Approx(std::exp(entropy)).epsilon(1e-4));
    CHECK(point.beyond_training == Approx(beyond).epsilon(1e-4));
    CHECK(point.sink == Approx(sink).epsilon(1e-4));
    CHECK(point.rms_adaptive == Approx(std::sqrt(squares / cells)).epsilon(1e-4));
    CHECK(point.spread <= 1.0 + 1e-6);
    CHECK(point_at(atlas, 16, 1, 2).beyond_training == 0);
    CHECK(std::isnan(point_at(atlas, 16, 1, 2).untrained.low));
    CHECK(point.untrained.low <= point.untrained.high);
}

TEST_CASE("classes of an atlas are those of the measured heads", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "dape-kerple");
    AtlasRequest request = request_for(run, 3);
    request.lengths = {48};
    const HeadAtlas atlas = head_atlas(request).value();
    MapsRequest maps;
    maps.run = run.folder;
    maps.text.length = 48;
    MeasureRequest measure;
    measure.sequences = 3;
    for (const HeadMeasures& m : measure_heads(maps, measure).value()) {
        const HeadPoint& point = point_at(atlas, 48, m.layer, m.head);
        CHECK(point.head_class == m.head_class);
        CHECK(point.locality == Approx(m.locality));
        CHECK(point.contrast == Approx(m.contrast));
        CHECK(point.adaptivity == Approx(m.adaptivity));
    }
    CHECK(atlas.texts == 3);
}

TEST_CASE("the terms of a layer are those of its heads together", "[lab][heads]") {
    const TinyLaboratory lab;
    const HeadAtlas atlas = head_atlas(request_for(trained(lab, "dape-kerple"))).value();
    for (const LayerTerms& terms : atlas.terms) {
        double squares = 0;
        for (std::int64_t head = 0; head < 4; ++head) squares += std::pow(point_at(atlas, terms.length, terms.layer, head).rms_content, 2) / 4;
        CHECK(terms.content == Approx(std::sqrt(squares)));
    }
}

TEST_CASE("trails go over checkpoints as well, and drift adds up what changed", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "dape-kerple", 6);
    AtlasRequest request = request_for(run, 1);
    for (const auto& checkpoint : run.checkpoints) request.steps.push_back(checkpoint.step);
    request.steps.push_back(-1);  // named twice
    const HeadAtlas atlas = head_atlas(request).value();
    REQUIRE(atlas.steps.size() == run.checkpoints.size());
    REQUIRE(atlas.steps.size() > 1);
    const auto trail = head_trail(atlas, 1, 3, TrailAxis::step);
    REQUIRE(trail.size() == atlas.steps.size());
    CHECK(trail.front().length == 48);
    CHECK(head_trail(atlas, 1, 3, TrailAxis::length).size() == 2);
    CHECK(head_trail(atlas, 5, 0, TrailAxis::length).empty());
    double path = 0;
    for (std::size_t n = 1; n < trail.size(); ++n) path += std::abs(trail[n].locality - trail[n - 1].locality);
    const auto drifts = head_drift(atlas, TrailAxis::step);
    REQUIRE(drifts.size() == 8);
    for (const HeadDrift& drift : drifts) {
        if (drift.layer == 1 && drift.head == 3) CHECK(drift.path == Approx(path));
    }
    CHECK(drifts.front().path >= drifts.back().path);
    CHECK_THAT(atlas_csv(atlas), Catch::StartsWith("step,length,layer,head,class"));
}

TEST_CASE("a length that cannot be measured is refused with the numbers", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "alibi");
    AtlasRequest request = request_for(run);
    request.lengths = {1, 16};
    CHECK_THAT(head_atlas(request).error().message, Catch::Contains("2 tokens or more"));
    request.lengths = {16, 400};
    request.text.text = "A boat stands by the water.";
    CHECK_THAT(head_atlas(request).error().message, Catch::Contains("has 27 tokens") && Catch::Contains("at 400"));
    request.lengths = {16};
    request.steps = {12345};
    CHECK(head_atlas(request).error().kind == ErrorKind::not_found);
    request.steps = {};
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    CHECK(head_atlas(request, context).error().kind == ErrorKind::cancelled);
    CHECK(head_distances(request, context).error().kind == ErrorKind::cancelled);
}

TEST_CASE("a typed text is measured at its own length where none is asked for", "[lab][heads]") {
    const TinyLaboratory lab;
    AtlasRequest request = request_for(trained(lab, "alibi"));
    request.lengths = {};
    request.text.text = "A boat stands by the water.";
    CHECK(head_atlas(request).value().lengths == std::vector<std::int64_t>{27});
    CHECK(head_distances(request).value().length == 27);
    request.text.length = 20;
    CHECK(head_atlas(request).value().lengths == std::vector<std::int64_t>{20});
    request.text.text = "A";
    CHECK_THAT(head_atlas(request).error().message, Catch::Contains("2 tokens or more, not at 1."));
}

TEST_CASE("examples of a task are measured at each length", "[lab][heads]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 2;
    recipe.data.source = "task:copy";
    const RunInfo run = train(recipe, lab.workspace).value();
    const HeadAtlas atlas = head_atlas(request_for(run)).value();
    CHECK(atlas.lengths.size() == 2);
    CHECK(atlas.texts == 2);
    CHECK_THAT(atlas.text, Catch::Contains("task:copy"));
}

TEST_CASE("lengths that give examples of one length are measured once", "[lab][heads]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe();
    recipe.training.steps = 2;
    recipe.data.source = "task:bucket-sort";  // an example has an even number of tokens: what is sorted follows what is not
    AtlasRequest request = request_for(train(recipe, lab.workspace).value(), 1);
    request.queries = 0;
    request.lengths = {40, 41, 42, 43};
    const HeadAtlas atlas = head_atlas(request).value();
    CHECK(atlas.lengths == std::vector<std::int64_t>{40, 42});
    CHECK(atlas.queries == 42);
    CHECK(atlas.points.size() == 2 * 2 * 4);
    CHECK(atlas.terms.size() == 2 * 2);
    CHECK(head_trail(atlas, 0, 0, TrailAxis::length).size() == 2);
    // A typed text has ends of every length, as it has for other runs.
    request.lengths = {3, 4};
    request.text.text = "3 1 2 0 4";
    CHECK(head_atlas(request).value().lengths == request.lengths);
    request.lengths = {4, 400};
    CHECK_THAT(head_atlas(request).error().message, Catch::Contains("has 5 tokens") && Catch::Contains("at 400"));
}

TEST_CASE("heads that attend alike have a small Jensen-Shannon divergence", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "alibi");
    AtlasRequest request = request_for(run, 1);
    request.lengths = {40};
    request.queries = 3;
    const HeadDistances distances = head_distances(request).value();
    REQUIRE(distances.heads.size() == 8);
    REQUIRE(distances.divergence.size() == 64);
    double expected = 0;  // of layer 0, head 1 and layer 1, head 2
    for (std::int64_t query = 37; query < 40; ++query) expected += js(rows_of(run, 40, 0, query).at(1).probability, rows_of(run, 40, 1, query).at(2).probability) / 3;
    CHECK(distances.divergence[1 * 8 + 6] == Approx(expected).epsilon(1e-3));
    for (std::size_t n = 0; n < 8; ++n) {
        CHECK(distances.divergence[n * 9] == Approx(0).margin(1e-9));
        for (std::size_t m = 0; m < 8; ++m) CHECK(distances.divergence[n * 8 + m] == Approx(distances.divergence[m * 8 + n]).margin(1e-12));
    }
    const auto nearest = most_similar(distances, {0, 1}, 3);
    REQUIRE(nearest.size() == 3);
    CHECK(nearest[0].divergence <= nearest[1].divergence);
    CHECK(most_similar(distances, {7, 1}, 3).empty());
    CHECK_THAT(distances_csv(distances), Catch::Contains("0,1,1,2,"));
}

TEST_CASE("DAPE's term depends on the text and a static one does not", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "dape-kerple");
    DependenceRequest request;
    request.run = run.folder;
    request.a.text = "The red boat stands by the water.";
    request.b.text = "The white cloud stands by the water, and more.";
    request.places = 7;
    const TextDependence dependence = text_dependence(request).value();
    CHECK(dependence.reads_text);
    CHECK(dependence.length == 33);
    REQUIRE(dependence.heads.size() == 8);
    REQUIRE(dependence.places.size() == 7);
    for (const HeadDependence& head : dependence.heads) {
        CHECK(head.rms_difference > 0);
        CHECK(head.largest >= head.rms_difference);
        CHECK(head.moved > 0);
        CHECK(head.moved < 1);
    }
    const std::string table = dependence_csv(dependence);
    CHECK_THAT(table, Catch::StartsWith("layer,head,rms_difference,rms_term,largest,moved\n0,0,"));
    CHECK(std::count(table.begin(), table.end(), '\n') == 9);
    for (std::size_t n = 1; n < 7; ++n) CHECK(std::abs(dependence.places[n - 1].moved) >= std::abs(dependence.places[n].moved));
    CHECK(dependence.places.front().key <= dependence.places.front().query);
    CHECK_FALSE(dependence.places.front().key_b.empty());
    request.layer = 1;
    request.head = 2;
    request.order = DependenceOrder::term;
    const TextDependence one = text_dependence(request).value();
    REQUIRE(one.heads.size() == 1);
    CHECK(std::abs(one.places.front().term_b - one.places.front().term_a) == Approx(one.heads.front().largest));
    request.run = trained(lab, "alibi").folder;
    const TextDependence none = text_dependence(request).value();
    CHECK_FALSE(none.reads_text);
    CHECK(none.places.empty());
    CHECK(none.heads.front().rms_difference == 0);
}

TEST_CASE("a head whose scores overflow is named, and the others are measured", "[lab][heads]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "fox");
    const auto file = run.checkpoints.back().file;
    auto content = read_tensor_file(file);
    at::Tensor& qkv = content.tensors.at(name_of(content, "blocks_1.qkv.weight"));  // [3 x 16, 16], the rows of head 0's query first
    qkv = qkv.clone();
    qkv.slice(0, 0, 4).fill_(3e38);
    write_tensor_file(file, content);
    DependenceRequest request;
    request.run = run.folder;
    request.step = run.checkpoints.back().step;
    request.a.text = "The red boat stands by the water.";
    request.b.text = "The white cloud stands by the water, and more.";
    for (const auto order : {DependenceOrder::attention, DependenceOrder::term}) {
        request.order = order;
        const TextDependence dependence = text_dependence(request).value();
        CHECK(dependence.warning.starts_with("Scores that are not finite numbers: layer 1 head 0. "));
        REQUIRE(dependence.heads.size() == 8);
        for (const HeadDependence& head : dependence.heads) {
            CAPTURE(head.layer, head.head);
            CHECK(std::isnan(head.moved) == (head.layer == 1 && head.head == 0));
        }
        CHECK(dependence.places.size() == request.places);
    }
    request.layer = 0;
    CHECK(text_dependence(request).value().warning.empty());
}

TEST_CASE("texts that cannot be compared are refused", "[lab][heads]") {
    const TinyLaboratory lab;
    DependenceRequest request;
    request.run = trained(lab, "rope").folder;
    request.a.text = "The red boat.";
    request.b.text = "The blue lamp.";
    CHECK_THAT(text_dependence(request).error().message, Catch::Contains("no bias and no adaptive term"));
    request.run = trained(lab, "dape-kerple").folder;
    request.layer = 9;
    CHECK(text_dependence(request).error().message == "There is no layer 9: the model has layers 0 to 1.");
    request.layer = -7;
    CHECK(text_dependence(request).error().message == "There is no layer -7: the model has layers 0 to 1; -1 stands for all of them.");
    request.layer = -1;
    request.head = 99;
    CHECK(text_dependence(request).error().message == "There is no head 99: the model has heads 0 to 3.");
    request.head = -2;
    CHECK_THAT(text_dependence(request).error().message, Catch::StartsWith("There is no head -2: ") && !Catch::Contains("layer"));
    request.head = -1;
    request.b.text = request.a.text;
    CHECK_THAT(text_dependence(request).error().message, Catch::Contains("the same 13 tokens"));
}
