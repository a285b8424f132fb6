#include "core/lab/head_reading.h"

#include "core/lab/estimates.h"
#include "core/lab/measure_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

/// A typed text is mostly shorter than the length that is usual for documents.
std::int64_t own_length(const AtlasRequest& request) {
    if (request.text.text.empty()) return request.text.length;
    return static_cast<std::int64_t>(read_text(request.run, request.text).value().ids.size());
}

}  // namespace

std::vector<std::int64_t> checked_lengths(const AtlasRequest& request) {
    auto lengths = request.lengths;
    if (lengths.empty()) lengths.push_back(own_length(request));
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    if (lengths.front() < 2) throw Failure(ErrorKind::invalid_argument, fmt::format("Heads are measured at lengths of 2 tokens or more, not at {}.", lengths.front()));
    if (request.queries < 0) throw Failure(ErrorKind::invalid_argument, fmt::format("The number of queries is 0 for all of them or more, not {}.", request.queries));
    check_measure(request.measure);
    return lengths;
}

Span last_rows(std::int64_t length, std::int64_t queries) { return {queries == 0 ? 0 : std::max<std::int64_t>(0, length - queries), length}; }

ModelMapSession read_heads(const LoadedModel& loaded, const TokenText& text, const RunContext& context) {
    refuse_too_long(*loaded.model, static_cast<std::int64_t>(text.ids.size()), true, context.device);
    return {loaded, text, 0};
}

void HeadCollector::add(const ModelMapSession& session) {
    const auto& info = session.info();
    length_ = info.length;
    layers_.resize(static_cast<std::size_t>(info.layers), std::vector<Head>(static_cast<std::size_t>(info.heads)));
    const auto of = measured_part(info, request_.measure.of);
    for (std::int64_t layer = 0; layer < info.layers; ++layer) {
        auto& heads = layers_[static_cast<std::size_t>(layer)];
        const auto sums = attention_sums(session.scores(layer), last_rows(info.length, request_.queries), info.train_length);
        auto rows = session.head_rows(layer, info.length - 1, of);
        for (std::size_t h = 0; h < heads.size(); ++h) {
            heads[h].sums.add(sums[h]);
            heads[h].curves.push_back(std::move(rows.measured[h]));
        }
    }
}

namespace {

LogitRange range_of(const ValueSums& values) {
    if (!(values.count > 0)) return {};
    return {values.low, values.high, values.mean(), values.deviation()};
}

}  // namespace

HeadPoint HeadCollector::point_of(const Head& head) const {
    const auto& measure = request_.measure;
    const LocalityThresholds thresholds{measure.rank_threshold, measure.contrast_threshold, measure.peak_threshold};
    const auto locality = measure_locality(head.curves, thresholds);
    const auto& sums = head.sums;
    HeadPoint point;
    point.length = length_;
    point.contrast = locality.contrast;
    point.rank = locality.rank;
    point.locality = locality.locality;
    point.adaptivity = locality.adaptivity;
    point.head_class = refined_class(locality, thresholds);
    point.entropy = sums.entropy / sums.rows;
    point.spread = sums.uniform > 0 ? sums.entropy / sums.uniform : 0;
    point.effective_keys = std::exp(point.entropy);
    point.peak = sums.peak / sums.rows;
    point.beyond_training = sums.beyond / sums.rows;
    point.sink = sums.first / sums.rows;
    point.self = sums.self / sums.rows;
    point.trained = range_of(sums.trained);
    point.untrained = range_of(sums.untrained);
    point.rms_content = sums.content.root_mean_square();
    point.rms_bias = sums.bias.root_mean_square();
    point.rms_adaptive = sums.adaptive.root_mean_square();
    return point;
}

std::vector<HeadPoint> HeadCollector::points(std::int64_t step) const {
    std::vector<HeadPoint> points;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        for (std::size_t head = 0; head < layers_[layer].size(); ++head) {
            auto point = point_of(layers_[layer][head]);
            point.step = step;
            point.layer = static_cast<std::int64_t>(layer);
            point.head = static_cast<std::int64_t>(head);
            points.push_back(std::move(point));
        }
    }
    return points;
}

std::vector<LayerTerms> HeadCollector::terms(std::int64_t step) const {
    std::vector<LayerTerms> terms;
    for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
        HeadSums all;
        for (const auto& head : layers_[layer]) all.add(head.sums);
        terms.push_back({step, length_, static_cast<std::int64_t>(layer), all.content.root_mean_square(), all.bias.root_mean_square(), all.adaptive.root_mean_square()});
    }
    return terms;
}

}  // namespace lw
