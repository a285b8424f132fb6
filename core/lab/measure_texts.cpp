#include "core/lab/measure_texts.h"

#include "core/data/task.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Reads until there are enough.
class MeasureTexts {
public:
    MeasureTexts(const MapsRequest& request, std::int64_t count, const RunContext& context)
        : request_(request), count_(std::max<std::int64_t>(count, 1)), context_(context), texts_{read_text(request.run, request.text).value()} {}

    /// Examples of the run's task, each of them once.
    void add_examples(const std::string& task) {
        for (std::int64_t number = 0; number <= count_ && wanting(); ++number) add(fmt::format("{}/{}", task, number), 0);
    }
    /// Places spread over the run's validation and test documents (the bundled samples when the corpus is absent).
    void add_places() {
        for (const auto& document : run_documents(request_.run).value()) {
            if (document.split == "train") continue;
            for (std::int64_t place = 0; wanting() && add(document.id, place * length()); ++place) {}
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
    else texts.add_places();
    return texts.texts();
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
    : request_(request), source_(source), context_(context), longest_(read(longest)) {
    const auto tokens = static_cast<std::int64_t>(longest_.front().ids.size());
    if (is_task(source) || tokens >= longest) return;
    throw Failure(ErrorKind::invalid_argument, fmt::format("The text has {} tokens, but heads are to be measured at {}. Choose a shorter length or a longer text.", tokens, longest));
}

std::vector<TokenText> LengthTexts::read(std::int64_t length) const {
    MapsRequest request{.run = request_.run, .step = -1, .text = request_.text};
    request.text.length = length;
    return measure_texts(request, source_, request_.measure.sequences, context_);
}

std::vector<TokenText> LengthTexts::of(std::int64_t length) const {
    if (is_task(source_)) return read(length);
    std::vector<TokenText> texts;
    for (const auto& text : longest_) texts.push_back(last_tokens(text, length));
    return texts;
}

std::string LengthTexts::words() const {
    const auto count = longest_.size();
    if (is_task(source_)) return fmt::format("{} example{} of {} at each length", count, count == 1 ? "" : "s", source_);
    return count == 1 ? "1 text, ending with the same tokens at every length" : fmt::format("{} texts, each ending with the same tokens at every length", count);
}

}  // namespace lw
