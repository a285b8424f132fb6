/// Parity Check (regular). Bits; the answer is the number of ones modulo 2. Their order does not matter.
#include "core/data/encoder_task.h"

#include <numeric>

namespace lw {
namespace {

Symbols parity(const Symbols& bits) { return {std::accumulate(bits.begin(), bits.end(), std::int64_t{0}) % 2}; }

}  // namespace

namespace entries_of::tasks {
const TaskEntry& parity_check() {
    static const TaskEntry entry{
        encoder_info("parity-check", "Parity check", "R", "Is the number of ones even (0) or odd (1)? Every bit counts, so nothing may be overlooked."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            rules.draw = [](Random& random, std::int64_t n) { return uniform_symbols(random, n, 2); };
            rules.answer = parity;
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("parity-check", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
