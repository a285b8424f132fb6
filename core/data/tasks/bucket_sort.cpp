/// Bucket Sort (context-sensitive). Digits 0 … 4; the answer is the same digits in ascending order. Their order does not matter.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

Symbols sorted(Symbols digits) {
    std::sort(digits.begin(), digits.end());
    return digits;
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& bucket_sort() {
    static const TaskEntry entry{
        encoder_info("bucket-sort", "Bucket sort", "CS", "The same digits in ascending order."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(5);
            rules.chance = 0.2;
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 5); };
            rules.answer = sorted;
            rules.answer_length = as_many_answers;
            return std::make_shared<EncoderTask>("bucket-sort", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
