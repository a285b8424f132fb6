/// The transformer: cache equals no cache for every scheme, dropped rows change nothing, prefixes do not see the future.
#include "tests/support/catch_torch.h"

#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

/// Schemes that run past their training length of 16.
std::vector<SchemePreset> extrapolating_presets() {
    std::vector<SchemePreset> presets;
    for (const auto& preset : scheme_presets()) {
        if (preset.id != "learned" && preset.id != "tupe") presets.push_back(preset);  // their tables end
    }
    return presets;
}

}  // namespace

TEST_CASE("the cache gives the full pass's logits at every step, past the training length too", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 40);
    for (const auto& preset : extrapolating_presets()) {
        Transformer model(small_model(), check_scheme(preset.scheme).value(), 16, 1);
        model.eval();
        KeyValueCache cache(2);
        (void)model.forward(tokens.narrow(1, 0, 7), {.cache = &cache});
        for (std::int64_t t = 7; t < 40; t += t < 20 ? 1 : 5) {
            const auto count = std::min<std::int64_t>(t < 20 ? 1 : 5, 40 - t);
            const auto step = model.forward(tokens.narrow(1, t, count), {.cache = &cache});
            const auto full = model.forward(tokens.narrow(1, 0, t + count)).narrow(1, t, count);
            CAPTURE(preset.id, t);
            REQUIRE(step.sizes() == full.sizes());
            CHECK(largest_difference(step, full) < 1e-4);
        }
        CHECK(cache.length() == 40);
    }
}

TEST_CASE("computing only the scored rows gives the same logits", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 33);
    for (const auto& preset : extrapolating_presets()) {
        Transformer model(small_model(), check_scheme(preset.scheme).value(), 16, 1);
        model.eval();
        const auto full = model.forward(tokens, {.plain_attention = true});
        CAPTURE(preset.id);
        CHECK(largest_difference(model.forward(tokens, {.last_rows = 5}), full.narrow(1, 28, 5)) < 1e-4);
        CHECK(largest_difference(model.forward(tokens), full) < 1e-4);
    }
}

TEST_CASE("appending text leaves the logits of the prefix unchanged, except for length-dependent frequencies", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(1, 40);
    for (const auto* id : {"alibi", "rope", "dape-kerple", "dape-v2-kerple", "dape-fire", "sinusoidal"}) {
        Transformer model(small_model(), scheme(id), 16, 1);
        CAPTURE(id);
        CHECK(largest_difference(model.forward(tokens).narrow(1, 0, 20), model.forward(tokens.narrow(1, 0, 20))) < 1e-5);
    }
    Transformer dynamic(small_model(), scheme("rope-dynamic-ntk"), 16, 1);
    CHECK(largest_difference(dynamic.forward(tokens).narrow(1, 0, 20), dynamic.forward(tokens.narrow(1, 0, 20))) > 1e-6);
    // ... and a long input leaves no trace in a short one that follows.
    Transformer fresh(small_model(), scheme("rope-dynamic-ntk"), 16, 1);
    CHECK(at::equal(dynamic.forward(tokens.narrow(1, 0, 8)), fresh.forward(tokens.narrow(1, 0, 8))));
}

TEST_CASE("a sequence's logits do not depend on its batch mates", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(3, 24);
    for (const auto& preset : extrapolating_presets()) {
        Transformer model(small_model(), check_scheme(preset.scheme).value(), 16, 1);
        model.eval();
        CAPTURE(preset.id);
        CHECK(largest_difference(model.forward(tokens).narrow(0, 1, 1), model.forward(tokens.narrow(0, 1, 1))) < 1e-5);
    }
}

TEST_CASE("families of published checkpoints are settings of one model", "[model]") {
    struct Family {
        const char* name;
        void (*adapt)(ModelSpec&);
    };
    const std::vector<Family> families{{"gpt2", [](ModelSpec& s) { s.activation = "gelu-tanh"; s.tied_embedding = true; }},
                                       {"gpt-neox", [](ModelSpec& s) { s.parallel_residual = true; }},
                                       {"llama", [](ModelSpec& s) { s.norm = "rmsnorm"; s.activation = "swiglu"; s.attention_bias = s.output_bias = false; }},
                                       {"qwen2", [](ModelSpec& s) { s.norm = "rmsnorm"; s.activation = "swiglu"; s.output_bias = false; }},
                                       {"bloom", [](ModelSpec& s) { s.embedding_norm = true; s.tied_embedding = true; s.activation = "gelu-tanh"; }},
                                       {"mpt", [](ModelSpec& s) { s.attention_bias = s.output_bias = s.norm_bias = false; }}};
    const auto tokens = random_tokens(2, 12);
    for (const auto& family : families) {
        auto spec = small_model();
        family.adapt(spec);
        Transformer model(spec, scheme("rope"), 16, 1);
        CAPTURE(family.name);
        const auto loss = model.loss(tokens, tokens.roll(-1, 1));
        // A norm right after a tied embedding makes the first logits larger than the others' (BLOOM), hence the wide margin.
        CHECK(loss.item<double>() == Approx(std::log(50.0)).margin(0.8));
        loss.backward();
        for (const auto& item : model.named_parameters()) CHECK((item.value().grad().defined() && item.value().grad().isfinite().all().item<bool>()));
        CHECK(model.named_parameters().contains("head") != spec.tied_embedding);
        CHECK(model.named_parameters().contains("blocks_0.qkv.bias") == spec.attention_bias);
    }
}

TEST_CASE("two schemes with one seed start from the same other weights, and building leaves the process's generator alone", "[model]") {
    at::manual_seed(4);
    const auto expected = at::rand({3});
    at::manual_seed(4);
    Transformer rope(small_model(), scheme("rope"), 16, 7), dape(small_model(), scheme("dape-kerple"), 16, 7), other(small_model(), scheme("rope"), 16, 8);
    CHECK(at::equal(at::rand({3}), expected));
    auto a = model_tensors(rope), b = model_tensors(dape), c = model_tensors(other);
    CHECK(at::equal(a.at("blocks_1.qkv.weight"), b.at("blocks_1.qkv.weight")));
    CHECK_FALSE(at::equal(a.at("blocks_1.qkv.weight"), c.at("blocks_1.qkv.weight")));
}

TEST_CASE("a checkpoint of another model is refused by name and shape, and nothing is half loaded", "[model]") {
    Transformer model(small_model(), scheme("rope"), 16, 1), other(small_model(), scheme("rope"), 16, 2);
    auto tensors = model_tensors(model);
    load_model_tensors(other, tensors);
    CHECK(at::equal(model_tensors(other).at("embedding"), tensors.at("embedding")));
    auto missing = tensors;
    missing.erase("head");
    CHECK_THROWS_WITH(load_model_tensors(other, missing), Catch::Contains("head"));
    auto misshapen = tensors;
    misshapen["head"] = at::zeros({2, 2});
    CHECK_THROWS_WITH(load_model_tensors(other, misshapen), Catch::Contains("[2, 2]") && Catch::Contains("[50, 32]"));
    auto extra = tensors;
    extra["unknown"] = at::zeros({1});
    CHECK_THROWS_WITH(load_model_tensors(other, extra), Catch::Contains("unknown"));
    CHECK(at::equal(model_tensors(other).at("embedding"), tensors.at("embedding")));
}
