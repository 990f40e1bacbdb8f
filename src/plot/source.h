/* A finished result that pictures are made of, read by the calls that every program has. Errors are
 * sticky: after the first that fails, functions do nothing and return NULL, 0 or "", so that
 * callers look at `status` once. */
#ifndef ML_PLOT_SOURCE_H
#define ML_PLOT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/stop.h"
#include "manylink/plot.h"
#include "manylink/result.h"
#include "yaml/nearest.h"
#include "yaml/pool.h"

struct ml_plot_source {
    struct ml_result *result;
    const char *path; /* for messages; borrowed */
    struct ml_error *err;
    enum ml_status status;
    struct ml_pool pool; /* of all that lives as long as the picture is made */
    const char *title;
    unsigned long long n_run;
    const int64_t *outcomes; /* as of ml_plot_outcomes, once they were asked for */
    bool is_inverse; /* motions and torques, or a fit: it has no runs but the points of a grid, or
                        one, all finished */
    bool is_comparison;  /* of integrators: it has no runs either */
    bool is_empty;       /* it was refused because the values to draw have no finite one */
    struct ml_stop stop; /* as of ml_plot_options; {0} before the first file */
};

/* To be closed, whatever came of it. */
void ml_plot_open(struct ml_plot_source *source, const struct ml_plot_options *request,
                  struct ml_error *err);
enum ml_status ml_plot_close(struct ml_plot_source *source);

/* Whether the drawing is to end, which fails with ML_STOPPED. */
bool ml_plot_is_stopped(struct ml_plot_source *source);

/* Fails; the second with ML_E_INPUT and the path of the result before the text: the request is for
 * something that the result does not have. */
void ml_plot_fail(struct ml_plot_source *source, enum ml_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ml_plot_refuse(struct ml_plot_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Words that are allowed, for a refusal. */
struct ml_plot_words {
    struct ml_pool *pool;
    struct ml_nearest nearest;
    const char *all; /* "a, b, c"; "" so far */
};

void ml_plot_allow(struct ml_plot_words *words, const char *word);
/* "did you mean `b`? There are a, b, c", or without the question. */
const char *ml_plot_hint(const struct ml_plot_words *words);

/* Memory and text of the pool. */
void *ml_plot_take(struct ml_plot_source *source, unsigned long long count, size_t size);
const char *ml_plot_format(struct ml_plot_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The dataset GROUP/NAME; false if not found. */
bool ml_plot_describe(const struct ml_plot_source *source, const char *group, const char *name,
                      struct ml_array_info *info);
/* The name of the i-th dataset of a group, from 0 on; NULL past the last. */
const char *ml_plot_member(const struct ml_plot_source *source, const char *group, int i,
                           struct ml_array_info *info);
/* Whether a dataset has numbers that are drawn, not those of an axis. */
bool ml_plot_has_numbers(const struct ml_array_info *info);

/* [n] numbers of a dataset of n. */
double *ml_plot_numbers(struct ml_plot_source *source, const char *path, unsigned long long n);

/* First text of an attribute of a dataset or group; `other` without one. */
const char *ml_plot_attribute(struct ml_plot_source *source, const char *path, const char *name,
                              const char *other);
/* "NAME (UNIT)" of a dataset, unless its long_name is another. */
const char *ml_plot_label(struct ml_plot_source *source, const char *path, const char *name,
                          const char *unit);

/* [n_run] how the runs ended, enum ml_outcome. */
const int64_t *ml_plot_outcomes(struct ml_plot_source *source);

/* Whether a name is that of a swept quantity, whose values in all runs are in /study/runs; and
 * those values, [n_run]. */
bool ml_plot_is_swept(const struct ml_plot_source *source, const char *name);
const double *ml_plot_swept_values(struct ml_plot_source *source, const char *name);

/* [n_run] numbers of the runs, by row of the datasets of /study/runs. */
const int64_t *ml_plot_run_numbers(struct ml_plot_source *source);
/* The row of a run in the datasets of /study/runs; refuses one that is not in the result. */
unsigned long long ml_plot_row(struct ml_plot_source *source, unsigned long long run);

/* "name = value unit; ..." of all that is swept, for the run in a row. */
const char *ml_plot_swept(struct ml_plot_source *source, unsigned long long row);

#endif
