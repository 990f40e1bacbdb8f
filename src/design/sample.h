/* Points of a sample in the unit cube: each coordinate is a function of seed, run and quantity. */
#ifndef ML_DESIGN_SAMPLE_H
#define ML_DESIGN_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "design/correlation.h"

enum { ML_HALTON_DIMENSIONS = 32 };

enum ml_sampling { ML_RANDOM, ML_LATIN_HYPERCUBE, ML_SOBOL, ML_SCRAMBLED_SOBOL, ML_HALTON };

/* Which runs are made of the points of a sample. */
enum ml_sample_design {
    ML_DESIGN_POINTS,  /* a run for each */
    ML_DESIGN_SALTELLI /* of two halves A and B of each point's coordinates A, A with one input of B
                          for each input, B with one input of A if asked for, and B (Saltelli 2010)
                        */
};

struct ml_sample_points {
    enum ml_sampling sampling;
    uint64_t seed;
    int64_t n_point;
    int n_input; /* that are drawn */
    enum ml_sample_design design;
    bool has_second; /* of Saltelli's design: B with one input of A, for indices of second order */
    struct ml_correlation correlation; /* of the inputs */
    const char *file;  /* that has the points, as the study names the file; NULL: they are drawn */
    uint64_t checksum; /* of the numbers of the file */
};

/* Runs that are made of each point. */
int64_t ml_sample_runs_of_point(const struct ml_sample_points *points);

/* Runs of all points. */
int64_t ml_sample_runs(const struct ml_sample_points *points);

/* Input `input` of run `run`, in [0, 1). */
double ml_sample_input(const struct ml_sample_points *points, int64_t run, int input);

/* Coordinate `quantity` of run `run` of `count`, in [0, 1). */
double ml_sample(enum ml_sampling sampling, uint64_t seed, int64_t count, int64_t run,
                 int quantity);

/* A permutation of 0 .. count-1 that depends on seed and quantity; no table. */
int64_t ml_permuted(uint64_t seed, int quantity, int64_t count, int64_t i);

#endif
