/* `define` of a study: names of numbers and of formulas, for all numbers of the study. */
#ifndef ML_CONFIG_DEFINE_H
#define ML_CONFIG_DEFINE_H

#include "base/param.h"
#include "model/defined.h"
#include "yaml/number.h"
#include "yaml/problems.h"

enum {
    ML_DEFINE_UNREAD = -2, /* node of a name that is not read yet */
    ML_DEFINE_FAILED = -3  /* of one that was told to be wrong */
};

struct ml_define_name {
    const struct ml_node *place;
    int node; /* in the graph, or one of the above */
    bool is_used;
};

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
    struct ml_problems *problems;
    struct ml_pool *pool;         /* of the reading */
    struct ml_defined *out;       /* of the study */
    struct ml_define_name *names; /* [n] */
    int n;
    double *values; /* [out->n_name] of the names that have one */
    int *underway;  /* [n_underway] names that are being read, each for the one before it */
    int n_underway;
    struct ml_define_use *uses;             /* the last one first */
    const struct ml_define_use *settled;    /* it and those before it are */
    const struct ml_define_use *step, *end; /* of the time, where runs differ in the step; NULL:
                                               they do not, or not in the end too */
};

/* Reads the names that are unread, which are texts. */
void ml_define_formulas(struct ml_define *d);

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
