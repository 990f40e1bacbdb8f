/* State of the reading of a study, shared by its sections, and the reading of keys, numbers and
 * words. */
#ifndef ML_CONFIG_READER_H
#define ML_CONFIG_READER_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "config/schema/schema.h"
#include "config/schema/study_spec.h"
#include "yaml/number.h"
#include "yaml/pool.h"
#include "yaml/problems.h"

/* {0}: code that the study's text names, as the user named the study. */
struct ml_native {
    bool is_refused;   /* none at all */
    bool is_of_result; /* the text comes from a result: only code that the user named as well */
    const char *file;  /* the user named this file, in place of that of the text; NULL */
    const char *study_file; /* the user named a study with this `system.file`; NULL */
    uint64_t checksum;      /* is_of_result: of the file that the result was made with */
};

/* The code that may be loaded for the study of a result.
 *   resolved  text of its study
 *   study     a study file that the user names; NULL
 *   file      a shared object that the user names; NULL
 *   pool      owns the texts */
struct ml_native ml_native_of_result(const char *resolved, const char *study, const char *file,
                                     struct ml_pool *pool);

/* The path of the file to load, of two for the `file` of a study's text; NULL if it may not be
 * loaded: then *why says why.
 *   file  of the text
 *   path  the same, from where the command runs */
const char *ml_native_choose(const struct ml_native *native, const char *file, const char *path,
                             const char **why);

/* Format of a plugin's name and checksum in /study/resolved, for printf. */
#define ML_NATIVE_CHECKSUM "\n  # %s: XXH3 (64 bits) of the file %016llx\n"

#define ML_REGISTERS "registers" /* key of the section, and name of their force in a chain */

/* A number of a run, as a sweep may name it. */
struct ml_slot {
    const char *path;
    struct ml_param param;
};

/* One option --set. */
struct ml_override {
    const char *path;            /* NULL: it could not be read, and was reported */
    const struct ml_node *value; /* never NULL beside a path */
    const char *fault;           /* why the tree had no place for it; NULL: it had */
};

struct ml_reader {
    struct ml_pool *pool; /* of this reading */
    struct ml_problems problems;
    struct ml_problems notices;           /* see ml_notice */
    struct ml_told_doubt *doubts;         /* about formulas, that were told */
    struct ml_native native;              /* code that may be loaded */
    bool is_for_inverse;                  /* nothing will be integrated */
    const char *motion;                   /* path that takes the place of `motion.file`; NULL */
    bool is_for_fit;                      /* the same if `fit` has of: inverse */
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
                                             config/points/study_numbers.h and a clock are behind */
    struct ml_quantity_table *quantities; /* records by formula; NULL: none */
    const struct ml_node *time;           /* NULL: not given */
    struct ml_slot *slots;                /* [n_value]; NULL until known */
    const struct ml_slot **sorted;        /* the same by path, without */
    const struct ml_slot *clock;     /* the step or end of a run, the last; NULL: none is swept */
    const struct ml_node **swept_by; /* [n_value] the place that sweeps it; NULL: none */
    bool *is_seen; /* [n_value] a check or a plan has taken its value; NULL: nothing is noted any
                      more */
    const struct ml_node *analyse; /* NULL: not given */
    double **settings;             /* [indicator] those of the study */
    const struct ml_node *along;   /* the `of: trajectory`; NULL without one */
    struct ml_override *overrides; /* [n_override] */
    int n_override;
    struct ml_define *define; /* see config/formulas/define.h; NULL: not read yet */
    bool (*define_number)(struct ml_define *d, const struct ml_node *node,
                          const struct ml_param *param, double *out,
                          struct ml_number_fault *fault); /* ml_define_number, beside that */
    const struct ml_names *states; /* of forces by formula that are read; NULL: none */
    const struct ml_names *names;  /* of formulas outside of the system: those of its own formulas,
                                      and of `define`, as far as these are read */
    struct ml_fixed_axis
        *fixed; /* axes that are gone, see config/points/fixed_axes.h; NULL: none */
};

/* Whether a study gives a number of a run: at its key, for all runs, or by sweeping it. Where it
 * does not the number is NaN, as the system that derives it takes it. */
static inline bool ml_slot_has_own(const struct ml_reader *r, int64_t slot)
{
    return !isnan(r->spec->numbers.base[slot]);
}

static inline bool ml_slot_is_given(const struct ml_reader *r, int64_t slot)
{
    return r->swept_by[slot] || ml_slot_has_own(r, slot);
}

/* The nodes of [x, y] or {x: .., y: ..}; false after telling that `node` is neither. */
bool ml_read_pair(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                  const struct ml_node *pair[2]);

/* Reads the keys of one map; absent ones take their default, or are reported as missing.
 *   map     NULL: everything is absent, and nothing is missing
 *   fields  struct of the scope
 *   values  numbers of the scope */
void ml_read_map(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                 void *fields, double *values);

/* Reads the maps of groups among the keys of a map. */
void ml_read_groups(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys,
                    void *fields, double *values);

/* Reads the keys of a scope that depends on no force. */
void ml_read_scope(struct ml_reader *r, const struct ml_node *map, enum ml_scope scope,
                   void *fields);

/* One number within its range; false after telling. */
bool ml_read_number(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *out);

/* False after telling that a number has another unit than the key; `node` may be NULL. */
bool ml_read_unit(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param);

/* False after reporting so. */
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

/* Reports a fault `at` bytes after the start of a text, the value of `key`. */
void ml_report_text(struct ml_reader *r, const struct ml_node *place, const char *key, int at,
                    const char *what);

/* Adds a notice about the text at `place` (of the file or of an option --set). */
void ml_notice(struct ml_reader *r, struct ml_location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A notice about the text `at` bytes after the start of a formula, once even if the formula is read
 * again. */
void ml_notice_formula(struct ml_reader *r, const struct ml_node *place, int at, const char *what);

/* The text of all notices, "file:line:column: note: text" each, in the order of the file:
 * [r->notices.count], owned by `pool`; NULL without memory. */
const char **ml_notices_list(const struct ml_reader *r, struct ml_pool *pool);

#endif
