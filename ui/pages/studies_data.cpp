/// See studies_data.h: reading. The words are in studies_words.cpp.
#include "ui/pages/studies_data.h"

#include <algorithm>

namespace lw::ui {

namespace {

template <class Points, class Value>
std::optional<CellNumber> numberAt(const Points& points, std::int64_t length, bool accuracy, const Value& value) {
    if (points.empty()) return std::nullopt;
    const auto at = std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.length == length; });
    const auto& chosen = at == points.end() ? points.back() : *at;
    return CellNumber{value(chosen), chosen.length, accuracy};
}

std::optional<CellNumber> readNumber(const lw::StudyCell& cell) {
    const std::int64_t length = cell.recipe.start.length > 0 ? cell.recipe.start.length : cell.recipe.training.length;
    if (cell.recipe.data.source.starts_with("task:")) {
        const auto read = lw::read_task_evaluation(cell.folder);
        if (!read.ok() || !read.value()) return std::nullopt;
        return numberAt(read.value()->points, length, true, [](const lw::TaskPoint& point) { return point.token_accuracy; });
    }
    const auto evaluations = lw::read_evaluations(cell.folder);
    if (!evaluations.ok()) return std::nullopt;
    for (const lw::Evaluation& evaluation : evaluations.value())
        if (evaluation.protocol.protocol == cell.recipe.evaluation.protocol) return numberAt(evaluation.points, length, false, [](const lw::LengthPoint& point) { return point.perplexity; });
    return std::nullopt;
}

/// Only finished cells have a number; one that is measured anew loses it, so that it is read again.
CellNumbers readNumbers(const lw::StudyStatus& status, const CellNumbers& known) {
    CellNumbers numbers;
    for (const lw::StudyCell& cell : status.cells) {
        if (cell.state != "finished") continue;
        const auto before = known.find(cell.id);
        if (before != known.end()) numbers.insert(*before);
        else if (const auto number = readNumber(cell)) numbers[cell.id] = *number;
    }
    return numbers;
}

template <class List, class Value>
std::size_t placeIn(List& list, const Value& value, const auto& same) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return same(one, value); });
    if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
    list.push_back(value);
    return list.size() - 1;
}

}  // namespace

std::vector<StudyItem> loadStudies(const std::filesystem::path& workspace) {
    std::vector<StudyItem> items;
    const auto ids = lw::list_studies(workspace);
    if (!ids.ok()) return items;
    for (const std::string& id : ids.value()) {
        const auto status = lw::study_status(workspace, id);
        StudyItem item{QString::fromStdString(id), QString::fromStdString(id), {}, {}};
        if (status.ok()) {
            item.name = QString::fromStdString(status.value().spec.name);
            item.counts = countsText(status.value());
        } else {
            item.problem = QString::fromStdString(status.error().message);
        }
        items.push_back(std::move(item));
    }
    return items;
}

lw::Result<StudyLoaded> loadStudy(const StudyRequest& request) {
    auto status = lw::study_status(request.workspace, request.id);
    if (!status.ok()) return status.error();
    StudyLoaded loaded;
    loaded.status = std::move(status).value();
    loaded.numbers = readNumbers(loaded.status, request.known);
    // A study that cannot start says why; what it would take is then beside the point.
    if (!loaded.status.problems.empty()) return loaded;
    if (auto estimate = lw::estimate_study(loaded.status, request.device); estimate.ok()) loaded.estimate = std::move(estimate).value();
    return loaded;
}

bool StudyGrid::oneSetting() const {
    return std::all_of(columns.begin(), columns.end(), [this](const StudyColumn& column) { return column.setting == columns.front().setting; });
}

StudyGrid studyGrid(const lw::StudyStatus& status) {
    StudyGrid grid;
    struct Place {
        std::size_t row, column;
    };
    std::vector<Place> places;
    for (const lw::StudyCell& cell : status.cells) {
        const StudyColumn column{QString::fromStdString(cell.setting), cell.seed};
        places.push_back({placeIn(grid.rows, QString::fromStdString(cell.scheme), [](const QString& a, const QString& b) { return a == b; }),
                          placeIn(grid.columns, column, [](const StudyColumn& a, const StudyColumn& b) { return a.setting == b.setting && a.seed == b.seed; })});
    }
    grid.cells.assign(grid.rows.size(), std::vector<int>(grid.columns.size(), -1));
    for (std::size_t i = 0; i < places.size(); ++i) grid.cells[places[i].row][places[i].column] = static_cast<int>(i);
    return grid;
}

}  // namespace lw::ui
