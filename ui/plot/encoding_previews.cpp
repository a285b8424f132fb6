/// See encoding_previews.h.
#include "ui/plot/encoding_previews.h"

#include <QCoreApplication>
#include <QStringList>

namespace lw::ui {

namespace {

/// Names of what the extension puts in; of a method that was trained with, only its factor can differ.
QString namesOf(const lw::SchemeSpec& extension, const lw::SchemeSpec& plain) {
    QStringList names;
    for (const auto& [slot, choice] : extension.slots) {
        const auto info = lw::describe_method(slot, choice.id);
        const QString name = QString::fromStdString(info.ok() ? info.value().name : choice.id);
        names << (plain.slots.contains(slot) ? QCoreApplication::translate("Encodings", "the factor of %1").arg(name) : name);
    }
    return names.join(QStringLiteral(", "));
}

}  // namespace

lw::Result<SchemePreviews> previewWithPlain(const lw::PreviewRequest& request) {
    auto own = lw::preview_scheme(request);
    if (!own.ok()) return own.error();
    SchemePreviews both{std::move(own).value(), std::nullopt, {}, {}};
    const auto plain = lw::plain_scheme(request.scheme);
    if (!plain.ok()) return both;
    const auto extension = lw::extension_between(plain.value(), request.scheme);
    if (!extension.ok() || extension.value().slots.empty()) return both;
    lw::PreviewRequest untouched = request;
    untouched.scheme = plain.value();
    auto preview = lw::preview_scheme(untouched);
    if (!preview.ok()) return both;
    both.plain = std::move(preview).value();
    both.without = namesOf(extension.value(), plain.value());
    return both;
}

}  // namespace lw::ui
