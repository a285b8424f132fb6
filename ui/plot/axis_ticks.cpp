/// See axis_ticks.h.
#include "ui/plot/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace lw::ui {

namespace {

std::vector<double> multiples(double step, double low, double high) {
    std::vector<double> ticks;
    const double slack = step * 1e-9;
    for (double k = std::ceil((low - slack) / step); k * step <= high + slack && ticks.size() < 1000; k += 1) {
        ticks.push_back(k == 0 ? 0.0 : k * step);
    }
    return ticks;
}

}  // namespace

std::vector<double> linearTicks(double low, double high, int about) {
    if (!(high > low) || about < 1 || !std::isfinite(high - low)) return {};
    const double raw = (high - low) / about;
    const double decade = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * decade;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * decade >= raw * 0.75) {
            step = factor * decade;
            break;
        }
    }
    return multiples(step, low, high);
}

namespace {

/// factors × powers of ten inside the range, of every so many decades.
std::vector<double> decadeTicks(double low, double high, const std::vector<double>& factors, int every) {
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    for (int e = first; e <= last; ++e) {
        if (e % every != 0) continue;
        for (const double f : factors) {
            const double value = f * std::pow(10.0, e);
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push_back(value);
        }
    }
    return ticks;
}

/// One number alone does not say how an axis runs.
std::vector<double> linearPair(double low, double high, int about) {
    std::vector<double> ticks;
    for (int n = std::max(about, 1); ticks.size() < 2 && n < about + 16; ++n) ticks = linearTicks(low, high, n);
    return ticks;
}

}  // namespace

std::vector<double> logTicks(double low, double high, int about) {
    if (!(low > 0) || !(high > low) || !std::isfinite(high)) return {};
    const double decades = std::log10(high / low);
    if (decades < 0.35) return linearPair(low, high, about);
    std::vector<double> ticks;
    if (decades * 3 > about * 1.25) ticks = decadeTicks(low, high, {1}, std::max(1, static_cast<int>(std::ceil(decades / std::max(about, 1)))));
    else ticks = decadeTicks(low, high, decades < 1.0 ? std::vector<double>{1, 1.5, 2, 3, 4, 5, 6, 8} : std::vector<double>{1, 2, 5}, 1);
    if (ticks.size() < 2) ticks = decadeTicks(low, high, {1, 2, 5}, 1);
    return ticks.size() < 2 ? linearPair(low, high, about) : ticks;
}

std::vector<double> positionTicks(double low, double high, int about) {
    if (!(high > low) || about < 1) return {};
    double step = 1;
    while ((high - low) / step > about * 1.25) step *= 2;
    return multiples(step, low, high);
}

int tickDecimals(const std::vector<double>& ticks) {
    if (ticks.size() < 2) return 0;
    double step = ticks[1] - ticks[0];
    for (std::size_t i = 2; i < ticks.size(); ++i) step = std::min(step, ticks[i] - ticks[i - 1]);
    int decimals = 0;
    while (decimals < 6 && std::abs(step - std::round(step)) > 1e-6 * step) {
        step *= 10;
        ++decimals;
    }
    return decimals;
}

double niceCeiling(double value) {
    if (!(value > 0) || !std::isfinite(value)) return 1;
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0}) {
        if (factor * decade >= value * (1 - 1e-9)) return factor * decade;
    }
    return 10 * decade;
}

std::vector<double> spreadLabels(const std::vector<double>& wanted, double height, double low, double high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    // With x_k = wanted_k - k * height the gaps become "not decreasing", which pooling adjacent violators solves exactly.
    struct Block {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (std::size_t k = 0; k < order.size(); ++k) {
        blocks.push_back({wanted[order[k]] - static_cast<double>(k) * height, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back().sum += last.sum;
            blocks.back().count += last.count;
        }
    }
    const double room = high - height * static_cast<double>(wanted.empty() ? 0 : wanted.size() - 1);
    std::vector<double> placed(wanted.size());
    std::size_t k = 0;
    for (const Block& block : blocks) {
        const double base = std::max(low, std::min(block.mean(), room));
        for (std::size_t n = 0; n < block.count; ++n, ++k) placed[order[k]] = base + static_cast<double>(k) * height;
    }
    return placed;
}

}  // namespace lw::ui
