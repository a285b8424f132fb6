/// Every claim that an entry makes is tested here; a claim without a test fails.
#include "tests/core/position/claims.h"

namespace lw {

namespace {

TileGeometry shifted(TileGeometry geometry, double by) {
    geometry.query_positions = geometry.query_positions + by;
    geometry.key_positions = geometry.key_positions + by;
    return geometry;
}

/// Scores of rotated vectors, for the last `rows` of 24 positions that start at `first`.
at::Tensor rotated_scores(Probe& probe, double first) {
    const auto plain = positions_from(0, 24), positions = plain + first;
    const auto& shape = probe.shape();
    const Frequencies frequencies{probe.rotation()->inverse_frequencies(), 1};
    const auto q = probe.rotation()->rotate(probe_vectors(plain, shape.heads, shape.head_width), positions, frequencies, Side::query);
    const auto k = probe.rotation()->rotate(probe_vectors(plain, shape.heads, shape.head_width, 2), positions, frequencies, Side::key);
    return at::matmul(q, k.transpose(-2, -1));
}

void check_relative(Probe& probe) {
    if (probe.rotation()) {
        CHECK(largest_difference(rotated_scores(probe, 0), rotated_scores(probe, 1000)) < 1e-9);
        return;
    }
    const auto geometry = geometry_of(0, 30, 30);
    CHECK(largest_difference(probe.run(geometry), probe.run(shifted(geometry, 1000))) < 1e-12);
    CHECK(probe.bias()->distance_only());
    const auto by_distance = probe.bias()->by_distance(positions_from(0, 30), geometry);                 // [H, 30]
    CHECK(largest_difference(probe.run(geometry).select(1, 29).flip(1), by_distance) < 1e-12);
}

void check_row_dependent(Probe& probe) {
    const auto geometry = geometry_of(40, 4, 44);
    CHECK(largest_difference(probe.run(geometry), probe.run(shifted(geometry, 500))) > 1e-3);
    CHECK_FALSE(probe.bias()->distance_only());
}

void check_relative_dot(Probe& probe) {
    const auto near = probe.input()->table(positions_from(0, 20)), far = probe.input()->table(positions_from(300, 20));
    CHECK(largest_difference(at::matmul(near, near.t()), at::matmul(far, far.t())) < 1e-9);
}

void check_norms(Probe& probe) {
    const auto positions = positions_from(5, 30);
    const auto x = probe_vectors(positions, probe.shape().heads, probe.shape().head_width);
    const auto turned = probe.rotation()->rotate(x, positions, {probe.rotation()->inverse_frequencies(), 1}, Side::query);
    CHECK(largest_difference(turned.norm(2, -1), x.norm(2, -1)) < 1e-12);
    CHECK(largest_difference(turned, x) > 0.1);
}

void check_partial_tail(Probe& /*probe*/) {
    SlotShape shape = probe_shape();
    shape.head_width = 16;
    const auto rope = made<Rotation>("rotation", "rope", {{"fraction", 0.25}}, shape);
    const auto x = probe_vectors(positions_from(5, 6), shape.heads, 16);
    const auto turned = rope->rotate(x, positions_from(5, 6), {rope->inverse_frequencies(), 1}, Side::query);
    CHECK(rope->inverse_frequencies().size() == 2);
    CHECK(at::equal(turned.slice(-1, 4), x.slice(-1, 4)));
    CHECK(largest_difference(turned.slice(-1, 0, 4), x.slice(-1, 0, 4)) > 0.1);
}

void check_monotone(Probe& probe) {
    const auto curve = probe.run(geometry_of(199, 1, 200)).select(1, 0);  // [H, 200], nearest key last
    CHECK(curve.diff().ge(0).all().item<bool>());
    CHECK(curve.select(1, 199).gt(curve.select(1, 0)).all().item<bool>());
}

void check_zero_at_zero(Probe& probe) { CHECK(probe.run(geometry_of(0, 9, 9)).diagonal(0, 1, 2).abs().max().item<double>() == 0); }

void check_bounded_table(Probe& probe) {
    Probe small(probe.entry(), {});
    CHECK(small.run(geometry_of(0, 16, 16)).size(-2) == 16);
    CHECK_THROWS_WITH(small.run(geometry_of(10, 7, 17)), Catch::Contains("Position 16") && Catch::Contains("16 rows"));
    REQUIRE(probe.entry().reach != nullptr);  // known before a model is trained, too
    CHECK(probe.entry().reach(complete_params(probe.entry(), {}), 16) == 15);
}

Frequencies scaled(const std::string& id, const Params& params, const std::vector<double>& plain, std::int64_t length, std::int64_t train_length) {
    return made<FrequencyScaling>("frequency", id, params)->scale(plain, 10000, length, train_length);
}

void check_identity_at_factor_1(Probe& probe) {
    if (probe.positions()) return claim_checks::mapped_plain_at_factor_1(probe);
    const auto got = scaled(probe.entry().info.id, {{"factor", 1.0}}, probe.plain(), 8192, 2048);
    CHECK(got.inverse == probe.plain());
    CHECK(got.attention_factor == 1);
}

void check_keeps_fastest(Probe& probe) {
    for (const std::int64_t length : {100, 2048, 8192}) {
        CHECK(probe.frequency()->scale(probe.plain(), 10000, length, 2048).inverse.front() == probe.plain().front());
    }
}

void check_slows_slowest(Probe& probe) {
    for (const double factor : {2.0, 8.0}) {
        const auto got = scaled(probe.entry().info.id, {{"factor", factor}}, probe.plain(), 2048, 2048);
        CHECK(got.inverse.back() == Approx(probe.plain().back() / factor).epsilon(1e-12));
    }
}

void check_plain_within_training(Probe& probe) {
    if (probe.positions()) return claim_checks::mapped_plain_within_training(probe);
    for (const std::int64_t length : {1, 100, 2048}) {
        const auto got = probe.frequency()->scale(probe.plain(), 10000, length, 2048);
        CHECK(got.inverse == probe.plain());
        CHECK(got.attention_factor == 1);
    }
}

void check_length_independent(Probe& probe) {
    CHECK_FALSE(probe.frequency()->length_dependent());
    CHECK(probe.frequency()->scale(probe.plain(), 10000, 100, 2048).inverse == probe.frequency()->scale(probe.plain(), 10000, 99999, 2048).inverse);
}

void check_length_dependent(Probe& probe) {
    CHECK(probe.frequency()->length_dependent());
    const auto longer = probe.frequency()->scale(probe.plain(), 10000, 8192, 2048), shorter = probe.frequency()->scale(probe.plain(), 10000, 4096, 2048);
    CHECK(longer.inverse.back() < shorter.inverse.back());
    // A long text leaves nothing behind: the next short one is plain again.
    CHECK(probe.frequency()->scale(probe.plain(), 10000, 1024, 2048).inverse == probe.plain());
}

/// Every inner tile equals the same cells of the whole.
void check_pointwise(Probe& probe) {
    if (probe.adaptive()) CHECK(probe.adaptive()->halo() == 0);
    const auto whole = probe.run(geometry_of(0, 24, 24));
    TileGeometry inner = geometry_of(0, 24, 24);
    inner.query_positions = positions_from(11, 5);
    inner.key_positions = positions_from(4, 9);
    CHECK(largest_difference(probe.run(inner), whole.slice(1, 11, 16).slice(2, 4, 13)) < 1e-12);
    // Cells picked one by one, not even in order.
    inner.query_positions = at::tensor({20.0, 3.0, 11.0}, at::kDouble);
    inner.key_positions = at::tensor({2.0, 19.0, 0.0, 7.0}, at::kDouble);
    const auto rows = at::tensor({20, 3, 11}, at::kLong), columns = at::tensor({2, 19, 0, 7}, at::kLong);
    CHECK(largest_difference(probe.run(inner), whole.index_select(1, rows).index_select(2, columns)) < 1e-12);
}

/// An inner tile with its halo gives the inner cells exactly; with one key less on a side it does not.
void check_reads_neighbours(Probe& probe) {
    const auto halo = probe.adaptive()->halo();
    REQUIRE(halo > 0);
    const auto whole = probe.run(geometry_of(0, 40, 40)).slice(1, 30, 35).slice(2, 10, 20);
    const auto inner = [&](std::int64_t left, std::int64_t right) {
        TileGeometry geometry = geometry_of(0, 40, 40);
        geometry.query_positions = positions_from(30, 5);
        geometry.key_positions = positions_from(10 - left, left + 10 + right);
        return probe.run(geometry).slice(2, left, left + 10);
    };
    CHECK(largest_difference(inner(halo, halo), whole) < 1e-12);
    CHECK(largest_difference(inner(halo - 1, halo), whole) > 1e-9);
    CHECK(largest_difference(inner(halo, halo - 1), whole) > 1e-9);
}

void check_causal(Probe& probe) {
    const auto geometry = geometry_of(0, 12, 12);
    const auto content = probe_content(geometry, probe.shape().heads), bias = probe_bias(geometry, probe.shape().heads);
    const auto future = geometry.key_positions.unsqueeze(0).gt(geometry.query_positions.unsqueeze(1)).to(at::kDouble);
    const auto before = masked(probe.adaptive()->tile(content, bias, geometry), geometry);
    const auto after = masked(probe.adaptive()->tile(content + 9 * future, bias + 5 * future, geometry), geometry);
    CHECK(at::equal(before, after));
}

/// Permutes the heads of S and B together with the columns of the first layer and the rows of the second.
void check_permutes_with_heads(Probe& probe) {
    const auto heads = probe.shape().heads;
    const auto order = at::tensor({2, 0, 3, 1}, at::kLong);
    const auto geometry = geometry_of(0, 9, 9);
    const auto content = probe_content(geometry, heads), bias = probe_bias(geometry, heads);
    const auto plain = probe.adaptive()->tile(content, bias, geometry);
    Probe renamed(probe.entry(), {}, probe.shape(), 5);
    for (const auto& item : probe.module().named_parameters()) {
        auto value = item.value().detach();
        if (item.key() == "first.weight") value = value.index_select(1, at::cat({order, order + heads}));
        if (item.key().rfind("second.", 0) == 0) value = value.index_select(0, order);
        set(renamed.module(), item.key(), value);
    }
    const auto permuted = renamed.adaptive()->tile(content.index_select(1, order), bias.index_select(0, order), geometry);
    CHECK(largest_difference(permuted, plain.index_select(1, order)) < 1e-12);
}

void check_content_dependent(Probe& probe) {
    if (probe.positions()) return claim_checks::mapped_by_text(probe);
    if (probe.rotation()) return claim_checks::scores_by_text(probe);
    claim_checks::content_dependent(probe);
}

void check_learned(Probe& probe) {
    CHECK(probe.entry().info.learned);
    const auto result = probe.run_with_gradients(geometry_of(0, 12, 12));
    // Weighted, because a sum of squares alone stays the same while vectors turn.
    (result * result * at::cos(at::arange(result.numel(), result.options().requires_grad(false))).view(result.sizes())).sum().backward();
    for (const auto& item : probe.module().named_parameters()) {
        INFO(item.key());
        CHECK(item.value().grad().abs().max().item<double>() > 0);
    }
}

void check_fixed(Probe& probe) {
    CHECK_FALSE(probe.entry().info.learned);
    for (const auto& parameter : probe.module().parameters()) CHECK_FALSE(parameter.requires_grad());  // FoPE's draws are stored, not trained
}

const std::map<std::string, void (*)(Probe&)> kChecks = {
    {"relative", check_relative},
    {"relative-dot", check_relative_dot},
    {"row-dependent", check_row_dependent},
    {"norm-preserving", check_norms},
    {"partial-tail", check_partial_tail},
    {"monotone", check_monotone},
    {"zero-at-zero", check_zero_at_zero},
    {"bounded-table", check_bounded_table},
    {"identity-at-factor-1", check_identity_at_factor_1},
    {"keeps-fastest", check_keeps_fastest},
    {"slows-slowest", check_slows_slowest},
    {"plain-within-training", check_plain_within_training},
    {"length-independent", check_length_independent},
    {"length-dependent", check_length_dependent},
    {"pointwise", check_pointwise},
    {"reads-neighbours", check_reads_neighbours},
    {"causal", check_causal},
    {"permutes-with-heads", check_permutes_with_heads},
    {"ascending", claim_checks::ascending},
    {"random-in-training", claim_checks::random_in_training},
    {"content-dependent", check_content_dependent},
    {"equals-oracle", claim_checks::equals_oracle},
    {"identity-inside-window", claim_checks::identity_inside_window},
    {"stays-trained", claim_checks::stays_trained},
    {"hides-future", claim_checks::hides_future},
    {"sums-to-one", claim_checks::sums_to_one},
    {"sums-below-one", claim_checks::sums_below_one},
    {"row-factor", claim_checks::row_factor},
    {"learned", check_learned},
    {"fixed", check_fixed},
};

}  // namespace

TEST_CASE("every claim of every entry holds", "[encoding][conformance]") {
    for (const Entry* entry : entries()) {
        for (const auto& made_claim : entry->info.claims) {
            INFO(entry->info.slot << " " << entry->info.id << " claims " << made_claim.id);
            REQUIRE(kChecks.count(made_claim.id) == 1);
            Probe probe(*entry, roomy(*entry));
            kChecks.at(made_claim.id)(probe);
        }
    }
}

TEST_CASE("every known claim has a test and somebody who makes it", "[encoding][conformance]") {
    for (const auto& known : known_claims()) {
        INFO(known.id);
        CHECK(kChecks.count(known.id) == 1);
        bool used = false;
        for (const auto& method : methods()) {
            for (const auto& made_claim : method.claims) used = used || made_claim.id == known.id;
        }
        CHECK(used);
    }
}

}  // namespace lw
