/* Points of a sample in the unit cube: each coordinate is a function of seed, run and quantity. */
#ifndef ML_DESIGN_SAMPLE_H
#define ML_DESIGN_SAMPLE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "design/correlation.h"

enum {
    ML_HALTON_DIMENSIONS = 32,
    ML_SHELL_MOST = 16 /* coordinates of a system whose energy shell is drawn from */
};

enum ml_sampling { ML_RANDOM, ML_LATIN_HYPERCUBE, ML_SOBOL, ML_SCRAMBLED_SOBOL, ML_HALTON };

/* Which runs are made of the points of a sample of k inputs, in this order:
 *
 *   points    a run for each
 *   saltelli  of two halves A and B of the coordinates of each point: A, A with one input of B for
 *             each input, B with one input of A for each input if asked for, and B (Saltelli,
 *             Annoni, Azzini, Campolongo, Ratto, Tarantola, Comput. Phys. Commun. 181, 2010); with
 *             groups of inputs a group takes the place of an input
 *   morris    for each point a trajectory of k + 1 runs, each of which differs from the run before in
 *             one input, by `levels`/2 levels; every input moves once (Morris, Technometrics 33,
 *             1991)
 *   oat       the middle of all inputs, then for each input n_point runs along the input
 *   fast      for each input n_point runs along a closed curve, on which the input has the highest
 *             frequency (Saltelli, Tarantola, Chan, Technometrics 41, 1999)
 *
 * The levels of morris and oat are spread evenly from end to end of a uniform range, and are the
 * middles of equal parts of the probability of another distribution. */
enum ml_sample_design {
    ML_DESIGN_POINTS,
    ML_DESIGN_SALTELLI,
    ML_DESIGN_MORRIS,
    ML_DESIGN_OAT,
    ML_DESIGN_FAST,
    ML_N_DESIGN
};

/* Words of the designs in the study file and in attribute `design` of results, and their meaning.
 */
struct ml_design_info {
    const char *word, *doc;
};
extern const struct ml_design_info ml_designs[ML_N_DESIGN];

enum {
    ML_FAST_HARMONICS = 4, /* that the frequencies of a curve leave apart */
    ML_FAST_LEAST = 4 * ML_FAST_HARMONICS * ML_FAST_HARMONICS + 1, /* runs of a curve */
    ML_MOST_CANDIDATES = 500                                       /* of trajectories */
};

struct ml_sample_points {
    enum ml_sampling sampling;
    uint64_t seed;
    int64_t n_point;
    int n_input; /* that are drawn */
    enum ml_sample_design design;
    bool has_second; /* of Saltelli's design: B with one input of A, for indices of second order */
    struct ml_correlation correlation; /* of the inputs */
    double energy_shell; /* J, of all points, coordinates and rates; NaN: points of the unit cube */
    const char *file;  /* that has the points, as the study names the file; NULL: they are drawn */
    uint64_t checksum; /* of the numbers of the file */
    const char *fit;   /* result of a fit that ranges are of, as the study names the file; NULL */
    int64_t levels;    /* of each input of Morris' design, even */
    int64_t n_candidate; /* trajectories that the n_point of the design are chosen from; 0: all are
                            taken */
    const int64_t *chosen; /* [n_point] of the candidates; NULL: the first */
    const int *group;      /* [n_input] of Saltelli's design, the group of each input, from 0 in the
                              order of their first inputs; NULL: every input is a group */
    int n_group;           /* with `group` */
};

/* Whether a design makes its points itself, by no method. */
static inline bool ml_design_has_points(enum ml_sample_design design)
{
    return design >= ML_DESIGN_MORRIS;
}

/* Groups of inputs, and that of an input. */
static inline int ml_sample_groups(const struct ml_sample_points *points)
{
    return points->group ? points->n_group : points->n_input;
}

static inline int ml_sample_group(const struct ml_sample_points *points, int input)
{
    return points->group ? points->group[input] : input;
}

/* Whether the numbers of all runs are in memory: those of a file, or of an energy shell. */
static inline bool ml_sample_is_stored(const struct ml_sample_points *points)
{
    return points->file || !isnan(points->energy_shell);
}

/* Whether the points are a sequence of low discrepancy. */
static inline bool ml_sample_is_even(const struct ml_sample_points *points)
{
    return points->sampling == ML_SOBOL || points->sampling == ML_SCRAMBLED_SOBOL ||
           points->sampling == ML_HALTON;
}

/* Runs that are made of each point, of all designs but the last two. */
int64_t ml_sample_runs_of_point(const struct ml_sample_points *points);

/* Runs of all points. */
int64_t ml_sample_runs(const struct ml_sample_points *points);

/* The first run that lacks the place that the design has for a run: with `saltelli` every input is
 * that of the point's first or last run, with `morris` one input moves, for the first time; -1:
 * none. Of the other designs all runs are in place.
 *   inputs  [n_input][ml_sample_runs] numbers */
int64_t ml_sample_misplaced(const struct ml_sample_points *points, const double *const *inputs);

/* Inputs that move before this one in a trajectory of Morris' design. */
int ml_morris_turn(const struct ml_sample_points *points, int64_t trajectory, int input);

/* Input `input` of run `run`, in [0, 1). */
double ml_sample_input(const struct ml_sample_points *points, int64_t run, int input);

/* A coordinate as the probability for the quantile of a distribution that is not uniform. */
double ml_sample_part(const struct ml_sample_points *points, double coordinate);

/* Coordinate `quantity` of run `run` of `count`, in [0, 1). */
double ml_sample(enum ml_sampling sampling, uint64_t seed, int64_t count, int64_t run,
                 int quantity);

/* Periods along a curve of `fast` with n_point runs: of the input whose curve it is; and of the
 * i-th of the n_other other inputs. */
int64_t ml_fast_highest(int64_t n_point);
int64_t ml_fast_other(int64_t n_point, int n_other, int i);

/* A permutation of 0 .. count-1 that depends on seed and quantity; no table. */
int64_t ml_permuted(uint64_t seed, int quantity, int64_t count, int64_t i);

#endif
