/// Reverse String (deterministic context-free). Bits; the answer is the same bits from the last to the first.
#include "core/data/encoder_task.h"

namespace lw {
namespace entries_of::tasks {
const TaskEntry& reverse_string() {
    static const TaskEntry entry{
        encoder_info("reverse-string", "Reverse string", "DCF", "The same bits from the last to the first."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 2); };
            rules.answer = [](const Symbols& bits) { return Symbols(bits.rbegin(), bits.rend()); };
            rules.answer_length = as_many_answers;
            return std::make_shared<EncoderTask>("reverse-string", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
