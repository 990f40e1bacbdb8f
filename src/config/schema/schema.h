/* Every key a study file can have, as rows of one table: the fixed keys written down in schema.c,
 * those of systems and forces taken from their descriptors. Reading, range checks, defaults, --set,
 * the JSON Schema, `list` and the canonical text all come from these rows: a new key that is a
 * number, a word or a text is a row and a field. */
#ifndef ML_CONFIG_SCHEMA_H
#define ML_CONFIG_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/indicator.h"
#include "model/forces/force.h"
#include "model/system.h"
#include "yaml/pool.h"
#include "yaml/range.h"

/* The maps of a study file. */
enum ml_scope {
#define ML_SCOPE(name, ...) ML_SCOPE_##name,
#include "config/sections/scopes.def"
    ML_N_SCOPE
};

/* Kind of the value of a key. */
enum ml_key_kind {
#define ML_KEY_KIND(name, ...) ML_KEY_##name,
#include "config/schema/kinds.def"
    ML_N_KEY_KIND
};

/* The type of the field that receives a key. */
enum ml_key_field {
    ML_FIELD_DOUBLE,
    ML_FIELD_WHOLE, /* int, int64_t, or with ML_WHOLE double */
    ML_FIELD_WORD,  /* its value: int, an enum, or bool */
    ML_FIELD_COUNT, /* int64_t: the number, or the value of the word */
    ML_FIELD_NAME,  /* const char *; NULL if it is not given */
    ML_FIELD_TEXT,
    ML_FIELD_NODE, /* code of its own reads it; */
    ML_FIELD_MAP,  /* a map */
    ML_FIELD_LIST, /* a list */
};

struct ml_key_traits {
    enum ml_key_field field;
    const char *type;
    /* ELEMENT: a number, of every element */
    enum {
        ML_DEFAULT_NONE,
        ML_DEFAULT_NUMBER,
        ML_DEFAULT_ELEMENT,
        ML_DEFAULT_WORD,
        ML_DEFAULT_ALL
    } default_value;
    enum { ML_ALLOWED_NOTHING, ML_ALLOWED_RANGE, ML_ALLOWED_WORDS } allowed;
    bool is_swept;
};

extern const struct ml_key_traits ml_key_kinds[ML_N_KEY_KIND]; /* kinds.def */

/* A word that a key may be, and the value that its field gets. */
struct ml_word {
    const char *text, *doc;
    int value;
};

/* The words that a key takes; the first is the default. */
struct ml_words {
    const struct ml_word *table; /* the last has no text; NULL: at(owner, i) is the i-th */
    struct ml_word (*at)(const void *owner, int i);
    const void *owner;
};

/* The params of one system, force or indicator. */
struct ml_params {
    const char *owner; /* its name */
    const struct ml_param *row;
    int n;
    const char *group;     /* only those of this group; NULL: all */
    bool takes_parameters; /* as of an indicator, like the next */
    bool takes_poles;
    bool takes_table; /* as of a signal */
    unsigned places;  /* as of a force */
};

struct ml_key {
    enum ml_scope scope;
    enum ml_key_kind kind;
    struct ml_param param;
    struct ml_words words;
    enum ml_scope child;    /* of maps and lists of maps */
    struct ml_params below; /* of maps of params, those of an indicator or of a group */
    int slot;               /* in the numbers of one map of this scope, if sweepable; else -1: */
    size_t offset, size;    /* bytes: of the receiving field, in ml_study_spec or in the struct
                               of a list's element; size 0: code of its own reads the key */
    bool is_of_runs;        /* runs can differ in it, although it has no slot of its scope */
    bool (*when)(const void *fields); /* whether the canonical text has it; NULL: always. Of an
                                         event also whether it may be given */
};

enum {
    ML_MOST_SEGMENTS = 4096,
    ML_MOST_DOFS = 256, /* each pair has numbers of its own */
    ML_MOST_ENTRIES = 4096,
    ML_MOST_FORCES = 4096,
    ML_MOST_FORCE_NUMBERS = 1 << 19, /* of all of them: some have one for each joint, or pair */
    ML_STEP_BITS = 52,               /* at most 2^52 steps: their numbers stay exact as doubles */
};

/* Keys of one map. */
struct ml_keys {
    struct ml_key *row; /* [n]; NULL: no memory was left, then n is 0 */
    int n;
};

/* Structs that receive the keys of a segment, and of a signal. */
struct ml_late_event { /* below `after` of an event */
    const char *event;
};
struct ml_given_number {
    int64_t count;          /* 0: not given */
    const char *unit, *doc; /* NULL: not given */
};

struct ml_segment_keys {
    const char *name;
    int64_t repeat;
};

struct ml_pair_keys {
    const char *between[2]; /* keys of ranges of a sample */
    double r;
};

struct ml_signal_keys {
    const char *file, *column, *time;
    double rate;
    int is_held;
};

/* Keys of a scope, from the pool. `system` is needed for the scopes below it, `own` (may be NULL)
 * for forces and indicators: without it only the keys each of them has. */
struct ml_keys ml_schema_keys(struct ml_pool *pool, enum ml_scope scope,
                              const struct ml_system *system, const struct ml_params *own);

/* Whether a param belongs to the map of that name in the map of its owner. */
bool ml_param_is_in_group(const struct ml_param *param, const char *group);

/* Whether a key gives a matrix, or an array of a system: its numbers can be swept, each by its own
 * path. */
static inline bool ml_key_is_array(const struct ml_key *key)
{
    return key->kind == ML_KEY_MATRIX ||
           (key->scope == ML_SCOPE_SYSTEM && key->kind == ML_KEY_QUANTITY);
}

/* Names for `of` besides differentiable indicators, and the default of `of`. */
#define ML_OF_TRAJECTORY "trajectory"
#define ML_SUMMARY_NONE "none"
#define ML_OF_DEFAULT "end_state"

/* The row of `of`. */
const struct ml_key *ml_key_of(void);

/* The row of the parts of a body, of a system that has parts. */
struct ml_key ml_key_parts(const struct ml_system *system);

struct ml_params ml_force_params(const struct ml_force *force);
struct ml_params ml_indicator_params(const struct ml_indicator *indicator);

/* The parameters of a signal, for a number of a force, filled into params; the name is NULL where
 * the type has no such parameter. */
struct ml_params ml_signal_params(const struct ml_param *owner, int type,
                                  struct ml_param params[ML_SIGNAL_ROWS]);

const struct ml_key *ml_keys_find(const struct ml_keys *keys, const char *name);

/* Whether a key can be given by its components NAME.x and NAME.y: [x, y] or {x: .., y: ..}. */
bool ml_key_is_pair(const struct ml_keys *keys, const struct ml_key *key);

/* "system.segments" for messages and lists. */
const char *ml_scope_name(enum ml_scope scope);

/* The row that a state quantity's numbers have. */
struct ml_param ml_quantity_param(const struct ml_quantity *quantity);

/* Whether the range of a key's param is that of the numbers it takes. */
bool ml_key_has_range(const struct ml_key *key);

/* Whether a missing key has the default of its param. */
bool ml_key_has_default(const struct ml_key *key);

/* One line of `list`: a key with its path in the file. */
struct ml_schema_entry {
    const char *path;          /* "system.segments[].mass" */
    const char *owner;         /* name of the system or force it belongs to; "" if to the study */
    const char *type;          /* "number", "integer", ... */
    const char *unit;          /* "1" if it has none */
    const char *default_value; /* "required", "" if absent means none */
    const char *range;         /* or the allowed words, separated by " | " */
    const char *doc;
    bool is_sweepable;
    bool is_vector; /* a sweep names its .x and .y */
};

/* Calls `visit` for every key of the study file, texts borrowed for the call.
 *   pool  of the keys; short of memory if some were left out */
void ml_schema_each(struct ml_pool *pool,
                    void (*visit)(void *context, const struct ml_schema_entry *entry),
                    void *context);

/* Visits the keys that only this system has. */
void ml_schema_each_of(struct ml_pool *pool, const struct ml_system *system,
                       void (*visit)(void *context, const struct ml_schema_entry *entry),
                       void *context);

/* The i-th word; without a text behind the last. */
struct ml_word ml_words_at(const struct ml_words *words, int i);

/* The word that has a value; NULL: none has. */
const char *ml_words_of(const struct ml_words *words, int value);

/* The word of an enum ml_motion_type, not of ML_NO_MOTION. */
const char *ml_motion_word(int type);

/* Name and text of dataset `set` of results of inverse dynamics (config/sections/inverse_sets.h);
 * an empty word past the last. */
struct ml_word ml_inverse_word(const void *unused, int set);

/* Row of coordinate d of a point of a hand path, x or y. */
const struct ml_param *ml_point_param(int d);

#endif
