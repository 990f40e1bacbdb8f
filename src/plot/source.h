/* A finished result that pictures are made of. Errors are sticky, as in h5/h5.h. */
#ifndef ML_PLOT_SOURCE_H
#define ML_PLOT_SOURCE_H

#include "h5/h5.h"
#include "plot/request.h"
#include "store/run_dims.h"
#include "yaml/nearest.h"
#include "yaml/pool.h"

struct ml_plot_source {
    struct ml_h5 h5;
    struct ml_pool pool; /* of all that lives as long as the picture is made */
    hid_t file;
    const char *title;
    unsigned long long n_run;
    struct ml_run_dims run_dims; /* of the summary, or of the torques */
    bool
        is_inverse; /* motions and torques: it has no runs but the points of a grid, all finished */
    bool is_comparison;  /* of integrators: it has no runs either */
    bool is_empty;       /* it was refused because what was to be drawn has no finite value */
    struct ml_stop stop; /* as of ml_plot_request; {0} before the first file */
};

/* To be closed, whatever came of it. */
void ml_plot_open(struct ml_plot_source *source, const struct ml_plot_request *request,
                  struct ml_error *err);
enum ml_status ml_plot_close(struct ml_plot_source *source);

/* Whether the drawing is to end, which fails with ML_STOPPED. */
bool ml_plot_is_stopped(struct ml_plot_source *source);

/* Fails with ML_E_INPUT: what was asked for is not in the result. */
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

/* Memory and text of the pool; they fail with the source, so that callers look at its status. */
void *ml_plot_take(struct ml_plot_source *source, unsigned long long count, size_t size);
const char *ml_plot_format(struct ml_plot_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text of an attribute; `other` without one. */
const char *ml_plot_attribute(struct ml_plot_source *source, hid_t at, const char *name,
                              const char *other);

/* [n_run] how the runs ended, enum ml_outcome. */
const int8_t *ml_plot_outcomes(struct ml_plot_source *source);

/* Whether a name is that of a swept quantity, whose values in all runs are in /study/runs; and
 * those values, [n_run]. */
bool ml_plot_is_swept(struct ml_plot_source *source, const char *name);
const double *ml_plot_swept_values(struct ml_plot_source *source, const char *name);

/* [n_run] numbers of the runs, by row of the datasets of /study/runs. */
const int64_t *ml_plot_run_numbers(struct ml_plot_source *source);
/* The row of a run in the datasets of /study/runs; refuses one that is not in the result. */
unsigned long long ml_plot_row(struct ml_plot_source *source, unsigned long long run);

/* "name = value unit; ..." of all that is swept, for the run in a row. */
const char *ml_plot_swept(struct ml_plot_source *source, unsigned long long row);

#endif
