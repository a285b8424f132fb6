#include "core/evaluation/protocol.h"

#include "core/position/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace lw {

#define LW_PROTOCOL(id) Protocol id##_protocol();
#include "core/evaluation/protocols.def"
#undef LW_PROTOCOL

namespace {

constexpr std::int64_t kLongestDefault = 16384;

constexpr std::int64_t kLongest = 1'048'576;  // tokens; as in recipes

void check_request(const ProtocolRequest& request) {
    const auto refuse = [](const std::string& sentence) { throw Failure(ErrorKind::invalid_argument, sentence); };
    if (request.documents.empty()) refuse("there are no documents to evaluate on; choose another split or corpus");
    if (request.lengths.empty()) refuse("no length to evaluate at was given");
    if (request.lengths.front() < 2) refuse(fmt::format("length {} is below 2, the shortest with a token and its context", request.lengths.front()));
    if (request.lengths.back() > kLongest) {
        refuse(fmt::format("length {} is above {}, the longest that is measured", with_commas(request.lengths.back()), with_commas(kLongest)));
    }
    if (request.scored < 0) refuse(fmt::format("the number of scored tokens is {}; it must be at least 1, or 0 for the default", request.scored));
    if (request.scored > kLongest || request.stride > kLongest) refuse(fmt::format("scored tokens and strides end at {}", with_commas(kLongest)));
    if (request.stride < 0) refuse(fmt::format("the stride is {}; it must be at least 1, or 0 for half the window", request.stride));
    if (request.places < 1) refuse(fmt::format("the number of places is {}; at least 1 is needed", request.places));
}

bool has_scored_tokens(const LengthPlan& plan) {
    return std::any_of(plan.windows.begin(), plan.windows.end(), [&](const Window& window) { return window.size() >= plan.length; });
}

std::int64_t longest_document(const ProtocolRequest& request) {
    std::int64_t longest = 0;
    for (const DocumentLength& document : request.documents) longest = std::max(longest, document.tokens);
    return longest;
}

}  // namespace

const std::vector<Protocol>& protocols() {
    static const std::vector<Protocol> all = {
#define LW_PROTOCOL(id) id##_protocol(),
#include "core/evaluation/protocols.def"
#undef LW_PROTOCOL
    };
    return all;
}

const Protocol& find_protocol(const std::string& id) {
    std::vector<std::string> ids;
    for (const Protocol& protocol : protocols()) {
        if (protocol.id == id) return protocol;
        ids.push_back(protocol.id);
    }
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("There is no protocol \"{}\".{}", id, suggestion(id, ids)));
}

std::string quantity_words(const std::string& protocol) {
    for (const Protocol& known : protocols()) {
        if (known.id == protocol && known.marks_keys) return known.quantity;  // a name; the other is a word
    }
    return "perplexity";
}

std::vector<std::int64_t> default_lengths(std::int64_t train_length) {
    std::vector<std::int64_t> lengths = {train_length};
    while (2 * lengths.back() <= kLongestDefault) lengths.push_back(2 * lengths.back());
    return lengths;
}

EvaluationPlan plan_evaluation(const std::string& protocol, ProtocolRequest request) {
    const Protocol& chosen = find_protocol(protocol);
    std::sort(request.lengths.begin(), request.lengths.end());
    request.lengths.erase(std::unique(request.lengths.begin(), request.lengths.end()), request.lengths.end());
    check_request(request);
    // The text of some protocols depends on the longest length, so a length that no document reaches goes before planning.
    std::vector<std::string> dropped;
    while (!request.lengths.empty()) {
        EvaluationPlan plan = chosen.plan(request);
        if (has_scored_tokens(plan.lengths.back())) {
            if (!dropped.empty()) {
                append_warning(plan.lengths.back().warning, fmt::format("{} left out: the longest document has {}", listed({dropped.rbegin(), dropped.rend()}),
                                                                        counted(longest_document(request), "token")));
            }
            return plan;
        }
        dropped.push_back(with_commas(request.lengths.back()));
        request.lengths.pop_back();
    }
    throw Failure(ErrorKind::invalid_argument,
                  fmt::format("no document is long enough for a length of {}: the longest has {}. Choose shorter lengths or another corpus.",
                              dropped.back(), counted(longest_document(request), "token")));
}

void append_warning(std::string& warning, const std::string& sentence) { warning += (warning.empty() ? "" : "; ") + sentence; }

std::string with_commas(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t place = digits.size(); place > sign + 3;) {
        place -= 3;
        digits.insert(place, 1, ',');
    }
    return digits;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out;
}

std::string counted(std::int64_t number, const std::string& noun) {
    return with_commas(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace lw
