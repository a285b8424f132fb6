/// See figure_numbers.h.
#include "ui/plot/figure_numbers.h"

#include <QByteArray>
#include <QFile>
#include <QString>

namespace lw::ui {

namespace {

constexpr qint64 kHead = 65536;  // every mark stands before the drawing itself

/// PDF keeps the program's name as UTF-16, most significant byte first.
QByteArray creatorOfPdf() {
    QByteArray mark("/Creator (\xfe\xff");
    for (const char letter : QByteArray("Lengthwise")) mark.append('\0').append(letter);
    return mark;
}

/// Whether Lengthwise wrote the figure: each of its kinds of file says so.
bool drawnHere(const std::filesystem::path& figure) {
    QFile file(QString::fromStdString(figure.string()));
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray head = file.read(kHead);
    return head.contains(creatorOfPdf()) || head.contains(QByteArray("Software\0Lengthwise", 19)) || head.contains("<!-- Lengthwise");
}

bool hasFigure(const std::filesystem::path& figure) {
    if (drawnHere(figure)) return true;
    for (const char* const ending : {".pdf", ".svg", ".png"})
        if (drawnHere(std::filesystem::path(figure).replace_extension(ending))) return true;
    return false;
}

}  // namespace

std::filesystem::path beside(const std::filesystem::path& figure, const char* type) { return std::filesystem::path(figure).replace_extension(type); }

lw::Status check_replaced(const std::filesystem::path& numbers, const std::filesystem::path& figure) {
    std::error_code error;
    if (!std::filesystem::exists(numbers, error) || hasFigure(figure)) return lw::Nothing{};
    return lw::Error{lw::ErrorKind::invalid_argument, numbers.string() + " is there already and does not belong to a figure that Lengthwise drew, so the numbers of " +
                                                          figure.filename().string() + " would replace it. Choose another name for the figure, or move that file away."};
}

lw::Status check_numbers(const FigureOptions& options) {
    for (const char* const type : {"csv", "npz"}) {
        if (!(QLatin1String(type) == QLatin1String("csv") ? options.csv : options.npz)) continue;
        if (auto checked = check_replaced(beside(options.path, type), options.path); !checked.ok()) return checked;
    }
    return lw::Nothing{};
}

}  // namespace lw::ui
