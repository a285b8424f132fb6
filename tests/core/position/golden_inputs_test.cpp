/// Input encodings and position maps against independent numbers.
#include "core/position/positions/drawn.h"
#include "tests/core/position/golden.h"

namespace lw {

using golden::check_close;
using golden::json;
using golden::tensor;

namespace {

SlotShape width_of(const json& p) {
    SlotShape shape;
    shape.width = p["E"];
    return shape;
}

bool sinusoidal_case(const json& test) {
    const auto& p = test["params"];
    Params params{{"base", p["base"].get<double>()}, {"layout", p["layout"].get<std::string>()}};
    if (p.contains("exponent_denominator")) params["exponent"] = std::string("tensor2tensor");
    if (p.contains("position_scale")) params["position_scale"] = p["position_scale"].get<double>();
    const auto module = made<InputEncoding>("input", "sinusoidal", params, width_of(p));
    check_close(test, module->table(tensor(test["inputs"]["positions"])), test["expect"]["pe"]);
    return true;
}

bool learned_case(const json& test) {
    const auto& p = test["params"];
    Params params{{"beyond", p["policy"].get<std::string>()}, {"rows", p["rows"].get<std::int64_t>()}};
    if (p.contains("factor")) params["factor"] = p["factor"].get<double>();
    const auto module = made<InputEncoding>("input", "learned", params, width_of(p));
    set(*module, "table", tensor(test["inputs"]["table"]));
    const auto positions = tensor(test["inputs"]["positions"]);
    if (test["expect"].contains("error")) {
        CHECK_THROWS_WITH(module->table(positions), Catch::Contains("Position 6") && Catch::Contains("6 rows"));
        return true;
    }
    check_close(test, module->table(positions), test["expect"]["pe"]);
    return true;
}

/// The interleaved sinusoid of what a position map made.
void check_sinusoid(const json& test, const at::Tensor& positions) {
    check_close(test, positions, test["expect"]["positions_used"]);
    const auto module = made<InputEncoding>("input", "sinusoidal", {{"base", test["params"]["base"].get<double>()}}, width_of(test["params"]));
    check_close(test, module->table(positions), test["expect"]["pe"]);
}

PositionContext context_of(std::int64_t length, std::int64_t train_length, bool training) {
    return {.length = length, .train_length = train_length, .training = training, .batch = 1};
}

/// Draws until the map happens to draw what the case asks for.
template <class Wanted>
MappedPositions drawn_until(PositionMap& map, const at::Tensor& indices, const PositionContext& context, const Wanted& wanted) {
    const GeneratorScope generator(1);
    for (int attempt = 0; attempt < 20000; ++attempt) {
        const auto mapped = map.map(indices, context);
        if (wanted(mapped)) return mapped;
    }
    FAIL("this draw never came");
    return {};
}

bool shape_case(const json& test) {
    const std::int64_t K = test["params"]["K"], offset = test["params"]["offset"];
    const auto map = made<PositionMap>("positions", "shape", {{"maximum", K}});
    const auto indices = tensor(test["inputs"]["positions"]);
    const auto context = context_of(indices.numel(), 512, offset < K);
    const auto mapped = drawn_until(*map, indices, context, [&](const MappedPositions& m) {
        return m.absolute.flatten()[0].item<double>() == static_cast<double>(offset);
    });
    check_sinusoid(test, mapped.absolute.flatten());
    CHECK(at::equal(mapped.relative, indices));
    return true;
}

bool cape_case(const json& test) {
    const auto& in = test["inputs"];
    const auto indices = tensor(in["positions"]);
    const auto single = [&](const char* name) { return at::full({1, 1}, in[name].get<double>(), at::kDouble); };
    check_sinusoid(test, augmented_positions(indices, single("global_shift"), tensor(in["local_shift"]).unsqueeze(0), single("scale")).squeeze(0));
    if (in["scale"].get<double>() == 1.0) {
        check_sinusoid(test, made<PositionMap>("positions", "cape")->map(indices, context_of(indices.numel(), 512, false)).absolute);
    }
    return true;
}

bool floater_case(const json& test) {
    const auto& p = test["params"];
    const auto& in = test["inputs"];
    const Params params{{"hidden", p["hidden"].get<std::int64_t>()},
                        {"time_per_token", p["time_per_token"].get<double>()},
                        {"steps_per_token", p["steps_per_token"].get<std::int64_t>()}};
    const auto module = made<InputEncoding>("input", "floater", params, width_of(p));
    set(*module, "start", tensor(in["p0"]));
    set(*module, "first.weight", tensor(in["W1"]));
    set(*module, "first.bias", tensor(in["b1"]));
    set(*module, "second.weight", tensor(in["W2"]));
    set(*module, "second.bias", tensor(in["b2"]));
    check_close(test, module->table(positions_from(0, in["n"])), test["expect"]["pe"]);
    return true;
}

bool complex_case(const json& test) {
    const auto& in = test["inputs"];
    const auto tokens = tensor(in["tokens"]).to(at::kLong);                                      // [T]
    const auto radius = tensor(in["r"]).index_select(0, tokens), phase = tensor(in["phi"]).index_select(0, tokens);
    SlotShape shape;
    shape.width = 2 * test["params"]["E"].get<std::int64_t>();
    shape.vocabulary = test["params"]["V"];
    const auto module = made<InputEncoding>("input", "complex", {}, shape);
    set(*module, "speed", tensor(in["omega"]));
    const auto embedded = at::cat({radius * at::cos(phase), radius * at::sin(phase)}, -1).unsqueeze(0);  // [1, T, 2E]
    const auto got = module->apply(embedded, tensor(in["positions"]), tokens.unsqueeze(0)).squeeze(0).chunk(2, -1);
    check_close(test, got[0], test["expect"]["real"]);
    check_close(test, got[1], test["expect"]["imag"]);
    return true;
}

bool linear_case(const json& test) {
    const auto map = made<PositionMap>("positions", "linear", {{"factor", test["params"]["factor"].get<double>()}});
    const auto mapped = map->map(tensor(test["inputs"]["positions"]), context_of(4096, 1024, false));
    check_close(test, mapped.absolute, test["expect"]["positions"]);
    check_close(test, mapped.relative, test["expect"]["positions"]);
    return true;
}

bool dynamic_linear_case(const json& test) {
    const auto& p = test["params"];
    const auto mapped = made<PositionMap>("positions", "dynamic-linear")->map(tensor(test["inputs"]["positions"]), context_of(p["length"], p["L"], false));
    check_close(test, mapped.absolute, test["expect"]["positions"]);
    check_close(test, mapped.relative, test["expect"]["positions"]);
    return true;
}

bool left_padding_case(const json& test) {
    auto rows = test["inputs"]["mask"];
    std::vector<at::Tensor> masks;
    for (const auto& row : rows) masks.push_back(tensor(row));
    auto context = context_of(masks[0].numel(), 512, false);
    context.tokens = (at::stack(masks) * 7).to(at::kLong);  // pads are token 0
    const auto mapped = made<PositionMap>("positions", "shifted")->map(positions_from(0, context.length), context);
    check_close(test, mapped.absolute, test["expect"]["positions"]);
    check_close(test, mapped.relative, test["expect"]["positions"]);
    return true;
}

bool pose_case(const json& test) {
    const std::int64_t window = test["params"]["window"], target = test["params"]["target"], first = test["inputs"]["first_length"];
    const double skip = test["inputs"]["skip"];
    const auto map = made<PositionMap>("positions", "pose", {{"factor", static_cast<double>(target) / static_cast<double>(window)}});
    const auto mapped = drawn_until(*map, positions_from(0, window), context_of(window, window, true), [&](const MappedPositions& m) {
        const auto moved = m.relative.flatten() - positions_from(0, window);  // [T]
        return moved[first - 1].item<double>() == 0 && moved[first].item<double>() == skip;
    });
    check_close(test, mapped.absolute.squeeze(0), test["expect"]["positions"]);
    check_close(test, mapped.relative.squeeze(0), test["expect"]["positions"]);
    return true;
}

bool bipe_case(const json& test) {
    std::string separators;
    for (const auto& token : test["params"]["separators"]) separators += (separators.empty() ? "" : ", ") + std::to_string(token.get<int>());
    const auto tokens = tensor(test["inputs"]["tokens"]).to(at::kLong);
    auto context = context_of(tokens.numel(), 512, false);
    context.tokens = tokens.unsqueeze(0);
    const auto mapped = made<PositionMap>("positions", "bipe", {{"separators", separators}})->map(positions_from(0, tokens.numel()), context);
    check_close(test, at::cat({mapped.absolute, mapped.relative}), test["expect"]["positions"]);
    return true;
}

}  // namespace

TEST_CASE("input encodings give the independent numbers", "[encoding][golden]") {
    golden::run_group("absolute",
                      {{"sinusoidal", sinusoidal_case},
                       {"learned", learned_case},
                       {"shape", shape_case},
                       {"cape", cape_case},
                       {"floater", floater_case},
                       {"complex", complex_case}},
                      22);
}

TEST_CASE("position maps give the independent numbers", "[encoding][golden]") {
    golden::run_group("rotary",
                      {{"linear", linear_case},
                       {"dynamic-linear", dynamic_linear_case},
                       {"left-padding", left_padding_case},
                       {"pose", pose_case},
                       {"bipe", bipe_case}},
                      6);
}

}  // namespace lw
