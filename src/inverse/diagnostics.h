/* Notes about torques, as lines of the report. */
#ifndef ML_INVERSE_DIAGNOSTICS_H
#define ML_INVERSE_DIAGNOSTICS_H

#include "inverse/inverse_set.h"
#include "manylink/inverse.h"

/* Doubts about motions, each told once. */
enum ml_motion_doubt {
    ML_DOUBT_WRAP,
    ML_DOUBT_DEGREES,
    ML_DOUBT_TIME,
    ML_DOUBT_BASE,
    ML_DOUBT_STRAY,
    ML_DOUBT_NOISE,
    ML_DOUBT_RESIDUAL,
    ML_DOUBT_RATE,
    ML_DOUBT_LENGTH,
    ML_DOUBT_UNIT,
    ML_DOUBT_HEADER,
    ML_DOUBT_MARKERS,
    ML_DOUBT_PREFIX,
    ML_DOUBT_FRAMES,
    ML_DOUBT_END,
};

struct ml_diagnostics {
    const struct ml_study *study;     /* borrowed, like the next two */
    const struct ml_motions *motions; /* with their samples */
    struct ml_inverse_report *report;
    double *work;  /* of ml_noise_share */
    unsigned told; /* bit k: the doubt k */
};

/* Adds a line to the report; lines that do not fit are left out. */
void ml_inverse_note(struct ml_inverse_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* False without memory. Free with free(diagnostics->work). */
bool ml_diagnostics_init(struct ml_diagnostics *diagnostics, const struct ml_study *study,
                         const struct ml_motions *motions, struct ml_inverse_report *report);

/* Counts a result with torques or forces that are not finite, and notes the first.
 *   run  whose motion or parameters it has */
void ml_diagnostics_check_finite(struct ml_diagnostics *diagnostics, int64_t run,
                                 double *const sets[ML_N_SET]);

/* motion_doubts.c: notes doubts about the motion of a run. */
void ml_diagnostics_check_motion(struct ml_diagnostics *diagnostics, int64_t run,
                                 double *const sets[ML_N_SET]);

/* Notes the first torque of a smoothed or differentiated table that is largest where the table
 * ends, which no sample beyond determines. */
void ml_diagnostics_check_ends(struct ml_diagnostics *diagnostics, double *const sets[ML_N_SET]);

#endif
