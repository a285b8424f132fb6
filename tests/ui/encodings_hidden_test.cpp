/// What is not seen costs nothing.
#include "tests/ui/ui_support.h"
#include "ui/forms/scheme_form.h"
#include "ui/pages/encodings_page.h"

using namespace lw::ui;

TEST_CASE("a hidden Encodings page asks for nothing", "[ui][encodings]") {
    lw::test::SessionFixture f;
    EncodingsPage page(f.session.get());
    const int before = lw::fake::state().preview_calls;
    Q_EMIT page.schemeForm()->edited();
    QTest::qWait(1);
    CHECK(lw::fake::state().preview_calls == before);
    page.show();
    CHECK(lw::test::eventually([&] { return lw::fake::state().preview_calls > before; }));
}
