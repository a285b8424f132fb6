/// Probe group "tasks": answers to given inputs of the encoder tasks, accuracy and score, places of retrieval tests.

#include "core/data/encoder_task.h"
#include "core/data/haystack.h"
#include "core/evaluation/task_accuracy.h"
#include "core/lab/probe_handlers.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace lw {

namespace {

using nlohmann::json;

/// A text of one-character symbols, or their numbers.
Symbols symbols_of(const EncoderTask& task, const json& input) {
    if (input.is_string()) return task.symbols_of(input.get<std::string>());
    const auto symbols = input.get<Symbols>();
    for (const auto symbol : symbols) {
        if (symbol < 0 || symbol >= task.padding()) throw Failure(ErrorKind::invalid_argument, "the task has no symbol " + std::to_string(symbol));
    }
    if (symbols.empty()) throw Failure(ErrorKind::invalid_argument, "an input has no symbols");
    return symbols;
}

/// Targets, and the masks where an answer ends before its last symbol. The task's own parameters may stand in the case.
json answers(const ProbeInput& test) {
    DataSpec data;
    data.source = "task:" + test.word("task");
    const auto& known = tasks();
    const auto info = std::find_if(known.begin(), known.end(), [&](const TaskInfo& task) { return "task:" + task.id == data.source; });
    if (info == known.end()) throw UnknownCase("there is no such task");
    for (const ParamSpec& spec : info->params) {
        if (spec.type == ParamType::choice && test.has(spec.id)) data.task[spec.id] = test.word(spec.id);
    }
    const auto task = std::dynamic_pointer_cast<const EncoderTask>(open_task(data));
    if (!task) throw UnknownCase("its examples are not an input and an answer");
    json targets = json::array(), masks = json::array();
    for (const json& input : test.input("examples")) {
        const Symbols answer = task->answer(symbols_of(*task, input));
        json mask = json::array();
        for (const bool counts : task->counted(answer)) mask.push_back(counts ? 1 : 0);
        targets.push_back(answer);
        masks.push_back(mask.empty() ? json(std::vector<int>(answer.size(), 1)) : mask);
    }
    return {{"targets", targets}, {"masks", masks}};
}

json accuracy(const ProbeInput& test) {
    const auto target = test.array("target").to(at::kLong);
    const Batch batch{at::Tensor(), target, test.gives("mask") ? test.array("mask").to(at::kBool) : at::ones_like(target, at::kBool)};
    const auto rows = answers_of(test.array("prediction").to(at::kLong), batch);
    TaskAnswers sum;
    json whole = json::array();
    for (const TaskAnswers& row : rows) {
        sum.right += row.right;
        sum.counted += row.counted;
        whole.push_back(row.right == row.counted ? 1 : 0);
    }
    return {{"correct", sum.right}, {"counted", sum.counted}, {"accuracy", task_point(1, rows, 0).token_accuracy}, {"exact_match", whole}};
}

json score(const ProbeInput& test) {
    const auto lengths = test.numbers("lengths"), accuracies = test.numbers("accuracy");
    std::vector<TaskPoint> points(lengths.size());
    for (std::size_t i = 0; i < lengths.size() && i < accuracies.size(); ++i) {
        points[i].length = std::llround(lengths[i]);
        points[i].token_accuracy = accuracies[i];
    }
    return {{"score", generalisation_score(points, test.integer("train_max")).token_accuracy}};
}

/// A text's characters, each with all its bytes: lengths and places of passkey tests count characters.
std::vector<std::string> characters_of(const std::string& text) {
    std::vector<std::string> characters;
    for (const char byte : text) {
        const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
        if (continues && !characters.empty()) characters.back() += byte;
        else characters.emplace_back(1, byte);
    }
    return characters;
}

json passkey(const ProbeInput& test) {
    const auto text = [&](const char* name) { return characters_of(test.input(name).get<std::string>()); };
    const auto garbage = test.input("garbage_characters").get<std::size_t>(), prefix = test.input("prefix_characters").get<std::size_t>();
    const auto needle = text("needle");
    if (prefix > garbage || text("filler_block").empty()) throw Failure(ErrorKind::invalid_argument, "the filler is shorter than the part before the needle");
    const auto prompt = passkey_prompt<std::vector<std::string>>({text("task"), text("filler_block"), needle, text("question"), {"\n"}}, garbage, prefix);
    std::int64_t occurrences = 0;
    for (auto at = prompt.text.begin(); (at = std::search(at, prompt.text.end(), needle.begin(), needle.end())) != prompt.text.end(); ++at) ++occurrences;
    std::string whole;
    for (const std::string& character : prompt.text) whole += character;
    return {{"prompt", whole}, {"needle_offset", prompt.needle_offset}, {"occurrences", occurrences},
            {"reported_depth", garbage == 0 ? 0 : static_cast<double>(prefix) / static_cast<double>(garbage)}};
}

json passkey_score(const ProbeInput& test) {
    json extracted = json::array(), correct = json::array();
    for (const json& output : test.input("outputs")) {
        extracted.push_back(first_digits(output.get<std::string>()));
        correct.push_back(extracted.back() == test.word("key") ? 1 : 0);
    }
    return {{"extracted", extracted}, {"correct", correct}};
}

json needle_places(const ProbeInput& test) {
    const auto tokens = test.input("tokens").get<Symbols>();
    json places = json::array(), depths = json::array();
    for (const double depth : test.numbers("depth")) {
        const std::size_t place = needle_place(tokens, depth, test.integer("sentence_end"));
        places.push_back(place);
        depths.push_back(static_cast<double>(place) / static_cast<double>(tokens.size()));
    }
    return {{"insert_index", places}, {"achieved_depth", depths}};
}

ProbeHandlers all_handlers() {
    ProbeHandlers all{{"accuracy", accuracy}, {"score", score}, {"passkey", passkey}, {"passkey-score", passkey_score}, {"niah", needle_places}};
    for (const TaskInfo& task : tasks()) all.emplace(task.id, answers);  // the task "passkey" has no such cases, so the kind keeps the name
    return all;
}

}  // namespace

const ProbeHandlers& tasks_probes() {
    static const ProbeHandlers all = all_handlers();
    return all;
}

}  // namespace lw
