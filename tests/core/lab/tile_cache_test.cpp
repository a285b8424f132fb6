/// Finished tiles: a budget that holds, the least recently used out first, and the grid that views share.
#include "tests/support/catch_torch.h"

#include "core/lab/tile_cache.h"
#include "core/lab/tile_grid.h"

#include <thread>

using namespace lw;

namespace {

TilePointer tile(float value, std::int64_t side = 16) {
    return std::make_shared<TilePixels>(TilePixels{side, side, std::vector<float>(static_cast<std::size_t>(side * side), value)});
}

TileKey key(std::int64_t column) {
    TileKey made;
    made.column = column;
    return made;
}

}  // namespace

TEST_CASE("tiles stay within their budget, and those used longest ago go first", "[lab][tiles]") {
    const auto each = TileCache::bytes_of(*tile(0));
    CHECK(each >= 16 * 16 * 4);
    TileCache cache(3 * each);
    for (std::int64_t n = 0; n < 3; ++n) cache.keep(key(n), tile(static_cast<float>(n)));
    REQUIRE(cache.find(key(0)));  // now the one used last
    cache.keep(key(3), tile(3));
    CHECK_FALSE(cache.find(key(1)));
    CHECK(cache.find(key(0))->values.front() == 0.0F);
    CHECK(cache.find(key(3))->values.front() == 3.0F);
    CHECK(cache.use().bytes == 3 * each);
    CHECK(cache.use().dropped == 1);
    cache.set_budget(each);
    CHECK(cache.use().tiles == 1);
    CHECK(cache.use().bytes <= each);
    CHECK(cache.find(key(3)));
    cache.keep(key(4), tile(4, 64));  // larger than everything that may be kept
    CHECK(cache.use().tiles == 1);
    cache.set_budget(0);
    CHECK(cache.use().bytes == 0);
}

TEST_CASE("a tile in hand outlives its place in the cache", "[lab][tiles]") {
    TileCache cache(TileCache::bytes_of(*tile(0)));
    cache.keep(key(0), tile(7));
    const auto held = cache.find(key(0));
    cache.keep(key(1), tile(8));
    CHECK_FALSE(cache.find(key(0)));
    CHECK(held->values.back() == 7.0F);
}

TEST_CASE("threads may look while another keeps and the budget changes", "[lab][tiles][threads]") {
    TileCache cache(20 * TileCache::bytes_of(*tile(0)));
    std::atomic<int> wrong{0};
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 2; ++reader) {
        readers.emplace_back([&](const std::stop_token& stop) {
            for (std::int64_t n = 0; !stop.stop_requested(); n = (n + 1) % 40) {
                const auto found = cache.find(key(n));
                if (found && found->values.back() != static_cast<float>(n)) ++wrong;
                if (cache.use().bytes > 40 * TileCache::bytes_of(*tile(0))) ++wrong;
            }
        });
    }
    for (int round = 0; round < 20; ++round) {
        for (std::int64_t n = 0; n < 40; ++n) cache.keep(key(n), tile(static_cast<float>(n)));
        cache.set_budget((round % 3) * 10 * TileCache::bytes_of(*tile(0)));
    }
    readers.clear();
    CHECK(wrong == 0);
}

TEST_CASE("pixels are powers of two on multiples of their size, so that neighbouring views share tiles", "[lab][tiles]") {
    const std::int64_t length = 65536;
    for (const auto& asked : {CellRange{0, 65536}, {1000, 9000}, {1003, 9003}, {64000, 65536}, {5, 6}, {65535, 65536}}) {
        const auto axis = grid_axis(asked, 500, length, 128);
        CAPTURE(asked.begin, asked.end, axis.cells);
        CHECK((axis.cells & (axis.cells - 1)) == 0);
        CHECK(axis.pixels <= 501);  // one more where the range begins within a pixel
        CHECK(axis.range.begin % axis.cells == 0);
        CHECK(axis.range.begin <= asked.begin);
        CHECK(axis.range.end >= asked.end);
        CHECK(axis.range.end <= length);
        CHECK(asked.begin - axis.range.begin < axis.cells);
        if (axis.cells > 1) CHECK(axis.pixels > 500 / 2 - 2);  // not coarser than it must be
    }
    const auto here = grid_axis({1000, 9000}, 500, length, 128), moved = grid_axis({1040, 9040}, 500, length, 128);
    CHECK(here.cells == moved.cells);
    CHECK(here.tiles.begin == moved.tiles.begin);
}

TEST_CASE("a view's tiles leave out what is never seen, and begin in its middle", "[lab][tiles]") {
    const TileRequest whole{.queries = {0, 4096}, .keys = {0, 4096}, .max_rows = 512, .max_columns = 512};
    const auto grid = tile_grid(whole, 4096, false);
    CHECK(grid.tiles(true).size() == 10);   // of 4 x 4, those on and below the diagonal
    CHECK(grid.tiles(false).size() == 16);
    const auto first = grid.tiles(true).front();
    CHECK((first.row == 1 || first.row == 2));
    CHECK(tile_grid(whole, 4096, true).columns.tiles.size() == 1);
}
