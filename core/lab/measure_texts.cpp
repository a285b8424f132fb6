#include "core/lab/measure_texts.h"

#include "core/data/source.h"
#include "core/data/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

constexpr std::size_t kNamed = 6;  // documents in a sentence; more are counted

/// Languages of the source's corpora, where they are known: a person's own folder has none.
std::vector<std::string> languages_of(const std::string& source) {
    std::vector<std::string> languages;
    const std::string parts = "+" + source + "+";
    for (const CorpusInfo& corpus : corpora()) {
        if (parts.find("+" + corpus.id + "+") != std::string::npos) languages.push_back(corpus.language);
    }
    return languages;
}

/// Bundled samples that stand in for a corpus that is absent: those in its language, all where none is or the language is not known.
std::vector<std::string> samples_for(const std::string& source) {
    const auto languages = languages_of(source);
    std::vector<std::string> all, fitting;
    for (const Sample& sample : samples()) {
        all.push_back("sample:" + sample.name);
        if (std::find(languages.begin(), languages.end(), sample.language) != languages.end()) fitting.push_back(all.back());
    }
    return fitting.empty() ? all : fitting;
}

/// Reads until there are enough.
class MeasureTexts {
public:
    MeasureTexts(const MapsRequest& request, std::int64_t count, const RunContext& context)
        : request_(request), count_(std::max<std::int64_t>(count, 1)), context_(context), texts_{read_text(request.run, request.text).value()} {}

    /// Examples of the run's task, each of them once.
    void add_examples(const std::string& task) {
        for (std::int64_t number = 0; number <= count_ && wanting(); ++number) add(fmt::format("{}/{}", task, number), 0);
    }
    /// Places spread over the run's validation and test documents (bundled samples of its language when the corpus is absent).
    void add_places(const std::string& source) {
        std::vector<std::string> samples, own;
        for (const std::string& name : sample_names()) samples.push_back("sample:" + name);
        const auto documents = run_documents(request_.run).value();
        bool absent = true;
        for (const auto& document : documents) {
            if (std::find(samples.begin(), samples.end(), document.id) != samples.end()) continue;
            absent = false;
            if (document.split != "train") own.push_back(document.id);
        }
        if (absent) own = samples_for(source);
        for (const std::string& id : own) {
            for (std::int64_t place = 0; wanting() && add(id, place * length()); ++place) {}
        }
    }
    [[nodiscard]] const std::vector<TokenText>& texts() const { return texts_; }

private:
    [[nodiscard]] std::int64_t length() const { return static_cast<std::int64_t>(texts_.front().ids.size()); }
    [[nodiscard]] bool wanting() const {
        if (context_.stopping()) throw Failure(ErrorKind::cancelled, "Measuring heads was cancelled.");
        return static_cast<std::int64_t>(texts_.size()) < count_;
    }
    /// False where there is no such text: the document is shorter. The text asked for is there already.
    bool add(const std::string& document, std::int64_t offset) {
        auto text = read_text(request_.run, {.text = {}, .document = document, .offset = offset, .length = length()});
        if (!text.ok()) return false;
        if (text.value().ids != texts_.front().ids) texts_.push_back(std::move(text).value());
        return true;
    }

    const MapsRequest& request_;
    std::int64_t count_;
    const RunContext& context_;
    std::vector<TokenText> texts_;
};

}  // namespace

std::vector<TokenText> measure_texts(const MapsRequest& request, const std::string& source, std::int64_t count, const RunContext& context) {
    MeasureTexts texts(request, count, context);
    if (!request.text.text.empty()) return texts.texts();
    if (is_task(source)) texts.add_examples(source);
    else texts.add_places(source);
    return texts.texts();
}

std::vector<std::string> documents_of(const std::vector<TokenText>& texts) {
    std::vector<std::string> documents;
    for (const TokenText& text : texts) {
        const std::string name = text.title.substr(0, text.title.find(", tokens "));
        if (std::find(documents.begin(), documents.end(), name) == documents.end()) documents.push_back(name);
    }
    return documents;
}

std::string documents_words(const std::vector<std::string>& documents) {
    std::string words;
    for (std::size_t n = 0; n < std::min(documents.size(), kNamed); ++n) words += (n > 0 ? ", " : "") + documents[n];
    return documents.size() > kNamed ? fmt::format("{} and {} more", words, documents.size() - kNamed) : words;
}

void check_measure(const MeasureRequest& measure) {
    if (measure.sequences < 1)
        throw Failure(ErrorKind::invalid_argument, fmt::format("Heads are measured on at least one text, not on {}.", measure.sequences));
    for (const auto& [value, what] : {std::pair{measure.rank_threshold, "rank (|rho|)"},
                                      {measure.contrast_threshold, "contrast (|C|, nats)"},
                                      {measure.peak_threshold, "peak"}}) {
        if (!(std::isfinite(value) && value >= 0))
            throw Failure(ErrorKind::invalid_argument,
                          fmt::format("The threshold of the {} is {:g}; it must be a number of 0 or more.", what, value));
    }
}

TokenText last_tokens(const TokenText& text, std::int64_t length) {
    const auto tokens = static_cast<std::int64_t>(text.ids.size());
    TokenText end = text;
    end.ids.erase(end.ids.begin(), end.ids.end() - std::min(length, tokens));
    end.pieces.erase(end.pieces.begin(), end.pieces.end() - std::min(length, tokens));
    end.offset += tokens - std::min(length, tokens);
    return end;
}

LengthTexts::LengthTexts(const AtlasRequest& request, const std::string& source, std::int64_t longest, const RunContext& context)
    : request_(request), source_(source), examples_(is_task(source) && request.text.text.empty()), context_(context), longest_(read(longest)) {
    const auto tokens = static_cast<std::int64_t>(longest_.front().ids.size());
    if (examples_ || tokens >= longest) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("The text has {} tokens, but heads are to be measured at {}. Choose a shorter length or a longer text.", tokens, longest));
}

std::vector<TokenText> LengthTexts::read(std::int64_t length) const {
    MapsRequest request{.run = request_.run, .step = -1, .text = request_.text};
    request.text.length = length;
    return measure_texts(request, source_, request_.measure.sequences, context_);
}

std::vector<TokenText> LengthTexts::of(std::int64_t length) const {
    if (examples_) return read(length);
    std::vector<TokenText> texts;
    for (const auto& text : longest_) texts.push_back(last_tokens(text, length));
    return texts;
}

std::string LengthTexts::words() const {
    const auto count = longest_.size();
    if (examples_) return fmt::format("{} example{} of {} at each length", count, count == 1 ? "" : "s", source_);
    const std::string names = documents_words(documents_of(longest_));
    return count == 1 ? fmt::format("1 text ({}), ending with the same tokens at every length", names)
                      : fmt::format("{} texts ({}), each ending with the same tokens at every length", count, names);
}

}  // namespace lw
