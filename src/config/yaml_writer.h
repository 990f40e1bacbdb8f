/* Canonical YAML, piece by piece. */
#ifndef ML_CONFIG_YAML_WRITER_H
#define ML_CONFIG_YAML_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "config/study_spec.h"

struct ml_yaml_writer {
    char *text;
    size_t used, size;
    bool is_short;      /* of memory */
    const char *source; /* what numbers are derived from, if not by their rule; else NULL */
};

/* As printf. */
__attribute__((format(printf, 2, 3))) void ml_put(struct ml_yaml_writer *w, const char *format,
                                                  ...);

void ml_put_number(struct ml_yaml_writer *w, double value);

/* Double-quoted, everything that is not printable escaped. */
void ml_put_text(struct ml_yaml_writer *w, const char *text);

enum ml_map_location { ML_OF_OWNER, ML_AT_START };

/* Number i of a map; one that has components given is written as a vector.
 *   given    [n] as in the study, NaN where it gives none
 *   derived  [n] what follows */
void ml_put_param(struct ml_yaml_writer *w, const char *indent, const struct ml_param *params,
                  int n, int i, const double *given, const double *derived);

/* Every number of a map but those of groups. */
void ml_put_params(struct ml_yaml_writer *w, const char *indent, enum ml_map_location place,
                   const struct ml_param *params, int n, const double *given,
                   const double *derived);

/* A matrix as rows, whatever form it was given in.
 *   values  [n][n], or the lower triangle of a symmetric one */
void ml_put_matrix(struct ml_yaml_writer *w, const char *indent, const struct ml_param *array,
                   int n, const double *values);

/* resolve_forces.c: all forces, behind their key.
 *   derived  [n_value] */
void ml_put_forces(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                   const double *derived);

#endif
