/// The formula with its numbers, and what a method costs.
#include "tests/support/catch_torch.h"

#include "core/position/catalogue.h"
#include "core/position/generator_scope.h"
#include "core/position/rotation/pair_rotation.h"

using namespace lw;

namespace {

std::string values(const std::string& slot, const std::string& id, const Params& params = {}, const ModelShape& shape = {}) {
    return method_numbers(slot, {id, params}, shape).value().values;
}

MethodCost cost(const std::string& slot, const std::string& id, const Params& params = {}, const ModelShape& shape = {}) {
    return method_numbers(slot, {id, params}, shape).value().cost;
}

ModelShape small_shape() {
    ModelShape shape;
    shape.heads = 4;
    shape.kv_heads = 2;
    shape.head_width = 8;
    shape.train_length = 64;
    return shape;
}

SlotShape slot_shape() {
    SlotShape shape;
    shape.heads = 4;
    shape.kv_heads = 2;
    shape.head_width = 8;
    shape.width = 32;
    shape.train_length = 64;
    shape.has_bias = true;
    return shape;
}

std::shared_ptr<SlotModule> made(const std::string& slot, const std::string& id, const Params& given) {
    const Entry& entry = find_entry(slot, id);
    const auto params = checked_params(entry.info, given);
    const GeneratorScope generator(1);
    return std::visit([&](const auto& make) -> std::shared_ptr<SlotModule> { return make(params, slot_shape()); }, entry.make);
}

std::int64_t learned_numbers(SlotModule& module) {
    std::int64_t count = 0;
    for (const auto& parameter : module.parameters()) count += parameter.requires_grad() ? parameter.numel() : 0;
    return count;
}

}  // namespace

TEST_CASE("a formula's symbols get the values of the parameters", "[encoding]") {
    CHECK(values("frequency", "yarn") == "s = 4, β_fast = 32, β_slow = 1; L = 128, cos and sin × 1.139");
    CHECK(values("frequency", "yarn", {{"factor", 16.0}, {"ramp", std::string("turns")}}) == "s = 16, β_fast = 32, β_slow = 1, ramp: turns; L = 128, cos and sin × 1.277");
    CHECK(values("bias", "alibi") == "M = 8, f = 1, w = 1, H = 8; mₕ = 0.5, 0.25, 0.125, …, 0.003906 for 8 heads");
    CHECK(values("bias", "t5") == "buckets = 32, largest distance = 128 tokens, distance scale = 1, d = 32");
    CHECK(values("bias", "kerple-log") == "floor = 0.01");
    CHECK(values("visibility", "lambda") == "n_global = 10, n_local = 128");
    CHECK(values("normaliser", "softmax").empty());
}

TEST_CASE("a zero that stands for something else is shown as what it stands for", "[encoding]") {
    ModelShape shape;
    shape.train_length = 256;
    shape.length = 4096;
    CHECK_THAT(values("bias", "alibi", {{"factor", 0.0}}, shape), Catch::Contains("f = 16"));
    CHECK(values("input", "learned", {}, shape) == "N = 256, E = 256");
    CHECK(values("distance", "rerope", {}, shape) == "w = a quarter of L, L = 256");
    CHECK(values("frequency", "giraffe-power", {{"power", 0.0}}, shape).starts_with("k = 0"));
    CHECK_THAT(values("rotation", "fope", {{"gain", 0.0}}, shape), Catch::Contains("g = 0"));
    CHECK_THAT(values("frequency", "yarn", {}, shape), !Catch::Contains("mscale"));  // not given
    shape.length = 100;  // shorter than in training
    CHECK_THAT(values("bias", "alibi", {{"factor", 0.0}}, shape), Catch::Contains("f = 1,"));
}

TEST_CASE("every method has numbers for what it lets a person set", "[encoding]") {
    for (const Entry* entry : entries()) {
        CAPTURE(entry->info.slot, entry->info.id);
        const auto numbers = method_numbers(entry->info.slot, {entry->info.id, {}});
        REQUIRE(numbers.ok());
        const bool has_number = std::any_of(entry->info.params.begin(), entry->info.params.end(), [](const ParamSpec& spec) {
            return (spec.type == ParamType::real || spec.type == ParamType::integer) && spec.default_value != ParamValue{0.0} && spec.default_value != ParamValue{std::int64_t{0}};
        });
        if (has_number) CHECK_FALSE(numbers.value().values.empty());
        CHECK_THAT(numbers.value().values, !Catch::Contains("= ,") && !Catch::Contains("nan"));
    }
}

TEST_CASE("the turns of a rotation are those that its module makes", "[encoding]") {
    for (const auto* id : {"rope", "p-rope", "hope"}) {
        const auto module = std::dynamic_pointer_cast<Rotation>(made("rotation", id, {}));
        CHECK_THAT(values("rotation", id, {}, small_shape()), Catch::Contains(turn_values(module->inverse_frequencies())));
    }
    CHECK_THAT(values("rotation", "rope"), Catch::Contains("b = 10,000; r = 32"));
    CHECK_THAT(values("rotation", "p-rope", {{"p", 0.0}}), Catch::Contains("no pair is turned"));
}

TEST_CASE("the learned numbers that a method names are those of its module", "[encoding]") {
    const auto check = [](const std::string& slot, const std::string& id, const Params& params) {
        const auto named = cost(slot, id, params, small_shape()).learned;
        CAPTURE(slot, id);
        if (named) CHECK(*named == learned_numbers(*made(slot, id, params)));
    };
    for (const Entry* entry : entries()) check(entry->info.slot, entry->info.id, {});
    check("bias", "alibi", {{"learned_slopes", true}});
    check("bias", "tisa", {{"bumps", std::int64_t{3}}});
    check("input", "learned", {{"rows", std::int64_t{40}}});
    for (const auto* variant : {"concat_residual", "concat", "add_residual", "bias_only"}) {
        check("adaptive", "dape", {{"variant", std::string(variant)}});
        check("adaptive", "dape-v2", {{"variant", std::string(variant)}, {"linear_bias", false}});
    }
    // Methods that say nothing of it must stay few: these are counted.
    std::vector<std::string> counted;
    for (const Entry* entry : entries())
        if (entry->info.learned && cost(entry->info.slot, entry->info.id).learned) counted.push_back(entry->info.id);
    CHECK(counted.size() >= 12);
}

TEST_CASE("DAPE costs two operations for every weight of its network at every pair", "[encoding]") {
    const auto shape = small_shape();
    const auto H = static_cast<double>(shape.heads);
    CHECK(cost("adaptive", "dape", {{"variant", std::string("add_residual")}}, shape).per_pair == 4 * H * 32 + H);
    for (const auto* variant : {"concat_residual", "add_residual"}) {
        const Params params{{"variant", std::string(variant)}};
        const auto network = std::dynamic_pointer_cast<Adaptive>(made("adaptive", "dape", params))->network();
        CHECK(cost("adaptive", "dape", params, shape).per_pair == 2.0 * static_cast<double>(network->w1.numel() + network->w2.numel()) + H);
    }
}

TEST_CASE("costs are sentences, and nothing is said where nothing is known", "[encoding]") {
    CHECK(method_numbers("bias", {"alibi", {}}).value().cost_line == "Adds in each layer: 8 operations per visible pair (attention itself: 1,024).");
    CHECK(method_numbers("frequency", {"linear", {}}).value().cost_line == "Adds in each layer: nothing per pair or token.");
    // q and k of 8 heads with 32 elements, three operations each.
    CHECK(cost("rotation", "rope").per_token == 3.0 * 32 * 16);
    CHECK(method_numbers("bias", {"cope", {}}).value().cost_line.empty());
    CHECK_FALSE(cost("bias", "cope").per_pair.has_value());
    CHECK_THAT(method_numbers("bias", {"t5", {}}).value().cost_line, Catch::Contains("256 learned numbers for all layers together"));
}

TEST_CASE("a scheme's slots know of each other", "[encoding]") {
    SchemeSpec scheme = find_scheme("rope-ntk").value();
    scheme.slots.at("rotation").params["base"] = 500000.0;
    const auto numbers = scheme_numbers(scheme).value();
    REQUIRE(numbers.size() == 2);
    CHECK(numbers[0].slot == "rotation");
    CHECK_THAT(numbers[1].values, Catch::Contains("b = 500,000"));
    scheme.slots.at("rotation").params["fraction"] = 0.5;  // the base change is of the rotated width, which is not the head's
    CHECK_THAT(scheme_numbers(scheme).value()[1].values, !Catch::Contains("b′"));
    CHECK_THAT(scheme_numbers(find_scheme("dape-nope").value()).value().back().values, Catch::Contains("channels 8 → 32 → 8"));
    CHECK_THAT(scheme_numbers(find_scheme("dape-kerple").value()).value().back().values, Catch::Contains("channels 16 → 32 → 8"));
    CHECK_THAT(method_numbers("frequency", {"yarn", {{"factor", 0.5}}}).error().message, Catch::Contains("factor"));
    CHECK(method_numbers("bias", {"alibbi", {}}).error().kind == ErrorKind::not_found);
}
