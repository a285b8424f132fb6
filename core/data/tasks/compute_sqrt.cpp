/// Compute Sqrt (context-sensitive). A binary number from 1 on, highest digit first; the answer is its square root, highest digit first. The
/// reference code takes the floor in ceil(n / 2) digits; the paper's example row rounds to the nearest number, which can need a digit more.
#include "core/data/binary_number.h"

namespace lw {
namespace {

Symbols highest_first(Symbols digits) {
    std::reverse(digits.begin(), digits.end());
    return digits;
}

/// √(2^n - 1) rounds up to 2^(n / 2), which has a digit more where n is even.
std::int64_t digits_of_root(std::int64_t n, bool nearest) { return nearest ? n / 2 + 1 : (n + 1) / 2; }

/// [n] -> [digits_of_root(n)]
Symbols root(const Symbols& digits, bool nearest) {
    const Symbols number = highest_first(digits);
    Symbols result = root_of(number);
    // a lies above (r + 1/2)² = r² + r + 1/4 where it is greater than r (r + 1).
    const Symbols next = sum_of(result, {1});
    if (nearest && is_less(product_of(result, next), number)) result = next;
    result.resize(static_cast<std::size_t>(digits_of_root(static_cast<std::int64_t>(digits.size()), nearest)), 0);
    return highest_first(std::move(result));
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& compute_sqrt() {
    static const TaskEntry entry{
        encoder_info("compute-sqrt", "Compute square root", "CS", "The whole part of the square root of a binary number, both written highest digit first.",
                     {task_choice("rounding", "Rounding",
                                  "code: down, as the published code has it. paper: to the nearest number, as in the paper's "
                                  "example; it can need a digit more.", {"code", "paper"})}),
        [](const Params& params) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(2);
            const bool nearest = task_chooses(params, "rounding", "paper");
            rules.draw = [](Random& random, std::int64_t n) { return highest_first(draw_number(random, n)); };
            rules.answer = [nearest](const Symbols& digits) { return root(digits, nearest); };
            rules.answer_length = [nearest](std::int64_t n) { return digits_of_root(n, nearest); };
            return std::make_shared<EncoderTask>("compute-sqrt", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
