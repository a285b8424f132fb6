/// Stands in for drawing in a build without Qt (preset no-ui): says so instead of drawing.

#include "app/cli/render.h"

namespace lw::cli {

namespace {
const char* const kReason =
    "This build has no drawing (it was configured with LW_UI=OFF); use maps, compare or heads with --out for the numbers.";
}  // namespace

void prepare_drawing() { throw Failure(ErrorKind::unavailable, kReason); }

}  // namespace lw::cli

namespace lw::ui {

namespace {
FigureResult refused() { return Error{ErrorKind::unavailable, lw::cli::kReason}; }
}  // namespace

Status check_numbers(const FigureOptions&) { return Error{ErrorKind::unavailable, lw::cli::kReason}; }
FigureResult render_curves_figure(const CurveSet&, const FigureOptions&) { return refused(); }
std::vector<int> curve_styles(const CurveSet&, const std::vector<RunInfo>&, const std::filesystem::path&) { return {}; }
void style_encoding_figures(std::vector<EncodingFigure>&, const std::filesystem::path&) {}
FigureResult render_map_figure(const std::vector<MapTile>&, const FigureOptions&) { return refused(); }
FigureResult render_rows_figure(const std::vector<RowProfile>&, const FigureOptions&) { return refused(); }
FigureResult render_atlas_figure(const HeadAtlas&, const std::string&, TrailAxis, const FigureOptions&) { return refused(); }
FigureResult render_depth_figure(const std::vector<TaskEvaluation>&, const FigureOptions&) { return refused(); }
FigureResult render_encoding_figure(const std::vector<EncodingFigure>&, const std::string&, std::int64_t, std::int64_t, const FigureOptions&) { return refused(); }
Result<EncodingFigure> encoding_figure(const PreviewRequest&) { return Error{ErrorKind::unavailable, lw::cli::kReason}; }
std::vector<std::string> left_out_of_encoding_figure(const std::vector<EncodingFigure>&, const std::string&, std::int64_t, std::int64_t) { return {}; }
std::vector<std::string> notes_of_encoding_figure(const std::vector<EncodingFigure>&, const std::string&, std::int64_t, std::int64_t) { return {}; }
std::vector<std::string> encoding_figure_kinds() { return {}; }

}  // namespace lw::ui
