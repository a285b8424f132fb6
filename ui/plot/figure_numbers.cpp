/// See figure_numbers.h.
#include "ui/plot/figure_numbers.h"

#include <QByteArray>
#include <QFile>
#include <QString>

namespace lw::ui {

namespace {

constexpr qint64 kHead = 65536;  // every mark stands before the drawing itself

constexpr const char* kAlone = ", without numbers";

/// PDF keeps words as UTF-16, most significant byte first.
QByteArray inPdf(const char* words) {
    QByteArray mark;
    for (const char letter : QByteArray(words)) mark.append('\0').append(letter);
    return mark;
}

/// Whether Lengthwise wrote the figure, and numbers beside it: each of its kinds of file says so.
bool drawnHere(const std::filesystem::path& figure) {
    QFile file(QString::fromStdString(figure.string()));
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray head = file.read(kHead);
    if (head.contains("/Creator (\xfe\xff" + inPdf("Lengthwise"))) return !head.contains(inPdf(kAlone));
    return (head.contains(QByteArray("Software\0Lengthwise", 19)) || head.contains("<!-- Lengthwise")) && !head.contains(kAlone);
}

bool hasFigure(const std::filesystem::path& figure) {
    if (drawnHere(figure)) return true;
    for (const char* const ending : {".pdf", ".svg", ".png"})
        if (drawnHere(std::filesystem::path(figure).replace_extension(ending))) return true;
    return false;
}

}  // namespace

QString creator(const FigureOptions& options) {
    return QStringLiteral("Lengthwise " LW_VERSION) + (options.csv || options.npz || options.own_numbers ? QString() : QLatin1String(kAlone));
}

std::filesystem::path beside(const std::filesystem::path& figure, const char* type) { return std::filesystem::path(figure).replace_extension(type); }

lw::Status check_replaced(const std::filesystem::path& numbers, const std::filesystem::path& figure) {
    std::error_code error;
    if (!std::filesystem::exists(numbers, error) || hasFigure(figure)) return lw::Nothing{};
    return lw::Error{lw::ErrorKind::invalid_argument, numbers.string() + " is there already and does not belong to a figure that Lengthwise drew, so the numbers of " +
                                                          figure.filename().string() + " would replace it. Choose another name for the figure, draw it without numbers, or move that file away."};
}

lw::Status check_numbers(const FigureOptions& options) {
    for (const char* const type : {"csv", "npz"}) {
        if (!(QLatin1String(type) == QLatin1String("csv") ? options.csv : options.npz)) continue;
        if (auto checked = check_replaced(beside(options.path, type), options.path); !checked.ok()) return checked;
    }
    return lw::Nothing{};
}

}  // namespace lw::ui
