/// Heads over length, training and texts as CSV: one header line, numbers with as many digits as give back the same number.
#include "core/api/heads.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace lw {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// Token pieces hold commas and quotes.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + "\"";
}

}  // namespace

std::string atlas_csv(const HeadAtlas& atlas) {
    std::string text = "step,length,layer,head,class,of,texts,queries,contrast,rank,locality,adaptivity,entropy,spread,effective_keys,peak,beyond_training,sink,self,"
                       "trained_low,trained_high,trained_mean,trained_deviation,untrained_low,untrained_high,untrained_mean,untrained_deviation,"
                       "rms_content,rms_bias,rms_adaptive\n";
    for (const auto& p : atlas.points) {
        const auto queries = std::min(atlas.queries, p.length);
        fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},", p.step, p.length, p.layer, p.head, p.head_class, score_part_name(atlas.of),
                       atlas.texts, queries, p.contrast, p.rank, p.locality, p.adaptivity, p.entropy, p.spread, p.effective_keys, p.peak, p.beyond_training, p.sink, p.self);
        for (const auto& range : {p.trained, p.untrained}) fmt::format_to(Out(text), "{},{},{},{},", range.low, range.high, range.mean, range.deviation);
        fmt::format_to(Out(text), "{},{},{}\n", p.rms_content, p.rms_bias, p.rms_adaptive);
    }
    return text;
}

std::string distances_csv(const HeadDistances& distances) {
    std::string text = "layer_a,head_a,layer_b,head_b,js_divergence\n";
    const auto count = distances.heads.size();
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a + 1; b < count; ++b) {
            const auto &first = distances.heads[a], &second = distances.heads[b];
            fmt::format_to(Out(text), "{},{},{},{},{}\n", first.layer, first.head, second.layer, second.head, distances.divergence[a * count + b]);
        }
    }
    return text;
}

std::string places_csv(const TextDependence& dependence) {
    std::string text = "layer,head,query,key,distance,term_a,term_b,weight,moved,query_a,key_a,query_b,key_b\n";
    for (const auto& p : dependence.places) {
        fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", p.layer, p.head, p.query, p.key, p.query - p.key, p.term_a, p.term_b, p.weight, p.moved,
                       quoted(p.query_a), quoted(p.key_a), quoted(p.query_b), quoted(p.key_b));
    }
    return text;
}

std::string dependence_csv(const TextDependence& dependence) {
    std::string text = "layer,head,rms_difference,rms_term,largest,moved\n";
    for (const auto& h : dependence.heads) fmt::format_to(Out(text), "{},{},{},{},{},{}\n", h.layer, h.head, h.rms_difference, h.rms_term, h.largest, h.moved);
    return text;
}

}  // namespace lw
