/// Figures as files: what is inside them, beside them, and what is refused.
#include "core/api/export.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/curve_content.h"
#include "ui/plot/depth_map.h"
#include "ui/plot/export_dialog.h"
#include "ui/plot/figures.h"

#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace lw::ui;

namespace {

lw::CurveSet curves() {
    lw::CurveSet set;
    set.protocol = "last-k";
    set.x_label = "length";
    set.y_label = "perplexity";
    for (const double slope : {0.0, 0.7}) {
        lw::CurveLine line;
        line.title = slope > 0 ? "RoPE" : "ALiBi";
        line.train_length = 128;
        for (double length = 128; length <= 4096; length *= 2) {
            const double value = 26 * std::pow(length / 128, slope);
            line.length.push_back(length);
            line.value.push_back(value);
            line.low.push_back(0.97 * value);
            line.high.push_back(1.03 * value);
            line.tokens.push_back(2048);
        }
        set.lines.push_back(line);
    }
    return set;
}

lw::MapTile tile(lw::ScorePart part, std::int64_t n) {
    lw::MapTile t;
    t.part = part;
    t.layer = 2;
    t.head = 4;
    t.queries = t.keys = {0, n};
    t.rows = t.columns = n;
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) t.values.push_back(j > i ? std::nanf("") : static_cast<float>(part == lw::ScorePart::probability ? 1.0 / static_cast<double>(i + 1) : std::sin(static_cast<double>(i * j))));
    return t;
}

QByteArray contents(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

FigureOptions into(const QTemporaryDir& folder, const char* name) {
    FigureOptions options;
    options.path = folder.filePath(QLatin1String(name)).toStdString();
    options.state = R"({"seed": 17})";
    options.title = "A title";
    return options;
}

}  // namespace

TEST_CASE("a map in a PDF is stored without loss", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "map.pdf");
    options.height_mm = 0;
    const auto files = render_map_figure({tile(lw::ScorePart::content, 64), tile(lw::ScorePart::probability, 64)}, options);
    REQUIRE(files.ok());
    const QByteArray pdf = contents(options.path);
    CHECK(pdf.startsWith("%PDF"));
    CHECK_FALSE(pdf.contains("DCTDecode"));
    CHECK(pdf.contains("/Image"));
    CHECK(pdf.contains("lengthwise.json"));
    CHECK(pdf.contains("EmbeddedFile"));
}

TEST_CASE("an SVG holds what made it and keeps cells sharp", "[ui][figure]") {
    const QTemporaryDir folder;
    const auto options = into(folder, "map.svg");
    REQUIRE(render_map_figure({tile(lw::ScorePart::bias, 32)}, options).ok());
    const QByteArray svg = contents(options.path);
    CHECK(svg.contains("<title>A title</title>"));
    CHECK(svg.contains("seed"));
    CHECK(svg.contains("image-rendering:pixelated"));
    CHECK(svg.contains("<text"));
    CHECK(QSvgRenderer(svg).isValid());
}

TEST_CASE("a PNG has the size asked for and what made it as text", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "curves.png");
    options.width_mm = 127;
    options.height_mm = 76.2;
    options.dpi = 100;
    REQUIRE(render_curves_figure(curves(), options).ok());
    const QImage image(QString::fromStdString(options.path.string()));
    CHECK(image.size() == QSize(500, 300));
    CHECK(image.text(QStringLiteral("lengthwise")).contains(QStringLiteral("17")));
    CHECK(image.dotsPerMeterX() == 3937);
    CHECK(image.pixelColor(1, 1) == QColor(Qt::white));
}

TEST_CASE("a dark figure is dark whatever the window is", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "curves.png");
    options.dark = true;
    REQUIRE(render_curves_figure(curves(), options).ok());
    CHECK(QImage(QString::fromStdString(options.path.string())).pixelColor(1, 1).lightness() < 60);
}

TEST_CASE("the CSV beside a figure holds the numbers that are drawn", "[ui][figure]") {
    const QTemporaryDir folder;
    const auto options = into(folder, "curves.svg");
    const auto set = curves();
    const auto files = render_curves_figure(set, options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 2);
    const QStringList lines = QString::fromUtf8(contents(files.value()[1])).trimmed().split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 1 + 2 * 6);
    const QStringList last = lines.back().split(QLatin1Char(','));
    CHECK(last[0] == QStringLiteral("RoPE"));
    CHECK(last[1].toDouble() == set.lines[1].length.back());
    CHECK(last[2].toDouble() == Approx(set.lines[1].value.back()));
    CHECK(last[4].toDouble() == Approx(set.lines[1].high.back()));
    const CurveContent content = curveContent(set);
    REQUIRE(content.series.size() == set.lines.size());
    for (std::size_t i = 0; i < set.lines.size(); ++i) {
        CHECK(content.series[i].x == set.lines[i].length);
        CHECK(content.series[i].y == set.lines[i].value);
        CHECK(content.series[i].low == set.lines[i].low);
    }
    CHECK(content.trainLength == 128);
}

TEST_CASE("several maps write one table each and one archive", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "parts.png");
    options.npz = true;
    const auto files = render_map_figure({tile(lw::ScorePart::content, 16), tile(lw::ScorePart::bias, 16)}, options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 4);
    const QString table = QString::fromUtf8(contents(files.value()[1]));
    CHECK(table.count(QLatin1Char('\n')) == 16);
    CHECK(table.section(QLatin1Char('\n'), 3, 3).section(QLatin1Char(','), 2, 2).toDouble() == Approx(std::sin(6.0)).margin(1e-5));
    const QString arrays = QString::fromUtf8(contents(files.value()[3]));
    for (const char* name : {"layer2_head4_content 16 16:", "layer2_head4_bias 16 16:", "layer2_head4_bias_queries 16: 0.", "layer2_head4_bias_keys 16:", "layer2_head4_bias_cells_per_row_and_column 2: 1."})
        CHECK(arrays.contains(QLatin1String(name)));
}

TEST_CASE("an archive of curves names its lines and holds their intervals", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "curves.svg");
    options.npz = true;
    CurveContent content = curveContent(curves());
    content.series[0].title = QStringLiteral("DAPE-Kerple, seed 1");
    content.series[1].low.clear();
    content.series[1].high.clear();
    const auto files = render_content_figure(content, contentCsv(content), options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 3);
    const QString arrays = QString::fromUtf8(contents(files.value()[2]));
    CHECK(arrays.contains(QStringLiteral("DAPE_Kerple__seed_1 4 6: 128.")));
    CHECK(arrays.contains(QStringLiteral("RoPE 2 6: 128.")));
    const QString csv = QString::fromUtf8(contents(files.value()[1]));
    CHECK(csv.startsWith(QStringLiteral("length,\"DAPE-Kerple, seed 1\",\"DAPE-Kerple, seed 1 low\"")));
}

TEST_CASE("how curves were measured stands under them", "[ui][figure]") {
    const QTemporaryDir folder;
    const auto options = into(folder, "curves.svg");
    auto set = curves();
    set.protocol_line = "same 64 last tokens";
    REQUIRE(render_curves_figure(set, options).ok());
    CHECK(contents(options.path).contains("same 64 last tokens"));
}

TEST_CASE("a difference is signed and has a colour bar of its own, also of probabilities", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "both.svg");
    lw::MapTile first = tile(lw::ScorePart::probability, 16), second = first, gap = first;
    for (float& value : gap.values) value = -0.25F;
    options.differences = {2};
    options.npz = true;
    const auto files = render_map_figure({first, second, gap}, options);
    REQUIRE(files.ok());
    const QByteArray svg = contents(options.path);
    CHECK(svg.contains("difference"));
    CHECK(svg.contains(QStringLiteral("−0.").toUtf8()));
    CHECK(contents(files.value().back()).contains("layer2_head4_probability_difference 16 16"));
    CHECK(contents(files.value().back()).contains("layer2_head4_probability_2 16 16"));
}

TEST_CASE("a figure has the palette and the limits that it was given", "[ui][figure]") {
    const QTemporaryDir folder;
    const auto pixel = [&](const char* palette, double high) {
        auto options = into(folder, "cell.png");
        options.title.clear();
        options.height_mm = 0;
        options.dpi = 96;
        options.signed_colours = palette;
        options.low = -high;
        options.high = high;
        lw::MapTile one = tile(lw::ScorePart::bias, 4);
        for (float& value : one.values) value = 1;
        REQUIRE(render_map_figure({one}, options).ok());
        const QImage image(QString::fromStdString(options.path.string()));
        return image.pixel(image.width() / 3, image.height() / 2 - 20);
    };
    CHECK(pixel("blue-red", 1) == mapColour(ColourMapId::blueRed, 1));
    CHECK(pixel("purple-green", 1) == mapColour(ColourMapId::purpleGreen, 1));
    CHECK(pixel("blue-red", 2) == mapColour(ColourMapId::blueRed, 0.75));
}

TEST_CASE("rows of a layer become one figure", "[ui][figure]") {
    const QTemporaryDir folder;
    std::vector<lw::RowProfile> rows(3);
    for (std::size_t h = 0; h < rows.size(); ++h) {
        rows[h].head = static_cast<std::int64_t>(h);
        rows[h].query = 99;
        for (int j = 0; j < 100; ++j) {
            rows[h].content.push_back(std::sin(static_cast<float>(j)));
            rows[h].bias.push_back(-0.1F * static_cast<float>(99 - j));
            rows[h].probability.push_back(0.01F);
        }
    }
    auto options = into(folder, "rows.pdf");
    options.train_length = 32;
    options.height_mm = 0;
    options.npz = true;
    const auto files = render_rows_figure(rows, options);
    REQUIRE(files.ok());
    CHECK(contents(options.path).startsWith("%PDF"));
    CHECK(contents(files.value().back()).contains("layer0_head2_query 1: 99."));

    auto probability = into(folder, "rows.svg");
    probability.height_mm = 0;
    probability.probability_rows = true;
    REQUIRE(render_rows_figure({rows[0]}, probability).ok());
    CHECK(contents(probability.path).contains("probability"));
    CHECK_FALSE(contents(probability.path).contains(">content<"));
}

TEST_CASE("an older figure is not replaced without being asked about", "[ui][figure]") {
    const QTemporaryDir folder;
    const QString there = folder.filePath(QStringLiteral("map.svg"));
    QFile file(there);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("old");
    file.close();
    const auto render = [](const FigureOptions& options) { return render_map_figure({tile(lw::ScorePart::bias, 8)}, options); };
    ExportDialog dialog(into(folder, "map.svg"), render);
    auto* path = dialog.findChild<QLineEdit*>(QStringLiteral("exportPath"));
    CHECK(path->text() == folder.filePath(QStringLiteral("map-2.svg")));
    path->setText(there);
    int asked = 0;
    dialog.setMayReplace([&](const QString&) { return ++asked > 1; });
    dialog.done(QDialog::Accepted);
    CHECK(asked == 1);
    CHECK(contents(there.toStdString()) == "old");
    dialog.done(QDialog::Accepted);
    CHECK(asked == 2);
    CHECK(contents(there.toStdString()) != "old");
}

TEST_CASE("numbers beside a figure replace those of an older figure, and no other file", "[ui][figure]") {
    const QTemporaryDir folder;
    const auto table = folder.filePath(QStringLiteral("k.csv")).toStdString();
    const auto write = [](const std::string& name, const char* text) {
        QFile file(QString::fromStdString(name));
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    write(table, "mine");
    write(folder.filePath(QStringLiteral("k.pdf")).toStdString(), "%PDF-1.4 of another program");
    auto options = into(folder, "k.pdf");
    const auto refused = render_curves_figure(curves(), options);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == lw::ErrorKind::invalid_argument);
    CHECK(refused.error().message.find("k.csv is there already") != std::string::npos);
    CHECK(contents(table) == "mine");
    CHECK(contents(options.path) == "%PDF-1.4 of another program");

    options.csv = false;  // nothing beside it, so nothing is lost
    CHECK(render_curves_figure(curves(), options).ok());
    for (const char* const ending : {"k.pdf", "k.svg", "k.png"}) {  // each kind of figure is recognised as one of ours
        QFile::remove(folder.filePath(QStringLiteral("k.pdf")));
        INFO(ending);
        auto alone = into(folder, ending);
        alone.csv = false;
        write(table, "mine");
        REQUIRE(render_curves_figure(curves(), alone).ok());
        CHECK_FALSE(render_curves_figure(curves(), into(folder, ending)).ok());  // that figure had no numbers: the table is another's
        CHECK(contents(table) == "mine");
        QFile::remove(QString::fromStdString(table));
        REQUIRE(render_curves_figure(curves(), into(folder, ending)).ok());
        write(table, "numbers of an older figure");
        CHECK(render_curves_figure(curves(), into(folder, ending)).ok());
        CHECK(contents(table) != "numbers of an older figure");
        QFile::remove(folder.filePath(QLatin1String(ending)));
        QFile::remove(QString::fromStdString(table));
    }
}

TEST_CASE("a table of one of several maps does not replace another file either", "[ui][figure]") {
    const QTemporaryDir folder;
    const std::vector<lw::MapTile> tiles{tile(lw::ScorePart::content, 8), tile(lw::ScorePart::bias, 8)};
    const auto files = render_map_figure(tiles, into(folder, "parts.png"));
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 3);
    CHECK(render_map_figure(tiles, into(folder, "parts.png")).ok());
    REQUIRE(std::filesystem::remove(files.value().front()));
    CHECK_FALSE(render_map_figure(tiles, into(folder, "parts.png")).ok());
    CHECK_FALSE(std::filesystem::exists(files.value().front()));
}

TEST_CASE("figures that cannot be written are refused with the reason", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "curves.jpeg");
    auto result = render_curves_figure(curves(), options);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message.find(".pdf, .svg or .png") != std::string::npos);

    options = into(folder, "no/such/folder.pdf");
    result = render_curves_figure(curves(), options);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == lw::ErrorKind::io);

    options = into(folder, "curves.png");
    options.dpi = 5000;
    result = render_curves_figure(curves(), options);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message.find("1200") != std::string::npos);

    result = render_curves_figure({}, into(folder, "curves.png"));
    REQUIRE_FALSE(result.ok());
    CHECK(render_map_figure({}, into(folder, "map.png")).ok() == false);
}

TEST_CASE("one cell becomes one block of one colour in a PNG", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "cells.png");
    options.title.clear();
    options.height_mm = 0;
    options.dpi = 96;
    lw::MapTile checker = tile(lw::ScorePart::bias, 4);
    for (std::size_t i = 0; i < 16; ++i) checker.values[i] = (i / 4 + i % 4) % 2 == 0 ? 1.0F : -1.0F;
    REQUIRE(render_map_figure({checker}, options).ok());
    const QImage image(QString::fromStdString(options.path.string()));
    // Along a line through a row of cells only the two end colours occur: nothing is interpolated.
    const int y = image.height() / 2 - 20;
    std::set<QRgb> colours;
    for (int x = image.width() / 4; x < image.width() / 2; ++x) colours.insert(image.pixel(x, y));
    CHECK(colours.size() == 2);
}

namespace {

lw::TaskEvaluation passkey() {
    lw::TaskEvaluation evaluation;
    evaluation.run = "passkey-run";
    evaluation.train_length = 128;
    for (const std::int64_t length : {256, 128}) {
        lw::TaskPoint point;
        point.length = length;
        for (const double depth : {0.5, 0.0, 1.0}) point.depths.push_back({depth, length == 128 ? 1.0 : depth, 0, 10});
        evaluation.points.push_back(point);
    }
    evaluation.points.back().depths.pop_back();  // one place was not measured
    return evaluation;
}

}  // namespace

TEST_CASE("accuracies by place stand in a grid of lengths and depths, a gap where none was measured", "[ui][figure]") {
    const DepthGrid grid = depthGrid(passkey(), QStringLiteral("RoPE"));
    CHECK(grid.lengths == std::vector<std::int64_t>{128, 256});
    CHECK(grid.depths == std::vector<double>{0, 0.5, 1});
    REQUIRE(grid.values.size() == 6);
    CHECK(grid.values[1] == 0);    // depth 0, length 256
    CHECK(grid.values[2] == 1);    // depth 0.5, length 128
    CHECK(std::isnan(grid.values[4]));
    CHECK(grid.values[5] == 1);
    CHECK(depthGrid(lw::TaskEvaluation(), QString()).empty());
}

TEST_CASE("a map of accuracy by place shows the cells' colours, and its numbers lie beside it", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "depths.png");
    options.height_mm = 0;
    options.dpi = 96;
    options.panel_titles = {"RoPE"};
    const auto files = render_depth_figure({passkey()}, options);
    REQUIRE(files.ok());
    REQUIRE(files.value().size() == 2);
    CHECK(contents(files.value()[1]).startsWith("run,length,depth,token_accuracy,exact_match,examples\npasskey-run,256,0.5,0.5,0,10\n"));
    DepthMap map;
    map.resize(400, 300);
    map.setGrids({depthGrid(passkey(), QStringLiteral("RoPE"))});
    const QImage picture = map.grab().toImage();
    const ColourScale scale{ColourMapId::ink, 0, 1, false};
    std::set<QRgb> colours;
    for (int y = 0; y < picture.height(); y += 3)
        for (int x = 0; x < picture.width(); x += 3) colours.insert(picture.pixel(x, y));
    for (const double value : {0.0, 0.5, 1.0}) CHECK(colours.contains(scale.colour(value, 0)));
    CHECK_FALSE(render_depth_figure({lw::TaskEvaluation()}, options).ok());
}

TEST_CASE("a figure of one map keeps its cells square when its height is limited", "[ui][figure]") {
    const QTemporaryDir folder;
    auto options = into(folder, "map.png");
    options.title.clear();
    options.dpi = 96;
    options.width_mm = 300;
    options.height_mm = 100;
    REQUIRE(render_map_figure({tile(lw::ScorePart::content, 64)}, options).ok());
    const QImage picture(QString::fromStdString(options.path.string()));
    CHECK(picture.height() == Approx(378).margin(2));
    CHECK(picture.width() < 1.6 * picture.height());  // not the 300 mm that were allowed
}

TEST_CASE("the notes of an encoding's figure are of what is drawn, with titles where there are several", "[ui][figure]") {
    EncodingFigure waves{"RoPE", {}, {}, {}, {}};
    waves.preview.map_index = {0, 100, 200};
    waves.preview.frequency = {1.0, 0.001};
    waves.preview.attention_factor = 2;
    const auto notes = notes_of_encoding_figure({waves}, "wave-map", 128, 0);
    REQUIRE(notes.size() == 2);
    CHECK(notes[0].find("square of 2") != std::string::npos);
    CHECK(notes[1].find("1 fast pair is undersampled") != std::string::npos);
    CHECK(notes_of_encoding_figure({waves}, "bias-map", 128, 0).size() == 1);
    EncodingFigure other = waves;
    other.title = "YaRN";  // a map is of the first alone
    const auto titled = notes_of_encoding_figure({waves, other}, "wave-map", 128, 0);
    REQUIRE(titled.size() == 2);
    CHECK(titled[0].rfind("RoPE: ", 0) == 0);
}
