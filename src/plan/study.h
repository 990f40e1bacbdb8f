/* The study as the rest of the program sees it: the spec, read by config/, and the values derived
 * by plan/. */
#ifndef ML_PLAN_STUDY_H
#define ML_PLAN_STUDY_H

#include "config/schema/study_spec.h"
#include "engine/team/ensemble.h"
#include "manylink/study.h"

/* How values of the ensemble that the study leaves out were derived. */
struct ml_derived {
    bool is_renormalise_derived; /* the interval; else it is given, or there are no vectors */
    bool growth_is_given;        /* it was derived from that; not where it is below `derived` */
    double growth;               /* 1/s, of tangent vectors */
};

struct ml_study {
    struct ml_study_spec spec; /* identity, which follows from this alone: plan/study_id.h */
    const struct ml_kernels *kernels;
    struct ml_derived derived;
    struct ml_ensemble ensemble; /* of the spec, which it borrows from; with the derived values */
    struct ml_results results;   /* of the ensemble */

    char *resolved; /* canonical YAML: the keys of the study, then the derived values */
    char *filled;   /* the same with derived values at their keys, as in older results; NULL: no
                       derived value has a key */
    const bool *is_planned_by; /* [spec.numbers.n] the plan depends on the number's value */
    const char **notices;      /* [n_notice] lines for the user, see config/schema/reader.h */
    int n_notice;
    const char *too_large; /* " in run 3 for force `it` ...", of a step that is too large; NULL: no
                              such step was found */
    int64_t member; /* number of the one run that ml_study_keep_run left; -1: all are there */
    const struct ml_swept *member_swept; /* [n_member] quantities swept in the study of that run, */
    double *member_values;               /* [n_member] and their values in the run */
    int n_member;

    struct ml_pool pool; /* owns all the above */
};

/* Whether nothing but the integrator can change the energy: a chain on which only forces with a
 * potential act, or a system x'' = F(x) without friction and drive. */
bool ml_keeps_energy(const struct ml_study *study);

#endif
