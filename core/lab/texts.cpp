// Corpora and documents as the API shows them.
#include "core/api/doctor.h"
#include "core/api/text.h"
#include "core/data/batch_source.h"
#include "core/data/corpus_list.h"
#include "core/data/source.h"
#include "core/data/task.h"
#include "core/lab/guard.h"

#include <algorithm>

namespace lw {
namespace {

CorpusInfo sample_info(const Sample& sample) {
    CorpusInfo info;
    info.id = "sample:" + sample.name;
    info.title = sample.title;
    info.language = sample.language;
    info.licence = "GPL-3.0, as this program";
    info.origin = "written for this program";
    info.documents = 1;
    info.bytes = whole_sample(sample.name).file_bytes;
    info.fetched = true;
    info.bundled = true;
    info.folder = resource_folder() / "texts";
    return info;
}

CorpusInfo corpus_info(const ListedCorpus& corpus) {
    CorpusInfo info;
    info.id = corpus.id;
    info.title = corpus.title;
    info.language = corpus.language;
    info.licence = corpus.licence;
    info.origin = corpus.origin;
    info.documents = corpus.documents;
    info.bytes = corpus.bytes;
    info.fetched = is_fetched(corpus.id);
    info.folder = corpus_folder(corpus.id);
    return info;
}

/// Parts of a file have sizes of their own.
std::int64_t bytes_of(const SourceDocument& document) {
    return document.part < 0 ? document.file_bytes : static_cast<std::int64_t>(read_document_text(document).text.size());
}

}  // namespace

std::vector<CorpusInfo> corpora() {
    // A damaged installation must not take the whole page away: what can be read is listed.
    const auto all = guarded<std::vector<CorpusInfo>>([] {
        std::vector<CorpusInfo> infos;
        for (const auto& sample : samples()) infos.push_back(sample_info(sample));
        for (const auto& corpus : listed_corpora()) infos.push_back(corpus_info(corpus));
        return infos;
    });
    return all.ok() ? all.value() : std::vector<CorpusInfo>();
}

Result<std::vector<DocumentInfo>> corpus_documents(const std::string& source) {
    return guarded<std::vector<DocumentInfo>>([&] {
        std::vector<DocumentInfo> infos;
        for (const auto& part : resolve_sources(source)) {
            for (const auto& document : part.documents) infos.push_back({document.id, document.split, bytes_of(document), 0, ""});
        }
        return infos;
    });
}

}  // namespace lw
