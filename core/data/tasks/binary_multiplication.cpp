/// Binary Multiplication (context-sensitive). Two binary numbers with a 2 between them; the answer is their product without leading zeros, then 2,
/// then zeros that accuracy does not count. The reference code writes the lowest digit first; the paper's example row the highest.
#include "core/data/binary_number.h"

namespace lw {
namespace {

/// The product of the two numbers of the input, closed by 2. Up to two symbols hold no product: the reference code answers with nothing
/// or with 0 there. [n] -> [n]
Symbols product(const Symbols& input, bool big_endian) {
    const auto n = static_cast<std::int64_t>(input.size());
    if (n <= 2) return ended(Symbols(input.size() - 1, 0), n);
    const auto [a, b] = two_numbers(input, big_endian);
    Symbols answer = product_of(a, b);
    if (big_endian) std::reverse(answer.begin(), answer.end());
    return ended(std::move(answer), n);
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& binary_multiplication() {
    static const TaskEntry entry{
        encoder_info("binary-multiplication", "Binary multiplication", "CS", "Two binary numbers with a 2 between them: their product, closed by 2.",
                     {digit_order()}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules = two_number_rules(params, product);
            rules.answer_length = as_many_answers;
            return std::make_shared<EncoderTask>("binary-multiplication", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
