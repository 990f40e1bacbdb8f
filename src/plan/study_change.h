/* Changes from one study to another by which results of the one are of use to the other. */
#ifndef ML_PLAN_STUDY_CHANGE_H
#define ML_PLAN_STUDY_CHANGE_H

#include "plan/study.h"
#include "plan/study_id.h"

enum ml_study_change {
    ML_CHANGE_RUNS = 1,     /* other runs: `sweep`, `sample` */
    ML_CHANGE_SAVED = 2,    /* other trajectories of the same motions: `save` */
    ML_CHANGE_MEASURED = 4, /* other numbers of the same motions: `analyse`, `events`, `quantities`
                             */
    ML_CHANGE_END = 8,      /* another end of the motions: `time.end` */
    ML_CHANGE_STUDY = 16    /* other motions: any other key but titles */
};

/* The first line of a change of some kind; "" where a text has no such line. */
struct ml_study_difference {
    unsigned changes;                                     /* of enum ml_study_change */
    char there[ML_STUDY_ID_LINE], here[ML_STUDY_ID_LINE]; /* of the worst change */
};

/* Compares two resolved texts section by section, without the derived values. */
struct ml_study_difference ml_study_difference(const char *there, const char *here);

/* The resolved text of a study, but with the numbers that stand before the sweep in another study
 * for all that an axis of either moves: runs differ by the values of these numbers alone. Owned by
 * the study's pool; NULL without memory. */
const char *ml_study_resolved_as(const struct ml_study *study, const struct ml_study *other);

#endif
