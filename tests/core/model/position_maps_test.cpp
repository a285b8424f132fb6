/// Models with position maps: the cache equals the full pass, batch mates do not matter, positions of each sequence's own are right.
#include "tests/support/catch_torch.h"

#include "tests/support/small_model.h"

using namespace lw;
using namespace lw::test;

namespace {

constexpr std::int64_t kTrained = 16;

/// Random texts in which separators (10, 46) and, on the left of the later ones, pads (0) stand.
at::Tensor texts(std::int64_t batch, std::int64_t length) {
    const SeedScope scope(9);
    auto tokens = at::randint(1, 50, {batch, length}, at::kLong);
    for (std::int64_t b = 0; b < batch; ++b) {
        for (std::int64_t t = 3 + b; t < length; t += 4 + b) tokens[b][t] = t % 2 == 0 ? 10 : 46;
        tokens[b].slice(0, 0, 2 * b).fill_(0);
    }
    return tokens;
}

/// Every position map with its defaults.
std::vector<std::string> maps() {
    std::vector<std::string> ids;
    for (const auto& method : methods()) {
        if (method.slot == "positions") ids.push_back(method.id);
    }
    return ids;
}

SchemeSpec with_map(const std::string& preset, const std::string& map) {
    auto spec = find_scheme(preset).value();
    spec.slots["positions"] = {map, {}};
    return check_scheme(spec).value();
}

struct Case {
    std::string scheme, map;
};
std::vector<Case> cases(const std::vector<std::string>& schemes) {
    std::vector<Case> all;
    for (const auto& scheme : schemes) {
        for (const auto& map : maps()) all.push_back({scheme, map});
    }
    return all;
}

std::shared_ptr<Transformer> model_of(const SchemeSpec& scheme, bool training = false) {
    auto model = std::make_shared<Transformer>(small_model(), scheme, kTrained, 1);
    model->train(training);
    // Larger weights than at the start, so that a wrong position shows in the logits.
    const at::NoGradGuard no_gradient;
    for (auto& parameter : model->parameters()) {
        if (parameter.dim() == 2 && parameter.size(0) != 50) parameter.mul_(2);
    }
    return model;
}

}  // namespace

TEST_CASE("with every position map the cache gives the full pass's logits at every step, past the training length too", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = texts(2, 34);
    for (const auto& [scheme, map] : cases({"rope", "alibi", "sinusoidal"})) {
        const auto model = model_of(with_map(scheme, map));
        KeyValueCache cache(2);
        (void)model->forward(tokens.narrow(1, 0, 13), {.cache = &cache});
        for (std::int64_t t = 13; t < 34;) {
            const auto count = t < 22 ? 1 : std::min<std::int64_t>(4, 34 - t);
            const auto step = model->forward(tokens.narrow(1, t, count), {.cache = &cache});
            const auto full = model->forward(tokens.narrow(1, 0, t + count)).narrow(1, t, count);
            CAPTURE(scheme, map, t);
            REQUIRE(step.sizes() == full.sizes());
            CHECK(largest_difference(step, full) < 1e-4);
            t += count;
        }
    }
}

TEST_CASE("with every position map a text gives the same logits alone, in a batch and by the plain path", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = texts(3, 24);
    for (const auto& [scheme, map] : cases({"rope", "alibi", "sinusoidal", "t5", "fire", "dape-kerple", "dape-v2-kerple", "rope-dynamic-ntk"})) {
        const auto model = model_of(with_map(scheme, map));
        const auto together = model->forward(tokens);
        CAPTURE(scheme, map);
        for (std::int64_t b = 0; b < 3; ++b) CHECK(largest_difference(together.narrow(0, b, 1), model->forward(tokens.narrow(0, b, 1))) < 1e-4);
        CHECK(largest_difference(together, model->forward(tokens, {.plain_attention = true})) < 1e-4);
        CHECK(largest_difference(model->forward(tokens, {.last_rows = 5}), together.narrow(1, 19, 5)) < 1e-4);
    }
}

TEST_CASE("a position map changes what the model computes, and equal positions do not open the view on later tokens", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = texts(2, 30);
    for (const auto& scheme : {"rope", "alibi", "fire", "dape-v2-kerple"}) {
        const auto plain = model_of(lw::test::scheme(scheme))->forward(tokens);
        for (const auto& map : {"linear", "dynamic-linear", "randomized", "bipe", "shifted"}) {
            const auto model = model_of(with_map(scheme, map));
            const auto mapped = model->forward(tokens);
            CAPTURE(scheme, map);
            CHECK(largest_difference(mapped, plain) > 1e-4);
            if (model->scheme()->positions()->length_dependent()) continue;
            CHECK(largest_difference(mapped.narrow(1, 0, 20), model->forward(tokens.narrow(1, 0, 20))) < 1e-4);
        }
    }
}

TEST_CASE("SHAPE leaves models with relative encodings exactly as they are, and shifts absolute ones", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto tokens = texts(2, 20);
    for (const auto& id : {"rope", "alibi", "t5"}) CHECK(at::equal(model_of(with_map(id, "shape"))->forward(tokens), model_of(scheme(id))->forward(tokens)));
    CHECK(largest_difference(model_of(with_map("sinusoidal", "shape"))->forward(tokens), model_of(scheme("sinusoidal"))->forward(tokens)) > 1e-3);
}

TEST_CASE("a pass knows of its positions what its position map made of them", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto inputs_of = [](const SchemeSpec& spec) {
        std::vector<LayerCapture> capture;
        (void)model_of(spec)->forward(texts(2, 20), {.capture = &capture});
        return capture.at(0).inputs;
    };
    const auto plain = inputs_of(scheme("alibi")), shifted = inputs_of(with_map("alibi", "shape")), stretched = inputs_of(with_map("alibi", "linear"));
    CHECK(plain.steps == PositionSteps::by_one);
    CHECK(plain.first_position == 0);
    CHECK(shifted.steps == PositionSteps::by_one);
    CHECK(shifted.first_position == shifted.key_positions[0].item<double>());
    CHECK(stretched.steps == PositionSteps::other);
}

TEST_CASE("left padding gives real tokens the positions of the text alone", "[model]") {
    const at::NoGradGuard no_gradient;
    const auto model = model_of(with_map("rope", "shifted"));
    const auto tokens = texts(3, 12);
    std::vector<LayerCapture> padded, alone;
    (void)model->forward(tokens, {.capture = &padded});
    (void)model->forward(tokens.narrow(0, 2, 1).slice(1, 4), {.capture = &alone});
    const auto q = padded[0].inputs.q[2].slice(1, 4), k = padded[0].inputs.k[2].slice(1, 4);  // the first layer has not mixed tokens yet
    CHECK(largest_difference(q, alone[0].inputs.q[0]) < 1e-5);
    CHECK(largest_difference(k, alone[0].inputs.k[0]) < 1e-5);
}

TEST_CASE("gradients of a batch with positions of each sequence's own are the mean of the sequences' gradients", "[model]") {
    const auto tokens = texts(3, 14);
    const auto targets = tokens.roll(-1, 1);
    for (const auto& [scheme, map] : std::vector<Case>{{"rope", "bipe"}, {"t5", "bipe"}, {"fire", "shifted"}, {"dape-kerple", "bipe"}}) {
        const auto model = model_of(with_map(scheme, map), true);  // these maps draw nothing
        const auto gradients = [&](const at::Tensor& x, const at::Tensor& y) {
            model->zero_grad();
            model->loss(x, y).backward();
            std::vector<at::Tensor> all;
            for (const auto& parameter : model->parameters()) all.push_back(parameter.grad().flatten().clone());
            return at::cat(all);
        };
        const auto together = gradients(tokens, targets);
        auto sum = at::zeros_like(together);
        for (std::int64_t b = 0; b < 3; ++b) sum += gradients(tokens.narrow(0, b, 1), targets.narrow(0, b, 1));
        CAPTURE(scheme, map);
        CHECK(largest_difference(together, sum / 3) < 1e-5);
    }
}

TEST_CASE("training draws positions from the seed in force, per sequence, and every parameter gets a gradient", "[model]") {
    const auto tokens = texts(3, 14);
    for (const auto& [scheme, map] : cases({"rope", "t5", "sinusoidal"})) {
        const auto model = model_of(with_map(scheme, map), true);
        const auto logits = [&](std::uint64_t seed) {
            const SeedScope scope(seed);
            return model->forward(tokens);
        };
        CAPTURE(scheme, map);
        const auto once = logits(1);
        CHECK(at::equal(once.detach(), logits(1).detach()));
        once.square().mean().backward();
        for (const auto& item : model->named_parameters()) {
            INFO(item.key());
            CHECK((item.value().grad().defined() && item.value().grad().isfinite().all().item<bool>()));
        }
        const auto info = describe_method("positions", map).value();
        const bool random = std::any_of(info.claims.begin(), info.claims.end(), [](const ClaimInfo& claim) { return claim.id == "random-in-training"; });
        const bool shift_is_seen = map != "shape" || scheme == "sinusoidal";
        CHECK(at::equal(once.detach(), logits(2).detach()) != (random && shift_is_seen));
    }
}

TEST_CASE("a sequence's own draw acts as if the sequence ran alone with it", "[model]") {
    const at::NoGradGuard no_gradient;
    // The same text three times: equal draws would give equal logits, own draws must not, and one draw for the batch must.
    const auto tokens = texts(1, 14).expand({3, -1}).contiguous();
    const auto differs = [&](const SchemeSpec& scheme) {
        const SeedScope scope(4);
        const auto logits = model_of(scheme, true)->forward(tokens);
        return largest_difference(logits[0], logits[1]) > 1e-4;
    };
    for (const auto& id : {"rope", "alibi", "sinusoidal"}) {
        CAPTURE(id);
        CHECK(differs(with_map(id, "cape")));
        CHECK(differs(with_map(id, "pose")));
        CHECK_FALSE(differs(with_map(id, "randomized")));
        auto own = with_map(id, "randomized");
        own.slots.at("positions").params["per"] = std::string("sequence");
        CHECK(differs(own));
    }
}
