/// Probe group "absolute": what is added to or multiplied into the embedding.

#include "core/lab/probe_handlers.h"
#include "core/lab/probe_modules.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

namespace {

using nlohmann::json;

/// E/2 - 1 in the exponent is tensor2tensor's form.
Params sinusoidal_params(const ProbeInput& test) {
    auto params = test.params_for("input", "sinusoidal");
    if (!test.has("exponent_denominator")) return params;
    const double given = test.real("exponent_denominator"), half = static_cast<double>(test.shape().width) / 2;
    if (given != half && given != half - 1) throw UnknownCase(fmt::format("exponent_denominator is {}; the library has E/2 and E/2 - 1", given));
    params["exponent"] = std::string(given == half ? "paper" : "tensor2tensor");
    return params;
}

at::Tensor sinusoid(const ProbeInput& test, const at::Tensor& positions) {
    return make_entry<InputEncoding>("input", "sinusoidal", sinusoidal_params(test), test.shape())->table(positions);
}

json sinusoidal(const ProbeInput& test) { return {{"pe", array_of(sinusoid(test, test.array("positions")))}}; }

/// The sinusoid at what a position map made.
json mapped_sinusoid(const ProbeInput& test, const at::Tensor& positions) {
    return {{"positions_used", array_of(positions)}, {"pe", array_of(sinusoid(test, positions))}};
}

json learned(const ProbeInput& test) {
    const SlotShape shape = test.shape();
    refuse_size("L", shape.train_length, static_cast<double>(shape.train_length) * static_cast<double>(shape.width));  // rows, unless the case says how many
    const auto module = make_entry<InputEncoding>("input", "learned", test.params_for("input", "learned", {{"beyond", "policy"}}), shape);
    set_parameter(*module, "table", test.array("table"));
    return {{"pe", array_of(module->table(test.array("positions")))}};
}

json shape(const ProbeInput& test) { return mapped_sinusoid(test, shape_positions(test)); }
json cape(const ProbeInput& test) { return mapped_sinusoid(test, cape_positions(test)); }

json floater(const ProbeInput& test) {
    const auto module = make_entry<InputEncoding>("input", "floater", test.params_for("input", "floater"), test.shape());
    set_values(*module, {{"start", test.input("p0")}, {"W1", test.input("W1")}, {"b1", test.input("b1")}, {"W2", test.input("W2")}, {"b2", test.input("b2")}});
    const auto count = test.gives("positions") ? 0 : test.input("n").get<std::int64_t>();
    refuse_size("n", count, static_cast<double>(count) * static_cast<double>(test.shape().width));
    const auto positions = test.gives("positions") ? test.array("positions") : at::arange(count, at::kDouble);
    return {{"pe", array_of(module->table(positions))}};
}

/// A word's embedding is r·exp(iφ), real half first.
json complex_order(const ProbeInput& test) {
    const auto tokens = test.array("tokens").to(at::kLong);                                                    // [T]
    const auto radius = test.array("r").index_select(0, tokens), phase = test.array("phi").index_select(0, tokens);
    SlotShape sizes;
    sizes.width = 2 * radius.size(-1);
    sizes.vocabulary = test.array("omega").size(0);
    const auto module = make_entry<InputEncoding>("input", "complex", {}, sizes);
    set_parameter(*module, "speed", test.array("omega"));
    const auto embedded = at::cat({radius * at::cos(phase), radius * at::sin(phase)}, -1).unsqueeze(0);        // [1, T, 2E]
    const auto halves = module->apply(embedded, test.array("positions"), tokens.unsqueeze(0))[0].chunk(2, -1);
    return {{"real", array_of(halves[0])}, {"imag", array_of(halves[1])}};
}

}  // namespace

const ProbeHandlers& absolute_probes() {
    static const ProbeHandlers all = {
        {"sinusoidal", sinusoidal},
        {"learned", learned},
        {"shape", shape},
        {"cape", cape},
        {"floater", floater},
        {"complex", complex_order},
    };
    return all;
}

}  // namespace lw
