/* Forces that act at points of the room, and the ends of segments there; doubts about both. */
#ifndef ML_INVERSE_LOAD_PLACES_H
#define ML_INVERSE_LOAD_PLACES_H

#include "inverse/inverse_set.h"
#include "inverse/segment_params.h"
#include "manylink/inverse.h"

struct ml_point {
    double x, y;
};

enum { ML_PLATE_FORCE, ML_PLATE_POINT, ML_PLATE_MOMENT, ML_PLATE_N };

/* A force with two components, and the moment and point that come with it. */
struct ml_plate_force {
    const struct ml_force_use *use;
    bool has_point;         /* it acts at a point of the room */
    bool has_moment;        /* a moment about that point, which is then no centre of pressure */
    int signal[ML_PLATE_N]; /* of the first component of each; -1: none */
    const double *values[ML_PLATE_N][2]; /* of each component */
    double scale;
};

/* The load of one row of the study's forces; false of forces that have no such rows.
 *   run_values  of the run */
bool ml_plate_force_find(const struct ml_study *study, const double *run_values,
                         const struct ml_force_use *use, struct ml_plate_force *out);

/* N, at time t [s]. */
struct ml_point ml_plate_force_at(const struct ml_plate_force *plate, double t);

/* N, the largest force at the samples of its table, in the motion or not; 0 without a table. */
double ml_plate_most(const struct ml_plate_force *plate);

/* The table that the force is from; NULL: it is from none. */
const struct ml_breakpoints *ml_plate_table(const struct ml_plate_force *plate);

/* m: the point of the load. */
struct ml_point ml_plate_place_at(const struct ml_plate_force *plate, double t);

/* m: distance of point q from the line along which the force F alone has the moment M too, which
 * comes with plates whose point p is their origin: (M - (q - p) x F) / |F|, with the sign of that.
 */
double ml_plate_line_at(const struct ml_plate_force *plate, double t, struct ml_point q);

/* Ends of a segment at sample k. */
void ml_segment_ends(const struct ml_segment_params *b, const struct ml_motions *m,
                     double *const sets[ML_N_SET], int segment, int64_t k, struct ml_point ends[2]);

/* Notes a load that does not look like the force of a plate under a foot: each doubt with its
 * likely cause. */
void ml_load_doubts(const struct ml_study *study, const struct ml_segment_params *b,
                    const struct ml_motions *m, double *const sets[ML_N_SET],
                    const struct ml_plate_force *plate, struct ml_inverse_report *report);

#endif
