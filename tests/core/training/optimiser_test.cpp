#include "tests/support/catch_torch_adamw.h"

#include "core/training/adamw.h"
#include "core/training/schedule.h"

#include <cmath>

using namespace lw;

namespace {

/// Two scalars of a loss with known gradients.
struct Scalar : torch::nn::Module {
    Scalar() { value = register_parameter("value", at::full({1}, 1.0, at::kDouble)); }
    at::Tensor value;
};

TrainingSpec plain() {
    TrainingSpec spec;
    spec.weight_decay = 0.1;
    spec.beta1 = 0.9;
    spec.beta2 = 0.95;
    spec.epsilon = 1e-8;
    spec.clip = 0;
    return spec;
}

}  // namespace

TEST_CASE("adamw follows its formula over three updates", "[training]") {
    Scalar model;
    const TrainingSpec spec = plain();
    AdamW optimiser({{"value", model.value, true}}, spec);
    double value = 1, first = 0, second = 0;
    const double rate = 0.01;
    for (int t = 1; t <= 3; ++t) {
        const double gradient = 0.5 * t;
        model.value.mutable_grad() = at::full({1}, gradient, at::kDouble);
        optimiser.step(rate);
        value -= rate * spec.weight_decay * value;
        first = spec.beta1 * first + (1 - spec.beta1) * gradient;
        second = spec.beta2 * second + (1 - spec.beta2) * gradient * gradient;
        value -= rate * (first / (1 - std::pow(spec.beta1, t))) / (std::sqrt(second / (1 - std::pow(spec.beta2, t))) + spec.epsilon);
        CHECK(model.value.item<double>() == Approx(value).epsilon(1e-10));
    }
}

TEST_CASE("a parameter that does not decay is moved by its gradient alone", "[training]") {
    Scalar a, b;
    AdamW optimiser({{"a", a.value, true}, {"b", b.value, false}}, plain());
    a.value.mutable_grad() = at::zeros({1}, at::kDouble);
    b.value.mutable_grad() = at::zeros({1}, at::kDouble);
    optimiser.step(0.5);
    CHECK(a.value.item<double>() == Approx(0.95));
    CHECK(b.value.item<double>() == 1.0);
}

TEST_CASE("a parameter without a gradient stays", "[training]") {
    Scalar a, b;
    AdamW optimiser({{"a", a.value, true}, {"b", b.value, true}}, plain());
    a.value.mutable_grad() = at::ones({1}, at::kDouble);
    optimiser.step(0.5);
    CHECK(a.value.item<double>() != 1.0);
    CHECK(b.value.item<double>() == 1.0);
}

TEST_CASE("gradients are clipped by their global norm and small ones are left alone", "[training]") {
    Scalar a, b;
    TrainingSpec spec = plain();
    spec.clip = 1;
    AdamW optimiser({{"a", a.value, true}, {"b", b.value, true}}, spec);
    a.value.mutable_grad() = at::full({1}, 3.0, at::kDouble);
    b.value.mutable_grad() = at::full({1}, 4.0, at::kDouble);
    CHECK(optimiser.clip_gradients().item<double>() == Approx(5.0));
    CHECK(a.value.grad().item<double>() == Approx(0.6).epsilon(1e-5));
    CHECK(b.value.grad().item<double>() == Approx(0.8).epsilon(1e-5));
    a.value.mutable_grad() = at::full({1}, 0.3, at::kDouble);
    b.value.mutable_grad() = at::full({1}, 0.4, at::kDouble);
    (void)optimiser.clip_gradients();
    CHECK(a.value.grad().item<double>() == 0.3);
}

TEST_CASE("the optimiser's state goes out and comes back", "[training]") {
    Scalar a, b;
    AdamW one({{"value", a.value, true}}, plain());
    a.value.mutable_grad() = at::ones({1}, at::kDouble);
    one.step(0.1);
    AdamW two({{"value", b.value, true}}, plain());
    {
        const at::NoGradGuard no_gradient;
        b.value.copy_(a.value);
        two.load_state(one.state());
    }
    b.value.mutable_grad() = at::ones({1}, at::kDouble);
    one.step(0.1);
    two.step(0.1);
    CHECK(a.value.item<double>() == b.value.item<double>());
    CHECK_THROWS_WITH(two.load_state({}), Catch::Contains("first.value"));
}

TEST_CASE("the learning rate warms up linearly and ends at its final fraction", "[training]") {
    TrainingSpec spec;
    spec.steps = 100;
    spec.peak_rate = 1;
    spec.warmup_fraction = 0.1;
    spec.final_rate_fraction = 0.1;
    CHECK(warmup_steps(spec) == 10);
    CHECK(learning_rate(spec, 0) == Approx(0.1));
    CHECK(learning_rate(spec, 9) == Approx(1.0));
    CHECK(learning_rate(spec, 10) == Approx(1.0));
    CHECK(learning_rate(spec, 99) == Approx(0.1));
    // Half-way down a cosine lies the mean of both ends.
    spec.steps = 101;
    spec.warmup_fraction = 0;
    CHECK(learning_rate(spec, 50) == Approx(0.55));
    for (std::int64_t i = 1; i < spec.steps; ++i) CHECK(learning_rate(spec, i) < learning_rate(spec, i - 1));
}

TEST_CASE("one step of training has the peak rate and divides by nothing", "[training]") {
    TrainingSpec spec;
    spec.steps = 1;
    CHECK(learning_rate(spec, 0) == spec.peak_rate);
}
