#include "tests/core/data/data_folders.h"

#include "core/api/doctor.h"
#include "core/data/files.h"
#include "core/data/source.h"
#include "core/data/tokenizers.h"

#include <algorithm>
#include <stop_token>

using namespace lw;
using Catch::Matchers::Contains;

namespace {

std::string sample(const std::string& name) { return read_document_text(whole_sample(name)).text; }

std::string model_of(const std::string& text, std::int64_t vocabulary) {
    bool given = false;
    return train_bpe(
        [&](std::string& next) {
            if (given) return false;
            next = text;
            return given = true;
        },
        vocabulary);
}

const std::string& english_model() {
    static const std::string model = model_of(sample("lighthouse"), 600);
    return model;
}

std::string round_trip(const Tokenizer& tokenizer, const std::string& text) { return tokenizer.decode(tokenizer.encode(text)); }

const std::vector<std::string>& hard_texts() {
    using namespace std::string_literals;
    static const std::vector<std::string> texts = {
        "Plain English, with punctuation; and \"quotes\".", "茶路，一百二十天。", "emoji 😀👩‍🚀 and accents: naïve Ångström",
        "two\r\nlines\rand\n\nmore\n", "  leading, trailing and   inner spaces  ", "\ttabs\tand\v\f controls", "a literal ▁ mark and ⏎",
        "<unk> <s> </s> <0x41> are only text", "broken \xff\xe4\xb8 bytes \xc0\xaf", "a zero\0byte"s, "\xef\xbb\xbf" "bom", " ", "\n", ""};
    return texts;
}

}  // namespace

TEST_CASE("bytes decode to the text they were made from", "[data]") {
    const auto tokenizer = byte_tokenizer();
    for (const auto& text : hard_texts()) {
        CHECK(round_trip(*tokenizer, text) == text);
        CHECK(tokenizer->encode(text).size() == text.size());
    }
}

TEST_CASE("learning a vocabulary ends when it is asked to stop, and what it left behind disturbs no later one", "[data]") {
    std::stop_source source;
    bool given = false;
    const auto next = [&](std::string& text) {
        if (given) return false;
        text = sample("lighthouse");
        source.request_stop();  // the last thing before SentencePiece begins
        return given = true;
    };
    try {
        (void)train_bpe(next, 600, source.get_token());
        FAIL("was not cancelled");
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::cancelled);
    }
    CHECK(model_of(sample("lighthouse"), 600) == english_model());
}

TEST_CASE("bpe decodes every text to itself", "[data]") {
    const auto tokenizer = bpe_tokenizer(english_model(), "model");
    for (const auto& text : hard_texts()) CHECK(round_trip(*tokenizer, text) == text);
    for (const char* name : {"lighthouse", "recall", "tea-road"}) CHECK(round_trip(*tokenizer, sample(name)) == sample(name));
}

TEST_CASE("a bpe vocabulary of Chinese keeps room for merges", "[data]") {
    const std::string text = sample("tea-road");
    const auto tokenizer = bpe_tokenizer(model_of(text, 500), "model");
    CHECK(tokenizer->size() == 500);
    CHECK(round_trip(*tokenizer, text) == text);
    for (const auto& hard : hard_texts()) CHECK(round_trip(*tokenizer, hard) == hard);  // the text has no space: its vocabulary neither
    CHECK(tokenizer->encode(text).size() < text.size() * 2 / 3);  // one byte per token would be text.size()
    bool merged = false;
    for (std::int64_t id = 0; id < tokenizer->size(); ++id) {
        const std::int64_t one[] = {id};
        merged = merged || tokenizer->decode(one).size() >= 6;
    }
    CHECK(merged);
}

TEST_CASE("bpe writes its own training text in fewer tokens than bytes", "[data]") {
    const auto tokenizer = bpe_tokenizer(english_model(), "model");
    CHECK(tokenizer->size() == 600);
    CHECK(tokenizer->encode(sample("lighthouse")).size() < sample("lighthouse").size() / 2);
}

TEST_CASE("the same text gives the same bpe model byte for byte", "[data]") {
    CHECK(model_of(sample("lighthouse"), 600) == english_model());
    CHECK(model_of(sample("recall"), 600) != english_model());
}

TEST_CASE("every token has a printable form of one line", "[data]") {
    for (const auto& tokenizer : {byte_tokenizer(), bpe_tokenizer(english_model(), "model")}) {
        for (std::int64_t id = 0; id < tokenizer->size(); ++id) {
            const std::string piece = tokenizer->piece(id);
            CHECK(!piece.empty());
            CHECK(piece.find_first_of(" \n\r\t") == std::string::npos);
        }
    }
    const auto bytes = byte_tokenizer();
    CHECK(bytes->piece(' ') == "▁");
    CHECK(bytes->piece('\n') == "⏎");
    CHECK(bytes->piece(0xE4) == "⟨e4⟩");
    CHECK(bytes->piece('a') == "a");
}

TEST_CASE("a newline is one token of its own", "[data]") {
    const auto tokenizer = bpe_tokenizer(english_model(), "model");
    const auto ids = tokenizer->encode("the sea\n\nthe sea");
    CHECK(std::count(ids.begin(), ids.end(), tokenizer->encode("\n").front()) == 2);
    CHECK(tokenizer->piece(tokenizer->encode("\n").front()) == "⏎");
}

TEST_CASE("a saved tokenizer comes back as the same one", "[data]") {
    const DataFolders folders;
    for (const auto& tokenizer : {byte_tokenizer(), bpe_tokenizer(english_model(), "model")}) {
        tokenizer->save(folders.path());
        const auto loaded = load_tokenizer(folders.path());
        CHECK(loaded->id() == tokenizer->id());
        CHECK(loaded->encode("The light is never late.") == tokenizer->encode("The light is never late."));
    }
}

TEST_CASE("a foreign or damaged tokenizer is refused with its file's name", "[data]") {
    const DataFolders folders;
    bpe_tokenizer(english_model(), "model")->save(folders.path());
    SECTION("cut off") {
        write_whole_file(folders.path() / "tokenizer.model", english_model().substr(0, 1000));
        CHECK_THAT(failure_of([&] { load_tokenizer(folders.path()); }, ErrorKind::corrupt_file), Contains("tokenizer.model"));
    }
    SECTION("of another run") {
        write_whole_file(folders.path() / "tokenizer.model", model_of(sample("recall"), 600));
        CHECK_THAT(failure_of([&] { load_tokenizer(folders.path()); }, ErrorKind::corrupt_file), Contains("is not the tokenizer"));
    }
    SECTION("not JSON") {
        write_whole_file(folders.path() / "tokenizer.json", "{\"kind\": \"bp");
        CHECK_THAT(failure_of([&] { load_tokenizer(folders.path()); }, ErrorKind::corrupt_file), Contains("tokenizer.json"));
    }
    SECTION("absent") {
        std::filesystem::remove(folders.path() / "tokenizer.json");
        CHECK_THAT(failure_of([&] { load_tokenizer(folders.path()); }, ErrorKind::not_found), Contains("tokenizer.json"));
    }
}

TEST_CASE("a vocabulary that cannot be is refused with its bounds", "[data]") {
    CHECK_THAT(failure_of([] { model_of("some text", 100); }, ErrorKind::invalid_argument), Contains("320"));
    CHECK_THAT(failure_of([] { model_of("too little text for so many pieces", 5000); }, ErrorKind::invalid_argument), Contains("5000"));
    CHECK_THAT(failure_of([] { model_of("\n\n\n", 400); }, ErrorKind::invalid_argument), Contains("no characters"));
}

TEST_CASE("tokens outside the vocabulary are refused", "[data]") {
    const std::int64_t far[] = {600};
    CHECK_THAT(failure_of([&] { static_cast<void>(bpe_tokenizer(english_model(), "model")->decode(far)); }, ErrorKind::invalid_argument), Contains("600"));
    CHECK_THAT(failure_of([&] { static_cast<void>(byte_tokenizer()->decode(far)); }, ErrorKind::invalid_argument), Contains("600"));
}
