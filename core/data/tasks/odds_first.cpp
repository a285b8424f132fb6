/// Odds First (context-sensitive). Bits; the answer is every second bit, then the others. The reference code begins with the 2nd, 4th, …
/// bit (odd places counted from 0); the paper's text begins with the 1st, 3rd, ….
#include "core/data/encoder_task.h"

namespace lw {
namespace {

Symbols every_second_first(const Symbols& bits, std::size_t first) {
    Symbols answer;
    for (const std::size_t begin : {first, 1 - first}) {
        for (std::size_t i = begin; i < bits.size(); i += 2) answer.push_back(bits[i]);
    }
    return answer;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& odds_first() {
    static const TaskEntry entry{
        encoder_info("odds-first", "Odds first", "CS", "Every second bit first, then the others.",
                     {task_choice("order", "First bits",
                                  "code: the 2nd, 4th, … bit first, as the published code has it. paper: the 1st, 3rd, … first, "
                                  "as its text says.", {"code", "paper"})}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            const std::size_t first = task_chooses(params, "order", "paper") ? 0 : 1;
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 2); };
            rules.answer = [first](const Symbols& bits) { return every_second_first(bits, first); };
            rules.answer_length = as_many_answers;
            return std::make_shared<EncoderTask>("odds-first", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
