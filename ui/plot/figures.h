#pragma once
/// Figures that leave the program: the same drawing for the window's export and for lengthwise-cli, on a screen or without one.
/// The caller has made a QApplication (QT_QPA_PLATFORM=offscreen on a server) and calls from its thread.

#include "core/api/evaluation.h"
#include "core/api/heads.h"
#include "core/api/result.h"
#include "core/api/runs.h"
#include "core/api/scheme.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lw::ui {

struct AtlasContent;
struct CurveContent;

struct FigureOptions {
    std::filesystem::path path;   ///< ending in .pdf, .svg or .png; its folder must exist
    double width_mm = 160;
    double height_mm = 100;       ///< 0 = chosen by the content
    double dpi = 300;             ///< of a PNG; PDF and SVG keep text and lines as vectors
    bool dark = false;            ///< the figure's own theme, whatever the window's is
    bool log_y = true;            ///< curves only
    std::string title;            ///< drawn above the plot and kept in the file; "" = none
    std::string subtitle;         ///< below it in small type: lengths, seed; "" = none. Not by curves, which have a caption
    std::string state;            ///< JSON of what made the figure (recipe, protocol, ...), kept in the file's metadata
    bool csv = true;              ///< also write the numbers drawn as <path without ending>.csv
    bool npz = false;             ///< also write them as <path without ending>.npz
    bool own_numbers = false;     ///< the caller writes the CSV beside it: the figure says that it has numbers
    std::vector<int> styles;      ///< curves: colour and line style of each line; empty = in order
    bool bands = true;            ///< curves: draw the intervals as bands of 20 % opacity
    bool few_bands = false;       ///< curves: where more than four lines are drawn, only the bold one's band
    bool ask_bands = false;       ///< curves: the dialog offers both, as there are intervals
    std::string caption;          ///< curves: how the numbers were measured, in small type below the plot

    // Maps and rows.
    std::vector<std::string> panel_titles;     ///< one per tile or row; empty = "Layer 2, head 4 · bias"
    std::int64_t columns = 0;                  ///< panels beside each other; 0 = chosen
    std::optional<double> low, high;           ///< colour limits; signed parts without: symmetric, shared by all panels
    std::optional<double> probability_low, probability_high;  ///< limits of probability beside signed parts
    std::string signed_colours, probability_colours;  ///< "blue-red", "purple-green"; "night", "ink"; "" = the first of each
    std::vector<std::size_t> differences;      ///< maps: tiles that are differences, signed and on a scale of their own
    bool log_colour = false;                   ///< probability on a logarithmic colour scale
    std::int64_t train_length = 0;             ///< rows: marks distance = L; 0 = not marked
    bool probability_rows = false;             ///< rows: the probability, by decades, instead of the terms
};

/// invalid_argument where the CSV or NPZ beside the figure would replace a file that is not the numbers of a figure drawn before: one of that name
/// stands alone, or beside a PDF, SVG or PNG that Lengthwise did not write. Every render function checks it before it draws.
[[nodiscard]] lw::Status check_numbers(const FigureOptions& options);

/// The files that were written, the figure first.
using FigureResult = lw::Result<std::vector<std::filesystem::path>>;

/// Perplexity against length (or whatever the set's labels say).
FigureResult render_curves_figure(const lw::CurveSet& curves, const FigureOptions& options);
/// The style of each line, for FigureOptions::styles: the one its run has in the window with this workspace open. `drawn` are the runs that the
/// lines name by their ids. Lines of none of them get theirs in order.
std::vector<int> curve_styles(const lw::CurveSet& curves, const std::vector<lw::RunInfo>& drawn, const std::filesystem::path& workspace);
/// Any curves, with the text of their numbers for the CSV.
FigureResult render_content_figure(const CurveContent& content, const std::string& csv, const FigureOptions& options);
/// Heat maps: several parts of one head side by side, or the heads of a layer. All panels share the colour scale of their kind.
FigureResult render_map_figure(const std::vector<lw::MapTile>& tiles, const FigureOptions& options);
/// Content, bias, adaptive and bias + adaptive, or the probability, against key position, one panel per row.
FigureResult render_rows_figure(const std::vector<lw::RowProfile>& rows, const FigureOptions& options);

/// Heads as dots: λ across, `axis` up ("C", "A", "rho", "entropy", ...), coloured by class, with their ways over lengths or checkpoints.
FigureResult render_atlas_figure(const lw::HeadAtlas& atlas, const std::string& axis, lw::TrailAxis over, const FigureOptions& options);
/// Dots as they are, with the text of their numbers for the CSV.
FigureResult render_atlas_content_figure(const AtlasContent& content, const std::string& csv, const FigureOptions& options);
/// Accuracy by length and place in the text, a panel per run that has it; panel_titles name them. not_found where none has.
FigureResult render_depth_figure(const std::vector<lw::TaskEvaluation>& evaluations, const FigureOptions& options);

/// A scheme as the Encodings page shows it.
struct EncodingFigure {
    std::string title;
    lw::SchemeSpec scheme;
    lw::EncodingPreview preview;
    std::optional<lw::EncodingPreview> plain{};  ///< without its plug-in methods, drawn in grey; absent where it has none
    std::string without{};                       ///< what plain leaves out: "YaRN, log-n"
    int style = 0;                               ///< colour and line style; 0, the grey of what is plain, = in order
};
/// Gives each the style it has on the Encodings page with this workspace open: that of runs with its methods, else the first that is free.
void style_encoding_figures(std::vector<EncodingFigure>& schemes, const std::filesystem::path& workspace);
/// Of a scheme by itself, named after it. Errors: those of preview_scheme().
lw::Result<EncodingFigure> encoding_figure(const lw::PreviewRequest& request);
/// What render_encoding_figure() can draw: the page's plots, then its maps.
std::vector<std::string> encoding_figure_kinds();
/// Titles of the schemes that have no part in what render_encoding_figure() draws.
std::vector<std::string> left_out_of_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head);
/// What the page says beside what is drawn: whole sentences, of several schemes with their titles before them.
std::vector<std::string> notes_of_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head);
/// One plot of all schemes, or one map of the first. `kind` = "": the first plot that has something to show. `head`: of a bias where
/// only one is drawn. Maps need previews with map_cells.
FigureResult render_encoding_figure(const std::vector<EncodingFigure>& schemes, const std::string& kind, std::int64_t train_length, std::int64_t head,
                                    const FigureOptions& options);

}  // namespace lw::ui
