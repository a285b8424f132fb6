/// Sums over attention rows against plain loops over every cell.
#include "tests/support/catch_torch.h"

#include "core/evaluation/attention_sums.h"
#include "core/evaluation/term_difference.h"
#include "tests/support/schemes.h"

#include <cmath>
#include <limits>

using namespace lw;
using namespace lw::test;

namespace {

constexpr std::int64_t kTokens = 40, kTrained = 16;

/// A scheme with random inputs, as a text would leave them.
struct Case {
    std::shared_ptr<PositionScheme> scheme;
    AttentionInputs inputs;
    at::Tensor normaliser{};
    explicit Case(const std::string& preset, std::uint64_t seed = 11) {
        const InputSizes sizes{.batch = 1, .queries = kTokens, .keys = kTokens};
        scheme = build(lw::test::scheme(preset), shape_for(sizes));
        scheme->to(at::kDouble);
        inputs = inputs_for(scheme->layer(0), sizes, at::kDouble, seed);
    }
    [[nodiscard]] LayerScores scores() const { return {scheme->layer(0), inputs, normaliser}; }
};

double value(const at::Tensor& x, std::int64_t head, std::int64_t row, std::int64_t column) { return x[head][row][column].item<double>(); }

/// One head's sums, cell by cell.
HeadSums naive(const LayerScores& scores, Span rows, std::int64_t head) {
    const auto parts = score_parts(scores.layer, scores.inputs, {0, kTokens}, {0, kTokens});
    const auto weights = weights_of(scores.layer, parts.masked_logit(), parts.geometry)[0], logit = parts.logit()[0];
    HeadSums sums;
    for (auto i = rows.begin; i < rows.end; ++i) {
        double entropy = 0, mass = 0, visible = 0, peak = 0;
        for (std::int64_t j = 0; j < kTokens; ++j) {
            if (!parts.visible[i][j].item<bool>()) continue;
            const double p = value(weights, head, i, j), score = value(logit, head, i, j);
            visible += 1;
            mass += p;
            if (p > 0) entropy -= p * std::log(p);
            peak = std::max(peak, p);
            if (j == 0) sums.first += p;
            if (j == i) sums.self += p;
            const bool untrained = std::abs(i - j) >= kTrained;
            if (untrained) sums.beyond += p;
            (untrained ? sums.untrained : sums.trained).add({1, score, score * score, score, score});
            const auto add = [&](ValueSums& to, double x) { to.add({1, x, x * x, x, x}); };
            add(sums.content, value(parts.content[0], head, i, j));
            if (parts.bias.defined()) add(sums.bias, value(parts.bias_of(0), head, i, j));
            if (parts.adaptive.defined()) add(sums.adaptive, value(parts.adaptive[0], head, i, j));
        }
        sums.rows += 1;
        sums.uniform += std::log(visible);
        sums.peak += peak;
        if (mass > 0) sums.entropy += entropy / mass + std::log(mass);  // of the row divided by its sum
    }
    return sums;
}

void check_values(const ValueSums& got, const ValueSums& expected) {
    CHECK(got.count == expected.count);
    CHECK(got.sum == Approx(expected.sum).margin(1e-9));
    CHECK(got.squares == Approx(expected.squares).margin(1e-9));
    CHECK(got.low == Approx(expected.low));
    CHECK(got.high == Approx(expected.high));
}

void check_sums(const HeadSums& got, const HeadSums& expected) {
    CHECK(got.rows == expected.rows);
    CHECK(got.entropy == Approx(expected.entropy).margin(1e-9));
    CHECK(got.uniform == Approx(expected.uniform).margin(1e-9));
    CHECK(got.peak == Approx(expected.peak).margin(1e-9));
    CHECK(got.beyond == Approx(expected.beyond).margin(1e-9));
    CHECK(got.first == Approx(expected.first).margin(1e-9));
    CHECK(got.self == Approx(expected.self).margin(1e-9));
    check_values(got.trained, expected.trained);
    check_values(got.untrained, expected.untrained);
    check_values(got.content, expected.content);
    check_values(got.bias, expected.bias);
    check_values(got.adaptive, expected.adaptive);
}

}  // namespace

TEST_CASE("sums over attention rows are those of a loop over every cell", "[evaluation][heads]") {
    const at::NoGradGuard no_gradient;
    // Rotation alone, static bias, adaptive term, a window, a bias that reads the text, and rows that do not sum to 1.
    for (const char* preset : {"rope", "alibi", "dape-kerple", "dape-v2-kerple", "rope-window", "cope", "stick-breaking"}) {
        const Case made(preset);
        for (const Span rows : {Span{0, kTokens}, Span{33, kTokens}}) {
            const auto got = attention_sums(made.scores(), rows, kTrained);
            REQUIRE(got.size() == 4);
            for (std::int64_t head = 0; head < 4; ++head) {
                CAPTURE(preset, rows.begin, head);
                check_sums(got[static_cast<std::size_t>(head)], naive(made.scores(), rows, head));
            }
        }
    }
}

TEST_CASE("rows in two parts sum to what all rows sum to", "[evaluation][heads]") {
    const Case made("dape-kerple");
    auto parts = attention_sums(made.scores(), {0, 13}, kTrained);
    const auto rest = attention_sums(made.scores(), {13, kTokens}, kTrained), whole = attention_sums(made.scores(), {0, kTokens}, kTrained);
    for (std::size_t head = 0; head < parts.size(); ++head) {
        parts[head].add(rest[head]);
        check_sums(parts[head], whole[head]);
    }
}

TEST_CASE("no cell has no range, and a term that is not there has size 0", "[evaluation][heads]") {
    const ValueSums none;
    CHECK(std::isnan(none.mean()));
    CHECK(std::isnan(none.deviation()));
    CHECK(none.root_mean_square() == 0);
    ValueSums two{2, 4, 10, 1, 3};  // 1 and 3
    CHECK(two.mean() == 2);
    CHECK(two.deviation() == Approx(1));
    CHECK(two.root_mean_square() == Approx(std::sqrt(5.0)));
    const auto sums = attention_sums(Case("alibi").scores(), {0, kTrained}, kTrained);
    CHECK(sums.front().untrained.count == 0);
    CHECK(sums.front().adaptive.count == 0);
}

TEST_CASE("the difference of two texts' terms leaves out what a row shares, and moves weight within the row", "[evaluation][heads]") {
    const at::NoGradGuard no_gradient;
    for (const char* preset : {"dape-kerple", "cope", "fox"}) {
        CAPTURE(preset);
        const Case a(preset, 11), b(preset, 12);
        const Span rows{5, 31};
        const auto block = term_block(a.scores(), b.scores(), rows);
        const auto& layer = a.scheme->layer(0);
        const auto parts_a = score_parts(layer, a.inputs, {0, kTokens}, {0, kTokens}), parts_b = score_parts(layer, b.inputs, {0, kTokens}, {0, kTokens});
        const auto term = [&](const ScoreParts& parts, std::int64_t h, std::int64_t i, std::int64_t j) {
            return (parts.bias.defined() && parts.adds_bias ? value(parts.bias_of(0), h, i, j) : 0) + (parts.adaptive.defined() ? value(parts.adaptive[0], h, i, j) : 0);
        };
        const std::int64_t head = 2, query = 20;
        double mean = 0, own = 0, other = 0;
        for (std::int64_t j = 0; j <= query; ++j) {
            mean += term(parts_a, head, query, j) / static_cast<double>(query + 1);
            own += std::exp(value(parts_a.content[0], head, query, j) + term(parts_a, head, query, j));
            other += std::exp(value(parts_a.content[0], head, query, j) + term(parts_b, head, query, j));
        }
        double moved = 0;
        for (std::int64_t j = 0; j <= query; ++j) {
            const double before = std::exp(value(parts_a.content[0], head, query, j) + term(parts_a, head, query, j)) / own;
            const double after = std::exp(value(parts_a.content[0], head, query, j) + term(parts_b, head, query, j)) / other;
            CHECK(value(block.term_a, head, query - rows.begin, j) == Approx(term(parts_a, head, query, j) - mean).margin(1e-9));
            CHECK(value(block.weights, head, query - rows.begin, j) == Approx(before).margin(1e-9));
            CHECK(value(block.moved, head, query - rows.begin, j) == Approx(after - before).margin(1e-9));
            moved += after - before;
        }
        CHECK(moved == Approx(0).margin(1e-9));
    }
}

TEST_CASE("a static bias is the same for two texts, and no cell stands out", "[evaluation][heads]") {
    const Case a("alibi", 11), b("alibi", 12);
    const Span rows{0, kTokens};
    const auto block = term_block(a.scores(), b.scores(), rows);
    CHECK(outstanding_cells(block, rows, -1, false, 10).empty());
    CHECK(outstanding_cells(block, rows, -1, true, 10).empty());
    CHECK_FALSE(term_reads_text(a.scheme->layer(0)));
    CHECK_FALSE(has_term(Case("rope").scheme->layer(0)));
    CHECK(term_reads_text(Case("dape-kerple").scheme->layer(0)));
}

TEST_CASE("scores that are no numbers stay to be seen, and do not hide other heads' cells", "[evaluation][heads]") {
    const at::NoGradGuard no_gradient;
    const double nan = std::nan("");
    const Span rows{0, kTokens};
    Case damaged("alibi", 11);
    damaged.inputs.q[0][0].fill_(nan);
    const auto overflown = term_block(damaged.scores(), Case("alibi", 12).scores(), rows);
    CHECK(std::isnan(value(overflown.weights, 0, 7, 3)));
    CHECK(std::isnan(value(overflown.moved, 0, 7, 3)));
    CHECK(value(overflown.moved, 0, 3, 7) == 0);  // not visible
    CHECK(value(overflown.moved, 1, 7, 3) == 0);

    const Case a("dape-kerple", 11), b("dape-kerple", 12);
    auto block = term_block(a.scores(), b.scores(), rows);
    block.term_b[0].fill_(nan);
    block.moved[0].fill_(nan);
    block.moved[1][7][3].fill_(std::numeric_limits<double>::infinity());
    for (const bool by_term : {false, true}) {
        const auto cells = outstanding_cells(block, rows, -1, by_term, 6);
        REQUIRE(cells.size() == 6);
        for (const auto& cell : cells) {
            CHECK(cell.head > 0);
            CHECK(std::isfinite(cell.score));
        }
        CHECK(outstanding_cells(block, rows, 0, by_term, 6).empty());
    }
}

TEST_CASE("outstanding cells are the largest, in order, of the head asked for", "[evaluation][heads]") {
    const Case a("dape-kerple", 11), b("dape-kerple", 12);
    const Span rows{9, 30};
    const auto block = term_block(a.scores(), b.scores(), rows);
    for (const bool by_term : {false, true}) {
        const auto cells = outstanding_cells(block, rows, 1, by_term, 6);
        REQUIRE(cells.size() == 6);
        const auto score = (by_term ? block.term_b - block.term_a : block.moved).abs()[1];  // [r, c]
        CHECK(cells.front().score == score.max().item<double>());
        CHECK((score > cells.back().score).sum().item<std::int64_t>() == 5);
        for (const auto& cell : cells) {
            CHECK(cell.head == 1);
            CHECK(score[cell.query - rows.begin][cell.key].item<double>() == cell.score);
            CHECK(std::abs(by_term ? cell.term_b - cell.term_a : cell.moved) == Approx(cell.score));
        }
    }
}
