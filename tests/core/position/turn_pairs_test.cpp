/// Turning pairs in four passes against the plain products: values, gradients, and gradients of gradients.
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

TEST_CASE("pairs turned in four passes are the plain products", "[encoding]") {
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
