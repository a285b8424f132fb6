#pragma once
/// From previews of schemes to curves: what is drawn of an encoding when no model is there. Plain values.

#include "core/api/scheme.h"
#include "ui/plot/curve_content.h"

#include <QString>

#include <optional>
#include <vector>

namespace lw::ui {

/// A scheme with its preview; pinned ones stay while the form goes on to others.
struct ShownScheme {
    QString title;
    int style = 0;
    lw::EncodingPreview preview;
    lw::SchemeSpec scheme = {};
    std::optional<lw::EncodingPreview> plain = {};  ///< without its plug-in methods; empty where it has none
    QString without = {};                           ///< what plain leaves out: "YaRN, log-n"
    QString caption = {};                           ///< "Kerple, seed 1, step 800, layer 0 of 4: values"; empty for untrained ones
    bool pinned = false;                            ///< named so, as the form may hold the same scheme
};

struct EncodingView {
    std::int64_t head = 0;           ///< drawn of each scheme when several are shown
    std::int64_t trainLength = 128;
    bool logDistance = true;
};

// In every plot the scheme without its plug-in methods is a faint grey line wherever it differs.

/// Bias in nats against distance: all heads of one scheme, or one head of several.
[[nodiscard]] CurveContent biasContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// Wavelength in tokens of each rotated pair.
[[nodiscard]] CurveContent wavelengthContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// How often each pair turns within L tokens, with a line at one full turn: a pair below it meets angles past L that training never had.
[[nodiscard]] CurveContent turnsContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// Mean of cos(δ θ) over the pairs against distance.
[[nodiscard]] CurveContent similarityContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// The relative bound of |qᵀk| against distance (RoFormer, section 3.4.3): what a rotation lets far tokens reach at most; 1 at δ = 0.
[[nodiscard]] CurveContent decayContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// What position and distance maps make of the distance, gaps where the last query does not read the key; nothing for plain distances.
[[nodiscard]] CurveContent mappedContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// The temperature's factor on the scores of a row against the query's position.
[[nodiscard]] CurveContent temperatureContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// p_i · p_(i−δ) of an additive input against distance.
[[nodiscard]] CurveContent inputContent(const std::vector<ShownScheme>& schemes, const EncodingView& view);
/// A plot of the Encodings page, which figures of the command line are made of as well.
struct EncodingPlot {
    const char* id;  ///< "bias"; the page's widget is called biasPlot
    QString heading, help;
    CurveContent (*content)(const std::vector<ShownScheme>&, const EncodingView&);
    bool logY = false;
};
/// All of them, in the page's order; those without content are not shown.
[[nodiscard]] const std::vector<EncodingPlot>& encodingPlots();
/// What the grey lines are, one sentence; "" where there are none.
[[nodiscard]] QString plainNote(const std::vector<ShownScheme>& schemes);

}  // namespace lw::ui
