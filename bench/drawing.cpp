/// Milliseconds per picture of what moves in the window, without a display.
/// Usage: lw_bench_drawing [widgets] [encodings] [maps] [--json FILE]; without a name, all of them.
///
/// From the event to the finished picture in memory: by the clock (least, median, 95 %), and processor time of the window thread and of the
/// whole program (medians), which other work on the machine does not lengthen.

#include "bench/drawing.h"
#include "core/api/doctor.h"
#include "ui/theme.h"

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <utility>

namespace {

using lw::bench::Frames;
using lw::bench::FrameTime;

void print(const std::vector<Frames>& list) {
    for (const Frames& f : list)
        std::printf("%-58s %8.2f %8.2f %8.2f %8.2f %8.2f %6zu\n", f.name().c_str(), f.quantile(0), f.quantile(0.5), f.quantile(0.95), f.quantile(0.5, &FrameTime::window), f.quantile(0.5, &FrameTime::process), f.count());
}

void save(const std::vector<Frames>& list, const std::string& file) {
    std::ofstream out(file);
    out << "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Frames& f = list[i];
        out << (i > 0 ? ",\n " : "\n ") << R"({"name": ")" << f.name() << R"(", "least_ms": )" << f.quantile(0) << R"(, "median_ms": )" << f.quantile(0.5) << R"(, "p95_ms": )" << f.quantile(0.95)
            << R"(, "window_cpu_ms": )" << f.quantile(0.5, &FrameTime::window) << R"(, "process_cpu_ms": )" << f.quantile(0.5, &FrameTime::process) << R"(, "frames": )" << f.count() << "}";
    }
    out << "\n]\n";
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    lw::initialise();
    const QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("Lengthwise"));
    lw::ui::theme::applyNamed(QStringLiteral("light"));
    const QStringList arguments = QApplication::arguments();
    const auto json = arguments.indexOf(QStringLiteral("--json"));
    std::vector<Frames> all;
    const auto take = [&](std::vector<Frames> part) {
        print(part);
        all.insert(all.end(), part.begin(), part.end());
    };
    std::printf("%-58s %8s %8s %8s %8s %8s %6s\n", "milliseconds per picture", "least", "median", "95 %", "window", "process", "n");
    const std::pair<const char*, std::vector<Frames> (*)()> parts[] = {
        {"widgets", lw::bench::measure_widgets}, {"encodings", lw::bench::measure_encodings}, {"maps", lw::bench::measure_maps}};
    const bool some = std::ranges::any_of(parts, [&](const auto& part) { return arguments.contains(QLatin1String(part.first)); });
    for (const auto& [name, measure] : parts)
        if (!some || arguments.contains(QLatin1String(name))) take(measure());
    if (json > 0 && json + 1 < arguments.size()) save(all, arguments[json + 1].toStdString());
    return 0;
}
