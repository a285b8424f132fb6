/// DAPE and DAPE v2 against independent numbers: values, weights, gradients, parameter counts.
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

TileGeometry geometry_from(const json& test) {
    TileGeometry geometry;
    geometry.query_positions = tensor(test["inputs"]["positions_q"]);
    geometry.key_positions = tensor(test["inputs"]["positions_k"]);
    geometry.length = geometry.query_positions.max().item<std::int64_t>() + 1;
    geometry.train_length = geometry.length;
    geometry.sequence_ends = true;  // the numbers are of one pass over these keys and no others
    return geometry;
}

std::shared_ptr<Bias> fire_base(const json& fire, const SlotShape& shape) {
    const Params params{{"hidden", fire["width"].get<std::int64_t>()},
                        {"threshold", fire["L0"].get<std::int64_t>()},
                        {"activation", fire["activation"].get<std::string>()}};
    const auto bias = made<Bias>("bias", "fire", params, shape);
    set(*bias, "first.weight", tensor(fire["W1"]));
    set(*bias, "first.bias", tensor(fire["b1"]));
    set(*bias, "second.weight", tensor(fire["W2"]));
    set(*bias, "second.bias", tensor(fire["b2"]));
    set(*bias, "c", at::full({}, fire["c"].get<double>(), at::kDouble));
    set(*bias, "multiplier", at::full({}, fire["multiplier"].get<double>(), at::kDouble));
    return bias;
}

/// The case's base bias as our own module; null without one.
std::shared_ptr<Bias> base_of(const json& test, const SlotShape& shape) {
    const std::string base = test["params"]["base"];
    if (base == "none") return nullptr;
    const auto& values = test["inputs"]["base_parameters"];
    if (base == "fire") return fire_base(values["fire"], shape);
    const auto bias = made<Bias>("bias", base, {}, shape);
    if (base != "alibi") {
        set(*bias, "p", tensor(values["p"]));
        set(*bias, "a", tensor(values["a"]));
    }
    return bias;
}

std::shared_ptr<Adaptive> adaptive_of(const json& test, const SlotShape& shape) {
    const auto& p = test["params"];
    const auto& in = test["inputs"];
    const std::string method = p["method"], given = p["variant"];
    const std::string variant = given == "no_position" || given == "on_rope" ? "concat_residual" : given;
    Params params{{"variant", variant}, {"hidden", p["D"].get<std::int64_t>()}, {"slope", p["slope"].get<double>()}};
    if (method == "dape-v2") params["kernel"] = p["kernel"].get<std::int64_t>();
    const auto module = made<Adaptive>("adaptive", method, params, shape);
    set(*module, "first.weight", tensor(in[method == "dape" ? "W1" : "C1"]));
    set(*module, "first.bias", tensor(in["b1"]));
    set(*module, "second.weight", tensor(in[method == "dape" ? "W2" : "C2"]));
    set(*module, "second.bias", tensor(in["b2"]));
    return module;
}

/// Everything of one case, with the bias from our own module.
struct Scores {
    std::shared_ptr<Bias> base;
    std::shared_ptr<Adaptive> adaptive;
    TileGeometry geometry;
    at::Tensor content, bias, f, logits, weights;
};

Scores scores_of(const json& test, bool gradients = false) {
    SlotShape shape;
    shape.heads = test["params"]["H"];
    shape.has_bias = test["params"]["base"] != "none";
    Scores s;
    s.base = base_of(test, shape);
    s.adaptive = adaptive_of(test, shape);
    s.geometry = geometry_from(test);
    s.content = tensor(test["inputs"]["S"]).requires_grad_(gradients);       // [H, Tq, Tk]
    if (s.base) s.bias = s.base->tile(s.geometry);                           // [H, Tq, Tk]
    s.f = s.adaptive->tile(s.content.unsqueeze(0), s.bias, s.geometry)[0];   // [H, Tq, Tk]
    s.logits = s.content + s.f;
    if (s.base && s.adaptive->adds_bias()) s.logits = s.content + s.bias + s.f;
    s.weights = at::softmax(masked(s.logits, s.geometry, -std::numeric_limits<double>::infinity()), -1);
    return s;
}

void rope_content_case(const json& test) {
    const auto& in = test["inputs"];
    const auto q = tensor(in["q"]), k = tensor(in["k"]);
    SlotShape shape;
    shape.head_width = q.size(-1);
    const auto rope = made<Rotation>("rotation", "rope", {}, shape);
    const Frequencies frequencies{rope->inverse_frequencies(), 1};
    const auto turned = [&](const at::Tensor& x, const char* positions) {
        return rope->rotate(x.unsqueeze(0), tensor(in[positions]), frequencies, Side::query)[0];
    };
    const auto content = at::matmul(turned(q, "positions_q"), turned(k, "positions_k").transpose(-2, -1));
    check_close(test, content / std::sqrt(static_cast<double>(q.size(-1))), in["S"]);
}

void gradient_case(const json& test) {
    auto s = scores_of(test, true);
    const auto visible = masked(s.weights * tensor(test["inputs"]["loss_weights"]), s.geometry);
    const auto loss = visible.sum();
    loss.backward();
    check_close(test, loss.item<double>(), test["expect"]["loss"]);
    check_close(test, s.logits, test["expect"]["logits"]);
    const std::map<std::string, std::string> names = {{"W1", "first.weight"},       {"b1", "first.bias"},      {"W2", "second.weight"},
                                                      {"b2", "second.bias"},        {"C1", "first.weight"},    {"C2", "second.weight"},
                                                      {"fire_W1", "first.weight"},  {"fire_b1", "first.bias"}, {"fire_W2", "second.weight"},
                                                      {"fire_b2", "second.bias"}};
    const auto of_base = [](const std::string& id) { return id == "p" || id == "a" || id == "c" || id == "multiplier" || id.rfind("fire_", 0) == 0; };
    for (const auto& [id, expected] : test["expect"]["gradients"].items()) {
        INFO("gradient of " << id);
        if (id == "S") {
            check_close(test, s.content.grad(), expected);
            continue;
        }
        torch::nn::Module& owner = of_base(id) ? static_cast<torch::nn::Module&>(*s.base) : *s.adaptive;
        const auto name = names.count(id) != 0 ? names.at(id) : id;
        const auto grad = owner.named_parameters()[name].grad();
        if (expected.is_number()) check_close(test, grad.item<double>(), expected.get<double>());
        else check_close(test, grad.reshape(tensor(expected).sizes()), expected);  // convolutions keep an axis of 1
    }
}

/// Parameter numbers and the bounds of the initial values, from (H, D, k) triples.
void count_case(const json& test) {
    const auto& triples = test["inputs"]["H_D_k"];
    const auto& expect = test["expect"];
    for (std::size_t n = 0; n < triples.size(); ++n) {
        SlotShape shape;
        shape.heads = triples[n][0];
        Params params{{"hidden", triples[n][1].get<std::int64_t>()}};
        const std::int64_t kernel = triples[n][2];
        if (kernel > 1) params["kernel"] = kernel;
        for (const bool has_bias : {true, false}) {
            shape.has_bias = has_bias;
            const auto module = made<Adaptive>("adaptive", kernel > 1 ? "dape-v2" : "dape", params, shape);
            std::int64_t count = 0;
            for (const auto& parameter : module->parameters()) count += parameter.numel();
            CHECK(count == expect[has_bias ? "with_bias" : "base_none"][n].get<std::int64_t>());
            if (!has_bias) continue;
            for (const std::string layer : {"first", "second"}) {
                const double bound = expect["init_bound_" + layer][n];
                const double largest = module->named_parameters()[layer + ".weight"].abs().max().item<double>();
                CHECK(largest <= bound * (1 + 1e-6));
                CHECK(largest > bound * 0.5);
            }
        }
    }
}

json no_leak_source;  // v2-notes-k3, which v2-no-leak refers to

void no_leak_case(const json& test) {
    REQUIRE(no_leak_source.is_object());
    auto changed = no_leak_source;
    const auto geometry = geometry_from(changed);
    auto& data = changed["inputs"]["S"]["data"];
    const auto rows = geometry.query_positions.numel(), columns = geometry.key_positions.numel();
    for (std::size_t n = 0; n < data.size(); ++n) {
        const auto i = static_cast<std::int64_t>(n) / columns % rows, j = static_cast<std::int64_t>(n) % columns;
        if (j > i) data[n] = data[n].get<double>() + test["params"]["added_above_diagonal"].get<double>();
    }
    const auto before = masked(scores_of(no_leak_source).f, geometry), after = masked(scores_of(changed).f, geometry);
    CHECK(largest_difference(before, after) == test["expect"]["max_change"].get<double>());
}

bool dape_case(const json& test) {
    const std::string id = test["id"];
    if (id == "parameter-counts") return count_case(test), true;
    if (id == "v2-no-leak") return no_leak_case(test), true;
    if (id == "v2-notes-k3") no_leak_source = test;
    if (test["expect"].contains("gradients")) return gradient_case(test), true;
    if (id == "v1-on-rope") rope_content_case(test);
    const auto s = scores_of(test);
    if (s.base) check_close(test, s.bias, test["inputs"]["B"]);
    check_close(test, s.f, test["expect"]["f"]);
    check_close(test, s.logits, test["expect"]["logits"]);
    check_close(test, s.weights, test["expect"]["softmax"]);
    if (id == "v1-static") CHECK(at::equal(s.logits, s.content + s.bias));
    return true;
}

}  // namespace

TEST_CASE("DAPE and DAPE v2 give the independent numbers", "[encoding][golden]") {
    golden::run_group("dape", {{"dape", dape_case}, {"dape-v2", dape_case}}, 28);
}

}  // namespace lw
