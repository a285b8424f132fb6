/// The verb head_atlas: heads over lengths and checkpoints, and their trails.
#include "core/attention/poll.h"
#include "core/lab/guard.h"
#include "core/lab/head_reading.h"
#include "core/lab/measure_texts.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace lw {

namespace {

/// Puts an atlas together, checkpoint after checkpoint.
class AtlasMaker {
public:
    AtlasMaker(const AtlasRequest& request, const RunContext& context) : request_(request), context_(context), lengths_(checked_lengths(request)) {
        steps_ = request.steps.empty() ? std::vector<std::int64_t>{-1} : request.steps;
    }

    HeadAtlas make() {
        for (const auto step : steps_) add_step(step);
        std::sort(atlas_.steps.begin(), atlas_.steps.end());
        std::stable_sort(atlas_.points.begin(), atlas_.points.end(), [](const HeadPoint& a, const HeadPoint& b) {
            return std::tie(a.step, a.length, a.layer, a.head) < std::tie(b.step, b.length, b.layer, b.head);
        });
        std::stable_sort(atlas_.terms.begin(), atlas_.terms.end(), [](const LayerTerms& a, const LayerTerms& b) {
            return std::tie(a.step, a.length, a.layer) < std::tie(b.step, b.length, b.layer);
        });
        return std::move(atlas_);
    }

private:
    /// The same checkpoint may be named twice, as -1 and by its number.
    void add_step(std::int64_t step) {
        const auto loaded = load_model(request_.run, step, context_.device);
        if (std::find(atlas_.steps.begin(), atlas_.steps.end(), loaded.step) != atlas_.steps.end()) return;
        if (!texts_) open_texts(loaded.run.recipe.data.source);
        const bool first = atlas_.steps.empty();
        atlas_.steps.push_back(loaded.step);
        for (const auto length : lengths_) {
            const auto texts = texts_->of(length);
            HeadCollector heads(request_);
            for (const auto& text : texts) add_text(loaded, text, heads, texts.size());
            for (auto& point : heads.points(loaded.step)) atlas_.points.push_back(std::move(point));
            for (auto& term : heads.terms(loaded.step)) atlas_.terms.push_back(term);
            if (first) atlas_.texts = static_cast<std::int64_t>(texts.size());
        }
    }

    /// Examples of a task come in lengths of their own: of those asked for that give the same one, the first is kept.
    void open_texts(const std::string& source) {
        texts_ = std::make_unique<LengthTexts>(request_, source, lengths_.back(), context_);
        std::vector<std::int64_t> kept;
        for (const auto length : lengths_) {
            const auto tokens = static_cast<std::int64_t>(texts_->of(length).front().ids.size());
            if (!atlas_.lengths.empty() && atlas_.lengths.back() == tokens) continue;
            atlas_.lengths.push_back(tokens);
            kept.push_back(length);
        }
        lengths_ = kept;
    }

    void add_text(const LoadedModel& loaded, const TokenText& text, HeadCollector& heads, std::size_t texts) {
        if (context_.stopping()) throw Failure(ErrorKind::cancelled, "Measuring heads was cancelled.");
        const auto session = read_heads(loaded, text, context_);
        if (atlas_.run_title.empty()) describe(session.info());
        heads.add(session);
        Progress progress;
        progress.stage = fmt::format("Measuring heads at {}", text.ids.size());
        progress.done = static_cast<double>(++done_);
        progress.total = static_cast<double>(steps_.size() * lengths_.size() * texts);
        progress.unit = "texts";
        context_.report(progress);
        if (context_.serve) context_.serve();
    }

    void describe(const MapsInfo& info) {
        atlas_.run_title = info.run_title;
        atlas_.layers = info.layers;
        atlas_.heads = info.heads;
        atlas_.train_length = info.train_length;
        atlas_.of = measured_part(info, request_.measure.of);
        atlas_.queries = last_rows(atlas_.lengths.back(), request_.queries).size();
        atlas_.text = texts_->words();
    }

    const AtlasRequest& request_;
    const RunContext& context_;
    std::vector<std::int64_t> lengths_, steps_;  // as asked for
    std::unique_ptr<LengthTexts> texts_;
    HeadAtlas atlas_;
    std::size_t done_ = 0;
};

/// Sums of the steps between neighbours.
HeadDrift drift_of(const std::vector<HeadPoint>& trail) {
    HeadDrift drift{.layer = trail.front().layer, .head = trail.front().head, .from_class = trail.front().head_class, .to_class = trail.back().head_class,
                    .from_locality = trail.front().locality, .to_locality = trail.back().locality};
    for (std::size_t n = 1; n < trail.size(); ++n) {
        drift.path += std::abs(trail[n].locality - trail[n - 1].locality);
        drift.contrast += std::abs(trail[n].contrast - trail[n - 1].contrast);
        drift.class_changes += trail[n].head_class != trail[n - 1].head_class ? 1 : 0;
    }
    return drift;
}

}  // namespace

Result<HeadAtlas> head_atlas(const AtlasRequest& request, const RunContext& context) {
    return guarded<HeadAtlas>([&] {
        const at::NoGradGuard no_gradient;
        const PollScope polling(context);
        return AtlasMaker(request, context).make();
    });
}

std::vector<HeadPoint> head_trail(const HeadAtlas& atlas, std::int64_t layer, std::int64_t head, TrailAxis over) {
    std::vector<HeadPoint> trail;
    for (const auto& point : atlas.points) {
        const bool on_trail = over == TrailAxis::length ? point.step == atlas.steps.back() : point.length == atlas.lengths.back();
        if (on_trail && point.layer == layer && point.head == head) trail.push_back(point);
    }
    return trail;
}

std::vector<HeadDrift> head_drift(const HeadAtlas& atlas, TrailAxis over) {
    std::vector<HeadDrift> drifts;
    for (std::int64_t layer = 0; layer < atlas.layers; ++layer) {
        for (std::int64_t head = 0; head < atlas.heads; ++head) {
            const auto trail = head_trail(atlas, layer, head, over);
            if (!trail.empty()) drifts.push_back(drift_of(trail));
        }
    }
    std::stable_sort(drifts.begin(), drifts.end(), [](const HeadDrift& a, const HeadDrift& b) { return a.path > b.path; });
    return drifts;
}

}  // namespace lw
