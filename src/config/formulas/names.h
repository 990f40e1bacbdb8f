/* Names of formulas. A scope has names of its own and knows those of the scope above: the study's
 * `define` is above the formulas of a system or force, and a system above quantities and events.
 * Formulas are read where they are named, each for the graph at hand. */
#ifndef ML_CONFIG_NAMES_H
#define ML_CONFIG_NAMES_H

#include "config/schema/reader.h"
#include "expr/parse.h"
#include "yaml/nearest.h"

enum { ML_NAMES_DEEPEST = 32 }; /* names that are read for each other: each takes stack */

/* Numbers that formulas name: one, or an array. */
struct ml_entries {
    const char *name, *unit, *doc;
    int count;      /* of an array; 0: it is one number */
    double *values; /* [count, or 1] */
};

/* How many numbers there are. */
static inline int ml_entries_size(const struct ml_entries *entries)
{
    return entries->count > 0 ? entries->count : 1;
}

/* A name in formulas: a number, an array of numbers, a formula, or a function. */
struct ml_name {
    const char *name;
    const struct ml_node *place; /* node of the number or the formula */
    const char *unit;            /* NULL: no unit is given */
    bool is_formula;             /* of a formula or a function */
    struct ml_entries given;     /* size and values of an array; {0} for a single number */
    int first;                   /* index of the parameter, or row of the state */
    int n_arg;                   /* arguments of a function; 0: the name is no function */
    const char *const *args;     /* [n_arg] names of the arguments */
    bool is_used;                /* some formula takes the name */
    bool is_underway;            /* the formula is being read */
    bool is_right, is_wrong;     /* the formula was read; the formula was reported as wrong */
    const struct ml_graph *in;   /* graph that the formula was read into last; NULL: not read */
    int node;                    /* node in that graph; of an array the node of the first entry */
};

/* A scope: the names that formulas of one section see, and those of the scopes above. */
struct ml_names {
    const struct ml_names *above; /* NULL: the outermost scope */
    struct ml_name *names;        /* [n] */
    int n;
    bool is_unfused; /* formulas of the scope round every product by itself, without fma */

    /* Names that are not listed, after those that are; each may be NULL. The node of a name;
     * ML_NO_NODE without such a name, or after writing to `fault`. */
    int (*find)(void *context, const char *name, struct ml_expr_fault *fault);
    const char *(*unit)(void *context, const char *name);
    void (*offer)(void *context, struct ml_nearest *nearest);
    void *context;
};

/* Names with nodes of their own: arguments of a function, or the index of a rate. */
struct ml_frame {
    int n;
    const char *const *names;
    const int *nodes; /* [n] */
};

/* Formulas that become nodes of a graph. */
struct ml_formula_reading {
    struct ml_reader *r;
    struct ml_graph *graph;
    const struct ml_names *scope; /* of the formula that is being read */
    struct ml_frame frame;        /* of the same */
    const struct ml_node *place;  /* of the same */
    bool is_constant;             /* numbers, without time, arrays and tables */

    /* The node of number k of a name that is no formula; ML_NO_NODE after writing to `fault`. */
    int (*number)(void *context, const struct ml_name *name, int k, struct ml_expr_fault *fault);
    /* The node of x', and of a node a delay ago, in the same way; NULL: not here. */
    int (*rate)(void *context, const char *name, struct ml_expr_fault *fault);
    int (*past)(void *context, int node, int delay, struct ml_expr_fault *fault);
    void *context;

    const char *underway[ML_NAMES_DEEPEST]; /* [n_underway] names whose formulas are being read,
                                               each for the one before it */
    int n_underway;
};

/* Writes to `fault`; ML_NO_NODE. */
int ml_names_refuse(struct ml_expr_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a name can stand in a formula, and means nothing else there. */
bool ml_is_formula_name(const char *name);

/* Reports a key that cannot be a name in formulas; false then.
 *   fault  why it cannot, where there is no other reason; NULL: it can */
bool ml_check_formula_name(struct ml_reader *r, const struct ml_node *named, const char *fault);

/* own_functions.c: the name and the arguments of a function, whose formula is at a place with the
 * head as its key, "f(x, k)"; false after telling. */
bool ml_read_function_head(struct ml_reader *r, const struct ml_node *place, struct ml_name *out);

/* The name among those that a scope lists; NULL: it lists none. ml_names_know: or a scope above it;
 * `scope` may be NULL. */
struct ml_name *ml_names_find(const struct ml_names *scope, const char *name);
const struct ml_name *ml_names_know(const struct ml_names *scope, const char *name);

/* The node of a name for the formula that is being read, as ml_expr_names.find.
 *   reading  struct ml_formula_reading */
int ml_names_node(void *reading, const char *name, struct ml_expr_fault *fault);

/* The node of a text, which is a comparison or a number; ML_NO_NODE after writing to `fault`. */
int ml_names_parse(struct ml_formula_reading *f, const char *text, bool is_truth,
                   struct ml_expr_fault *fault);

/* The node of the formula at a place, which messages call `key`; ML_NO_NODE after telling. */
int ml_names_read(struct ml_formula_reading *f, const struct ml_node *place, const char *key,
                  bool is_truth);

/* The node of a name of the scope at hand, though no formula takes it; ML_NO_NODE after telling. */
int ml_names_define(struct ml_formula_reading *f, struct ml_name *name);

#endif
