/* Makers of systems whose tables (params, records, state) belong to one study: a maker copies a
 * system of the registry, with its functions and kernels, and gives the copy tables of its own. */
#ifndef ML_CONFIG_MAKERS_H
#define ML_CONFIG_MAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/system.h"
#include "yaml/pool.h"

struct ml_plugin;          /* of manylink/plugin.h */
struct ml_shown_equations; /* of config/formulas/show_equations.h */

/* Formulas below one key of a study, as its resolved text has them. */
struct ml_formulas {
    const char *key;
    int n, n_column; /* n_column: of a matrix, each of whose rows is that long; else 0 */
    const char **names, **texts; /* [n] names: NULL without */
};

/* The meaning of formulas for the state: its derivative by time; its next value. */
enum ml_formula_kind { ML_FLOW, ML_MAP };

/* The formulas of a force, as a resolved text has them. */
struct ml_force_texts {
    const char *outputs[2]; /* the torque; or x and y of the force */
    struct ml_formulas define, rates;
};

/* Where a study's own system is from: a shared object, or formulas. Initialise with {0}. */
struct ml_system_source {
    void *handle;          /* of dlopen; NULL: not open */
    void *own;             /* data for the system's functions, as of ml_instance */
    const char *name;      /* that the shared object gives its system */
    char *text;            /* path of the shared object, as given in the study */
    uint64_t checksum;     /* XXH3 (64 bits) of the shared object */
    const char *code_file; /* path of its C file, as given in the study; NULL: not given */
    const char *code; /* text of the C file, or of the formulas as C, for kernels that are made;
                         NULL: none is made */
    int kind;         /* of the formulas, enum ml_formula_kind */
    struct ml_formulas define, functions, rates; /* rates: of a map, the next state */
    struct ml_formulas *formulas;                /* [n_formulas] those of a mechanism */
    int n_formulas;
    const struct ml_shown_equations *shown; /* formulas as read; NULL: no formulas */
};

/* Why a source cannot be used. */
struct ml_system_fault {
    char what[1000];
};

/* Opens the file at `path`, which has a '/', and checks its descriptor. False, and nothing is open,
 * if it cannot be used: no code of a file that is cut off or has another checksum is run.
 *   checksum  of the only file that will do; NULL: any */
bool ml_system_source_open(const char *path, const uint64_t *checksum, struct ml_system_source *out,
                           struct ml_system_fault *fault);

void ml_system_source_close(struct ml_system_source *source);

/* `like` with tables from an open source; NULL without memory. Borrows the texts of the source,
 * belongs to `pool`. */
const struct ml_system *ml_system_of_source(struct ml_pool *pool,
                                            const struct ml_system_source *source,
                                            const struct ml_system *like);

/* Additions of a system with energies: records, and the energy at the start among its params. */
extern const struct ml_quantity ml_energy_records[3]; /* total, kinetic, potential */
extern const struct ml_param ml_energy_at_start;

/* For config/formulas/plugin.c and plugin_fault.c alone: writes the fault and returns false. */
bool ml_plugin_refuse(struct ml_system_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same: whether names, numbers and functions of a descriptor can be used; false after writing
 * the fault. */
bool ml_plugin_is_sound(const struct ml_plugin *plugin, struct ml_system_fault *fault);

/* `like` with the numbers of its arrays as params, by name: mass.wheel.body is row wheel, column
 * body. Of a pair in a symmetric matrix the first comes first. Belongs to `pool`; NULL without
 * memory.
 *   names  [n] of the degrees of freedom */
const struct ml_system *ml_expand(struct ml_pool *pool, const struct ml_system *like, int n,
                                  const char *const *names);

/* First param of an array. */
int ml_expand_first(const struct ml_system *system, int i_array, int n);

#endif
