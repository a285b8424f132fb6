/// That our own loops over at::parallel_for run on LibTorch's threads: the template is serial in code compiled without OpenMP.
#include "tests/support/parallel.h"

#include <atomic>

TEST_CASE("a parallel loop of ours has as many threads as were asked for", "[attention]") {
    const auto before = at::get_num_threads();
    at::set_num_threads(2);
    std::atomic<int> pieces{0}, inside{0};
    at::parallel_for(0, 2, 1, [&](std::int64_t begin, std::int64_t end) {
        pieces += static_cast<int>(end - begin == 1);
        inside += static_cast<int>(at::in_parallel_region());
    });
    at::set_num_threads(before);
    CHECK(pieces == 2);
    CHECK(inside == 2);
}
