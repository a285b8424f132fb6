#pragma once
/// From previews of schemes to curves: what is drawn of an encoding when no model is there. Plain values.

#include "core/api/scheme.h"
#include "ui/plot/curve_content.h"

#include <QString>

#include <vector>

namespace lw::ui {

/// A scheme with its preview; pinned ones stay while the form goes on to others.
struct ShownScheme {
    QString title;
    int style = 0;
    lw::EncodingPreview preview;
    lw::SchemeSpec scheme = {};
};

struct EncodingView {
    std::int64_t head = 0;           ///< drawn of each scheme when several are shown
    std::int64_t trainLength = 128;
    bool logDistance = true;
};

/// Bias in nats against distance: all heads of one scheme, or one head of several.
[[nodiscard]] CurveContent biasContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// Wavelength in tokens of each rotated pair; a pair whose wavelength is above L never turns fully in training.
[[nodiscard]] CurveContent wavelengthContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// Mean of cos(δ θ) over the pairs against distance, the unscaled one faint.
[[nodiscard]] CurveContent similarityContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// What position and distance maps make of the distance, gaps where the last query does not read the key; nothing for plain distances.
[[nodiscard]] CurveContent mappedContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// The temperature's factor on the scores of a row against the query's position.
[[nodiscard]] CurveContent temperatureContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// p_i · p_(i−δ) of an additive input against distance.
[[nodiscard]] CurveContent inputContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);

}  // namespace lw::ui
