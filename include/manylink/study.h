/* A study: the contents of the YAML file, checked and complete. */
#ifndef MANYLINK_STUDY_H
#define MANYLINK_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/array.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_study;

/* Where a study is, and how to read the study. A field that is 0 or NULL has its default. */
struct ml_study_source {
    size_t size;                  /* sizeof(struct ml_study_source) */
    const char *path;             /* the file; of a text its name in messages, NULL: "study" */
    const char *text;             /* in place of the file; NULL: the file is read */
    size_t length;                /* of the text; 0: up to its NUL */
    const char *const *overrides; /* [n_override] "path.to.key=value", set in place of the
                                     study's own value */
    int n_override;
    int no_native;      /* a study with a plugin, which is code, is refused */
    int for_inverse;    /* for ml_inverse, which integrates nothing: a study without a motion of its
                           own, events, indicators or trajectories needs no `time`, and no notice is
                           about the integration */
    const char *plugin; /* of ml_extend_study: the plugin of the result's study, if it is not where
                           it was; without it and `path` a result with a plugin is refused */
    int for_fit;        /* for ml_fit: as for_inverse if the study's `fit` has of: inverse */
    const char *motion; /* path of a table in place of the study's `motion.file`, from whose markers
                           segments have lengths that the study does not give; as `motion` of
                           ml_inverse_options; NULL: the study's own */
};

/* Reads a study, for the fastest instruction set there is, or for that which $MANYLINK_ISA names
 * ("baseline", "v3", "v4").
 *   out  owned by the caller, freed with ml_study_free; NULL on failure
 * Integrates some steps of a few runs if there are tangent vectors: some milliseconds.
 * Returns ML_E_FILE when the file cannot be read, ML_E_INPUT if it is missing, and with lines
 * "file:line:column: fault and allowed values", each followed by its source line and a caret.
 */
ML_API enum ml_status ml_study_load(const struct ml_study_source *source, struct ml_study **out,
                                    struct ml_error *err);

ML_API void ml_study_free(struct ml_study *study);

ML_API int64_t ml_study_runs(const struct ml_study *study);      /* number of runs */
ML_API const char *ml_study_title(const struct ml_study *study); /* "" if the study has no title */
ML_API const char *
ml_study_name(const struct ml_study *study); /* its file, or the name of its text */

/* The text that the study was read from; of a study built by calls the text that they built.
 * Borrowed. */
ML_API const char *ml_study_definition(const struct ml_study *study);

/* How the runs cover the swept numbers. */
enum ml_study_sampling {
    ML_STUDY_GRID,   /* every combination of the axes' values, the last axis fastest; without an
                        axis a single run */
    ML_STUDY_SAMPLE, /* points drawn from the ranges of one axis, "run", that moves every key */
};
ML_API enum ml_study_sampling ml_study_sampling(const struct ml_study *study);

/* How the points are chosen, in words: "grid", "random sample", "latin hypercube sample", "Sobol
 * sample". Static. */
ML_API const char *ml_study_method(const struct ml_study *study);

/* An axis of the sweep. */
struct ml_study_axis {
    size_t size;      /* sizeof(struct ml_study_axis) */
    const char *name; /* given, or the path of its only key */
    int64_t count;    /* runs along it */
    int n_key;        /* keys that it moves */
    int has_values;   /* its values are numbers of its own, see ml_study_axis_values; 0: its keys'
                         numbers are given one by one, or drawn, and the axis only counts */
    const char *unit; /* of its values: of its key, or "1" of factors and indices */
    const char *description;
    int is_log; /* spaced evenly in the logarithm */
};

/* A key that is swept. */
struct ml_study_key {
    size_t size;      /* sizeof(struct ml_study_key) */
    const char *path; /* as in `set` of the study: "system.segments.lower.mass" */
    const char *unit, *description;
    int axis;         /* that moves it */
    double low, high; /* ends of its range; along a grid its first and last value */
    int is_log;       /* spread evenly in the logarithm */
};

/* Axis i, from 0 on; 0 past the last. Texts are borrowed from the study. */
ML_API int ml_study_axis(const struct ml_study *study, int i, struct ml_study_axis *axis);

/* Fills in the values of axis i, [count of the axis], in its unit; of one that only counts 0, 1,
 * ...
 */
ML_API void ml_study_axis_values(const struct ml_study *study, int i, double *values);

/* Swept key i, from 0 on, in the order axes, keys of an axis; 0 past the last. */
ML_API int ml_study_key(const struct ml_study *study, int i, struct ml_study_key *key);

/* A number of the runs that is a formula of names below `define`. */
struct ml_study_formula {
    size_t size;      /* sizeof(struct ml_study_formula) */
    const char *path; /* of the number: "system.segments.lower.mass" */
    const char *text; /* its formula: "3*m/2" */
    double low, high; /* its smallest and its largest value, of all runs or of 65536 that are spread
                         over them */
};

/* Formula i, from 0 on, in the order of the numbers; 0 past the last. Texts are borrowed from the
 * study. */
ML_API int ml_study_formula(const struct ml_study *study, int i, struct ml_study_formula *formula);

/* Fills in a run's values of the swept keys, [number of keys], in the keys' units; NaN of a run
 * that the study has not. */
ML_API void ml_study_run_values(const struct ml_study *study, int64_t run, double *values);

/* Output i of every run, from 0 on; shape and dimensions are those of a single run. 0 past the
 * last. */
ML_API int ml_study_output(const struct ml_study *study, int i, struct ml_array_info *output);

/* Fills in the numbers along dimension k of output i, [shape[k]]: times, frequencies, numbers of
 * poles. 0 of a dimension that has labels or is not there; then `values` stay. */
ML_API int ml_study_output_values(const struct ml_study *study, int i, int k, double *values);

/* The output that viewers show first: the output that `show` names, else the first indicator of
 * `analyse`, never a check of the integration; -1: none. */
ML_API int ml_study_shown(const struct ml_study *study);

/* Record i, from 0 on, of a saved trajectory; the last dimension is time. 0 past the last. */
ML_API int ml_study_record(const struct ml_study *study, int i, struct ml_array_info *record);

/* The state: quantity i, from 0 on: "angle" of every segment, then "rate". 0 past the last. */
ML_API int ml_study_state(const struct ml_study *study, int i, struct ml_array_info *quantity);

/* Name of segment or degree of freedom i, from 0 on; NULL past the last, and for a system without
 * names.
 */
ML_API const char *ml_study_segment(const struct ml_study *study, int i);

/* A value of a swept number: path as in `set` of the study, in the unit of that key. */
struct ml_study_point {
    const char *path;
    double value;
};

/* Finds the run nearest to given values: on each axis of a grid the value nearest to the given
 * value (in the logarithm on a log scale), in a sample the least sum of squares of the differences
 * in units of the ranges; the first of equals.
 *   points  [n_point] in a grid every axis of more than one value must be among them
 *   run     set to its number, from 0 on
 * ML_E_INPUT for a path that is not swept and for an axis without a value. */
ML_API enum ml_status ml_study_find_run(const struct ml_study *study,
                                        const struct ml_study_point *points, int n_point,
                                        int64_t *run, struct ml_error *err);

/* Turns the study into the study of a single run: no axes, the swept values of that run, its
 * trajectory saved. The outputs of that run keep every bit. ML_E_INPUT if there is no such run; the
 * study is then unchanged. */
ML_API enum ml_status ml_study_keep_run(struct ml_study *study, int64_t run, struct ml_error *err);

/* The number that the run of such a study had before; -1 of a study with all its runs. */
ML_API int64_t ml_study_kept_run(const struct ml_study *study);

/* Notice i about the study, from 0 on; NULL past the last. A notice is a line of text without its
 * end, "file:line:column: note: ...", about a legal entry that may not be meant. Borrowed from the
 * study. */
ML_API const char *ml_study_notice(const struct ml_study *study, int i);

/* The study as canonical YAML with every key and its value; itself a study file, and equal for
 * equal studies. Borrowed from the study. */
ML_API const char *ml_study_resolved(const struct ml_study *study);

/* The equations of a study's own system, with the terms derived from energies or a Hamiltonian: as
 * keys of a system in YAML, or as LaTeX. To be freed by the caller; "" if the study has no formulas
 * of its own, NULL without memory or where conditions are nested more than 1000 deep. Thread-safe.
 */
ML_API char *ml_study_equations(const struct ml_study *study, int is_latex);

/* JSON Schema (draft 2020-12) of the study file; to be freed by the caller, NULL without memory. */
ML_API char *ml_study_schema(void);

#ifdef __cplusplus
}
#endif

#endif
