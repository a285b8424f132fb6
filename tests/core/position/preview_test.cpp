/// What a scheme does to distance, without a model; and the catalogue.
#include "core/api/doctor.h"
#include "tests/core/position/made.h"

#include <fstream>
#include <sstream>

namespace lw {

namespace {

EncodingPreview preview_of(const std::string& preset, std::int64_t length = 8192) {
    PreviewRequest request;
    request.scheme = find_scheme(preset).value();
    request.length = length;
    return preview_scheme(request).value();
}

}  // namespace

TEST_CASE("a preview samples distances from 0 to the first token, rising", "[encoding]") {
    const auto preview = preview_of("alibi");
    CHECK(preview.distance.front() == 0);
    CHECK(preview.distance.back() == 8191);
    CHECK(std::is_sorted(preview.distance.begin(), preview.distance.end()));
    CHECK(preview.distance.size() > 150);
    REQUIRE(preview.bias.size() == 8);
    CHECK(preview.bias[0].back() == Approx(-0.5 * 8191));
    CHECK(preview.bias[7].front() == 0);
    CHECK(preview.frequency.empty());
    CHECK_FALSE(preview.shows_initial_values);
}

TEST_CASE("a preview of a rotation shows frequencies before and after scaling", "[encoding]") {
    const auto plain = preview_of("rope"), scaled = preview_of("rope-yarn");
    CHECK(plain.plain_frequency == plain.frequency);
    CHECK(plain.similarity.front() == Approx(1));
    CHECK(plain.attention_factor == 1);
    CHECK(scaled.plain_frequency == plain.frequency);
    CHECK(scaled.frequency.back() == Approx(plain.frequency.back() / 64));
    CHECK(scaled.attention_factor == Approx(0.1 * std::log(64.0) + 1));
    CHECK(scaled.turns_in_training.front() == Approx(128 / 6.283185307));
    CHECK(scaled.similarity.front() == Approx(scaled.attention_factor * scaled.attention_factor));
    CHECK(scaled.bias.empty());
}

TEST_CASE("the bound on qᵀk falls from 1 with the distance, slower once frequencies are scaled down", "[encoding]") {
    const auto plain = preview_of("rope"), scaled = preview_of("rope-linear");
    CHECK(plain.decay_bound == plain.plain_decay_bound);
    CHECK(plain.decay_bound.front() == Approx(1));
    CHECK(*std::min_element(plain.decay_bound.begin(), plain.decay_bound.end()) < 0.3);
    CHECK(*std::max_element(plain.decay_bound.begin(), plain.decay_bound.end()) == plain.decay_bound.front());
    CHECK(scaled.plain_decay_bound == plain.decay_bound);
    CHECK(scaled.attention_factor == 1);
    REQUIRE(plain.distance.at(1) == 1);
    CHECK(scaled.decay_bound.at(1) > plain.decay_bound.at(1));
    CHECK(preview_of("alibi").decay_bound.empty());
}

TEST_CASE("the bound on qᵀk is the mean of |S_j| of RoFormer, relative to no distance", "[encoding]") {
    PreviewRequest request;
    request.scheme = find_scheme("rope").value();
    request.head_width = 4;  // two pairs, θ = 1 and 0.01
    request.length = 8;
    const auto preview = preview_scheme(request).value();
    for (std::size_t n = 0; n < preview.distance.size(); ++n) {
        const auto distance = static_cast<double>(preview.distance[n]);
        const double both = std::hypot(std::cos(distance) + std::cos(0.01 * distance), std::sin(distance) + std::sin(0.01 * distance));
        CHECK(preview.decay_bound[n] == Approx((1 + both) / 3));
    }
}

TEST_CASE("a preview of an input encoding shows how alike two positions are", "[encoding]") {
    const auto preview = preview_of("sinusoidal");
    REQUIRE(preview.input_dot.size() == 1);
    CHECK(preview.input_dot[0].front() == Approx(1));
    CHECK(preview.input_dot[0].back() < 0.9);
}

TEST_CASE("a preview says what it leaves out", "[encoding]") {
    const auto learned = preview_of("learned");
    CHECK(learned.input_dot.empty());
    CHECK_THAT(learned.note, Catch::Contains("Position 8191") && Catch::Contains("128 rows"));
    CHECK(preview_of("learned", 128).input_dot.size() == 1);
    CHECK_THAT(preview_of("dape-kerple").note, Catch::Contains("depends on the text"));
    CHECK(preview_of("kerple-log").shows_initial_values);
    CHECK_THAT(preview_of("nope").note, Catch::Contains("causal mask"));
}

TEST_CASE("a preview with impossible sizes is refused with the bound", "[encoding]") {
    PreviewRequest request;
    request.points = 1;
    CHECK_THAT(preview_scheme(request).error().message, Catch::Contains("points") && Catch::Contains("65536"));
}

TEST_CASE("previewing twice gives the same curves and leaves the generator alone", "[encoding]") {
    at::manual_seed(3);
    const auto expected = at::rand({2});
    at::manual_seed(3);
    const auto a = preview_of("fire"), b = preview_of("fire");
    CHECK(at::equal(at::rand({2}), expected));
    CHECK(a.bias == b.bias);
}

TEST_CASE("docs/methods.md is the catalogue that the program writes", "[encoding]") {
    std::ifstream stream(std::string(LW_SOURCE_DIR) + "/docs/methods.md");
    std::stringstream committed;
    committed << stream.rdbuf();
    INFO("Write it again with: lengthwise-cli methods --markdown > docs/methods.md");
    CHECK((committed.str() == methods_markdown()));
}

TEST_CASE("an extension changes what may be changed on a trained model, and nothing else", "[encoding]") {
    const auto rope = find_scheme("rope").value(), alibi = find_scheme("alibi").value(), kerple = find_scheme("kerple-log").value();
    const SchemeSpec yarn{"", {{"frequency", {"yarn", {{"factor", 4.0}}}}}};
    const auto extended = extend_scheme(rope, yarn).value();
    CHECK(extended.slots.at("rotation").id == "rope");
    CHECK(real_param(extended.slots.at("frequency").params, "factor") == 4);
    CHECK(scheme_line(plain_scheme(extended).value()) == scheme_line(rope));
    CHECK(scheme_line(extend_scheme(extended, {"", {{"frequency", {"none", {}}}}}).value()) == scheme_line(rope));
    const auto slower = extend_scheme(alibi, {"", {{"bias", {"alibi", {{"factor", 4.0}}}}}}).value();
    CHECK(scheme_line(plain_scheme(slower).value()) == scheme_line(alibi));
    const auto between = extension_between(rope, extended).value(), back = extension_between(extended, rope).value();
    CHECK(between.slots.size() == 1);
    CHECK(scheme_line(extend_scheme(rope, between).value()) == scheme_line(extended));
    CHECK(scheme_line(extend_scheme(extended, back).value()) == scheme_line(rope));
    CHECK(extension_between(alibi, slower).value().slots.at("bias").id == "alibi");
    CHECK(extension_between(rope, rope).value().slots.empty());
    CHECK_THAT(extend_scheme(rope, {"", {{"bias", {"alibi", {}}}}}).error().message, Catch::Contains("trained with nothing in slot bias"));
    CHECK_THAT(extend_scheme(kerple, {"", {{"bias", {"kerple-log", {}}}}}).error().message, Catch::Contains("cannot be put into a trained model"));
    CHECK_THAT(extend_scheme(alibi, yarn).error().message, Catch::Contains("rotation"));
    CHECK_THAT(extend_scheme(kerple, {"", {{"bias", {"none", {}}}}}).error().message, Catch::Contains("cannot be taken away"));
}

TEST_CASE("a preview's maps hold distances of visible cells and the rotation's waves", "[encoding]") {
    PreviewRequest request;
    request.scheme = find_scheme("rope").value();
    request.length = 300;
    request.map_cells = 16;
    const auto preview = preview_scheme(request).value();
    REQUIRE(preview.map_index.size() == 16);
    CHECK(preview.map_index.back() == 299);
    REQUIRE(preview.distance_map.size() == 256);
    CHECK(preview.distance_map[0] == 0);
    CHECK(std::isnan(preview.distance_map[1]));  // a later key
    CHECK(preview.distance_map[15 * 16] == 299);
    REQUIRE(preview.wave_map.size() == 16 * 16);
    CHECK(preview.wave_map[15 * 16] == Approx(std::cos(299.0)));
    CHECK(preview.effective_distance.empty());
    CHECK(std::all_of(preview.visible.begin(), preview.visible.end(), [](bool seen) { return seen; }));
}

}  // namespace lw
