/// The transformer on a GPU: logits, gradients and decoding equal the CPU's.
#include "tests/support/catch_torch.h"

#include "tests/support/gpu.h"
#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

std::shared_ptr<Transformer> model_of(const SchemePreset& preset, std::int64_t train_length) {
    auto model = std::make_shared<Transformer>(small_model(), check_scheme(preset.scheme).value(), train_length, 1);
    model->to(at::kDouble);
    return model;
}

}  // namespace

TEST_CASE("loss and gradients on a GPU equal the CPU's for every preset", "[model][cuda]") {
    LW_NEEDS_GPU
    const auto tokens = random_tokens(2, 33);
    for (const auto& preset : scheme_presets()) {
        CAPTURE(preset.id);
        const auto cpu = model_of(preset, 32), gpu = model_of(preset, 32);
        gpu->to(at::Device(at::kCUDA));
        const auto run = [&](Transformer& model, const at::Tensor& t) {
            const SeedScope scope(5);  // random positions are drawn on the CPU: the same for both
            const auto loss = model.loss(t.slice(1, 0, 32).contiguous(), t.slice(1, 1).contiguous());
            loss.backward();
            return loss.item<double>();
        };
        CHECK(run(*gpu, tokens.to(at::kCUDA)) == Approx(run(*cpu, tokens)).epsilon(1e-10));
        const auto expected = cpu->named_parameters();
        for (const auto& item : gpu->named_parameters()) {
            CAPTURE(item.key());
            const auto& gradient = expected[item.key()].grad();
            REQUIRE(item.value().grad().defined() == gradient.defined());
            if (gradient.defined()) CHECK(largest_difference(item.value().grad().cpu(), gradient) < 1e-10);
        }
    }
}

TEST_CASE("decoding with a cache on a GPU equals the full pass on the CPU past the training length", "[model][cuda]") {
    LW_NEEDS_GPU
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 30);
    for (const auto& preset : scheme_presets()) {
        if (preset.id == "learned" || preset.id == "tupe") continue;  // tables
        CAPTURE(preset.id);
        const auto cpu = model_of(preset, 16), gpu = model_of(preset, 16);
        cpu->eval();
        gpu->to(at::Device(at::kCUDA));
        gpu->eval();
        const auto moved = tokens.to(at::kCUDA);
        KeyValueCache cache(2);
        (void)gpu->forward(moved.narrow(1, 0, 12), {.cache = &cache});
        for (std::int64_t t = 12; t < 30; t += 3) {
            const auto step = gpu->forward(moved.narrow(1, t, 3), {.cache = &cache}).cpu();
            CHECK(largest_difference(step, cpu->forward(tokens.narrow(1, 0, t + 3)).narrow(1, t, 3)) < 1e-10);
        }
    }
}
