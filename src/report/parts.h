/* Which datasets of a result are in a page, and which of their numbers. */
#ifndef ML_REPORT_PARTS_H
#define ML_REPORT_PARTS_H

#include <stdbool.h>

#include "manylink/result.h"
#include "report/motions.h"

/* Where a dataset is put. */
enum ml_report_place {
    ML_REPORT_HEAD,    /* with the descriptions: texts and scales */
    ML_REPORT_FIRST,   /* numbers of every run that are needed to draw the first picture */
    ML_REPORT_NUMBERS, /* the others */
    ML_REPORT_MOTIONS, /* numbers over time */
    ML_REPORT_N_PLACE,
};

/* "first", as the page's template and scripts name it; NULL for the head. */
extern const char *const ml_report_places[ML_REPORT_N_PLACE];

/* One dataset of the page. */
struct ml_report_part {
    struct ml_array_info info; /* texts borrowed from the result, or from what was computed again */
    const struct ml_report_array *computed; /* NULL: it is in the result */
    enum ml_report_place place;
    int64_t shape[ML_ARRAY_MAX_RANK]; /* of what is taken */
    int64_t count;                    /* its product */
    int64_t at;                       /* first number in its block */
};

struct ml_report_parts {
    struct ml_result *result;
    struct ml_report_part *parts; /* [n] freed with ml_report_parts_free */
    int n;
    int64_t n_kept, n_motion; /* runs that were kept, and those taken: floor(i n_kept / n_motion) */
    int64_t n_computed;       /* runs that were computed again */
    int64_t n_time, every;    /* saved times; every so many are taken, from the first on */
    int64_t size[ML_REPORT_N_PLACE]; /* numbers at each place */
    int n_left_out;
    const struct ml_report_parts *less; /* numbers of these parts are subtracted; NULL: none */
    const char
        *main; /* dataset of the summary that viewers show first; "" if the file does not say */
};

/*   motions   of the runs that were kept, at most
 *   computed  motions of runs that were computed again, borrowed; {0}: none */
enum ml_status ml_report_parts_find(struct ml_result *result, int64_t motions,
                                    const struct ml_report_motions *computed,
                                    struct ml_report_parts *parts, struct ml_error *err);

/* Runs whose motion a result has. */
int64_t ml_report_parts_kept(const struct ml_result *result);

void ml_report_parts_free(struct ml_report_parts *parts);

/* Meanings of the numbers 0, 1, ... of a part, with blanks between, to be freed; NULL if its
 * numbers are measured. */
char *ml_report_part_meanings(const struct ml_report_parts *parts,
                              const struct ml_report_part *part);

/* Reads what is taken of a part, in row order.
 *   out  [part->count] to be freed; NULL on failure */
enum ml_status ml_report_part_read(const struct ml_report_parts *parts,
                                   const struct ml_report_part *part, double **out,
                                   struct ml_error *err);

#endif
