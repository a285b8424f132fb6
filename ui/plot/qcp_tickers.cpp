/// See qcp_tickers.h.
#include "ui/plot/qcp_tickers.h"

#include "ui/plot/axis_ticks.h"
#include "ui/plot/number_text.h"

#include <algorithm>
#include <cmath>

namespace lw::ui {

namespace {

constexpr int kNumberGap = 8;  // pixels between numbers of an axis

/// Ticks and labels from our own pure functions, so that every axis of the program reads alike.
class TextTicker : public QCPAxisTicker {
public:
    using Ticks = std::function<std::vector<double>(double, double)>;
    using Label = std::function<QString(double, const std::vector<double>&)>;
    TextTicker(Ticks ticks, Label label) : m_ticks(std::move(ticks)), m_label(std::move(label)) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks, QVector<QString>* labels) override {
        const std::vector<double> at = m_ticks(range.lower, range.upper);
        ticks = QVector<double>(at.begin(), at.end());
        if (subTicks) subTicks->clear();
        if (!labels) return;
        labels->clear();
        for (const double tick : at) labels->append(m_label(tick, at));
    }

private:
    Ticks m_ticks;
    Label m_label;
};

}  // namespace

QSharedPointer<QCPAxisTicker> lengthTicker(std::function<double()> width, std::function<int(const QString&)> textWidth) {
    const auto ticks = [width, textWidth](double low, double high) {
        std::vector<double> at;
        const double octaves = std::log2(std::max(high, 1.0) / std::max(low, 0.5));
        const double octave = width() / std::max(octaves, 0.1), needed = textWidth(integerText(std::llround(high))) + kNumberGap;
        double factor = octaves > 11 ? 4 : 2;
        while (octave * std::log2(factor) < needed && factor < high) factor *= factor < 4 ? 2 : 4;
        for (double t = 1; t <= high * 1.0001; t *= factor)
            if (t >= low * 0.9999) at.push_back(t);
        return at;
    };
    return QSharedPointer<QCPAxisTicker>(new TextTicker(ticks, [](double t, const std::vector<double>&) { return integerText(std::llround(t)); }));
}

QSharedPointer<QCPAxisTicker> linearTicker(std::function<int()> about) {
    return QSharedPointer<QCPAxisTicker>(new TextTicker([about](double low, double high) { return linearTicks(low, high, about()); },
                                                        [](double t, const std::vector<double>& all) { return numberText(t, tickDecimals(all)); }));
}

QSharedPointer<QCPAxisTicker> logTicker(std::function<int()> about) {
    return QSharedPointer<QCPAxisTicker>(new TextTicker([about](double low, double high) { return logTicks(low, high, about()); }, [](double t, const std::vector<double>& all) {
        return t >= 1e6 ? shortText(t) : numberText(t, std::min(3, t >= 1 ? (std::abs(t - std::round(t)) < 1e-9 ? 0 : tickDecimals(all)) : decimalsFor(t)));
    }));
}

}  // namespace lw::ui
