/* manylink sensitivity: the global sensitivity indices of a result's outputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/derivatives.h"
#include "cli/indices_picture.h"
#include "cli/sample.h"
#include "cli/sensitivity_times.h"
#include "manylink/fail.h"
#include "manylink/text.h"

enum {
    WIDEST = 16, /* numbers of a run: outputs with more are left out unless asked for */
    PLACE = 1024 /* characters of a point of the grid */
};

struct sensitivity {
    const struct command_line *line;
    struct sample *sample;
    struct indices_picture *picture; /* NULL: not wanted */
    struct derivatives derivatives;
    int64_t start[ML_ARRAY_MAX_RANK]; /* of the dataset at the point of the grid */
    int n_printed;
    bool *is_met;      /* [n_argument] of the arguments: an output has the name */
    char place[PLACE]; /* the point of the grid, printed before its indices */
};

/* Writes the numbers of the axes of a grid at a point: "b = 0.1, a = 7:", or for --csv cells.
 *   start  [n_run_dim] */
static enum ml_status write_place(struct sensitivity *s, const struct ml_array_info *info,
                                  const int64_t *start)
{
    const int64_t one = 1;
    const int n = s->sample->n_run_dim - 1;
    enum ml_status status = ML_OK;
    char path[256], number[ML_NUMBER_TEXT];
    size_t length = 0;
    s->place[0] = '\0';
    for (int d = 0; d < n && status == ML_OK && length < PLACE; d++) {
        const bool is_last = d == n - 1;
        double value = 0.0;
        (void)snprintf(path, sizeof path, "summary/%s", info->dim[d]);
        status =
            ml_result_read(s->sample->result, path, &start[d], &one, &value, 1, s->sample->err);
        ml_number_print(value, number);
        char *to = s->place + length;
        if (s->line->table.csv)
            length += (size_t)snprintf(to, PLACE - length, "%s,", number);
        else
            length += (size_t)snprintf(to, PLACE - length, "%s = %s%s", info->dim[d], number,
                                       is_last ? ":\n" : ", ");
    }
    return status;
}

static void print_found(struct sensitivity *s, const struct ml_array_info *info,
                        const struct indices *found, int64_t n_point)
{
    if (s->picture)
        indices_picture_add(s->picture, found, s->line->table.csv ? "" : s->place, (double)n_point);
    if (!s->line->table.csv) {
        printf("%s%s", s->n_printed > 0 ? "\n" : "", s->place);
        indices_print(found);
    } else if (s->n_printed == 0) {
        for (int d = 0; d < s->sample->n_run_dim - 1; d++) {
            ml_text_word(stdout, info->dim[d], ',');
            printf(",");
        }
        indices_print_head(found->points);
    }
    if (s->line->table.csv)
        indices_print_cells(found, s->place);
    s->n_printed++;
}

/* Whether the line names an output or one of its numbers, or no output at all. */
static bool is_named(struct sensitivity *s, const struct ml_array_info *info, const char *number)
{
    bool is = s->line->n_argument == 1;
    for (int i = 1; i < s->line->n_argument; i++)
        if (strcmp(s->line->arguments[i], number) == 0 ||
            strcmp(s->line->arguments[i], ml_result_name(info)) == 0)
            is = s->is_met[i] = true;
    return is;
}

/* The indices of a number of all runs.
 *   values, y  [runs of the sample], the latter room */
static void find_number(struct sensitivity *s, const struct ml_array_info *info, const char *name,
                        const double *values, double *y)
{
    const struct sample *sample = s->sample;
    for (int k = 0; k < N_PART && s->line->table.estimator != ML_ESTIMATOR_DERIVATIVES; k++) {
        const struct ml_index_points *part = &sample->parts[k];
        if (part->n == 0)
            continue;
        memcpy(y, values, (size_t)part->n_run * sizeof *y);
        const struct indices found = sample_indices(sample, part, name, y);
        print_found(s, info, &found, part->n);
    }
}

/* The measures by derivatives of component k of a dataset, if the result has its derivatives: of
 * estimator `derivatives`, and below the tables of `auto`, but not among cells and bars.
 *   y  [runs of the sample] */
static enum ml_status find_measures(struct sensitivity *s, const struct ml_array_info *info,
                                    int64_t k, const char *name, const double *y)
{
    struct derivatives *d = &s->derivatives;
    const bool is_only = s->line->table.estimator == ML_ESTIMATOR_DERIVATIVES;
    bool has = false;
    if (!is_only &&
        (s->line->table.estimator != ML_ESTIMATOR_AUTO || s->line->table.csv || s->picture))
        return ML_OK;
    const enum ml_status status = derivatives_read(d, info, k, name, s->start, &has);
    for (int part = 0; has && status == ML_OK && part < N_PART; part++) {
        const struct ml_index_points *points = &s->sample->parts[part];
        if (points->n == 0)
            continue;
        const struct indices found = derivatives_indices(d, points, name, y);
        print_found(s, info, &found, points->n);
        if (!s->line->table.csv)
            derivatives_print_directions(d, &found);
    }
    return status;
}

/* The indices of each label of a number that is a label, as an indicator: 1 for runs that have the
 * label, 0 for others.
 *   room  [runs of the sample] */
static void find_labels(struct sensitivity *s, const struct ml_array_info *info, const char *labels,
                        double *values, double *room)
{
    const int64_t n = s->sample->n_run;
    double *is_label = take((size_t)n, sizeof *is_label);
    char name[256];
    for (int label = 0; *labels; label++) {
        const int length = (int)strcspn(labels, " ");
        for (int64_t r = 0; r < n; r++)
            is_label[r] = isnan(values[r]) ? values[r] : values[r] == (double)label;
        (void)snprintf(name, sizeof name, "%s is %.*s", ml_result_name(info), length, labels);
        if (is_named(s, info, name))
            find_number(s, info, name, is_label, room);
        labels += length + (labels[length] == ' ');
    }
    free(is_label);
}

/* The indices of component k of a dataset, of which a run has `width`.
 *   all        [runs of the sample][width]
 *   values, y  [runs of the sample] room */
static enum ml_status find_component(struct sensitivity *s, const struct ml_array_info *info,
                                     const double *all, int64_t width, int64_t k, double *values,
                                     double *y)
{
    const struct sample *sample = s->sample;
    const char *labels = NULL;
    char *name = NULL;
    enum ml_status status =
        ml_result_attribute(sample->result, info->name, "flag_meanings", 0, &labels, sample->err);
    for (int64_t r = 0; r < sample->n_run; r++)
        values[r] = all[r * width + k];
    if (status == ML_OK && labels) {
        find_labels(s, info, labels, values, y);
        return ML_OK;
    }
    if (status == ML_OK)
        status = ml_result_component(sample->result, info, info->n_run_dim, info->rank, k, '.',
                                     &name, sample->err);
    if (status == ML_OK && is_named(s, info, name)) {
        find_number(s, info, name, values, y);
        status = find_measures(s, info, k, name, values);
    }
    free(name);
    return status;
}

/* The indices of a dataset at a point of the grid.
 *   room  [runs of the sample][width + 2] */
static enum ml_status find_at(struct sensitivity *s, const struct ml_array_info *info,
                              int64_t place, int64_t width, double *room)
{
    const struct sample *sample = s->sample;
    const int64_t n_run = sample->n_run;
    int64_t *start = s->start, count[ML_ARRAY_MAX_RANK];
    double *values = room + n_run * width;
    for (int d = 0; d < info->rank; d++) {
        start[d] = 0;
        count[d] = info->shape[d];
    }
    count[sample->n_run_dim - 1] = n_run;
    for (int d = sample->n_run_dim - 2; d >= 0; d--) {
        start[d] = place % info->shape[d];
        place /= info->shape[d];
        count[d] = 1;
    }
    enum ml_status status = ml_result_read(sample->result, info->name, start, count, room,
                                           (size_t)(n_run * width), sample->err);
    if (status == ML_OK)
        status = write_place(s, info, start);
    for (int64_t k = 0; k < width && status == ML_OK; k++)
        status = find_component(s, info, room, width, k, values, values + n_run);
    return status;
}

static enum ml_status find_dataset(struct sensitivity *s, const struct ml_array_info *info)
{
    const int64_t width = ml_result_count(info, info->n_run_dim, info->rank);
    const size_t n_run = (size_t)s->sample->n_run;
    double *room = take(n_run * ((size_t)width + 2), sizeof *room);
    enum ml_status status = ML_OK;
    for (int64_t place = 0; place < s->sample->n_place && status == ML_OK; place++)
        status = find_at(s, info, place, width, room);
    free(room);
    return status;
}

/* Whether a name is among the outputs of the summary, which has the inputs too. */
static bool is_output(const struct sample *s, const char *name)
{
    const char *output;
    for (int i = 0; (output = sample_attribute(s, "summary", "outputs", i)) != NULL; i++)
        if (strcmp(output, name) == 0)
            return true;
    return false;
}

/* Whether the line may name a number of an output, "end_angle.upper", "rest_attractor is chaotic",
 * or the output itself. */
static bool is_asked(const struct sensitivity *s, const struct ml_array_info *info)
{
    const char *name = ml_result_name(info);
    const size_t length = strlen(name);
    if (strncmp(info->name, "summary/", 8) != 0 || info->n_run_dim != s->sample->n_run_dim ||
        !is_output(s->sample, name))
        return false;
    for (int i = 1; i < s->line->n_argument; i++)
        if (strncmp(s->line->arguments[i], name, length) == 0 &&
            strchr(". ", s->line->arguments[i][length])) /* or the end */
            return true;
    return s->line->n_argument == 1 &&
           ml_result_count(info, info->n_run_dim, info->rank) <= WIDEST &&
           (info->rank == info->n_run_dim || strcmp(info->dim[info->rank - 1], "parameter") != 0);
}

/* Why nothing was printed. */
static enum ml_status fail_without(const struct sensitivity *s)
{
    struct ml_error *err = s->sample->err;
    const enum ml_index_design design = sample_points(s->sample)->design;
    if (s->line->table.estimator != ML_ESTIMATOR_DERIVATIVES)
        return ml_fail(err, ML_E_INPUT,
                       "cannot find sensitivity indices: every output of the summary has more "
                       "than %d numbers; name some of these numbers behind the result",
                       (int)WIDEST);
    if (design != ML_INDEX_POINTS && design != ML_INDEX_SALTELLI)
        return ml_fail(
            err, ML_E_INPUT,
            "cannot use estimator `derivatives` of runs of `design: %s`, whose inputs do "
            "not have their distributions; use points or saltelli",
            ml_index_table_kinds(design)->design);
    return ml_fail(
        err, ML_E_INPUT,
        "cannot use estimator `derivatives`: the result has no derivatives of such "
        "outputs by the inputs of the sample; give the study `analyse: {sensitivity: {to: "
        "[%s%s]}}`",
        s->sample->inputs[0], s->sample->n_input > 1 ? ", .." : "");
}

static enum ml_status find_all(struct sensitivity *s)
{
    struct ml_array_info info = {.size = sizeof info};
    enum ml_status status = derivatives_open(&s->derivatives, s->sample);
    for (int i = 0; status == ML_OK && ml_result_dataset(s->sample->result, i, &info); i++)
        if (is_asked(s, &info))
            status = find_dataset(s, &info);
    for (int i = 1; i < s->line->n_argument && status == ML_OK; i++)
        if (!s->is_met[i])
            status = ml_fail(s->sample->err, ML_E_INPUT,
                             "cannot find sensitivity indices of `%s`: the summary has no such "
                             "output; `manylink info` prints the outputs",
                             s->line->arguments[i]);
    if (status == ML_OK && s->n_printed == 0)
        status = fail_without(s);
    derivatives_free(&s->derivatives);
    return status;
}

static const struct ml_index_points *drawn_points(const struct sensitivity *s)
{
    return s->line->table.estimator == ML_ESTIMATOR_DERIVATIVES ? &s->derivatives.points
                                                                : sample_points(s->sample);
}

int command_sensitivity(const struct command_line *line)
{
    struct ml_error err = {0};
    struct sample *sample = take(1, sizeof *sample);
    struct indices_picture picture = {.x_label = line->table.over_time     ? "time (s)"
                                                 : line->table.convergence ? "points"
                                                                           : NULL};
    struct sensitivity s = {.line = line,
                            .sample = sample,
                            .picture = line->output || line->picture.script ? &picture : NULL,
                            .is_met = take((size_t)line->n_argument, sizeof *s.is_met)};
    enum ml_status status = sample_open(sample, line, &err);
    if (status == ML_OK)
        status = line->table.over_time ? sensitivity_times(sample, line, s.picture) : find_all(&s);
    if (status == ML_OK && s.picture)
        status = indices_picture_draw(s.picture, drawn_points(&s), line, &err);
    indices_picture_free(&picture);
    sample_free(sample);
    free(sample);
    free(s.is_met);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}
