/// The verbs open_maps and measure_heads.
#include "core/attention/poll.h"
#include "core/lab/estimates.h"
#include "core/lab/guard.h"
#include "core/lab/map_session.h"
#include "core/lab/measure_texts.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace lw {

namespace {

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
        check_measure(measure);
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
        auto measures = measure_sessions(sessions, measure, context);
        for (HeadMeasures& head : measures) head.documents = documents_of(texts);
        return measures;
    });
}

}  // namespace lw
