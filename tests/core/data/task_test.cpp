#include "tests/core/data/data_folders.h"

#include "core/data/task.h"

#include <algorithm>
#include <map>
#include <set>

using namespace lw;
using Catch::Matchers::Contains;

namespace {

std::shared_ptr<const Task> task_of(const std::string& id, const Params& params = {}) {
    DataSpec data;
    data.source = "task:" + id;
    data.task = params;
    return open_task(data);
}

/// The words of an example, as a person would read them.
std::vector<std::string> words_of(const Task& task, const TaskExample& example) {
    std::vector<std::string> words;
    for (const auto token : example.tokens) words.push_back(task.tokenizer()->piece(token));
    return words;
}

/// What a reader who only sees the words up to t would answer at t; "" where nothing is asked.
using Oracle = std::string (*)(const std::vector<std::string>& words, std::size_t t);

std::string copy_oracle(const std::vector<std::string>& words, std::size_t t) {
    const auto separator = static_cast<std::size_t>(std::find(words.begin(), words.end(), ";") - words.begin());
    const std::size_t begin = words[0] == "·" ? 1 : 0;
    return t < separator ? "" : words[begin + (t - separator)];
}

std::string recall_oracle(const std::vector<std::string>& words, std::size_t t) {
    if (t == 0 || words[t - 1] != "?") return "";
    for (std::size_t i = 0; i < t; ++i) {
        if (words[i] == words[t]) return words[i + 1];
    }
    return "the key does not stand in the text";
}

/// The number after "The pass key is" for the first time, digit after digit.
std::string passkey_oracle(const std::vector<std::string>& words, std::size_t t) {
    const std::vector<std::string> before{"The", "pass", "key", "is"};
    const auto asked = std::find_end(words.begin(), words.end(), before.begin(), before.end()) + 3 - words.begin();
    if (static_cast<std::ptrdiff_t>(t) < asked) return "";
    const auto told = std::search(words.begin(), words.end(), before.begin(), before.end()) + 4 - words.begin();
    return words[static_cast<std::size_t>(told - asked) + t];
}

std::string needle_oracle(const std::vector<std::string>& words, std::size_t t) {
    if (t + 1 != words.size()) return "";
    for (std::size_t i = 0; i + 3 < t; ++i) {
        if (words[i] == "word-of" && words[i + 1] == words[t - 1]) return words[i + 3];
    }
    return "the key does not stand in the text";
}

std::string induction_oracle(const std::vector<std::string>& words, std::size_t t) {
    if (t + 1 != words.size()) return "";
    std::set<std::string> followers;
    for (std::size_t i = 0; i < t; ++i) {
        if (words[i] == words[t]) followers.insert(words[i + 1]);
    }
    return followers.size() == 1 ? *followers.begin() : "it stands there more than once";
}

/// Backwards: what a chain is that ends with this step.
std::int64_t chain_value(const std::vector<std::string>& words, std::size_t end, std::int64_t modulus) {
    if (end == 0 || words[end - 1] == "·" || words[end - 1] == "=") return std::stoll(words[end]) % modulus;
    const std::int64_t before = chain_value(words, end - 2, modulus), operand = std::stoll(words[end]);
    const std::string& operation = words[end - 1];
    return (operation == "+" ? before + operand : operation == "-" ? before + modulus - operand : before * operand) % modulus;
}
std::string chain_oracle(const std::vector<std::string>& words, std::size_t t) {
    return words[t] == "=" ? std::to_string(chain_value(words, t - 1, 10)) : "";
}

void check_oracle(const Task& task, Oracle oracle, std::int64_t length) {
    for (std::uint64_t index = 0; index < 20; ++index) {
        const auto example = task.example(11, index, length);
        REQUIRE(static_cast<std::int64_t>(example.tokens.size()) == length);
        REQUIRE(static_cast<std::int64_t>(example.targets.size()) == length);
        const auto words = words_of(task, example);
        std::int64_t asked = 0;
        for (std::size_t t = 0; t < words.size(); ++t) {
            const std::string answer = example.targets[t] == -100 ? "" : task.tokenizer()->piece(example.targets[t]);
            CHECK(answer == oracle(words, t));
            asked += answer.empty() ? 0 : 1;
        }
        CHECK(asked > 0);
    }
}

double share_of_most_frequent_answer(const Task& task, std::int64_t length) {
    std::map<std::int64_t, double> counts;
    double total = 0;
    for (std::uint64_t index = 0; index < 600; ++index) {
        const auto example = task.example(3, index, length);
        for (std::size_t t = 0; t < example.targets.size(); ++t) {
            const auto target = example.targets[t];
            if (target == -100 || (!example.counted.empty() && !example.counted[t])) continue;
            ++counts[target];
            ++total;
        }
    }
    double most = 0;
    for (const auto& [token, count] : counts) most = std::max(most, count);
    return most / total;
}

}  // namespace

TEST_CASE("the answers of the copy task can be read off its text", "[data][task]") {
    for (const std::int64_t length : {2, 3, 16, 33, 512}) check_oracle(*task_of("copy"), copy_oracle, length);
    check_oracle(*task_of("copy", {{"symbols", std::int64_t{2}}}), copy_oracle, 64);
}

TEST_CASE("the answers of associative recall can be read off its text", "[data][task]") {
    for (const std::int64_t length : {19, 64, 513}) check_oracle(*task_of("associative-recall"), recall_oracle, length);
    check_oracle(*task_of("associative-recall", {{"placement", std::string("start")}, {"questions", std::int64_t{1}}}), recall_oracle, 256);
    check_oracle(*task_of("associative-recall", {{"pairs", std::int64_t{16}}, {"questions", std::int64_t{16}}}), recall_oracle, 79);
}

TEST_CASE("a passkey can be read off its text at every length and depth", "[data][task]") {
    const auto task = task_of("passkey");
    for (const std::int64_t length : {task->min_length(), task->min_length() + 1, std::int64_t{128}, std::int64_t{501}}) check_oracle(*task, passkey_oracle, length);
    check_oracle(*task_of("passkey", {{"digits", std::int64_t{1}}, {"depths", std::int64_t{1}}}), passkey_oracle, 200);
    std::set<std::int64_t> depths;
    for (std::uint64_t index = 0; index < 200; ++index) depths.insert(task->example(1, index, 256).depth);
    CHECK(depths.size() == 11);
    CHECK(task->depths().front() == 0);
    CHECK(task->depths().back() == 1);
}

TEST_CASE("the needle can be found at every length, with and without others beside it", "[data][task]") {
    const auto task = task_of("needle");
    for (const std::int64_t length : {task->min_length(), std::int64_t{20}, std::int64_t{64}, std::int64_t{513}}) check_oracle(*task, needle_oracle, length);
    check_oracle(*task_of("needle", {{"distractors", std::int64_t{7}}, {"values", std::int64_t{4}}}), needle_oracle, 128);
}

TEST_CASE("a needle stands between sentences, at its depth or before it", "[data][task]") {
    const auto task = task_of("needle");
    for (std::uint64_t index = 0; index < 60; ++index) {
        const auto example = task->example(4, index, 300);
        const auto words = words_of(*task, example);
        const auto place = static_cast<std::size_t>(std::find(words.begin(), words.end(), "word-of") - words.begin());
        const double depth = task->depths()[static_cast<std::size_t>(example.depth)], text = 300 - 9;
        CHECK((place == 0 || words[place - 1] == "."));
        CHECK(static_cast<double>(place) <= depth * text);
        CHECK(static_cast<double>(place) > depth * text - 12);
    }
}

TEST_CASE("the answer of induction is the one word that followed", "[data][task]") {
    for (const std::int64_t length : {3, 4, 17, 256}) {
        check_oracle(*task_of("induction"), induction_oracle, length);
        check_oracle(*task_of("induction", {{"asked", std::string("marker")}}), induction_oracle, length);
    }
    const auto task = task_of("induction", {{"asked", std::string("marker")}});
    CHECK(words_of(*task, task->example(1, 0, 32)).back() == "!");
}

TEST_CASE("chains of arithmetic have the value of their last step", "[data][task]") {
    for (const std::int64_t length : {4, 5, 6, 7, 32, 257}) {
        for (const char* asked : {"end", "every"}) {
            check_oracle(*task_of("arithmetic-chain", {{"asked", std::string(asked)}}), chain_oracle, length);
            check_oracle(*task_of("arithmetic-chain", {{"asked", std::string(asked)}, {"operators", std::string("products")}}), chain_oracle, length);
        }
    }
    const auto asked = task_of("arithmetic-chain", {{"asked", std::string("every")}})->example(1, 0, 41).targets;
    CHECK(std::count_if(asked.begin(), asked.end(), [](std::int64_t target) { return target != -100; }) == 10);
}

TEST_CASE("every position from the first copied token on is asked", "[data][task]") {
    const auto example = task_of("copy")->example(1, 0, 64);
    for (std::size_t t = 0; t < 64; ++t) CHECK((example.targets[t] != -100) == (t >= 32));
}

TEST_CASE("pairs placed at the start stand there", "[data][task]") {
    const auto task = task_of("associative-recall", {{"placement", std::string("start")}, {"questions", std::int64_t{4}}});
    const auto words = words_of(*task, task->example(1, 0, 300));
    std::set<std::string> filler(words.begin() + 8, words.begin() + 280);
    CHECK(filler.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) CHECK(filler.count(words[i]) == 0);
}

TEST_CASE("spread pairs stand anywhere in the text", "[data][task]") {
    const auto task = task_of("associative-recall", {{"pairs", std::int64_t{1}}, {"questions", std::int64_t{1}}});
    std::set<std::size_t> places;
    for (std::uint64_t index = 0; index < 200; ++index) {
        const auto words = words_of(*task, task->example(1, index, 20));
        places.insert(static_cast<std::size_t>(std::find(words.begin(), words.end(), words.back()) - words.begin()));
    }
    CHECK(*places.begin() == 0);
    CHECK(*places.rbegin() == 16);
    CHECK(places.size() == 17);
}

TEST_CASE("an example is a function of seed, index and length alone", "[data][task]") {
    for (const auto& info : tasks()) {
        const auto task = task_of(info.id);
        const std::int64_t length = std::max<std::int64_t>(64, task->min_length() + 8);
        CHECK(task->example(1, 2, length).tokens == task_of(info.id)->example(1, 2, length).tokens);
        CHECK(task->example(1, 2, length).tokens != task->example(1, 3, length).tokens);
        CHECK(task->example(1, 2, length).tokens != task->example(2, 2, length).tokens);
    }
}

TEST_CASE("always saying the most frequent answer scores about chance", "[data][task]") {
    for (const auto& info : tasks()) {
        const auto task = task_of(info.id);
        INFO(info.id);
        const double share = share_of_most_frequent_answer(*task, std::max<std::int64_t>(64, task->min_length()));
        CHECK(share >= task->chance() * 0.9);  // closing symbols count as answers too
        CHECK(share < task->chance() * 1.8);   // a product is 0 more often than it is 1
    }
}

TEST_CASE("every task describes itself and its bounds are enforced", "[data][task]") {
    REQUIRE(tasks().size() >= 2);
    for (const auto& info : tasks()) {
        CHECK(!info.name.empty());
        CHECK(!info.summary.empty());
        for (const auto& spec : info.params) {
            CHECK(!spec.label.empty());
            CHECK(!spec.help.empty());
            if (spec.type != ParamType::integer) continue;
            const Params past{{spec.id, static_cast<std::int64_t>(spec.max) + 1}};
            CHECK_THAT(failure_of([&] { task_of(info.id, past); }, ErrorKind::invalid_argument), Contains(spec.id) && Contains("between"));
        }
    }
}

TEST_CASE("misspelt tasks and parameters are refused with the right name", "[data][task]") {
    CHECK_THAT(failure_of([] { task_of("copi"); }, ErrorKind::not_found), Contains("copy"));
    CHECK_THAT(failure_of([] { task_of("copy", {{"symbol", std::int64_t{4}}}); }, ErrorKind::invalid_argument), Contains("symbols"));
    CHECK_THAT(failure_of([] { task_of("copy", {{"symbols", true}}); }, ErrorKind::invalid_argument), Contains("whole number"));
    CHECK_THAT(failure_of([] { task_of("associative-recall", {{"placement", std::string("end")}}); }, ErrorKind::invalid_argument), Contains("placement"));
    CHECK_THAT(failure_of([] { task_of("associative-recall", {{"pairs", std::int64_t{20}}}); }, ErrorKind::invalid_argument), Contains("vocabulary = 16"));
}

TEST_CASE("a length that cannot hold the task is refused with the least one", "[data][task]") {
    const auto task = task_of("associative-recall");
    CHECK(task->min_length() == 19);  // four pairs, and four questions of three words without the last answer
    CHECK_THAT(failure_of([&] { static_cast<void>(task->example(1, 0, 18)); }, ErrorKind::invalid_argument), Contains("at least 19") && Contains("18"));
    DataSpec data;
    data.source = "task:associative-recall";
    CHECK_THAT(failure_of([&] { open_batches(data, 1, 8); }, ErrorKind::invalid_argument), Contains("at least 19"));
}

TEST_CASE("training mixes lengths and validation does not", "[data][task]") {
    DataSpec data;
    data.source = "task:copy";
    std::set<std::int64_t> lengths;
    const auto source = open_batches(data, 1, 64);
    const auto asked = [](const Batch& batch, std::int64_t row) { return (batch.targets[row] != -100).sum().item<std::int64_t>(); };
    for (std::int64_t i = 0; i < 10; ++i) {
        const auto batch = source->training_batch(i, 16, 64);
        for (std::int64_t row = 0; row < 16; ++row) lengths.insert(asked(batch, row));
        CHECK(asked(source->validation_batch(i, 1, 64), 0) == 32);
    }
    CHECK(lengths.size() > 20);
    data.task["mixed_lengths"] = false;
    CHECK(asked(open_batches(data, 1, 64)->training_batch(0, 1, 64), 0) == 32);
}

TEST_CASE("a task's words come back from the run folder and from text", "[data][task]") {
    const DataFolders folders;
    const auto tokenizer = task_of("associative-recall")->tokenizer();
    tokenizer->save(folders.path());
    const auto loaded = load_tokenizer(folders.path());
    CHECK(loaded->size() == tokenizer->size());
    const auto ids = loaded->encode("hakuna matata\n? hakuna");
    CHECK(loaded->decode(ids) == "hakuna matata ? hakuna");
    CHECK(ids == tokenizer->encode("hakuna matata ? hakuna"));
    CHECK_THAT(failure_of([&] { static_cast<void>(loaded->encode("hakuna batata")); }, ErrorKind::invalid_argument), Contains("batata"));
}

TEST_CASE("invented words are all different", "[data][task]") {
    const auto words = invented_words(4900);
    CHECK(std::set<std::string>(words.begin(), words.end()).size() == 4900);
}
