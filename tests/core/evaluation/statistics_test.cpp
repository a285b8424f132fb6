/// Means, tests and intervals: golden numbers, limits, and how often the bootstrap's interval holds the truth.
#include "tests/core/evaluation/golden.h"

#include "core/api/result.h"
#include "core/attention/poll.h"
#include "core/evaluation/bootstrap.h"
#include "core/evaluation/statistics.h"

#include <random>

using namespace lw;
using namespace lw::test;

namespace {

std::vector<double> logs(const json& values) {
    std::vector<double> out;
    for (const double value : values.get<std::vector<double>>()) out.push_back(std::log(value));
    return out;
}

void check_pair(const json& item, const char* name, const Interval& got) {
    const auto expected = item.at("expect").at(name).get<std::vector<double>>();
    CHECK(got.low == Approx(expected[0]).epsilon(1e-8));
    CHECK(got.high == Approx(expected[1]).epsilon(1e-8));
}

/// Documents whose losses vary around `centre`, each with its own number of tokens.
std::vector<LossSum> synthetic_documents(std::mt19937_64& engine, std::size_t count, double centre) {
    std::normal_distribution<double> spread(0, 0.3);
    std::vector<LossSum> units;
    for (std::size_t n = 0; n < count; ++n) units.push_back({64 * (centre + spread(engine)), 64});
    return units;
}

}  // namespace

TEST_CASE("mean, deviation and t interval are the golden ones", "[statistics][golden]") {
    const auto cases = golden_cases("stats");
    REQUIRE(cases.size() == 5);
    for (const json& item : cases) {
        const auto values = item.at("inputs").at("values").get<std::vector<double>>();
        const MeanSummary got = summarise(values, item.at("params").at("level").get<double>());
        CHECK(got.n == item.at("expect").at("n").get<std::int64_t>());
        check_golden(item, "mean", got.mean);
        REQUIRE(got.deviation.has_value() == !item.at("expect").at("sd").is_null());
        REQUIRE(got.interval.has_value() == !item.at("expect").at("ci_low").is_null());
        if (!got.interval) continue;
        check_golden(item, "sd", *got.deviation);
        check_golden(item, "sem", *got.error);
        check_golden(item, "ci_low", got.interval->low);
        check_golden(item, "ci_high", got.interval->high);
    }
}

TEST_CASE("Welch's and the paired test on log perplexity are the golden ones", "[statistics][golden]") {
    const auto cases = golden_cases("tests");
    REQUIRE(cases.size() == 4);
    for (const json& item : cases) {
        const auto a = logs(item.at("inputs").at("ppl_a"));
        const auto b = logs(item.at("inputs").at("ppl_b"));
        const auto welch = welch_test(a, b);
        REQUIRE(welch);
        check_golden(item, "welch_t", welch->t);
        check_golden(item, "welch_df", welch->degrees);
        check_golden(item, "welch_p", welch->p);
        const auto paired = paired_test(a, b);
        REQUIRE(paired.has_value() == (a.size() == b.size()));
        if (!paired) continue;
        check_golden(item, "paired_t", paired->t);
        check_golden(item, "paired_df", paired->degrees);
        check_golden(item, "paired_p", paired->p);
        check_golden(item, "mean_log_difference", paired->difference);
        check_pair(item, "log_difference_ci95", paired->interval);
        check_pair(item, "ratio_ci95", {std::exp(paired->interval.low), std::exp(paired->interval.high)});
    }
}

TEST_CASE("tests that the numbers do not allow give nothing", "[statistics]") {
    CHECK_FALSE(welch_test(std::vector<double>{1}, std::vector<double>{2, 3}));
    CHECK_FALSE(welch_test(std::vector<double>{1, 1}, std::vector<double>{2, 2}));
    CHECK_FALSE(paired_test(std::vector<double>{1, 2}, std::vector<double>{2, 3}));
    CHECK_FALSE(paired_test(std::vector<double>{1, 2, 3}, std::vector<double>{2, 3}));
}

TEST_CASE("Wilson's interval stays inside [0, 1] and holds the share", "[statistics]") {
    const Interval none = wilson_interval(0, 20);
    CHECK(none.low == 0.0);
    CHECK(none.high == Approx(0.161125).epsilon(1e-4));  // z² / (n + z²)
    const Interval all = wilson_interval(20, 20);
    CHECK(all.high == Approx(1.0).epsilon(1e-12));
    CHECK(all.low == Approx(1 - none.high).epsilon(1e-9));
    const Interval half = wilson_interval(50, 100);
    CHECK(half.low == Approx(0.403832).epsilon(1e-5));
    CHECK(half.high == Approx(0.596168).epsilon(1e-5));
    CHECK(wilson_interval(0, 0).high == 1.0);
}

TEST_CASE("rank correlation averages ties and is 0 for a constant", "[statistics]") {
    const std::vector<double> x = {1, 2, 2, 3};
    CHECK(spearman(x, std::vector<double>{10, 20, 20, 99}) == Approx(1.0));
    CHECK(spearman(x, std::vector<double>{4, 3, 2, 1}) == Approx(-0.9486832981).epsilon(1e-9));
    CHECK(spearman(x, std::vector<double>{5, 5, 5, 5}) == 0.0);
}

TEST_CASE("quantiles interpolate between order statistics", "[statistics]") {
    const std::vector<double> sorted = {0, 10, 20, 40};
    CHECK(quantile(sorted, 0) == 0.0);
    CHECK(quantile(sorted, 0.5) == 15.0);
    CHECK(quantile(sorted, 1) == 40.0);
}

TEST_CASE("the bootstrap depends on its seed only", "[statistics]") {
    std::mt19937_64 engine(3);
    const auto units = synthetic_documents(engine, 20, 3.0);
    const auto first = bootstrap_perplexity(units, {500, 0.95, 7});
    const auto again = bootstrap_perplexity(units, {500, 0.95, 7});
    const auto other = bootstrap_perplexity(units, {500, 0.95, 8});
    REQUIRE((first && again && other));
    CHECK(first->low == again->low);
    CHECK(first->high == again->high);
    CHECK(first->low != other->low);
    CHECK(first->low < total(units).perplexity());
    CHECK(first->high > total(units).perplexity());
}

TEST_CASE("a bootstrap of many resamples is stopped on request", "[statistics]") {
    std::mt19937_64 engine(3);
    const auto units = synthetic_documents(engine, 20, 3.0);
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    const PollScope polling(context);
    CHECK(bootstrap_ratio(units, units, {500, 0.95, 1}));
    stop.request_stop();
    const BootstrapSettings endless{std::int64_t{1} << 40, 0.95, 1};
    CHECK_THROWS_AS(bootstrap_mean(units, endless), Failure);
    CHECK_THROWS_AS(bootstrap_perplexity(units, endless), Failure);
    CHECK_THROWS_AS(bootstrap_ratio(units, units, endless), Failure);
}

TEST_CASE("one unit has no bootstrap interval", "[statistics]") {
    const std::vector<LossSum> one = {{12.0, 4}};
    CHECK_FALSE(bootstrap_perplexity(one, {}));
    CHECK_FALSE(bootstrap_ratio(one, one, {}));
}

TEST_CASE("about 95 of 100 bootstrap intervals hold the true perplexity", "[statistics]") {
    std::mt19937_64 engine(5);
    int held = 0;
    constexpr int kTrials = 400;
    for (int trial = 0; trial < kTrials; ++trial) {
        const auto units = synthetic_documents(engine, 30, 3.0);
        const auto interval = bootstrap_perplexity(units, {300, 0.95, static_cast<std::uint64_t>(trial)});
        if (interval->low <= std::exp(3.0) && std::exp(3.0) <= interval->high) ++held;
    }
    CHECK(held >= kTrials * 89 / 100);
    CHECK(held <= kTrials * 98 / 100);
}

TEST_CASE("pairing takes the spread between documents out of a ratio", "[statistics]") {
    std::mt19937_64 engine(9);
    const auto a = synthetic_documents(engine, 30, 3.0);
    auto b = a;
    for (std::size_t n = 0; n < b.size(); ++n) b[n].nll += 64 * (0.05 + 0.002 * static_cast<double>(n % 3));
    const auto ratio = bootstrap_ratio(b, a, {500, 0.95, 1});
    const auto plain = bootstrap_perplexity(a, {500, 0.95, 1});
    REQUIRE((ratio && plain));
    CHECK(ratio->low > 1.05);
    CHECK(ratio->high < 1.06);
    CHECK(plain->high / plain->low > 1.1);
}
