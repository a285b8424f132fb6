/// Mistakes seen in other programs, as tests: each would be silent in training and visible only in the numbers.
#include "tests/core/position/made.h"

namespace lw {

namespace {

std::vector<double> plain_theta(std::int64_t width, double base = 10000) {
    std::vector<double> theta;
    for (std::int64_t n = 0; n < width / 2; ++n) theta.push_back(std::pow(base, -2.0 * static_cast<double>(n) / static_cast<double>(width)));
    return theta;
}

Frequencies yarn(const Params& params, std::int64_t train_length = 2048, std::int64_t length = 2048) {
    return made<FrequencyScaling>("frequency", "yarn", params)->scale(plain_theta(64), 10000, length, train_length);
}

std::vector<double> alibi_slopes(std::int64_t heads) {
    SlotShape shape;
    shape.heads = heads;
    const auto values = -made<Bias>("bias", "alibi", {}, shape)->by_distance(at::ones({1}, at::kDouble), TileGeometry{}).squeeze(1);
    return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + heads};
}

std::vector<std::int64_t> t5_buckets(const std::vector<double>& distances) {
    SlotShape shape;
    shape.heads = 1;
    const auto bias = made<Bias>("bias", "t5", {{"multiplier", std::string("one")}}, shape);
    set(*bias, "table", at::arange(32, at::kDouble));
    const auto values = bias->by_distance(at::tensor(distances, at::kDouble), TileGeometry{})[0].to(at::kLong);
    return {values.const_data_ptr<std::int64_t>(), values.const_data_ptr<std::int64_t>() + values.numel()};
}

}  // namespace

TEST_CASE("the attention factor multiplies scores by its square, once", "[encoding][field]") {
    SlotShape shape;
    shape.head_width = 8;
    const auto rope = made<Rotation>("rotation", "rope", {}, shape);
    const auto x = at::randn({1, 2, 3, 8}, at::kDouble), at_zero = at::zeros({3}, at::kDouble);
    const auto turned = rope->rotate(x, at_zero, {rope->inverse_frequencies(), 1.25});
    CHECK(largest_difference((turned * turned).sum(-1), (x * x).sum(-1) * 1.25 * 1.25) < 1e-12);
}

TEST_CASE("an explicit attention factor beats the formula", "[encoding][field]") {
    CHECK(yarn({{"factor", 64.0}}).attention_factor == Approx(1.4158883083));
    CHECK(yarn({{"factor", 64.0}, {"attention_factor", 1.0}}).attention_factor == 1.0);
    CHECK(yarn({{"factor", 16.0}, {"mscale", 1.0}, {"mscale_all_dim", 1.0}}).attention_factor == 1.0);
}

TEST_CASE("YaRN scales by its factor even when the text is no longer than the training length", "[encoding][field]") {
    CHECK(yarn({{"factor", 4.0}}, 2048, 100).inverse.back() == Approx(plain_theta(64).back() / 4).epsilon(1e-12));
}

TEST_CASE("YaRN keeps high frequencies and interpolates low ones, not the other way round", "[encoding][field]") {
    const auto plain = plain_theta(64);
    const auto got = yarn({{"factor", 4.0}}).inverse;
    CHECK(got.front() == plain.front());
    CHECK(got.back() == Approx(plain.back() / 4).epsilon(1e-12));
    for (std::size_t n = 1; n < got.size(); ++n) CHECK(got[n] / plain[n] <= got[n - 1] / plain[n - 1] + 1e-12);
}

TEST_CASE("YaRN's three ramps give the published multipliers", "[encoding][field]") {
    const auto multiplier = [](const char* ramp, std::size_t pair, bool truncate = true) {
        return yarn({{"factor", 4.0}, {"ramp", std::string(ramp)}, {"truncate", truncate}}).inverse[pair] / plain_theta(64)[pair];
    };
    CHECK(multiplier("index", 12) == Approx(0.76923).epsilon(1e-5));
    CHECK(multiplier("index", 12, false) == Approx(0.75484).epsilon(1e-5));
    CHECK(multiplier("turns", 12) == Approx(0.47518).epsilon(2e-5));
    CHECK(multiplier("harmonic", 12) == Approx(0.52000).epsilon(1e-5));
    CHECK(multiplier("index", 20) == Approx(0.30769).epsilon(2e-5));
    CHECK(multiplier("harmonic", 9) == Approx(0.81250).epsilon(1e-5));
}

TEST_CASE("dynamic NTK stays plain up to the training length and returns to it after a long text", "[encoding][field]") {
    const auto ntk = made<FrequencyScaling>("frequency", "dynamic-ntk");
    const auto plain = plain_theta(64);
    CHECK(ntk->scale(plain, 10000, 2048, 2048).inverse == plain);
    const double base = std::pow(ntk->scale(plain, 10000, 8192, 2048).inverse[1], -32.0);
    CHECK(base == Approx(41829.36592889948).epsilon(1e-9));
    CHECK(ntk->scale(plain, 10000, 1024, 2048).inverse == plain);
}

TEST_CASE("a linear factor divides angles, it does not multiply them", "[encoding][field]") {
    const auto plain = plain_theta(64);
    const auto got = made<FrequencyScaling>("frequency", "linear", {{"factor", 8.0}})->scale(plain, 10000, 16384, 2048);
    CHECK(got.inverse[5] == plain[5] / 8);
}

TEST_CASE("a factor of 0 follows the text's length past the training length", "[encoding][field]") {
    const auto plain = plain_theta(64);
    for (const char* id : {"linear", "ntk", "yarn"}) {
        INFO(id);
        const auto scaling = made<FrequencyScaling>("frequency", id, {{"factor", 0.0}});
        const auto fixed = made<FrequencyScaling>("frequency", id, {{"factor", 4.0}});
        CHECK(scaling->length_dependent());
        CHECK(scaling->scale(plain, 10000, 1024, 2048).inverse == plain);
        CHECK(scaling->scale(plain, 10000, 8192, 2048).inverse == fixed->scale(plain, 10000, 8192, 2048).inverse);
    }
}

TEST_CASE("positions stay apart when the model's numbers are 16-bit", "[encoding][field]") {
    SlotShape shape;
    shape.head_width = 8;
    const auto rope = made<Rotation>("rotation", "rope", {}, shape);
    rope->to(at::kBFloat16);
    const Frequencies frequencies{rope->inverse_frequencies(), 1};
    // In bfloat16 256 and 257 are the same number; their rotations must not be.
    const auto positions = at::tensor({256.0, 257.0, 258.0}, at::kDouble);
    const auto x = at::ones({1, 1, 3, 8}, at::kBFloat16);
    const auto turned = rope->rotate(x, positions, frequencies);
    CHECK(turned.scalar_type() == at::kBFloat16);
    const auto exact = rope->rotate(x.to(at::kDouble), positions, frequencies);
    CHECK(largest_difference(turned.to(at::kDouble), exact) < 0.01);
    CHECK(largest_difference(turned.select(2, 0), turned.select(2, 1)) > 0.1);
    const auto bias = made<Bias>("bias", "alibi");
    bias->to(at::kBFloat16);
    const auto far = bias->by_distance(at::tensor({8190.0, 8191.0}, at::kDouble), TileGeometry{});
    CHECK(far.scalar_type() == at::kFloat);
    CHECK(far.diff().ne(0).all().item<bool>());
}

TEST_CASE("ALiBi's slopes are right when the heads are no power of two", "[encoding][field]") {
    CHECK(alibi_slopes(3) == std::vector<double>{0.0625, 0.00390625, 0.25});
    CHECK(alibi_slopes(6) == std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125});
    const auto twelve = alibi_slopes(12);
    CHECK(twelve[7] == std::exp2(-8));
    CHECK(twelve[8] == Approx(0.70710678));
    CHECK(twelve[11] == Approx(0.088388348));
}

TEST_CASE("ALiBi's first slope of 8 heads is a half and the last 2^-8", "[encoding][field]") {
    CHECK(alibi_slopes(8).front() == 0.5);
    CHECK(alibi_slopes(8).back() == std::exp2(-8));
}

TEST_CASE("ALiBi's decode row is the last row of the full pass, with 0 on the token itself", "[encoding][field]") {
    const auto bias = made<Bias>("bias", "alibi");
    const auto full = bias->tile(geometry_of(0, 20, 20)), row = bias->tile(geometry_of(19, 1, 20));
    CHECK(at::equal(full.slice(1, 19), row));
    CHECK(row.select(2, 19).abs().max().item<double>() == 0);
    CHECK(row.select(2, 0).abs().min().item<double>() > 0);
}

TEST_CASE("T5's buckets start at the published distances", "[encoding][field]") {
    CHECK(t5_buckets({0, 1, 15, 16, 18, 19, 20, 21, 112, 113, 100000}) == std::vector<std::int64_t>{0, 1, 15, 16, 16, 17, 17, 18, 30, 31, 31});
    const std::vector<double> starts = {16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113};
    const auto at_start = t5_buckets(starts);
    for (std::size_t n = 0; n < starts.size(); ++n) CHECK(at_start[n] == 16 + static_cast<std::int64_t>(n));
    std::vector<double> before;
    for (const double start : starts) before.push_back(start - 1);
    const auto ahead = t5_buckets(before);
    for (std::size_t n = 0; n < starts.size(); ++n) CHECK(ahead[n] == 15 + static_cast<std::int64_t>(n));
}

TEST_CASE("FIRE evaluates to the same values with and without gradients", "[encoding][field]") {
    for (const char* activation : {"relu", "leaky_relu"}) {
        const auto bias = made<Bias>("bias", "fire", {{"activation", std::string(activation)}});
        auto scattered = geometry_of(30, 6, 36);
        scattered.key_positions = at::tensor({3.0, 31.0, 0.0, 12.5, 33.0, 7.0}, at::kDouble);
        for (const auto& geometry : {geometry_of(0, 50, 50), geometry_of(600, 3, 603), geometry_of(9, 1, 10), scattered}) {
            const auto network = bias->tile(geometry);
            REQUIRE(network.requires_grad());
            const torch::NoGradGuard no_grad;
            CHECK(largest_difference(bias->tile(geometry), network) < 1e-12);
        }
    }
}

TEST_CASE("FIRE with weights that are no numbers gives no numbers, and the same with and without gradients", "[encoding][field]") {
    const auto bias = made<Bias>("bias", "fire", {});
    const auto geometry = geometry_of(0, 20, 20);
    for (const char* name : {"first.weight", "first.bias", "second.weight"}) {
        const auto parameter = bias->named_parameters()[name];
        const auto kept = parameter.detach().clone();
        for (const double broken : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
            CAPTURE(name, broken);
            auto values = kept.clone();
            values.view({-1})[3] = broken;
            set(*bias, name, values);
            const auto network = bias->tile(geometry).detach();
            const torch::NoGradGuard no_grad;
            CHECK(at::allclose(bias->tile(geometry), network, 1e-12, 1e-12, /*equal_nan=*/true));
        }
        set(*bias, name, kept);
    }
}

TEST_CASE("KERPLE's parameters are pushed back to the floor while training and only then", "[encoding][field]") {
    const auto bias = made<Bias>("bias", "kerple-log");
    set(*bias, "p", at::full({8}, -3.0, at::kDouble));
    bias->eval();
    const auto geometry = geometry_of(0, 5, 5);
    const auto value = bias->tile(geometry);
    CHECK(bias->named_parameters()["p"].max().item<double>() == -3);
    bias->train();
    const auto trained = bias->tile(geometry);
    CHECK(at::equal(value, trained));
    CHECK(bias->named_parameters()["p"].min().item<double>() == 0.01);
    trained.sum().backward();
    // On the floor the gradient still flows, or the parameter could never leave it.
    CHECK(bias->named_parameters()["p"].grad().abs().min().item<double>() > 0);
}

}  // namespace lw
