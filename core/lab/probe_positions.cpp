/// Position maps of the probe group "rotary".

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"
#include "core/position/positions/drawn.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

namespace {

using nlohmann::json;

json positions(const at::Tensor& mapped) { return {{"positions", array_of(mapped)}}; }

std::shared_ptr<PositionMap> map_of(const ProbeInput& test, const std::string& id) {
    return make_entry<PositionMap>("positions", id, test.params_for("positions", id), test.shape());
}

/// Maps of plain numbers: linear, dynamic-linear.
json of_numbers(const ProbeInput& test) {
    const auto geometry = test.geometry();
    const auto map = map_of(test, test.word("method"));
    return positions(map->map(test.array("positions"), {.length = geometry.length, .train_length = geometry.train_length}).relative);
}

/// A map that reads tokens [B, T].
MappedPositions of_tokens(PositionMap& map, const at::Tensor& tokens) {
    const auto length = tokens.size(-1);
    PositionContext context{.length = length, .train_length = length, .batch = tokens.size(0)};
    context.tokens = tokens;
    return map.map(at::arange(length, at::kDouble), context);
}

/// Pads are token 0, the others token 1.
json left_padding(const ProbeInput& test) {
    const auto mask = test.array("mask").to(at::kLong);
    const auto map = make_entry<PositionMap>("positions", "shifted", {{"pad_token", std::int64_t{0}}}, {});
    return positions(of_tokens(*map, mask.dim() == 1 ? mask.unsqueeze(0) : mask).relative.view(mask.sizes()));
}

json bipe(const ProbeInput& test) {
    const auto mapped = of_tokens(*map_of(test, "bipe"), test.array("tokens").to(at::kLong).view({1, -1}));
    return positions(at::cat({mapped.absolute, mapped.relative}));  // [2, T]
}

/// The draws are given: what the entry does with them.
json pose(const ProbeInput& test) {
    const auto single = [&](const char* name) { return test.array(name).view({1, 1}); };
    return positions(skipping_positions(at::arange(test.integer("window"), at::kDouble), single("first_length"), single("skip"))[0]);
}

/// Every head has positions of its own.
json ms_poe(const ProbeInput& test) {
    const Params params{{"smallest", test.real("r_min")}, {"largest", test.real("r_max")}};
    const auto map = make_entry<DistanceMap>("distance", "ms-poe", params, test.shape());
    return positions(map->branches(test.geometry()).front().query_positions[0]);  // [H, n]
}

const ProbeHandlers& maps() {
    static const ProbeHandlers all = {
        {"linear", of_numbers}, {"dynamic-linear", of_numbers}, {"left-padding", left_padding},
        {"pose", pose},         {"bipe", bipe},                 {"ms-poe", ms_poe},
    };
    return all;
}

}  // namespace

json mapped_positions(const ProbeInput& test) {
    const auto found = maps().find(test.word("method"));
    if (found == maps().end()) throw UnknownCase(fmt::format("there is no position map \"{}\"", test.word("method")));
    return found->second(test);
}

}  // namespace lw
