/* Units that files of laboratories have. */
#ifndef ML_COLUMNS_UNITS_H
#define ML_COLUMNS_UNITS_H

#include "columns/cells.h"

#define ML_DEGREE (3.14159265358979323846 / 180.0) /* rad */

struct ml_unit {
    const char *text, *si;
    double scale; /* to SI */
};

/* The unit of that name, which may stand in brackets; NULL: not known. */
const struct ml_unit *ml_unit_find(struct ml_span text);

/* Cuts a unit in brackets off the end of a name; NULL: the name has no unit. */
const struct ml_unit *ml_unit_cut(struct ml_span *name);

#endif
