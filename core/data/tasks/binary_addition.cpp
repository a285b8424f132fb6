/// Binary Addition (context-sensitive). Two binary numbers with a 2 between them; the answer is their sum without leading zeros, then 2,
/// then zeros that accuracy does not count. The reference code writes the lowest digit first; the paper's example row the highest.
#include "core/data/binary_number.h"

namespace lw {
namespace {

/// The sum of the two numbers of the input, closed by 2. [n] -> [n + 1]
Symbols sum(const Symbols& input, bool big_endian) {
    const auto [a, b] = two_numbers(input, big_endian);
    Symbols answer = sum_of(a, b);
    if (big_endian) std::reverse(answer.begin(), answer.end());
    return ended(std::move(answer), static_cast<std::int64_t>(input.size()) + 1);
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& binary_addition() {
    static const TaskEntry entry{
        encoder_info("binary-addition", "Binary addition", "CS", "Two binary numbers with a 2 between them: their sum, closed by 2.",
                     {digit_order()}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules = two_number_rules(params, sum);
            rules.answer_length = [](std::int64_t n) { return n + 1; };
            return std::make_shared<EncoderTask>("binary-addition", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
