/// Frequency scalings: ends, factors, lists, what is drawn, and mistakes seen in other programs.
#include "core/position/scheme.h"
#include "tests/core/position/made.h"

#include <map>
#include <numbers>
#include <set>

namespace lw {

namespace {

std::vector<double> plain_theta(int pairs = 32) {
    std::vector<double> theta;
    for (int n = 0; n < pairs; ++n) theta.push_back(std::pow(10000.0, -n / static_cast<double>(pairs)));
    return theta;
}

Frequencies scaled(const std::string& id, const Params& params, std::int64_t length = 2048, const std::vector<double>& plain = plain_theta()) {
    return made<FrequencyScaling>("frequency", id, params)->scale(plain, 10000, length, 2048);
}

std::shared_ptr<FrequencyScaling> clex(const Params& params = {{"start", 0.05}}) {
    SlotShape shape;
    shape.pairs = 32;
    return made<FrequencyScaling>("frequency", "clex", params, shape);
}

PositionScheme scheme_of(const std::string& rotation, const std::string& frequency, const Params& params) {
    SchemeSpec spec;
    spec.slots["rotation"] = {rotation, {}};
    spec.slots["frequency"] = {frequency, params};
    SlotShape shape;
    shape.heads = 4;
    shape.head_width = 8;
    shape.width = 32;
    shape.train_length = 16;
    return PositionScheme(spec, shape, 2);
}

}  // namespace

TEST_CASE("fast pairs are kept more than slow ones, never the other way round", "[encoding][field]") {
    const auto plain = plain_theta();
    for (const char* id : {"ntk", "ntk-by-parts", "yarn", "llama3", "bojone-mix", "giraffe-power"}) {
        INFO(id);
        const auto got = scaled(id, {}).inverse;
        for (std::size_t n = 1; n < got.size(); ++n) CHECK(got[n] / plain[n] <= got[n - 1] / plain[n - 1] + 1e-12);
    }
}

TEST_CASE("the code's form of NTK-by-parts keeps the fastest pair and divides the slowest", "[encoding][field]") {
    const auto got = scaled("ntk-by-parts", {{"form", std::string("code")}, {"factor", 4.0}}).inverse;
    CHECK(got.front() == 1);
    CHECK(got.back() == Approx(plain_theta().back() / 4).epsilon(1e-12));
    CHECK(scaled("ntk-by-parts", {{"form", std::string("code")}, {"factor", 1.0}}).inverse == plain_theta());
}

TEST_CASE("settings that change nothing change nothing to the last bit", "[encoding][field]") {
    CHECK(scaled("giraffe-power", {{"power", 0.0}}).inverse == plain_theta());
    CHECK(scaled("abf", {{"base", 10000.0}}).inverse == plain_theta());
    CHECK(scaled("custom", {}).inverse == plain_theta());
    CHECK(scaled("custom", {}).attention_factor == 1);
    CHECK(scaled("longrope", {{"factor", 1.0}}, 9999).inverse == plain_theta());
}

TEST_CASE("a factor of 0 follows the length past the training length in every scaling that has one", "[encoding][field]") {
    for (const char* id : {"ntk-by-parts", "llama3", "bojone-mix"}) {
        INFO(id);
        CHECK(made<FrequencyScaling>("frequency", id, {{"factor", 0.0}})->length_dependent());
        CHECK(scaled(id, {{"factor", 0.0}}, 1024).inverse == plain_theta());
        CHECK(scaled(id, {{"factor", 0.0}}, 8192).inverse == scaled(id, {{"factor", 4.0}}, 8192).inverse);
    }
}

TEST_CASE("LongRoPE's explicit attention factor beats the formula and counts once", "[encoding][field]") {
    CHECK(scaled("longrope", {{"factor", 32.0}}).attention_factor == Approx(std::sqrt(1 + std::log(32.0) / std::log(2048.0))));
    const auto explicit_one = scaled("longrope", {{"factor", 32.0}, {"attention_factor", 1.25}});
    CHECK(explicit_one.attention_factor == 1.25);
    SlotShape shape;
    shape.head_width = 64;
    const auto rope = made<Rotation>("rotation", "rope", {}, shape);
    const auto x = at::randn({1, 2, 3, 64}, at::kDouble), at_nine = at::full({3}, 9, at::kDouble);
    const auto turned = rope->rotate(x, at_nine, explicit_one, Side::query);
    CHECK(largest_difference((turned * turned).sum(-1), (x * x).sum(-1) * 1.25 * 1.25) < 1e-10);
}

TEST_CASE("LongRoPE takes a pair of given factors, one on each side of the training length", "[encoding][field]") {
    const Params both{{"factor", 32.0}, {"short_mscale", 1.1}, {"long_mscale", 1.3}};
    CHECK(scaled("longrope", both, 2048).attention_factor == 1.1);
    CHECK(scaled("longrope", both, 2049).attention_factor == 1.3);
    CHECK(scaled("longrope", {{"factor", 32.0}, {"long_mscale", 1.3}}, 2049).attention_factor == scaled("longrope", {{"factor", 32.0}}, 2049).attention_factor);
}

TEST_CASE("YaRN's automatic attention factor takes another multiplier of the logarithm and a further factor, a given one neither", "[encoding][field]") {
    const double automatic = 0.1 * std::log(4.0) + 1;
    CHECK(scaled("yarn", {{"factor", 4.0}, {"attn_factor", 1.5}}).attention_factor == Approx(1.5 * automatic));
    CHECK(scaled("yarn", {{"factor", 4.0}, {"log_multiplier", 0.07}}).attention_factor == Approx(0.07 * std::log(4.0) + 1));
    CHECK(scaled("yarn", {{"factor", 4.0}, {"attn_factor", 1.5}, {"attention_factor", 1.2}}).attention_factor == 1.2);
}

TEST_CASE("LongRoPE switches lists at the training length, and keys must be turned again there", "[encoding][field]") {
    const std::string shorts = "1, 2, 3, 4", longs = "5, 6, 7, 8";
    const Params params{{"short_factor", shorts}, {"long_factor", longs}, {"factor", 4.0}};
    const auto plain = plain_theta(4);
    const auto within = scaled("longrope", params, 2048, plain), past = scaled("longrope", params, 2049, plain);
    for (std::size_t n = 0; n < 4; ++n) {
        CHECK(within.inverse[n] == plain[n] / static_cast<double>(n + 1));
        CHECK(past.inverse[n] == plain[n] / static_cast<double>(n + 5));
    }
    const auto scheme = scheme_of("rope", "longrope", params);
    CHECK_FALSE(scheme.changes_between(3, 16));
    CHECK(scheme.changes_between(16, 17));
    CHECK_FALSE(scheme.changes_between(17, 40));
}

TEST_CASE("LongRoPE without lists starts from YaRN's divisors", "[encoding][field]") {
    const auto yarn = scaled("yarn", {{"factor", 4.0}}, 8192).inverse, longrope = scaled("longrope", {{"factor", 4.0}}, 8192).inverse;
    for (std::size_t n = 0; n < yarn.size(); ++n) CHECK(longrope[n] == Approx(yarn[n]).epsilon(1e-12));
}

TEST_CASE("lists with another number of entries than pairs are refused by both numbers", "[encoding][field]") {
    CHECK_THROWS_WITH(scheme_of("rope", "custom", {{"values", std::string("1, 2, 3")}}), Catch::Contains("values") && Catch::Contains("3") && Catch::Contains("4 pairs"));
    CHECK_THROWS_WITH(scheme_of("rope", "longrope", {{"long_factor", std::string("1 2 3 4 5")}}),
                      Catch::Contains("long_factor") && Catch::Contains("5") && Catch::Contains("4 pairs"));
    CHECK_THROWS_WITH(scaled("custom", {{"values", std::string("1, 2")}}), Catch::Contains("32 pairs"));
    CHECK_THROWS_WITH(complete("frequency", "custom", {{"values", std::string("1, 0, 2")}}), Catch::Contains("values") && Catch::Contains("0"));
    CHECK_NOTHROW(complete("frequency", "custom", {{"values", std::string("1, 0, 2")}, {"kind", std::string("frequencies")}}));
}

TEST_CASE("resonance repeats exactly after its wavelengths, far out too", "[encoding][field]") {
    const auto theta = scaled("resonance", {{"after", std::string("yarn")}}).inverse;
    for (const double value : theta) {
        const double wavelength = 2 * std::numbers::pi / value;
        CHECK(wavelength == Approx(std::round(wavelength)).epsilon(1e-14));
        const double position = 1000000;
        const double inside = std::fmod(position, std::round(wavelength));
        CHECK(std::cos(position * value) == Approx(std::cos(inside * value)).margin(1e-9));
        CHECK(std::sin(position * value) == Approx(std::sin(inside * value)).margin(1e-9));
    }
}

TEST_CASE("resonance runs after a scaling with any of its parameters, and refuses what that refuses", "[encoding]") {
    const auto rounded = [](const Frequencies& before) {
        auto theta = before.inverse;
        for (double& value : theta) value = 2 * std::numbers::pi / std::round(2 * std::numbers::pi / value);
        return theta;
    };
    const auto after = scaled("resonance", {{"after", std::string("yarn")}, {"factor", 4.0}, {"yarn_beta_slow", 0.25}, {"yarn_truncate", false}, {"yarn_attention_factor", 1.25}});
    CHECK(after.inverse == rounded(scaled("yarn", {{"factor", 4.0}, {"beta_slow", 0.25}, {"truncate", false}})));
    CHECK(after.attention_factor == 1.25);
    const Params dynamic{{"after", std::string("dynamic-ntk")}, {"factor", 2.0}, {"dynamic_ntk_form", std::string("stepped")}};
    CHECK(scaled("resonance", dynamic, 8192).inverse == rounded(scaled("dynamic-ntk", {{"factor", 2.0}, {"form", std::string("stepped")}}, 8192)));
    CHECK_THROWS_WITH(complete("frequency", "resonance", {{"after", std::string("llama3")}, {"llama3_low_freq_factor", 4.0}, {"llama3_high_freq_factor", 2.0}}),
                      Catch::Contains("low_freq_factor"));
}

TEST_CASE("scalings leave pairs that are not turned alone, and every scaling runs on every fixed rotation", "[encoding][field]") {
    for (const Entry* scaling : entries()) {
        if (scaling->info.slot != "frequency") continue;
        for (const char* rotation : {"rope", "p-rope", "hope", "xpos", "pope"}) {
            INFO(scaling->info.id << " on " << rotation);
            const auto scheme = scheme_of(rotation, scaling->info.id, {});
            const auto plain = scheme.rotation()->inverse_frequencies(), got = scheme.frequencies(50).inverse;
            REQUIRE(got.size() == plain.size());
            for (std::size_t n = 0; n < plain.size(); ++n) {
                CHECK(std::isfinite(got[n]));
                if (plain[n] == 0) CHECK(got[n] == 0);
            }
        }
    }
}

TEST_CASE("CLEX without a network is NTK-aware scaling by 2t - 1, in whole multiples of the training length", "[encoding][field]") {
    const auto module = clex({});
    const auto plain = plain_theta();
    CHECK(module->scale(plain, 10000, 2048, 2048).inverse == plain);
    for (const auto& [length, alpha] : std::map<std::int64_t, double>{{2049, 3}, {4096, 3}, {4097, 5}, {8192, 7}, {1000000, 31}}) {
        INFO(length);
        const auto got = module->scale(plain, 10000, length, 2048), ntk = scaled("ntk", {{"factor", alpha}});
        for (std::size_t n = 0; n < plain.size(); ++n) CHECK(got.inverse[n] == Approx(ntk.inverse[n]).epsilon(1e-12));
    }
}

TEST_CASE("CLEX in use may follow the length without rounding it up", "[encoding]") {
    const auto exact = clex({{"scale", std::string("exact")}});  // W2 starts at 0
    const auto theta = plain_theta();
    const auto got = exact->scale(theta, 10000, 40, 16).inverse;  // t = 2.5
    for (std::size_t n = 0; n < theta.size(); ++n) CHECK(got[n] == Approx(theta[n] * std::pow(4.0, -static_cast<double>(n) / 31)).epsilon(1e-12));
}

TEST_CASE("CLEX draws one scale for a training pass and none outside of training", "[encoding][field]") {
    const auto module = clex();
    const auto plain = plain_theta();
    const auto now = [&] { return module->scale(plain, 10000, 100, 2048).inverse; };
    const GeneratorScope generator(5);
    std::set<double> seen;
    for (int pass = 0; pass < 60; ++pass) {
        module->begin_pass(true);
        const auto first = now();
        CHECK(first == now());
        seen.insert(first.back());
    }
    CHECK(seen.size() > 12);
    CHECK(seen.size() <= 16);
    module->eval();
    CHECK(now() == plain);
    module->begin_pass(false);
    module->train();
    CHECK(now() == plain);
}

TEST_CASE("CLEX is one module of all layers, and gradients of scores reach it", "[encoding][field]") {
    auto scheme = scheme_of("rope", "clex", {{"start", 0.05}});
    CHECK(scheme.layer(0).frequency == scheme.layer(1).frequency);
    CHECK(scheme.named_parameters().size() == 2);
    const auto x = at::randn({1, 4, 5, 8}), positions = positions_from(30, 5);
    const auto turned = scheme.layer(1).rotate(x, positions, 64, 16, Side::query);
    (turned * at::randn({1, 4, 5, 8})).sum().backward();
    for (const auto& item : scheme.named_parameters()) {
        INFO(item.key());
        REQUIRE(item.value().grad().defined());
        CHECK(item.value().grad().abs().max().item<double>() > 0);
    }
}

TEST_CASE("CLEX refuses a rotation it was not made for", "[encoding][field]") {
    CHECK_THROWS_WITH(clex()->scale(plain_theta(8), 10000, 9999, 2048), Catch::Contains("32 pairs") && Catch::Contains("8"));
}

}  // namespace lw
