/// See automatic_value.h.
#include "ui/forms/automatic_value.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ParamForm", text); }

/// "0 = the training length." -> "the training length"
QString meaningOfZero(const lw::ParamSpec& spec) {
    const QString help = QString::fromStdString(spec.help);
    const auto found = help.indexOf(QStringLiteral("0 = "));
    if (found < 0 || (found > 0 && help[found - 1] != QLatin1Char(' '))) return {};
    QString meaning = help.mid(found + 4);
    for (const QString& end : {QStringLiteral(". "), QStringLiteral(", "), QStringLiteral("; ")}) meaning = meaning.section(end, 0, 0);
    return meaning.endsWith(QLatin1Char('.')) ? meaning.chopped(1) : meaning;
}

}  // namespace

QStringList automaticTexts(const lw::ParamSpec& spec, const lw::ModelShape& shape) {
    const bool number = spec.type == lw::ParamType::real || spec.type == lw::ParamType::integer;
    const QString meaning = number && spec.min == 0 ? meaningOfZero(spec) : QString(), plain = tr("auto");
    if (meaning == QStringLiteral("automatic")) return {plain};
    if (meaning == QStringLiteral("the training length") && shape.train_length > 0) {
        const QString value = integerText(shape.train_length);
        return {tr("auto (= L = %1)").arg(value), tr("auto = %1").arg(value), plain};
    }
    if (meaning == QStringLiteral("length / training length") && shape.train_length > 0 && shape.length > 0) {
        const double factor = std::max(1.0, static_cast<double>(shape.length) / static_cast<double>(shape.train_length));
        const QString value = numberText(factor, factor < 10 && factor != static_cast<double>(static_cast<int>(factor)) ? 1 : 0);
        return {tr("auto (= %1 at T = %2)").arg(value, integerText(shape.length)), tr("auto = %1").arg(value), plain};
    }
    if (meaning.contains(QStringLiteral("length")) || meaning.contains(QStringLiteral("a quarter of it"))) return {tr("auto (%1)").arg(meaning), plain};
    return {};
}

}  // namespace lw::ui
