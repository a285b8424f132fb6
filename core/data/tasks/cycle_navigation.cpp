/// Cycle Navigation (regular). Steps on a circle of five places from place 0; the answer is the place. The reference code reads the
/// symbols 0, 1, 2 as -1, 0, +1; the paper's example row reads them as stay, forward, back.
#include "core/data/encoder_task.h"

#include <array>

namespace lw {
namespace {

constexpr std::int64_t kPlaces = 5;
using Steps = std::array<std::int64_t, 3>;

Symbols last_place(const Symbols& walk, const Steps& steps) {
    std::int64_t place = 0;
    for (const auto symbol : walk) place = (place + steps[static_cast<std::size_t>(symbol)] + kPlaces) % kPlaces;
    return {place};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& cycle_navigation() {
    static const TaskEntry entry{
        encoder_info("cycle-navigation", "Cycle navigation", "R", "Steps forward, back or none on a circle of five places: where does the walk end?",
                     {task_choice("symbols", "Meaning of 0, 1, 2",
                                  "code: back, stay, forward, as the published code has it. paper: stay, forward, back, as the "
                                  "paper's example shows.", {"code", "paper"})}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(5);
            rules.chance = 0.2;
            const Steps steps = task_chooses(params, "symbols", "paper") ? Steps{0, 1, -1} : Steps{-1, 0, 1};
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 3); };
            rules.answer = [steps](const Symbols& walk) { return last_place(walk, steps); };
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("cycle-navigation", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
