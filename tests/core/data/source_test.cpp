#include "tests/core/data/data_folders.h"

#include "core/api/doctor.h"
#include "core/data/corpus_list.h"
#include "core/data/source.h"
#include "core/data/utf8.h"

#include <set>

using namespace lw;
using Catch::Matchers::Contains;

namespace {

std::vector<SourceDocument> documents_of(const std::string& source) { return resolve_sources(source).front().documents; }

std::string refusal(const std::filesystem::path& file) {
    return failure_of([&] { static_cast<void>(read_document_text(documents_of(file.string()).front())); }, ErrorKind::invalid_argument);
}

std::set<std::string> names_in(const std::vector<SourceDocument>& documents, const std::string& split) {
    std::set<std::string> names;
    for (const auto& document : documents) {
        if (document.split == split) names.insert(document.id);
    }
    return names;
}

}  // namespace

TEST_CASE("a single file becomes three parts that together are the file", "[data]") {
    const DataFolders folders;
    const std::string text = numbered_lines(1000);
    const auto documents = documents_of(folders.write("notes.txt", text).string());
    REQUIRE(documents.size() == 3);
    CHECK(documents[0].id == "notes.txt#train");
    CHECK(documents[2].split == "test");
    std::string joined;
    for (const auto& document : documents) joined += read_document_text(document).text;
    CHECK(joined == text);
    const double share = static_cast<double>(read_document_text(documents[0]).text.size()) / static_cast<double>(text.size());
    CHECK(share == Approx(0.8).margin(0.01));
    CHECK(read_document_text(documents[1]).text.starts_with("line "));  // cut at the end of a line
}

TEST_CASE("a file whose name is not UTF-8 is refused before it is read, with what to do", "[data]") {
    const DataFolders folders;
    for (int i = 0; i < 3; ++i) folders.write("texts/" + std::to_string(i) + ".txt", "some text");
    folders.write("texts/caf\xE9.txt", "some text");
    const auto sentence = failure_of([&] { static_cast<void>(resolve_sources((folders.path() / "texts").string())); }, ErrorKind::invalid_argument);
    CHECK_THAT(sentence, Contains("is not UTF-8"));
    CHECK_THAT(sentence, Contains("Rename it"));
    CHECK(repair_utf8(sentence).bad_bytes == 0);
    CHECK_THAT(failure_of([] { static_cast<void>(resolve_sources("/no/caf\xE9")); }, ErrorKind::invalid_argument), Contains("is not UTF-8"));
}

TEST_CASE("a text without lines is cut between characters", "[data]") {
    const DataFolders folders;
    std::string text;
    for (int i = 0; i < 333; ++i) text += "茶路";
    for (const auto& document : documents_of(folders.write("one.txt", text).string())) CHECK(repair_utf8(read_document_text(document).text).bad_bytes == 0);
}

TEST_CASE("every tenth document of a folder is for tests and the one before it for validation", "[data]") {
    const DataFolders folders;
    for (int i = 0; i < 25; ++i) folders.write("texts/" + std::string(1, static_cast<char>('a' + i)) + ".txt", "some text");
    const auto documents = documents_of((folders.path() / "texts").string());
    CHECK(names_in(documents, "test") == std::set<std::string>{"texts/j.txt", "texts/t.txt"});
    CHECK(names_in(documents, "validation") == std::set<std::string>{"texts/i.txt", "texts/s.txt"});
    CHECK(names_in(documents, "train").size() == 21);
}

TEST_CASE("a small folder still has all three splits", "[data]") {
    const DataFolders folders;
    for (const char* name : {"a", "b", "c"}) folders.write(std::string("texts/") + name + ".md", "some text");
    const auto documents = documents_of((folders.path() / "texts").string() + "/");
    CHECK(names_in(documents, "train") == std::set<std::string>{"texts/a.md"});
    CHECK(names_in(documents, "validation") == std::set<std::string>{"texts/b.md"});
    CHECK(names_in(documents, "test") == std::set<std::string>{"texts/c.md"});
}

TEST_CASE("a folder is read with its folders, without hidden, empty and other files", "[data]") {
    const DataFolders folders;
    folders.write("texts/deep/er/b.py", "print()");
    folders.write("texts/a.TXT", "some text");
    folders.write("texts/.hidden/c.txt", "some text");
    folders.write("texts/d.png", "some text");
    folders.write("texts/e.txt", "");
    std::set<std::string> names;
    for (const auto& document : documents_of((folders.path() / "texts").string())) names.insert(document.id.substr(0, document.id.find('#')));
    CHECK(names == std::set<std::string>{"texts/a.TXT", "texts/deep/er/b.py"});
}

TEST_CASE("empty, binary and foreign texts are refused with a sentence", "[data]") {
    const DataFolders folders;
    CHECK_THAT(refusal(folders.write("empty.txt", "")), Contains("is empty"));
    CHECK_THAT(refusal(folders.write("binary.txt", std::string("a\0b\0", 4))), Contains("2 zero bytes"));
    std::string latin;
    for (int i = 0; i < 200; ++i) latin += "\xe9t\xe9 ";
    CHECK_THAT(refusal(folders.write("latin.txt", latin)), Contains("400 of its 800 bytes") && Contains("iconv"));
}

TEST_CASE("a few bytes that are not UTF-8 are replaced and counted", "[data]") {
    const DataFolders folders;
    const auto file = folders.write("slip.txt", numbered_lines(200) + "caf\xe9\n");
    SourceDocument whole = documents_of(file.string()).front();
    whole.part = -1;
    const auto read = read_document_text(whole);
    CHECK(read.bad_bytes == 1);
    CHECK(read.text.ends_with("caf\xEF\xBF\xBD\n"));
    CHECK(bad_bytes_warning(whole, 1) == "1 byte of slip.txt is not UTF-8 and replaced by U+FFFD");
    CHECK(bad_bytes_warning(whole, 0).empty());
}

TEST_CASE("a source that is not there is refused with what to do", "[data]") {
    const DataFolders folders;
    CHECK_THAT(failure_of([] { resolve_sources("en-pros"); }, ErrorKind::not_found), Contains("Did you mean en-prose"));
    CHECK_THAT(failure_of([] { resolve_sources("en-prose"); }, ErrorKind::not_found), Contains("not fetched") && Contains("corpus fetch en-prose"));
    CHECK_THAT(failure_of([] { resolve_sources("/no/such/folder"); }, ErrorKind::not_found), Contains("/no/such/folder"));
    CHECK_THAT(failure_of([] { resolve_sources("sample:nope"); }, ErrorKind::not_found), Contains("lighthouse"));
    CHECK_THAT(failure_of([] { resolve_sources("sample:recall+"); }, ErrorKind::invalid_argument), Contains("empty part"));
    CHECK_THAT(failure_of([] { resolve_sources(""); }, ErrorKind::invalid_argument), Contains("No data source"));
    std::filesystem::create_directories(folders.path() / "bare");
    CHECK_THAT(failure_of([&] { resolve_sources((folders.path() / "bare").string()); }, ErrorKind::not_found), Contains("no text file"));
}

TEST_CASE("the novels keep their named test documents out of training", "[data]") {
    const DataFolders folders;
    for (const char* name : {"emma", "mansfield_park", "moby_dick", "northanger_abbey", "persuasion", "pride_and_prejudice", "sense_and_sensibility"})
        folders.write(std::string("data/corpora/en-prose/") + name + ".txt", "some text");
    folders.write("data/corpora/en-prose/MANIFEST.tsv", "document\tbytes\tsha256\tnote\n");
    const auto documents = documents_of("en-prose");
    CHECK(names_in(documents, "test") == std::set<std::string>{"en-prose/northanger_abbey", "en-prose/persuasion"});
    CHECK(names_in(documents, "validation") == std::set<std::string>{"en-prose/sense_and_sensibility"});
    CHECK(names_in(documents, "train").size() == 4);
}

TEST_CASE("joined sources keep every part's own split", "[data]") {
    const auto sources = resolve_sources("sample:lighthouse+sample:tea-road");
    REQUIRE(sources.size() == 2);
    for (const auto& source : sources) CHECK(source.documents.size() == 3);
    CHECK(sources[1].documents[2].id == "sample:tea-road#test");
}

TEST_CASE("a path that has a plus in its name is one source", "[data]") {
    const DataFolders folders;
    CHECK(resolve_sources(folders.write("a+b.txt", numbered_lines(50)).string()).size() == 1);
}

TEST_CASE("utf-8 that is not well-formed is found", "[data]") {
    CHECK(repair_utf8("\xc0\xaf").bad_bytes == 2);          // overlong
    CHECK(repair_utf8("\xed\xa0\x80").bad_bytes == 3);      // surrogate
    CHECK(repair_utf8("\xf4\x90\x80\x80").bad_bytes == 4);  // past U+10FFFF
    CHECK(repair_utf8("\xe4\xb8").bad_bytes == 2);          // cut off
    CHECK(repair_utf8("é茶😀").bad_bytes == 0);
    CHECK(utf8_decode("茶") == U'茶');
    CHECK(utf8_decode("😀") == U'😀');
}
