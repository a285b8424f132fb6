#include "tests/support/catch_torch.h"

#include "core/lab/sampler.h"
#include "core/lab/text_stream.h"
#include "tests/core/training/tiny_run.h"

#include <map>

using namespace lw;

namespace {

/// Bytes as tokens, decoded as they are.
class Bytes final : public Tokenizer {
public:
    std::vector<std::int64_t> encode(std::string_view text) const override {
        std::vector<std::int64_t> ids;
        for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
        return ids;
    }
    std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const std::int64_t id : ids) text.push_back(static_cast<char>(id));
        return text;
    }
    std::string piece(std::int64_t id) const override { return std::to_string(id); }
    std::int64_t size() const override { return 256; }
    std::string id() const override { return "bytes"; }
    void save(const std::filesystem::path&) const override {}
};

RunInfo trained(const TinyLaboratory& lab, const std::string& scheme, std::int64_t steps = 40) {
    Recipe recipe = lab.recipe(scheme);
    recipe.training.steps = steps;
    recipe.training.batch = 8;
    recipe.training.validate_every = steps;
    return train(recipe, lab.workspace).value();
}

}  // namespace

TEST_CASE("characters are streamed whole", "[generation]") {
    const Bytes tokenizer;
    TextStream stream(tokenizer, tokenizer.encode("a"));
    CHECK(stream.add(0xE2).empty());
    CHECK(stream.add(0x82).empty());
    CHECK(stream.add(0xAC) == "€");
    CHECK(stream.add('b') == "b");
    CHECK(stream.add(0xFF) == "\xEF\xBF\xBD");  // can never become a character
    CHECK(stream.add(0xC3).empty());
    CHECK(stream.finish() == "\xEF\xBF\xBD");
}

TEST_CASE("a prompt that ends inside a character is completed", "[generation]") {
    const Bytes tokenizer;
    TextStream stream(tokenizer, {0xC3});
    CHECK(stream.add(0xA4).find("\xA4") == std::string::npos);
    CHECK(stream.add('x') == "x");
}

TEST_CASE("temperature zero takes the most likely token", "[generation]") {
    Sampler sampler({0, 0, 1.0}, 1);
    CHECK(sampler.next(at::tensor({0.1, 3.0, 2.9})) == 1);
}

TEST_CASE("samples follow the probabilities", "[generation]") {
    Sampler sampler({1.0, 0, 1.0}, 3);
    const at::Tensor logits = at::tensor({0.5, 0.3, 0.2}).log();
    std::map<std::int64_t, int> counts;
    for (int i = 0; i < 3000; ++i) ++counts[sampler.next(logits)];
    CHECK(counts[0] == Approx(1500).margin(120));
    CHECK(counts[1] == Approx(900).margin(110));
    CHECK(counts[2] == Approx(600).margin(100));
}

TEST_CASE("top-k and top-p cut the tail", "[generation]") {
    const at::Tensor logits = at::tensor({0.2, 0.5, 0.3}).log();
    Sampler best_two({1.0, 2, 1.0}, 3), nucleus({1.0, 0, 0.6}, 3), greedy({1.0, 0, 0.1}, 3);
    std::map<std::int64_t, int> by_k, by_p;
    for (int i = 0; i < 300; ++i) {
        ++by_k[best_two.next(logits)];
        ++by_p[nucleus.next(logits)];
        CHECK(greedy.next(logits) == 1);
    }
    CHECK(by_k.count(0) == 0);
    CHECK(by_k.size() == 2);
    CHECK(by_p.count(0) == 0);
    CHECK(by_p.size() == 2);
}

TEST_CASE("sampling settings out of bounds are refused", "[generation]") {
    CHECK_THROWS_WITH(Sampler({-1, 0, 1.0}, 1), Catch::Contains("temperature is -1"));
    CHECK_THROWS_WITH(Sampler({1, -1, 1.0}, 1), Catch::Contains("top_k is -1"));
    CHECK_THROWS_WITH(Sampler({1, 0, 0.0}, 1), Catch::Contains("top_p is 0"));
    CHECK_THROWS_WITH(Sampler({1, 0, 1.5}, 1), Catch::Contains("top_p is 1.5"));
}

TEST_CASE("the cache changes nothing about the text", "[generation]") {
    const TinyLaboratory lab;
    for (const char* scheme : {"alibi", "rope", "dape-kerple", "rope-yarn"}) {
        INFO(scheme);
        const RunInfo run = trained(lab, scheme);
        GenerateRequest request;
        request.run = run.folder;
        request.prompt = "The red ";
        request.tokens = 48;  // past the training length
        std::string streamed;
        request.on_text = [&](const std::string& text) { streamed += text; };
        const Generated cached = generate(request).value();
        CHECK(streamed == cached.text);
        CHECK(cached.tokens == 48);
        CHECK(cached.prompt_tokens == 8);
        request.on_text = {};
        request.cache = false;
        CHECK(generate(request).value().text == cached.text);
        request.seed = 2;
        CHECK(generate(request).value().text != cached.text);
    }
}

TEST_CASE("generating past a table of learned positions is refused with a sentence", "[generation]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "learned", 2);
    GenerateRequest request;
    request.run = run.folder;
    request.prompt = std::string(64, 'x');
    const auto result = generate(request);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message.find("learned position table") != std::string::npos);
    request.prompt = "x";
    request.tokens = 32;
    CHECK(generate(request).value().tokens == 32);
}

TEST_CASE("an empty prompt and a cancelled generation are no errors", "[generation]") {
    const TinyLaboratory lab;
    const RunInfo run = trained(lab, "nope", 2);
    GenerateRequest request;
    request.run = run.folder;
    request.tokens = 5;
    CHECK(generate(request).value().tokens == 5);
    std::stop_source source;
    RunContext context;
    context.stop = source.get_token();
    context.progress = [&](const Progress& progress) {
        if (progress.done >= 2) source.request_stop();
    };
    CHECK(generate(request, context).value().tokens == 2);
    request.tokens = 0;
    CHECK_FALSE(generate(request).ok());
}
