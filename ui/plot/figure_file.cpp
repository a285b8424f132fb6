/// See figure_file.h.
#include "ui/plot/figure_file.h"

#include "ui/plot/figure_numbers.h"
#include "ui/plot/plot_theme.h"
#include "ui/plot/qcp.h"

#include <QBuffer>
#include <QPageLayout>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <cmath>

namespace lw::ui {

namespace {

QString qt(const std::string& text) { return QString::fromStdString(text); }

void begin(QCPPainter& painter, QPaintDevice* device, double scale, bool vectors) {
    painter.begin(device);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::LosslessImageRendering);  // without it Qt puts heat maps into a PDF as JPEG
    if (vectors) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    painter.scale(scale, scale);
}

QByteArray pdf(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(1200);
        writer.setPageSize(QPageSize(QSizeF(units) * 72.0 / 96.0, QPageSize::Point));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setTitle(options.title.empty() ? qt(options.path.stem().string()) : qt(options.title));
        writer.setCreator(creator(options));
        if (!options.state.empty()) writer.addFileAttachment(QStringLiteral("lengthwise.json"), QByteArray::fromStdString(options.state), QStringLiteral("application/json"));
        QCPPainter painter;
        begin(painter, &writer, 1200.0 / 96.0, true);
        draw(painter);
        painter.end();
    }
    return buffer.data();
}

QByteArray png(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw) {
    const double scale = options.dpi / 96.0;
    QImage image((QSizeF(units) * scale).toSize(), QImage::Format_RGB32);
    if (image.isNull()) return {};
    image.fill(PlotTheme::forExport(options.dark).background);
    image.setDotsPerMeterX(static_cast<int>(std::lround(options.dpi / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    if (!options.title.empty()) image.setText(QStringLiteral("Title"), qt(options.title));
    image.setText(QStringLiteral("Software"), creator(options));
    if (!options.state.empty()) image.setText(QStringLiteral("lengthwise"), qt(options.state));
    QCPPainter painter;
    begin(painter, &image, scale, false);
    draw(painter);
    painter.end();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

std::string ending(const FigureOptions& options) { return QString::fromStdString(options.path.extension().string()).toLower().toStdString(); }

}  // namespace

QByteArray svgBytes(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw) {
    QBuffer buffer;
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(96);
        generator.setSize(units);
        generator.setViewBox(QRect(QPoint(0, 0), units));
        generator.setTitle(options.title.empty() ? qt(options.path.stem().string()) : qt(options.title));
        generator.setDescription(qt(options.state));
        QCPPainter painter;
        begin(painter, &generator, 1, true);
        draw(painter);
        painter.end();
    }
    // Qt asks viewers for speed, and some smooth all the same; this is the property that keeps cells sharp.
    QByteArray text = buffer.data();
    text.replace("image-rendering=\"optimizeSpeed\"", "image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\"");
    // SVG has no field for the program that wrote it.
    text.insert(text.indexOf("<svg"), "<!-- " + creator(options).toUtf8() + " -->\n");
    return text;
}

QSize pageUnits(double width_mm, double height_mm) { return (QSizeF(width_mm, height_mm) * kUnitsPerMillimetre).toSize(); }

lw::Status check_figure(const FigureOptions& options) {
    const std::string type = ending(options);
    if (type != ".pdf" && type != ".svg" && type != ".png") {
        return lw::Error{lw::ErrorKind::invalid_argument, "A figure cannot be written as \"" + options.path.filename().string() + "\": the name must end in .pdf, .svg or .png."};
    }
    if (!(options.width_mm >= 20 && options.width_mm <= 2000) || !(options.height_mm == 0 || (options.height_mm >= 20 && options.height_mm <= 2000))) {
        return lw::Error{lw::ErrorKind::invalid_argument, "A figure must be 20 to 2000 mm wide and high; asked for " + std::to_string(std::lround(options.width_mm)) + " x " + std::to_string(std::lround(options.height_mm)) + " mm."};
    }
    if (!(options.dpi >= 36 && options.dpi <= 1200)) {
        return lw::Error{lw::ErrorKind::invalid_argument, "The resolution must be 36 to 1200 dots per inch; asked for " + std::to_string(std::lround(options.dpi)) + "."};
    }
    return check_numbers(options);
}

lw::Status write_figure(const FigureOptions& options, QSize units, const std::function<void(QCPPainter&)>& draw) {
    const std::string type = ending(options);
    const QByteArray bytes = type == ".pdf" ? pdf(options, units, draw) : type == ".svg" ? svgBytes(options, units, draw) : png(options, units, draw);
    const std::string name = options.path.string();
    if (bytes.isEmpty()) return lw::Error{lw::ErrorKind::out_of_memory, "There is not enough memory for a picture of " + std::to_string(std::lround(options.dpi)) + " dots per inch; ask for fewer, or for a PDF."};
    QSaveFile file(QString::fromStdString(name));
    // Unbuffered: what Qt still holds back when a file is closed is lost without an error on a full disk.
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) || file.write(bytes) != bytes.size() || !file.commit()) {
        const QString reason = file.error() == QFileDevice::NoError || file.errorString() == QLatin1String("Unknown error") ? QString() : file.errorString() + QStringLiteral(". ");
        return lw::Error{lw::ErrorKind::io, "The figure could not be written to " + name + ": " + reason.toStdString() + "Is the disk full? What was there before is unchanged."};
    }
    return lw::Nothing{};
}

}  // namespace lw::ui
