/// Protocols: which tokens are scored with which context, and what is refused.
#include "tests/core/evaluation/golden.h"
#include "tests/core/evaluation/mock_scorer.h"

#include "core/evaluation/protocol.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

using namespace lw;
using namespace lw::test;

namespace {

using TokenPlace = std::pair<std::size_t, std::int64_t>;

/// Scored tokens with how often they were scored.
std::map<TokenPlace, int> scored_tokens(const LengthPlan& plan) {
    std::map<TokenPlace, int> scored;
    for (const Window& window : plan.windows) {
        for (std::int64_t token = window.scored_begin; token < window.end; ++token) ++scored[{window.document, token}];
    }
    return scored;
}

ProtocolRequest request_for(const std::vector<std::int64_t>& documents, const std::vector<std::int64_t>& lengths) {
    ProtocolRequest request;
    for (const std::int64_t tokens : documents) request.documents.push_back({"doc/" + std::to_string(request.documents.size()), tokens});
    request.lengths = lengths;
    request.train_length = lengths.front();
    return request;
}

std::string refusal(const std::string& protocol, const ProtocolRequest& request) {
    try {
        (void)plan_evaluation(protocol, request);
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::invalid_argument);
        return failure.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every protocol file has its line in protocols.def", "[protocol]") {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(LW_SOURCE_DIR "/core/evaluation")) {
        const std::string name = entry.path().stem().string();
        if (entry.path().extension() == ".cpp" && name.rfind("protocol_", 0) == 0) files.insert(name.substr(9));
    }
    std::set<std::string> registered;
    for (const Protocol& protocol : protocols()) {
        std::string file = protocol.id;
        std::replace(file.begin(), file.end(), '-', '_');
        registered.insert(file);
        CHECK_FALSE(protocol.summary.empty());
    }
    CHECK(files == registered);
}

TEST_CASE("a protocol says which settings its windows depend on", "[protocol]") {
    const auto planned = [](const Protocol& protocol, std::int64_t scored, std::int64_t stride) {
        ProtocolRequest request = request_for({4000, 3000, 2600}, {256, 512});
        request.scored = scored;
        request.stride = stride;
        const EvaluationPlan plan = plan_evaluation(protocol.id, request);
        std::vector<std::int64_t> all{plan.scored, plan.stride};
        for (const LengthPlan& length : plan.lengths)
            for (const Window& window : length.windows) all.insert(all.end(), {window.begin, window.end, window.scored_begin});
        return all;
    };
    for (const Protocol& protocol : protocols()) {
        CAPTURE(protocol.id);
        const auto usual = planned(protocol, 16, 8);
        CHECK((planned(protocol, 8, 8) != usual) == protocol.uses.scored);
        CHECK((planned(protocol, 16, 4) != usual) == protocol.uses.stride);
    }
    const auto listed = evaluation_protocols();
    REQUIRE(listed.size() == protocols().size());
    for (std::size_t n = 0; n < listed.size(); ++n) {
        CHECK(listed[n].id == protocols()[n].id);
        CHECK(listed[n].uses_scored == protocols()[n].uses.scored);
        CHECK(listed[n].uses_stride == protocols()[n].uses.stride);
    }
}

TEST_CASE("recipes may name every protocol and no other", "[protocol]") {
    Recipe recipe;
    recipe.scheme = find_scheme("alibi").value();
    recipe.evaluation.protocol = "guess";
    const std::string refused = check_recipe(recipe).error().message;
    std::size_t named = 1;
    for (const char c : refused.substr(0, refused.find(" Did you mean"))) named += c == ',' ? 1 : 0;
    std::size_t known = 0;
    for (const Protocol& protocol : protocols()) {
        CAPTURE(protocol.id);
        // Those that mark key tokens may need another run, which no recipe names.
        known += protocol.marks_keys ? 0 : 1;
        CHECK(contains(refused, protocol.id) != protocol.marks_keys);
        recipe.evaluation.protocol = protocol.id;
        CHECK(check_recipe(recipe).ok() != protocol.marks_keys);
    }
    CHECK(named == known);
}

TEST_CASE("last-k scores the same tokens at every length, each once", "[protocol]") {
    const ProtocolRequest request = request_for({700, 90, 1500, 512, 4000}, {32, 64, 128, 512});
    const EvaluationPlan plan = plan_evaluation("last-k", request);
    REQUIRE(plan.lengths.size() == 4);
    const auto first = scored_tokens(plan.lengths.front());
    for (const LengthPlan& at : plan.lengths) {
        CHECK(scored_tokens(at) == first);
        for (const Window& window : at.windows) {
            CHECK(window.size() == at.length);
            CHECK(window.begin >= 0);
            CHECK(window.scored_begin > window.begin);
            CHECK(window.end <= request.documents[window.document].tokens);
        }
    }
    for (const auto& [token, times] : first) CHECK(times == 1);
    CHECK(static_cast<std::int64_t>(first.size()) == 16 * static_cast<std::int64_t>(plan.lengths.front().windows.size()));
}

TEST_CASE("last-k spreads its places over the documents that are long enough", "[protocol]") {
    ProtocolRequest request = request_for({100000, 50, 100000, 600}, {128, 512});
    request.places = 9;
    const EvaluationPlan plan = plan_evaluation("last-k", request);
    std::map<std::size_t, std::vector<std::int64_t>> ends;
    for (const Window& window : plan.lengths.back().windows) ends[window.document].push_back(window.end);
    CHECK(ends.count(1) == 0);
    CHECK(ends[0].size() == 4);
    CHECK(ends[2].size() == 3);
    CHECK(ends[3].size() == 2);
    CHECK(ends[0].front() == 512);
    CHECK(ends[0].back() == 100000);
    CHECK(ends[3].back() == 600);
}

TEST_CASE("last-k keeps k at half the shortest length unless asked otherwise", "[protocol]") {
    CHECK(plan_evaluation("last-k", request_for({5000}, {128, 1024})).scored == 64);
    CHECK(plan_evaluation("last-k", request_for({5000}, {2048})).scored == 256);
    ProtocolRequest request = request_for({5000}, {32, 64});
    request.scored = 32;
    CHECK(contains(refusal("last-k", request), "at most 31"));
}

TEST_CASE("longppl looks at the tokens of last-k that have more than the short context before them", "[protocol]") {
    ProtocolRequest request = request_for({5000, 4000}, {128, 512});
    const EvaluationPlan usual = plan_evaluation("longppl", request);
    CHECK(usual.short_context == 32);
    CHECK(usual.scored == 64);
    CHECK(usual.stride == 1);
    CHECK(scored_tokens(usual.lengths.front()) == scored_tokens(plan_evaluation("last-k", request).lengths.front()));
    request.short_context = 100;  // of 128 tokens 27 have more before them
    const EvaluationPlan fewer = plan_evaluation("longppl", request);
    CHECK(fewer.scored == 27);
    for (const Window& window : fewer.lengths.front().windows) CHECK(window.scored_begin - window.begin == 101);
    request.scored = 28;
    CHECK(contains(refusal("longppl", request), "score at most 27"));
    request.scored = 0;
    request.stride = 28;  // up to 127 tokens of short context
    CHECK(plan_evaluation("longppl", request).stride == 28);
    request.stride = 29;
    CHECK(contains(refusal("longppl", request), "the stride 29 gives tokens up to 128 of short context"));
    CHECK(contains(refusal("longppl", request), "a stride of at most 28"));
    request.stride = 32;
    request.short_context = 32;
    CHECK(contains(plan_evaluation("longppl", request).line, "against 32 to 63 tokens of context"));
    request.stride = 0;
    request.short_context = 127;
    CHECK(contains(refusal("longppl", request), "at least two tokens longer than the short context of 127 tokens"));
    CHECK(contains(refusal("longppl", request), "lengths from 129 on"));
    request.short_context = 126;
    CHECK(plan_evaluation("longppl", request).scored == 1);
    request.short_context = -1;
    CHECK(contains(refusal("longppl", request), "short context is -1"));
}

TEST_CASE("a length that no document reaches is left out and named", "[protocol]") {
    for (const char* protocol : {"last-k", "dape-paper", "non-overlapping", "sliding", "longppl"}) {
        CAPTURE(protocol);
        const EvaluationPlan plan = plan_evaluation(protocol, request_for({3000, 2000}, {128, 1024, 4096, 16384}));
        REQUIRE(plan.lengths.size() == 2);
        CHECK(contains(plan.lengths.back().warning, "4,096, 16,384 left out: the longest document has 3,000 tokens"));
        CHECK(contains(refusal(protocol, request_for({100, 50}, {128})), "the longest has 100 tokens"));
    }
}

TEST_CASE("a point that rests on few places says so", "[protocol]") {
    const EvaluationPlan plan = plan_evaluation("last-k", request_for({1030, 1024, 300}, {256, 1024}));
    CHECK(contains(plan.lengths.front().warning, "2 places"));
}

TEST_CASE("sliding and non-overlapping windows score the same text at every length", "[protocol]") {
    for (const char* protocol : {"non-overlapping", "sliding"}) {
        CAPTURE(protocol);
        ProtocolRequest request = request_for({1000, 333, 2}, {16, 64, 128});
        const EvaluationPlan plan = plan_evaluation(protocol, request);
        for (const LengthPlan& at : plan.lengths) {
            std::int64_t last = 0;
            for (const auto& [token, times] : scored_tokens(at)) {
                CHECK(times == 1);
                if (token.first == 0) last = token.second;
            }
            CHECK(last == 999);
            for (const Window& window : at.windows) {
                const ScoredPlace& place = at.places[window.place];
                CHECK(place.begin <= window.scored_begin);
                CHECK(window.scored_begin < place.end);
                CHECK(request.documents[window.document].id == place.document);
            }
        }
        CHECK(scored_tokens(plan.lengths.back()).size() > 1300);
    }
}

TEST_CASE("sliding windows really slide: text is never cut to one window", "[protocol]") {
    ProtocolRequest request = request_for({100000}, {64, 512});
    request.places = 1;
    const EvaluationPlan plan = plan_evaluation("sliding", request);
    for (const LengthPlan& at : plan.lengths) CHECK(at.windows.size() > 2);
}

TEST_CASE("a sliding window's tokens have at least T minus stride tokens before them", "[protocol]") {
    for (const std::int64_t stride : {1, 3, 16, 31}) {
        ProtocolRequest request = request_for({500}, {32});
        request.stride = stride;
        const EvaluationPlan plan = plan_evaluation("sliding", request);
        CHECK(plan.lengths.front().windows.size() > 10);
        for (const Window& window : plan.lengths.front().windows) {
            if (window.begin > 0) CHECK(window.scored_begin - window.begin >= 32 - stride);
        }
    }
}

TEST_CASE("the DAPE paper's protocol takes the batches of its code", "[protocol]") {
    const EvaluationPlan plan = plan_evaluation("dape-paper", request_for({600000}, {128, 256, 512, 4096}));
    REQUIRE(plan.lengths.size() == 4);
    CHECK(plan.lengths[0].windows.size() == 20 * 128);
    CHECK(plan.lengths[1].windows.size() == 20 * 64);
    CHECK(plan.lengths[2].windows.size() == 20 * 32);
    CHECK(plan.lengths[3].windows.size() == 20);
    CHECK(plan.lengths[0].windows.front().scored() == 128);
    CHECK(plan.lengths[3].windows.front().scored() == 256);
    CHECK(plan.lengths[3].windows.front().size() == 4097);
}

TEST_CASE("the DAPE paper's protocol says when the text is too short for its batches", "[protocol]") {
    const EvaluationPlan plan = plan_evaluation("dape-paper", request_for({10001}, {128}));
    CHECK(plan.lengths.front().windows.size() == 78);
    CHECK(contains(plan.lengths.front().warning, "78 sequences"));
}

TEST_CASE("a misspelt protocol is refused with the right one", "[protocol]") {
    const std::string sentence = refusal("last-l", request_for({1000}, {64}));
    CHECK(contains(sentence, "last-l"));
    CHECK(contains(sentence, "last-k"));
}

TEST_CASE("requests that make no sense get a sentence", "[protocol]") {
    ProtocolRequest request = request_for({1000}, {64});
    request.places = 0;
    CHECK(contains(refusal("last-k", request), "number of places"));
    request = request_for({1000}, {1});
    CHECK(contains(refusal("last-k", request), "length 1"));
    request = request_for({1000}, {64, std::numeric_limits<std::int64_t>::max()});
    CHECK(contains(refusal("last-k", request), "9,223,372,036,854,775,807 is above 1,048,576"));
    request = request_for({1000}, {64});
    request.stride = std::numeric_limits<std::int64_t>::max();
    CHECK(contains(refusal("longppl", request), "strides end at"));
    request.stride = -1;
    CHECK(contains(refusal("sliding", request), "stride"));
    request.documents.clear();
    CHECK(contains(refusal("sliding", request), "no documents"));
}

TEST_CASE("lengths by default double from the training length to 16,384", "[protocol]") {
    CHECK(default_lengths(4096) == std::vector<std::int64_t>{4096, 8192, 16384});
    CHECK(default_lengths(100) == std::vector<std::int64_t>{100, 200, 400, 800, 1600, 3200, 6400, 12800});
    CHECK(default_lengths(20000) == std::vector<std::int64_t>{20000});
}

TEST_CASE("numbers are written with commas", "[protocol]") {
    CHECK(with_commas(0) == "0");
    CHECK(with_commas(999) == "999");
    CHECK(with_commas(1000) == "1,000");
    CHECK(with_commas(-1234567) == "-1,234,567");
    CHECK(counted(1, "place") == "1 place");
    CHECK(counted(2048, "token") == "2,048 tokens");
}
