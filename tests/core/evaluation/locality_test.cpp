/// Locality measures: golden rows, the rule with its thresholds, and probability rows.
#include "tests/core/evaluation/golden.h"

#include "core/evaluation/locality.h"

using namespace lw;
using namespace lw::test;

namespace {

std::string class_name(const std::string& golden) { return golden == "u-shaped" ? "U-shape" : golden; }

std::vector<std::vector<double>> rows_of(const json& array) {
    const auto shape = array.at("shape").get<std::vector<std::size_t>>();
    const auto data = numbers(array);
    const std::size_t width = shape.back();
    std::vector<std::vector<double>> rows;
    for (std::size_t begin = 0; begin < data.size(); begin += width) {
        rows.emplace_back(data.begin() + static_cast<std::ptrdiff_t>(begin), data.begin() + static_cast<std::ptrdiff_t>(begin + width));
    }
    return rows;
}

void check_measures(const json& item, const Locality& got) {
    check_golden(item, "C", got.contrast);
    check_golden(item, "rho", got.rank);
    check_golden(item, "lambda", got.locality);
    check_golden(item, "expected_delta", got.expected_distance);
    check_golden(item, "near_minus_middle", got.near_minus_middle);
    check_golden(item, "far_minus_middle", got.far_minus_middle);
    CHECK(got.head_class == class_name(item.at("expect").at("label").get<std::string>()));
}

}  // namespace

TEST_CASE("locality measures of golden rows", "[locality][golden]") {
    int checked = 0;
    for (const json& item : golden_cases("loc-")) {
        if (!item.at("inputs").contains("b")) continue;
        CAPTURE(item.at("id").get<std::string>());
        const auto rows = rows_of(item.at("inputs").at("b"));
        ++checked;
        if (rows.size() == 1) {
            check_measures(item, measure_locality(std::span<const double>(rows.front())));
            continue;
        }
        const Locality got = measure_locality(rows);
        check_measures(item, got);
        check_golden(item, "A", got.adaptivity);
        const auto expected = numbers(item.at("expect").at("mean_curve"));
        const auto curve = mean_curve(rows);
        REQUIRE(curve.size() == expected.size());
        for (std::size_t n = 0; n < curve.size(); ++n) CHECK(curve[n] == Approx(expected[n]).margin(1e-9));
    }
    CHECK(checked == 13);
}

TEST_CASE("one row says nothing about the change from text to text; equal rows say there is none", "[locality]") {
    const std::vector<double> row{0, -1, -2, -3, -4, -5, -6, -7};
    CHECK(std::isnan(measure_locality(std::vector<std::vector<double>>{row}).adaptivity));
    CHECK(measure_locality(std::vector<std::vector<double>>{row, row}).adaptivity == 0);
}

TEST_CASE("locality measures at query 8191", "[locality][golden]") {
    const json item = golden_cases("loc-8191").at(0);
    const auto row = [](auto formula) {
        std::vector<double> values(8192);
        for (std::size_t n = 0; n < values.size(); ++n) values[n] = formula(static_cast<double>(n));
        return values;
    };
    const auto alibi = [](double slope) { return [slope](double distance) { return -slope * distance; }; };
    const auto kerple = [](double p, double a) { return [p, a](double distance) { return -p * std::log1p(a * distance); }; };
    const std::vector<std::vector<double>> rows = {row(alibi(0.5)), row(alibi(1.0 / 16)), row(alibi(1.0 / 256)), row(kerple(0.01, 0.01)),
                                                   row(kerple(0.5, 0.5)), row(kerple(1, 0.5)), row(kerple(2, 1)), row(kerple(-1, 0.5))};
    const json& expected = item.at("expect").at("rows");
    REQUIRE(expected.size() == rows.size());
    for (std::size_t n = 0; n < rows.size(); ++n) {
        CAPTURE(expected[n][0].get<std::string>());
        const Locality got = measure_locality(std::span<const double>(rows[n]));
        CHECK(got.locality == Approx(expected[n][1].get<double>()).epsilon(1e-7).margin(1e-7));
        CHECK(got.contrast == Approx(expected[n][2].get<double>()).epsilon(1e-7));
        CHECK(got.rank == Approx(expected[n][3].get<double>()).epsilon(1e-9));
        CHECK(got.head_class == expected[n][4].get<std::string>());
        CHECK(got.expected_distance == Approx(expected[n][5].get<double>()).epsilon(1e-7));
    }
}

TEST_CASE("a constant added to a row changes no measure", "[locality]") {
    std::vector<double> row = {1.0, 0.5, 0.75, -0.25, -1.0, -0.5, -2.0, -1.5};
    const Locality before = measure_locality(std::span<const double>(row));
    for (double& value : row) value += 300;
    const Locality after = measure_locality(std::span<const double>(row));
    CHECK(after.contrast == Approx(before.contrast));
    CHECK(after.rank == Approx(before.rank));
    CHECK(after.locality == Approx(before.locality));
    CHECK(after.head_class == before.head_class);
}

TEST_CASE("the class follows the thresholds it is given", "[locality]") {
    const std::vector<double> row = {0, -0.01, -0.02, -0.03, -0.04, -0.05, -0.06, -0.07};
    const std::span<const double> view(row);
    CHECK(measure_locality(view).head_class == "flat");
    CHECK(measure_locality(view, {0.5, 0.01}).head_class == "local");
    CHECK(measure_locality(view, {1.5, 0.01}).head_class == "flat");
}

TEST_CASE("a flat row with most of its weight on one end is a sink or a spike", "[locality]") {
    const auto row = [](std::size_t place, double height, std::size_t keys = 64) {
        std::vector<double> values(keys, 0.0);
        values.at(place) = height;
        return measure_locality(std::span<const double>(values));
    };
    CHECK(row(63, 9).head_class == "flat");  // the rule of quarters and ranks alone
    CHECK(refined_class(row(63, 9)) == "sink");
    CHECK(refined_class(row(0, 9)) == "spike");
    CHECK(refined_class(row(1, 9)) == "flat");   // beside the end
    CHECK(refined_class(row(63, 3)) == "flat");  // e^3 / (e^3 + 63) = 0.24
    CHECK(refined_class(row(63, 3), {0.5, 0.25, 0.2}) == "sink");
    CHECK(row(63, 3).first_weight == Approx(std::exp(3.0) / (std::exp(3.0) + 63)));
    CHECK(row(0, 3).self_weight == Approx(std::exp(3.0) / (std::exp(3.0) + 63)));
}

TEST_CASE("sink and spike take no row from the other classes", "[locality]") {
    std::vector<double> kerple(512);
    for (std::size_t n = 0; n < kerple.size(); ++n) kerple[n] = -2 * std::log1p(static_cast<double>(n));
    const Locality measured = measure_locality(std::span<const double>(kerple));
    CHECK(measured.self_weight > 0.5);
    CHECK(refined_class(measured) == "local");
    CHECK(refined_class(measure_locality(std::span<const double>(std::vector<double>{0, -0.1}))) == "flat");  // half of two keys is no spike
}

TEST_CASE("a row of one key is flat", "[locality]") {
    const std::vector<double> row = {3.0};
    const Locality got = measure_locality(std::span<const double>(row));
    CHECK(got.head_class == "flat");
    CHECK(got.locality == 0.0);
}

TEST_CASE("entropy of a uniform row is the logarithm of its length", "[locality]") {
    CHECK(entropy(std::vector<double>(16, 1.0 / 16)) == Approx(std::log(16.0)));
    CHECK(entropy(std::vector<double>{0, 0, 1, 0}) == 0.0);
}

TEST_CASE("mass beyond a distance counts the keys farther away than it", "[locality]") {
    const std::vector<double> row = {0.1, 0.2, 0.3, 0.4};  // distances 3, 2, 1, 0
    CHECK(mass_beyond(row, 1) == Approx(0.3));
    CHECK(mass_beyond(row, 0) == Approx(0.6));
    CHECK(mass_beyond(row, 3) == 0.0);
    CHECK(mass_beyond(row, 100) == 0.0);
    CHECK(root_mean_square(std::vector<double>{3, 4, 0, 0}) == Approx(2.5));
}
