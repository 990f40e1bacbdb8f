/* A table of integrators as a result file: errors and work over integrator and level, which
 * ml_result_open reads, and ml_plot and viewers draw. */
#ifndef MANYLINK_PRECISION_H
#define MANYLINK_PRECISION_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/status.h"
#include "manylink/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A dataset of the table. */
struct ml_precision_column {
    const char *name, *unit, *description; /* of the dataset; SI, "1": none */
    const char *label;                     /* on axes, without the unit; NULL: the name */
    const double *values;                  /* [n_integrator][n_level]; NaN: no number */
};

struct ml_precision {
    size_t size;                    /* sizeof(struct ml_precision) */
    const char *const *integrators; /* [n_integrator] names, at least one */
    int n_integrator;
    int n_level; /* steps or tolerances of each integrator, the least exact first; at least 1 */
    /* [n_column] among them "error", "cpu_time" (s) and "evaluations", which views draw */
    const struct ml_precision_column *columns;
    int n_column;
    /* The reference of the errors: two integrators and their tolerances, the difference of their
     * end states, below which no error is known, and the runs. */
    const char *reference[2];
    double reference_tolerance[2];
    double reference_difference;
    int64_t runs, compared, undetermined, unfinished;
};

/* Writes /study/precision with a dataset for each column, and views of the error over CPU time and
 * over evaluations. Replaces a file of this kind. On failure the file at `path` is as before.
 *   study  of the runs; its texts and instruction set are in the file
 *   table  borrowed for the call
 * ML_E_FILE, ML_E_INPUT if another file is at `path` or a column is missing, ML_E_MEMORY.
 * Thread-safe. */
ML_API enum ml_status ml_precision_write(const struct ml_study *study,
                                         const struct ml_precision *table, const char *path,
                                         struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
