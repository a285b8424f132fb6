#pragma once
/// The golden cases of evaluation.json: numbers of an independent reference, with their tolerance.

#include "tests/support/catch_torch.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace lw::test {

using nlohmann::json;

inline const json& golden_cases() {
    static const json file = [] {
        std::ifstream in(LW_TEST_DATA "/golden/evaluation.json");
        return json::parse(in);
    }();
    return file.at("cases");
}

/// Cases whose id begins with the prefix.
inline std::vector<json> golden_cases(const std::string& prefix) {
    std::vector<json> found;
    for (const json& item : golden_cases()) {
        if (item.at("id").get<std::string>().rfind(prefix, 0) == 0) found.push_back(item);
    }
    return found;
}

/// A plain list, or {"shape", "data"}.
inline std::vector<double> numbers(const json& value) { return (value.is_object() ? value.at("data") : value).get<std::vector<double>>(); }

/// |got - expected| <= abs + rel |expected|, by the case's own tolerance. null = not compared.
inline void check_golden(const json& item, const char* name, double got) {
    const json& expected = item.at("expect").at(name);
    CAPTURE(item.at("id").get<std::string>(), name);
    if (expected.is_null()) return;
    const double value = expected.get<double>();
    CAPTURE(got, value);
    CHECK(std::abs(got - value) <= item.at("tolerance").at("abs").get<double>() + item.at("tolerance").at("rel").get<double>() * std::abs(value));
}

}  // namespace lw::test
