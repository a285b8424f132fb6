/// Schemes: checks and their sentences, presets, the put-together module and its parameter names.
#include "core/position/nearest.h"
#include "tests/core/position/made.h"

#include <set>

namespace lw {

namespace {

SchemeSpec scheme_of(std::map<std::string, SlotChoice> slots) { return {"", std::move(slots)}; }

std::string refusal(const SchemeSpec& scheme) {
    const auto checked = check_scheme(scheme);
    REQUIRE_FALSE(checked.ok());
    return checked.error().message;
}

std::set<std::string> parameter_names(const std::string& preset, std::int64_t layers) {
    PositionScheme scheme(find_scheme(preset).value(), SlotShape{}, layers);
    std::set<std::string> names;
    for (const auto& item : scheme.named_parameters()) names.insert(item.key());
    return names;
}

}  // namespace

TEST_CASE("checking a scheme fills in every parameter and drops empty slots", "[encoding]") {
    const auto checked = check_scheme(scheme_of({{"bias", {"kerple-log", {}}}, {"adaptive", {"dape", {{"hidden", std::int64_t{16}}}}}, {"rotation", {"none", {}}}}));
    REQUIRE(checked.ok());
    const auto& slots = checked.value().slots;
    CHECK(slots.size() == 2);
    CHECK(std::get<std::int64_t>(slots.at("adaptive").params.at("hidden")) == 16);
    CHECK(std::get<std::string>(slots.at("adaptive").params.at("variant")) == "concat_residual");
    CHECK(slots.at("adaptive").params.size() == 5);
}

TEST_CASE("values are adapted to the parameter's type", "[encoding]") {
    const auto checked = check_scheme(scheme_of({{"rotation", {"rope", {{"base", std::int64_t{500000}}, {"fraction", std::string("0.5")}}}},
                                                 {"frequency", {"yarn", {{"truncate", std::string("off")}}}}}));
    REQUIRE(checked.ok());
    CHECK(std::get<double>(checked.value().slots.at("rotation").params.at("base")) == 500000);
    CHECK(std::get<double>(checked.value().slots.at("rotation").params.at("fraction")) == 0.5);
    CHECK_FALSE(std::get<bool>(checked.value().slots.at("frequency").params.at("truncate")));
}

TEST_CASE("a misspelt slot, method, parameter or scheme gets the right one suggested", "[encoding]") {
    CHECK_THAT(refusal(scheme_of({{"biass", {"alibi", {}}}})), Catch::Contains("biass") && Catch::Contains("\"bias\""));
    CHECK_THAT(refusal(scheme_of({{"bias", {"alibbi", {}}}})), Catch::Contains("alibbi") && Catch::Contains("\"alibi\""));
    CHECK_THAT(refusal(scheme_of({{"bias", {"alibi", {{"max_biass", 8.0}}}}})), Catch::Contains("max_biass") && Catch::Contains("\"max_bias\""));
    CHECK_THAT(find_scheme("dape-kerpel").error().message, Catch::Contains("\"dape-kerple\""));
    CHECK(find_scheme("dape-kerpel").error().kind == ErrorKind::not_found);
    CHECK(describe_method("bias", "kerple").error().kind == ErrorKind::not_found);
}

TEST_CASE("a value out of bounds is refused with the bound", "[encoding]") {
    CHECK_THAT(refusal(scheme_of({{"bias", {"alibi", {{"max_bias", 99.0}}}}})), Catch::Contains("max_bias") && Catch::Contains("99") && Catch::Contains("1 and 16"));
    CHECK_THAT(refusal(scheme_of({{"adaptive", {"dape", {{"hidden", 2.5}}}}})), Catch::Contains("hidden") && Catch::Contains("whole number"));
    CHECK_THAT(refusal(scheme_of({{"adaptive", {"dape-v2", {{"kernel", std::int64_t{4}}}}}})), Catch::Contains("kernel") && Catch::Contains("odd"));
    CHECK_THAT(refusal(scheme_of({{"rotation", {"rope", {}}}, {"frequency", {"linear", {{"factor", 0.5}}}}})), Catch::Contains("0.5") && Catch::Contains("at least 1"));
    CHECK_THAT(refusal(scheme_of({{"rotation", {"rope", {}}}, {"frequency", {"yarn", {{"beta_slow", 16.0}, {"beta_fast", 8.0}}}}})), Catch::Contains("beta_fast"));
}

TEST_CASE("combinations that cannot run are refused", "[encoding]") {
    CHECK_THAT(refusal(scheme_of({{"frequency", {"yarn", {}}}})), Catch::Contains("yarn") && Catch::Contains("rotation"));
    CHECK_THAT(refusal(scheme_of({{"adaptive", {"dape", {{"variant", std::string("bias_only")}}}}})), Catch::Contains("bias_only"));
    SlotShape odd;
    odd.head_width = 15;
    CHECK_THROWS_WITH(PositionScheme(find_scheme("rope").value(), odd, 1), Catch::Contains("15") && Catch::Contains("odd"));
    odd.width = 33;
    CHECK_THROWS_WITH(PositionScheme(find_scheme("sinusoidal").value(), odd, 1), Catch::Contains("33") && Catch::Contains("odd"));
}

TEST_CASE("every preset is found by id and by name, and runs", "[encoding]") {
    std::set<std::string> ids;
    for (const auto& preset : scheme_presets()) {
        INFO(preset.id);
        ids.insert(preset.id);
        CHECK_FALSE(preset.summary.empty());
        CHECK(find_scheme(preset.scheme.name).ok());
        CHECK(check_scheme(find_scheme(preset.id).value()).ok());
        PositionScheme scheme(preset.scheme, SlotShape{}, 2);
        CHECK(scheme.spec().slots.size() == preset.scheme.slots.size());
    }
    for (const char* id : {"nope", "learned", "sinusoidal", "rope", "t5", "alibi", "kerple-log", "kerple-power", "fire", "sandwich", "dape-alibi",
                           "dape-kerple", "dape-fire", "dape-v2-kerple", "rope-linear", "rope-ntk", "rope-dynamic-ntk", "rope-yarn"}) {
        CHECK(ids.count(id) == 1);
    }
    CHECK(find_scheme("Kerple").value().slots.at("bias").id == "kerple-log");
    CHECK(std::get<std::string>(find_scheme("DAPE-FIRE").value().slots.at("bias").params.at("activation")) == "leaky_relu");
}

TEST_CASE("a scheme's line names slots, methods and what is not the default", "[encoding]") {
    CHECK(scheme_line(scheme_of({})) == "no position");
    CHECK(scheme_line(find_scheme("dape-kerple").value()) == "bias: kerple-log · adaptive: dape (concat_residual, hidden = 32)");
    CHECK(scheme_line(find_scheme("rope-yarn").value()) == "rotation: rope · frequency: yarn (factor = auto)");
    CHECK(scheme_line(scheme_of({{"bias", {"alibi", {{"max_bias", 4.0}}}}})) == "bias: alibi (max_bias = 4)");
}

TEST_CASE("a 0 that is worked out is shown as auto, and auto is read as it", "[encoding]") {
    const auto checked = [](const char* value) { return check_scheme(scheme_of({{"rotation", {"rope", {}}}, {"distance", {"self-extend", {{"window", std::string(value)}}}}})); };
    REQUIRE(checked("auto").ok());
    CHECK(std::get<std::int64_t>(checked("auto").value().slots.at("distance").params.at("window")) == 0);
    CHECK_FALSE(checked("automatically").ok());
    const auto spec_of = [](const char* slot, const char* method, const std::string& id) {
        const auto params = describe_method(slot, method).value().params;
        return *std::find_if(params.begin(), params.end(), [&](const ParamSpec& spec) { return spec.id == id; });
    };
    CHECK(spec_of("distance", "self-extend", "window").zero == "a quarter of the training length");
    CHECK(spec_of("frequency", "yarn", "factor").zero == "length / training length");
    CHECK(spec_of("frequency", "yarn", "attention_factor").zero == "automatic");
    // These mean 0 where they say 0.
    CHECK(spec_of("frequency", "yarn", "mscale").zero.empty());
    CHECK(spec_of("frequency", "yarn", "extrapolation_factor").zero.empty());
    CHECK(spec_of("bias", "fox", "initial_bias").zero.empty());
    CHECK_FALSE(check_scheme(scheme_of({{"rotation", {"rope", {}}}, {"frequency", {"yarn", {{"mscale", std::string("auto")}}}}})).ok());
    const auto given = scheme_of({{"rotation", {"rope", {}}}, {"frequency", {"yarn", {{"factor", std::string("auto")}}}}});
    CHECK(scheme_line(given) == scheme_line(check_scheme(given).value()));
}

TEST_CASE("parameter names say layer and slot, shared tables have no layer", "[encoding]") {
    CHECK(parameter_names("learned", 2) == std::set<std::string>{"input.table"});
    CHECK(parameter_names("t5", 2) == std::set<std::string>{"bias.table"});
    CHECK(parameter_names("alibi", 2).empty());
    CHECK(parameter_names("dape-kerple", 1) ==
          std::set<std::string>{"layers.0.bias.p", "layers.0.bias.a", "layers.0.adaptive.first.weight", "layers.0.adaptive.first.bias",
                                "layers.0.adaptive.second.weight", "layers.0.adaptive.second.bias"});
    CHECK(parameter_names("kerple-log", 3).size() == 6);
}

TEST_CASE("layers have their own networks, a shared bias is one module", "[encoding]") {
    PositionScheme dape(find_scheme("dape-kerple").value(), SlotShape{}, 2);
    const auto weight = [&](std::int64_t layer) { return dape.layer(layer).adaptive->named_parameters()["first.weight"]; };
    CHECK_FALSE(at::equal(weight(0), weight(1)));
    PositionScheme t5(find_scheme("t5").value(), SlotShape{}, 2);
    CHECK(t5.layer(0).bias == t5.layer(1).bias);
}

TEST_CASE("a scheme without slots leaves everything as it is", "[encoding]") {
    PositionScheme scheme(SchemeSpec{}, SlotShape{}, 1);
    const auto x = at::randn({1, 8, 5, 16});
    CHECK(at::equal(scheme.layer(0).rotate(x, positions_from(0, 5), 5, 16, Side::query), x));
    CHECK(at::equal(scheme.apply_input(x, positions_from(0, 5), {}), x));
    CHECK_FALSE(scheme.layer(0).bias);
    CHECK_FALSE(scheme.changes_between(5, 500));
}

TEST_CASE("only length-dependent frequencies ask for un-rotated keys", "[encoding]") {
    const auto depends = [](const char* preset) { return PositionScheme(find_scheme(preset).value(), SlotShape{}, 1).changes_between(1000, 1001); };
    CHECK_FALSE(depends("rope"));
    CHECK_FALSE(depends("rope-ntk"));
    CHECK(depends("rope-dynamic-ntk"));
    CHECK(depends("rope-yarn"));
    CHECK(depends("rope-linear"));
}

TEST_CASE("the nearest word is found, and a strange one finds none", "[encoding]") {
    const std::vector<std::string> known = {"alibi", "kerple-log", "kerple-power", "sandwich"};
    CHECK(nearest("ALIBY", known) == "alibi");
    CHECK(nearest("kerple", known) == "kerple-log");
    CHECK(nearest("sandwhich", known) == "sandwich");
    CHECK(nearest("xyzzyxyzzy", known).empty());
    CHECK_THAT(suggestion("xyzzyxyzzy", known), Catch::Contains("Known: alibi"));
}

TEST_CASE("a generator scope leaves the generator as it was", "[encoding]") {
    at::manual_seed(11);
    const auto expected = at::rand({3});
    at::manual_seed(11);
    at::Tensor inside, again;
    {
        const GeneratorScope scope(5);
        inside = at::rand({3});
    }
    const auto after = at::rand({3});
    {
        const GeneratorScope scope(5);
        again = at::rand({3});
    }
    CHECK(at::equal(after, expected));
    CHECK(at::equal(inside, again));
    CHECK_FALSE(at::equal(inside, expected));
}

}  // namespace lw
