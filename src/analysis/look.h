/* A look into a step: records at fixed points of a part of the step (analysis/arc.h). */
#ifndef ML_ANALYSIS_LOOK_H
#define ML_ANALYSIS_LOOK_H

enum { ML_LOOK_POINTS = 9, ML_LOOK_LAST = ML_LOOK_POINTS - 1 };

/* Parts of the steps of the lanes of a batch, each of a lane's own. */
struct ml_look {
    unsigned lanes;               /* that are looked at; the numbers of others mean nothing */
    const double *begin, *length; /* [1] s */
    const int *n_row;             /* [n_record] of the system: rows of each */
    int n_sens;
    const double *const *records;       /* [n_record] -> [ML_LOOK_POINTS][rows], as seen */
    const double *const *record_derivs; /* [n_record] -> [ML_LOOK_POINTS][rows][n_sens] */
    const double *kinetic, *potential;  /* [ML_LOOK_POINTS] J */
    const double *kinetic_deriv, *potential_deriv; /* [ML_LOOK_POINTS][n_sens] */
};

/* Records and energies at both ends of these steps: 0 where a step begins. */
struct ml_look_ends {
    unsigned lanes;
    const double *length; /* [1] s */
    struct {
        const double *const *records; /* [n_record] -> [rows] */
        const double *const *slopes;  /* 1/s: of state quantities their derivatives by time */
        const double *energy, *power; /* [1] J, W; 0 where hardly any energy comes or goes */
    } at[2];
};

#endif
