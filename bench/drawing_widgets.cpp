/// Heat maps alone, with invented numbers.
#include "bench/drawing.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/heat_map.h"

#include <QGridLayout>

#include <cmath>
#include <limits>
#include <memory>

namespace lw::bench {
namespace {

/// A causal tile of waves; another phase is other data in every cell.
MapTile causal_tile(CellRange queries, CellRange keys, std::int64_t pixels, float phase, ScorePart part) {
    MapTile tile;
    tile.part = part;
    tile.queries = queries;
    tile.keys = keys;
    tile.rows = std::min(pixels, queries.size());
    tile.columns = std::min(pixels, keys.size());
    tile.cells_per_row = static_cast<double>(queries.size()) / static_cast<double>(tile.rows);
    tile.cells_per_column = static_cast<double>(keys.size()) / static_cast<double>(tile.columns);
    tile.values.reserve(static_cast<std::size_t>(tile.rows * tile.columns));
    for (std::int64_t r = 0; r < tile.rows; ++r) {
        const double query = static_cast<double>(queries.begin) + static_cast<double>(r) * tile.cells_per_row;
        for (std::int64_t c = 0; c < tile.columns; ++c) {
            const double key = static_cast<double>(keys.begin) + static_cast<double>(c) * tile.cells_per_column;
            const float wave = std::sin(phase + 0.001F * static_cast<float>((query - key) * static_cast<double>(1 + c % 7)));
            tile.values.push_back(key > query ? std::numeric_limits<float>::quiet_NaN() : part == ScorePart::probability ? std::exp(-6 * std::abs(wave)) : 3 * wave);
        }
    }
    return tile;
}

ui::ColourScale scale_of(ScorePart part, bool logarithmic) { return ui::scaleFor(part, {{-3, 3, 3, true}}, logarithmic); }

/// Colours alone, into memory that is there or not.
Frames colours(const std::string& name, ScorePart part, bool logarithmic) {
    Frames frames(name);
    const MapTile tile = causal_tile({0, 1024}, {0, 1024}, 1024, 0, part);
    const ui::ColourScale scale = scale_of(part, logarithmic);
    for (int f = 0; frames.wanted(); ++f) frames.measure([&] { (void)ui::colourImage(tile.values, tile.rows, tile.columns, scale, 0xffeaebee); });
    return frames;
}

/// `count` maps of 256 x 256 cells, one device pixel each, in one window; every map gets other numbers in every frame.
Frames panels(int count, ScorePart part, bool logarithmic) {
    Frames frames(std::to_string(count) + " panels of 256 x 256, new data each, " + (logarithmic ? "log" : "linear"));
    QWidget window;
    auto* layout = new QGridLayout(&window);
    std::vector<ui::HeatMap*> maps;
    std::vector<std::vector<MapTile>> data(4);
    for (int m = 0; m < count; ++m) {
        maps.push_back(new ui::HeatMap);
        maps.back()->setFixedSize(256 + 100, 256 + 26);
        maps.back()->setScale(scale_of(part, logarithmic));
        maps.back()->setCells(256, 256);
        layout->addWidget(maps.back(), m / 4, m % 4);
        for (std::size_t d = 0; d < data.size(); ++d) data[d].push_back(causal_tile({0, 256}, {0, 256}, 256, static_cast<float>(m + 7 * static_cast<int>(d)), part));
    }
    window.show();
    QCoreApplication::processEvents();
    for (int f = 0; frames.wanted(); ++f) {
        auto tiles = data[static_cast<std::size_t>(f) % data.size()];
        frames.measure([&] {
            for (std::size_t m = 0; m < maps.size(); ++m) maps[m]->setOverview(std::move(tiles[m]));
            QCoreApplication::processEvents();
        });
    }
    return frames;
}

/// One map of 8,192 cells a side on about `side` pixels, moved by three pixels a frame; every `every` frames a new exact tile comes.
Frames pan(int side, double zoom, int every) {
    Frames frames("pan of an 8,192 map, " + std::to_string(side) + " px, zoom " + std::to_string(static_cast<int>(zoom)) + (every > 0 ? ", new tile each " + std::to_string(every) : ""));
    ui::HeatMap map;
    map.resize(side + 110, side + 30);
    map.setScale(scale_of(ScorePart::bias, false));
    map.setCells(8192, 8192);
    map.setOverview(causal_tile({0, 8192}, {0, 8192}, 160, 0, ScorePart::bias));
    map.show();
    const double span = 8192 / zoom;
    const auto seen = [&] { return std::pair{map.geometryOfCells().visibleQueries(), map.geometryOfCells().visibleKeys()}; };
    ui::MapWindow window{4000, 4000 + span, 2000, 2000 + span};
    map.setWindow(window);
    map.setDetail(causal_tile(seen().first, seen().second, side, 0, ScorePart::bias));
    QCoreApplication::processEvents();
    std::vector<MapTile> tiles;
    for (int t = 0; t < 4; ++t) tiles.push_back(causal_tile(seen().first, seen().second, side, static_cast<float>(t), ScorePart::bias));
    const double step = 3 * span / map.geometryOfCells().area.width();
    for (int f = 0; frames.wanted(); ++f) {
        const double way = f / 25 % 2 == 0 ? step : -step;
        window = {window.queryBegin + way, window.queryEnd + way, window.keyBegin + way, window.keyEnd + way};
        MapTile fresh = tiles[static_cast<std::size_t>(f) % tiles.size()];
        fresh.queries = seen().first;
        fresh.keys = seen().second;
        frames.measure([&] {
            map.setWindow(window);
            if (every > 0 && f % every == 0) map.setDetail(std::move(fresh));
            QCoreApplication::processEvents();
        });
    }
    return frames;
}

}  // namespace

std::vector<Frames> measure_widgets() {
    std::vector<Frames> all;
    all.push_back(colours("colours of 1,024 x 1,024 values, linear", ScorePart::bias, false));
    all.push_back(colours("colours of 1,024 x 1,024 values, log", ScorePart::probability, true));
    for (const int count : {12, 16}) {
        all.push_back(panels(count, ScorePart::bias, false));
        all.push_back(panels(count, ScorePart::probability, true));
    }
    all.push_back(pan(512, 8, 0));
    all.push_back(pan(1024, 8, 0));
    all.push_back(pan(1024, 8, 1));
    all.push_back(pan(1024, 2, 0));
    return all;
}

}  // namespace lw::bench
