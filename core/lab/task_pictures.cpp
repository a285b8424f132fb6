/// The verbs that show a synthetic task: one example as text, its class, its usual recipe.

#include "core/api/encoder.h"
#include "core/api/text.h"
#include "core/data/task.h"
#include "core/lab/guard.h"

namespace lw {
namespace {

constexpr std::size_t kColumns = 100;

/// Characters of UTF-8 text.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width) { return text + std::string(width - columns(text), ' '); }

void end_line(std::string& text) {
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text += '\n';
}

/// Two rows, tokens and answers, as often as the columns ask for.
std::string two_rows(const TaskPicture& picture) {
    std::string text, above, below;
    const auto flush = [&] {
        end_line(above);
        end_line(below);
        text += above + (below == "\n" ? "" : below);
        above.clear();
        below.clear();
    };
    for (std::size_t i = 0; i < picture.tokens.size(); ++i) {
        const std::string answer = picture.counted[i] || picture.answers[i].empty() ? picture.answers[i] : "(" + picture.answers[i] + ")";
        const std::size_t width = std::max(columns(picture.tokens[i]), columns(answer)) + 1;
        if (!above.empty() && columns(above) + width > kColumns) flush();
        above += padded(picture.tokens[i], width);
        below += padded(answer, width);
    }
    flush();
    return text;
}

TaskPicture picture_of(const Task& task, std::int64_t length, std::uint64_t number) {
    const TaskExample example = task.example(0, number, length);
    TaskPicture picture;
    picture.length = length;
    picture.chance = task.chance();
    for (std::size_t i = 0; i < example.tokens.size(); ++i) {
        const bool asked = example.targets[i] != -100;
        picture.tokens.push_back(task.tokenizer()->piece(example.tokens[i]));
        picture.answers.push_back(asked ? task.tokenizer()->piece(example.targets[i]) : "");
        picture.counted.push_back(asked && (example.counted.empty() || example.counted[i]));
    }
    picture.text = two_rows(picture);
    return picture;
}

}  // namespace

std::string task_class_title(const TaskInfo& task) {
    if (task.complexity == "R") return "regular (R)";
    if (task.complexity == "DCF") return "deterministic context-free (DCF)";
    return task.complexity == "CS" ? "context-sensitive (CS)" : task.complexity;
}

Recipe task_recipe(const TaskInfo& task, const SchemeSpec& scheme) {
    Recipe recipe;
    recipe.scheme = scheme;
    if (auto adapted = encoder_scheme(scheme); task.encoder && adapted.ok()) recipe.scheme = std::move(adapted).value();
    recipe.data.source = "task:" + task.id;
    recipe.training.length = task.length;
    recipe.training.batch = task.batch;
    return recipe;
}

Result<TaskPicture> task_picture(const DataSpec& data, std::int64_t length, std::uint64_t number) {
    return guarded<TaskPicture>([&] {
        const auto task = open_task(data);
        return picture_of(*task, length > 0 ? length : task->shown_length(), number);
    });
}

}  // namespace lw
