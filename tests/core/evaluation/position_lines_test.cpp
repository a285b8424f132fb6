/// Losses by position: their bins, and as lines, over seeds where there are several.
#include "core/evaluation/position_lines.h"
#include "core/evaluation/position_loss.h"

#include "tests/support/catch_torch.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace lw;

namespace {

/// Four bins, one of them at the boundary; the losses of the seed are `shift` above 4, 3, 2, 1.
EvaluatedRun run_of(const std::string& title, std::uint64_t seed, double shift = 0) {
    EvaluatedRun run;
    run.title = title;
    run.group = "group of " + title;
    run.train_length = 4;
    run.seed = seed;
    run.evaluation.run = title + "-s" + std::to_string(seed);
    run.evaluation.position_edges = {1, 2, 4, 8, 16};
    run.evaluation.boundary_edges = {1, 4, 5, 6, 16};
    for (int n = 0; n < 4; ++n) {
        run.evaluation.position_loss.push_back(4 - n + shift);
        run.evaluation.boundary_loss.push_back(4 - n + shift);
    }
    return run;
}

}  // namespace

TEST_CASE("position bins have the training length among their edges", "[curves]") {
    const auto edges = log_edges(4096);
    CHECK(edges.front() == 1);
    CHECK(edges.back() == 4096);
    for (std::int64_t power = 1; power <= 4096; power *= 2) CHECK(std::count(edges.begin(), edges.end(), power) == 1);
    CHECK(std::is_sorted(edges.begin(), edges.end()));
    CHECK(log_edges(1).empty());
}

TEST_CASE("bins about the training length are narrow beside it and wide far away", "[curves]") {
    const auto edges = edges_about(128, 1024);
    CHECK(std::is_sorted(edges.begin(), edges.end()));
    CHECK(edges.front() == 1);
    CHECK(edges.back() == 1024);
    CHECK(std::adjacent_find(edges.begin(), edges.end()) == edges.end());
    for (const std::int64_t edge : {121, 125, 126, 127, 128, 129, 130, 131, 133, 137}) CHECK(std::count(edges.begin(), edges.end(), edge) == 1);
    CHECK(edges_about(100, 101).empty());   // one context beyond is no bin of its own
    CHECK(edges_about(128, 64).empty());
    CHECK(edges_about(4, 8) == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("a run's line by position has its bins at their geometric middles", "[curves]") {
    const auto lines = position_lines({run_of("ALiBi", 1)}, PositionOrigin::start, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].title == "ALiBi");
    CHECK(lines[0].runs == std::vector<std::string>{"ALiBi-s1"});
    CHECK(lines[0].seeds == 1);
    CHECK(lines[0].train_length == 4);
    REQUIRE(lines[0].length.size() == 4);
    CHECK(lines[0].length[0] == Approx(1));
    CHECK(lines[0].length[1] == Approx(std::sqrt(6.0)));
    CHECK(lines[0].length[3] == Approx(std::sqrt(120.0)));
    CHECK(lines[0].value == std::vector<double>{4, 3, 2, 1});
    CHECK(lines[0].low == lines[0].value);
    CHECK(lines[0].high == lines[0].value);
    CHECK(lines[0].band == "no interval");
}

TEST_CASE("seeds of a recipe are one line by position: the mean of their losses with a t interval", "[curves]") {
    const std::vector<EvaluatedRun> runs = {run_of("ALiBi", 1, 0), run_of("RoPE", 1, 1), run_of("ALiBi", 2, 0.1), run_of("ALiBi", 3, 0.2)};
    for (const PositionOrigin origin : {PositionOrigin::start, PositionOrigin::training_length}) {
        const auto lines = position_lines(runs, origin, true);
        REQUIRE(lines.size() == 2);
        CHECK(lines[0].seeds == 3);
        CHECK(lines[0].runs == std::vector<std::string>{"ALiBi-s1", "ALiBi-s2", "ALiBi-s3"});
        CHECK(lines[0].band == "95 % t interval over 3 seeds");
        CHECK(lines[0].value.back() == Approx(1.1));
        // Student's t of 2 degrees of freedom at 97.5 % is 4.3027; the deviation of 0, 0.1 and 0.2 is 0.1.
        CHECK(lines[0].high.back() - lines[0].value.back() == Approx(4.302653 * 0.1 / std::sqrt(3.0)).epsilon(1e-5));
        CHECK(lines[0].value.back() - lines[0].low.back() == Approx(4.302653 * 0.1 / std::sqrt(3.0)).epsilon(1e-5));
        CHECK(lines[1].title == "RoPE");
        CHECK(lines[1].seeds == 1);
    }
    const auto each = position_lines(runs, PositionOrigin::start, false);
    REQUIRE(each.size() == 4);
    CHECK(each[0].title == "ALiBi, seed 1");
    CHECK(each[2].title == "ALiBi, seed 2");
}

TEST_CASE("a run that is there twice is no second seed by position either", "[curves]") {
    const auto lines = position_lines({run_of("ALiBi", 1), run_of("ALiBi", 1, 5)}, PositionOrigin::start, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].seeds == 1);
    CHECK(lines[0].value.front() == 4);
}

TEST_CASE("beyond L a line begins with the first token beyond and has no mark at L", "[curves]") {
    const auto lines = position_lines({run_of("ALiBi", 1)}, PositionOrigin::training_length, true);
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].length.size() == 2);
    CHECK(lines[0].length[0] == 1);
    CHECK(lines[0].length[1] == Approx(std::sqrt(2.0 * 11.0)));
    CHECK(lines[0].value == std::vector<double>{2, 1});
    CHECK(lines[0].train_length == 0);
}

TEST_CASE("a bin that a seed lacks is no point of the mean", "[curves]") {
    EvaluatedRun shorter = run_of("ALiBi", 2), empty = run_of("ALiBi", 3);
    shorter.evaluation.position_edges.back() = 12;
    empty.evaluation.position_loss[1] = std::numeric_limits<double>::quiet_NaN();
    const auto lines = position_lines({run_of("ALiBi", 1), shorter, empty}, PositionOrigin::start, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].value == std::vector<double>{4, 2});
}

TEST_CASE("a run has losses by position where a bin lies beyond the origin", "[curves]") {
    EvaluatedRun run = run_of("ALiBi", 1);
    CHECK(has_positions(run, PositionOrigin::start));
    CHECK(has_positions(run, PositionOrigin::training_length));
    run.train_length = 16;
    CHECK_FALSE(has_positions(run, PositionOrigin::training_length));
    run.evaluation.position_edges.clear();
    run.evaluation.position_loss.clear();
    CHECK_FALSE(has_positions(run, PositionOrigin::start));
}
