#include "tests/core/data/data_folders.h"

#include "core/data/batch_source.h"
#include "core/data/files.h"
#include "core/data/source.h"
#include "core/data/token_files.h"
#include "core/data/tokenizers.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <stop_token>

using namespace lw;
using Catch::Matchers::Contains;

namespace {

DataSpec byte_data(const std::string& source) {
    DataSpec data;
    data.source = source;
    data.tokenizer = "byte";
    return data;
}

std::string text_of(const at::Tensor& row) {
    std::string text;
    for (std::int64_t t = 0; t < row.numel(); ++t) text += static_cast<char>(row[t].item<std::int64_t>());
    return text;
}

std::filesystem::path newest_with(const std::filesystem::path& folder, const std::string& extension) {
    std::filesystem::path found;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == extension) found = entry.path();
    }
    return found;
}

}  // namespace

TEST_CASE("a batch is a function of seed and index alone", "[data]") {
    const DataFolders folders;
    const auto data = byte_data(folders.write("notes.txt", numbered_lines(2000)).string());
    const auto first = open_batches(data, 7, 64);
    const auto again = open_batches(data, 7, 64);
    static_cast<void>(again->training_batch(3, 4, 64));  // what was drawn before does not matter
    CHECK(at::equal(first->training_batch(5, 4, 64).tokens, again->training_batch(5, 4, 64).tokens));
    CHECK(!at::equal(first->training_batch(5, 4, 64).tokens, first->training_batch(6, 4, 64).tokens));
    CHECK(!at::equal(first->training_batch(5, 4, 64).tokens, open_batches(data, 8, 64)->training_batch(5, 4, 64).tokens));
}

TEST_CASE("targets are the tokens one later", "[data]") {
    const DataFolders folders;
    const auto source = open_batches(byte_data(folders.write("notes.txt", numbered_lines(2000)).string()), 1, 64);
    for (const auto& batch : {source->training_batch(0, 8, 64), source->validation_batch(0, 8, 64)}) {
        REQUIRE(batch.tokens.sizes() == at::IntArrayRef({8, 64}));
        CHECK(at::equal(batch.tokens.slice(1, 1), batch.targets.slice(1, 0, 63)));
    }
}

TEST_CASE("training windows come from the training split and validation windows from theirs", "[data]") {
    const DataFolders folders;
    folders.write("texts/a.txt", std::string(500, 'a'));
    folders.write("texts/b.txt", std::string(500, 'b'));
    folders.write("texts/c.txt", std::string(500, 'c'));
    folders.write("texts/d.txt", std::string(500, 'd'));
    const auto source = open_batches(byte_data((folders.path() / "texts").string()), 1, 50);
    bool spans = false;
    for (std::int64_t i = 0; i < 50; ++i) {
        const auto batch = source->training_batch(i, 4, 50);
        CHECK((batch.tokens <= 'b').all().item<bool>());
        CHECK((source->validation_batch(i, 4, 50).tokens == 'c').all().item<bool>());
        for (std::int64_t row = 0; row < 4; ++row) {
            const auto text = text_of(batch.tokens[row]);
            spans = spans || (text.front() == 'a' && text.back() == 'b');
        }
    }
    CHECK(spans);  // documents follow one another without a gap
}

TEST_CASE("windows are drawn from the whole training split", "[data]") {
    const DataFolders folders;
    std::string text;
    for (int i = 0; i < 1250; ++i) text += static_cast<char>(i / 125 + '0');  // ten stretches, the first eight for training
    const auto source = open_batches(byte_data(folders.write("notes.txt", text).string()), 1, 20);
    std::array<std::int64_t, 8> seen{};
    for (std::int64_t i = 0; i < 40; ++i) {
        const auto firsts = source->training_batch(i, 20, 20).tokens.select(1, 0);
        for (std::int64_t row = 0; row < 20; ++row) ++seen.at(static_cast<std::size_t>(firsts[row].item<std::int64_t>() - '0'));
    }
    for (const std::int64_t count : seen) CHECK(count > 50);  // 100 expected of each
}

TEST_CASE("validation windows are the same for every seed and do not repeat within the split", "[data]") {
    const DataFolders folders;
    const auto data = byte_data(folders.write("notes.txt", numbered_lines(2000)).string());
    const auto one = open_batches(data, 1, 32);
    const auto two = open_batches(data, 2, 32);
    std::set<std::string> windows;
    for (std::int64_t i = 0; i < 8; ++i) {
        const auto batch = one->validation_batch(i, 4, 32);
        CHECK(at::equal(batch.tokens, two->validation_batch(i, 4, 32).tokens));
        for (std::int64_t row = 0; row < 4; ++row) windows.insert(text_of(batch.tokens[row]));
    }
    CHECK(windows.size() == 32);
}

TEST_CASE("a text too short for the length is refused with both numbers", "[data]") {
    const DataFolders folders;
    const auto data = byte_data(folders.write("short.txt", std::string(1000, 'x')).string());
    CHECK_THAT(failure_of([&] { open_batches(data, 1, 4096); }, ErrorKind::invalid_argument), Contains("training split") && Contains("800 tokens") && Contains("4097"));
    CHECK_THAT(failure_of([&] { open_batches(data, 1, 128); }, ErrorKind::invalid_argument), Contains("validation split") && Contains("100 tokens"));
    const auto source = open_batches(data, 1, 64);
    CHECK_THAT(failure_of([&] { static_cast<void>(source->training_batch(0, 1, 900)); }, ErrorKind::invalid_argument), Contains("901"));
}

TEST_CASE("the vocabulary is learned from the training split alone", "[data]") {
    const DataFolders folders;
    folders.write("texts/a.txt", numbered_lines(3000, "alpha beta gamma delta epsilon zeta"));
    folders.write("texts/b.txt", numbered_lines(300, "validation"));
    const auto tests = folders.write("texts/c.txt", numbered_lines(300, "secret"));
    DataSpec data;
    data.source = (folders.path() / "texts").string();
    data.vocabulary = 330;
    const std::string id = open_tokenizer(data)->id();
    std::ofstream(tests) << numbered_lines(3000, "quite different words altogether");
    CHECK(open_tokenizer(data)->id() == id);
    folders.write("texts/a.txt", numbered_lines(3000, "other words for training, and more of them"));
    CHECK(open_tokenizer(data)->id() != id);
}

TEST_CASE("documents hold their text's tokens", "[data]") {
    const DataFolders folders;
    const auto set = open_documents("sample:lighthouse+sample:recall", byte_tokenizer());
    REQUIRE(set->documents().size() == 6);
    for (const auto& document : set->documents()) CHECK(document.bytes == static_cast<std::int64_t>(document.tokens.size()));
    std::string text;
    for (std::size_t i = 3; i < 6; ++i) {
        for (const auto token : set->documents()[i].tokens) text += static_cast<char>(token);
    }
    CHECK(text == read_whole_file(whole_sample("recall").file));
}

TEST_CASE("cached tokens are made again when a text changes", "[data]") {
    const DataFolders folders;
    const auto file = folders.write("notes.txt", std::string(100, 'a'));
    CHECK(open_documents(file.string(), byte_tokenizer())->documents()[0].tokens[0] == 'a');
    std::ofstream(file) << std::string(100, 'b');  // the same size: the time tells
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
    CHECK(open_documents(file.string(), byte_tokenizer())->documents()[0].tokens[0] == 'b');
}

TEST_CASE("a damaged token file is found and made again", "[data]") {
    const DataFolders folders;
    const auto file = folders.write("notes.txt", std::string(100, 'a'));
    static_cast<void>(open_documents(file.string(), byte_tokenizer()));
    const auto tokens = newest_with(folders.path() / "data" / "tokens", ".bin");
    const auto index = newest_with(folders.path() / "data" / "tokens", ".json");
    REQUIRE(std::filesystem::file_size(tokens) == 400);
    SECTION("a changed value") {
        std::string content = read_whole_file(tokens);
        content[40] = 'z';
        write_whole_file(tokens, content);
    }
    SECTION("cut off") { write_whole_file(tokens, read_whole_file(tokens).substr(0, 200)); }
    SECTION("absent") { std::filesystem::remove(tokens); }
    SECTION("index cut off") { write_whole_file(index, read_whole_file(index).substr(0, 100)); }
    SECTION("index of another shape") { write_whole_file(index, "[1, 2]"); }
    const auto set = open_documents(file.string(), byte_tokenizer());
    REQUIRE(set->documents()[0].tokens.size() == 80);
    CHECK(std::all_of(set->documents()[0].tokens.begin(), set->documents()[0].tokens.end(), [](std::int32_t token) { return token == 'a'; }));
}

TEST_CASE("cached tokens are used when nothing changed", "[data]") {
    const DataFolders folders;
    const auto file = folders.write("notes.txt", std::string(100, 'a'));
    static_cast<void>(open_documents(file.string(), byte_tokenizer()));
    int reports = 0;
    RunContext context;
    context.progress = [&](const Progress&) { ++reports; };
    static_cast<void>(open_documents(file.string(), byte_tokenizer(), context));
    CHECK(reports == 0);
}

TEST_CASE("tokenising stops when it is cancelled and leaves nothing behind", "[data]") {
    const DataFolders folders;
    const auto file = folders.write("notes.txt", std::string(100, 'a'));
    std::stop_source stop;
    stop.request_stop();
    RunContext context;
    context.stop = stop.get_token();
    CHECK_THAT(failure_of([&] { open_documents(file.string(), byte_tokenizer(), context); }, ErrorKind::cancelled), Contains("cancelled"));
    CHECK(!std::filesystem::exists(folders.path() / "data" / "tokens"));
}

TEST_CASE("a chain copies ranges across its parts", "[data]") {
    const std::vector<std::int32_t> a{1, 2, 3}, b{4}, c{5, 6};
    TokenChain chain;
    for (const auto* part : {&a, &b, &c}) chain.add(*part);
    chain.add({});
    REQUIRE(chain.size() == 6);
    std::vector<std::int64_t> out(4);
    chain.copy(2, 4, out.data());
    CHECK(out == std::vector<std::int64_t>{3, 4, 5, 6});
}
