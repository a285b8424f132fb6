/// See encodings_about.h.
#include "ui/pages/encodings_about.h"

#include "ui/forms/param_form.h"
#include "ui/pages/encodings_formula.h"
#include "ui/pages/encodings_page.h"
#include "ui/theme.h"

namespace lw::ui {

namespace {

constexpr const char* kFormulaStyle = "font-family:\"STIX Two Text\",\"Libertinus Serif\",\"DejaVu Serif\",serif;";

lw::ParamSpec whole(const char* id, const QString& label, std::int64_t value, double low, double high, const QString& help) {
    lw::ParamSpec spec;
    spec.id = id;
    spec.label = label.toStdString();
    spec.help = help.toStdString();
    spec.type = lw::ParamType::integer;
    spec.default_value = value;
    spec.min = low;
    spec.max = high;
    spec.step = 1;
    spec.logarithmic = true;
    return spec;
}

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

}  // namespace

std::vector<lw::ParamSpec> shapeSpecs() {
    return {whole("length", EncodingsPage::tr("Length T"), 8192, 16, 131072, EncodingsPage::tr("Of the sequence the scheme is applied to; distances go up to it.")),
            whole("train_length", EncodingsPage::tr("Training length L"), 128, 16, 8192, EncodingsPage::tr("Schemes that scale need it.")),
            whole("heads", EncodingsPage::tr("Heads"), 8, 1, 32, EncodingsPage::tr("Slopes and initial values differ by head.")),
            whole("head_width", EncodingsPage::tr("Head width"), 32, 2, 256, EncodingsPage::tr("Channels of a head; a rotation turns them in pairs, so it must be even."))};
}

lw::ModelShape modelShape(const lw::Params& values) {
    lw::ModelShape shape;
    shape.length = paramInteger(values, "length");
    shape.train_length = paramInteger(values, "train_length");
    shape.heads = paramInteger(values, "heads");
    shape.head_width = paramInteger(values, "head_width");
    return shape;
}

namespace {

QString paragraph(const QString& content, const QString& style = {}) { return QStringLiteral("<p style='margin:2px 0; %1'>%2</p>").arg(style, content); }

/// Rounded corners are beyond rich text: a quiet ground behind each word, with room at its sides.
QString badges(const lw::MethodInfo& info, const QPalette& palette) {
    QStringList words;
    for (const lw::ClaimInfo& claim : info.claims) words << escaped(claim.id);
    if (info.learned && !words.contains(QStringLiteral("learned"))) words << EncodingsPage::tr("learned");
    if (info.plug_in) words << EncodingsPage::tr("may be put on a trained model");
    const QString ground = theme::raised(palette).name(), ink = theme::text(palette).name();
    QString html;
    // The dash in an id must not break the badge over two lines.
    for (QString& word : words) html += QStringLiteral("<span style='background-color:%1; color:%2'>&nbsp;%3&nbsp;</span> ").arg(ground, ink, word.replace(QLatin1Char('-'), QChar(0x2011)).replace(QLatin1Char(' '), QChar(0xa0)));
    return html.trimmed();
}

QString paperLink(const lw::MethodInfo& info, const QPalette& palette) {
    if (info.url.empty()) return escaped(info.paper);
    return QStringLiteral("<a href='%1' style='color:%2'>%3</a>").arg(escaped(info.url), palette.color(QPalette::Link).name(), escaped(info.paper));
}

}  // namespace

QString aboutMethod(const lw::MethodInfo& info, const lw::MethodNumbers& numbers, const QPalette& palette) {
    const QString quiet = QStringLiteral("color:") + theme::secondaryText(palette).name();
    QString html = QStringLiteral("<p style='margin-bottom:2px'><b>%1</b> <span style='%2'>%3</span></p>").arg(escaped(info.name), quiet, escaped(info.summary));
    html += paragraph(formulaHtml(QString::fromStdString(info.formula)), QString::fromLatin1(kFormulaStyle));
    if (!numbers.values.empty()) html += paragraph(formulaHtml(QString::fromStdString(numbers.values)), QString::fromLatin1(kFormulaStyle) + quiet);
    if (!numbers.cost_line.empty()) html += paragraph(escaped(numbers.cost_line), quiet);
    if (const QString claims = badges(info, palette); !claims.isEmpty()) html += paragraph(claims, QStringLiteral("line-height:130%"));
    if (!info.beyond_training.empty()) html += paragraph(EncodingsPage::tr("Beyond L: %1").arg(escaped(info.beyond_training)));
    if (!info.not_to_confuse.empty()) html += paragraph(escaped(info.not_to_confuse), quiet);
    return html + paragraph(paperLink(info, palette), quiet);
}

QString aboutScheme(const lw::SchemeSpec& scheme, const lw::ModelShape& shape, const QPalette& palette) {
    const auto numbers = lw::scheme_numbers(scheme, shape);
    QString html;
    for (const lw::SlotInfo& slot : lw::slots()) {
        const auto filled = scheme.slots.find(slot.id);
        if (filled == scheme.slots.end()) continue;
        const auto info = lw::describe_method(slot.id, filled->second.id);
        if (!info.ok()) continue;
        lw::MethodNumbers own;
        if (numbers.ok())
            for (const lw::MethodNumbers& candidate : numbers.value())
                if (candidate.slot == slot.id) own = candidate;
        html += aboutMethod(info.value(), own, palette);
    }
    return html;
}

}  // namespace lw::ui
