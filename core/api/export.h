#pragma once
/// Numbers out of the program: CSV and NPZ.

#include "core/api/evaluation.h"
#include "core/api/maps.h"

namespace lw {

struct NamedArray {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};
/// Writes a NumPy .npz (zip of float32 .npy), atomically.
Status write_npz(const std::filesystem::path& file, const std::vector<NamedArray>& arrays);
/// Writes text atomically (temporary name, flush, rename).
Status write_text_file(const std::filesystem::path& file, const std::string& text);
[[nodiscard]] std::string curves_csv(const CurveSet& curves);
[[nodiscard]] std::string tile_csv(const MapTile& tile);
[[nodiscard]] std::string rows_csv(const std::vector<RowProfile>& rows);
[[nodiscard]] std::string measures_csv(const std::vector<HeadMeasures>& measures);

}  // namespace lw
