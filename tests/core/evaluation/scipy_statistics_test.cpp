/// Tests over seeds and Holm's correction against SciPy and statsmodels: scipy_statistics.json says which versions and functions.
#include "tests/core/evaluation/golden.h"

#include "core/evaluation/statistics.h"

using namespace lw;
using namespace lw::test;

namespace {

const json& reference() {
    static const json file = [] {
        std::ifstream in(LW_TEST_DATA "/core/evaluation/scipy_statistics.json");
        return json::parse(in);
    }();
    return file;
}

void check_test(const json& expected, const std::optional<TTest>& got) {
    REQUIRE(got);
    CHECK(got->t == Approx(expected.at("t").get<double>()).epsilon(1e-9));
    CHECK(got->degrees == Approx(expected.at("df").get<double>()).epsilon(1e-9));
    CHECK(got->p == Approx(expected.at("p").get<double>()).epsilon(1e-8));
    CHECK(got->interval.low == Approx(expected.at("low").get<double>()).epsilon(1e-8));
    CHECK(got->interval.high == Approx(expected.at("high").get<double>()).epsilon(1e-8));
}

}  // namespace

TEST_CASE("tests over seeds are those of SciPy", "[statistics]") {
    REQUIRE(reference().at("cases").size() == 4);
    for (const json& item : reference().at("cases")) {
        CAPTURE(item.at("id").get<std::string>());
        const auto a = numbers(item.at("a")), b = numbers(item.at("b"));
        check_test(item.at("welch"), welch_test(a, b));
        if (item.contains("paired")) check_test(item.at("paired"), paired_test(a, b));
        CHECK(*hedges_g(a, b) == Approx(item.at("hedges_g").get<double>()).epsilon(1e-9));
        CHECK(summarise(a).interval->low == Approx(item.at("mean_interval")[0].get<double>()).epsilon(1e-9));
        CHECK(summarise(a).interval->high == Approx(item.at("mean_interval")[1].get<double>()).epsilon(1e-9));
    }
}

TEST_CASE("Holm's correction is that of statsmodels", "[statistics]") {
    for (const json& item : reference().at("holm")) {
        const auto corrected = holm_correction(numbers(item.at("p")));
        const auto expected = numbers(item.at("corrected"));
        REQUIRE(corrected.size() == expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n) CHECK(corrected[n] == Approx(expected[n]).epsilon(1e-12));
    }
    CHECK(holm_correction({}).empty());
}

TEST_CASE("an effect size needs two values on each side and some spread", "[statistics]") {
    CHECK_FALSE(hedges_g(std::vector<double>{1}, std::vector<double>{2, 3}));
    CHECK_FALSE(hedges_g(std::vector<double>{1, 1}, std::vector<double>{2, 2}));
}
