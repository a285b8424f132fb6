/// Heads over lengths and checkpoints in the fake laboratory: λ falls a little with every stop.
#include "core/api/heads.h"
#include "tests/ui/fake_lab.h"

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

}  // namespace lw
