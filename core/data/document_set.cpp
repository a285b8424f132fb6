#include "core/data/batch_source.h"
#include "core/data/token_files.h"

namespace lw {
namespace {

class TokenizedDocuments final : public DocumentSet {
public:
    TokenizedDocuments(const std::string& source, const Tokenizer& tokenizer, const RunContext& context) {
        for (const auto& part : resolve_sources(source)) {
            sources_.push_back(open_tokens(part, tokenizer, context));
            for (const auto& document : sources_.back()->documents())
                documents_.push_back({document.id, document.split, document.bytes, document.warning, document.tokens});
        }
    }
    [[nodiscard]] const std::vector<Document>& documents() const override { return documents_; }

private:
    std::vector<std::shared_ptr<const TokenizedSource>> sources_;
    std::vector<Document> documents_;
};

}  // namespace

std::shared_ptr<const DocumentSet> open_documents(const std::string& source, const std::shared_ptr<const Tokenizer>& tokenizer, const RunContext& context) {
    return std::make_shared<TokenizedDocuments>(source, *tokenizer, context);
}

}  // namespace lw
