/// Temperatures and normalisers against independent numbers; visibilities are in distance_test.cpp.
#include "core/position/temperature_alignment.h"
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// Rows at the given places, and all keys up to the last one.
TileGeometry rows_at(const at::Tensor& places, std::int64_t train_length) {
    TileGeometry geometry;
    geometry.query_positions = places;
    geometry.key_positions = positions_from(0, 1);
    geometry.length = places.max().item<std::int64_t>() + 1;
    geometry.train_length = train_length;
    return geometry;
}

/// Scaled logits [H, T, T] under a temperature, by the factor on content and the change of whole logits.
at::Tensor heated(Temperature& temperature, at::Tensor content, const TileGeometry& geometry) {
    const auto factor = temperature.content_factor(geometry);
    if (factor.defined()) content = content * factor.unsqueeze(-1);
    return temperature.apply(content.unsqueeze(0), geometry)[0];
}

void check_attention(const json& test, Temperature& temperature, std::int64_t train_length) {
    const auto q = tensor(test["inputs"]["q"]), k = tensor(test["inputs"]["k"]);  // [H, T, D]
    auto geometry = geometry_of(0, q.size(1), k.size(1), train_length);
    const auto content = at::matmul(q, k.transpose(-2, -1)) / std::sqrt(test["params"]["D"].get<double>());
    const auto logits = heated(temperature, content, geometry);
    check_close(test, logits, test["expect"]["logits"]);
    check_close(test, at::softmax(masked(logits, geometry, kHidden), -1), test["expect"]["softmax"]);
}

bool log_n_case(const json& test) {
    const auto& p = test["params"];
    const auto temperature = made<Temperature>("temperature", "log-n", {{"reference", p["L"].get<std::int64_t>()}, {"strength", p.value("strength", 1.0)}});
    const auto automatic = made<Temperature>("temperature", "log-n", {{"strength", p.value("strength", 1.0)}});
    if (test["inputs"].contains("positions")) {
        const auto places = tensor(test["inputs"]["positions"]);
        check_close(test, temperature->content_factor(rows_at(places, 7)), test["expect"]["tau"]);
        check_close(test, automatic->content_factor(rows_at(places, p["L"].get<std::int64_t>())), test["expect"]["tau"]);
        return true;
    }
    check_attention(test, *temperature, 100);
    return true;
}

bool ssmax_case(const json& test) {
    SlotShape shape;
    shape.heads = tensor(test["inputs"]["q"]).size(0);
    const auto temperature = made<Temperature>("temperature", "ssmax", {}, shape);
    CHECK(temperature->named_parameters()["s"].eq(at::full({shape.heads}, 0.43, at::kFloat).to(at::kDouble)).all().item<bool>());
    set(*temperature, "s", tensor(test["inputs"]["s"]));
    check_attention(test, *temperature, 100);
    return true;
}

bool constant_case(const json& test) {
    check_attention(test, *made<Temperature>("temperature", "constant", {{"value", test["params"]["value"].get<double>()}}), 100);
    return true;
}

bool yarn_case(const json& test) {
    check_attention(test, *made<Temperature>("temperature", "yarn", {{"factor", test["params"]["factor"].get<double>()}}), 100);
    return true;
}

bool softmax_scale_case(const json& test) {
    const auto& rows = test["inputs"]["s_m"];
    for (std::size_t n = 0; n < rows.size(); ++n) {
        const auto temperature = made<Temperature>("temperature", "yarn", {{"factor", rows[n][0].get<double>()}, {"mscale", rows[n][1].get<double>()}});
        check_close(test, temperature->content_factor(geometry_of(5, 1, 6))[0].item<double>(), test["expect"]["multiplier"][n].get<double>());
    }
    return true;
}

bool string_case(const json& test) {
    const auto map = made<DistanceMap>("distance", "string", {{"sharpen", true}});
    check_close(test, map->adjusted({{1.0}, 1}, 10, 10).attention_factor, test["expect"]["factor"].get<double>());
    return true;
}

bool llama4_case(const json& test) {
    const auto& p = test["params"];
    const auto step = p["floor_scale"].get<std::int64_t>();
    const auto places = tensor(test["inputs"]["positions"]);
    const auto given = made<Temperature>("temperature", "llama4", {{"scale", p["attn_scale"].get<double>()}, {"step", step}});
    check_close(test, given->content_factor(rows_at(places, 16)), test["expect"]["tau"]);
    check_close(test, made<Temperature>("temperature", "llama4")->content_factor(rows_at(places, step)), test["expect"]["tau"]);
    return true;
}

/// Logits of 0 and 1 show the shift and the factor.
bool scale_invariant_case(const json& test) {
    const auto temperature = made<Temperature>("temperature", "scale-invariant", {{"tau", test["params"]["tau"].get<double>()}});
    TileGeometry geometry;
    geometry.key_positions = positions_from(0, 1);
    geometry.query_positions = tensor(test["inputs"]["delta"]);  // the key at 0: places are distances
    const auto zeros = at::zeros({1, 1, geometry.query_positions.numel(), 1}, at::kDouble);
    const auto shift = temperature->apply(zeros, geometry).view({-1});
    check_close(test, shift, test["expect"]["m"]);
    check_close(test, temperature->apply(zeros + 1, geometry).view({-1}) - shift, test["expect"]["a"]);
    return true;
}

at::Tensor causal(const json& logits) {
    const auto all = tensor(logits);
    return masked(all, geometry_of(0, all.size(0), all.size(1)), kHidden);
}

bool alignment_case(const json& test) {
    const auto trained = causal(test["inputs"]["logits_train"]), longer = causal(test["inputs"]["logits_long"]);
    for (const std::string measure : {"max_probability", "entropy"}) {
        const auto& want = test["expect"][measure];
        const double t = want["temperature"];
        check_close(test, mean_sharpness(trained, 1, measure), want["target"].get<double>());
        check_close(test, mean_sharpness(longer, 1, measure), want["untuned"].get<double>());
        check_close(test, aligned_temperature(trained, longer, measure), t);
        // The slot divides logits of a text longer than L by it, and leaves others alone.
        const auto slot = made<Temperature>("temperature", "t5-alignment", {{"temperature", t}});
        const auto geometry = geometry_of(0, 9, 9, 5);
        check_close(test, mean_sharpness(slot->apply(longer.view({1, 1, 9, 9}), geometry), 1, measure), want["target"].get<double>());
        CHECK(at::equal(slot->apply(longer.view({1, 1, 9, 9}), geometry_of(0, 9, 9, 9)), longer.view({1, 1, 9, 9})));
    }
    return true;
}

bool stick_breaking_case(const json& test) {
    const bool inclusive = !test["params"]["strict"].get<bool>();
    const auto logits = causal(test["inputs"]["logits"]);
    const auto n = logits.size(0);
    const auto batched = logits.view({1, 1, n, n});
    const auto normaliser = made<Normaliser>("normaliser", "stick-breaking", {{"inclusive", inclusive}});
    const auto weights = normaliser->weights(batched, geometry_of(0, n, n))[0][0];
    check_close(test, weights, test["expect"]["weights"]);
    CHECK(weights.triu(inclusive ? 1 : 0).abs().max().item<double>() == 0);
    check_close(test, 1 - weights.sum(-1), test["expect"]["remainder"]);
    // Given to the token itself, the remainder completes the row.
    const auto kept = made<Normaliser>("normaliser", "stick-breaking", {{"inclusive", inclusive}, {"remainder_to_self", true}});
    check_close(test, (kept->weights(batched, geometry_of(0, n, n))[0][0] - weights).diagonal(), test["expect"]["remainder"]);
    return true;
}

bool off_by_one_case(const json& test) {
    const auto logits = causal(test["inputs"]["logits"]);
    const auto n = logits.size(0);
    const auto normaliser = made<Normaliser>("normaliser", "off-by-one");
    check_close(test, normaliser->weights(logits.view({1, 1, n, n}), geometry_of(0, n, n))[0][0], test["expect"]["weights"]);
    return true;
}

}  // namespace

TEST_CASE("temperatures give the independent numbers", "[encoding][golden]") {
    golden::run_group("temperature",
                      {{"log-n", log_n_case},
                       {"ssmax", ssmax_case},
                       {"constant", constant_case},
                       {"yarn", yarn_case},
                       {"yarn-softmax-scale", softmax_scale_case},
                       {"string", string_case},
                       {"llama4", llama4_case},
                       {"scale-invariant", scale_invariant_case},
                       {"t5-alignment", alignment_case}},
                      12);
}

TEST_CASE("normalisers give the independent numbers", "[encoding][golden]") {
    golden::run_group("biases", {{"stick-breaking", stick_breaking_case}, {"softmax-off-by-one", off_by_one_case}}, 4);
}

}  // namespace lw
