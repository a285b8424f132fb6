/// Curves over seeds and comparisons between runs.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"

#include "core/evaluation/comparison.h"

using namespace lw;
using namespace lw::test;

namespace {

/// A run whose loss is that of the mock plus `shift`, growing with length by `slope` for each doubling of 64.
EvaluatedRun run_with(const std::string& title, const std::string& id, double shift, double wobble = 0, std::vector<std::int64_t> lengths = {64, 256}) {
    const NumberedDocuments text({4000, 3000, 2500});
    EvaluationJob job = job_for(text, "last-k", lengths);
    job.head.run = id;
    job.head.protocol.bootstrap = 400;
    MockScorer scorer([=](std::int64_t token, std::int64_t context) {
        return MockLoss{}(token, context) + shift + wobble * std::sin(static_cast<double>(token));
    });
    // "k2" has seed 2.
    return {title, "group of " + title, "byte", 64, run_evaluation(job, scorer), static_cast<std::uint64_t>(id.back() - '0')};
}

std::string refusal(const std::vector<EvaluatedRun>& runs) {
    try {
        (void)compare_groups(runs);
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::invalid_argument);
        return failure.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a run's line is its points with the bootstrap interval", "[curves]") {
    const EvaluatedRun run = run_with("Kerple", "k1", 0);
    const auto lines = curve_lines({run}, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].seeds == 1);
    CHECK(lines[0].length == std::vector<double>{64, 256});
    CHECK(lines[0].value[0] == run.evaluation.points[0].perplexity);
    CHECK(lines[0].low[1] == run.evaluation.points[1].low);
    CHECK(lines[0].tokens[0] == static_cast<double>(run.evaluation.points[0].tokens));
    CHECK(lines[0].band == "95 % bootstrap over 32 places of 3 documents");
}

TEST_CASE("a line's band names the unit that was resampled, not the documents that happen to be as many", "[curves]") {
    EvaluatedRun run = run_with("Kerple", "k1", 0);
    run.evaluation.documents.resize(run.evaluation.points.back().document_loss.size(), "doc/x");
    CHECK(contains(curve_lines({run}, true).front().band, "places of"));
    run.evaluation.unit = "document";
    CHECK(curve_lines({run}, true).front().band == "95 % bootstrap over 32 documents");
}

TEST_CASE("seeds of a recipe become one line with a t interval on log perplexity", "[curves]") {
    const std::vector<EvaluatedRun> runs = {run_with("Kerple", "k1", 0.00), run_with("RoPE", "r1", 0.5), run_with("Kerple", "k2", 0.02), run_with("Kerple", "k3", 0.04)};
    const auto lines = curve_lines(runs, true);
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].runs == std::vector<std::string>{"k1", "k2", "k3"});
    CHECK(lines[0].seeds == 3);
    CHECK(lines[0].band == "95 % t interval over 3 seeds");
    const double middle = runs[2].evaluation.points[0].perplexity;
    CHECK(lines[0].value[0] == Approx(middle).epsilon(1e-9));
    // Three values 0.02 apart: deviation 0.02, t(2) at 97.5 % is 4.302653.
    CHECK(std::log(lines[0].high[0] / middle) == Approx(4.302653 * 0.02 / std::sqrt(3.0)).epsilon(1e-5));
    CHECK(std::log(lines[0].low[0] / middle) == Approx(-4.302653 * 0.02 / std::sqrt(3.0)).epsilon(1e-5));
    CHECK(curve_lines(runs, false).size() == 4);
}

TEST_CASE("grouping keeps the lengths that all seeds have and never moves them", "[curves]") {
    const auto lines = curve_lines({run_with("Kerple", "k1", 0, 0, {64, 256}), run_with("Kerple", "k2", 0.1, 0, {64, 128, 256})}, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].length == std::vector<double>{64, 256});
}

TEST_CASE("a recipe trained twice with one seed is one experiment, not two seeds", "[curves][compare]") {
    std::vector<EvaluatedRun> runs = {run_with("Kerple", "k1", 0), run_with("Kerple", "k1", 0)};
    runs.back().demo = true;
    const auto lines = curve_lines(runs, true);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].seeds == 1);
    CHECK(lines[0].low[0] == runs[0].evaluation.points[0].low);
    CHECK(contains(lines[0].band, "bootstrap"));
    runs.push_back(run_with("DAPE-Kerple", "d1", -0.05));
    CHECK(compare_groups(runs)[0].seeds_b == 1);
    runs.push_back(run_with("Kerple", "k2", 0.1));
    CHECK(curve_lines(runs, true)[0].band == "95 % t interval over 2 seeds");
}

TEST_CASE("lines of one title are told apart by what differs", "[curves][compare]") {
    const auto titles = [](const std::vector<EvaluatedRun>& runs, bool group_seeds = true) {
        std::vector<std::string> all;
        for (const auto& line : curve_lines(runs, group_seeds)) all.push_back(line.title);
        return all;
    };
    std::vector<EvaluatedRun> runs = {run_with("ALiBi", "a1", 0), run_with("ALiBi", "a1", 0.1), run_with("RoPE", "r1", 0)};
    runs[1].group = "another recipe";
    CHECK(titles(runs) == std::vector<std::string>{"ALiBi, a1", "ALiBi, a1", "RoPE"});
    runs[0].demo = true;
    CHECK(titles(runs) == std::vector<std::string>{"ALiBi, demo", "ALiBi", "RoPE"});
    CHECK(compare_groups(runs)[0].b == "ALiBi, demo");
    runs[0].demo = false;
    runs[1].train_length = 1024;
    CHECK(titles(runs) == std::vector<std::string>{"ALiBi, L = 64", "ALiBi, L = 1,024", "RoPE"});
    CHECK(titles({run_with("ALiBi", "a1", 0), run_with("ALiBi", "a2", 0)}, false) == std::vector<std::string>{"ALiBi, seed 1", "ALiBi, seed 2"});
}

TEST_CASE("a lower run is said to be lower, with per cent, interval and seeds", "[compare]") {
    const auto compared = compare_groups({run_with("Kerple", "k1", 0, 0.1), run_with("DAPE-Kerple", "d1", -0.0418)});
    REQUIRE(compared.size() == 2);
    const Comparison& c = compared[0];
    CHECK(c.a == "DAPE-Kerple");
    CHECK(c.b == "Kerple");
    CHECK(c.length == 64);
    CHECK(c.ratio < 1);
    CHECK(c.low < c.ratio);
    CHECK(c.ratio < c.high);
    CHECK(c.high < 1);
    CHECK(c.welch_p == -1);
    CHECK(contains(c.sentence, "DAPE-Kerple is lower than Kerple at 64 by 4."));
    CHECK(contains(c.sentence, "95 % paired bootstrap over 32 places of 3 documents"));
    CHECK(contains(c.sentence, "1 seed each, too few to test over seeds"));
}

TEST_CASE("a comparison names what its protocol measures", "[compare]") {
    for (const auto& [protocol, quantity] : {std::pair{"last-k", "perplexity"}, {"longppl", "LongPPL"}}) {
        for (const std::int64_t bootstrap : {0, 400}) {
            std::vector<EvaluatedRun> runs = {run_with("Kerple", "k1", 0), run_with("Kerple", "k2", 0.1), run_with("ALiBi", "a1", 0), run_with("ALiBi", "a2", 0.1)};
            for (EvaluatedRun& run : runs) {
                run.evaluation.protocol.protocol = protocol;
                run.evaluation.protocol.bootstrap = bootstrap;
            }
            const std::string sentence = compare_groups(runs).front().sentence;
            CAPTURE(sentence);
            CHECK(contains(sentence, std::string(": ") + quantity + " ratio 1.0000"));
            CHECK(contains(sentence, std::string("Welch's test on log ") + quantity + " p ="));
        }
    }
}

TEST_CASE("a perplexity many times as high is said in times, not in thousands of per cent", "[compare]") {
    const auto compared = compare_groups({run_with("Kerple", "k1", 0, 0.1), run_with("NoPE", "n1", 3.3)});
    REQUIRE(compared.size() == 2);
    CHECK(contains(compared[0].sentence, "NoPE is 2"));
    CHECK(contains(compared[0].sentence, " times ["));
    CHECK(contains(compared[0].sentence, "] as high as Kerple at 64"));
    Comparison plain;
    plain.ratio = plain.low = plain.high = 27.72;
    CHECK(times_words(plain) == "27.7 times as high as");
}

TEST_CASE("the direction of a comparison follows the perplexities", "[compare]") {
    const auto compared = compare_groups({run_with("A", "a", 0), run_with("B", "b", std::log(1.25), 0.01)});
    CHECK(compared[0].ratio == Approx(1.25).epsilon(1e-2));
    CHECK(contains(compared[0].sentence, "B is higher than A at 64 by 2"));
}

TEST_CASE("runs that differ by chance only are not called different", "[compare]") {
    const auto compared = compare_groups({run_with("A", "a", 0), run_with("B", "b", 0, 0.5)});
    CHECK(contains(compared[0].sentence, "do not differ clearly at 64"));
    CHECK(compared[0].low <= 1);
    CHECK(compared[0].high >= 1);
}

TEST_CASE("groups of seeds are tested over seeds too", "[compare]") {
    const auto compared = compare_groups({run_with("Kerple", "k1", 0.0), run_with("Kerple", "k2", 0.02), run_with("Kerple", "k3", 0.04),
                                          run_with("DAPE-Kerple", "d1", -0.1), run_with("DAPE-Kerple", "d2", -0.12), run_with("DAPE-Kerple", "d3", -0.14)});
    REQUIRE(compared.size() == 2);
    CHECK(compared[0].seeds_a == 3);
    CHECK(compared[0].seeds_b == 3);
    CHECK(compared[0].ratio == Approx(std::exp(-0.14)).epsilon(1e-9));
    // Difference 0.14, deviation 0.02 on both sides: t = 0.14 / (0.02 sqrt(2/3)) = 8.573, 4 degrees of freedom.
    CHECK(compared[0].welch_p == Approx(0.00101666).epsilon(1e-2));
    CHECK(contains(compared[0].sentence, "weak with so few seeds"));
}

TEST_CASE("groups with the same seeds are tested seed by seed as well", "[compare]") {
    std::vector<EvaluatedRun> runs;
    // Seeds differ much more than the recipes do: only pairs of equal seeds show the difference.
    const double seed_shift[] = {0.0, 0.3, -0.2};
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
        const double wobble = 0.001 * static_cast<double>(seed * seed);
        runs.push_back(run_with("Kerple", "k" + std::to_string(seed), seed_shift[seed]));
        runs.push_back(run_with("DAPE-Kerple", "d" + std::to_string(seed), seed_shift[seed] - 0.05 + wobble));
        runs[runs.size() - 2].seed = runs.back().seed = seed + 1;
    }
    const auto compared = compare_groups(runs);
    CHECK(compared[0].welch_p > 0.5);
    CHECK(contains(compared[0].sentence, "Seed by seed, a paired t test gives p = 0.00"));
    runs.back().seed = 9;
    CHECK_FALSE(contains(compare_groups(runs)[0].sentence, "Seed by seed"));
}

TEST_CASE("perplexities that cannot be paired are refused with the reason", "[compare]") {
    const EvaluatedRun base = run_with("A", "a", 0);
    CHECK(contains(refusal({base, base}), "two different recipes"));
    EvaluatedRun other_tokens = run_with("B", "b", 0);
    other_tokens.tokenizer = "bpe";
    CHECK(contains(refusal({base, other_tokens}), "their tokens differ"));
    CHECK(contains(refusal({base, run_with("B", "b", 0, 0, {64, 512})}), "different places"));
    EvaluatedRun demo = run_with("B", "b", 0, 0, {64, 512});
    demo.demo = true;
    CHECK(contains(refusal({base, demo}), "Evaluate a again with the settings of demo:b: lengths 64, 512"));
    EvaluatedRun other_text = run_with("B", "b", 0);
    other_text.evaluation.source = "elsewhere";
    CHECK(contains(refusal({base, other_text}), "different texts"));
    EvaluatedRun other_counts = run_with("B", "b", 0);
    other_counts.evaluation.points[0].document_tokens[0] += 1;
    CHECK(contains(refusal({base, other_counts}), "different tokens"));
}
