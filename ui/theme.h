#pragma once
/// Colours, fonts and spacing of the window, all derived from the desktop's palette and font.

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QStringList>

class QFontMetrics;
class QPainter;
class QRect;

namespace lw::ui::theme {

/// Everything is laid out on this grid (device-independent pixels).
constexpr int kGrid = 8;
/// Columns of every form, so that inputs of different forms stand under each other.
constexpr int kLabelWidth = 120;
constexpr int kResetWidth = 30;

[[nodiscard]] bool isDark(const QPalette& palette);
[[nodiscard]] QColor text(const QPalette& palette);
[[nodiscard]] QColor secondaryText(const QPalette& palette);  ///< captions, units, axis labels
[[nodiscard]] QColor line(const QPalette& palette);           ///< one-pixel separators, grid lines
[[nodiscard]] QColor edge(const QPalette& palette);           ///< outline of inputs
[[nodiscard]] QColor surface(const QPalette& palette);        ///< window background behind plots and lists
[[nodiscard]] QColor raised(const QPalette& palette);         ///< read-outs, strips, hovered rows
[[nodiscard]] QColor accent(const QPalette& palette);         ///< the one accent colour
[[nodiscard]] QColor accentText(const QPalette& palette);     ///< on top of the accent
[[nodiscard]] QColor selection(const QPalette& palette);      ///< quiet accent tint of a selected row
[[nodiscard]] QColor masked(const QPalette& palette);         ///< masked cells of a map
[[nodiscard]] QColor error(const QPalette& palette);
[[nodiscard]] QColor warning(const QPalette& palette);
[[nodiscard]] QColor good(const QPalette& palette);

/// The colour of a run by its style index: Okabe-Ito order, lightened where the background is dark.
[[nodiscard]] QColor runColour(int style, bool dark);
/// The same for words: as far darker or lighter as it takes to read them on this ground.
[[nodiscard]] QColor runTextColour(int style, bool dark, const QColor& ground);
/// The style index of the n-th of several runs: those of the first round of colours with the grey, which elsewhere means "plain", at its end.
[[nodiscard]] int runStyle(int n);
/// Line style of a run: solid for the first round of colours, then dashed, dotted, dash-dotted.
[[nodiscard]] Qt::PenStyle runPenStyle(int style);
/// Number of distinct colours; marker and pen style change every so many styles.
[[nodiscard]] int runColourCount();

/// Three sizes: caption (0.87 of body), body (the system font), title (1.15 of body, bold).
[[nodiscard]] QFont caption();
[[nodiscard]] QFont body();
[[nodiscard]] QFont title();
/// Body font with figures of equal width where the font offers them.
[[nodiscard]] QFont tabular();
[[nodiscard]] QFont monospace();

/// The first text that fits into so many pixels; where none does, the last one with an ellipsis.
[[nodiscard]] QString fittingText(const QStringList& texts, const QFontMetrics& metrics, int width);

/// A tick box as in the list of runs; a line in it where some are ticked and others are not.
void paintTickBox(QPainter* painter, const QRect& box, Qt::CheckState state, bool enabled, bool focus, const QPalette& palette);

/// Application-wide palette and style sheet for light or dark; called once at start and by screenshots.
void apply(bool dark);
/// Light or dark as the desktop is, with its accent colour.
void applySystem();
/// The same for a desktop of this palette: its accent is darkened where white text would not stand off it.
void applyDesktop(const QPalette& desktop);
/// "light", "dark", anything else = the desktop's.
void applyNamed(const QString& look);

}  // namespace lw::ui::theme
