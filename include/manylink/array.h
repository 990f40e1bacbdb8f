/* Name, shape, units and meaning of an array of numbers or texts: of a study's outputs and states,
 * and of results. */
#ifndef MANYLINK_ARRAY_H
#define MANYLINK_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ML_ARRAY_MAX_RANK = 32 };

enum ml_array_type {
    ML_ARRAY_DOUBLE,  /* 64-bit floating point */
    ML_ARRAY_INTEGER, /* at most 64 bits, signed */
    ML_ARRAY_TEXT     /* UTF-8 */
};

/* Filled in by the called function; the caller sets `size`. All texts are borrowed from the study
 * or the result of the call. */
struct ml_array_info {
    size_t size; /* sizeof(struct ml_array_info) */
    const char *name;
    const char *unit; /* SI; "1": none */
    const char *description;
    enum ml_array_type type;
    int rank;      /* 0: a single number or text */
    int n_run_dim; /* number of leading dimensions that are those of the runs, in the order of their
                      numbers; 0: of a single run, and of arrays of a study */
    int64_t shape[ML_ARRAY_MAX_RANK];   /* [rank] slowest first: arrays are in row order */
    const char *dim[ML_ARRAY_MAX_RANK]; /* [rank] name of each dimension, "segment"; in a result the
                                           dataset of the same group that has its numbers or
                                           labels; "": it has none */
};

#ifdef __cplusplus
}
#endif

#endif
