/* Canonical YAML, piece by piece. */
#ifndef ML_CONFIG_YAML_WRITER_H
#define ML_CONFIG_YAML_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "config/schema/study_spec.h"

struct ml_yaml_writer {
    char *text;
    size_t used, size;
    bool is_short; /* of memory */
};

/* As printf. */
__attribute__((format(printf, 2, 3))) void ml_write(struct ml_yaml_writer *w, const char *format,
                                                    ...);

void ml_write_number(struct ml_yaml_writer *w, double value);

/* Double-quoted, everything that is not printable escaped. */
void ml_write_text(struct ml_yaml_writer *w, const char *text);

/* A matrix behind its key, as rows, whatever form it was given in.
 *   values  [n][n], or the lower triangle of a symmetric one */
void ml_write_matrix(struct ml_yaml_writer *w, int indent, const struct ml_param *array, int n,
                     const double *values);

/* resolve_forces.c: behind its key, a matrix or signals of a force.
 *   name  of the param */
bool ml_force_pair_is_absent(const struct ml_study_spec *spec, const struct ml_force_use *use,
                             const char *name);
/* The line of an actuator's limit, if it has one. */
void ml_write_force_limit(struct ml_yaml_writer *w, int indent, const struct ml_study_spec *spec,
                          const struct ml_force_use *use);

void ml_write_force_row(struct ml_yaml_writer *w, int indent, const struct ml_study_spec *spec,
                        const struct ml_force_use *use, const char *name);

#endif
