/* State of the reading of a study, shared by its sections, and the reading of keys, numbers and
 * words. */
#ifndef ML_CONFIG_READER_H
#define ML_CONFIG_READER_H

#include <math.h>

#include "config/native.h"
#include "config/schema.h"
#include "config/study_spec.h"
#include "yaml/problems.h"

/* A number of a run, as a sweep may name it. */
struct ml_slot {
    const char *path;
    struct ml_param param;
};

/* One option --set. */
struct ml_override {
    const char *path;            /* NULL: it could not be read, and was told */
    const struct ml_node *value; /* never NULL beside a path */
    const char *fault;           /* why the tree had no place for it; NULL: it had */
};

struct ml_reader {
    struct ml_pool *pool; /* of this reading */
    struct ml_problems problems;
    struct ml_problems notices;           /* see config/notices.h */
    struct ml_told_doubt *doubts;         /* about formulas, that were told */
    struct ml_native native;              /* code that may be loaded */
    bool is_for_inverse;                  /* nothing will be integrated */
    struct ml_study_spec *spec;           /* being filled */
    struct ml_node *root;                 /* the study's tree; NULL before it is parsed */
    const struct ml_system *system;       /* NULL until known */
    const struct ml_force_use *measured;  /* the force at hand, whose file has columns that numbers
                                             may name; NULL: none */
    bool has_segments;                    /* model.n and the segments' names are known */
    double *base;                         /* [slots before the forces] */
    double *force_values;                 /* [all forces' numbers] */
    struct ml_event *events;              /* [n_event] those of the spec; NULL without events */
    double *event_values;                 /* [n_event][ML_EVENT_NUMBERS]; NaN where none is given */
    int first_event;                      /* slot of the first number of events, which only those of
                                             config/study_numbers.h and a clock are behind */
    struct ml_quantity_table *quantities; /* records by formula; NULL: none */
    const struct ml_node *time;           /* NULL: not given */
    struct ml_slot *slots;                /* [n_value]; NULL until known */
    const struct ml_slot **sorted;        /* the same by path, without */
    const struct ml_slot *clock;     /* the step or end of a run, the last; NULL: none is swept */
    const struct ml_node **swept_by; /* [n_value] the place that sweeps it; NULL: none */
    const struct ml_node *analyse;   /* NULL: not given */
    double **settings;               /* [indicator] those of the study */
    const struct ml_node *along;     /* the `of: trajectory`; NULL without one */
    struct ml_override *overrides;   /* [n_override] */
    int n_override;
    struct ml_define *define;    /* see config/define.h; NULL: not read yet */
    struct ml_fixed_axis *fixed; /* axes that are gone, see config/fixed_axes.h; NULL: none */
};

/* Whether a study gives a number of a run: at its key, for all runs, or by sweeping it. Where it
 * does not the number is NaN, as the system that derives it takes it. */
static inline bool ml_slot_has_own(const struct ml_reader *r, int64_t slot)
{
    return !isnan(r->spec->base[slot]);
}

static inline bool ml_slot_is_given(const struct ml_reader *r, int64_t slot)
{
    return r->swept_by[slot] || ml_slot_has_own(r, slot);
}

/* The nodes of [x, y] or {x: .., y: ..}; false after telling that `node` is neither. */
bool ml_read_pair(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                  const struct ml_node *pair[2]);

/* Reads the keys of one map; absent ones take their default, or are told to be missing.
 *   map     NULL: everything is absent, and nothing is missing
 *   fields  struct of the scope
 *   values  numbers of the scope */
void ml_read_map(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                 void *fields, double *values);

/* Reads the maps of groups among the keys of a map. */
void ml_read_groups(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                    void *fields, double *values);

/* The same for a scope that depends on no force. */
void ml_read_scope(struct ml_reader *r, const struct ml_node *map, enum ml_scope scope,
                   void *fields);

/* One number within its range; false after telling. */
bool ml_read_number(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *out);

/* False after telling that a number has another unit than the key; `node` may be NULL. */
bool ml_read_unit(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param);

/* False after telling so. */
bool ml_read_range(struct ml_reader *r, struct ml_location location, const struct ml_param *param,
                   double value);

/* The scalar below a key, as text; NULL after a problem that names the expected value. */
const char *ml_read_text(struct ml_reader *r, const struct ml_node *node, const char *key,
                         const char *wanted);

/* A name of letters, digits, _ and -; NULL after telling. */
const char *ml_read_name(struct ml_reader *r, const struct ml_node *node, const char *key);

/* True if `map` is a map; false after a problem that names the expected value. */
bool ml_read_is_map(struct ml_reader *r, const struct ml_node *map, const char *what);

/* The place of a key's value, or of the map if the key is absent. */
struct ml_location ml_read_location(const struct ml_node *map, const char *key);

/* Value of the word at `key`, of which none is negative; -1 after telling. */
int ml_read_word(struct ml_reader *r, const struct ml_node *map, enum ml_scope scope,
                 const char *key);

/* The value of one of the words of a key; false, and *value as it was, after telling. */
bool ml_read_one_word(struct ml_reader *r, const struct ml_node *node, const struct ml_key *key,
                      int *value);

/* The words a key may be, for messages: "a, b". */
const char *ml_words_text(struct ml_reader *r, const struct ml_key *key);

/* Reports a missing key. */
void ml_read_missing(struct ml_reader *r, const struct ml_node *map, const struct ml_key *key);

/* Reports names that are used more than once. nodes: a list of [n] maps, or of the names. */
void ml_read_unique(struct ml_reader *r, const struct ml_node *nodes, const char *const *names,
                    int n);

#endif
