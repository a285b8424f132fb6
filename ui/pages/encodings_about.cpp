/// See encodings_about.h.
#include "ui/pages/encodings_about.h"

#include "ui/pages/encodings_page.h"
#include "ui/theme.h"

namespace lw::ui {

namespace {

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

QString aboutMethod(const lw::MethodInfo& info, const QPalette& palette) {
    const QString quiet = theme::secondaryText(palette).name();
    QString html = QStringLiteral("<p style='margin-bottom:2px'><b>%1</b> <span style='color:%2'>%3</span></p>").arg(escaped(info.name), quiet, escaped(info.summary));
    html += QStringLiteral("<p style='margin:2px 0; font-family:monospace'>%1</p>").arg(escaped(info.formula));
    QStringList claims;
    for (const lw::ClaimInfo& claim : info.claims) claims << escaped(claim.id);
    if (info.learned && !claims.contains(QStringLiteral("learned"))) claims << EncodingsPage::tr("learned");
    if (info.plug_in) claims << EncodingsPage::tr("may be put on a trained model");
    if (!claims.isEmpty()) html += QStringLiteral("<p style='margin:2px 0'>%1</p>").arg(claims.join(QStringLiteral(" · ")));
    if (!info.beyond_training.empty()) html += EncodingsPage::tr("<p style='margin:2px 0'>Beyond L: %1</p>").arg(escaped(info.beyond_training));
    html += QStringLiteral("<p style='margin:2px 0; color:%1'>%2</p>").arg(quiet, escaped(info.paper));
    return html;
}

}  // namespace lw::ui
