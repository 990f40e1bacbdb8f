/* Every problem of a study file, told at once and in the order of the file. */
#ifndef ML_YAML_PROBLEMS_H
#define ML_YAML_PROBLEMS_H

#include <stdarg.h>

#include "manylink/status.h"
#include "yaml/node.h"

struct ml_problem;

struct ml_problems {
    struct ml_pool *pool;
    const char *name; /* of the file, in messages */
    const char *text; /* its content */
    size_t length;
    int lines_before;             /* of the file, where the text is a later part of it */
    const char *const *overrides; /* [n] "path=value" of --set or of a draft */
    const char *option;           /* prefix of an override in messages: "--set " or "" */
    struct ml_problem *first, *last;
    int count, n_repeated;    /* all; those among them with the text and place of another */
    struct ml_problems *next; /* those of a file that this one names; NULL: no such file */
};

enum { ML_PROBLEMS_SHOWN = 100 }; /* the rest is counted only */

void ml_problem(struct ml_problems *problems, struct ml_location location, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As ml_problem, with the arguments of the format as a list. */
void ml_problem_va(struct ml_problems *problems, struct ml_location location, const char *format,
                   va_list args) __attribute__((format(printf, 3, 0)));

/* One line for each problem of this file, in the order of the file, without the source line.
 *   label  put before the text: "file:line:column: " label text
 *   pool   owner of the lines
 * Returns [problems->count + 1], NULL-terminated; NULL without memory. */
const char **ml_problems_lines(const struct ml_problems *problems, const char *label,
                               struct ml_pool *pool);

/* "line 3, column 7", or "--set PATH=VALUE", to be named in the text of another problem. */
const char *ml_location_text(const struct ml_problems *problems, struct ml_location location);

/* "--set PATH=VALUE: ", "file:line:column: ", or "file: " of a problem without a place. */
const char *ml_problem_place(const struct ml_problems *problems, struct ml_location location);

/* Has those of a file that this one names told behind its own. */
void ml_problems_join(struct ml_problems *problems, struct ml_problems *of_other);

/* Whether there are any, of this file or one that it names. */
bool ml_problems_there(const struct ml_problems *problems);

/* Writes all problems to *err: "name:line:column: text", the line and a caret under the column.
 * ML_OK without problems. */
enum ml_status ml_problems_report(const struct ml_problems *problems, struct ml_error *err);

#endif
