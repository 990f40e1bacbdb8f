/* Statistics of the numbers of a result over the runs of its sample, at each point of the other
 * axes. */
#ifndef ML_STORE_SAMPLE_STATISTICS_H
#define ML_STORE_SAMPLE_STATISTICS_H

#include "h5/h5.h"
#include "manylink/outcome.h"
#include "plan/layout.h"
#include "store/sample_numbers.h"
#include "yaml/pool.h"

/* Tables of numbers for each described number of the summary. */
enum ml_sample_table {
    ML_SAMPLE_MOMENTS,      /* [5] mean, sd, standard error, min, max */
    ML_SAMPLE_QUANTILES,    /* [7][3] value, low, high */
    ML_SAMPLE_RUNS,         /* [1] runs that have a finite number */
    ML_SAMPLE_HISTOGRAM,    /* [n_bin] runs */
    ML_SAMPLE_EDGES,        /* [n_bin + 1] */
    ML_SAMPLE_CORRELATIONS, /* [n_input][2] Pearson's, Spearman's */
    ML_SAMPLE_NEVER,        /* [1] finished runs without the number, of outputs with `better` */
    ML_SAMPLE_NEVER_PART,   /* [3] the part of them, low, high */
    ML_N_SAMPLE_TABLE
};
enum { ML_N_SAMPLE_MOMENT = 5, ML_N_SAMPLE_CORRELATION = 2 };

struct ml_sample_statistics {
    int64_t n, n_cell;        /* points of the sample; of the other axes */
    int n_input, first_input; /* drawn quantities, and the first of them among all swept */
    int n_bin;
    int64_t size[ML_N_SAMPLE_TABLE];   /* numbers of a table for each described number */
    double *tables[ML_N_SAMPLE_TABLE]; /* [numbers of all outputs, each [n_cell][rows]][size] */
    int64_t (*outcomes)[ML_N_OUTCOME]; /* [n_cell] runs that ended so */
    double *met; /* [n_cell][n_requirement + 1] runs that meet each requirement, and all of them;
                    NULL: the study has none */
    struct ml_pool pool; /* owns the arrays */
};

/* Sizes alone, without a table: for a sketch. Free in any case. */
void ml_sample_statistics_measure(struct ml_sample_statistics *statistics,
                                  const struct ml_layout *layout);

/* The numbers of all runs in a file. */
struct ml_sample_source {
    struct ml_h5 *h5; /* errors are there */
    const struct ml_layout *layout;
    hid_t entry, outcome; /* /study; the outcomes of all runs */
    const hid_t *summary; /* [n_output] */
};

/* Reads the numbers from the file. Runs that did not end as the study asks are left out, and
 * numbers that are not finite; in quantiles of outputs with `better`, NaN of other runs is the
 * worst number. */
void ml_sample_statistics_find(struct ml_sample_statistics *statistics,
                               const struct ml_sample_source *from);
void ml_sample_statistics_free(struct ml_sample_statistics *statistics);

/* Bytes of memory that this takes. */
double ml_sample_statistics_bytes(const struct ml_layout *layout);

#endif
