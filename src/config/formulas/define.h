/* `define` of a study: names of numbers and of formulas, for all numbers of the study. */
#ifndef ML_CONFIG_DEFINE_H
#define ML_CONFIG_DEFINE_H

#include "base/param.h"
#include "config/formulas/names.h"
#include "model/defined.h"
#include "yaml/number.h"

/* A number that was read as a formula of names. */
struct ml_define_use {
    const struct ml_node *place;
    struct ml_param param;
    int node;
    double value;      /* as the names' own values give it */
    const double *out; /* where the number was put; NULL: another number stands there now */
    bool is_copied;    /* the copy counts, unless this is a number of a run too */
    struct ml_define_use *next;
};

struct ml_define {
    struct ml_pool *pool;                   /* of the reading */
    struct ml_defined *out;                 /* of the study */
    struct ml_formula_reading f;            /* of numbers */
    struct ml_names scope;                  /* of the names, for other formulas */
    struct ml_names own;                    /* of the same, for numbers: there are no other names */
    struct ml_names others;                 /* above, has none */
    double *values;                         /* [out->n_name] of the names that have one */
    struct ml_define_use *uses;             /* the last one first */
    const struct ml_define_use *settled;    /* it and those before it are */
    const struct ml_define_use *step, *end; /* of the time, where runs differ in the step; NULL:
                                               they do not, or not in the end too */
};

/* Makes the scope of n names, of which none is read yet. */
void ml_define_make(struct ml_reader *r, struct ml_define *d, struct ml_name *names, int n);

/* The value of a formula as the names' own values give it. False after writing the fault.
 *   out  where the number is kept: once that is known to be a number of a run, runs can differ in
 *        it */
bool ml_define_number(struct ml_define *d, const struct ml_node *node, const struct ml_param *param,
                      double *out, struct ml_number_fault *fault);

/* Copies n numbers that were read, with the formulas of them.
 *   d  NULL: no names are read yet */
void ml_define_copy(struct ml_define *d, double *to, const double *from, int n);

/* [n_name] which names with a value a node depends on; NULL without memory. */
bool *ml_define_names_of(const struct ml_define *d, int node);

#endif
