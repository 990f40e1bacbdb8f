/* Runs of a study that were computed again with smaller steps: their numbers, and the error of the
 * step. */
#ifndef ML_STORE_ACCURACY_H
#define ML_STORE_ACCURACY_H

#include "engine/team/ensemble.h"
#include "manylink/status.h"
#include "plan/shard.h"

#define ML_ACCURACY_DISPLACEMENT 1e-7 /* of a start, relative to 1 + its size */

enum ml_accuracy_values {
    ML_ACCURACY_DIFFERENCE, /* of the study's step from half of it; while it is computed, the values
                               with the study's step */
    ML_ACCURACY_FINER,      /* values with half the step, or a tenth of the tolerance */
    ML_ACCURACY_FINEST,     /* the same once more, of some runs; NaN of the others */
    ML_ACCURACY_DISPLACED,  /* with half the step, from a start that is slightly displaced */
    ML_N_ACCURACY
};

struct ml_accuracy_output {
    char name[ML_MAX_OUTPUT_NAME], unit[64];
    int first; /* rows of the outputs before it */
    bool
        is_older; /* an older version computed these by another definition: they are not compared */
};

struct ml_accuracy {
    bool is_adaptive;                   /* a tolerance is made smaller, not the step */
    bool is_unstable;                   /* planning found the step too large */
    bool is_older;                      /* an older version computed all numbers in another way */
    int n, n_output;                    /* runs; outputs */
    struct ml_accuracy_output *outputs; /* [n_output + 1], the last stands behind all */
    int64_t *runs;                      /* [n] their numbers in the study, ascending */
    double *values[ML_N_ACCURACY];      /* per output [n][rows] */
    double *step_most;                  /* [n] s: with a tolerance, half of a run's mean step */
    int8_t *outcomes[2];                /* [n] with the step and with half of it, enum ml_outcome */
    int8_t *is_finest;                  /* [n] 1: also with a quarter of the step */
    int8_t *is_done[ML_N_ACCURACY];     /* [n] 1: computed */
    void *bytes;                        /* [size] memory of all arrays */
    size_t size;
};

/* Names, units and rows of an ensemble's outputs; no run yet. False without memory. */
bool ml_accuracy_describe(struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble);

/* Whether it has the outputs of an ensemble. */
bool ml_accuracy_is_of(const struct ml_accuracy *accuracy, const struct ml_ensemble *ensemble);

/* Memory for n runs of the outputs that it has: values NaN, all else 0. False without memory. */
bool ml_accuracy_take(struct ml_accuracy *accuracy, int n);
void ml_accuracy_free(struct ml_accuracy *accuracy);

/* Numbers [rows] of a run, the i-th here, in an output. */
double *ml_accuracy_row(const struct ml_accuracy *accuracy, enum ml_accuracy_values which,
                        int output, int i);
int ml_accuracy_rows(const struct ml_accuracy *accuracy, int output);
int ml_accuracy_all_rows(const struct ml_accuracy *accuracy);

/* Copies run j of another of the same outputs to run i. */
void ml_accuracy_copy_run(struct ml_accuracy *to, int i, const struct ml_accuracy *from, int j);

/* Adds the runs of another that are not there yet, of the same study; false without memory. */
bool ml_accuracy_join(struct ml_accuracy *accuracy, const struct ml_accuracy *other);

/* Results derived from the numbers. */
struct ml_accuracy_found {
    int8_t *is_chaotic; /* [n] 1: a start displaced by hardly anything ends elsewhere */
    double *order;   /* [n][n_output] observed; NaN: not to be seen. With a tolerance, the power of
                        it that the error follows */
    double *size;    /* [n_output] median of the largest number of each run, of ends that are 0 by
                        chance more */
    double *median;  /* [n_output] of the largest difference of each regular run; NaN if no run is
                        regular */
    double *chaotic; /* [n_output] the same of the chaotic runs */
    double *displaced;      /* [n_output] and of the difference that their displaced start makes */
    int n_chaotic, n_other; /* chaotic runs; those that end in another way with half the step */
    double median_order;    /* of the end state of regular runs */
    void *bytes;            /* memory of all arrays */
};

/* False without memory. Free in any case. */
bool ml_accuracy_find(const struct ml_accuracy *accuracy, struct ml_accuracy_found *out);
void ml_accuracy_found_free(struct ml_accuracy_found *found);

/* In words, and whether it is large: a median beyond a hundredth of its output's size, or runs that
 * end in another way with a smaller step. */
struct ml_accuracy_verdict {
    bool is_large;
    char text[1000]; /* "" if nothing can be said */
    char brief[500]; /* the worst of it, without the share of chaotic runs */
    char chaos[300]; /* that share; "" if no run is chaotic */
};

/* False without memory. */
bool ml_accuracy_judge(const struct ml_accuracy *accuracy, struct ml_accuracy_verdict *out);

/* Runs that are being computed again, kept in the work folder, in a file of this name. */
#define ML_ACCURACY_PART_NAME "accuracy"

/* Replaces the file at `path`.
 *   study  its identity */
enum ml_status ml_accuracy_part_write(const char *path, uint64_t study,
                                      const struct ml_accuracy *accuracy, struct ml_error *err);

/* Reads numbers of the same runs from the file at `path`, if that file exists and is whole. */
void ml_accuracy_part_read(const char *path, uint64_t study, struct ml_accuracy *accuracy);

/* Largest sweep_residual (in the unit of the state variable, summed over the steps) of a run whose
 * sweeps count as converged: the remaining error is smaller by their rate of convergence. */
#define ML_SWEEPS_CONVERGED 1e-6

/* Says in how many runs sweeps have not converged, and by how much; false if they have in all.
 *   residual  [n] of the output; NaN where a run did not finish
 *   largest   out: of them, 0 without any
 *   text      of so many bytes */
bool ml_sweeps_say(const double *residual, size_t n, double *largest, size_t size, char *text);

#endif
