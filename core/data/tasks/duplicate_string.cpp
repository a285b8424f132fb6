/// Duplicate String (context-sensitive). Bits; the answer is the string twice.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

Symbols twice(const Symbols& bits) {
    Symbols answer = bits;
    answer.insert(answer.end(), bits.begin(), bits.end());
    return answer;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& duplicate_string() {
    static const TaskEntry entry{
        encoder_info("duplicate-string", "Duplicate string", "CS", "The string of bits twice."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 2); };
            rules.answer = twice;
            rules.answer_length = [](std::int64_t n) { return 2 * n; };
            return std::make_shared<EncoderTask>("duplicate-string", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
