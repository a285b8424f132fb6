/// Models whose bias reads the text: the cache gives the full pass's logits, gradients arrive, mixed precision works.
#include "tests/support/catch_torch.h"

#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

/// Every text-reading bias, alone, with RoPE, and with RoPE under a distance map or a length-dependent frequency scaling.
std::vector<SchemeSpec> text_schemes() {
    const std::vector<std::pair<const char*, Params>> biases{{"shaw", {{"clip", std::int64_t{5}}, {"values", true}}},
                                                             {"transformer-xl", {}},
                                                             {"cope", {{"initial", 0.5}, {"places", std::int64_t{9}}}},
                                                             {"fox", {{"initial_bias", 1.0}}},
                                                             {"cable", {}}};
    std::vector<SchemeSpec> specs;
    for (const auto& [id, params] : biases) {
        SchemeSpec spec{id, {{"bias", {id, params}}}};
        specs.push_back(check_scheme(spec).value());
        spec.name = std::string(id) + " on RoPE";
        spec.slots["rotation"] = {"rope", {}};
        specs.push_back(check_scheme(spec).value());
        spec.name += " with dynamic NTK";
        spec.slots["frequency"] = {"dynamic-ntk", {}};
        specs.push_back(check_scheme(spec).value());
    }
    return specs;
}

/// Weights large enough that every part of the bias shows in the logits.
void enlarge(Transformer& model) {
    const at::NoGradGuard no_gradient;
    for (auto& item : model.named_parameters()) {
        if (item.key().find(".bias.") != std::string::npos && item.value().dim() == 2) item.value().mul_(5);
    }
}

}  // namespace

TEST_CASE("the cache gives the full pass's logits at every step with every text-reading bias", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 40);
    for (const auto& spec : text_schemes()) {
        Transformer model(small_model(), spec, 16, 1);
        enlarge(model);
        KeyValueCache cache(2);
        (void)model.forward(tokens.narrow(1, 0, 7), {.cache = &cache});
        for (std::int64_t t = 7; t < 40; t += t < 20 ? 1 : 5) {
            const auto count = std::min<std::int64_t>(t < 20 ? 1 : 5, 40 - t);
            const auto step = model.forward(tokens.narrow(1, t, count), {.cache = &cache});
            const auto full = model.forward(tokens.narrow(1, 0, t + count)).narrow(1, t, count);
            CAPTURE(spec.name, t);
            CHECK(largest_difference(step, full) < 1e-4);
        }
        CAPTURE(spec.name);
        CHECK(largest_difference(model.forward(tokens, {.last_rows = 5}), model.forward(tokens, {.plain_attention = true}).narrow(1, 35, 5)) < 1e-4);
        CHECK(largest_difference(model.forward(tokens).narrow(0, 1, 1), model.forward(tokens.narrow(0, 1, 1))) < 1e-5);
    }
}

TEST_CASE("appending text leaves the prefix as it is with every text-reading bias", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(1, 40);
    for (const auto& spec : text_schemes()) {
        if (spec.slots.count("frequency") != 0) continue;
        Transformer model(small_model(), spec, 16, 1);
        enlarge(model);
        CAPTURE(spec.name);
        CHECK(largest_difference(model.forward(tokens).narrow(1, 0, 20), model.forward(tokens.narrow(1, 0, 20))) < 1e-5);
    }
}

TEST_CASE("positions of each sequence's own serve text-reading biases one sequence at a time", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = random_tokens(2, 24);
    for (const auto* id : {"shaw", "transformer-xl", "cope", "fox", "cable"}) {
        SchemeSpec spec{id, {{"bias", {id, {}}}, {"positions", {"bipe", {{"separators", std::string("3, 7, 20, 31")}}}}}};
        Transformer model(small_model(), check_scheme(spec).value(), 16, 1);
        enlarge(model);
        CAPTURE(id);
        KeyValueCache cache(2);
        (void)model.forward(tokens.narrow(1, 0, 17), {.cache = &cache});
        const auto step = model.forward(tokens.narrow(1, 17, 7), {.cache = &cache});
        CHECK(largest_difference(step, model.forward(tokens).narrow(1, 17, 7)) < 1e-4);
    }
}

TEST_CASE("training reaches every parameter of a text-reading bias", "[model]") {
    const auto tokens = random_tokens(2, 24);
    for (const auto& spec : text_schemes()) {
        Transformer model(small_model(), spec, 16, 1);
        model.loss(tokens, tokens.roll(-1, 1)).backward();
        for (const auto& item : model.named_parameters()) {
            CAPTURE(spec.name, item.key());
            REQUIRE(item.value().grad().defined());
            CHECK(item.value().grad().isfinite().all().item<bool>());
            if (item.key().find("scheme") != std::string::npos) CHECK(item.value().grad().abs().max().item<double>() > 0);
        }
    }
}
