/// The trained values of a run, layer by layer.
#include "tests/support/catch_torch.h"

#include "core/lab/load_model.h"
#include "tests/core/training/tiny_run.h"

#include <cmath>

using namespace lw;

namespace {

PreviewRequest short_request() {
    PreviewRequest request;
    request.length = 256;
    request.points = 32;
    return request;
}

/// -p ln(1 + a δ) of one head, from the checkpoint's own numbers.
double kerple(const LoadedModel& loaded, std::int64_t layer, std::int64_t head, std::int64_t distance) {
    const auto parameters = loaded.model->scheme()->named_parameters();
    const auto value = [&](const char* name) {
        const auto* found = parameters.find("layers." + std::to_string(layer) + ".bias." + name);
        REQUIRE(found != nullptr);
        return std::max(0.01, (*found)[head].item<double>());
    };
    return -value("p") * std::log1p(value("a") * static_cast<double>(distance));
}

}  // namespace

TEST_CASE("trained values are those of the checkpoint, of the layer asked for", "[lab]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("kerple-log"), lab.workspace).value();
    const auto loaded = load_model(run.folder, -1, "cpu");
    const auto layers = run.recipe.model.layers;
    REQUIRE(layers >= 2);
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const auto shown = preview_run(run.folder, -1, layer, short_request()).value();
        CHECK(shown.differs_by_layer);
        CHECK(shown.layers == layers);
        CHECK(shown.step == loaded.step);
        CHECK_FALSE(shown.preview.shows_initial_values);
        CHECK_THAT(shown.preview.note, Catch::Contains("layer " + std::to_string(layer)));
        REQUIRE(shown.preview.bias.size() == static_cast<std::size_t>(run.recipe.model.heads));
        const auto far = shown.preview.distance.size() - 1;
        CHECK(shown.preview.distance[far] == 255);
        CHECK(shown.preview.bias[1][far] == Approx(kerple(loaded, layer, 1, 255)).epsilon(1e-5));
    }
    const auto first = preview_run(run.folder, -1, 0, short_request()).value(), second = preview_run(run.folder, -1, 1, short_request()).value();
    CHECK(first.preview.bias != second.preview.bias);
}

TEST_CASE("values that all layers share say so and are the same in every layer", "[lab]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("t5"), lab.workspace).value();
    const auto first = preview_run(run.folder, -1, 0, short_request()).value(), last = preview_run(run.folder, -1, first.layers - 1, short_request()).value();
    CHECK_FALSE(first.differs_by_layer);
    CHECK_THAT(first.preview.note, Catch::Contains("the same in all layers"));
    CHECK(first.preview.bias == last.preview.bias);
}

TEST_CASE("the trained preview of a fixed scheme is the preview without a model", "[lab]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("alibi"), lab.workspace).value();
    PreviewRequest request = short_request();
    const auto shown = preview_run(run.folder, -1, 1, request).value();
    request.scheme = run.recipe.scheme;
    request.heads = run.recipe.model.heads;
    request.train_length = run.recipe.training.length;
    const auto plain = preview_scheme(request).value();
    CHECK(shown.preview.bias == plain.bias);
    CHECK(shown.preview.visible == plain.visible);
    CHECK_THAT(shown.preview.note, Catch::Contains("Nothing that is drawn here was learned"));
}

TEST_CASE("layers and checkpoints that are not there are refused", "[lab]") {
    const TinyLaboratory lab;
    const auto run = train(lab.recipe("alibi"), lab.workspace).value();
    const auto layers = run.recipe.model.layers;
    for (const auto layer : {std::int64_t{-1}, layers}) {
        const auto refused = preview_run(run.folder, -1, layer, short_request());
        CHECK(refused.error().kind == ErrorKind::invalid_argument);
        CHECK_THAT(refused.error().message, Catch::Contains("0 to " + std::to_string(layers - 1)));
    }
    CHECK(preview_run(run.folder, 12345, 0, short_request()).error().kind == ErrorKind::not_found);
    CHECK(preview_run(lab.workspace / "nothing", -1, 0, short_request()).error().kind == ErrorKind::not_found);
}
