/// FoPE, TUPE and CREAM against their formulas written out cell by cell.
#include "tests/core/position/probe.h"

#include <cmath>
#include <numbers>

namespace lw {

namespace {

/// A parameter of the module as plain numbers.
at::Tensor stored(SlotModule& module, const std::string& name) { return module.named_parameters()[name].detach().to(at::kDouble); }

/// The turned half-split pair m of x [d] at position p, from series over the first `waves` frequencies.
std::pair<double, double> turned_pair(const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin, double p, std::int64_t m, double base) {
    const auto width = x.size(0), half = width / 2;
    double c = m < cos.size(1) ? 0 : 1, s = 0;
    for (std::int64_t n = 0; n < cos.size(0) && m < cos.size(1); ++n) {
        const double theta = std::pow(base, -2.0 * static_cast<double>(n) / static_cast<double>(width));
        c += cos[n][m].item<double>() * std::cos(p * theta);
        s += sin[n][m].item<double>() * std::sin(p * theta);
    }
    const double a = x[m].item<double>(), b = x[m + half].item<double>();
    return {a * c - b * s, b * c + a * s};
}

}  // namespace

TEST_CASE("FoPE turns each pair by the series over the waves that finish a turn within L", "[encoding]") {
    for (const std::string series : {"quarter", "all"}) {
        SlotShape shape = probe_shape();
        shape.head_width = 16;
        shape.train_length = 40;
        Probe probe(find_entry("rotation", "fope"), {{"series", series}, {"base", 100.0}}, shape);
        const auto cos = stored(probe.module(), "cos"), sin = stored(probe.module(), "sin");  // [H, N, M]
        std::int64_t waves = 0;
        while (waves < 8 && std::pow(100.0, -2.0 * static_cast<double>(waves) / 16) >= 2 * std::numbers::pi / 40) ++waves;
        REQUIRE(waves > 1);
        REQUIRE(waves < 8);
        CHECK(cos.sizes().vec() == std::vector<std::int64_t>{4, waves, series == "all" ? waves : std::min<std::int64_t>(waves, 4)});
        const auto got = probe.run(geometry_of(0, 5, 5));                                     // [1, H, 5, d]
        const auto x = probe_vectors(positions_from(0, 5), 4, 16);
        for (const std::int64_t h : {0, 3}) {
            for (std::int64_t m = 0; m < 8; ++m) {
                const auto [first, second] = turned_pair(x[0][h][4], cos[h], sin[h], 4, m, 100);
                CHECK(got[0][h][4][m].item<double>() == Approx(first).margin(1e-12));
                CHECK(got[0][h][4][m + 8].item<double>() == Approx(second).margin(1e-12));
            }
        }
    }
}

TEST_CASE("FoPE without other waves is HoPE", "[encoding]") {
    SlotShape shape = probe_shape();
    shape.train_length = 40;
    Probe alone(find_entry("rotation", "fope"), {{"gain", 0.0}, {"series", std::string("all")}, {"base", 100.0}}, shape);
    Probe hope(find_entry("rotation", "hope"), {{"base", 100.0}}, shape);
    CHECK(largest_difference(alone.run(geometry_of(0, 50, 50)), hope.run(geometry_of(0, 50, 50))) < 1e-12);
}

TEST_CASE("FoPE's key heads share their series with the query heads of their group", "[encoding]") {
    SlotShape shape = probe_shape();
    shape.kv_heads = 2;
    Probe probe(find_entry("rotation", "fope"), {{"base", 10.0}}, shape);
    const auto positions = positions_from(0, 6);
    const auto x = probe_vectors(positions, 2, 8);
    const auto& rotation = *probe.rotation();
    const Frequencies plain{rotation.inverse_frequencies(), 1};
    const auto keys = rotation.rotate(x, positions, plain, Side::key);
    const auto queries = rotation.rotate(x.repeat_interleave(2, 1), positions, plain, Side::query);
    CHECK(at::equal(queries, keys.repeat_interleave(2, 1)));
    CHECK_FALSE(largest_difference(keys.select(1, 0), rotation.rotate(x.flip(1), positions, plain, Side::key).select(1, 1)) < 1e-9);
}

TEST_CASE("FoPE's shares are stored, and trained only where asked for", "[encoding]") {
    Probe kept(find_entry("rotation", "fope"), {}), trained(find_entry("rotation", "fope"), {{"trained", true}});
    for (const auto& item : kept.module().named_parameters()) CHECK_FALSE(item.value().requires_grad());
    trained.run_with_gradients(geometry_of(0, 12, 12)).square().sum().backward();
    for (const auto& item : trained.module().named_parameters()) CHECK(item.value().grad().abs().max().item<double>() > 0);
}

TEST_CASE("TUPE compares normed position rows through its own projections", "[encoding]") {
    Probe probe(find_entry("bias", "tupe"), {{"untie_first", true}});
    const at::NoGradGuard no_gradient;
    auto& module = probe.module();
    for (const auto& item : module.named_parameters()) item.value().copy_(at::sin(at::arange(item.value().numel(), at::kDouble) * 0.7 + 0.3).view(item.value().sizes()));
    const auto rows = stored(module, "rows"), gain = stored(module, "norm.weight"), shift = stored(module, "norm.bias");
    const auto table = stored(module, "table"), first = stored(module, "first");
    const auto projected = [&](const std::string& side, std::int64_t position, std::int64_t head) {
        const auto p = rows[position];
        const auto normed = (p - p.mean()) / (p.var(false) + 1e-5).sqrt() * gain + shift;
        return (at::mv(stored(module, side + ".weight"), normed) + stored(module, side + ".bias")).slice(0, head * 8, head * 8 + 8);
    };
    const auto got = probe.run(geometry_of(0, 16, 16));                                       // [H, 16, 16]
    for (const auto& [h, i, j] : {std::tuple{0, 5, 2}, {3, 15, 14}, {2, 7, 7}, {1, 15, 1}}) {
        const double absolute = projected("query", i, h).dot(projected("key", j, h)).item<double>() / std::sqrt(2.0 * 8);
        CHECK(got[h][i][j].item<double>() == Approx(absolute + table[i - j][h].item<double>()).margin(1e-10));  // 16 buckets of one distance each
    }
    CHECK(got[1][9][0].item<double>() == Approx((first[1][1] + table[9][1]).item<double>()));
    CHECK(got[1][0][0].item<double>() == Approx((first[0][1] + table[0][1]).item<double>()));
}

TEST_CASE("CREAM keeps both ends and puts the middle into the long text", "[encoding]") {
    const GeneratorScope generator(3);
    const auto map = made<PositionMap>("positions", "cream", {{"factor", 8.0}});
    const auto indices = positions_from(0, 96);
    const auto plain = map->map(indices, {.length = 96, .train_length = 96});
    CHECK(at::equal(plain.relative, indices));
    const auto drawn = map->map(indices, {.length = 96, .train_length = 96, .training = true, .batch = 400}).relative;  // [400, 96]
    CHECK(drawn.min().item<double>() == 0);
    CHECK(drawn.select(1, 95).eq(8 * 96 - 1).all().item<bool>());
    const auto steps = drawn.diff();
    CHECK(steps.ge(1).all().item<bool>());
    CHECK(steps.gt(1).sum(1).le(2).all().item<bool>());
    double centre = 0;
    for (std::int64_t b = 0; b < 400; ++b) {
        // Thirds of 32, else ends of 4 s = 32 tokens: the same here, so the middle is 32 wide in either case.
        const double begin = drawn[b][32].item<double>(), end = drawn[b][63].item<double>();
        CHECK(end - begin == 31);
        CHECK(begin >= 32);
        CHECK(end < 8 * 96 - 32);
        centre += (begin + end) / 2 / 400;
    }
    // The middle's end lies half way between 32 + 31 α/2 and 96 α/2 - 33, α = ⌊x⌋ of about 8.5 on average; its centre 15.5 before that.
    CHECK(std::abs(centre - ((32 + 31 * 4.25 + 96 * 4.25 - 33) / 2 - 15.5)) < 25);
}

TEST_CASE("CREAM's two kinds of ends each come about half of the time", "[encoding]") {
    const GeneratorScope generator(4);
    const auto map = made<PositionMap>("positions", "cream", {{"factor", 4.0}});
    const auto drawn = map->map(positions_from(0, 120), {.length = 120, .train_length = 120, .training = true, .batch = 400}).relative;
    // Ends of ⌊120 / 3⌋ = 40 or 4 s = 16 tokens: token 20 keeps its place under the first, nearly never under the second.
    const auto kept = drawn.select(1, 20).eq(20).sum().item<std::int64_t>();
    CHECK(kept > 150);
    CHECK(kept < 250);
}

}  // namespace lw
