/// The tasks of the Chomsky-hierarchy benchmark: right answers, form, classes, batches.
#include "tests/core/data/data_folders.h"
#include "tests/core/data/encoder_oracles.h"

#include "core/data/binary_number.h"

#include <set>

using namespace lw;
using namespace lw::test;
using Catch::Matchers::Contains;

namespace {

DataSpec data_of(const std::string& id, const Params& params = {}) {
    DataSpec data;
    data.source = "task:" + id;
    data.task = params;
    return data;
}

std::shared_ptr<const EncoderTask> encoder_task(const std::string& id, const Params& params = {}) {
    auto task = std::dynamic_pointer_cast<const EncoderTask>(open_task(data_of(id, params)));
    REQUIRE(task);
    return task;
}

std::vector<TaskInfo> encoder_tasks() {
    std::vector<TaskInfo> all;
    for (const auto& info : tasks())
        if (info.encoder) all.push_back(info);
    return all;
}

/// Input and answer of an example, taken from its tokens and targets.
std::pair<Symbols, Symbols> taken_apart(const EncoderTask& task, const TaskExample& example) {
    Symbols input, answer;
    for (std::size_t t = 0; t < example.tokens.size(); ++t) {
        const bool placeholder = example.tokens[t] == task.padding();
        CHECK(placeholder == (example.targets[t] != -100));
        if (placeholder) answer.push_back(example.targets[t]);
        else input.push_back(example.tokens[t]);
    }
    return {input, answer};
}

void check_answers(const std::string& id, const Params& params, bool paper) {
    const auto task = encoder_task(id, params);
    const Oracle oracle = oracles().at(id);
    for (const std::int64_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 40, 41, 100, 161}) {
        for (std::uint64_t index = 0; index < 20; ++index) {
            const auto example = task->example(5, index, length);
            CHECK(static_cast<std::int64_t>(example.tokens.size()) == task->sequence_length(length));
            const auto [input, answer] = taken_apart(*task, example);
            INFO(id << " at length " << length << ", example " << index);
            REQUIRE(oracle(input, answer, paper));
        }
    }
}

/// The parameter that offers the paper's text beside the code, or "".
std::string convention_of(const TaskInfo& info) {
    for (const auto& spec : info.params)
        if (spec.type == ParamType::choice && spec.choices == std::vector<std::string>{"code", "paper"}) return spec.id;
    return "";
}

}  // namespace

TEST_CASE("the fifteen tasks answer as their oracles do", "[data][task][chomsky]") {
    REQUIRE(encoder_tasks().size() == 15);
    for (const auto& info : encoder_tasks()) check_answers(info.id, {}, false);
}

TEST_CASE("where the paper's text differs from its code, both can be had", "[data][task][chomsky]") {
    std::set<std::string> both;
    for (const auto& info : encoder_tasks()) {
        const std::string convention = convention_of(info);
        if (convention.empty()) continue;
        both.insert(info.id);
        check_answers(info.id, {{convention, std::string("paper")}}, true);
    }
    CHECK(both == std::set<std::string>{"cycle-navigation", "odds-first", "solve-equation", "binary-addition", "binary-multiplication", "compute-sqrt"});
}

TEST_CASE("classes and chance are those of the benchmark", "[data][task][chomsky]") {
    std::map<std::string, int> classes;
    const std::set<std::string> five{"modular-arithmetic-simple", "modular-arithmetic-brackets", "cycle-navigation", "solve-equation", "bucket-sort"};
    for (const auto& info : encoder_tasks()) {
        ++classes[info.complexity];
        CHECK(encoder_task(info.id)->chance() == (five.count(info.id) == 1 ? 0.2 : 0.5));
        CHECK(!task_class_title(info).empty());
        CHECK(info.length == 40);
        CHECK(info.batch == 128);
    }
    CHECK(classes == std::map<std::string, int>{{"R", 4}, {"DCF", 4}, {"CS", 7}});
}

TEST_CASE("answers are as long as the benchmark says", "[data][task][chomsky]") {
    const auto answers = [](const std::string& id, std::int64_t n) { return encoder_task(id)->sequence_length(n) - n; };
    for (const std::int64_t n : {1, 2, 7, 40}) {
        for (const char* id : {"even-pairs", "parity-check", "cycle-navigation", "modular-arithmetic-brackets", "solve-equation", "missing-duplicate-string"})
            CHECK(answers(id, n) == 1);
        for (const char* id : {"reverse-string", "odds-first", "binary-multiplication", "bucket-sort"}) CHECK(answers(id, n) == n);
        for (const char* id : {"stack-manipulation", "binary-addition"}) CHECK(answers(id, n) == n + 1);
        CHECK(answers("duplicate-string", n) == 2 * n);
        CHECK(answers("compute-sqrt", n) == (n + 1) / 2);
        CHECK(encoder_task("modular-arithmetic-simple")->sequence_length(n) == (n % 2 == 0 ? n : n + 1));
    }
    CHECK(trained_tokens(data_of("duplicate-string"), 40) == 120);
    CHECK(trained_tokens(data_of("copy"), 40) == 40);
}

TEST_CASE("accuracy counts three tasks up to the closing symbol and trains all of it", "[data][task][chomsky]") {
    for (const auto& info : encoder_tasks()) {
        const auto task = encoder_task(info.id);
        const auto example = task->example(2, 3, 12);
        if (info.id != "stack-manipulation" && info.id != "binary-addition" && info.id != "binary-multiplication") {
            CHECK(example.counted.empty());
            continue;
        }
        const Symbols answer = taken_apart(*task, example).second;
        const auto closing = static_cast<std::size_t>(std::find(answer.begin(), answer.end(), 2) - answer.begin());
        const std::size_t begin = example.tokens.size() - answer.size();
        for (std::size_t t = 0; t < example.tokens.size(); ++t) CHECK(example.counted[t] == (t >= begin && t <= begin + closing));
    }
}

TEST_CASE("every length and both parts of an expression occur", "[data][task][chomsky]") {
    const auto task = encoder_task("binary-addition");
    std::set<std::int64_t> separators;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const auto tokens = task->example(1, i, 10).tokens;
        separators.insert(std::find(tokens.begin(), tokens.end(), 2) - tokens.begin());
    }
    CHECK(separators == std::set<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
    std::set<Symbols> shortest;
    for (std::uint64_t i = 0; i < 100; ++i) shortest.insert(taken_apart(*task, task->example(1, i, 2)).first);
    CHECK(shortest == std::set<Symbols>{{0, 0}, {1, 0}, {0, 1}});  // the published code never draws 3
}

TEST_CASE("a batch of an encoder task has one length up to L, the same in any order of batches", "[data][task][chomsky]") {
    const auto source = open_batches(data_of("reverse-string"), 1, 40);
    std::set<std::int64_t> lengths, validated;
    for (std::int64_t index = 0; index < 120; ++index) {
        const Batch batch = source->training_batch(index, 4, 40);
        const std::int64_t asked = batch.targets[0].ne(-100).sum().item<std::int64_t>();
        CHECK(batch.tokens.size(1) == 2 * asked);
        CHECK(batch.targets.ne(-100).sum(1).eq(asked).all().item<bool>());
        lengths.insert(asked);
        validated.insert(source->validation_batch(index, 4, 40).tokens.size(1) / 2);
    }
    CHECK(*lengths.begin() >= 1);
    CHECK(*lengths.rbegin() <= 40);
    CHECK(lengths.size() > 30);
    CHECK(validated.size() > 30);
    const Batch later = source->training_batch(7, 4, 40);
    CHECK(at::equal(open_batches(data_of("reverse-string"), 1, 40)->training_batch(7, 4, 40).tokens, later.tokens));
    CHECK_FALSE(at::equal(open_batches(data_of("reverse-string"), 2, 40)->training_batch(7, 4, 40).tokens, later.tokens));
    CHECK_FALSE(later.counted.defined());
    const Batch masked = open_batches(data_of("stack-manipulation"), 1, 40)->training_batch(3, 4, 40);
    CHECK(masked.counted.sizes() == masked.targets.sizes());
    CHECK(masked.targets.ne(-100).sum().item<std::int64_t>() >= masked.counted.sum().item<std::int64_t>());
}

TEST_CASE("without mixed lengths every batch has length L", "[data][task][chomsky]") {
    const auto source = open_batches(data_of("bucket-sort", {{"mixed_lengths", false}}), 1, 12);
    for (std::int64_t index = 0; index < 5; ++index) CHECK(source->training_batch(index, 2, 12).tokens.size(1) == 24);
}

TEST_CASE("usual lengths of the benchmark reach beyond training and are ascending", "[data][task][chomsky]") {
    const auto lengths = encoder_task("parity-check")->usual_lengths(40);
    CHECK(lengths.front() == 10);
    CHECK(std::count(lengths.begin(), lengths.end(), 40) == 1);
    CHECK(lengths.back() == 200);
    CHECK(std::is_sorted(lengths.begin(), lengths.end()));
    CHECK(encoder_task("parity-check")->usual_lengths(1).front() == 1);
}

TEST_CASE("a character that is no symbol of a task is refused", "[data][task][chomsky]") {
    CHECK(encoder_task("solve-equation")->symbols_of("x=3") == Symbols{10, 11, 3});
    CHECK_THAT(failure_of([] { static_cast<void>(encoder_task("solve-equation")->symbols_of("y=3")); }, ErrorKind::invalid_argument), Contains("'y'"));
}
