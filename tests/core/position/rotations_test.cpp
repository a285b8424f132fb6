/// Rotations that treat queries and keys differently or read the text: sides, reach, and PaTH's blocks against the plain product.
#include "tests/core/position/claims.h"


#include <map>

namespace lw {

namespace {

constexpr std::int64_t kWidth = 8;

SlotShape path_shape(std::int64_t key_heads = 2) {
    SlotShape shape;
    shape.heads = 4;
    shape.kv_heads = key_heads;
    shape.head_width = kWidth;
    shape.width = 32;
    return shape;
}

at::Tensor random(at::IntArrayRef sizes, std::uint64_t seed) {
    const GeneratorScope generator(seed);
    return at::randn(sizes, at::kDouble);
}

/// scale · q_iᵀ G_i … G_{j+1} k_j by applying one map after the other, for directions that are unit vectors already.
at::Tensor one_by_one(const at::Tensor& q, const at::Tensor& k, const at::Tensor& w, const at::Tensor& beta, std::int64_t first_row, double scale) {
    const auto rows = q.size(2), group = q.size(1) / k.size(1);
    auto found = at::zeros({q.size(0), q.size(1), rows, k.size(2)}, at::kDouble);
    for (std::int64_t h = 0; h < q.size(1); ++h) {
        for (std::int64_t r = 0; r < rows; ++r) {
            auto v = q.select(1, h).select(1, r);                                                 // [B, d]
            for (std::int64_t j = first_row + r; j >= 0; --j) {
                found.select(1, h).select(1, r).select(1, j).copy_((v * k.select(1, h / group).select(1, j)).sum(-1) * scale);
                const auto along = w.select(1, h / group).select(1, j);                           // [B, d]
                v = v - beta.select(1, h / group).select(1, j) * (v * along).sum(-1, true) * along;
            }
        }
    }
    return found;
}

}  // namespace

/// Other words give other scores at the same places; words after a query give none.
void claim_checks::scores_by_text(Probe& probe) {
    auto& rotation = *probe.rotation();
    const auto& shape = probe.shape();
    const auto places = positions_from(0, 12);
    const auto q = probe_vectors(places, shape.heads, shape.head_width), k = probe_vectors(places, shape.heads, shape.head_width, 2);
    const auto text = probe_vectors(places, 1, shape.width, 5).squeeze(1);
    const auto scores = [&](const at::Tensor& normed) { return rotation.scores(q, k, rotation.token_state(normed), 0, 0.5).detach(); };
    auto other = text.clone();
    other.slice(1, 6).neg_();
    const auto before = scores(text), after = scores(other);
    CHECK(largest_difference(after.slice(2, 0, 6).tril(), before.slice(2, 0, 6).tril()) == 0);
    CHECK(largest_difference(after.slice(2, 6), before.slice(2, 6)) > 1e-3);
}

TEST_CASE("PaTH's blocks give the product of all maps, for grouped heads and rows in the middle", "[encoding]") {
    const auto path = made<Rotation>("rotation", "path", {{"convolution", std::int64_t{1}}}, path_shape());
    const std::int64_t keys = 150;
    const auto q = random({2, 4, keys, kWidth}, 1), k = random({2, 2, keys, kWidth}, 2);
    auto w = random({2, 2, keys, kWidth}, 3);
    w = w / w.norm(2, -1, true);
    const auto beta = 2 * random({2, 2, keys, 1}, 4).sigmoid();
    const auto state = at::cat({w, beta}, -1);
    const auto whole = path->scores(q, k, state, 0, 0.5);
    REQUIRE(whole.sizes() == at::IntArrayRef({2, 4, keys, keys}));
    CHECK(largest_difference(whole.tril(), one_by_one(q, k, w, beta, 0, 0.5)) < 1e-10);
    for (const auto& [first, rows] : std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 5}, {60, 10}, {64, 1}, {127, 3}, {149, 1}}) {
        INFO(first);
        const auto end = first + rows;
        const auto part = path->scores(q.slice(2, first, end), k.slice(2, 0, end), state.slice(2, 0, end), first, 0.5);
        CHECK(largest_difference(part.tril(first), whole.slice(2, first, end).slice(3, 0, end).tril(first)) < 1e-11);
    }
}

TEST_CASE("PaTH in single precision stays near double over many blocks", "[encoding]") {
    const auto shape = path_shape();
    const auto path = made<Rotation>("rotation", "path", {}, shape), single = made<Rotation>("rotation", "path", {}, shape);
    single->to(at::kFloat);
    const auto normed = random({1, 400, 32}, 7), q = random({1, 4, 400, kWidth}, 8), k = random({1, 2, 400, kWidth}, 9);
    const auto exact = path->scores(q, k, path->token_state(normed), 0, 0.35).tril();
    const auto rough = single->scores(q.to(at::kFloat), k.to(at::kFloat), single->token_state(normed.to(at::kFloat)), 0, 0.35).tril();
    CHECK(rough.scalar_type() == at::kFloat);
    CHECK(largest_difference(rough.to(at::kDouble), exact) < 1e-3);
}

TEST_CASE("PaTH keeps per token what one pass or many give alike", "[encoding]") {
    for (const std::int64_t key_heads : {1, 2, 4}) {
        const auto path = made<Rotation>("rotation", "path", {}, path_shape(key_heads));
        const auto normed = random({2, 9, 32}, 5);
        const auto whole = path->token_state(normed);
        CHECK(whole.sizes() == at::IntArrayRef({2, key_heads, 9, kWidth + 1}));
        const auto parts = at::cat({path->token_state(normed.slice(1, 0, 4)), path->token_state(normed.slice(1, 4, 5)), path->token_state(normed.slice(1, 5))}, 2);
        CHECK(largest_difference(parts, whole) < 1e-14);
        const auto beta = whole.slice(-1, kWidth);
        CHECK(beta.gt(0).all().item<bool>());
        CHECK(beta.lt(2).all().item<bool>());
    }
    const auto low = made<Rotation>("rotation", "path", {}, path_shape(4)), full = made<Rotation>("rotation", "path", {}, path_shape(2));
    CHECK(low->named_parameters().contains("inner.weight"));
    CHECK_FALSE(full->named_parameters().contains("inner.weight"));
}

TEST_CASE("gradients of PaTH's blocks are those of the plain product", "[encoding]") {
    const std::int64_t keys = 70;
    const auto path = made<Rotation>("rotation", "path", {{"convolution", std::int64_t{1}}}, path_shape(4));
    auto q = random({1, 4, keys, kWidth}, 1).set_requires_grad(true), k = random({1, 4, keys, kWidth}, 2).set_requires_grad(true);
    auto kept = random({1, 4, keys, kWidth}, 3).set_requires_grad(true);
    auto beta = (2 * random({1, 4, keys, 1}, 4).sigmoid()).set_requires_grad(true);
    const auto weights = random({1, 4, keys, keys}, 6).tril();
    const std::vector<at::Tensor> inputs{q, k, kept, beta};
    const auto fast = torch::autograd::grad({(path->scores(q, k, at::cat({kept, beta}, -1), 0, 0.5) * weights).sum()}, inputs);
    // The plain product with differentiable steps: queries walk back over the keys.
    const auto w = kept / kept.norm(2, -1, true);
    const auto places = at::arange(keys);
    auto v = q + 0;
    at::Tensor sum = at::zeros({}, at::kDouble);
    for (std::int64_t j = keys - 1; j >= 0; --j) {
        sum = sum + (at::matmul(v, k.select(2, j).unsqueeze(-1)).squeeze(-1) * 0.5 * weights.select(3, j)).sum();
        const auto along = w.narrow(2, j, 1);                                                     // [B, H, 1, d]
        const auto step = beta.narrow(2, j, 1) * (v * along).sum(-1, true) * along;
        v = v - step * places.ge(j).to(at::kDouble).view({1, 1, -1, 1});
    }
    const auto slow = torch::autograd::grad({sum}, inputs);
    for (std::size_t n = 0; n < inputs.size(); ++n) CHECK(largest_difference(fast[n], slow[n]) < 1e-9);
}

TEST_CASE("PaTH and a bias that reads the text are refused together", "[encoding]") {
    for (const Entry* entry : entries()) {
        if (entry->info.slot != "bias") continue;
        const auto& claims = entry->info.claims;
        if (std::none_of(claims.begin(), claims.end(), [](const ClaimInfo& claim) { return claim.id == "content-dependent"; })) continue;
        SchemeSpec spec;
        spec.slots["rotation"] = {"path", {}};
        spec.slots["bias"] = {entry->info.id, {}};
        CHECK_THROWS_WITH(checked_scheme(spec), Catch::Contains("path") && Catch::Contains(entry->info.id));
    }
    SchemeSpec scaled;
    scaled.slots["rotation"] = {"path", {}};
    scaled.slots["frequency"] = {"yarn", {}};
    CHECK_THROWS_WITH(checked_scheme(scaled), Catch::Contains("path") && Catch::Contains("frequency"));
}

TEST_CASE("xPos: the centre changes no score, and far positions are refused instead of overflowing", "[encoding]") {
    const auto plain = made<Rotation>("rotation", "xpos"), centred = made<Rotation>("rotation", "xpos", {{"centre", 500.0}});
    const auto positions = positions_from(900, 20);
    const auto q = random({1, 2, 20, 16}, 1), k = random({1, 2, 20, 16}, 2);
    const auto scores = [&](const Rotation& rotation) {
        const Frequencies frequencies{rotation.inverse_frequencies(), 1};
        return at::matmul(rotation.rotate(q, positions, frequencies, Side::query), rotation.rotate(k, positions, frequencies, Side::key).transpose(-2, -1));
    };
    CHECK(largest_difference(scores(*plain), scores(*centred)) < 1e-10);
    const auto far = at::tensor({200000.0}, at::kDouble);
    CHECK_THROWS_WITH(plain->rotate(at::ones({1, 1, 1, 16}), far, {plain->inverse_frequencies(), 1}, Side::key),
                      Catch::Contains("scale_base") && Catch::Contains("centre"));
    const auto near = plain->rotate(at::ones({1, 1, 1, 16}), at::tensor({30000.0}, at::kDouble), {plain->inverse_frequencies(), 1}, Side::key);
    CHECK(near.isfinite().all().item<bool>());
}

TEST_CASE("xPos decays per token of distance as its factors say", "[encoding]") {
    const auto xpos = made<Rotation>("rotation", "xpos", {{"layout", std::string("half_split")}});
    const std::vector<double> published = {0.78295, 0.82566, 0.86083, 0.89092, 0.91732, 0.94092, 0.96231, 0.98190};  // at distance 100
    const auto decay = xpos->decay();
    REQUIRE(decay.size() == published.size());
    for (std::size_t n = 0; n < decay.size(); ++n) CHECK(std::pow(decay[n], 100) == Approx(published[n]).epsilon(1e-5));
}

TEST_CASE("PoPE serves heads that share keys, and a phase out of bounds can come back", "[encoding]") {
    const auto pope = made<Rotation>("rotation", "pope", {}, path_shape(2));
    CHECK(pope->named_parameters()["phase"].sizes() == at::IntArrayRef({2, kWidth}));
    const Frequencies frequencies{pope->inverse_frequencies(), 1};
    CHECK(frequencies.inverse.size() == kWidth);
    const auto k = random({3, 2, 5, kWidth}, 1);
    set(*pope, "phase", at::full({2, kWidth}, 0.5, at::kDouble));
    const auto turned = pope->rotate(k, positions_from(2, 5), frequencies, Side::key);
    CHECK(turned.sizes() == at::IntArrayRef({3, 2, 5, 2 * kWidth}));
    CHECK(pope->named_parameters()["phase"].max().item<double>() == 0);
    turned.sum().backward();
    CHECK(pope->named_parameters()["phase"].grad().abs().min().item<double>() > 0);
    // Positions per sequence and per head.
    const auto each = at::stack({positions_from(0, 5), positions_from(7, 5), positions_from(3, 5)}).unsqueeze(1);
    CHECK(largest_difference(pope->rotate(k, each, frequencies, Side::key).narrow(0, 1, 1), pope->rotate(k.narrow(0, 1, 1), positions_from(7, 5), frequencies, Side::key)) < 1e-14);
}

TEST_CASE("p-RoPE and partial rotation of the same share are different tables", "[encoding][field]") {
    SlotShape shape;
    shape.head_width = 16;
    const auto proportional = made<Rotation>("rotation", "p-rope", {{"p", 0.25}}, shape)->inverse_frequencies();
    const auto partial = made<Rotation>("rotation", "rope", {{"fraction", 0.25}}, shape)->inverse_frequencies();
    CHECK(proportional.size() == 8);
    CHECK(partial.size() == 2);
    CHECK(proportional[1] == Approx(std::pow(10000.0, -2.0 / 16)));
    CHECK(partial[1] == Approx(0.01));
}

TEST_CASE("every rotation of pairs refuses an odd head width by its name", "[encoding]") {
    SlotShape shape;
    shape.head_width = 7;
    for (const auto& [id, name] : std::map<std::string, std::string>{{"rope", "RoPE"}, {"p-rope", "p-RoPE"}, {"hope", "HoPE"}, {"xpos", "xPos"}}) {
        CHECK_THROWS_WITH(made<Rotation>("rotation", id, {}, shape), Catch::Contains(name) && Catch::Contains("7 (odd)"));
    }
    CHECK_NOTHROW(made<Rotation>("rotation", "pope", {}, shape));
}

}  // namespace lw
