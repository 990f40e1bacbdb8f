/* Names of joints and of markers at them, as laboratories use them: a guess at which columns are
 * the segments of a leg or an arm. */
#ifndef ML_INVERSE_LANDMARKS_H
#define ML_INVERSE_LANDMARKS_H

#include "columns/table.h"

enum { ML_LANDMARKS = 3, ML_LANDMARK_COLUMNS = 6 };

struct ml_landmark {
    const char *segment;              /* "thigh" */
    const char *name;                 /* of a column; NULL: there are markers */
    const char *ends[2][2];           /* names of the markers at either end: lateral, or the only
                                         one, and medial or NULL */
    int columns[ML_LANDMARK_COLUMNS]; /* [n_column] of that angle or those markers */
    int n_column;
};

struct ml_landmarks {
    struct ml_landmark of[ML_LANDMARKS];
    int n;
    const char *forward, *up; /* axes of the markers; "x", "-x" */
    bool travels;             /* far enough for these axes to be known */
};

/* Landmarks of a table that has been read, from proximal to distal; the right side is preferred. */
void ml_landmarks_find(struct ml_table *table, struct ml_landmarks *out);

/* Whether a column is x, y or z of a marker. */
bool ml_landmark_is_part(const struct ml_table *table, int c);

/* Whether a name may be that of an angle, not of a force, moment, position or counter. */
bool ml_landmark_is_angle(const char *name);

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
