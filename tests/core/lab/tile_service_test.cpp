/// Views of real, tiny runs: sampled first and marked so, exact in the end, the same whatever was asked before, kept and cancelled.
#include "tests/support/catch_torch.h"

#include "core/api/maps.h"
#include "core/attention/pooling.h"
#include "core/lab/estimates.h"
#include "tests/core/training/tiny_run.h"
#include "tests/support/small_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

using namespace lw;

namespace {

constexpr std::int64_t kLength = 1500;

RunInfo trained(const TinyLaboratory& lab, const std::string& scheme) {
    Recipe recipe = lab.recipe(scheme);
    recipe.training.steps = 2;
    return train(recipe, lab.workspace).value();
}

std::shared_ptr<MapSession> opened(const RunInfo& run, std::int64_t tile_bytes = -1) {
    MapsRequest request{run.folder, -1, {}, tile_bytes};
    request.text.length = kLength;
    return open_maps(request).value();
}

TileRequest view_of(CellRange queries, CellRange keys, ScorePart part = ScorePart::probability, std::int64_t head = 1) {
    return {.layer = 1, .head = head, .part = part, .queries = queries, .keys = keys, .max_rows = 100, .max_columns = 100};
}

std::vector<std::vector<MapTile>> pictures_of(MapSession& session, const TileRequest& request) {
    std::vector<std::vector<MapTile>> pictures;
    const auto status = session.view(request, [&](std::vector<MapTile> picture) { pictures.push_back(std::move(picture)); });
    REQUIRE(status.ok());
    REQUIRE_FALSE(pictures.empty());
    return pictures;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

/// What the picture must show: every cell of its ranges, pooled.
at::Tensor expected(MapSession& session, const MapTile& picture) {
    const TileRequest cells{.layer = picture.layer, .head = picture.head, .part = picture.part, .queries = picture.queries, .keys = picture.keys,
                            .max_rows = kLength, .max_columns = kLength};
    const auto tile = session.tiles(cells).value().front();
    auto values = tile.values;
    const auto all = at::from_blob(values.data(), {1, tile.rows, tile.columns}, at::kFloat);
    return pool_cells(all, static_cast<std::int64_t>(picture.cells_per_row), static_cast<std::int64_t>(picture.cells_per_column), picture.reducer)[0].clone();
}

at::Tensor tensor(const MapTile& tile) { return at::tensor(tile.values).view({tile.rows, tile.columns}); }

}  // namespace

TEST_CASE("a view ends with the exact picture of its cells, for every part and reducer", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "dape-kerple"));
    for (const auto part : session->info().parts) {
        for (const auto reducer : {Reducer::mean, Reducer::max, Reducer::signed_max_abs}) {
            auto request = view_of({301, 1203}, {50, 1102}, part);
            request.reducer = reducer;
            const auto last = pictures_of(*session, request).back().front();
            CAPTURE(score_part_name(part), reducer_name(reducer));
            CHECK_FALSE(last.sampled);
            CHECK(last.exact_share == 1);
            CHECK(last.cells_per_row == 16);
            CHECK(last.queries.begin == 288);
            CHECK(last.queries.end == 1216);
            CHECK(at::allclose(tensor(last), expected(*session, last), 1e-5, 1e-6, true));
        }
    }
}

TEST_CASE("the first picture of a large view is sampled and says so; a view of kept tiles is exact at once", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "dape-kerple"));
    const auto request = view_of({0, kLength}, {0, kLength});
    const auto pictures = pictures_of(*session, request);
    REQUIRE(pictures.size() >= 2);
    CHECK(pictures.front().front().sampled);
    CHECK(pictures.front().front().exact_share < 1);
    for (std::size_t n = 1; n < pictures.size(); ++n) CHECK(pictures[n].front().exact_share > pictures[n - 1].front().exact_share);
    CHECK_FALSE(pictures.back().front().sampled);
    const auto computed = session->tile_use().computed;
    const auto again = pictures_of(*session, request);
    CHECK(again.size() == 1);
    CHECK_FALSE(again.front().front().sampled);
    CHECK(same(again.front().front().values, pictures.back().front().values));
    CHECK(session->tile_use().computed == computed);
    auto coarse = view_of({0, kLength}, {0, kLength}, ScorePart::content);
    coarse.sampled = true;
    CHECK(pictures_of(*session, coarse).size() == 1);
    CHECK(pictures_of(*session, coarse).front().front().sampled);
}

TEST_CASE("one head of an adaptive layer brings the tiles of all its heads", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "dape-kerple"));
    pictures_of(*session, view_of({0, 800}, {0, 800}, ScorePart::logit, 2));
    const auto computed = session->tile_use().computed;
    const auto all = pictures_of(*session, view_of({0, 800}, {0, 800}, ScorePart::logit, -1));
    CHECK(all.front().size() == 4);
    CHECK_FALSE(all.front().front().sampled);
    CHECK(session->tile_use().computed == computed);
    // A static bias needs no other head.
    pictures_of(*session, view_of({0, 800}, {0, 800}, ScorePart::content, 2));
    CHECK_FALSE(session->finished_view(view_of({0, 800}, {0, 800}, ScorePart::content, 3)));
}

TEST_CASE("numbers do not depend on the order of views, on the budget or on threads", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto run = trained(lab, "dape-kerple");
    const auto session = opened(run), other = opened(run, 0);
    const std::vector<TileRequest> requests{view_of({0, 1500}, {0, 1500}), view_of({700, 900}, {600, 850}), view_of({640, 1440}, {0, 900}), view_of({650, 1450}, {16, 916})};
    std::vector<std::vector<float>> values;
    for (const auto& request : requests) values.push_back(pictures_of(*session, request).back().front().values);
    for (std::size_t n = requests.size(); n-- > 0;) CHECK(same(pictures_of(*other, requests[n]).back().front().values, values[n]));
    CHECK(other->tile_use().tiles == 0);
    CHECK(other->tile_use().bytes == 0);
}

TEST_CASE("kept tiles stay within the budget that was asked for", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto run = trained(lab, "alibi");
    const std::int64_t budget = 200'000;
    const auto session = opened(run, budget);
    for (std::int64_t begin = 0; begin < 1300; begin += 100) {
        pictures_of(*session, view_of({begin, begin + 90}, {0, 90}));
        CHECK(session->tile_use().bytes <= budget);
    }
    CHECK(session->tile_use().dropped > 0);
    CHECK(session->tile_use().tiles > 0);
    CHECK(default_tile_bytes() >= 64 * 1024 * 1024);
    CHECK(opened(run)->tile_use().budget == default_tile_bytes());
}

TEST_CASE("a view that moved on stops, and what was finished stays", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "dape-v2-kerple"));  // no kernel serves it: slow enough to be stopped
    std::stop_source stop;
    RunContext context;
    context.stop = stop.get_token();
    auto request = view_of({0, 800}, {0, 800});
    request.max_rows = request.max_columns = 800;  // a pixel is a cell, so that there are several tiles
    // Told to stop in the middle: when the first tile is there and others are not. A picture comes every tenth of a second, so tiles are watched.
    const std::jthread watcher([&](const std::stop_token& end) {
        while (!end.stop_requested() && session->tile_use().computed == 0) std::this_thread::yield();
        stop.request_stop();
    });
    const auto status = session->view(request, [](const std::vector<MapTile>&) {}, context);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == ErrorKind::cancelled);
    CHECK_FALSE(session->finished_view(request));
    const auto before = session->tile_use();
    CHECK(before.computed > 0);
    CHECK(before.tiles == before.computed);
    CHECK_FALSE(pictures_of(*session, request).back().front().sampled);
    const auto after = session->tile_use();
    CHECK(session->finished_view(request));
    CHECK(after.reused >= before.computed / session->info().heads);
    const auto fresh = opened(trained(lab, "dape-v2-kerple"));
    pictures_of(*fresh, request);
    CHECK(after.computed == fresh->tile_use().computed);  // nothing was made twice
}

TEST_CASE("finished views are read from other threads while views are computed", "[lab][tiles][threads]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "alibi"), 3'000'000);
    const auto request = view_of({0, 700}, {0, 700}, ScorePart::logit);
    const auto values = pictures_of(*session, request).back().front().values;
    std::atomic<int> wrong{0}, seen{0};
    {
        const std::jthread reader([&](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                const auto view = session->finished_view(request);
                if (view && !same(view->front().values, values)) ++wrong;
                seen += view ? 1 : 0;
                if (session->tile_use().bytes > 3'000'000) ++wrong;
            }
        });
        // On a busy machine the reader begins late: the first view is kept until other ones displace it.
        while (seen == 0 && session->finished_view(request)) std::this_thread::yield();
        for (std::int64_t begin = 0; begin < 600; begin += 50) pictures_of(*session, view_of({begin, begin + 700}, {0, 700}));
        session->set_tile_budget(100'000);
    }
    CHECK(wrong == 0);
    CHECK(seen > 0);
}

TEST_CASE("a view that cannot be sampled has one picture, the exact one", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "fox"));
    auto request = view_of({0, kLength}, {0, kLength});
    for (const bool sampled : {true, false}) {
        request.sampled = sampled;
        const auto pictures = pictures_of(*session, request);
        CHECK(pictures.size() == 1);
        CHECK_FALSE(pictures.front().front().sampled);
        CHECK(pictures.front().front().exact_share == 1);
    }
}

TEST_CASE("an encoder's view shows keys on both sides, and its rows' weights sum to one", "[lab][tiles]") {
    const TinyLaboratory lab;
    Recipe recipe = lab.recipe("kerple");
    const auto& all = tasks();
    const auto info = std::find_if(all.begin(), all.end(), [](const TaskInfo& task) { return task.id == "reverse-string"; });
    recipe.data = task_recipe(*info, recipe.scheme).data;
    recipe.scheme = task_recipe(*info, recipe.scheme).scheme;
    recipe.training.length = 16;
    recipe.training.steps = 2;
    MapsRequest request{train(recipe, lab.workspace).value().folder, -1, {}, -1};
    request.text.length = 120;
    const auto session = open_maps(request).value();
    const auto n = session->info().length;
    CHECK_FALSE(session->info().causal);
    TileRequest view{.layer = 1, .head = 0, .part = ScorePart::probability, .queries = {0, n}, .keys = {0, n}, .max_rows = n, .max_columns = n};
    const auto weights = tensor(pictures_of(*session, view).back().front());
    CHECK(at::allclose(weights.sum(1), at::ones({n}), 1e-4, 1e-5));
    view.part = ScorePart::bias;
    const auto bias = tensor(pictures_of(*session, view).back().front());
    CHECK(at::allclose(bias, bias.t(), 1e-5, 1e-6));  // later keys count as far as earlier ones
    const auto row = session->rows(1, 3).value().front();
    CHECK(static_cast<std::int64_t>(row.probability.size()) == n);
    CHECK(std::accumulate(row.probability.begin(), row.probability.end(), 0.0) == Approx(1).margin(1e-4));
}

TEST_CASE("schemes of every kind show exact views", "[lab][tiles]") {
    const TinyLaboratory lab;
    for (const auto* scheme : {"rope", "fire", "cope", "dape-v2-kerple", "fox"}) {
        REQUIRE(find_scheme(scheme).ok());
        const auto session = opened(trained(lab, scheme));
        const auto last = pictures_of(*session, view_of({100, 400}, {0, 333}, ScorePart::probability)).back().front();
        CAPTURE(scheme);
        CHECK(at::allclose(tensor(last), expected(*session, last), 1e-4, 1e-6, true));
    }
}

TEST_CASE("a view outside the map is refused with the bounds", "[lab][tiles]") {
    const TinyLaboratory lab;
    const auto session = opened(trained(lab, "alibi"));
    const auto nobody = [](const std::vector<MapTile>&) { FAIL("no picture of what is not there"); };
    for (const auto& request : {view_of({0, kLength + 1}, {0, 10}), view_of({-1, 4}, {0, 10}), view_of({0, 10}, {8, 8})}) {
        const auto status = session->view(request, nobody);
        REQUIRE_FALSE(status.ok());
        CHECK(status.error().kind == ErrorKind::invalid_argument);
        CHECK_THAT(status.error().message, Catch::Contains("1500 tokens"));
        CHECK_FALSE(session->finished_view(request));
    }
    CHECK_THAT(session->view(view_of({0, 9}, {0, 9}, ScorePart::logit, 7), nobody).error().message, Catch::Contains("heads 0 to 3"));
    auto none = view_of({0, 9}, {0, 9});
    none.max_rows = 0;
    CHECK_FALSE(session->view(none, nobody).ok());
}

TEST_CASE("a text too long to keep is refused before anything is made, with what it would take", "[lab][tiles]") {
    const Transformer model(lw::test::small_model(), check_scheme(find_scheme("dape-kerple").value()).value(), 128, 1);
    refuse_too_long(model, 65'536, true, "cpu");  // a small model's q, k and normalisers of 65,536 tokens fit anywhere
    try {
        refuse_too_long(model, 1'000'000'000'000, true, "cpu");
        FAIL("a million million tokens fit nowhere");
    } catch (const Failure& failure) {
        CHECK(failure.kind() == ErrorKind::out_of_memory);
        CHECK_THAT(failure.what(), Catch::Contains("1000000000000 tokens") && Catch::Contains("Choose a shorter length"));
    }
}
