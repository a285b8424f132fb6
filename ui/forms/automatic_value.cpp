/// See automatic_value.h.
#include "ui/forms/automatic_value.h"

#include "ui/plot/number_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace lw::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("ParamForm", text); }

}  // namespace

QStringList automaticTexts(const lw::ParamSpec& spec, const lw::ModelShape& shape) {
    if (spec.zero.empty()) return {};
    const QString meaning = QString::fromStdString(spec.zero), plain = tr("auto");
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
    if (meaning == QStringLiteral("the model's width") && shape.model_width() > 0) {
        const QString value = integerText(shape.model_width());
        return {tr("auto (= %1, the model's width)").arg(value), tr("auto = %1").arg(value), plain};
    }
    return {tr("auto (%1)").arg(meaning), plain};
}

}  // namespace lw::ui
