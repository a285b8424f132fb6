/// Missing Duplicate (context-sensitive). A string of bits twice, one bit replaced by 2; the answer is that bit. An odd length ends with a
/// 3. A length of 1 holds no string: its input and answer are 1.
#include "core/data/encoder_task.h"

namespace lw {
namespace {

constexpr std::int64_t kHidden = 2, kFiller = 3;

Symbols draw_hidden(Random& random, std::int64_t n) {
    if (n == 1) return {1};
    Symbols symbols = uniform_symbols(random, n / 2, 2);
    const Symbols half = symbols;
    symbols.insert(symbols.end(), half.begin(), half.end());
    symbols[random.below(symbols.size())] = kHidden;
    if (n % 2 == 1) symbols.push_back(kFiller);
    return symbols;
}

Symbols hidden(const Symbols& symbols) {
    const std::size_t half = symbols.size() / 2;
    if (half == 0) return {1};
    const auto place = static_cast<std::size_t>(std::find(symbols.begin(), symbols.end(), kHidden) - symbols.begin());
    if (place >= 2 * half) throw Failure(ErrorKind::invalid_argument, "The input hides no bit: one of the first 2 floor(n / 2) symbols must be 2.");
    return {symbols[place < half ? place + half : place - half]};
}

}  // namespace

namespace entries_of::tasks {
const TaskEntry& missing_duplicate_string() {
    static const TaskEntry entry{
        encoder_info("missing-duplicate-string", "Missing duplicate", "CS",
                     "A string of bits stands there twice, and one bit is hidden by a 2: which? An odd length ends with a 3."),
        [](const Params& /*params*/) -> std::shared_ptr<Task> {
            EncoderRules rules;
            rules.words = digit_words(4);
            rules.draw = draw_hidden;
            rules.answer = hidden;
            rules.answer_length = one_answer;
            return std::make_shared<EncoderTask>("missing-duplicate-string", std::move(rules));
        }};
    return entry;
}
}  // namespace entries_of::tasks

}  // namespace lw
