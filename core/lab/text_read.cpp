// Text for maps: typed, from a document of the run's own data, from a bundled sample, or an example of its task.
#include "core/api/text.h"
#include "core/data/batch_source.h"
#include "core/data/source.h"
#include "core/data/task.h"
#include "core/evaluation/protocol.h"
#include "core/lab/guard.h"
#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace lw {
namespace {

constexpr std::uint64_t kShownTaskSeed = 7;
constexpr int kShownTaskExamples = 8;

struct RunText {
    Recipe recipe;
    std::shared_ptr<const Tokenizer> tokenizer;
};

RunText open_run(const std::filesystem::path& run) { return {read_recipe(run / "recipe.json").value(), load_tokenizer(run)}; }

/// Nothing when the run's texts are not on this machine: samples stand in for them.
std::shared_ptr<const DocumentSet> documents_if_there(const RunText& run) {
    try {
        return open_documents(run.recipe.data.source, run.tokenizer);
    } catch (const Failure& failure) {
        if (failure.kind() != ErrorKind::not_found) throw;
        return nullptr;
    }
}

std::string short_name(const std::string& id) { return id.substr(id.rfind('/') == std::string::npos ? 0 : id.rfind('/') + 1); }

template <class Id>
TokenText cut(const std::string& id, std::span<const Id> all, const TextRequest& request, const Tokenizer& tokenizer) {
    const auto size = static_cast<std::int64_t>(all.size());
    if (request.offset < 0 || request.length < 1 || request.length > size - request.offset)
        throw Failure(ErrorKind::invalid_argument, fmt::format("{} has {} tokens, but tokens {} – {} were asked for. Choose a shorter length or another document.", id,
                                                               with_commas(size), with_commas(request.offset), with_commas(request.offset + request.length - 1)));
    TokenText text;
    text.offset = request.offset;
    text.document_tokens = size;
    const auto part = all.subspan(static_cast<std::size_t>(request.offset), static_cast<std::size_t>(request.length));
    for (const Id token : part) {
        text.ids.push_back(token);
        text.pieces.push_back(tokenizer.piece(token));
    }
    text.title = fmt::format("{}, tokens {} – {} of {}", short_name(id), with_commas(request.offset), with_commas(request.offset + request.length - 1), with_commas(size));
    return text;
}

TokenText read_typed(const RunText& run, TextRequest request) {
    const auto ids = run.tokenizer->encode(request.text);
    // Typed text is seldom as long as the length that was set for documents: all of it is taken.
    request.length = std::min(request.length, std::max<std::int64_t>(static_cast<std::int64_t>(ids.size()) - request.offset, 1));
    return cut<std::int64_t>("Typed text", ids, request, *run.tokenizer);
}

TokenText read_sample(const RunText& run, const TextRequest& request, const std::string& name) {
    return cut<std::int64_t>("sample:" + name, run.tokenizer->encode(read_document_text(whole_sample(name)).text), request, *run.tokenizer);
}

/// The first sample that is long enough.
TokenText read_any_sample(const RunText& run, const TextRequest& request) {
    const auto names = sample_names();
    for (const auto& name : names) {
        const auto ids = run.tokenizer->encode(read_document_text(whole_sample(name)).text);
        if (request.offset + request.length <= static_cast<std::int64_t>(ids.size()) || name == names.back())
            return cut<std::int64_t>("sample:" + name, ids, request, *run.tokenizer);
    }
    throw Failure(ErrorKind::not_found, fmt::format("The texts of {} are not on this machine, and there is no sample text.", run.recipe.data.source));
}

/// The greatest length whose example has at most so many tokens.
std::int64_t length_of_tokens(const Task& task, std::int64_t tokens) {
    std::int64_t length = tokens;
    while (length > task.min_length() && task.sequence_length(length) > tokens) --length;
    return length;
}

TokenText read_task(const RunText& run, const TextRequest& request) {
    const auto task = open_task(run.recipe.data);
    std::uint64_t number = 0;
    if (!request.document.empty()) {
        const std::string digits = short_name(request.document);
        if (digits.empty() || digits.size() > 9 || !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
            throw Failure(ErrorKind::not_found, fmt::format("{} is not an example of {}: examples are named {}/0, {}/1, …", request.document, task->source(),
                                                            task->source(), task->source()));
        number = std::stoul(digits);
    }
    const auto example = task->example(kShownTaskSeed, number, length_of_tokens(*task, request.length));
    TextRequest whole = request;
    whole.offset = 0;
    whole.length = static_cast<std::int64_t>(example.tokens.size());
    auto text = cut<std::int64_t>(fmt::format("{} example {}", task->source(), number), example.tokens, whole, *run.tokenizer);
    return text;
}

const Document& find_document(const DocumentSet& set, const std::string& id) {
    std::vector<std::string> known;
    for (const auto& document : set.documents()) {
        if (document.id == id || (id.empty() && document.split == "test")) return document;
        known.push_back(document.id);
    }
    if (id.empty()) throw Failure(ErrorKind::not_found, "The run's data has no test document. Name a document.");
    // A short name is enough where it is not ambiguous.
    const Document* found = nullptr;
    for (const auto& document : set.documents()) {
        if (short_name(document.id) != id) continue;
        if (found != nullptr) throw Failure(ErrorKind::not_found, fmt::format("\"{}\" may be {} or {}.", id, found->id, document.id));
        found = &document;
    }
    if (found != nullptr) return *found;
    const std::string near = nearest(id, known);
    throw Failure(ErrorKind::not_found, fmt::format("The run's data has no document \"{}\".{} It has {} documents.", id,
                                                    near.empty() ? "" : " Did you mean " + near + "?", known.size()));
}

TokenText read_document(const RunText& run, const TextRequest& request) {
    if (request.document.starts_with("sample:")) return read_sample(run, request, request.document.substr(7));
    const auto set = documents_if_there(run);
    if (set) {
        const Document& document = find_document(*set, request.document);
        return cut(document.id, document.tokens, request, *run.tokenizer);
    }
    if (!request.document.empty()) static_cast<void>(open_documents(run.recipe.data.source, run.tokenizer));  // says what is missing
    return read_any_sample(run, request);
}

void add_samples(const RunText& run, std::vector<DocumentInfo>& infos) {
    for (const auto& name : sample_names()) {
        const auto text = read_document_text(whole_sample(name)).text;
        infos.push_back({"sample:" + name, "test", static_cast<std::int64_t>(text.size()), static_cast<std::int64_t>(run.tokenizer->encode(text).size()), ""});
    }
}

}  // namespace

Result<TokenText> read_text(const std::filesystem::path& run, const TextRequest& request) {
    return guarded<TokenText>([&] {
        const RunText opened = open_run(run);
        if (!request.text.empty()) return read_typed(opened, request);
        if (is_task(opened.recipe.data.source)) return read_task(opened, request);
        return read_document(opened, request);
    });
}

Result<std::vector<DocumentInfo>> run_documents(const std::filesystem::path& run) {
    return guarded<std::vector<DocumentInfo>>([&] {
        const RunText opened = open_run(run);
        std::vector<DocumentInfo> infos;
        if (is_task(opened.recipe.data.source)) {
            for (int i = 0; i < kShownTaskExamples; ++i) infos.push_back({fmt::format("{}/{}", opened.recipe.data.source, i), "test", 0, 0, ""});
            return infos;
        }
        if (const auto set = documents_if_there(opened)) {
            for (const auto& document : set->documents())
                infos.push_back({document.id, document.split, document.bytes, static_cast<std::int64_t>(document.tokens.size()), document.warning});
        }
        add_samples(opened, infos);
        return infos;
    });
}

}  // namespace lw
