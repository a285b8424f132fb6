#pragma once
/// From the preview of a scheme to its maps: the distance used for every query and key, the rotation's waves, a static bias.
/// Plain values. Every map is empty where the scheme has nothing of its kind, or the preview was made without maps.

#include "ui/plot/encoding_plots.h"
#include "ui/plot/quantity_map.h"
#include "ui/plot/read_out.h"

namespace lw::ui {

/// What stands beside a map that plug-in methods change.
enum class MapBeside { plain, change };

struct EncodingMapsView {
    std::int64_t head = 0;       ///< of the bias
    bool logDistance = true;     ///< colours of distances by their logarithm
    MapBeside beside = MapBeside::plain;
};

/// Used distance in tokens, query position i x key position j, [m][m]; not a number where the query does not read the key. Of the first
/// head where heads differ. One scale for it and for its plain form.
[[nodiscard]] QuantityMap distanceMap(const ShownScheme& scheme, const EncodingMapsView& view);
/// The same of the plain scheme, or used minus plain; empty where both are alike.
[[nodiscard]] QuantityMap besideDistanceMap(const ShownScheme& scheme, const EncodingMapsView& view);
/// cos(p θ), position x pair, [m][d/2], from -1 to 1.
[[nodiscard]] QuantityMap waveMap(const ShownScheme& scheme);
/// The same of the plain scheme, or the difference; empty where both are alike.
[[nodiscard]] QuantityMap besideWaveMap(const ShownScheme& scheme, const EncodingMapsView& view);
/// Bias of one head in nats, [m][m]: its values at the sampled distances of the curve, interpolated at the used distance of each cell.
/// Only for a bias that is a function of the used distance alone, the same for all heads.
[[nodiscard]] QuantityMap biasMap(const ShownScheme& scheme, const EncodingMapsView& view);
/// Whether the scheme's bias is such a function: its method claims to be relative, which the tests of the program hold it to.
[[nodiscard]] bool biasFollowsDistance(const lw::SchemeSpec& scheme);

/// Share of the pairs j <= i that are read, 0 to 1, from the sampled cells; a cell on the diagonal is half of earlier keys.
[[nodiscard]] double shareOfPairs(const lw::EncodingPreview& preview);
/// "reads 12 % of the pairs j ≤ i"
[[nodiscard]] QString visibilityText(const lw::EncodingPreview& preview);
/// Pairs that turn more than half around from one sampled place to the next, so that their stripes are not those of the wave; "" = none.
[[nodiscard]] QString unresolvedText(const lw::EncodingPreview& preview);

/// What is read out at a cell.
struct MapReading {
    QString heading;
    std::vector<ReadOutRow> rows;
};
/// At row and column of the distance map: δ = i - j, used distance, the plain one, the bias.
[[nodiscard]] MapReading distanceReading(const ShownScheme& scheme, const EncodingMapsView& view, MapCell sample);
/// At a place (query) and pair (key) of the wave map: cos(p θ), the plain one, the pair's wavelength.
[[nodiscard]] MapReading waveReading(const ShownScheme& scheme, MapCell sample);

}  // namespace lw::ui
