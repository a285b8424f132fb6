/// lengthwise-fake: the window on the fake laboratory, to look at it without LibTorch and trained models. Its numbers are invented.
#include "ui/application.h"

int main(int argc, char** argv) { return lw::ui::runApplication(argc, argv); }
