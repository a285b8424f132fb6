#pragma once
/// Perplexity protocols: each turns documents and lengths into windows with the tokens scored in them. Torch-free.
///
/// A protocol is one file protocol_<id>.cpp with a function <id>_protocol() and one line in protocols.def.

#include "core/api/evaluation.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lw {

/// Tokens [begin, end) of a document go through the model; those of [scored_begin, end) are scored, each with the tokens from
/// `begin` up to it as context.
struct Window {
    std::size_t document = 0;  ///< index into the request's documents
    std::size_t place = 0;     ///< index into the length's places
    std::int64_t begin = 0, end = 0;
    std::int64_t scored_begin = 0;
    [[nodiscard]] std::int64_t size() const { return end - begin; }
    [[nodiscard]] std::int64_t scored() const { return end - scored_begin; }
};

struct DocumentLength {
    std::string id;
    std::int64_t tokens = 0;
};

struct ProtocolRequest {
    std::vector<DocumentLength> documents;
    std::vector<std::int64_t> lengths;  ///< ascending, not empty
    std::int64_t train_length = 128;    ///< L
    std::int64_t scored = 0;            ///< k; 0 = the protocol's default
    std::int64_t stride = 0;            ///< 0 = the protocol's default
    std::int64_t places = 32;
    std::int64_t short_context = 0;     ///< K of protocols that mark key tokens; 0 = the protocol's default
    bool bos = false;                   ///< a begin-of-sequence token is put before every window, so its first token is scored too
};

struct LengthPlan {
    std::int64_t length = 0;
    std::vector<Window> windows;
    std::vector<ScoredPlace> places;            ///< what windows name by index
    std::vector<std::size_t> place_documents;   ///< [places] index into the request's documents
    std::string warning;
};

struct EvaluationPlan {
    std::vector<LengthPlan> lengths;
    std::int64_t scored = 0;  ///< resolved; 0 = not used by the protocol
    std::int64_t stride = 0;
    std::int64_t short_context = 0;
    std::string line;         ///< the protocol in a few words, for labels
};

/// Which settings of an evaluation a protocol's windows are made with; the others mean nothing to it.
struct UsedSettings {
    bool scored = false;
    bool stride = false;
};

struct Protocol {
    std::string id;
    std::string name;
    std::string summary;
    std::function<EvaluationPlan(const ProtocolRequest&)> plan;
    UsedSettings uses{};
    /// Of the scored tokens only those count that a model, maybe another one, marks as keys. Recipes do not name such a protocol, as they know no
    /// other run.
    bool marks_keys = false;
    const char* quantity = "Perplexity";  ///< what it measures, for axes
};

[[nodiscard]] const std::vector<Protocol>& protocols();
/// Throws Failure(invalid_argument) with the nearest id.
[[nodiscard]] const Protocol& find_protocol(const std::string& id);
/// What a protocol measures as it stands inside a sentence: "perplexity", "LongPPL". Of a protocol that is not known: "perplexity".
[[nodiscard]] std::string quantity_words(const std::string& protocol);
/// L, 2L, 4L, ... up to 16384; L alone when it is longer than that.
[[nodiscard]] std::vector<std::int64_t> default_lengths(std::int64_t train_length);
/// Checks the request and plans it. Lengths for which no document is long enough are left out, and the longest point that
/// remains says so. Throws Failure(invalid_argument) when none remains, with the length of the longest document.
[[nodiscard]] EvaluationPlan plan_evaluation(const std::string& protocol, ProtocolRequest request);

/// "16,384"
[[nodiscard]] std::string with_commas(std::int64_t number);
/// "a, b, c"
[[nodiscard]] std::string listed(const std::vector<std::string>& words);
/// Adds a sentence to those that are there already, behind a semicolon.
void append_warning(std::string& warning, const std::string& sentence);
/// "1 place", "3 places"
[[nodiscard]] std::string counted(std::int64_t number, const std::string& noun);

}  // namespace lw
