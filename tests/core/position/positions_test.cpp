/// Position maps and input encodings: claims, draws, padding, tables that end.
#include "tests/core/position/claims.h"

#include <set>

namespace lw {

namespace {

/// Two texts of `length` tokens; the second has separators (10) and pads (0).
at::Tensor texts(std::int64_t length) {
    const auto plain = 1 + at::arange(length, at::kLong) % 7;
    auto marked = plain.clone();
    for (std::int64_t t = 0; t < length; t += 5) marked[t] = t % 2 == 0 ? 10 : 0;
    return at::stack({plain, marked});  // [2, T]
}

PositionContext context_of(std::int64_t length, bool training = false, std::int64_t batch = 2) {
    PositionContext context{.length = length, .train_length = 16, .training = training, .batch = batch};
    context.tokens = texts(length).slice(0, 0, batch);
    return context;
}

MappedPositions mapped(PositionMap& map, const PositionContext& context) { return map.map(positions_from(0, context.length), context); }

MappedPositions training_draw(PositionMap& map, std::uint64_t seed, std::int64_t length = 16) {
    const GeneratorScope generator(seed);
    return mapped(map, context_of(length, true));
}

bool same(const MappedPositions& a, const MappedPositions& b) { return at::equal(a.absolute, b.absolute) && at::equal(a.relative, b.relative); }

std::vector<const Entry*> entries_of_slot(const std::string& slot) {
    std::vector<const Entry*> found;
    for (const Entry* entry : entries()) {
        if (entry->info.slot == slot) found.push_back(entry);
    }
    return found;
}

bool never_falls(const at::Tensor& positions) { return positions.diff(1, -1).ge(0).all().item<bool>(); }

}  // namespace

namespace claim_checks {

void ascending(Probe& probe) {
    auto& map = *probe.positions();
    for (const std::int64_t length : {1, 2, 16, 50}) {
        const auto plain = mapped(map, context_of(length));
        CHECK((never_falls(plain.absolute) && never_falls(plain.relative)));
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const auto drawn = training_draw(map, seed, length);
            CHECK((never_falls(drawn.absolute) && never_falls(drawn.relative)));
        }
    }
}

void random_in_training(Probe& probe) {
    auto& map = *probe.positions();
    const auto once = training_draw(map, 1), again = training_draw(map, 1), other = training_draw(map, 2);
    CHECK(same(once, again));
    CHECK_FALSE(same(once, other));
    const GeneratorScope generator(3);
    CHECK_FALSE(same(mapped(map, context_of(16, true)), mapped(map, context_of(16, true))));
    const auto before = at::detail::getDefaultCPUGenerator().get_state();
    CHECK(same(mapped(map, context_of(16)), mapped(map, context_of(16))));
    CHECK(at::equal(before, at::detail::getDefaultCPUGenerator().get_state()));
}

void mapped_plain_at_factor_1(Probe& probe) {
    const auto map = made<PositionMap>("positions", probe.entry().info.id, {{"factor", 1.0}});
    const auto got = mapped(*map, context_of(50));
    CHECK(at::equal(got.absolute, positions_from(0, 50)));
    CHECK(at::equal(got.relative, positions_from(0, 50)));
}

void mapped_plain_within_training(Probe& probe) {
    auto& map = *probe.positions();
    for (const std::int64_t length : {1, 15, 16}) CHECK(at::equal(mapped(map, context_of(length)).relative, positions_from(0, length)));
    const auto longer = mapped(map, context_of(64)).relative;
    CHECK(longer[63].item<double>() < 16);
    CHECK(map.length_dependent());
    // A long text leaves nothing behind: the next short one is plain again.
    CHECK(at::equal(mapped(map, context_of(9)).relative, positions_from(0, 9)));
}

void mapped_by_text(Probe& probe) {
    auto& map = *probe.positions();
    CHECK(map.reads_tokens());
    const auto both = mapped(map, context_of(30));
    CHECK_FALSE(at::equal(both.relative[0], both.relative[1]));
}

}  // namespace claim_checks

TEST_CASE("a text's positions do not depend on its batch mates, nor on what follows unless the map says so", "[encoding][field]") {
    for (const Entry* entry : entries_of_slot("positions")) {
        INFO(entry->info.id);
        Probe probe(*entry, {});
        auto& map = *probe.positions();
        const auto whole = mapped(map, context_of(40));
        const auto first = mapped(map, context_of(40, false, 1));
        const auto of_first = [](const at::Tensor& x) { return x.dim() == 2 ? x[0] : x; };
        CHECK(at::equal(of_first(whole.absolute), of_first(first.absolute)));
        CHECK(at::equal(of_first(whole.relative), of_first(first.relative)));
        const auto prefix = mapped(map, context_of(25));
        CHECK(at::equal(whole.relative.slice(-1, 0, 25), prefix.relative) == !map.length_dependent());
        CHECK((map.length_dependent() || at::equal(whole.absolute.slice(-1, 0, 25), prefix.absolute)));
        CHECK(whole.absolute.scalar_type() == at::kDouble);
        CHECK(whole.relative.scalar_type() == at::kDouble);
    }
}

TEST_CASE("randomized positions are different numbers below the maximum, fixed outside training", "[encoding]") {
    const auto map = made<PositionMap>("positions", "randomized", {{"maximum", std::int64_t{64}}});
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const auto drawn = training_draw(*map, seed, 40).relative;
        CHECK(drawn.dim() == 1);  // one draw for the batch
        CHECK(drawn.diff().ge(1).all().item<bool>());
        CHECK((drawn[0].item<double>() >= 0 && drawn[39].item<double>() < 64));
    }
    CHECK(at::equal(mapped(*map, context_of(64)).relative, positions_from(0, 64)));
    CHECK_THROWS_WITH(mapped(*map, context_of(65)), Catch::Contains("below 64") && Catch::Contains("65 tokens") && Catch::Contains("maximum"));
    const auto other = made<PositionMap>("positions", "randomized", {{"maximum", std::int64_t{64}}, {"seed", std::int64_t{1}}});
    CHECK_FALSE(same(mapped(*map, context_of(40)), mapped(*other, context_of(40))));
    const auto each = made<PositionMap>("positions", "randomized", {{"per", std::string("sequence")}});
    const auto drawn = training_draw(*each, 1).relative;
    CHECK(drawn.sizes() == at::IntArrayRef({2, 16}));
    CHECK_FALSE(at::equal(drawn[0], drawn[1]));
    CHECK(mapped(*each, context_of(16)).relative.dim() == 1);
}

TEST_CASE("all numbers are drawn by randomized positions about equally often", "[encoding]") {
    const auto map = made<PositionMap>("positions", "randomized", {{"maximum", std::int64_t{32}}});
    const GeneratorScope generator(5);
    auto count = at::zeros({32}, at::kDouble);
    for (int n = 0; n < 4000; ++n) count.index_add_(0, mapped(*map, context_of(8, true)).relative.to(at::kLong), at::ones({8}, at::kDouble));
    // 1000 expected, standard deviation 27.
    CHECK((count - 1000).abs().max().item<double>() < 140);
}

TEST_CASE("SHAPE shifts each sequence by its own whole offset below K, and by K outside training", "[encoding]") {
    const auto map = made<PositionMap>("positions", "shape", {{"maximum", std::int64_t{9}}});
    std::set<double> seen;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto drawn = training_draw(*map, seed);
        CHECK(drawn.absolute.sizes() == at::IntArrayRef({2, 16}));
        const auto offset = drawn.absolute - positions_from(0, 16);
        CHECK(offset.eq(offset.select(1, 0).unsqueeze(1)).all().item<bool>());
        seen.insert(offset[0][0].item<double>());
        seen.insert(offset[1][0].item<double>());
        CHECK(at::equal(drawn.relative, positions_from(0, 16)));
    }
    CHECK(seen == std::set<double>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(at::equal(mapped(*map, context_of(16)).absolute, positions_from(9, 16)));
}

TEST_CASE("a common shift of all positions changes nothing for RoPE and ALiBi", "[encoding]") {
    const auto map = made<PositionMap>("positions", "shape");
    const auto context = context_of(24);
    const auto shifted = mapped(*map, context).absolute, plain = positions_from(0, 24);  // by 500
    Probe rope(find_entry("rotation", "rope"), {}), alibi(find_entry("bias", "alibi"), {});
    const Frequencies frequencies{rope.rotation()->inverse_frequencies(), 1};
    const auto scores = [&](const at::Tensor& positions) {
        const auto q = rope.rotation()->rotate(probe_vectors(plain, 4, 8), positions, frequencies, Side::query);
        const auto k = rope.rotation()->rotate(probe_vectors(plain, 4, 8, 2), positions, frequencies, Side::key);
        return at::matmul(q, k.transpose(-2, -1));
    };
    CHECK(largest_difference(scores(shifted), scores(plain)) < 1e-9);
    auto geometry = geometry_of(0, 24, 24);
    const auto before = alibi.run(geometry);
    geometry.query_positions = geometry.key_positions = shifted;
    CHECK(largest_difference(alibi.run(geometry), before) < 1e-12);
}

TEST_CASE("CAPE stays within its three bounds", "[encoding]") {
    const auto map = made<PositionMap>("positions", "cape", {{"scale", 1.5}});
    double smallest = 9, largest = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const auto drawn = training_draw(*map, seed, 200).absolute;                     // [2, 200]
        CHECK_FALSE(at::equal(drawn[0], drawn[1]));
        const auto slope = (drawn.select(1, 199) - drawn.select(1, 0)) / 199;           // λ within 1 %
        smallest = std::min(smallest, slope.min().item<double>());
        largest = std::max(largest, slope.max().item<double>());
        CHECK(drawn.select(1, 0).abs().max().item<double>() <= 5.5 * 1.5);
    }
    CHECK((smallest > 0.99 / 1.5 && smallest < 0.75));
    CHECK((largest < 1.01 * 1.5 && largest > 1.35));
    const auto none = made<PositionMap>("positions", "cape", {{"global_shift", 0.0}, {"local_shift", 0.0}, {"scale", 1.0}});
    CHECK(largest_difference(training_draw(*none, 1).relative, positions_from(0, 16).expand({2, 16})) == 0);
}

TEST_CASE("PoSE keeps the first part in place and never leaves the target", "[encoding]") {
    const auto map = made<PositionMap>("positions", "pose", {{"factor", 4.0}});
    double farthest = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const auto moved = training_draw(*map, seed).relative - positions_from(0, 16);  // [2, 16]
        CHECK(moved.select(1, 0).abs().max().item<double>() == 0);
        CHECK(at::equal(moved.select(1, 8), moved.select(1, 15)));                      // the first part is at most half
        farthest = std::max(farthest, moved.max().item<double>());
    }
    CHECK(farthest <= 48);
    CHECK(farthest > 40);
    CHECK(at::equal(mapped(*map, context_of(30)).relative, positions_from(0, 30)));
    const auto single = training_draw(*map, 1, 1).relative;  // one token alone stays
    CHECK(single.abs().max().item<double>() == 0);
}

TEST_CASE("left padding: real tokens get the positions, rotated scores and biases of the text alone", "[encoding][field]") {
    const auto map = made<PositionMap>("positions", "shifted");
    PositionContext context{.length = 9, .train_length = 16, .batch = 2};
    context.tokens = at::tensor({0, 0, 0, 5, 6, 7, 8, 9, 4, 1, 2, 3, 5, 6, 7, 8, 9, 4}, at::kLong).view({2, 9});
    const auto positions = map->map(positions_from(0, 9), context).relative;
    CHECK(at::equal(positions[0].slice(0, 3), positions_from(0, 6)));
    CHECK(at::equal(positions[1], positions_from(0, 9)));
    for (const auto& [slot, id] : std::vector<std::pair<std::string, std::string>>{{"bias", "alibi"}, {"bias", "t5"}, {"bias", "fire"}, {"rotation", "rope"}}) {
        INFO(id);
        Probe probe(find_entry(slot, id), {});
        auto padded = geometry_of(0, 9, 9);
        padded.query_positions = padded.key_positions = positions[0];
        const auto whole = probe.run(padded), alone = probe.run(geometry_of(0, 6, 6));
        // Bias cells [H, 6, 6], or turned vectors made from the positions themselves [1, H, 6, d].
        CHECK(largest_difference(probe.has_cells() ? whole.slice(1, 3).slice(2, 3) : whole.slice(2, 3), alone) < 1e-12);
    }
}

TEST_CASE("BiPE refuses separators that are no token numbers, and without tokens the text is one segment", "[encoding]") {
    CHECK_THROWS_WITH(made<PositionMap>("positions", "bipe", {{"separators", std::string("10, 4.5")}}), Catch::Contains("separators") && Catch::Contains("4.5"));
    CHECK_THROWS_WITH(made<PositionMap>("positions", "bipe", {{"separators", std::string("-1")}}), Catch::Contains("separators"));
    const auto map = made<PositionMap>("positions", "bipe");
    const auto got = map->map(positions_from(0, 7), {.length = 7, .train_length = 16});
    CHECK(at::equal(got.absolute, positions_from(0, 7)));
    CHECK(got.relative.abs().max().item<double>() == 0);
    const auto none = made<PositionMap>("positions", "bipe", {{"separators", std::string()}});
    CHECK(mapped(*none, context_of(9)).relative.abs().max().item<double>() == 0);
}

TEST_CASE("a learned table says which position it lacks, and reads between rows after interpolation", "[encoding][field]") {
    SlotShape shape = probe_shape();
    const auto table = made<InputEncoding>("input", "learned", {}, shape);
    const auto randomized = made<PositionMap>("positions", "randomized");
    const auto far = mapped(*randomized, context_of(16)).absolute;
    CHECK_THROWS_WITH(table->table(far), Catch::Contains("16 rows") && Catch::Contains("Position"));
    CHECK_THROWS_WITH(table->table(positions_from(-2, 5)), Catch::Contains("Position -2") && Catch::Contains("before the first row"));
    CHECK_THROWS_WITH(table->table(at::tensor({4.0, 19.0, 22.0, -3.0}, at::kDouble)), Catch::Contains("Position 19"));
    const auto wrapping = made<InputEncoding>("input", "learned", {{"beyond", std::string("wrap")}}, shape);
    CHECK(at::equal(wrapping->table(positions_from(-3, 40)), wrapping->table(at::remainder(positions_from(-3, 40), 16.0))));
    CHECK(at::equal(wrapping->table(positions_from(0, 16)), table->table(positions_from(0, 16))));
    const auto seam = wrapping->table(at::tensor({15.0, 15.5, 16.0}, at::kDouble));
    CHECK(largest_difference(seam[1], (seam[0] + seam[2]) / 2) < 1e-12);
    const auto clipped = made<InputEncoding>("input", "learned", {{"beyond", std::string("clip")}}, shape);
    CHECK(at::equal(clipped->table(positions_from(-2, 3)), clipped->table(positions_from(0, 1)).expand({3, -1})));
    const auto interpolating = made<InputEncoding>("input", "learned", {{"beyond", std::string("interpolate")}, {"factor", 2.0}}, shape);
    const auto halved = made<PositionMap>("positions", "linear", {{"factor", 2.0}});
    CHECK(largest_difference(table->table(mapped(*halved, context_of(30)).absolute), interpolating->table(positions_from(0, 30))) < 1e-12);
}

TEST_CASE("every input encoding takes positions of each sequence's own", "[encoding]") {
    const auto positions = at::stack({positions_from(0, 6), positions_from(3, 6), positions_from(7, 6) / 2});  // [3, T]
    const auto tokens = at::arange(18, at::kLong).view({3, 6});
    for (const Entry* entry : entries_of_slot("input")) {
        INFO(entry->info.id);
        Probe probe(*entry, {});
        const auto embedded = at::sin(at::arange(3 * 6 * 32, at::kDouble)).view({3, 6, 32});
        const auto together = probe.input()->apply(embedded, positions, tokens), table = probe.input()->table(positions);
        CHECK(together.sizes() == embedded.sizes());
        for (std::int64_t b = 0; b < 3; ++b) {
            CHECK(largest_difference(together.narrow(0, b, 1), probe.input()->apply(embedded.narrow(0, b, 1), positions[b], tokens.narrow(0, b, 1))) < 1e-12);
            CHECK(largest_difference(table[b], probe.input()->table(positions[b])) < 1e-12);
        }
    }
}

TEST_CASE("FLOATER gives a single row, fractions and negative positions as on one smooth curve", "[encoding]") {
    const Params coarse{{"time_per_token", 0.2}}, fine{{"time_per_token", 0.2}, {"steps_per_token", std::int64_t{20}}};
    const auto a = made<InputEncoding>("input", "floater", coarse, probe_shape()), b = made<InputEncoding>("input", "floater", fine, probe_shape());
    const auto places = at::tensor({3.0, -4.25, 0.5, 7.9, 0.0, -0.1, 11.0}, at::kDouble);
    CHECK(largest_difference(a->table(places), b->table(places)) < 1e-7);
    CHECK(largest_difference(a->table(places).narrow(0, 6, 1), a->table(positions_from(11, 1))) < 1e-14);
    CHECK(at::equal(a->table(at::zeros({1}, at::kDouble))[0], a->named_parameters()["start"]));
    CHECK_THROWS_WITH(made<InputEncoding>("input", "floater", {{"limit", std::int64_t{20}}}, probe_shape())->table(positions_from(0, 21)),
                      Catch::Contains("20 tokens") && Catch::Contains("limit"));
}

TEST_CASE("the complex embedding keeps every word's length and turns it at its own speed", "[encoding]") {
    Probe probe(find_entry("input", "complex"), {});
    const auto embedded = at::sin(at::arange(5 * 32, at::kDouble)).view({1, 5, 32});
    const auto word = at::full({1, 5}, 3, at::kLong), other = at::full({1, 5}, 4, at::kLong);
    const auto far = at::tensor({0.0, 1.0, 2.5, 100.0, 1e6}, at::kDouble);
    const auto turned = probe.input()->apply(embedded, far, word);
    const auto modulus = [](const at::Tensor& x) { return at::hypot(x.slice(-1, 0, 16), x.slice(-1, 16)); };
    CHECK(largest_difference(modulus(turned), modulus(embedded)) < 1e-12);
    CHECK(at::equal(turned.select(1, 0), embedded.select(1, 0)));
    CHECK(largest_difference(turned, probe.input()->apply(embedded, far, other)) > 1e-3);
    SlotShape odd = probe_shape();
    odd.width = 33;
    CHECK_THROWS_WITH(made<InputEncoding>("input", "complex", {}, odd), Catch::Contains("33") && Catch::Contains("odd"));
}

}  // namespace lw
