/// Numbers as CSV: full precision, one header line and no comments, so that every program reads them as they are. fmt writes numbers
/// without regard to the locale and with as many digits as give back the same number.

#include "core/api/export.h"
#include "core/lab/csv_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lw {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

/// The value at a key, nothing when the part is absent.
std::string value_at(const std::vector<float>& values, std::size_t key) { return key < values.size() ? fmt::format("{}", values[key]) : ""; }

/// First cell that a pixel covers.
std::int64_t first_cell(const CellRange& range, std::int64_t pixel, double cells) {
    return range.begin + static_cast<std::int64_t>(std::floor(static_cast<double>(pixel) * cells));
}

}  // namespace

std::string csv_cell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string interval_cells(double low, double high) { return low == high ? "," : fmt::format("{},{}", low, high); }

std::string curves_csv(const CurveSet& curves) {
    std::string text = "title,group,seeds,train_length,length,perplexity,low,high,tokens,candidates,band,runs,protocol,measured\n";
    for (const CurveLine& line : curves.lines) {
        for (std::size_t n = 0; n < line.length.size(); ++n) {
            const std::string candidates = n < line.candidates.size() ? fmt::format("{}", line.candidates[n]) : "";  // of key tokens alone
            fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_cell(line.title), csv_cell(line.group), line.seeds,
                           line.train_length, line.length[n], line.value[n], interval_cells(line.low[n], line.high[n]), line.tokens[n], candidates,
                           csv_cell(line.band), csv_cell(joined(line.runs)), csv_cell(curves.protocol), csv_cell(measured_words(curves)));
        }
    }
    return text;
}

std::string tile_csv(const MapTile& tile) {
    std::string text = "query";
    for (std::int64_t column = 0; column < tile.columns; ++column) fmt::format_to(Out(text), ",{}", first_cell(tile.keys, column, tile.cells_per_column));
    text += "\n";
    for (std::int64_t row = 0; row < tile.rows; ++row) {
        fmt::format_to(Out(text), "{}", first_cell(tile.queries, row, tile.cells_per_row));
        for (std::int64_t column = 0; column < tile.columns; ++column) {
            fmt::format_to(Out(text), ",{}", tile.values[static_cast<std::size_t>(row * tile.columns + column)]);
        }
        text += "\n";
    }
    return text;
}

std::string rows_csv(const std::vector<RowProfile>& rows) {
    std::string text = "layer,head,query,key,distance,content,bias,adaptive,logit,probability\n";
    for (const RowProfile& row : rows) {
        const std::size_t keys = std::max({row.content.size(), row.logit.size(), row.probability.size()});  // an encoder's go on after the query
        for (std::size_t n = 0; n < keys; ++n) {
            const auto key = static_cast<std::int64_t>(n);
            fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{}\n", row.layer, row.head, row.query, key, row.query - key, value_at(row.content, n),
                           value_at(row.bias, n), value_at(row.adaptive, n), value_at(row.logit, n), value_at(row.probability, n));
        }
    }
    return text;
}

std::string measures_csv(const std::vector<HeadMeasures>& measures) {
    std::string text = "layer,head,class,of,texts,contrast,rank,locality,adaptivity,rms_content,rms_bias,rms_adaptive,entropy,beyond_training,first_key\n";
    for (const HeadMeasures& m : measures) {
        fmt::format_to(Out(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", m.layer, m.head, csv_cell(m.head_class), score_part_name(m.of), m.texts, m.contrast,
                       m.rank, m.locality, m.adaptivity, m.rms_content, m.rms_bias, m.rms_adaptive, m.entropy, m.beyond_training, m.first_key);
    }
    return text;
}

}  // namespace lw
