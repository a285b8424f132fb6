/// DAPE's network in the CPU kernels against plain loops, at distances where tables decide the sign of most hidden units, so that those fold.
#include "tests/support/catch_torch.h"

#include "core/attention/kernels/cpu/forward.h"
#include "core/attention/kernels/cpu/targets.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace lw::kernels;

namespace {

using Floats = std::vector<float>;
using Bias = std::function<double(std::int64_t head, double distance)>;
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::size_t place(std::int64_t i) { return static_cast<std::size_t>(i); }

struct Sizes {
    std::int64_t heads = 4, key_heads = 4, hidden = 12, queries = 70, keys = 430, width = 8;
};

/// The numbers of one call.
struct Problem {
    Sizes size;
    Floats q, k, v, table, w1_content, w1_bias, b1, w2, b2;
    float slope = 0.01f;
    bool reads_content = true, adds_bias = true;
    std::vector<std::int64_t> begin, end;  ///< of the keys that rows see; empty: causal
    std::int64_t sinks = 0;

    [[nodiscard]] std::int64_t before() const { return size.keys - size.queries; }
    [[nodiscard]] std::int64_t distances() const { return size.keys + size.queries; }
    [[nodiscard]] bool sees(std::int64_t i, std::int64_t j) const {
        if (end.empty()) return j <= before() + i;
        return j < std::min(sinks, end[place(i)]) || (begin[place(i)] <= j && j < end[place(i)]);
    }
    [[nodiscard]] float bias(std::int64_t h, std::int64_t i, std::int64_t j) const {
        return table[place(h * distances() + before() + i - j + size.queries)];
    }
    [[nodiscard]] AttentionCall call() const;
};

AttentionCall Problem::call() const {
    AttentionCall c;
    c.heads = size.heads;
    c.key_heads = size.key_heads;
    c.queries = c.last_row = size.queries;
    c.keys = size.keys;
    c.width = c.value_width = size.width;
    c.before = before();
    c.scale = 1.0f / std::sqrt(static_cast<float>(size.width));
    c.q = {q.data(), 0, size.queries * size.width, size.width};
    c.k = {k.data(), 0, size.keys * size.width, size.width};
    c.v = {v.data(), 0, size.keys * size.width, size.width};
    c.bias.table = table.data();
    c.bias.stride = distances();
    c.bias.offset = size.queries;
    c.network.w1_content = reads_content ? w1_content.data() : nullptr;
    c.network.w1_bias = w1_bias.data();
    c.network.b1 = b1.data();
    c.network.w2 = w2.data();
    c.network.b2 = b2.data();
    c.network.hidden = size.hidden;
    c.network.slope = slope;
    c.network.adds_bias = adds_bias;
    if (!end.empty()) c.visible = {begin.data(), end.data(), sinks};
    return c;
}

Problem random_problem(const Sizes& size, const Bias& bias, double query_size = 1) {
    std::mt19937 generator(7);
    const auto normal = [&](std::int64_t count, double deviation) {
        std::normal_distribution<float> draw(0.0f, static_cast<float>(deviation));
        Floats values(place(count));
        for (auto& value : values) value = draw(generator);
        return values;
    };
    Problem p;
    p.size = size;
    p.q = normal(size.heads * size.queries * size.width, query_size);
    p.k = normal(size.key_heads * size.keys * size.width, 1);
    p.v = normal(size.key_heads * size.keys * size.width, 1);
    const auto inputs = 1 / std::sqrt(2.0 * static_cast<double>(size.heads)), units = 1 / std::sqrt(static_cast<double>(size.hidden));
    p.w1_content = normal(size.hidden * size.heads, inputs);
    p.w1_bias = normal(size.hidden * size.heads, inputs);
    p.b1 = normal(size.hidden, 0.3);
    p.w2 = normal(size.heads * size.hidden, units);
    p.b2 = normal(size.heads, 0.3);
    for (std::int64_t h = 0; h < size.heads; ++h) {
        for (std::int64_t i = 0; i < p.distances(); ++i) {
            const auto distance = static_cast<double>(std::max<std::int64_t>(0, i - size.queries));
            p.table.push_back(static_cast<float>(bias(h, distance)));
        }
    }
    return p;
}

struct Answer {
    std::vector<double> output, log_normaliser;  ///< [H, Tq, d], [H, Tq]
    FoldingCounts folding{};
};

Answer computed(const Problem& p) {
    const auto call = p.call();
    Prepared prepared(call);
    CHECK(static_cast<bool>(prepared.folded_table) == (p.size.keys > kTileKeys));
    prepared.pack(call, 0, prepared.packing_tasks(call));
    Floats output(place(p.size.heads * p.size.queries * p.size.width)), log_normaliser(place(p.size.heads * p.size.queries));
    FoldingCounts folding;
    attention_forward(call, prepared, {{output.data(), 0, p.size.queries * p.size.width, p.size.width}, log_normaliser.data(), &folding}, 0, forward_tasks(call));
    return {{output.begin(), output.end()}, {log_normaliser.begin(), log_normaliser.end()}, folding};
}

/// Logits of all heads at one cell, in double.
std::vector<double> logits_of(const Problem& p, std::int64_t i, std::int64_t j) {
    const auto& s = p.size;
    std::vector<double> scores(place(s.heads)), logits(place(s.heads));
    for (std::int64_t h = 0; h < s.heads; ++h) {
        const auto g = h / (s.heads / s.key_heads);
        const float* q = p.q.data() + (h * s.queries + i) * s.width;
        const float* k = p.k.data() + (g * s.keys + j) * s.width;
        for (std::int64_t c = 0; c < s.width; ++c) scores[place(h)] += static_cast<double>(q[c]) * static_cast<double>(k[c]);
        scores[place(h)] /= std::sqrt(static_cast<double>(s.width));
        logits[place(h)] = scores[place(h)] + (p.adds_bias ? static_cast<double>(p.bias(h, i, j)) : 0.0) + static_cast<double>(p.b2[place(h)]);
    }
    for (std::int64_t u = 0; u < s.hidden; ++u) {
        auto z = static_cast<double>(p.b1[place(u)]);
        for (std::int64_t h = 0; h < s.heads; ++h) {
            z += static_cast<double>(p.w1_bias[place(u * s.heads + h)]) * static_cast<double>(p.bias(h, i, j));
            if (p.reads_content) z += static_cast<double>(p.w1_content[place(u * s.heads + h)]) * scores[place(h)];
        }
        const auto hidden = z > 0 ? z : static_cast<double>(p.slope) * z;
        for (std::int64_t h = 0; h < s.heads; ++h) logits[place(h)] += static_cast<double>(p.w2[place(h * s.hidden + u)]) * hidden;
    }
    return logits;
}

/// One row by loops.
void add_row(const Problem& p, std::int64_t i, Answer& answer) {
    const auto& s = p.size;
    std::vector<std::int64_t> seen;
    std::vector<std::vector<double>> logits;
    for (std::int64_t j = 0; j < s.keys; ++j) {
        if (!p.sees(i, j)) continue;
        seen.push_back(j);
        logits.push_back(logits_of(p, i, j));
    }
    for (std::int64_t h = 0; h < s.heads; ++h) {
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (const auto& cell : logits) most = std::max(most, cell[place(h)]);
        for (const auto& cell : logits) sum += std::exp(cell[place(h)] - most);
        answer.log_normaliser[place(h * s.queries + i)] = seen.empty() ? most : most + std::log(sum);
        for (std::size_t n = 0; n < seen.size(); ++n) {
            const float* value = p.v.data() + (h / (s.heads / s.key_heads) * s.keys + seen[n]) * s.width;
            for (std::int64_t c = 0; c < s.width; ++c) {
                answer.output[place((h * s.queries + i) * s.width + c)] += std::exp(logits[n][place(h)] - most) / sum * static_cast<double>(value[c]);
            }
        }
    }
}

Answer by_loops(const Problem& p) {
    Answer answer{std::vector<double>(place(p.size.heads * p.size.queries * p.size.width)), std::vector<double>(place(p.size.heads * p.size.queries)), {}};
    for (std::int64_t i = 0; i < p.size.queries; ++i) add_row(p, i, answer);
    return answer;
}

/// The largest difference, as a share of the largest value or of 1; infinite where one of two is no finite number and they differ.
double relative(const std::vector<double>& got, const std::vector<double>& wanted) {
    double difference = 0, largest = 1;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (got[i] == wanted[i]) continue;
        const auto apart = std::abs(got[i] - wanted[i]);
        difference = std::isfinite(apart) ? std::max(difference, apart) : std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(wanted[i]));
    }
    return difference / largest;
}

/// The counts of the instruction set that folded least.
FoldingCounts expect_loops(const Problem& p, double tolerance = 2e-5) {
    const auto wanted = by_loops(p);
    FoldingCounts least{p.size.keys * p.size.queries, p.size.keys * p.size.queries, p.size.keys * p.size.queries};
    for (const auto& target : machine_targets()) {
        const TargetScope scope(target);
        const auto got = computed(p);
        CAPTURE(target, p.size.heads, p.size.hidden, p.size.queries, p.size.keys);
        CHECK(relative(got.output, wanted.output) < tolerance);
        CHECK(relative(got.log_normaliser, wanted.log_normaliser) < tolerance);
        least = {std::min(least.parts, got.folding.parts), std::min(least.folded, got.folding.folded), std::min(least.turning, got.folding.turning)};
    }
    return least;
}

double falling(std::int64_t head, double distance) { return -distance * std::exp2(-static_cast<double>(head % 6) - 1); }
double slowly(std::int64_t head, double distance) { return -(0.3 + 0.4 * static_cast<double>(head % 4)) * std::log1p(0.3 * distance); }
/// Some heads far below, some far above zero.
double apart(std::int64_t head, double distance) { return (head % 2 == 0 ? -6 : 6) * std::log1p(distance); }
/// Table entries turn their signs now and then, inside tiles.
double waving(std::int64_t head, double distance) { return 60 * std::sin(0.004 * static_cast<double>(head + 1) * distance); }
/// No entry turns its sign, so that units fold next to the query's own key too.
double level(std::int64_t head, double /*distance*/) { return head % 2 == 0 ? -4 : 3; }
const std::vector<std::pair<std::string, Bias>> kBiases{{"falling", falling}, {"slowly", slowly}, {"apart", apart}, {"waving", waving}, {"level", level}};

/// Causal limits, for tests that change them.
void see_past(Problem& p) {
    for (std::int64_t i = 0; i < p.size.queries; ++i) {
        p.begin.push_back(0);
        p.end.push_back(p.before() + i + 1);
    }
}

}  // namespace

TEST_CASE("folded units of DAPE's network give the numbers of plain loops over every kind of table", "[attention][kernels]") {
    for (const auto& [name, bias] : kBiases) {
        CAPTURE(name);
        CHECK(expect_loops(random_problem({.key_heads = 2}, bias)).folded > 0);
        auto concat = random_problem({.key_heads = 2}, bias);
        concat.adds_bias = false;
        CHECK(expect_loops(concat).folded > 0);
        auto bias_only = random_problem({.key_heads = 2}, bias);
        bias_only.reads_content = false;
        const auto of_bias = expect_loops(bias_only);
        CHECK(of_bias.folded == of_bias.parts);
        auto sums = random_problem({.key_heads = 2}, bias);
        sums.w1_content = sums.w1_bias;
        CHECK(expect_loops(sums).folded > 0);
    }
}

TEST_CASE("units whose sign turns with the distance are computed beside folded ones, also where all scores are zero", "[attention][kernels]") {
    for (const auto& bias : {Bias(falling), Bias(waving)}) {
        auto p = random_problem({}, bias);
        CHECK(expect_loops(p).turning > 0);
        auto some = p;
        for (std::int64_t h = 0; h < p.size.heads; ++h) std::fill_n(some.q.begin() + (h * p.size.queries + 21) * p.size.width, 8 * p.size.width, 0.0f);
        CHECK(expect_loops(some).turning > 0);
        for (auto& value : p.q) value *= 1e-24f;
        CHECK(expect_loops(p).turning > 0);
        std::fill(p.q.begin(), p.q.end(), 0.0f);
        CHECK(expect_loops(p).turning > 0);
    }
}

TEST_CASE("units fold for any number of heads and hidden units, and any slope", "[attention][kernels]") {
    for (const std::int64_t heads : {1, 2, 3, 5, 8, 9, 12}) {
        for (const std::int64_t hidden : {1, 3, 8, 33}) {
            CAPTURE(heads, hidden);
            // So few units for so many heads are cheaper computed.
            const bool pays = hidden >= 8 || heads <= (hidden == 1 ? 2 : 5);
            const auto counts = expect_loops(random_problem({.heads = heads, .key_heads = heads, .hidden = hidden, .queries = 41, .keys = 420, .width = 4}, apart));
            CHECK((counts.folded > 0) == pays);
        }
    }
    for (const float slope : {0.0f, 0.3f, 1.0f}) {
        auto p = random_problem({}, slowly);
        p.slope = slope;
        CHECK(expect_loops(p).folded > 0);
    }
}

TEST_CASE("texts around the length where folding begins, and few queries after many keys", "[attention][kernels]") {
    for (const std::int64_t length : {191, 192, 193, 385}) {
        CHECK((expect_loops(random_problem({.queries = length, .keys = length}, apart)).folded > 0) == (length > 192));
    }
    for (const std::int64_t queries : {1, 9}) CHECK(expect_loops(random_problem({.queries = queries, .keys = 1001}, falling)).folded > 0);
}

TEST_CASE("a unit folds as long as no score can turn its sign, and is computed where one does", "[attention][kernels]") {
    // All heads have one score s = ±m, and W1 reads their sum: Cauchy and Schwarz' bound of H w m is what it comes to.
    constexpr float kScore = 3, kWeight = 0.25f;
    for (const std::int64_t heads : {4, 8}) {
        auto p = random_problem({.heads = heads, .key_heads = heads, .hidden = 16}, slowly);
        const float bound = static_cast<float>(heads) * kWeight * kScore;
        std::fill(p.q.begin(), p.q.end(), kScore / std::sqrt(static_cast<float>(p.size.width)));
        for (std::int64_t h = 0; h < heads; ++h) {
            for (std::int64_t j = 0; j < p.size.keys; ++j) {
                std::fill_n(p.k.begin() + (h * p.size.keys + j) * p.size.width, p.size.width, (j * j) % 7 < 4 ? 1.0f : -1.0f);
            }
        }
        std::fill(p.w1_content.begin(), p.w1_content.end(), kWeight);
        std::fill(p.w1_bias.begin(), p.w1_bias.end(), 0.0f);
        const Floats shares{0.5f, 0.9f, 0.999f, 1.0f, 1.001f, 1.1f, 2.0f, 3.0f};  // of the bound, on both sides of zero
        for (std::size_t u = 0; u < p.b1.size(); ++u) p.b1[u] = (u % 2 == 0 ? 1.0f : -1.0f) * shares[u / 2] * bound;
        CHECK(expect_loops(p).folded > 0);
    }
}

TEST_CASE("units fold under windows, sinks and rows that see nothing or everything", "[attention][kernels]") {
    for (const auto& [window, sinks] : std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 0}, {90, 0}, {90, 7}, {230, 100}}) {
        auto p = random_problem({.queries = 250, .keys = 430}, apart);
        see_past(p);
        for (std::size_t i = 0; i < p.begin.size(); ++i) p.begin[i] = std::max<std::int64_t>(0, p.end[i] - window);
        p.sinks = sinks;
        CHECK((expect_loops(p).folded > 0) == (window > 1));
    }
    auto everything = random_problem({.queries = 250, .keys = 430}, apart);
    see_past(everything);
    std::fill(everything.end.begin(), everything.end.end(), everything.size.keys);
    CHECK(expect_loops(everything).folded > 0);
    auto nothing = random_problem({.queries = 430, .keys = 430}, apart);
    see_past(nothing);
    std::fill_n(nothing.end.begin(), 300, std::int64_t{0});
    CHECK(expect_loops(nothing).folded > 0);
}

TEST_CASE("large scores open units instead of folding them", "[attention][kernels]") {
    expect_loops(random_problem({}, apart, 30), 1e-4);
    // Rounding a logit of 1e4 to float32 moves its weight by a thousandth.
    expect_loops(random_problem({}, slowly, 3e3), 2e-2);
}

TEST_CASE("a NaN score reaches all heads of the rows that read it through folded units, and no other row", "[attention][kernels]") {
    for (const auto& target : machine_targets()) {
        const TargetScope scope(target);
        auto p = random_problem({.queries = 430, .keys = 430}, apart);
        p.k[place((1 * p.size.keys + 203) * p.size.width)] = kNaN;
        const auto got = computed(p);
        CAPTURE(target);
        for (std::int64_t h = 0; h < p.size.heads; ++h) {
            const auto row = [&](std::int64_t i) { return got.output[place((h * p.size.queries + i) * p.size.width)]; };
            std::int64_t before = 0, after = 0;
            for (std::int64_t i = 0; i < 203; ++i) before += std::isnan(row(i)) ? 1 : 0;
            for (std::int64_t i = 203; i < 430; ++i) after += std::isnan(row(i)) ? 1 : 0;
            CHECK(before == 0);
            CHECK(after == 430 - 203);
        }
    }
}

TEST_CASE("in a text of one length, which units fold for a row depends on no later key and no other query", "[attention][kernels]") {
    for (const auto& target : machine_targets()) {
        const TargetScope scope(target);
        for (const auto& [name, bias] : kBiases) {
            const auto p = random_problem({.queries = 430, .keys = 430}, bias);
            auto changed = p;
            for (std::int64_t h = 0; h < p.size.heads; ++h) {
                for (std::int64_t i = (h * 430 + 301) * p.size.width; i < (h + 1) * 430 * p.size.width; ++i) {
                    changed.q[place(i)] *= 9;
                    changed.k[place(i)] *= 5;
                }
            }
            const auto first = computed(p).output, second = computed(changed).output;
            CAPTURE(target, name);
            for (std::int64_t h = 0; h < p.size.heads; ++h) {
                const auto from = h * 430 * p.size.width;
                CHECK(std::equal(first.begin() + from, first.begin() + from + 301 * p.size.width, second.begin() + from));
            }
        }
    }
}
