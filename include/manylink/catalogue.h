/* The parts of studies: systems, forces, signals, integrators, solvers, indicators with the
 * datasets they write, quantities to save, and every key of the study file. */
#ifndef MANYLINK_CATALOGUE_H
#define MANYLINK_CATALOGUE_H

#include <stddef.h>

#include "manylink/api.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ml_catalogue;

/* Opens the catalogue of this library, or that of a plugin: its system alone, with the keys and
 * quantities that only this system has, and the rest of the library's.
 *   plugin  path of a shared object, whose code is then loaded; NULL: none
 *   out     freed with ml_catalogue_free; NULL on failure. All texts are borrowed from it
 * Thread-safe; several threads may read the same catalogue. ML_E_INPUT if the file is no plugin
 * that can be used. */
ML_API enum ml_status ml_catalogue_open(const char *plugin, struct ml_catalogue **out,
                                        struct ml_error *err);
ML_API void ml_catalogue_free(struct ml_catalogue *catalogue); /* NULL is allowed */

enum ml_catalogue_kind {
    ML_CATALOGUE_SYSTEM,     /* `system: {type: NAME}` */
    ML_CATALOGUE_FORCE,      /* `forces: [{type: NAME}]` */
    ML_CATALOGUE_SIGNAL,     /* `{type: NAME}` in place of a number of a force */
    ML_CATALOGUE_INTEGRATOR, /* `integrator: NAME` */
    ML_CATALOGUE_SOLVER,     /* `solver: NAME`, of M q'' = f */
    ML_CATALOGUE_INDICATOR,  /* measured on every run; some below `analyse` only */
    ML_CATALOGUE_CLASSIC     /* `system: {type: NAME}`: a classical system as formulas */
};

struct ml_catalogue_entry {
    size_t size; /* sizeof(struct ml_catalogue_entry) */
    const char *name, *description;
    const char *tangents; /* how a system's tangent vectors are advanced: "closed form", "central
                             differences", "by the plugin"; NULL of other parts */
    int order;            /* of an integrator; 0 */
    int is_plugin;     /* a system whose equations are in a shared object, which the study names */
    int is_on_request; /* an indicator that is measured if `analyse` names it */
    const char *const *study; /* of a classical system the lines of a study with its formulas, NULL
                                 at their end; NULL of other parts */
};

/* Entry i of a kind, from 0 on, in the order of the library; 0 past the last. */
ML_API int ml_catalogue_entry(const struct ml_catalogue *catalogue, enum ml_catalogue_kind kind,
                              int i, struct ml_catalogue_entry *out);

enum { ML_CATALOGUE_NAME = 256 };

/* Numbers that a result can have. */
struct ml_catalogue_quantity {
    size_t size; /* sizeof(struct ml_catalogue_quantity) */
    char name[ML_CATALOGUE_NAME];
    const char *unit; /* SI; "1": none */
    const char *description;
};

/* Quantity i of a system that trajectories can keep (`save.trajectory.quantities`), from 0 on; 0
 * past the last, and for a system that is not there. */
ML_API int ml_catalogue_quantity(const struct ml_catalogue *catalogue, const char *system, int i,
                                 struct ml_catalogue_quantity *out);

/* Dataset i of /study/summary that an indicator writes of a system, of two segments if it has any,
 * with a tolerance and everything else by default; from 0 on. 0 past the last, for an indicator
 * without a dataset of this system, and for unknown names. */
ML_API int ml_catalogue_output(const struct ml_catalogue *catalogue, const char *indicator,
                               const char *system, int i, struct ml_catalogue_quantity *out);

/* A key of the study file. */
struct ml_catalogue_key {
    size_t size;       /* sizeof(struct ml_catalogue_key) */
    const char *path;  /* "system.segments[].mass" */
    const char *owner; /* the system, force, signal or indicator that alone has it, of a plugin by
                          its own name; "": any study */
    const char *type;  /* "number", "integer", ... */
    const char *unit;  /* SI; "1" or "": none */
    const char *default_text; /* value if it is not given, "required", or "": none */
    const char *range;        /* "> 0", or the words that are allowed, "a | b"; "": any */
    const char *description;
    int is_sweepable; /* runs can differ in it */
    int is_vector;    /* the numbers that a sweep can name are the components PATH.x and PATH.y */
};

/* Key i, from 0 on; 0 past the last. */
ML_API int ml_catalogue_key(const struct ml_catalogue *catalogue, int i,
                            struct ml_catalogue_key *out);

#ifdef __cplusplus
}
#endif

#endif
