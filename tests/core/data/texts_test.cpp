#include "tests/core/data/data_folders.h"

#include "core/api/doctor.h"
#include "core/api/text.h"
#include "core/data/batch_source.h"
#include "core/data/files.h"
#include "core/data/source.h"
#include "core/data/tokenizers.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

using namespace lw;
using Catch::Matchers::Contains;

namespace {

/// A run folder that holds what read_text needs: a recipe and a tokenizer.
std::filesystem::path make_run(const DataFolders& folders, const std::string& source) {
    const auto run = folders.path() / "run";
    Recipe recipe;
    recipe.data.source = source;
    recipe.data.tokenizer = "byte";
    write_whole_file(run / "recipe.json", recipe_json(recipe));
    open_tokenizer(recipe.data)->save(run);
    return run;
}

std::string text_of(const TokenText& text) {
    std::string result;
    for (const auto id : text.ids) result += static_cast<char>(id);
    return result;
}

TextRequest range(const std::string& document, std::int64_t offset, std::int64_t length) {
    TextRequest request;
    request.document = document;
    request.offset = offset;
    request.length = length;
    return request;
}

/// Resources of its own with a stand-in for scripts/fetch_corpus.
struct FakeScript {
    explicit FakeScript(const DataFolders& folders, const std::string& body)
        : resources("LENGTHWISE_RESOURCES", (folders.path() / "home" / "resources").string()) {
        std::filesystem::create_directories(folders.path() / "home" / "resources" / "corpora");
        std::filesystem::copy_file(std::filesystem::path(LW_TEST_DATA).parent_path() / "resources" / "corpora" / "corpora.json",
                                   folders.path() / "home" / "resources" / "corpora" / "corpora.json");
        folders.write("home/scripts/fetch_corpus", body);
    }
    ScopedVariable resources;
};

}  // namespace

TEST_CASE("samples are listed before the corpora, with what is known of them", "[data][text]") {
    const DataFolders folders;
    const auto all = corpora();
    REQUIRE(all.size() >= 10);
    CHECK(all[0].bundled);
    CHECK(all[0].fetched);
    CHECK(all[0].bytes > 10000);
    const auto prose = std::find_if(all.begin(), all.end(), [](const auto& corpus) { return corpus.id == "en-prose"; });
    REQUIRE(prose != all.end());
    CHECK(!prose->fetched);
    CHECK(prose->documents == 7);
    CHECK(std::is_partitioned(all.begin(), all.end(), [](const auto& corpus) { return corpus.bundled; }));
}

TEST_CASE("documents of a source have sizes that sum to its text", "[data][text]") {
    const DataFolders folders;
    const auto file = folders.write("notes.txt", numbered_lines(500));
    const auto documents = corpus_documents(file.string()).value();
    REQUIRE(documents.size() == 3);
    const auto total = std::accumulate(documents.begin(), documents.end(), std::int64_t{0}, [](std::int64_t sum, const auto& d) { return sum + d.bytes; });
    CHECK(total == static_cast<std::int64_t>(std::filesystem::file_size(file)));
    CHECK(corpus_documents("en-nothing").error().kind == ErrorKind::not_found);
}

TEST_CASE("a range of a document is read with its place in the title", "[data][text]") {
    const DataFolders folders;
    const std::string notes = numbered_lines(5000);
    const auto run = make_run(folders, folders.write("notes.txt", notes).string());
    const auto text = read_text(run, range("notes.txt#train", 1000, 2000)).value();
    CHECK(text_of(text) == notes.substr(1000, 2000));
    CHECK(text.offset == 1000);
    CHECK(text.pieces.size() == 2000);
    CHECK_THAT(text.title, Contains("tokens 1,000 – 2,999 of"));
    CHECK(read_text(run, range("", 0, 10)).value().title.starts_with("notes.txt#test"));  // the first test document
}

TEST_CASE("a text that is too short is refused with its length", "[data][text]") {
    const DataFolders folders;
    const auto run = make_run(folders, folders.write("notes.txt", std::string(1000, 'x')).string());
    const auto text = read_text(run, range("notes.txt#test", 0, 512));
    REQUIRE(!text.ok());
    CHECK(text.error().kind == ErrorKind::invalid_argument);
    CHECK_THAT(text.error().message, Contains("has 100 tokens"));
    CHECK(!read_text(run, range("notes.txt#test", -1, 10)).ok());
    CHECK(!read_text(run, range("notes.txt#test", 0, 0)).ok());
    CHECK_THAT(read_text(run, range("notes.txt#tets", 0, 10)).error().message, Contains("notes.txt#test"));
}

TEST_CASE("typed text is taken whole when it is short and cut when it is long", "[data][text]") {
    const DataFolders folders;
    const auto run = make_run(folders, "sample:recall");
    TextRequest request;
    request.text = "The light is never late.";
    CHECK(text_of(read_text(run, request).value()) == request.text);
    request.length = 9;
    CHECK(text_of(read_text(run, request).value()) == "The light");
}

TEST_CASE("a run whose corpus is not here still reads the bundled samples", "[data][text]") {
    const DataFolders folders;
    const auto run = make_run(folders, "en-prose");
    const auto text = read_text(run, range("", 0, 512));
    REQUIRE(text.ok());
    CHECK_THAT(text.value().title, Contains("sample:"));
    CHECK(read_text(run, range("", 0, 20000)).value().ids.size() == 20000);  // the first sample is shorter: a longer one is found
    CHECK(text_of(read_text(run, range("sample:recall", 0, 30)).value()) == "The Inventory of Quillon House");
    const auto named = read_text(run, range("en-prose/persuasion", 0, 512));
    REQUIRE(!named.ok());
    CHECK_THAT(named.error().message, Contains("corpus fetch en-prose"));
    const auto documents = run_documents(run).value();
    CHECK(documents.size() == samples().size());
    CHECK(documents[0].tokens == documents[0].bytes);
}

TEST_CASE("a run's documents are its own and the samples", "[data][text]") {
    const DataFolders folders;
    const auto run = make_run(folders, folders.write("notes.txt", numbered_lines(500) + "\xff").string());
    const auto documents = run_documents(run).value();
    CHECK(documents.size() == 3 + samples().size());
    CHECK_THAT(documents[0].warning, Contains("1 byte of notes.txt"));
    CHECK(documents[3].id == "sample:lighthouse");
}

TEST_CASE("a task's run shows its examples", "[data][text]") {
    const DataFolders folders;
    const auto run = make_run(folders, "task:copy");
    const auto documents = run_documents(run).value();
    REQUIRE(!documents.empty());
    const auto text = read_text(run, range(documents[1].id, 0, 32)).value();
    CHECK(text.pieces.size() == 32);
    CHECK(text.pieces[16] == ";");
    CHECK(read_text(run, range("task:copy/x", 0, 32)).error().kind == ErrorKind::not_found);
}

TEST_CASE("a folder that is no run is refused", "[data][text]") {
    const DataFolders folders;
    CHECK(!read_text(folders.path() / "nothing", {}).ok());
    CHECK(!run_documents(folders.path() / "nothing").ok());
}

TEST_CASE("fetching reports the script's steps", "[data][text]") {
    const DataFolders folders;
    const FakeScript script(folders, "print('0/2 Downloading', flush=True)\nprint('1/2 Extracting', flush=True)\n");
    std::vector<std::string> stages;
    RunContext context;
    context.progress = [&](const Progress& progress) { stages.push_back(progress.stage); };
    CHECK(fetch_corpus("en-drama", context).ok());
    CHECK(stages == std::vector<std::string>{"Downloading", "Extracting"});
}

TEST_CASE("a fetch that succeeds with a warning reports it", "[data][text]") {
    const DataFolders folders;
    const FakeScript script(folders, "import sys\nprint('warning: 2 documents differ', file=sys.stderr)\n");
    std::string note;
    RunContext context;
    context.progress = [&](const Progress& progress) { note = progress.note; };
    CHECK(fetch_corpus("en-drama", context).ok());
    CHECK(note == "warning: 2 documents differ");
}

TEST_CASE("fetching hands on the script's sentence when it fails", "[data][text]") {
    const DataFolders folders;
    const FakeScript script(folders, "import sys\nsys.exit('The package could not be downloaded.')\n");
    const auto status = fetch_corpus("en-drama");
    REQUIRE(!status.ok());
    CHECK(status.error().message == "The package could not be downloaded.");
}

TEST_CASE("a fetch that is cancelled ends its script and what it started", "[data][text]") {
    const DataFolders folders;
    const auto mark = folders.path() / "late";
    const FakeScript script(folders, "import subprocess\nprint('0/2 Downloading', flush=True)\nsubprocess.run(['sh', '-c', 'sleep 1; touch " + mark.string() + "'])\n");
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    context.progress = [&](const Progress&) { stop.request_stop(); };
    const auto status = fetch_corpus("en-drama", context);
    REQUIRE(!status.ok());
    CHECK(status.error().kind == ErrorKind::cancelled);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    CHECK(!std::filesystem::exists(mark));
}

TEST_CASE("a corpus that cannot be fetched is refused before anything runs", "[data][text]") {
    const DataFolders folders;
    const auto status = fetch_corpus("en-pros");
    REQUIRE(!status.ok());
    CHECK_THAT(status.error().message, Contains("en-prose"));
}

TEST_CASE("without Python fetching says what it needs", "[data][text]") {
    const DataFolders folders;
    const ScopedVariable path("PATH", (folders.path() / "nowhere").string());
    const auto status = fetch_corpus("en-drama");
    REQUIRE(!status.ok());
    CHECK(status.error().kind == ErrorKind::unavailable);
    CHECK_THAT(status.error().message, Contains("Python 3"));
}

TEST_CASE("the fetching script keeps its promises", "[data][text]") {
    const std::string check = std::string("python3 -B ") + LW_TEST_DATA + "/core/data/fetch_corpus_check.py";
    CHECK(std::system(check.c_str()) == 0);
}
