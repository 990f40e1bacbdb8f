/* The segments of one run of a chain, as inverse dynamics needs them. */
#ifndef ML_INVERSE_SEGMENT_PARAMS_H
#define ML_INVERSE_SEGMENT_PARAMS_H

#include "base/arena.h"
#include "engine/team/ensemble.h"

struct ml_segment_params {
    int n;
    bool is_down;      /* angles count from the downward vertical; else from +x */
    bool is_joint;     /* the study's angles are joint angles */
    double gravity[2]; /* m/s^2 */
    double *length, *mass, *com, *inertia, *damping; /* [n] m, kg, m, kg m^2, N m s/rad */
    double *constants;               /* of the run in every lane, for laws of forces */
    struct ml_arena arena;           /* owns them */
    double *run_values, *values, *x; /* scratch of loading: a batch */
};

/* Whether a system is made of such segments. */
bool ml_segment_params_are_of(const struct ml_system *system);

/* Whether one of its words is chosen: of "angles" the value "joint". */
bool ml_segment_params_chose(const struct ml_ensemble *e, const char *choice, const char *value);

/* Takes memory for the ensemble's chain; false without. Free with ml_segment_params_free. */
bool ml_segment_params_init(struct ml_segment_params *segments, const struct ml_ensemble *ensemble);
void ml_segment_params_free(struct ml_segment_params *segments);

/* Fills in the numbers of one run. */
void ml_segment_params_load(struct ml_segment_params *segments, const struct ml_ensemble *ensemble,
                            int64_t run);

/* kg, of the whole body in the run that was loaded; NaN: the system has no body. */
double ml_segment_params_body_mass(const struct ml_segment_params *segments,
                                   const struct ml_ensemble *ensemble);

#endif
