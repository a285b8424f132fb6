#pragma once
/// One checkpoint read text by text: what the verbs of heads.h have in common.

#include "core/api/heads.h"
#include "core/evaluation/attention_sums.h"
#include "core/evaluation/locality.h"
#include "core/lab/map_session.h"

namespace lw {

/// Checked lengths, ascending and each once; the text's own where none is asked for. Throws Failure: invalid_argument; those of read_text.
std::vector<std::int64_t> checked_lengths(const AtlasRequest& request);

/// The last `queries` rows of a text, all of them where 0 or more than there are.
[[nodiscard]] Span last_rows(std::int64_t length, std::int64_t queries);

/// A text run through a model, its layers' scores at hand. Throws Failure(out_of_memory) for a text too long to keep.
ModelMapSession read_heads(const LoadedModel& loaded, const TokenText& text, const RunContext& context);

/// Heads of one checkpoint at one length, text after text.
class HeadCollector {
public:
    explicit HeadCollector(const AtlasRequest& request) : request_(request) {}
    /// One more text of the same length.
    void add(const ModelMapSession& session);
    /// By layer, then head.
    [[nodiscard]] std::vector<HeadPoint> points(std::int64_t step) const;
    [[nodiscard]] std::vector<LayerTerms> terms(std::int64_t step) const;

private:
    struct Head {
        HeadSums sums;
        std::vector<std::vector<double>> curves;  ///< [texts][T], by distance, of the last query
    };
    [[nodiscard]] HeadPoint point_of(const Head& head) const;

    const AtlasRequest& request_;
    std::int64_t length_ = 0;
    std::vector<std::vector<Head>> layers_;  ///< [layers][H]
};

}  // namespace lw
