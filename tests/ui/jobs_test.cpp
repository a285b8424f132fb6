/// The compute thread with jobs that compute nothing: order, progress, cancelling, latest wins, errors, closing.
#include "tests/ui/ui_support.h"
#include "ui/jobs/mailbox.h"

#include <QSignalSpy>

#include <chrono>
#include <semaphore>
#include <set>

using namespace lw;
using lw::test::eventually;
using lw::ui::ComputeThread;

namespace {

/// Lets a job wait until the test says so, without sleeping.
struct Gate {
    std::binary_semaphore entered{0}, open{0};
    void pass() {
        entered.release();
        open.acquire();
    }
};

/// Work that ends only when it is told to.
Result<int> untilStopped(const RunContext& context) {
    while (!context.stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return Error{ErrorKind::cancelled, "Cancelled."};
}

}  // namespace

TEST_CASE("a job runs on the compute thread and is delivered on the window thread", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    std::thread::id worked, delivered;
    int value = 0;
    thread.run<int>(
        "a", [&](const RunContext&) -> Result<int> { worked = std::this_thread::get_id(); return 7; }, &receiver,
        [&](Result<int> result) { value = result.value(); delivered = std::this_thread::get_id(); });
    REQUIRE(eventually([&] { return value == 7; }));
    CHECK(worked != std::this_thread::get_id());
    CHECK(delivered == std::this_thread::get_id());
    CHECK(thread.idle());
}

TEST_CASE("all jobs run on one and the same thread", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    std::set<std::thread::id> ids;
    int done = 0;
    for (int j = 0; j < 20; ++j) {
        auto work = [&](const RunContext&) -> Result<int> { ids.insert(std::this_thread::get_id()); return 0; };
        if (j % 2 == 0) thread.run<int>(QString::number(j), work, &receiver, [&](Result<int>) { ++done; });
        else thread.enqueue<int>("long", work, &receiver, [&](Result<int>) { ++done; });
    }
    REQUIRE(eventually([&] { return done == 20; }));
    CHECK(ids.size() == 1);
}

TEST_CASE("of a channel only the newest result is delivered", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    Gate gate;
    std::vector<int> delivered;
    std::atomic<int> worked{0};
    auto deliver = [&](Result<int> r) { delivered.push_back(r.value()); };
    thread.run<int>("slider", [&](const RunContext&) -> Result<int> { gate.pass(); return 0; }, &receiver, deliver);
    gate.entered.acquire();
    for (int j = 1; j <= 50; ++j)
        thread.run<int>("slider", [&worked, j](const RunContext&) -> Result<int> { ++worked; return j; }, &receiver, deliver);
    gate.open.release();
    REQUIRE(eventually([&] { return thread.idle(); }));
    CHECK(delivered == std::vector<int>{50});
    CHECK(worked == 1);
}

TEST_CASE("a newer job stops the running one of its channel but not of another", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    bool stopped_was_delivered = false, second = false;
    thread.run<int>("a", untilStopped, &receiver, [&](Result<int>) { stopped_was_delivered = true; });
    thread.run<int>("a", [](const RunContext&) -> Result<int> { return 2; }, &receiver, [&](Result<int>) { second = true; });
    REQUIRE(eventually([&] { return second; }));
    CHECK_FALSE(stopped_was_delivered);
}

TEST_CASE("long jobs run in the order they were queued", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    std::vector<int> order;
    for (int j = 0; j < 5; ++j)
        thread.enqueue<int>("job", [j](const RunContext&) -> Result<int> { return j; }, &receiver, [&](Result<int> r) { order.push_back(r.value()); });
    REQUIRE(eventually([&] { return order.size() == 5; }));
    CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE("interactive jobs are served between the slices of a long one", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    bool served = false, ended = false;
    thread.enqueue<int>(
        "training",
        [](const RunContext& context) -> Result<int> {
            while (!context.stopping()) {
                context.serve();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return 1;
        },
        &receiver, [&](Result<int>) { ended = true; });
    thread.run<int>("tiles", [](const RunContext&) -> Result<int> { return 3; }, &receiver, [&](Result<int>) { served = true; });
    REQUIRE(eventually([&] { return served; }));
    CHECK_FALSE(ended);
    thread.cancelAll();
    REQUIRE(eventually([&] { return ended; }));
}

TEST_CASE("cancelling a running long job hands over what it returns", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    std::optional<Result<int>> result;
    const auto id = thread.enqueue<int>(
        "training",
        [](const RunContext& context) -> Result<int> {
            int steps = 0;
            while (!context.stopping()) ++steps;
            return steps;
        },
        &receiver, [&](Result<int> r) { result = r; });
    REQUIRE(eventually([&] { return !thread.jobs().empty() && thread.jobs().front().state == ui::JobState::running; }));
    thread.cancel(id);
    REQUIRE(eventually([&] { return result.has_value(); }));
    CHECK(result->ok());
}

TEST_CASE("cancelling a waiting long job answers with cancelled and never runs it", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    Gate gate;
    bool ran = false;
    std::optional<Result<int>> result;
    thread.enqueue<int>("first", [&](const RunContext&) -> Result<int> { gate.pass(); return 1; }, &receiver, {});
    gate.entered.acquire();
    const auto id = thread.enqueue<int>("second", [&](const RunContext&) -> Result<int> { ran = true; return 2; }, &receiver, [&](Result<int> r) { result = r; });
    CHECK(thread.jobs().size() == 2);
    thread.cancel(id);
    REQUIRE(result.has_value());
    CHECK(result->error().kind == ErrorKind::cancelled);
    gate.open.release();
    REQUIRE(eventually([&] { return thread.idle(); }));
    CHECK_FALSE(ran);
}

TEST_CASE("an exception in a job arrives as an error", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    std::vector<ErrorKind> kinds;
    auto note = [&](Result<int> r) { kinds.push_back(r.error().kind); };
    thread.enqueue<int>("a", [](const RunContext&) -> Result<int> { throw Failure(ErrorKind::corrupt_file, "The file is cut."); }, &receiver, note);
    thread.enqueue<int>("b", [](const RunContext&) -> Result<int> { throw std::bad_alloc(); }, &receiver, note);
    thread.enqueue<int>("c", [](const RunContext&) -> Result<int> { throw std::runtime_error("odd"); }, &receiver, note);
    thread.enqueue<int>("d", [](const RunContext&) -> Result<int> { throw 3; }, &receiver, note);
    REQUIRE(eventually([&] { return kinds.size() == 4; }));
    CHECK(kinds == std::vector<ErrorKind>{ErrorKind::corrupt_file, ErrorKind::out_of_memory, ErrorKind::internal, ErrorKind::internal});
}

TEST_CASE("a flood of progress wakes the window seldom and its last value arrives", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    Gate gate;
    QSignalSpy spy(&thread, &ComputeThread::progressChanged);
    double seen = -1;
    QObject::connect(&thread, &ComputeThread::progressChanged, &receiver, [&] {
        const auto jobs = thread.jobs();
        if (!jobs.empty()) seen = jobs.front().progress.done;
    });
    thread.enqueue<int>(
        "flood",
        [&](const RunContext& context) -> Result<int> {
            for (int p = 1; p <= 50000; ++p) context.report({"", static_cast<double>(p), 50000, "", 0, "", -1, ""});
            gate.pass();
            return 0;
        },
        &receiver, {});
    REQUIRE(eventually([&] { return seen == 50000; }));
    // 50,000 reports within a moment: a wake-up each would be thousands.
    CHECK(spy.count() < 500);
    gate.open.release();
    REQUIRE(eventually([&] { return thread.idle(); }));
}

TEST_CASE("results for a receiver that is gone are dropped", "[ui][jobs]") {
    ComputeThread thread;
    Gate gate;
    bool called = false;
    auto receiver = std::make_unique<QObject>();
    thread.run<int>("a", [&](const RunContext&) -> Result<int> { gate.pass(); return 1; }, receiver.get(), [&](Result<int>) { called = true; });
    gate.entered.acquire();
    receiver.reset();
    gate.open.release();
    REQUIRE(eventually([&] { return thread.idle(); }));
    CHECK_FALSE(called);
}

TEST_CASE("closing stops what runs and waits for it", "[ui][jobs]") {
    std::atomic<bool> ended{false};
    QObject receiver;
    {
        ComputeThread thread;
        Gate gate;
        thread.enqueue<int>(
            "training",
            [&](const RunContext& context) -> Result<int> {
                gate.entered.release();
                auto result = untilStopped(context);
                ended = true;
                return result;
            },
            &receiver, {});
        for (int j = 0; j < 5; ++j) thread.enqueue<int>("later", untilStopped, &receiver, {});
        gate.entered.acquire();
    }
    CHECK(ended);
    QCoreApplication::processEvents();  // nothing late may arrive
}

TEST_CASE("a mailbox delivers the last of many values and merges lists", "[ui][jobs]") {
    ComputeThread thread;
    QObject receiver;
    int last = 0, deliveries = 0;
    std::vector<int> all;
    auto newest = ui::Mailbox<int>::create(&thread, &receiver, [&](int value) { last = value; ++deliveries; });
    auto list = ui::Mailbox<std::vector<int>>::create(&thread, &receiver, [&](std::vector<int> more) { all.insert(all.end(), more.begin(), more.end()); });
    thread.enqueue<int>(
        "flood",
        [newest, list](const RunContext&) -> Result<int> {
            for (int v = 1; v <= 10000; ++v) {
                newest->put(v);
                list->change([&](std::vector<int>& held) { held.push_back(v); });
            }
            return 0;
        },
        &receiver, {});
    REQUIRE(eventually([&] { return last == 10000 && all.size() == 10000; }));
    CHECK(deliveries < 1000);
    CHECK(std::is_sorted(all.begin(), all.end()));
}

TEST_CASE("in immediate mode a job is done when run returns", "[ui][jobs]") {
    ComputeThread thread(ComputeThread::Mode::immediate);
    QObject receiver;
    int value = 0;
    thread.run<int>("a", [](const RunContext&) -> Result<int> { return 4; }, &receiver, [&](Result<int> r) { value = r.value(); });
    CHECK(value == 4);
    CHECK(thread.idle());
}

namespace {

/// Notes on which thread it was let go.
struct Probe {
    explicit Probe(std::thread::id* where) : m_where(where) {}
    ~Probe() {
        *m_where = std::this_thread::get_id();
        gone = true;
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    static std::atomic<bool> gone;

private:
    std::thread::id* m_where;
};
std::atomic<bool> Probe::gone{false};

}  // namespace

TEST_CASE("objects are let go on the compute thread", "[ui][jobs]") {
    std::thread::id where;
    Probe::gone = false;
    ComputeThread thread;
    thread.release(std::make_shared<Probe>(&where));
    REQUIRE(eventually([&] { return Probe::gone.load(); }));
    CHECK(where != std::this_thread::get_id());
}

TEST_CASE("objects are let go while a long job runs, not only after it", "[ui][jobs]") {
    std::thread::id where;
    Probe::gone = false;
    QObject receiver;
    bool ended = false;
    ComputeThread thread;
    thread.enqueue<int>(
        "training",
        [](const RunContext& context) -> Result<int> {
            while (!context.stopping()) {
                context.serve();
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return 0;
        },
        &receiver, [&](Result<int>) { ended = true; });
    REQUIRE(eventually([&] { return !thread.jobs().empty() && thread.jobs().front().state == ui::JobState::running; }));
    thread.release(std::make_shared<Probe>(&where));
    REQUIRE(eventually([&] { return Probe::gone.load(); }));
    CHECK_FALSE(ended);
    thread.cancelAll();
    REQUIRE(eventually([&] { return ended; }));
}

TEST_CASE("what a replaced job captured is let go on the compute thread", "[ui][jobs]") {
    std::thread::id where;
    Probe::gone = false;
    QObject receiver;
    Gate gate;
    ComputeThread thread;
    thread.run<int>("other", [&](const RunContext&) -> Result<int> { gate.pass(); return 0; }, &receiver, {});
    gate.entered.acquire();
    thread.run<int>("tiles", [probe = std::make_shared<Probe>(&where)](const RunContext&) -> Result<int> { return probe ? 1 : 0; }, &receiver, {});
    thread.run<int>("tiles", [](const RunContext&) -> Result<int> { return 2; }, &receiver, {});
    CHECK_FALSE(Probe::gone.load());
    gate.open.release();
    REQUIRE(eventually([&] { return thread.idle() && Probe::gone.load(); }));
    CHECK(where != std::this_thread::get_id());
}
