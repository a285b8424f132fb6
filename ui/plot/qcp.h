#pragma once
/// The only way to QCustomPlot. Its header needs Qt's keywords and foreach, which ui/ is compiled without.

#include <QtGlobal>

#ifdef QT_NO_KEYWORDS
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define foreach Q_FOREACH
#endif

#include <qcustomplot.h>

#ifdef QT_NO_KEYWORDS
#undef signals
#undef slots
#undef foreach
#endif
