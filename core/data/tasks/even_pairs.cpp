/// Even Pairs (regular). Bits; the answer is 1 where the number of neighbours that differ (01 or 10) is odd.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

Symbols changes(const Symbols& bits) {
    std::int64_t count = 0;
    for (std::size_t i = 1; i < bits.size(); ++i) count += bits[i] != bits[i - 1] ? 1 : 0;
    return {count % 2};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& even_pairs() {
    static const TaskEntry entry{
        encoder_info("even-pairs", "Even pairs", "R",
                     "Is the number of neighbours that differ, 01 or 10, even (0) or odd (1)? It is odd exactly where the first and the last bit differ."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 2); };
            rules.answer = changes;
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("even-pairs", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
