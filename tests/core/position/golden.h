#pragma once
/// Reads tests/golden/*.json: numbers computed from the published formulas by an independent program.

#include "core/lab/probe_array.h"
#include "tests/core/position/made.h"

#include <fstream>
#include <functional>
#include <limits>

namespace lw::golden {

using nlohmann::json;

/// {"shape", "data"}, or a plain list, as float64; null becomes NaN.
inline at::Tensor tensor(const json& array) { return tensor_of(array); }

/// |got - expected| <= abs + rel |expected| wherever expected is not null, and equal shapes.
inline void check_close(const json& test, const at::Tensor& got, const json& expected) {
    const auto want = tensor(expected);
    REQUIRE(got.sizes() == want.sizes());
    const auto tolerance = Tolerance::of(test["tolerance"]);
    const auto excess = (got.to(at::kDouble) - want).abs() - tolerance.relative * want.abs();
    const auto worst = excess.masked_fill(want.isnan(), 0).max().item<double>();
    const auto compared = want.isnan().logical_not();
    CHECK(got.masked_select(compared).isfinite().all().item<bool>());
    CHECK(worst <= tolerance.absolute);
}

inline void check_close(const json& test, double got, double expected) {
    CHECK(std::abs(got - expected) <= Tolerance::of(test["tolerance"]).allowed(expected));
}

/// What to do with the cases of one method or kind; false = this case is outside what is built.
using Handler = std::function<bool(const json& test)>;

/// Runs every case of the group through the handler of its "method" or "kind". Exactly `handled` cases must have run, so that
/// a case can never be skipped without somebody saying so.
inline void run_group(const std::string& group, const std::map<std::string, Handler>& handlers, int handled) {
    std::ifstream stream(std::string(LW_TEST_DATA) + "/golden/" + group + ".json");
    REQUIRE(stream.good());
    const json root = json::parse(stream);
    int ran = 0;
    for (const auto& test : root.at("cases")) {
        const json& params = test.at("params");
        const std::string kind = params.contains("method") ? params["method"] : params.at("kind");
        const auto handler = handlers.find(kind);
        if (handler == handlers.end()) continue;
        INFO(group << ": " << test.at("id").get<std::string>());
        if (handler->second(test)) ++ran;
    }
    CHECK(ran == handled);
}

}  // namespace lw::golden
