#include "app/cli/render.h"

#include <QApplication>

namespace lw::cli {

void prepare_drawing() {
    static int count = 1;
    static char name[] = "lengthwise-cli";
    static char* arguments[] = {name, nullptr};
    // No window is shown, so no display is asked for, also where there is one: the pictures are the same everywhere.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    static QApplication application(count, arguments);
}

}  // namespace lw::cli
