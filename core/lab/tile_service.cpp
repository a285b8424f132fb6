/// The tile service of a map session: views from kept tiles, a sampled first picture, and exact tiles as they are finished.
///
/// Order of requests never changes a number: a tile's cells depend on its key alone, and a view is copied together from tiles.
#include "core/lab/guard.h"
#include "core/lab/map_session.h"
#include "core/lab/map_view.h"

#include <ATen/ATen.h>

#include <chrono>

namespace lw {

namespace {

constexpr std::chrono::milliseconds kDeliverEvery{100};
/// Score cells (times heads that are computed) that are worked off before anybody would notice: such a view needs no samples.
constexpr std::int64_t kQuickCells = 2LL * 1024 * 1024;

TilePointer tile_pixels(const at::Tensor& pixels) {
    const auto flat = pixels.to(at::kCPU, at::kFloat).contiguous();  // [rows, columns]
    const float* values = flat.const_data_ptr<float>();
    return std::make_shared<TilePixels>(TilePixels{flat.size(0), flat.size(1), {values, values + flat.numel()}});
}

TileKey key_of(const TileRequest& request, const TileGrid& grid, std::int64_t head, TilePlace place) {
    return {request.layer, head, request.part, request.reducer, grid.rows.cells, grid.columns.cells, place.row, place.column};
}

std::vector<std::int64_t> heads_of(const TileRequest& request, std::int64_t heads) {
    if (request.head >= 0) return {request.head};
    std::vector<std::int64_t> all;
    for (std::int64_t head = 0; head < heads; ++head) all.push_back(head);
    return all;
}

/// One call of view().
class ViewJob {
public:
    ViewJob(const TileRequest& request, const TileGrid& grid, std::vector<TilePlace> places, const LayerScores& scores, TileCache& cache,
            const PictureSink& sink, const RunContext& context)
        : request_(request), grid_(grid), missing_(std::move(places)), scores_(scores), cache_(cache), sink_(sink), context_(context),
          heads_(heads_of(request, scores.inputs.q.size(1))), pictures_(request, grid, heads_) {
        // Without a reader a block's scores are those of all heads anyway.
        all_heads_ = request.head < 0 || mixes_heads(scores, request.part) || !scores.reader;
    }

    void run() {
        put_kept(missing_);
        const auto first = request_.sampled || (!missing_.empty() && cells_missing() > kQuickCells);
        const auto sampled = first && can_sample(scores_);
        if (sampled) deliver_samples();
        if (sampled && request_.sampled) return;
        while (!missing_.empty()) {
            poll();
            finish(missing_.front());
            missing_.erase(missing_.begin());
            // Without samples a picture on the way would have holes.
            if (sampled && !missing_.empty() && std::chrono::steady_clock::now() - delivered_ > kDeliverEvery) deliver();
        }
        deliver();
    }

private:
    void poll() const {
        if (context_.stopping()) throw Failure(ErrorKind::cancelled, "The view moved on before its map was finished.");
    }

    /// Takes those away that are kept.
    void put_kept(std::vector<TilePlace>& places) {
        std::erase_if(places, [&](const TilePlace& place) {
            std::vector<TilePointer> tiles;
            for (const auto head : heads_) {
                tiles.push_back(cache_.find(key_of(request_, grid_, head, place)));
                if (!tiles.back()) return false;
            }
            for (std::size_t n = 0; n < tiles.size(); ++n) pictures_.put_tile(n, place, *tiles[n]);
            kept_.push_back({place, std::move(tiles)});
            return true;
        });
    }

    [[nodiscard]] std::int64_t cells_missing() const {
        std::int64_t cells = 0;
        for (const auto& place : missing_) cells += grid_.rows.cells_of(place.row, grid_.length).size() * grid_.columns.cells_of(place.column, grid_.length).size();
        return cells * (all_heads_ ? scores_.inputs.q.size(1) : 1);
    }

    [[nodiscard]] TileRequest part_of(CellRange queries, CellRange keys, bool sampled) const {
        TileRequest part = request_;
        part.queries = queries;
        part.keys = keys;
        part.sampled = sampled;
        if (all_heads_) part.head = -1;
        return part;
    }

    [[nodiscard]] at::Tensor computed(const TileRequest& part) const {
        return part_pixels(scores_, part, {grid_.rows.cells, grid_.columns.cells}, [this] { poll(); }, context_.stop);  // [H or 1, rows, columns]
    }

    void deliver_samples() {
        const auto samples = computed(part_of(grid_.rows.range, grid_.columns.range, true)).to(at::kCPU, at::kFloat).contiguous();  // [H, rows, columns]
        for (std::size_t n = 0; n < heads_.size(); ++n) {
            const auto head = samples[samples.size(0) == 1 ? 0 : heads_[n]];
            pictures_.put_samples(n, {head.const_data_ptr<float>(), static_cast<std::size_t>(head.numel())});
        }
        for (const auto& [place, tiles] : kept_) {
            for (std::size_t n = 0; n < tiles.size(); ++n) pictures_.put_tile(n, place, *tiles[n]);
        }
        deliver();
    }

    /// One tile of every head that was computed for it.
    void finish(TilePlace place) {
        const auto pixels = computed(part_of(grid_.rows.cells_of(place.row, grid_.length), grid_.columns.cells_of(place.column, grid_.length), false));
        const auto first = pixels.size(0) == 1 ? heads_.front() : 0;
        for (std::int64_t n = 0; n < pixels.size(0); ++n) {
            const auto tile = tile_pixels(pixels[n]);
            cache_.keep(key_of(request_, grid_, first + n, place), tile);
            for (std::size_t shown = 0; shown < heads_.size(); ++shown) {
                if (heads_[shown] == first + n) pictures_.put_tile(shown, place, *tile);
            }
        }
    }

    void deliver() {
        std::int64_t pixels = 0;
        for (const auto& place : missing_) pixels += pictures_.pixels_of(place);
        sink_(pictures_.pictures(pixels));
        delivered_ = std::chrono::steady_clock::now();
    }

    const TileRequest& request_;
    const TileGrid& grid_;
    std::vector<TilePlace> missing_;
    const LayerScores& scores_;
    TileCache& cache_;
    const PictureSink& sink_;
    const RunContext& context_;
    std::vector<std::int64_t> heads_;
    ViewPictures pictures_;
    bool all_heads_ = false;
    struct Kept {
        TilePlace place;
        std::vector<TilePointer> tiles;
    };
    std::vector<Kept> kept_;
    std::chrono::steady_clock::time_point delivered_ = std::chrono::steady_clock::now();
};

}  // namespace

TileGrid ModelMapSession::grid_of(const TileRequest& request) const {
    const auto& traits = traits_.at(static_cast<std::size_t>(request.layer));
    return tile_grid(request, info_.length, request.part == ScorePart::probability ? traits.whole_rows_for_weights : traits.whole_rows);
}

std::vector<TilePlace> ModelMapSession::places_of(const TileRequest& request, const TileGrid& grid) const {
    return grid.tiles(traits_.at(static_cast<std::size_t>(request.layer)).causal);
}

Status ModelMapSession::view(const TileRequest& request, const PictureSink& sink, const RunContext& context) {
    return guarded<Nothing>([&] {
        const at::NoGradGuard no_gradient;
        check(request);
        const auto grid = grid_of(request);
        const auto layer_scores = scores(request.layer);
        ViewJob(request, grid, places_of(request, grid), layer_scores, tiles_, sink, context).run();
        return Nothing{};
    });
}

/// Reads what never changes after the session was opened, and the tiles under their lock: no tensor, so that any thread may call it.
std::optional<std::vector<MapTile>> ModelMapSession::finished_view(const TileRequest& request) const {
    const auto checked = guarded<Nothing>([&] {
        check(request);
        return Nothing{};
    });
    if (!checked.ok()) return std::nullopt;
    const auto grid = grid_of(request);
    const auto heads = heads_of(request, info_.heads);
    const auto places = places_of(request, grid);
    std::vector<TilePointer> tiles;  // of each place, all heads
    for (const auto& place : places) {
        for (const auto head : heads) {
            tiles.push_back(tiles_.find(key_of(request, grid, head, place)));
            if (!tiles.back()) return std::nullopt;  // before any picture is made: most views of a moving map end here
        }
    }
    ViewPictures pictures(request, grid, heads);
    for (std::size_t n = 0; n < tiles.size(); ++n) pictures.put_tile(n % heads.size(), places[n / heads.size()], *tiles[n]);
    return pictures.pictures(0);
}

}  // namespace lw
