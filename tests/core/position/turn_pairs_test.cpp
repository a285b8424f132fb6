/// Turning pairs in one pass or four against the plain products: values, gradients, and gradients of gradients.
#include "core/position/generator_scope.h"
#include "core/position/turn_pairs.h"
#include "tests/support/catch_torch.h"

namespace lw {

namespace {

using Turning = at::Tensor (*)(const at::Tensor&, const at::Tensor&, const at::Tensor&, bool);

struct Case {
    at::Tensor x, cos, sin, weights;  ///< weights: what the sum of the result is taken with
};

/// x [2, 3, 5, 8] as attention gets it, heads moved in front of positions; cosines and sines of no common angle.
Case drawn(at::ScalarType type, at::IntArrayRef angles = {5, 4}) {
    const GeneratorScope generator(7);
    return {at::randn({2, 5, 3, 8}, type).transpose(1, 2), at::randn(angles, type), at::randn(angles, type), at::randn({2, 3, 5, 8}, type)};
}

/// Gradient of x, and of the sum of its squares (a gradient of a gradient).
std::pair<at::Tensor, at::Tensor> gradients(Turning turn, const Case& c, bool interleaved) {
    const auto x = c.x.detach().clone().requires_grad_(true);
    const auto loss = (turn(x, c.cos, c.sin, interleaved).pow(3) * c.weights).sum();
    const auto first = torch::autograd::grad({loss}, {x}, {}, true, true)[0];
    return {first.detach(), torch::autograd::grad({first.square().sum()}, {x})[0]};
}

bool close(const at::Tensor& a, const at::Tensor& b, double tolerance) { return a.sizes() == b.sizes() && at::allclose(a, b, tolerance, tolerance); }

}  // namespace

TEST_CASE("pairs turned in one pass are the plain products", "[encoding]") {
    for (const bool interleaved : {false, true}) {
        INFO("interleaved " << interleaved);
        for (const auto type : {at::kDouble, at::kFloat}) {
            const double tolerance = type == at::kDouble ? 1e-13 : 1e-5;
            const Case c = drawn(type);
            CHECK(close(turn_pairs(c.x, c.cos, c.sin, interleaved), turn_pairs_plain(c.x, c.cos, c.sin, interleaved), tolerance));
            const auto fast = gradients(turn_pairs, c, interleaved), plain = gradients(turn_pairs_plain, c, interleaved);
            CHECK(close(fast.first, plain.first, 10 * tolerance));
            CHECK(close(fast.second, plain.second, 100 * tolerance));
        }
    }
}

TEST_CASE("pairs are the plain products however they lie in memory", "[encoding]") {
    const GeneratorScope generator(8);
    const auto angles = [](at::IntArrayRef sizes) { return at::randn(sizes); };
    const auto check = [&](const at::Tensor& x, const at::Tensor& cos, const at::Tensor& sin) {
        for (const bool interleaved : {false, true}) {
            INFO("interleaved " << interleaved << " at " << x.sizes() << " by " << x.strides());
            CHECK(close(turn_pairs(x, cos, sin, interleaved), turn_pairs_plain(x, cos, sin, interleaved), 1e-5));
        }
    };
    check(at::randn({1, 1, 1, 2}), angles({1, 1}), angles({1, 1}));
    check(at::randn({3, 2, 40, 6}).slice(-1, 0, 4), angles({40, 2}), angles({40, 2}));                       // part of a head
    check(at::randn({2, 300, 3 * 64}).slice(-1, 64, 128).view({2, 300, 4, 16}).transpose(1, 2), angles({300, 8}), angles({300, 8}));  // q of [q k v]
    check(at::randn({2, 4, 8, 33}).transpose(2, 3), angles({33, 4}), angles({33, 4}));                       // elements of a row apart
    check(at::randn({2, 4, 33, 8}), angles({4, 33}).t(), angles({33, 4}));
    check(at::randn({2, 4, 33, 8}), angles({2, 1, 33, 4}), angles({2, 1, 33, 4}));                           // positions of a batch
    check(at::randn({2, 4, 33, 8}), angles({33, 1}), angles({33, 1}));                                       // one angle for all pairs
    check(at::randn({5, 33, 8}), angles({33, 4}), angles({33, 4}));
    check(at::randn({2, 4, 0, 8}), angles({0, 4}), angles({0, 4}));
}

TEST_CASE("a turn by no angle changes nothing, bit by bit, and leaves its argument alone", "[encoding]") {
    const Case c = drawn(at::kFloat);
    const auto before = c.x.clone();
    CHECK(at::equal(turn_pairs(c.x, at::ones_like(c.cos), at::zeros_like(c.sin), false), before));
    turn_pairs(c.x, c.cos, c.sin, true);
    CHECK(at::equal(c.x, before));
}

TEST_CASE("16-bit pairs turned by float32 cosines are the plain products, in float32", "[encoding]") {
    const Case c = drawn(at::kFloat);
    const auto x = c.x.to(at::kBFloat16);
    const auto turned = turn_pairs(x, c.cos, c.sin, false);
    CHECK(turned.scalar_type() == at::kFloat);
    CHECK(at::equal(turned, turn_pairs_plain(x, c.cos, c.sin, false)));
}

TEST_CASE("learned cosines get their gradient", "[encoding]") {
    const Case c = drawn(at::kDouble);
    const auto cos = c.cos.clone().requires_grad_(true);
    const auto gradient = torch::autograd::grad({(turn_pairs(c.x, cos, c.sin, false) * c.weights).sum()}, {cos})[0];
    const auto moved = [&](double by) { return (turn_pairs_plain(c.x, c.cos + by, c.sin, false) * c.weights).sum().item<double>(); };
    CHECK(gradient.sum().item<double>() == Approx((moved(1e-3) - moved(-1e-3)) / 2e-3).epsilon(1e-8));
}

TEST_CASE("positions of a batch turn what is the same for all of them", "[encoding]") {
    const Case c = drawn(at::kDouble, {2, 1, 5, 4});
    const auto one = c.x.slice(0, 0, 1);
    const auto both = turn_pairs(one, c.cos, c.sin, false);
    REQUIRE(both.sizes() == at::IntArrayRef({2, 3, 5, 8}));
    CHECK(close(both.slice(0, 1, 2), turn_pairs_plain(one, c.cos.slice(0, 1, 2), c.sin.slice(0, 1, 2), false), 1e-13));
}

}  // namespace lw
