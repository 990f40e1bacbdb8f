/* A report of gait: cycles of several results of `inverse`, the trials of a right and a left leg,
 * pooled. Of results with several runs, such as a sample of bodies, each run is pooled alone. */
#ifndef ML_TOOLS_GAIT_GAIT_H
#define ML_TOOLS_GAIT_GAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "manylink/result.h"

enum { GAIT_POINTS = 101 }; /* of a cycle, 0 to 100 % */

enum gait_curve { GAIT_ANGLE, GAIT_TORQUE, GAIT_POWER, N_GAIT_CURVE };
enum gait_side { GAIT_RIGHT, GAIT_LEFT, N_GAIT_SIDE };
extern const char *const gait_curve_names[N_GAIT_CURVE]; /* "angle", ... */
extern const char *const gait_side_names[N_GAIT_SIDE];   /* "right", "left" */

/* A number of the report; texts are static, or borrowed from a result. */
struct gait_row {
    char name[32];     /* "cycle_max_torque", or of a burst "A1", "A1_power", "A1_power_at" */
    const char *label; /* in words: "largest moment" */
    const char *unit;
    int joint;      /* -1: of the leg */
    bool has_index; /* has a zero that is no convention: the sides have a ratio */
    bool may_lack;  /* NaN of a cycle without it, such as the instant of a missing burst */
};

/* Mean and standard deviation of a number over the cycles of one trial and run. */
struct gait_spread {
    double mean, sd; /* sd (n - 1) NaN of one cycle */
    int64_t n;       /* cycles that have the number */
};

struct gait_trial {
    const char *path; /* borrowed */
    struct ml_result *result;
    enum gait_side side;
    int64_t n_cycle, n_run;
    int n_row;
    struct gait_spread *spreads; /* [n_all][n_run] */
};

/* A number over all cycles of a side: means over the runs that have it. */
struct gait_number {
    double mean, sd; /* over the cycles of all trials */
    double between;  /* standard deviation of the means of the trials; NaN of one trial */
    double runs;     /* standard deviation of the mean over the runs; NaN of one run */
};

/* Right minus left, and its share of the size of half the sum of both in %: Robinson, Herzog, Nigg,
 * J. Manipulative Physiol. Ther. 10, 1987; NaN where it has no meaning. */
struct gait_difference {
    double mean, runs, index;
};

struct gait {
    struct gait_trial *trials; /* [n_trial] the right ones first */
    int n_trial, n_side_trial[N_GAIT_SIDE];
    bool has_sides; /* has trials of both legs */
    int64_t n_cycle[N_GAIT_SIDE], n_run;
    int n_joint;
    const char **joints;   /* [n_joint] segments, borrowed from the first trial */
    struct gait_row *rows; /* [n_row], and behind these the curves: gait_curve_at */
    int n_row, n_all;
    const char *units[N_GAIT_CURVE];
    double *means;                            /* [side][n_all][n_run], over all cycles */
    struct gait_number *numbers[N_GAIT_SIDE]; /* [n_all]; NULL: no trial of that side */
};

/* Name of a joint: "hip", "knee" and "ankle" of `thigh`, `shank` and `foot`, else that of the
 * segment. */
const char *gait_joint_name(const struct gait *gait, int joint);

/* The place of a point of a curve among the numbers. */
static inline int gait_curve_at(const struct gait *gait, enum gait_curve curve, int joint,
                                int percent)
{
    return gait->n_row + ((int)curve * gait->n_joint + joint) * GAIT_POINTS + percent;
}

/* Reads the trials, whose `path` and `side` are set, checks that they are of one body, and pools
 * them. To be freed with gait_free whatever is returned. ML_E_INPUT with the file, the difference
 * and a remedy. */
enum ml_status gait_make(struct gait *gait, bool may_be_changed, struct ml_error *err);
void gait_free(struct gait *gait);

void gait_differ(const struct gait *gait, int row, struct gait_difference *out);

/* trial.c: reads names and numbers of one trial; the first trial defines the rows. */
enum ml_status gait_read_trial(struct gait *gait, struct gait_trial *trial, struct ml_error *err);

/* A cycle between two foot strikes, s. */
struct gait_cycle {
    double start, end, toe_off;
    double toe_off_before; /* of the stance before; NaN: not in the motion */
};

/* trial.c: reads the cycles of a trial.
 *   out  [*n] to be freed by the caller with free(), whatever is returned */
enum ml_status gait_read_cycles(const struct gait_trial *trial, struct gait_cycle **out, int64_t *n,
                                struct ml_error *err);

/* support.c: Numbers by the instants of a cycle, and from GAIT_STEP on, of the other leg too: NaN
 * of a cycle without these, and of all cycles unless a trial of the other leg is of the same
 * recording. A step ends at the strike of the cycle's foot.
 *   out  [GAIT_N_SUPPORT][n_cycle] */
enum gait_support {
    GAIT_CADENCE,
    GAIT_STANCE,
    GAIT_SWING,
    GAIT_SWING_TIME,
    GAIT_STEP,
    GAIT_FIRST,
    GAIT_FIRST_TIME,
    GAIT_SINGLE,
    GAIT_SINGLE_TIME,
    GAIT_SECOND,
    GAIT_SECOND_TIME,
    GAIT_N_SUPPORT
};
extern const struct gait_row gait_support_rows[GAIT_N_SUPPORT];
enum ml_status gait_find_support(const struct gait *gait, const struct gait_trial *trial,
                                 double *out, struct ml_error *err);

/* support.c: refuses a trial with a cycle that an earlier trial of its leg has too. */
enum ml_status gait_check_recording(const struct gait *gait, const struct gait_trial *trial,
                                    struct ml_error *err);

/* body.c: refuses a trial of another body than the first, with other runs, or angles from another
 * zero. */
enum ml_status gait_check_body(const struct gait *gait, const struct gait_trial *trial,
                               struct ml_error *err);

/* body.c: the keys `filter` and `spline` of a trial's study, by which its motion is smoothed, and
 * filters of its loads: "type: butterworth, order: 2, cutoff: 6, load filter: 20", or "none". */
enum { GAIT_SMOOTHING = 128 };
void gait_smoothing(const struct gait_trial *trial, char smoothing[GAIT_SMOOTHING]);

/* norm.c: mean and standard deviation of the caller's own controls, from a table like that of the
 * curves of a report: columns `percent`, `angle/thigh/mean`, `angle/thigh/sd`, ..., also behind
 * `right/`; read along lines between its rows.
 *   norm  [n_all] out, NaN of numbers that the table has not */
enum ml_status gait_read_norm(const struct gait *gait, const char *path, struct gait_spread *norm,
                              struct ml_error *err);

#endif
