/// See theme.h. The palette of the desktop decides; only tints between its colours are our own.
#include "ui/theme.h"

#include "ui/theme_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QStyle>

#include <algorithm>
#include <array>
#include <cmath>

namespace lw::ui::theme {

namespace {

/// Okabe-Ito without black, in an order that keeps neighbours apart; grey stands for black, which would vanish on dark. The
/// yellow is darkened to be seen on white, and a violet follows so that nine methods need no second line style.
constexpr std::array<QRgb, 9> kLight = {0xff6b7280, 0xffe69f00, 0xffd55e00, 0xff009e73, 0xff56b4e9,
                                        0xffcc79a7, 0xffb3a100, 0xff0072b2, 0xff7b5295};
/// The same hues lightened where they would be too dark on a dark ground.
constexpr std::array<QRgb, 9> kDark = {0xff9aa1ad, 0xffe9ab22, 0xffe8743a, 0xff25b88c, 0xff6ec0ee,
                                       0xffd98fb8, 0xffd8c72a, 0xff3d9ddb, 0xffa684c4};
constexpr std::array<Qt::PenStyle, 4> kPens = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

QColor mix(const QColor& a, const QColor& b, double share) {
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * share),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * share),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * share));
}

/// WCAG's relative luminance.
double luminance(const QColor& colour) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr double kLightAccent = 0.4;  // luminance from which an accent is light itself, as a yellow, and carries black
constexpr double kContrast = 4.5;     // WCAG AA for text

/// The desktop's accent, darkened until white stands off it; a light one stays as it is.
QColor carryingAccent(QColor accent) {
    while (luminance(accent) < kLightAccent && 1.05 / (luminance(accent) + 0.05) < kContrast) accent = mix(accent, Qt::black, 0.03);
    return accent;
}

double contrast(const QColor& a, const QColor& b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor readableOn(const QColor& ground) { return 1.05 / (luminance(ground) + 0.05) < kContrast - 0.05 ? QColor(Qt::black) : QColor(Qt::white); }

QFont scaled(double factor, QFont::Weight weight) {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setWeight(weight);
    return font;
}

QPalette makePalette(bool dark) {
    const QColor window(dark ? 0xff1e2126 : 0xffffffff);
    const QColor base(dark ? 0xff25292f : 0xffffffff);
    const QColor text(dark ? 0xffe6e8eb : 0xff1b2230);
    const QColor accent = carryingAccent(QColor(dark ? 0xff4c8dee : 0xff2f6fd0));
    QPalette palette(dark ? QColor(0xff31363d) : QColor(0xfff4f5f7), window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, mix(base, text, 0.03));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) palette.setColor(role, text);
    palette.setColor(QPalette::Highlight, accent);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor(0xff6da5f2) : accent);
    palette.setColor(QPalette::ToolTipBase, QColor(0xff1f2530));
    palette.setColor(QPalette::ToolTipText, QColor(0xfff1f3f5));
    palette.setColor(QPalette::PlaceholderText, mix(text, window, dark ? 0.36 : 0.38));  // captions are read, not only hinted at
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mix(text, window, 0.55));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mix(accent, window, 0.6));
    return palette;
}

}  // namespace

bool isDark(const QPalette& palette) { return palette.color(QPalette::Window).lightnessF() < 0.5F; }
QColor text(const QPalette& palette) { return palette.color(QPalette::WindowText); }
QColor secondaryText(const QPalette& palette) { return mix(text(palette), surface(palette), isDark(palette) ? 0.36 : 0.38); }
QColor line(const QPalette& palette) { return mix(surface(palette), text(palette), 0.13); }
QColor edge(const QPalette& palette) { return mix(surface(palette), text(palette), isDark(palette) ? 0.28 : 0.22); }
QColor surface(const QPalette& palette) { return palette.color(QPalette::Window); }
QColor raised(const QPalette& palette) { return mix(surface(palette), text(palette), 0.045); }
QColor accent(const QPalette& palette) { return palette.color(QPalette::Active, QPalette::Highlight); }
QColor accentText(const QPalette& palette) { return palette.color(QPalette::HighlightedText); }
QColor selection(const QPalette& palette) { return mix(surface(palette), accent(palette), isDark(palette) ? 0.28 : 0.12); }
QColor masked(const QPalette& palette) { return mix(surface(palette), text(palette), 0.09); }
QColor error(const QPalette& palette) { return isDark(palette) ? QColor(0xfff07c6c) : QColor(0xffb3261e); }
QColor warning(const QPalette& palette) { return isDark(palette) ? QColor(0xffe9ab22) : QColor(0xff8a5a00); }
QColor good(const QPalette& palette) { return isDark(palette) ? QColor(0xff25b88c) : QColor(0xff00795a); }

QColor runColour(int style, bool dark) {
    const auto index = static_cast<std::size_t>(qMax(0, style)) % kLight.size();
    return QColor::fromRgb(dark ? kDark[index] : kLight[index]);
}

QColor runTextColour(int style, bool dark, const QColor& ground) {
    QColor colour = runColour(style, dark);
    for (int step = 0; step < 40 && contrast(colour, ground) < kContrast; ++step) colour = mix(colour, dark ? Qt::white : Qt::black, 0.05);
    return colour;
}

Qt::PenStyle runPenStyle(int style) {
    return kPens[(static_cast<std::size_t>(qMax(0, style)) / kLight.size()) % kPens.size()];
}

int runStyle(int n) { return n < runColourCount() ? (n + 1) % runColourCount() : n; }

int runColourCount() { return static_cast<int>(kLight.size()); }

QFont caption() { return scaled(0.87, QFont::Normal); }
QFont body() { return QApplication::font(); }
QFont title() { return scaled(1.15, QFont::DemiBold); }

/// The usual desktop fonts have figures of equal width already; where they do not, kerning must not move digits.
QFont tabular() {
    QFont font = QApplication::font();
    font.setKerning(false);
    return font;
}

QFont monospace() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

QString fittingText(const QStringList& texts, const QFontMetrics& metrics, int width) {
    for (const QString& text : texts)
        if (metrics.horizontalAdvance(text) <= width) return text;
    return metrics.elidedText(texts.last(), Qt::ElideRight, width);
}

void apply(bool dark) {
    QApplication::setStyle(makeStyle());
    const QPalette palette = makePalette(dark);
    QApplication::setPalette(palette);
    qApp->setStyleSheet(styleSheet(palette));
}

void applySystem() {
    // Fusion draws flat and sharp at every scale; the desktop's own light or dark and accent colour are kept.
    static const QPalette desktop = QApplication::palette();  // before ours is set
    applyDesktop(desktop);
}

void applyDesktop(const QPalette& desktop) {
    QPalette palette = makePalette(isDark(desktop));
    const QColor wanted = desktop.color(QPalette::Highlight);
    if (wanted.saturationF() > 0.2F) {
        const QColor accentColour = carryingAccent(wanted);
        palette.setColor(QPalette::Highlight, accentColour);
        palette.setColor(QPalette::Link, wanted);
        palette.setColor(QPalette::HighlightedText, readableOn(accentColour));
        palette.setColor(QPalette::Disabled, QPalette::Highlight, mix(accentColour, palette.color(QPalette::Window), 0.6));
    }
    QApplication::setStyle(makeStyle());
    QApplication::setPalette(palette);
    qApp->setStyleSheet(styleSheet(palette));
}

void applyNamed(const QString& look) {
    if (look == QLatin1String("light") || look == QLatin1String("dark")) return apply(look == QLatin1String("dark"));
    applySystem();
}

}  // namespace lw::ui::theme
