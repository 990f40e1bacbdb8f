/* Columns of force plates, by the names that laboratories give them. */
#ifndef ML_INVERSE_PLATES_H
#define ML_INVERSE_PLATES_H

#include "columns/table.h"

/* Columns of a force and of its point: along the horizontal axis and the vertical one, which is the
 * one of the largest force. */
struct ml_plate {
    int force[2], point[2];
};

/* Whether a name is that of a component of a force or moment, as Fx, FZ3, GRF_y; or of one of a
 * place by the number of its plate, as X3. */
bool ml_plate_names(const char *name);

/* Whether column x is the first component of a force that has numbers other than 0, with its point;
 * of a table that has been read. */
bool ml_plate_find(struct ml_table *table, int x, struct ml_plate *out);

#endif
