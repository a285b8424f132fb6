/// corpus: texts that can be fetched, and their documents.

#include "app/cli/shell.h"
#include "app/cli/text.h"
#include "app/cli/values.h"

#include <fmt/format.h>

namespace lw::cli {
namespace {

struct Options {
    std::vector<std::string> fetch;
    std::string documents;
};

const char* state_of(const CorpusInfo& corpus) { return corpus.bundled ? "bundled" : corpus.fetched ? "fetched" : "not fetched"; }

void list(Shell& shell) {
    Table table({"id", "title", "language", "size", "documents", "state", "licence"});
    const auto all = corpora();
    for (const auto& corpus : all) {
        table.add({corpus.id, corpus.title, corpus.language, byte_size(corpus.bytes), corpus.documents > 0 ? grouped(corpus.documents) : "–",
                   state_of(corpus), corpus.licence});
    }
    shell.print(table.text() + "\nFetch one with: lengthwise-cli corpus fetch ID\n");
    shell.emit({{"corpora", list_json(all)}});
}

void fetch(Shell& shell, const std::vector<std::string>& ids) {
    const auto context = shell.context();
    Json fetched = Json::array();
    for (const auto& id : ids) {
        need(fetch_corpus(id, context));
        for (const auto& corpus : corpora()) {
            if (corpus.id != id) continue;
            shell.print(fmt::format("{}: {} in {}\n", id, byte_size(corpus.bytes), corpus.folder.string()));
            fetched.push_back(to_json(corpus));
        }
    }
    shell.emit({{"fetched", fetched}});
}

void documents(Shell& shell, const std::string& source) {
    std::error_code error;
    const bool path = source.find(':') == std::string::npos && std::filesystem::exists(source, error);
    const auto all = need(corpus_documents(path ? std::filesystem::absolute(source).lexically_normal().string() : source));
    Table table({"document", "split", "size"});
    for (const auto& document : all) table.add({document.id, document.split, byte_size(document.bytes)});
    shell.print(table.text());
    shell.emit({{"source", source}, {"documents", list_json(all)}});
}

}  // namespace

void add_corpus(CLI::App& app, Shell& shell) {
    auto options = std::make_shared<Options>();
    auto* command = shell.command(app, "corpus", "List or fetch corpora, and list their documents", "lengthwise-cli corpus fetch en-prose");
    shell.command(*command, "list", "All corpora with size and licence", "lengthwise-cli corpus list");
    auto* fetch_command = shell.command(*command, "fetch", "Download and extract corpora", "lengthwise-cli corpus fetch en-prose en-drama");
    fetch_command->add_option("ids", options->fetch, "Corpus ids")->required();
    auto* documents_command = shell.command(*command, "documents", "Documents of a corpus, file or folder, with their split",
                                            "lengthwise-cli corpus documents en-prose");
    documents_command->add_option("source", options->documents, "Corpus ids joined by +, a file, a folder or sample:NAME")->required();
    command->require_subcommand(0, 1);
    shell.on_run(command, [&shell, options] {
        if (!options->fetch.empty()) return fetch(shell, options->fetch);
        if (!options->documents.empty()) return documents(shell, options->documents);
        list(shell);
    });
}

}  // namespace lw::cli
