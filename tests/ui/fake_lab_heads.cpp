/// Heads over lengths, checkpoints and texts in the fake laboratory: λ falls a little with every stop, heads are as alike as their numbers are
/// near, and two texts differ most at the last query.
#include "core/api/heads.h"
#include "tests/ui/fake_lab.h"

#include <algorithm>
#include <cmath>

namespace lw {

namespace {

HeadPoint point_of(const HeadMeasures& m, std::int64_t step, std::int64_t length, double stops) {
    HeadPoint point;
    point.step = step;
    point.length = length;
    point.layer = m.layer;
    point.head = m.head;
    point.contrast = m.contrast;
    point.rank = m.rank;
    point.locality = m.locality - 0.05 * stops;
    point.adaptivity = m.adaptivity;
    point.head_class = m.head_class;
    point.entropy = 1 + stops;
    return point;
}

}  // namespace

Result<HeadAtlas> head_atlas(const AtlasRequest& request, const RunContext& context) {
    const auto maps = open_maps({request.run, -1, request.text}, context);
    if (!maps.ok()) return maps.error();
    const MapsInfo& info = maps.value()->info();
    HeadAtlas atlas;
    atlas.run_title = info.run_title;
    atlas.layers = info.layers;
    atlas.heads = info.heads;
    atlas.train_length = info.train_length;
    atlas.texts = request.measure.sequences;
    atlas.queries = request.queries;
    atlas.lengths = request.lengths;
    atlas.steps = request.steps;
    atlas.text = std::to_string(request.measure.sequences) + " texts, each ending with the same tokens at every length";
    const auto measures = maps.value()->measures(request.measure, context).value();
    double stops = 0;
    for (const std::int64_t step : atlas.steps)
        for (const std::int64_t length : atlas.lengths) {
            for (const HeadMeasures& m : measures) atlas.points.push_back(point_of(m, step, length, stops));
            stops += 1;
        }
    return atlas;
}

std::vector<HeadPoint> head_trail(const HeadAtlas& atlas, std::int64_t layer, std::int64_t head, TrailAxis over) {
    std::vector<HeadPoint> trail;
    for (const HeadPoint& point : atlas.points) {
        const bool on_trail = over == TrailAxis::length ? point.step == atlas.steps.back() : point.length == atlas.lengths.back();
        if (on_trail && point.layer == layer && point.head == head) trail.push_back(point);
    }
    return trail;
}

std::string atlas_csv(const HeadAtlas& atlas) {
    std::string csv = "step,length,layer,head,class\n";
    for (const HeadPoint& point : atlas.points)
        csv += std::to_string(point.step) + "," + std::to_string(point.length) + "," + std::to_string(point.layer) + "," + std::to_string(point.head) + "," + point.head_class + "\n";
    return csv;
}

Result<HeadDistances> head_distances(const AtlasRequest& request, const RunContext&) {
    ++fake::state().distance_calls;
    if (fake::state().fail_distances) return Error{ErrorKind::internal, "The heads cannot be compared."};
    const auto run = read_run(request.run);
    if (!run.ok()) return run.error();
    HeadDistances distances;
    distances.run_title = run.value().title;
    distances.step = request.steps.front();
    distances.length = request.lengths.front();
    distances.texts = request.measure.sequences;
    distances.queries = request.queries;
    const ModelSpec& model = run.value().recipe.model;
    for (std::int64_t layer = 0; layer < model.layers; ++layer)
        for (std::int64_t head = 0; head < model.heads; ++head) distances.heads.push_back({layer, head});
    const std::size_t count = distances.heads.size();
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = 0; b < count; ++b) distances.divergence.push_back(0.693 * std::abs(static_cast<double>(a) - static_cast<double>(b)) / static_cast<double>(count));
    return distances;
}

std::vector<SimilarTo> most_similar(const HeadDistances& distances, HeadPlace head, std::size_t most) {
    const std::size_t count = distances.heads.size();
    std::vector<SimilarTo> list;
    for (std::size_t own = 0; own < count; ++own) {
        if (distances.heads[own].layer != head.layer || distances.heads[own].head != head.head) continue;
        for (std::size_t other = 0; other < count; ++other)
            if (other != own) list.push_back({distances.heads[other], distances.divergence[own * count + other]});
    }
    std::stable_sort(list.begin(), list.end(), [](const SimilarTo& a, const SimilarTo& b) { return a.divergence < b.divergence; });
    if (list.size() > most) list.resize(most);
    return list;
}

namespace {

/// Each moves another share of its attention; the most moves layer 1, head 5.
std::vector<HeadDependence> all_heads(const ModelSpec& model) {
    std::vector<HeadDependence> heads;
    for (std::int64_t layer = 0; layer < model.layers; ++layer)
        for (std::int64_t head = 0; head < model.heads; ++head) heads.push_back({layer, head, 0.42, 1.31, 2.5, layer == 1 && head == 5 ? 0.4 : 0.001 * static_cast<double>(layer * model.heads + head)});
    return heads;
}

}  // namespace

Result<TextDependence> text_dependence(const DependenceRequest& request, const RunContext&) {
    ++fake::state().dependence_calls;
    const auto a = read_text(request.run, request.a), b = read_text(request.run, request.b);
    if (!a.ok()) return a.error();
    if (!b.ok()) return b.error();
    if (request.a.text == request.b.text && request.a.document == request.b.document && request.a.offset == request.b.offset) return Error{ErrorKind::invalid_argument, "Both texts are the same tokens."};
    TextDependence found;
    found.text_a = a.value().title;
    found.text_b = b.value().title;
    found.length = static_cast<std::int64_t>(std::min(a.value().ids.size(), b.value().ids.size()));
    found.heads = {{request.layer, request.head, 0.42, 1.31, 2.5, 0.083}};
    if (request.layer < 0) found.heads = all_heads(read_run(request.run).value().recipe.model);
    for (std::size_t n = 0; n < std::min<std::size_t>(request.places, 12); ++n) {
        const std::int64_t query = found.length - 1 - static_cast<std::int64_t>(n), key = query / 2;
        const double size = (request.order == DependenceOrder::term ? 2.5 : 0.31) / static_cast<double>(n + 1);
        const auto i = static_cast<std::size_t>(query), j = static_cast<std::size_t>(key);
        found.places.push_back({request.layer, request.head, query, key, 0.5, 0.5 + size, 0.2, size, a.value().pieces.at(i), a.value().pieces.at(j), b.value().pieces.at(i), b.value().pieces.at(j)});
    }
    return found;
}

std::string dependence_csv(const TextDependence& dependence) {
    std::string csv = "layer,head,moved\n";
    for (const HeadDependence& h : dependence.heads) csv += std::to_string(h.layer) + "," + std::to_string(h.head) + "," + std::to_string(h.moved) + "\n";
    return csv;
}

std::string places_csv(const TextDependence& dependence) {
    std::string csv = "layer,head,query,key,moved\n";
    for (const DependencePlace& p : dependence.places)
        csv += std::to_string(p.layer) + "," + std::to_string(p.head) + "," + std::to_string(p.query) + "," + std::to_string(p.key) + "," + std::to_string(p.moved) + "\n";
    return csv;
}

}  // namespace lw
