// SentencePiece BPE whose decode(encode(x)) is x for every string of bytes. SentencePiece writes a space as U+2581 and reserves the
// tab while training, so newline, tab, U+2581 itself and malformed bytes never reach it: they are single tokens of their own here.
#include "core/data/files.h"
#include "core/data/task.h"
#include "core/data/tokenizers.h"
#include "core/data/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sentencepiece_processor.h>

#include <array>

namespace lw {
namespace {

class BpeTokenizer final : public Tokenizer {
public:
    BpeTokenizer(const std::string& model, const std::string& origin) : model_(model) {
        const auto status = processor_.LoadFromSerializedProto(model_);
        if (!status.ok()) throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not a SentencePiece model: {}", origin, status.ToString()));
        prepare_pieces(origin);
    }

    [[nodiscard]] std::vector<std::int64_t> encode(std::string_view text) const override {
        std::vector<std::int64_t> ids;
        std::size_t begin = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t length = utf8_length(text.substr(at));
            if (length != 0 && !is_reserved(text.substr(at, length))) {
                at += length;
                continue;
            }
            encode_plain(text.substr(begin, at - begin), ids);
            const std::size_t bytes = length == 0 ? 1 : length;
            encode_reserved(text.substr(at, bytes), ids);
            at += bytes;
            begin = at;
        }
        encode_plain(text.substr(begin), ids);
        return ids;
    }

    [[nodiscard]] std::string decode(std::span<const std::int64_t> ids) const override {
        std::string text;
        for (const std::int64_t id : ids) text += bytes_of(id);
        return text;
    }
    [[nodiscard]] std::string piece(std::int64_t id) const override {
        return id == processor_.unk_id() ? "⟨unk⟩" : printable(bytes_of(id));
    }
    [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(bytes_.size()); }
    [[nodiscard]] std::string id() const override { return fmt::format("bpe-{}-{}", size(), StableHash().add(model_).hex()); }
    void save(const std::filesystem::path& folder) const override {
        write_whole_file(folder / "tokenizer.model", model_);
        const nlohmann::json description{{"kind", "bpe"}, {"vocabulary", size()}, {"id", id()}, {"model", "tokenizer.model"}};
        write_whole_file(folder / "tokenizer.json", description.dump(2) + "\n");
    }

private:
    void prepare_pieces(const std::string& origin) {
        std::size_t byte_pieces = 0;
        for (int id = 0; id < processor_.GetPieceSize(); ++id) {
            std::string bytes = processor_.IdToPiece(id);
            if (processor_.IsByte(id)) {
                const auto value = static_cast<unsigned char>(std::stoul(bytes.substr(3, 2), nullptr, 16));  // "<0x0A>"
                byte_id_.at(value) = id;
                bytes.assign(1, static_cast<char>(value));
                ++byte_pieces;
            } else if (processor_.IsUnknown(id) || processor_.IsControl(id)) {
                bytes = id == processor_.unk_id() ? "\xEF\xBF\xBD" : "";
            } else {
                for (std::size_t at = bytes.find("▁"); at != std::string::npos; at = bytes.find("▁", at)) bytes.replace(at, 3, " ");
                if (bytes == "\n") newline_id_ = id;
                has_space_ = has_space_ || bytes == " ";
            }
            bytes_.push_back(std::move(bytes));
        }
        if (byte_pieces != 256)
            throw Failure(ErrorKind::corrupt_file, fmt::format("{} has {} byte pieces instead of 256, so it cannot write every text.", origin, byte_pieces));
    }

    [[nodiscard]] bool is_reserved(std::string_view character) const {
        // Without a piece for the space, as in Chinese texts, SentencePiece would write it as the bytes of U+2581.
        return character == "\n" || character == "\t" || character == "▁" || character == std::string_view("\0", 1) ||
               (character == " " && !has_space_);
    }
    void encode_reserved(std::string_view bytes, std::vector<std::int64_t>& ids) const {
        if (bytes == "\n" && newline_id_ >= 0) {
            ids.push_back(newline_id_);
            return;
        }
        for (const char c : bytes) ids.push_back(byte_id_.at(static_cast<unsigned char>(c)));
    }
    void encode_plain(std::string_view text, std::vector<std::int64_t>& ids) const {
        if (text.empty()) return;
        std::vector<int> pieces;
        const auto status = processor_.Encode({text.data(), text.size()}, &pieces);
        if (!status.ok()) throw Failure(ErrorKind::internal, fmt::format("SentencePiece could not encode {} bytes: {}", text.size(), status.ToString()));
        ids.insert(ids.end(), pieces.begin(), pieces.end());
    }
    [[nodiscard]] const std::string& bytes_of(std::int64_t id) const {
        if (id < 0 || id >= size())
            throw Failure(ErrorKind::invalid_argument, fmt::format("Token {} is outside the vocabulary of {}.", id, size()));
        return bytes_[static_cast<std::size_t>(id)];
    }

    std::string model_;
    sentencepiece::SentencePieceProcessor processor_;
    std::vector<std::string> bytes_;          // what each token stands for
    std::array<std::int64_t, 256> byte_id_{};
    std::int64_t newline_id_ = -1;
    bool has_space_ = false;
};

}  // namespace

std::shared_ptr<const Tokenizer> bpe_tokenizer(const std::string& model, const std::string& origin) {
    return std::make_shared<BpeTokenizer>(model, origin);
}

std::shared_ptr<const Tokenizer> load_tokenizer(const std::filesystem::path& folder) {
    const auto file = folder / "tokenizer.json";
    const std::string content = read_whole_file(file);
    const auto description = nlohmann::json::parse(content, nullptr, false);
    const auto word = [&](const char* key) { return description.is_object() && description.contains(key) && description[key].is_string() ? description[key].get<std::string>() : std::string(); };
    const std::string kind = word("kind");
    if (kind == "byte") return byte_tokenizer();
    if (kind == "task") return read_word_tokenizer(content, file.string());
    if (kind != "bpe") throw Failure(ErrorKind::corrupt_file, fmt::format("{} does not describe a tokenizer of this program (kind \"{}\").", file.string(), kind.substr(0, 40)));
    const auto model = folder / "tokenizer.model";
    auto tokenizer = bpe_tokenizer(read_whole_file(model), model.string());
    if (description.contains("id") && word("id") != tokenizer->id())
        throw Failure(ErrorKind::corrupt_file, fmt::format("{} is not the tokenizer that {} names: the run's tokens would mean something else.",
                                                           model.string(), file.string()));
    return tokenizer;
}

}  // namespace lw
