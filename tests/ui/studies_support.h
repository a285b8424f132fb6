#pragma once
/// A small study, and the Studies page that shows it on the fake laboratory.

#include "tests/ui/ui_support.h"
#include "ui/pages/studies_matrix.h"
#include "ui/pages/studies_page.h"

#include <QString>

#include <algorithm>

namespace lw::test {

using ui::ComputeThread;
using ui::StudiesPage;
using ui::StudyMatrix;
using ui::StudyModel;

inline StudySpec tiny(std::vector<std::uint64_t> seeds = {1}) {
    StudySpec spec;
    spec.name = "Tiny";
    spec.schemes = {find_scheme("alibi").value(), find_scheme("rope").value()};
    spec.seeds = std::move(seeds);
    spec.lengths = {128};
    spec.sizes.emplace_back();
    spec.sizes.front().training.steps = 20;
    spec.corpora.emplace_back();
    spec.corpora.front().tokenizer = "byte";
    spec.evaluation.lengths = {128, 256, 512};
    return spec;
}

struct ShownStudies : SessionFixture {
    explicit ShownStudies(ComputeThread::Mode mode = ComputeThread::Mode::immediate) : SessionFixture(mode), page(std::make_unique<StudiesPage>(session.get())) {
        page->resize(1000, 640);
        page->setVisible(true);
    }
    void add(const StudySpec& spec) {
        page->addSpec(spec, false);
        REQUIRE(eventually([&] { return page->loaded() != nullptr && page->loaded()->status.cells.size() == spec.schemes.size() * spec.seeds.size() * spec.lengths.size(); }));
    }
    template <class T>
    T* find(const char* name) const {
        T* found = page->findChild<T*>(QString::fromLatin1(name));
        REQUIRE(found);
        return found;
    }
    [[nodiscard]] const StudyStatus& status() const { return page->loaded()->status; }
    [[nodiscard]] StudyModel* model() const { return find<StudyMatrix>("studyMatrix")->studyModel(); }
    [[nodiscard]] std::int64_t calls(const std::string& name) const {
        const std::lock_guard lock(fake::state().mutex);
        return std::count(fake::state().calls.begin(), fake::state().calls.end(), name);
    }
    std::unique_ptr<StudiesPage> page;
};

}  // namespace lw::test
