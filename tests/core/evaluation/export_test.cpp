/// CSV: exactly the numbers that are drawn, in full, and readable by anything.
#include "tests/core/evaluation/golden.h"

#include "core/api/export.h"

#include <limits>
#include <sstream>

using namespace lw;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t n = 0; n < line.size(); ++n) {
        if (line[n] == '"' && quoted && n + 1 < line.size() && line[n + 1] == '"') {
            cells.back() += line[n++];
        } else if (line[n] == '"') {
            quoted = !quoted;
        } else if (line[n] == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += line[n];
        }
    }
    return cells;
}

CurveSet sample_curves() {
    CurveSet set;
    set.protocol = "last-k";
    set.protocol_line = "same 64 last tokens at every length";
    CurveLine line;
    line.title = "RoPE, \"theta\" 10000";
    line.group = "00ff";
    line.runs = {"a", "b"};
    line.seeds = 2;
    line.train_length = 128;
    line.length = {128, 256};
    line.value = {26.600000000000001, 1.0 / 3.0};
    line.low = {25.1, 0.1};
    line.high = {28.2, std::numeric_limits<double>::infinity()};
    line.tokens = {2048, 2048};
    line.band = "95 % t interval over 2 seeds";
    set.lines = {line};
    return set;
}

}  // namespace

TEST_CASE("the curves' CSV holds exactly the numbers that are drawn", "[export]") {
    const CurveSet set = sample_curves();
    const auto lines = lines_of(curves_csv(set));
    REQUIRE(lines.size() == 3);
    const auto names = cells_of(lines[0]);
    CHECK(names == std::vector<std::string>{"title", "group", "seeds", "train_length", "length", "perplexity", "low", "high", "tokens", "candidates", "band", "runs", "protocol", "measured"});
    for (std::size_t n = 0; n < 2; ++n) {
        const auto cells = cells_of(lines[n + 1]);
        REQUIRE(cells.size() == names.size());
        CHECK(cells[0] == set.lines[0].title);
        CHECK(cells[2] == "2");
        CHECK(std::stod(cells[4]) == set.lines[0].length[n]);
        CHECK(std::stod(cells[5]) == set.lines[0].value[n]);
        CHECK(std::stod(cells[6]) == set.lines[0].low[n]);
        CHECK(std::stod(cells[7]) == set.lines[0].high[n]);
        CHECK(std::stod(cells[8]) == set.lines[0].tokens[n]);
        CHECK(cells[9].empty());
        CHECK(cells[11] == "a b");
        CHECK(cells[12] == set.protocol);
        CHECK(cells[13] == set.protocol_line);
    }
}

TEST_CASE("a point without interval has two empty cells in the curves' CSV", "[export]") {
    CurveSet set = sample_curves();
    set.lines[0].low[0] = set.lines[0].high[0] = set.lines[0].value[0];
    const auto lines = lines_of(curves_csv(set));
    REQUIRE(lines.size() == 3);
    const auto without = cells_of(lines[1]), with = cells_of(lines[2]);
    REQUIRE(without.size() == with.size());
    CHECK(without[6].empty());
    CHECK(without[7].empty());
    CHECK(std::stod(with[6]) == set.lines[0].low[1]);
}

TEST_CASE("the curves' CSV says of how many tokens key tokens were found", "[export]") {
    CurveSet set = sample_curves();
    set.lines[0].candidates = {40960, 81920};
    const auto lines = lines_of(curves_csv(set));
    REQUIRE(lines.size() == 3);
    CHECK(std::stod(cells_of(lines[1])[9]) == 40960);
    CHECK(std::stod(cells_of(lines[2])[9]) == 81920);
}

TEST_CASE("a comma in a protocol stays inside its cell", "[export]") {
    CurveSet set = sample_curves();
    set.protocol_line = "32 places, \"no BOS\"";
    CHECK(cells_of(lines_of(curves_csv(set))[1]).back() == set.protocol_line);
}

TEST_CASE("a tile's CSV names queries and keys and keeps masked cells apart", "[export]") {
    MapTile tile;
    tile.layer = 2;
    tile.head = 5;
    tile.queries = {100, 104};
    tile.keys = {96, 104};
    tile.rows = 2;
    tile.columns = 4;
    tile.cells_per_row = 2;
    tile.cells_per_column = 2;
    tile.reducer = Reducer::max;
    tile.values = {0.1F, 0.25F, std::numeric_limits<float>::quiet_NaN(), 0, 1e-20F, 2, 3, 4};
    const auto lines = lines_of(tile_csv(tile));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0] == "query,96,98,100,102");
    CHECK(lines[1] == "100,0.1,0.25,nan,0");
    CHECK(cells_of(lines[2]).at(0) == "102");
    CHECK(std::stof(cells_of(lines[2]).at(1)) == 1e-20F);
}

TEST_CASE("row profiles list every key, absent parts empty", "[export]") {
    RowProfile row;
    row.head = 1;
    row.query = 2;
    row.content = {1, 2, 3};
    row.logit = {1, 2, 3.5F};
    row.probability = {0.25F, 0.25F, 0.5F};
    const auto lines = lines_of(rows_csv({row}));
    REQUIRE(lines.size() == 4);
    CHECK(lines[1] == "0,1,2,0,2,1,,,1,0.25");
    CHECK(lines[3] == "0,1,2,2,0,3,,,3.5,0.5");
}

TEST_CASE("a row of an encoder lists the keys after its query as well", "[export]") {
    RowProfile row;
    row.query = 1;
    row.content = {1, 2, 3};
    row.logit = {1, 2, 3.5F};
    row.probability = {0.25F, 0.25F, 0.5F};
    const auto lines = lines_of(rows_csv({row}));
    REQUIRE(lines.size() == 4);
    CHECK(lines[0] == "layer,head,query,key,distance,content,bias,adaptive,logit,probability");
    CHECK(lines[3] == "0,0,1,2,-1,3,,,3.5,0.5");
}

TEST_CASE("head measures have one line for each head and a column for each measure", "[export]") {
    HeadMeasures measures;
    measures.layer = 1;
    measures.head = 7;
    measures.contrast = -0.1;
    measures.locality = 1.0 / 3.0;
    measures.head_class = "anti-local";
    const auto lines = lines_of(measures_csv({measures, measures}));
    REQUIRE(lines.size() == 3);
    CHECK(cells_of(lines[0]).size() == cells_of(lines[1]).size());
    CHECK(cells_of(lines[1]).at(2) == "anti-local");
    CHECK(cells_of(lines[1]).at(3) == "bias+adaptive");
    CHECK(std::stod(cells_of(lines[1]).at(7)) == 1.0 / 3.0);
    CHECK(cells_of(lines[1]).at(8) == "nan");  // one text: not measured, which is not 0
}
