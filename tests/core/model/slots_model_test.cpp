/// Distance maps, temperatures, visibilities and normalisers in a model: the cache equals the full pass, rows past L included.
#include "tests/support/catch_torch.h"

#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

/// RoPE with each entry of the four slots, and pairs that belong together.
std::vector<SchemeSpec> schemes() {
    std::vector<SchemeSpec> all;
    const auto add = [&](const std::string& name, std::map<std::string, SlotChoice> slots) {
        all.push_back(check_scheme({name, std::move(slots)}).value());
    };
    for (const auto& method : methods()) {
        for (const auto* slot : {"distance", "temperature", "visibility", "normaliser"}) {
            if (method.slot == slot) add(method.slot + " " + method.id, {{"rotation", {"rope", {}}}, {slot, {method.id, {}}}});
        }
    }
    add("streaming", {{"rotation", {"rope", {}}}, {"distance", {"streaming", {}}}, {"visibility", {"sinks", {}}}});
    add("streaming on ALiBi", {{"bias", {"alibi", {}}}, {"distance", {"streaming", {}}}, {"visibility", {"sinks", {}}}});
    add("lm-infinite", {{"rotation", {"rope", {}}}, {"distance", {"lm-infinite", {}}}, {"visibility", {"lambda", {}}}});
    add("rerope and log-n", {{"rotation", {"rope", {}}}, {"distance", {"rerope", {}}}, {"temperature", {"log-n", {}}}});
    add("dca and dynamic NTK", {{"rotation", {"rope", {}}}, {"frequency", {"dynamic-ntk", {}}}, {"distance", {"dca", {}}}});
    add("log-n on ALiBi", {{"bias", {"alibi", {}}}, {"temperature", {"log-n", {}}}});
    add("stick-breaking alone", {{"normaliser", {"stick-breaking", {}}}});
    return all;
}

}  // namespace

TEST_CASE("with any entry of the row slots the cache gives the full pass's logits at every step", "[model][slots]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 40);
    for (const auto& scheme : schemes()) {
        Transformer model(small_model(), scheme, 16, 1);
        KeyValueCache cache(2);
        (void)model.forward(tokens.narrow(1, 0, 13), {.cache = &cache});
        for (std::int64_t t = 13; t < 40;) {
            const std::int64_t count = t < 28 ? 1 : 4;
            const auto step = model.forward(tokens.narrow(1, t, count), {.cache = &cache});
            const auto full = model.forward(tokens.narrow(1, 0, t + count)).narrow(1, t, count);
            CAPTURE(scheme.name, t);
            REQUIRE(step.sizes() == full.sizes());
            CHECK(largest_difference(step, full) < 1e-4);
            t += count;
        }
        CHECK(cache.length() == 40);
    }
}

TEST_CASE("with any entry of the row slots fast paths and dropped rows give the plain logits", "[model][slots]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 33);
    for (const auto& scheme : schemes()) {
        Transformer model(small_model(), scheme, 16, 1);
        const auto full = model.forward(tokens, {.plain_attention = true});
        CAPTURE(scheme.name);
        CHECK(full.isfinite().all().item<bool>());
        CHECK(largest_difference(model.forward(tokens), full) < 1e-4);
        CHECK(largest_difference(model.forward(tokens, {.last_rows = 5}), full.narrow(1, 28, 5)) < 1e-4);
        CHECK(largest_difference(model.forward(tokens.narrow(0, 1, 1)), full.narrow(0, 1, 1)) < 1e-4);
    }
}

TEST_CASE("explicit defaults change nothing, and a window as long as the text neither", "[model][slots]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(1, 33);
    const auto logits = [&](const std::string& slot, const SlotChoice& choice) {
        std::map<std::string, SlotChoice> slots{{"rotation", {"rope", {}}}};
        if (!slot.empty()) slots[slot] = choice;
        Transformer model(small_model(), check_scheme({"", slots}).value(), 16, 1);
        return model.forward(tokens);
    };
    const auto plain = logits("", {});
    CHECK(largest_difference(logits("visibility", {"causal", {}}), plain) < 1e-5);
    CHECK(largest_difference(logits("normaliser", {"softmax", {}}), plain) < 1e-5);
    CHECK(largest_difference(logits("visibility", {"window", {{"window", std::int64_t{33}}}}), plain) < 1e-5);
    CHECK(largest_difference(logits("distance", {"rerope", {{"window", std::int64_t{33}}}}), plain) < 1e-5);
    CHECK(largest_difference(logits("visibility", {"window", {}}), plain) > 1e-5);
    CHECK(largest_difference(logits("distance", {"rerope", {}}), plain) > 1e-5);
}

TEST_CASE("what a pass leaves for maps carries the row temperature, also where every sequence has its own positions", "[model][slots]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 30);
    const auto captured = [&](std::map<std::string, SlotChoice> slots) {
        slots["rotation"] = {"rope", {}};
        Transformer model(small_model(), check_scheme({"", std::move(slots)}).value(), 16, 1);
        std::vector<LayerCapture> capture;
        (void)model.forward(tokens, {.capture = &capture});
        return capture.at(0).inputs;
    };
    const auto plain = captured({}), heated = captured({{"temperature", {"constant", {{"value", 1.5}}}}});
    CHECK(largest_difference(heated.q, plain.q * 1.5) < 1e-5);
    const auto inside = captured({{"temperature", {"constant", {{"value", 1.5}}}}, {"distance", {"rerope", {}}}});
    CHECK_FALSE(inside.rotated);  // the tile turns and heats
    CHECK(largest_difference(inside.q, captured({{"distance", {"rerope", {}}}}).q) == 0);
}
