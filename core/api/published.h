#pragma once
/// Values that papers state. They were measured on other texts with other tokens: they show a shape, and are never part of a comparison.

#include "core/api/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lw {

struct PublishedPoint {
    std::int64_t length = 0;
    double perplexity = 0;
};

struct PublishedSeries {
    std::string title;  ///< of the scheme, as its preset is called
    std::vector<PublishedPoint> points;
};

struct PublishedSet {
    std::string id;         ///< its file's name without ".json"
    std::string title;      ///< "DAPE paper: arXiv, 125M, L = 512"
    std::string source;     ///< paper and place
    std::string protocol;   ///< how it was measured, as far as the paper says so
    std::string certainty;  ///< "stated" in the paper's text | "second-hand", from notes of others
    std::string note;       ///< what a reader must know
    std::vector<PublishedSeries> series;
    std::int64_t length = 0;  ///< L, that the models were trained at
};

/// The sets that come with the program, by id; files that cannot be read are left out.
[[nodiscard]] std::vector<PublishedSet> published_sets();
/// Errors: not_found with the nearest; corrupt_file.
Result<PublishedSet> published_set(const std::string& id);

}  // namespace lw
