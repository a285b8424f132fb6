/// Temperatures, visibilities and normalisers: what each of them claims, and their limits.
#include "core/position/temperature_alignment.h"
#include "tests/core/position/claims.h"

#include <limits>

namespace lw {

namespace {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

/// Weights [H, r, c] of the probe's logits.
at::Tensor weights(Probe& probe, const TileGeometry& g) { return probe.run(g); }

/// Rows before and past the training length.
std::vector<TileGeometry> some_rows() { return {geometry_of(0, 12, 12), geometry_of(30, 9, 39), geometry_of(70, 1, 71)}; }

void check_log_normaliser(Probe& probe, const TileGeometry& g) {
    const auto logit = masked(probe_content(g, probe.shape().heads), g, kHidden);
    auto& normaliser = *probe.normaliser();
    if (!normaliser.has_log_normaliser()) {
        CHECK_FALSE(normaliser.log_normaliser(logit).defined());
        return;
    }
    CHECK(largest_difference((logit - normaliser.log_normaliser(logit).unsqueeze(-1)).exp(), normaliser.weights(logit, g)) < 1e-12);
}

}  // namespace

namespace claim_checks {

void hides_future(Probe& probe) {
    auto geometries = some_rows();
    auto far = geometry_of(20, 8, 40);  // keys past the block's last query
    // Positions of a map say nothing about what was written first.
    far.query_indices = far.query_positions;
    far.key_indices = far.key_positions;
    far.query_positions = far.query_positions * 0.25 + 3;
    geometries.push_back(far);
    for (const auto& g : geometries) {
        const auto visible = probe.visibility()->visible(g);
        CHECK(visible.scalar_type() == at::kBool);
        const auto future = g.key_places().unsqueeze(0).gt(g.query_places().unsqueeze(1)), own = g.key_places().unsqueeze(0).eq(g.query_places().unsqueeze(1));
        CHECK_FALSE(visible.logical_and(future).any().item<bool>());
        CHECK(visible.logical_or(own.logical_not()).all().item<bool>());  // every query reads at least itself
        CHECK_FALSE(probe.visibility()->sees_future());
    }
}

void sums_to_one(Probe& probe) {
    for (const auto& g : some_rows()) {
        const auto w = weights(probe, g);
        CHECK(w.ge(0).all().item<bool>());
        CHECK((w.sum(-1) - 1).abs().max().item<double>() < 1e-12);
        check_log_normaliser(probe, g);
    }
}

void sums_below_one(Probe& probe) {
    for (const auto& g : some_rows()) {
        const auto w = weights(probe, g);
        CHECK(w.ge(0).all().item<bool>());
        CHECK(w.sum(-1).max().item<double>() <= 1 + 1e-12);
        check_log_normaliser(probe, g);
    }
    CHECK(weights(probe, geometry_of(0, 12, 12)).sum(-1).min().item<double>() < 0.9);
}

void row_factor(Probe& probe) {
    bool changes = false;
    for (const auto& g : some_rows()) {
        const auto before = probe_content(g, probe.shape().heads)[0], after = probe.run(g);                    // [H, r, c]
        const auto factor = (before * after).sum(-1, true) / before.square().sum(-1, true);                    // [H, r, 1]
        CHECK(largest_difference(after, factor * before) < 1e-12);
        CHECK(factor.ge(0).all().item<bool>());
        const auto many = g.query_places().gt(0).unsqueeze(-1);  // a row with one key has no order to keep
        CHECK(factor.gt(0).logical_or(many.logical_not()).all().item<bool>());
        changes = changes || (factor - 1).abs().max().item<double>() > 1e-3;
    }
    CHECK(changes);
}

}  // namespace claim_checks

TEST_CASE("a learned sink of 0 is the softmax off by one, a very low one the softmax", "[encoding]") {
    const auto g = geometry_of(4, 5, 9);
    const auto logit = masked(probe_content(g, 8), g, kHidden);
    const auto sink = made<Normaliser>("normaliser", "learned-sink");
    set(*sink, "sinks", at::zeros({8}));
    CHECK(largest_difference(sink->weights(logit, g), made<Normaliser>("normaliser", "off-by-one")->weights(logit, g)) < 1e-14);
    set(*sink, "sinks", at::full({8}, -1e4));
    CHECK(largest_difference(sink->weights(logit, g), made<Normaliser>("normaliser", "softmax")->weights(logit, g)) < 1e-14);
    // Each head has its own: raising one changes that head only.
    set(*sink, "sinks", at::tensor({9.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}));
    const auto raised = sink->weights(logit, g)[0], even = made<Normaliser>("normaliser", "off-by-one")->weights(logit, g)[0];
    CHECK(raised[0].sum(-1).max().item<double>() < 0.01);
    CHECK(largest_difference(raised.slice(0, 1), even.slice(0, 1)) < 1e-14);
}

TEST_CASE("stick-breaking stays exact over long rows and large scores, forward and backward", "[encoding]") {
    const auto normaliser = made<Normaliser>("normaliser", "stick-breaking");
    auto g = geometry_of(4999, 1, 5000);
    // Only the nearest keys take anything; thousands of shares below them must neither overflow nor become NaN.
    auto z = at::full({1, 1, 1, 5000}, 60.0, at::kDouble).requires_grad_(true);
    const auto w = normaliser->weights(z, g);
    CHECK(w.sum().item<double>() == Approx(1).epsilon(1e-12));
    (w * w).sum().backward();
    CHECK(z.grad().isfinite().all().item<bool>());
    const auto shy = normaliser->weights(at::full({1, 1, 1, 5000}, -60.0, at::kDouble), g);
    CHECK(shy.sum().item<double>() == Approx(4999 * std::exp(-60.0)).epsilon(1e-9));
    // In single precision a share far from the query is still right to single precision.
    const auto plain = at::full({1, 1, 1, 5000}, -6.0, at::kDouble);
    const auto exact = normaliser->weights(plain, g), single = normaliser->weights(plain.to(at::kFloat), g);
    CHECK(((single.to(at::kDouble) - exact) / exact.clamp_min(1e-300)).abs().max().item<double>() < 1e-3);
}

TEST_CASE("stick-breaking passes over hidden keys", "[encoding]") {
    const auto normaliser = made<Normaliser>("normaliser", "stick-breaking");
    const auto g = geometry_of(0, 8, 8);
    const auto open = made<Visibility>("visibility", "sinks", {{"sinks", std::int64_t{1}}, {"recent", std::int64_t{3}}})->visible(g);
    const auto logit = probe_content(g, 4).masked_fill(open.logical_not(), kHidden);
    const auto w = normaliser->weights(logit, g);
    CHECK(w.masked_select(open.logical_not().expand_as(w)).abs().max().item<double>() == 0);
    // The last row sees keys 0, 4, 5, 6: the same as a text of these alone.
    const auto picked = logit.slice(2, 7).index_select(3, at::tensor({0, 4, 5, 6, 7}, at::kLong));
    CHECK(largest_difference(w.slice(2, 7).index_select(3, at::tensor({0, 4, 5, 6, 7}, at::kLong)), normaliser->weights(picked, geometry_of(4, 1, 5))) < 1e-14);
}

TEST_CASE("the full mask shows everything and says that cached tokens go stale", "[encoding]") {
    const auto full = made<Visibility>("visibility", "full");
    CHECK(full->visible(geometry_of(3, 4, 9)).all().item<bool>());
    CHECK(full->visible(geometry_of(3, 4, 9)).sizes() == at::IntArrayRef({4, 9}));
    CHECK(full->sees_future());
    CHECK(full->length_dependent());
}

TEST_CASE("windows: 0 is the training length, 1 the token itself, and blocks begin at their multiples", "[encoding]") {
    const auto count = [](const std::string& id, const Params& params, std::int64_t row) {
        SlotShape shape;
        shape.train_length = 16;
        return made<Visibility>("visibility", id, params, shape)->visible(geometry_of(row, 1, row + 1)).sum().item<std::int64_t>();
    };
    const std::int64_t one = 1;
    CHECK(count("window", {}, 99) == 16);
    CHECK(count("window", {{"window", one}}, 99) == 1);
    CHECK(count("lambda", {}, 99) == 26);
    CHECK(count("lambda", {{"global", std::int64_t{0}}}, 99) == 16);
    CHECK(count("sinks", {}, 99) == 16);
    CHECK(count("sinks", {{"includes_query", true}}, 99) == 16);
    CHECK(count("sinks", {{"recent", std::int64_t{-1}}}, 99) == 4 + 1);
    CHECK(count("blockwise", {}, 99) == 16 + 4);
    CHECK(count("causal", {}, 99) == 100);
}

TEST_CASE("a temperature found for logits that cannot be matched is refused", "[encoding]") {
    const auto sharp = at::zeros({2, 3}, at::kDouble);
    const auto row = [](double gap) { return at::tensor({0.0, gap}, at::kDouble).view({1, 2}); };
    CHECK(aligned_temperature(row(1), row(2), "entropy") == Approx(2).epsilon(1e-9));
    CHECK_THROWS_WITH(aligned_temperature(row(9), sharp, "max_probability"), Catch::Contains("No temperature"));
    CHECK_THROWS_WITH(mean_sharpness(sharp, 1, "variance"), Catch::Contains("variance") && Catch::Contains("entropy"));
}

}  // namespace lw
