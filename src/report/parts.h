/* Parts of a page: which datasets of a result are in it, and which of their numbers; motions that
 * are computed again; the head and the blocks of numbers that are written. */
#ifndef ML_REPORT_PARTS_H
#define ML_REPORT_PARTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "manylink/report.h"
#include "manylink/result.h"
#include "yaml/pool.h"

/* A dataset as a result would have it. */
struct ml_report_array {
    struct ml_array_info info; /* name "trajectories/angle" */
    const double *numbers;     /* [product of the shape] or */
    const char *const *texts;  /* [shape[0]] */
};

/* Times that a page has of each motion, at most: as many as make half a million numbers of all
 * motions, but at least 1000, more than a picture has columns.
 *   rows  numbers of all motions at one time */
int64_t ml_report_motions_times(int64_t rows);

struct ml_report_motions {
    struct ml_report_array *arrays; /* [n] */
    int n;
    int64_t n_run, n_time;
    struct ml_pool pool;    /* of them */
    struct ml_study *study; /* owns some of their texts */
};

/* Computes n runs again, spread evenly over the grid or the sample by a fixed rule, with the study
 * in the result: their state, what the study names, and where the ends of segments are, as many
 * times of each as a page has. Free in any case.
 *   out  {0} */
enum ml_status ml_report_motions_compute(struct ml_result *result, int64_t n,
                                         const struct ml_report_options *options,
                                         struct ml_report_motions *out, struct ml_error *err);
void ml_report_motions_free(struct ml_report_motions *motions);

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
                                    struct ml_report_parts *parts);

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

/* Writes the parts of a block one after the other. Of each, first the lowest byte of every number,
 * then the next, and so on, which compresses better. */
enum ml_status ml_report_block_write(const struct ml_report_parts *parts,
                                     enum ml_report_place block, FILE *file, struct ml_error *err);

/* Refuses a pair of results that differ in the runs, in the swept or drawn quantities, or in the
 * names, shapes and units of the numbers of each run (ML_E_INPUT); errors as of ml_result_read.
 *   b  the parts of `a`, of the other result */
enum ml_status ml_report_compare(const struct ml_report_parts *a, const struct ml_report_parts *b,
                                 struct ml_error *err);

/* Writes it so that it can stand in a script element: no text of a study ends or begins one.
 *   other  the result that is compared; NULL: none */
enum ml_status ml_report_head_write(const struct ml_report_parts *parts, struct ml_result *other,
                                    const struct ml_report_options *options, FILE *file,
                                    struct ml_error *err);

/* {"down": angles count from the downward vertical, else from +x; "joint": they are joint angles,
 * else absolute; "lengths": [[m of each segment] of each result], or of one row where all results
 * have the same}, from the study in the result. NULL where that is of other systems, cannot be read
 * again (the tables or the plugin have moved), or has more than a million lengths: a page without a
 * moving figure. */
json_t *ml_report_chain(struct ml_result *result, const struct ml_report_options *options);

/* {"outputs", "inputs": names; "estimator"; "taken": which runs; "kinds": [{"name", "is_of_output":
 * in the unit of the output, "values", "halves": [output][input]}]}. NULL: the result has no
 * sensitivity indices, or at several points of a grid. */
json_t *ml_report_indices(struct ml_result *result);

enum { ML_REPORT_MOST_AXES = 32 };

/* Chooses runs of a grid, the last axis fastest: the first at the middle, the others by Roberts'
 * sequence, which has low discrepancy in any number of dimensions.
 *   sizes   [n_axis] of the axes; of a list its length
 *   n       at most as many as the grid has
 *   chosen  [n] out, ascending, each once */
void ml_report_spread(const int64_t *sizes, int n_axis, int64_t n, int64_t *chosen);

struct ml_report_file {
    const char *name;         /* "page.html" */
    const char *const *lines; /* NULL at the end */
};

/* Ends with a name of NULL. */
extern const struct ml_report_file ml_report_files[];

#endif
