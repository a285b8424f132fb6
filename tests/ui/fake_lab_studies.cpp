/// Fake laboratory: studies and their reports. Runs come from the fake training. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/study_report.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <sstream>

namespace lw {

namespace {

StudyCell cell_of(const StudySpec& spec, const SchemeSpec& scheme, std::int64_t length, std::uint64_t seed) {
    StudyCell cell;
    cell.scheme = scheme.name;
    cell.setting = "L = " + std::to_string(length) + ", " + spec.corpora.front().source;
    cell.seed = seed;
    cell.recipe = {scheme.name, scheme, spec.sizes.front().model, spec.corpora.front(), spec.sizes.front().training, spec.evaluation, seed, {}};
    cell.recipe.training.length = length;
    cell.id = recipe_hash(cell.recipe);
    return cell;
}

Result<StudyStatus> made(const StudySpec& spec) {
    if (spec.name.empty()) return Error{ErrorKind::invalid_argument, "A study needs a \"name\" with at least one letter or digit; its folder is called after it."};
    StudyStatus status;
    status.spec = spec;
    if (status.spec.sizes.empty()) status.spec.sizes.emplace_back();
    if (status.spec.corpora.empty()) status.spec.corpora.emplace_back();
    for (const SchemeSpec& scheme : spec.schemes)
        for (const std::int64_t length : spec.lengths)
            for (const std::uint64_t seed : spec.seeds) status.cells.push_back(cell_of(status.spec, scheme, length, seed));
    for (const StudyCell& cell : status.cells)
        if (const auto checked = check_recipe(cell.recipe); !checked.ok()) status.problems.push_back(cell.scheme + ": " + checked.error().message);
    return status;
}

/// Changes a study of the state; not_found where it is not there.
Status change(const std::string& id, const std::function<void(StudyStatus&)>& how) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    const auto found = s.studies.find(id);
    if (found == s.studies.end()) return Error{ErrorKind::not_found, "There is no study \"" + id + "\"."};
    how(found->second);
    return Nothing{};
}

Status change_cell(const std::string& id, const std::string& cell, const std::function<void(StudyCell&)>& how) {
    return change(id, [&](StudyStatus& status) {
        for (StudyCell& one : status.cells)
            if (one.id == cell) how(one);
    });
}

}  // namespace

std::int64_t StudyStatus::count(const std::string& state) const {
    return std::count_if(cells.begin(), cells.end(), [&](const StudyCell& cell) { return cell.state == state; });
}

std::string study_json(const StudySpec& spec) { return "{\"name\": \"" + spec.name + "\"}"; }

Result<StudySpec> parse_study(const std::string& json, const std::filesystem::path&) {
    const auto from = json.find("\"name\": \"");
    if (from == std::string::npos) return Error{ErrorKind::corrupt_file, "This is not a study: it has no \"name\"."};
    StudySpec spec;
    spec.name = json.substr(from + 9, json.find('"', from + 9) - from - 9);
    spec.schemes = {find_scheme("alibi").value(), find_scheme("rope").value()};
    spec.lengths = {128};
    spec.evaluation.lengths = {128, 256, 512};
    spec.sizes.emplace_back();
    spec.corpora.emplace_back();
    return spec;
}

Result<StudySpec> read_study(const std::filesystem::path& file, const std::filesystem::path& workspace) {
    std::ifstream stream(file);
    if (!stream) return Error{ErrorKind::not_found, "There is no file " + file.string() + "."};
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_study(text.str(), workspace);
}

std::string study_folder_name(const std::string& name) {
    std::string id;
    for (const unsigned char c : name) {
        if (c < 128 && std::isalnum(c) != 0) id += static_cast<char>(std::tolower(c));
        else if (!id.empty() && id.back() != '-') id += '-';
    }
    while (!id.empty() && id.back() == '-') id.pop_back();
    return id;
}

Result<std::string> add_study(const std::filesystem::path& workspace, const StudySpec& spec) {
    auto status = made(spec);
    if (!status.ok()) return status.error();
    status.value().folder = workspace / "studies" / study_folder_name(spec.name);
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.studies[study_folder_name(spec.name)] = std::move(status).value();
    return study_folder_name(spec.name);
}

Result<std::string> add_study_file(const std::filesystem::path& workspace, const std::filesystem::path& file) {
    const auto spec = read_study(file, workspace);
    if (!spec.ok()) return spec.error();
    return add_study(workspace, spec.value());
}

Result<std::vector<std::string>> list_studies(const std::filesystem::path&) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.calls.push_back("studies");
    std::vector<std::string> ids;
    for (const auto& [id, status] : s.studies) ids.push_back(id);
    return ids;
}

Result<StudyStatus> study_status(const std::filesystem::path&, const std::string& id) {
    StudyStatus status;
    const Status found = change(id, [&](const StudyStatus& study) { status = study; });
    if (!found.ok()) return found.error();
    const std::lock_guard lock(fake::state().mutex);
    fake::state().calls.push_back("study");
    return status;
}

Result<StudyStatus> preview_study(const std::filesystem::path&, const StudySpec& spec) { return made(spec); }

Result<StudyEstimate> estimate_study(const StudyStatus& status, const std::string&) {
    StudyEstimate estimate;
    for (const StudyCell& cell : status.cells) {
        estimate.cell_seconds.push_back(cell.state == "finished" ? 0 : 60);
        estimate.seconds += estimate.cell_seconds.back();
    }
    estimate.bytes = 310'000'000;
    estimate.bytes_available = 18'000'000'000;
    return estimate;
}

namespace {

/// One cell from where it is to "finished"; false when it was stopped on the way.
bool work(const std::filesystem::path& workspace, const std::string& id, const StudyCell& cell, const RunContext& context, const StudyHooks& hooks) {
    if (fake::state().failing.contains(cell.scheme)) {
        (void)change_cell(id, cell.id, [](StudyCell& one) { one.state = "failed", one.message = "The corpus could not be read."; });
        return true;
    }
    StudyHooks own = hooks;
    own.training.on_start = [&](const RunInfo& run) {
        (void)change_cell(id, cell.id, [&](StudyCell& one) { one.state = "running", one.run = run.id, one.folder = run.folder; });
        if (hooks.training.on_start) hooks.training.on_start(run);
    };
    const auto run = cell.folder.empty() ? train(cell.recipe, workspace, context, own.training) : resume(cell.folder, context, own.training);
    if (!run.ok()) return false;
    (void)change_cell(id, cell.id, [&](StudyCell& one) { one.state = run.value().status == "finished" ? "trained" : "stopped", one.step = run.value().step; });
    if (run.value().status != "finished") return false;
    const auto measured = evaluate(run.value().folder, cell.recipe.evaluation, -1, context, [&](const Evaluation& soFar) {
        if (hooks.on_point) hooks.on_point(cell, soFar);
    });
    if (!measured.ok() || !measured.value().complete) return false;
    (void)change_cell(id, cell.id, [](StudyCell& one) { one.state = "finished"; });
    return true;
}

const StudyCell* next_cell(const StudyStatus& status) {
    const StudyCell* next = nullptr;
    for (const StudyCell& cell : status.cells)
        if ((cell.state == "waiting" || cell.state == "stopped") && (next == nullptr || cell.priority > next->priority)) next = &cell;
    return next;
}

}  // namespace

Result<StudyStatus> run_study(const std::filesystem::path& workspace, const std::string& id, const RunContext& context, const StudyHooks& hooks) {
    const auto tell = [&] {
        if (hooks.on_status) hooks.on_status(study_status(workspace, id).value());
    };
    if (const auto begun = change(id, [](StudyStatus& status) { status.running = true, status.paused = false; }); !begun.ok()) return begun.error();
    tell();
    bool going = true;
    while (going && !context.stopping()) {
        const StudyStatus status = study_status(workspace, id).value();
        const StudyCell* cell = next_cell(status);
        if (cell == nullptr) break;
        going = work(workspace, id, *cell, context, hooks);
        tell();
    }
    (void)change(id, [](StudyStatus& status) { status.running = false; });
    return study_status(workspace, id);
}

Status pause_study(const std::filesystem::path&, const std::string& id) {
    return change(id, [](StudyStatus& status) { status.paused = true, status.running = false; });
}

Status prioritise_cell(const std::filesystem::path&, const std::string& id, const std::string& cell, std::int64_t priority) {
    return change_cell(id, cell, [&](StudyCell& one) { one.priority = priority; });
}

Status retry_cell(const std::filesystem::path&, const std::string& id, const std::string& cell) {
    return change_cell(id, cell, [](StudyCell& one) { one.state = "waiting", one.message.clear(); });
}

namespace {

StudyValue value_of(const StudyStatus& status, const std::string& scheme, std::int64_t length, const std::vector<StudyCell>& cells) {
    StudyValue value;
    value.length = length;
    value.seeds = static_cast<std::int64_t>(cells.size());
    for (const StudyCell& cell : cells) value.value += fake::perplexity(scheme, static_cast<double>(length), static_cast<double>(status.spec.lengths.front()), cell.seed) / static_cast<double>(cells.size());
    value.low = value.document_low = value.value * 0.98;
    value.high = value.document_high = value.value * 1.02;
    value.documents = 32;
    value.tokens = 2048;
    value.units = "32 documents";
    return value;
}

void mark_best(StudyTable& table) {
    for (std::size_t column = 0; column < table.lengths.size(); ++column) {
        const auto best = std::min_element(table.rows.begin(), table.rows.end(), [&](const StudyRow& a, const StudyRow& b) { return a.values[column]->value < b.values[column]->value; });
        if (table.rows.size() > 1) best->values[column]->best = true;
        for (StudyRow& row : table.rows) row.values[column]->near_best = !row.values[column]->best && row.values[column]->value < 1.1 * best->values[column]->value;
    }
}

}  // namespace

Result<StudyReport> study_report(const StudyStatus& status, const RunContext&) {
    {
        fake::State& s = fake::state();
        const std::lock_guard lock(s.mutex);
        s.calls.push_back("study report");
        if (!s.fail_report.message.empty()) return s.fail_report;
    }
    StudyReport report;
    report.name = status.spec.name;
    report.test = "Welch's t test";
    report.cells = static_cast<std::int64_t>(status.cells.size());
    report.finished = status.count("finished");
    std::map<std::string, std::map<std::string, std::vector<StudyCell>>> groups;
    for (const StudyCell& cell : status.cells)
        if (cell.state == "finished") groups[cell.setting][cell.scheme].push_back(cell);
    for (const auto& [setting, rows] : groups) {
        StudyTable table;
        table.title = setting;
        table.protocol_line = "same 64 last tokens";
        table.lengths = status.spec.evaluation.lengths;
        table.curves.x_label = "Length (tokens)";
        table.curves.y_label = "Perplexity";
        for (const auto& [scheme, cells] : rows) {
            StudyRow row;
            row.title = scheme;
            CurveLine line;
            line.title = scheme;
            line.train_length = status.spec.lengths.front();
            for (const std::int64_t length : table.lengths) {
                row.values.push_back(value_of(status, scheme, length, cells));
                line.length.push_back(static_cast<double>(length));
                line.value.push_back(row.values.back()->value);
                line.low.push_back(row.values.back()->low);
                line.high.push_back(row.values.back()->high);
            }
            table.rows.push_back(row);
            table.curves.lines.push_back(line);
        }
        mark_best(table);
        if (table.rows.size() > 1) table.test = "Welch's t test with Holm's correction over all pairs and lengths of the table";
        if (table.rows.size() > 1) table.findings = {table.rows[0].title + " is lower than " + table.rows[1].title + " at 512 by 4.1 % [3.0, 5.2]."};
        table.cautions = {"Fewer than five seeds: a test over seeds is weak."};
        report.tables.push_back(std::move(table));
    }
    return report;
}

const std::vector<ReportFormat>& report_formats() {
    static const std::vector<ReportFormat> formats = {{"text", ".txt", "For a terminal"}, {"markdown", ".md", "For a web page"}, {"latex", ".tex", "For a paper"}, {"csv", ".csv", "Every value"}};
    return formats;
}

std::vector<StudyPair> findings_by_pair(const StudyTable& table) { return {{"ALiBi and RoPE", table.findings}}; }

Result<std::string> report_text(const StudyReport& report, const std::string& format) {
    std::string text = format + " " + report.name;
    for (const StudyTable& table : report.tables)
        for (const StudyRow& row : table.rows) text += "\n" + row.title;
    return text + "\n";
}

}  // namespace lw
