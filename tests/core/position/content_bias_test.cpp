/// Biases that read the text: independent numbers, tiles against the whole, gradients against finite differences.
#include "tests/core/position/claims.h"
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

/// q and k of a case, [1, H, T, d], with their scaled scores.
ContentView view_of(const json& inputs) {
    ContentView view;
    view.q = tensor(inputs["q"]).unsqueeze(0);
    view.k = tensor(inputs["k"]).unsqueeze(0);
    view.content = at::matmul(view.q, view.k.transpose(-2, -1)) / std::sqrt(static_cast<double>(view.q.size(-1)));
    view.first_row = view.k.size(2) - view.q.size(2);
    return view;
}

/// Rows and columns only, for biases that look at the state alone.
ContentView empty_view(std::int64_t heads, std::int64_t length, const at::Tensor& state) {
    ContentView view;
    view.q = view.k = at::zeros({1, heads, length, 1}, at::kDouble);
    view.content = at::zeros({1, heads, length, length}, at::kDouble);
    view.state = state;
    return view;
}

SlotShape shape_of(const json& params) {
    SlotShape shape;
    shape.heads = params["H"];
    shape.head_width = params.value("D", std::int64_t{1});
    shape.width = params.value("E", shape.heads);
    return shape;
}

TileGeometry geometry_from(const json& inputs) {
    TileGeometry geometry;
    geometry.query_positions = tensor(inputs["positions_q"]);
    geometry.key_positions = tensor(inputs["positions_k"]);
    return geometry;
}

bool shaw_case(const json& test) {
    const auto& in = test["inputs"];
    const auto bias = made<Bias>("bias", "shaw", {{"clip", test["params"]["clip"].get<std::int64_t>()}, {"values", true}}, shape_of(test["params"]));
    set(*bias, "keys", tensor(in["table_k"]));
    set(*bias, "values", tensor(in["table_v"]));
    const auto geometry = geometry_from(in);
    const auto view = view_of(in);
    auto logits = view.content + bias->content_tile(view, geometry);
    check_close(test, logits[0], test["expect"]["logits"]);
    if (test["params"]["causal"].get<bool>()) logits = masked(logits, geometry, -std::numeric_limits<double>::infinity());
    const auto weights = at::softmax(logits, -1);
    const auto output = at::matmul(weights, tensor(in["v"]).unsqueeze(0)) + bias->value_term(weights, geometry);
    check_close(test, output[0], test["expect"]["output"]);
    return true;
}

bool transformer_xl_case(const json& test) {
    const auto& in = test["inputs"];
    const auto bias = made<Bias>("bias", "transformer-xl", {}, shape_of(test["params"]));
    for (const auto& [name, value] : {std::pair{"u", "u"}, {"v", "v"}, {"projection", "W_r"}}) set(*bias, name, tensor(in[value]));
    const auto view = view_of(in);
    check_close(test, (view.content + bias->content_tile(view, geometry_from(in)))[0], test["expect"]["logits"]);
    return true;
}

std::shared_ptr<Bias> cope_with(const at::Tensor& table) {
    SlotShape shape;
    shape.head_width = table.size(1);
    const auto bias = made<Bias>("bias", "cope", {{"places", table.size(0)}}, shape);
    set(*bias, "table", table);
    return bias;
}

/// A table on which z(m) = m shows the places themselves.
at::Tensor places(ContentView view, std::int64_t count, const TileGeometry& geometry) {
    view.q = at::ones({1, view.content.size(1), view.content.size(2), 1}, at::kDouble);
    return cope_with(at::arange(count, at::kDouble).unsqueeze(1))->content_tile(view, geometry);
}

bool cope_row(const json& test) {
    ContentView view;
    view.content = tensor(test["inputs"]["logits"]).view({1, 1, 1, -1});
    view.q = at::ones({1, 1, 1, 1}, at::kDouble);
    const auto count = view.content.size(3);
    const auto geometry = geometry_of(count - 1, 1, count);
    const auto bias = cope_with(tensor(test["inputs"]["z"]).unsqueeze(1));
    check_close(test, bias->content_tile(view, geometry).flatten(), test["expect"]["bias"]);
    check_close(test, places(view, test["params"]["npos"], geometry).flatten(), test["expect"]["position"]);
    return true;
}

bool cope_case(const json& test) {
    const auto& in = test["inputs"];
    if (in.contains("z")) return cope_row(test);
    const auto view = view_of(in);
    const auto geometry = geometry_of(0, view.q.size(2), view.k.size(2));
    const auto bias = cope_with(tensor(in["table"]))->content_tile(view, geometry);
    check_close(test, bias[0], test["expect"]["bias"]);
    check_close(test, (view.content + bias)[0], test["expect"]["logits"]);
    check_close(test, places(view, test["params"]["npos"], geometry)[0], test["expect"]["position"]);
    return true;
}

/// A gate bias whose linear layer is the identity, so that x [H, T] are the gate's logits.
std::shared_ptr<Bias> plain_gates(const std::string& id, std::int64_t heads) {
    SlotShape shape;
    shape.heads = shape.width = heads;
    const auto bias = made<Bias>("bias", id, {}, shape);
    set(*bias, "weight", at::eye(heads, at::kDouble));
    return bias;
}

void gate_sum_case(const json& test, const std::string& id, const at::Tensor& z) {
    const auto heads = z.size(0), length = z.size(1);
    const auto bias = plain_gates(id, heads);
    const auto state = bias->token_state(z.t().unsqueeze(0));                                    // [1, H, T, 1]
    if (test["expect"].contains("log_f")) check_close(test, state[0].squeeze(-1), test["expect"]["log_f"]);
    check_close(test, bias->content_tile(empty_view(heads, length, state), geometry_of(0, length, length))[0], test["expect"]["bias"]);
}

bool fixed_gates_case(const json& test) {
    const auto times = tensor(test["inputs"]["T_h"]);
    const auto heads = times.numel();
    const auto gate_bias = -at::log(at::expm1(1 / times));
    check_close(test, gate_bias, test["expect"]["gate_bias"]);
    const auto bias = plain_gates("fox", heads);
    set(*bias, "weight", at::zeros({heads, heads}));
    bias->named_parameters()["bias"].data().copy_(gate_bias);
    const auto state = bias->token_state(at::randn({1, 9, heads}, at::kDouble));
    check_close(test, state[0].select(1, 4).squeeze(-1), test["expect"]["log_f"]);
    const auto tile = bias->content_tile(empty_view(heads, 9, state), geometry_of(0, 9, 9))[0];
    const auto slope = tensor(test["expect"]["slope"]).view({-1, 1, 1});
    const auto distance = (positions_from(0, 9).unsqueeze(1) - positions_from(0, 9).unsqueeze(0)).clamp_min(0);
    CHECK(largest_difference(tile, -slope * distance) < 1e-12);
    return true;
}

bool fox_case(const json& test) {
    if (test["inputs"].contains("T_h")) return fixed_gates_case(test);
    gate_sum_case(test, "fox", tensor(test["inputs"]["gate_logits"]));
    return true;
}

bool cable_case(const json& test) {
    const auto z = tensor(test["inputs"]["projection"]);
    gate_sum_case(test, "cable", z);
    gate_sum_case(test, "fox", -z);
    return true;
}

/// A probe of every bias that reads the text.
std::vector<std::unique_ptr<Probe>> content_biases() {
    std::vector<std::unique_ptr<Probe>> probes;
    for (const Entry* entry : entries()) {
        if (entry->info.slot != "bias") continue;
        auto probe = std::make_unique<Probe>(*entry, roomy(*entry));
        if (probe->bias()->reads_content()) probes.push_back(std::move(probe));
    }
    return probes;
}

/// d loss / d leaf at some elements against central differences.
void check_gradients(const std::function<at::Tensor()>& loss, const std::vector<at::Tensor>& leaves) {
    const auto gradients = torch::autograd::grad({loss()}, leaves);
    const at::NoGradGuard no_grad;
    for (std::size_t n = 0; n < leaves.size(); ++n) {
        const auto values = leaves[n].data().view(-1);
        for (std::int64_t e = 0; e < values.numel(); e += std::max<std::int64_t>(1, values.numel() / 11)) {
            const double middle = values[e].item<double>(), h = 1e-6;
            values[e] = middle + h;
            const double above = loss().item<double>();
            values[e] = middle - h;
            const double below = loss().item<double>();
            values[e] = middle;
            CHECK(gradients[n].reshape(-1)[e].item<double>() == Approx((above - below) / (2 * h)).epsilon(1e-5).margin(1e-7));
        }
    }
}

}  // namespace

namespace claim_checks {

void content_dependent(Probe& probe) {
    const at::NoGradGuard no_grad;
    const auto geometry = geometry_of(0, 12, 12);
    const auto scores = [&](double phase) {
        if (probe.bias()) return probe.bias()->content_tile(probe.view(geometry, at::kDouble, phase), geometry);
        const auto& shape = probe.shape();
        const auto q = probe_vectors(geometry.query_positions, shape.heads, shape.head_width);
        const auto x = probe_vectors(geometry.key_positions, 1, shape.width, 5 + phase).squeeze(1);
        return probe.rotation()->scores(q, q, probe.rotation()->token_state(x), 0, 0.5);
    };
    CHECK((probe.bias() ? probe.bias()->reads_content() : probe.rotation()->reads_state()));
    CHECK(largest_difference(masked(scores(0), geometry), masked(scores(1), geometry)) > 1e-3);
}

}  // namespace claim_checks

TEST_CASE("biases that read the text give the independent numbers", "[encoding][golden]") {
    golden::run_group("biases",
                      {{"shaw", shaw_case}, {"transformer-xl", transformer_xl_case}, {"cope", cope_case}, {"fox", fox_case}, {"cable", cable_case}}, 10);
}

TEST_CASE("an inner tile of a text-reading bias equals the cells of the whole", "[encoding]") {
    const at::NoGradGuard no_grad;
    const auto all = geometry_of(0, 24, 24);
    for (const auto& probe : content_biases()) {
        INFO(probe->entry().info.id);
        auto& bias = *probe->bias();
        const auto whole = masked(probe->run(all), all);
        CHECK_THROWS_AS(bias.tile(all), Failure);
        // Rows 11..15, keys from 4 to the rows' end, or a part of them where the method reads no further.
        const std::int64_t columns = bias.needs_row_end() ? 12 : 5;
        TileGeometry inner = all;
        inner.query_positions = positions_from(11, 5);
        inner.key_positions = positions_from(4, columns);
        CHECK(largest_difference(masked(probe->run(inner), inner), whole.slice(1, 11, 16).slice(2, 4, 4 + columns)) < 1e-12);
        const auto row = geometry_of(23, 1, 24);
        CHECK(largest_difference(probe->run(row), whole.slice(1, 23)) < 1e-12);
    }
    CHECK(content_biases().size() == 5);
}

TEST_CASE("gradients of text-reading biases reach queries, keys and tokens", "[encoding]") {
    const auto geometry = geometry_of(2, 6, 8);
    for (const auto& probe : content_biases()) {
        INFO(probe->entry().info.id);
        auto& bias = *probe->bias();
        auto view = probe->view(geometry, at::kDouble);
        const auto x = at::sin(at::arange(8 * 32, at::kDouble)).view({1, 8, 32}).requires_grad_(true);
        view.q.requires_grad_(true);
        view.k.requires_grad_(true);
        const auto loss = [&] {
            view.content = at::matmul(view.q, view.k.transpose(-2, -1)) / std::sqrt(8.0);
            view.state = bias.token_state(x);
            const auto tile = masked(bias.content_tile(view, geometry), geometry);
            // Queries, keys and tokens all take part, whichever of them the method reads.
            return (tile * at::cos(at::arange(tile.numel(), at::kDouble)).view(tile.sizes())).sum() + 0.1 * (view.q.sum() + view.k.sum() + x.sum());
        };
        check_gradients(loss, {view.q, view.k, x});
    }
}

TEST_CASE("gradients of Shaw's value side agree with central differences", "[encoding]") {
    const auto bias = made<Bias>("bias", "shaw", {{"clip", std::int64_t{3}}, {"values", true}});
    const auto geometry = geometry_of(2, 6, 8);
    auto weights = at::rand({2, 8, 6, 8}, at::kDouble).requires_grad_(true);
    auto values = bias->named_parameters()["values"];
    check_gradients([&] { return at::sin(bias->value_term(weights, geometry) * 3).sum(); }, {weights, values});
    CHECK_FALSE(made<Bias>("bias", "shaw")->value_term(weights, geometry).defined());
}

TEST_CASE("Transformer-XL gives the same values by sliding and by products, and for grouped keys", "[encoding]") {
    const at::NoGradGuard no_grad;
    Probe probe(find_entry("bias", "transformer-xl"), {});
    const auto geometry = geometry_of(7, 13, 20);
    const auto sliding = probe.run(geometry);
    // Two blocks of keys out of order have no unit steps.
    const auto order = at::cat({at::arange(11, 20, at::kLong), at::arange(0, 11, at::kLong)});
    auto swapped = geometry;
    swapped.key_positions = geometry.key_positions.index_select(0, order);
    CHECK(largest_difference(probe.run(swapped), sliding.index_select(2, order)) < 1e-12);
    auto far = geometry;
    far.query_positions = geometry.query_positions + 100000;
    far.key_positions = geometry.key_positions + 100000;
    const auto view = probe.view(geometry, at::kDouble);
    CHECK(largest_difference(probe.bias()->content_tile(view, far)[0], sliding) < 1e-9);

    auto grouped = view, repeated = view;
    grouped.k = view.k.slice(1, 0, 2);
    repeated.k = grouped.k.repeat_interleave(2, 1);
    CHECK(largest_difference(probe.bias()->content_tile(grouped, geometry), probe.bias()->content_tile(repeated, geometry)) < 1e-12);
}

TEST_CASE("CoPE starts as no position and stops counting at its last place", "[encoding]") {
    Probe fresh(find_entry("bias", "cope"), {});
    CHECK(fresh.run(geometry_of(0, 9, 9)).abs().max().item<double>() == 0);
    ContentView view;
    view.content = at::full({1, 1, 1, 300}, 20.0, at::kDouble);  // every gate is open: places are the plain distances + 1
    const auto counted = places(view, 64, geometry_of(299, 1, 300)).flatten();
    CHECK(counted[299].item<double>() == Approx(1).margin(1e-6));
    CHECK(counted[298].item<double>() == Approx(2).margin(1e-6));
    CHECK(counted.slice(0, 0, 230).eq(63).all().item<bool>());
}

TEST_CASE("forget gates tell far neighbours apart in single precision", "[encoding][field]") {
    const at::NoGradGuard no_grad;
    const auto bias = plain_gates("fox", 2);
    bias->to(at::kFloat);
    const std::int64_t length = 6000;
    const auto state = bias->token_state(at::randn({1, length, 2}));
    CHECK(state.scalar_type() == at::kFloat);
    auto view = empty_view(2, 2, state);
    view.first_row = view.first_column = length - 2;
    const auto last = bias->content_tile(view, geometry_of(0, 2, 2))[0].select(1, 1).select(1, 0);  // query T - 1, key T - 2
    CHECK(largest_difference(last, state[0].select(1, length - 1).squeeze(-1)) < 1e-6);
}

TEST_CASE("FoX beside PaTH is divided as the scores are", "[encoding]") {
    SlotShape shape;
    shape.heads = 2;
    shape.width = 3;
    shape.head_width = 16;
    const auto plain = made<Bias>("bias", "fox", {}, shape), divided = made<Bias>("bias", "fox", {{"scale", std::string("inverse_sqrt_d")}}, shape);
    const auto view = empty_view(2, 5, plain->token_state(at::randn({1, 5, 3}, at::kDouble)));
    const auto g = geometry_of(0, 5, 5);
    CHECK(largest_difference(divided->content_tile(view, g), plain->content_tile(view, g) / 4) < 1e-12);
}

TEST_CASE("FoX starts half open as published, or as its parameter says", "[encoding]") {
    CHECK(made<Bias>("bias", "fox")->named_parameters()["bias"].abs().max().item<double>() == 0);
    CHECK(made<Bias>("bias", "fox", {{"initial_bias", 5.0}})->named_parameters()["bias"].min().item<double>() == 5);
}

}  // namespace lw
