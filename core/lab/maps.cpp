/// The verbs open_maps and measure_heads.
#include "core/lab/guard.h"
#include "core/lab/map_session.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>

namespace lw {

namespace {

/// Texts for averaging: as many places as asked for, of the asked length, spread over the run's test documents (the bundled
/// samples when the corpus is absent).
std::vector<TokenText> measure_texts(const MapsRequest& request, std::int64_t count) {
    auto first = read_text(request.run, request.text).value();
    std::vector<TokenText> texts{first};
    if (!request.text.text.empty()) return texts;
    const auto length = static_cast<std::int64_t>(first.ids.size());
    for (const auto& document : run_documents(request.run).value()) {
        if (document.split == "train") continue;
        for (std::int64_t place = 0; static_cast<std::int64_t>(texts.size()) < count; ++place) {
            TextRequest next{.text = {}, .document = document.id, .offset = place * length, .length = length};
            auto text = read_text(request.run, next);
            if (!text.ok() || static_cast<std::int64_t>(text.value().ids.size()) < length) break;
            if (text.value().ids != first.ids) texts.push_back(std::move(text).value());
        }
    }
    return texts;
}

}  // namespace

Result<std::shared_ptr<MapSession>> open_maps(const MapsRequest& request, const RunContext& context) {
    return guarded<std::shared_ptr<MapSession>>([&]() -> std::shared_ptr<MapSession> {
        const auto loaded = load_model(request.run, request.step, context.device);
        Progress progress;
        progress.stage = "Running the text through the model";
        context.report(progress);
        return std::make_shared<ModelMapSession>(loaded, read_text(request.run, request.text).value());
    });
}

Result<std::vector<HeadMeasures>> measure_heads(const MapsRequest& request, const MeasureRequest& measure, const RunContext& context) {
    return guarded<std::vector<HeadMeasures>>([&] {
        const auto loaded = load_model(request.run, request.step, context.device);
        std::vector<std::shared_ptr<ModelMapSession>> sessions;
        const auto texts = measure_texts(request, measure.sequences);
        for (const auto& text : texts) {
            if (context.stopping()) throw Failure(ErrorKind::cancelled, "Measuring heads was cancelled.");
            sessions.push_back(std::make_shared<ModelMapSession>(loaded, text));
            Progress progress;
            progress.stage = "Reading texts";
            progress.done = static_cast<double>(sessions.size());
            progress.total = static_cast<double>(texts.size());
            progress.unit = "texts";
            context.report(progress);
        }
        return measure_sessions(sessions, measure, context);
    });
}

}  // namespace lw
