/* The runs that keep their trajectory, and the kept records. */
#ifndef ML_DESIGN_SAVING_H
#define ML_DESIGN_SAVING_H

#include <stdbool.h>
#include <stdint.h>

/* Runs 0, run_every, 2 run_every, ... below run_first. */
struct ml_saving {
    int64_t every;      /* steps between samples; 0: no trajectories */
    int64_t run_every;  /* >= 1 */
    int64_t run_first;  /* runs with index < run_first only */
    const int *records; /* [n_record] the quantities that are kept, ascending: the system's records
                           in their order, then the derivatives of the state; borrowed */
    int n_record;
};

/* Saved runs among runs 0 .. run-1: the index of run's trajectory if it is kept. */
int64_t ml_saving_index(const struct ml_saving *saving, int64_t run);
bool ml_saving_keeps(const struct ml_saving *saving, int64_t run);

/* Number of quantities that samples are taken of: 0 without trajectories; and whether quantity q is
 * one of them. */
int ml_saving_records(const struct ml_saving *saving);
bool ml_saving_has(const struct ml_saving *saving, int q);

#endif
