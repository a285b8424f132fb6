/// See plot_theme.h.
#include "ui/plot/plot_theme.h"

#include "ui/theme.h"


namespace lw::ui {

namespace {

QFont exportFont(int pixels, bool bold) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setStyleHint(QFont::SansSerif);
    font.setPixelSize(pixels);
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);  // metrics then hold at any scale of the page
    return font;
}

}  // namespace

PlotTheme PlotTheme::fromPalette(const QPalette& palette) {
    PlotTheme t;
    t.dark = theme::isDark(palette);
    t.background = theme::surface(palette);
    t.text = theme::text(palette);
    t.secondary = theme::secondaryText(palette);
    t.grid = theme::line(palette);
    t.axis = t.secondary;
    t.masked = theme::masked(palette);
    t.accent = theme::accent(palette);
    t.tint = theme::selection(palette);
    t.panel = t.dark ? QColor(0x3a, 0x3f, 0x4b) : QColor(0x1f, 0x24, 0x30);
    t.panelText = QColor(0xf4, 0xf5, 0xf7);
    t.panelSecondary = QColor(0xb4, 0xba, 0xc6);
    t.caption = theme::caption();
    t.body = theme::body();
    t.title = theme::title();
    return t;
}

PlotTheme PlotTheme::forExport(bool dark) {
    PlotTheme t;
    t.dark = dark;
    t.background = dark ? QColor(0x1b, 0x1d, 0x22) : QColor(Qt::white);
    t.text = dark ? QColor(0xe8, 0xea, 0xed) : QColor(0x1a, 0x1c, 0x20);
    t.secondary = dark ? QColor(0xa4, 0xa9, 0xb3) : QColor(0x55, 0x5b, 0x66);
    t.grid = dark ? QColor(0x33, 0x37, 0x40) : QColor(0xe6, 0xe8, 0xec);
    t.axis = t.secondary;
    t.masked = dark ? QColor(0x2c, 0x2f, 0x36) : QColor(0xea, 0xeb, 0xee);
    t.accent = dark ? QColor(0x6d, 0xa5, 0xf2) : QColor(0x2f, 0x6f, 0xd0);
    t.tint = dark ? QColor(0x27, 0x33, 0x47) : QColor(0xe6, 0xee, 0xf9);
    t.panel = QColor(0x1f, 0x24, 0x30);
    t.panelText = QColor(0xf4, 0xf5, 0xf7);
    t.panelSecondary = QColor(0xb4, 0xba, 0xc6);
    t.caption = exportFont(11, false);
    t.body = exportFont(12, false);
    t.title = exportFont(13, true);
    return t;
}

QColor PlotTheme::run(int style) const { return theme::runColour(style, dark); }

QColor PlotTheme::runText(int style) const { return theme::runTextColour(style, dark, background); }

QPen PlotTheme::runPen(int style, double width) const {
    QPen pen(run(style), width, theme::runPenStyle(style), Qt::FlatCap, Qt::RoundJoin);
    return pen;
}

QColor PlotTheme::part(lw::ScorePart which) const {
    switch (which) {
        case lw::ScorePart::content: return dark ? QColor(0x8d, 0x95, 0xa3) : QColor(0x9a, 0xa1, 0xad);
        case lw::ScorePart::bias: return dark ? QColor(0x4f, 0xa8, 0xe0) : QColor(0x00, 0x72, 0xb2);
        case lw::ScorePart::adaptive: return dark ? QColor(0xf2, 0x86, 0x3a) : QColor(0xd5, 0x5e, 0x00);
        case lw::ScorePart::bias_adaptive: return text;
        case lw::ScorePart::logit: return dark ? QColor(0xdc, 0x9c, 0xc4) : QColor(0xb0, 0x5a, 0x8a);
        case lw::ScorePart::probability: return dark ? QColor(0x33, 0xbd, 0x94) : QColor(0x00, 0x8a, 0x65);
    }
    return text;
}

QColor PlotTheme::headClass(const std::string& name) const {
    if (name == "local") return dark ? QColor(0x4f, 0xa8, 0xe0) : QColor(0x00, 0x72, 0xb2);
    if (name == "anti-local") return dark ? QColor(0xf2, 0x86, 0x3a) : QColor(0xd5, 0x5e, 0x00);
    if (name == "U-shape") return dark ? QColor(0x33, 0xbd, 0x94) : QColor(0x00, 0x9e, 0x73);
    if (name == "hump") return dark ? QColor(0xdc, 0x9c, 0xc4) : QColor(0xcc, 0x79, 0xa7);
    if (name == "sink") return dark ? QColor(0xf2, 0xc1, 0x4e) : QColor(0xe6, 0x9f, 0x00);
    if (name == "spike") return dark ? QColor(0xb3, 0x9a, 0xe8) : QColor(0x75, 0x57, 0xbf);
    return dark ? QColor(0x7e, 0x86, 0x94) : QColor(0xa4, 0xab, 0xb6);
}

}  // namespace lw::ui
