/// See number_list.h.
#include "ui/forms/number_list.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace lw::ui {

namespace {
constexpr std::int64_t kMost = 1000;
}

std::optional<std::vector<std::int64_t>> numbersFrom(const QString& text) {
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+")), word(QStringLiteral("^(\\d{1,9})(?:[-–](\\d{1,9}))?$"));
    QString joined = text;
    joined.replace(QRegularExpression(QStringLiteral("\\s*([-–])\\s*")), QStringLiteral("\\1"));
    std::vector<std::int64_t> numbers;
    for (const QString& part : joined.split(separators, Qt::SkipEmptyParts)) {
        const auto match = word.match(part);
        if (!match.hasMatch()) return std::nullopt;
        const std::int64_t first = match.captured(1).toLongLong(), last = match.captured(2).isEmpty() ? first : match.captured(2).toLongLong();
        if (last < first || last - first >= kMost) return std::nullopt;
        for (std::int64_t number = first; number <= last; ++number)
            if (std::find(numbers.begin(), numbers.end(), number) == numbers.end()) numbers.push_back(number);
    }
    if (numbers.size() > static_cast<std::size_t>(kMost)) return std::nullopt;
    return numbers;
}

QString numbersText(const std::vector<std::int64_t>& numbers) {
    QStringList parts;
    for (const std::int64_t number : numbers) parts << QString::number(number);
    return parts.join(QStringLiteral(", "));
}

}  // namespace lw::ui
