/// The findings of a report in words: one sentence for lengths next to each other at which a pair has one outcome.
#include "tests/support/catch_torch.h"

#include "core/study/report_sentences.h"

using namespace lw;

namespace {

using Sentences = std::vector<std::string>;

/// a against b with an interval of the ratio and a corrected p; 3 seeds, 48 documents.
Comparison compared(const std::string& a, const std::string& b, std::int64_t length, const std::vector<double>& ratio_low_high, double p) {
    Comparison c;
    c.a = a;
    c.b = b;
    c.length = length;
    c.ratio = ratio_low_high.at(0);
    c.low = ratio_low_high.at(1);
    c.high = ratio_low_high.at(2);
    c.corrected_p = p;
    c.seeds_a = c.seeds_b = 3;
    c.units = "48 documents";
    return c;
}

}  // namespace

TEST_CASE("one length is said with its interval, p and effect", "[study][report]") {
    Comparison c = compared("DAPE-Kerple", "Kerple", 2048, {0.959, 0.948, 0.97}, 0.003);
    c.effect = -3.1;
    CHECK(sentence_of(c, {}) == "DAPE-Kerple is lower than Kerple at 2,048 by 4.1 % [3.0, 5.2], p = 0.003, 3 seeds, 48 documents, Hedges' g = -3.10.");
    CHECK(pair_findings({c}, {2048}, {}).at(0).findings == Sentences{sentence_of(c, {})});
    c.corrected_p = 0.0001;
    CHECK_THAT(sentence_of(c, {}), Catch::Contains("], p < 0.001, 3 seeds"));
}

TEST_CASE("losses that are equal to the last digit are not said to lack an interval", "[study][report]") {
    Comparison c = compared("A", "B", 128, {1, 1, 1}, 0.8);
    CHECK_THAT(sentence_of(c, {}), Catch::Contains("0.0 %, p = 0.800"));
    CHECK_THAT(sentence_of(c, {}), !Catch::Contains("no interval"));
    c.corrected_p = -1;
    CHECK(sentence_of(c, {}) == "A and B are equal at 128, 3 seeds (no test over seeds), 48 documents.");
}

TEST_CASE("lengths next to each other with one outcome are one sentence, with the range of per cent and of p", "[study][report]") {
    const auto pairs = pair_findings({compared("DAPE-Kerple", "Kerple", 128, {0.99, 0.985, 0.995}, 0.2),
                                      compared("DAPE-Kerple", "Kerple", 256, {0.97, 0.96, 0.98}, 0.02),
                                      compared("DAPE-Kerple", "Kerple", 512, {0.96, 0.95, 0.975}, 0.003),
                                      compared("DAPE-Kerple", "Kerple", 1024, {0.95, 0.94, 0.96}, 0.0004),
                                      compared("Kerple", "DAPE-Kerple", 2048, {0.9, 0.88, 0.92}, 0.01)},
                                     {128, 256, 512, 1024, 2048}, {});
    REQUIRE(pairs.size() == 1);
    CHECK(pairs[0].title == "DAPE-Kerple and Kerple");
    CHECK(pairs[0].findings ==
          Sentences{"DAPE-Kerple and Kerple do not differ significantly at 128: DAPE-Kerple lower by 1.0 % [0.5, 1.5], p = 0.200, 3 seeds, 48 documents.",
                    "DAPE-Kerple is lower than Kerple at 256 to 1,024 by 3.0 to 5.0 % (intervals within [2.0, 6.0]), p < 0.001 to 0.020, 3 seeds, 48 documents.",
                    "Kerple is lower than DAPE-Kerple at 2,048 by 10.0 % [8.0, 12.0], p = 0.010, 3 seeds, 48 documents."});
}

TEST_CASE("pairs that take turns from length to length are put together", "[study][report]") {
    const auto pairs = pair_findings({compared("A", "B", 128, {0.9, 0.8, 0.95}, 0.5), compared("A", "C", 128, {0.9, 0.8, 0.95}, 0.5),
                                      compared("A", "B", 256, {0.9, 0.8, 0.95}, 0.5), compared("C", "A", 256, {0.9, 0.8, 0.95}, 0.5)},
                                     {128, 256}, {});
    REQUIRE(pairs.size() == 2);
    CHECK(pairs[0].findings == Sentences{"A and B do not differ significantly at 128 and 256: A lower by 10.0 % (intervals within [5.0, 20.0]), p = 0.500, 3 seeds, 48 documents."});
    CHECK(pairs[1].title == "A and C");
    CHECK(pairs[1].findings.size() == 2);
}

TEST_CASE("a length between two that was not compared, other seeds and other documents keep lengths apart", "[study][report]") {
    std::vector<Comparison> all{compared("A", "B", 128, {0.9, 0.8, 0.95}, 0.5), compared("A", "B", 512, {0.9, 0.8, 0.95}, 0.5)};
    CHECK(pair_findings(all, {128, 256, 512}, {}).at(0).findings.size() == 2);
    CHECK(pair_findings(all, {128, 512}, {}).at(0).findings.size() == 1);
    all[1].seeds_b = 2;
    CHECK(pair_findings(all, {128, 512}, {}).at(0).findings.size() == 2);
    all[1].seeds_b = 3;
    all[1].units = "12 documents";
    CHECK(pair_findings(all, {128, 512}, {}).at(0).findings.size() == 2);
}

TEST_CASE("ranges of large ratios are said in times, and those without interval or test say so", "[study][report]") {
    const auto times = pair_findings({compared("A", "B", 128, {4, 3.5, 5}, 0.01), compared("A", "B", 256, {6, 5, 8}, 0.02)}, {128, 256}, {});
    CHECK(times.at(0).findings == Sentences{"A is 4.0 to 6.0 times (intervals within [3.5, 8.0]) as high as B at 128 and 256, p = 0.010 to 0.020, 3 seeds, 48 documents."});
    std::vector<Comparison> untested{compared("A", "B", 128, {0.9, 0.9, 0.9}, -1), compared("A", "B", 256, {0.8, 0.8, 0.8}, -1)};
    for (Comparison& c : untested) c.seeds_a = c.seeds_b = 1;
    CHECK(pair_findings(untested, {128, 256}, {}).at(0).findings ==
          Sentences{"A and B were not tested at 128 and 256: A lower by 10.0 to 20.0 % (no interval), 1 seed (no test over seeds), 48 documents."});
}
