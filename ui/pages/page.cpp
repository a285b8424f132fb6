/// See page.h: the file exists so that the header is seen by moc.
#include "ui/pages/page.h"
