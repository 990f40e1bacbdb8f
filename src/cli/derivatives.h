/* Derivatives of numbers by the inputs of a sample, and the measures that follow from these. */
#ifndef ML_CLI_DERIVATIVES_H
#define ML_CLI_DERIVATIVES_H

#include "cli/indices.h"
#include "cli/sample.h"

struct derivatives {
    struct sample *sample;
    int n, n_parameter;     /* inputs with derivatives; parameters of the derivatives */
    int first_without;      /* input; -1: all inputs have derivatives */
    const char **inputs;    /* [n] names */
    double *ratios;         /* [n][n_parameter] how much a parameter moves per unit of the input */
    double *constants;      /* [n] Poincare constants; NaN: unknown */
    int *is_log;            /* [n] the constant is that of the logarithm */
    double *x, *gradients;  /* [n][runs of the sample] */
    double *room;           /* [runs of the sample][n_parameter] */
    double *vectors;        /* [n][n] eigenvectors */
    struct ml_index *found; /* [n][ML_INDEX_KINDS] */
    struct ml_index_points points;
    struct ml_derivative_measures measures;
};

/* Finds the inputs by which the result has derivatives; n is 0 if there are no such inputs. To be
 * freed in any case.
 *   d  {0} */
enum ml_status derivatives_open(struct derivatives *d, struct sample *sample);
void derivatives_free(struct derivatives *d);

/* Reads the derivatives of component k of a dataset at a point of the grid; *has is false if the
 * result has no such derivatives.
 *   name   of the component, "end_angle.upper"
 *   start  [n_run_dim] point of the grid */
enum ml_status derivatives_read(struct derivatives *d, const struct ml_array_info *info, int64_t k,
                                const char *name, const int64_t *start, bool *has);

/* The measures of the number whose derivatives were read, over a part of the points.
 *   y  [n_run of the part] */
struct indices derivatives_indices(struct derivatives *d, const struct ml_index_points *part,
                                   const char *name, const double *y);

/* Prints eigenvalues and active directions below the table. */
void derivatives_print_directions(const struct derivatives *d, const struct indices *found);

#endif
