/// lengthwise: the window.
#include "ui/application.h"

int main(int argc, char** argv) { return lw::ui::runApplication(argc, argv); }
