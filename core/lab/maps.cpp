/// The verbs open_maps and measure_heads.
#include "core/attention/poll.h"
#include "core/data/task.h"
#include "core/lab/estimates.h"
#include "core/lab/guard.h"
#include "core/lab/map_session.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Reads texts for averaging until there are enough.
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

std::vector<TokenText> measure_texts(const MapsRequest& request, const std::string& source, std::int64_t count, const RunContext& context) {
    MeasureTexts texts(request, count, context);
    if (!request.text.text.empty()) return texts.texts();
    if (is_task(source)) texts.add_examples(source);
    else texts.add_places();
    return texts.texts();
}

void report(const RunContext& context, const std::string& stage, std::size_t done, std::size_t total) {
    Progress progress;
    progress.stage = stage;
    progress.done = static_cast<double>(done);
    progress.total = static_cast<double>(total);
    progress.unit = total > 0 ? "texts" : "";
    context.report(progress);
}

}  // namespace

Result<std::shared_ptr<MapSession>> open_maps(const MapsRequest& request, const RunContext& context) {
    return guarded<std::shared_ptr<MapSession>>([&]() -> std::shared_ptr<MapSession> {
        const auto loaded = load_model(request.run, request.step, context.device);
        report(context, "Running the text through the model", 0, 0);
        const PollScope polling(context);
        const auto text = read_text(request.run, request.text).value();
        refuse_too_long(*loaded.model, static_cast<std::int64_t>(text.ids.size()), true, context.device);
        return std::make_shared<ModelMapSession>(loaded, text, request.tile_bytes);
    });
}

Result<std::vector<HeadMeasures>> measure_heads(const MapsRequest& request, const MeasureRequest& measure, const RunContext& context) {
    return guarded<std::vector<HeadMeasures>>([&] {
        if (measure.sequences < 1) throw Failure(ErrorKind::invalid_argument, fmt::format("Heads are measured on at least one text, not on {}.", measure.sequences));
        const auto loaded = load_model(request.run, request.step, context.device);
        std::vector<std::shared_ptr<ModelMapSession>> sessions;
        const auto texts = measure_texts(request, loaded.run.recipe.data.source, measure.sequences, context);
        refuse_too_long(*loaded.model, static_cast<std::int64_t>(texts.size() * texts.front().ids.size()), true, context.device);
        const PollScope polling(context);
        for (const auto& text : texts) {
            if (context.stopping()) throw Failure(ErrorKind::cancelled, "Measuring heads was cancelled.");
            sessions.push_back(std::make_shared<ModelMapSession>(loaded, text));
            report(context, "Reading texts", sessions.size(), texts.size());
            if (context.serve) context.serve();
        }
        return measure_sessions(sessions, measure, context);
    });
}

}  // namespace lw
