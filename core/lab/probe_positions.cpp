/// Position maps of the probe group "rotary".

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"
#include "core/position/positions/drawn.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

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
    const auto window = test.integer("window"), target = test.integer("target", 0);
    refuse_size("window", window, static_cast<double>(window));
    const auto skip = single("skip");
    if (target > 0 && skip.item<double>() > static_cast<double>(target - window)) {
        throw Failure(ErrorKind::invalid_argument,
                      fmt::format("A skip of {} leads past the target of {}: {} tokens are to be moved by at most {}.", skip.item<double>(), target, window, target - window));
    }
    return positions(skipping_positions(at::arange(window, at::kDouble), single("first_length"), skip)[0]);
}

json shape(const ProbeInput& test) { return positions(shape_positions(test)); }
json cape(const ProbeInput& test) { return positions(cape_positions(test)); }

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
        {"shape", shape},       {"cape", cape},
    };
    return all;
}

}  // namespace

/// A given offset k is the one outside training of the entry with K = k; 0 is the only one that K = 1 can draw.
at::Tensor shape_positions(const ProbeInput& test) {
    const auto offset = test.integer("offset");
    test.not_below("offset", 0);  // offsets are drawn from 0 on
    const auto map = make_entry<PositionMap>("positions", "shape", {{"maximum", std::max<std::int64_t>(offset, 1)}}, {});
    const auto indices = test.array("positions");
    const auto mapped = map->map(indices, {.length = indices.numel(), .train_length = indices.numel(), .training = offset == 0, .batch = 1});
    return mapped.absolute.reshape(indices.sizes());
}

/// Noise that is given is put in by what the entry does with its draws; without any it is the entry outside training.
at::Tensor cape_positions(const ProbeInput& test) {
    const auto indices = test.array("positions");
    const auto single = [&](const char* name) { return test.array(name).view({1, 1}); };
    const auto shift = single("global_shift"), scale = single("scale"), local = test.array("local_shift").unsqueeze(0);
    if (shift.item<double>() == 0 && scale.item<double>() == 1 && local.count_nonzero().item<std::int64_t>() == 0) {
        const auto map = make_entry<PositionMap>("positions", "cape", {}, {});
        return map->map(indices, {.length = indices.numel(), .train_length = indices.numel()}).absolute;
    }
    return augmented_positions(indices, shift, local, scale)[0];
}

json mapped_positions(const ProbeInput& test) {
    const auto found = maps().find(test.word("method"));
    if (found == maps().end()) throw UnknownCase(fmt::format("there is no position map \"{}\"", test.word("method")));
    return found->second(test);
}

}  // namespace lw
