#include "core/data/files.h"
#include "core/data/tokenizers.h"
#include "core/data/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lw {
namespace {

class ByteTokenizer final : public Tokenizer {
public:
    [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const override {
        std::vector<std::int64_t> ids(text.size());
        for (std::size_t i = 0; i < text.size(); ++i) ids[i] = static_cast<unsigned char>(text[i]);
        return ids;
    }
    [[nodiscard]] std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const std::int64_t id : ids) text += byte(id);
        return text;
    }
    [[nodiscard]] std::string piece(std::int64_t id) const override { return printable(std::string(1, byte(id))); }
    [[nodiscard]] std::int64_t size() const override { return 256; }
    [[nodiscard]] std::string id() const override { return "byte"; }
    void save(const std::filesystem::path& folder) const override {
        write_whole_file(folder / "tokenizer.json", nlohmann::json{{"kind", "byte"}, {"vocabulary", 256}}.dump(2) + "\n");
    }

private:
    static char byte(std::int64_t id) {
        if (id < 0 || id > 255) throw Failure(ErrorKind::invalid_argument, fmt::format("Token {} is not a byte: bytes are 0 to 255.", id));
        return static_cast<char>(static_cast<unsigned char>(id));
    }
};

}  // namespace

std::shared_ptr<const Tokenizer> byte_tokenizer() { return std::make_shared<ByteTokenizer>(); }

}  // namespace lw
