/* manylink sensitivity: the global sensitivity indices of a result's outputs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
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
    int n_printed;
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
        if (s->line->csv)
            length += (size_t)snprintf(to, PLACE - length, "%s,", number);
        else
            length += (size_t)snprintf(to, PLACE - length, "%s = %s%s", info->dim[d], number,
                                       is_last ? ":\n" : ", ");
    }
    return status;
}

static void print_head(const struct sensitivity *s, const struct ml_array_info *info)
{
    for (int d = 0; d < s->sample->n_run_dim - 1; d++) {
        ml_text_word(stdout, info->dim[d], ',');
        printf(",");
    }
    indices_print_head(sample_points(s->sample));
}

/* The indices of a number of all runs.
 *   values, y  [runs of the sample], the latter room */
static void find_number(struct sensitivity *s, const struct ml_array_info *info, const char *name,
                        const double *values, double *y)
{
    const struct sample *sample = s->sample;
    for (int k = 0; k < N_PART; k++) {
        const struct ml_index_points *part = &sample->parts[k];
        if (part->n == 0)
            continue;
        memcpy(y, values, (size_t)part->n_run * sizeof *y);
        const struct indices found = sample_indices(sample, part, name, y);
        if (s->picture)
            indices_picture_add(s->picture, &found, s->line->csv ? "" : s->place, (double)part->n);
        if (s->line->csv && s->n_printed == 0)
            print_head(s, info);
        if (s->line->csv) {
            indices_print_cells(&found, s->place);
        } else {
            printf("%s%s", s->n_printed > 0 ? "\n" : "", s->place);
            indices_print(&found);
        }
        s->n_printed++;
    }
}

/* The indices of each label of a number that is a label, as an indicator: 1 for runs that have the
 * label, 0 for others.
 *   room  [runs of the sample] */
static enum ml_status find_labels(struct sensitivity *s, const struct ml_array_info *info,
                                  const char *labels, double *values, double *room)
{
    const int64_t n = s->sample->n_run;
    double *is_label = malloc((size_t)n * sizeof *is_label + 1);
    char name[256];
    if (!is_label)
        return ml_fail(s->sample->err, ML_E_MEMORY, "out of memory");
    for (int label = 0; *labels; label++) {
        const int length = (int)strcspn(labels, " ");
        for (int64_t r = 0; r < n; r++)
            is_label[r] = isnan(values[r]) ? values[r] : values[r] == (double)label;
        (void)snprintf(name, sizeof name, "%s is %.*s", ml_result_name(info), length, labels);
        find_number(s, info, name, is_label, room);
        labels += length + (labels[length] == ' ');
    }
    free(is_label);
    return ML_OK;
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
    if (status == ML_OK && labels)
        return find_labels(s, info, labels, values, y);
    if (status == ML_OK)
        status = ml_result_component(sample->result, info, info->n_run_dim, info->rank, k, '.',
                                     &name, sample->err);
    if (status == ML_OK)
        find_number(s, info, name, values, y);
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
    int64_t start[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    double *values = room + n_run * width;
    for (int d = 0; d < info->rank; d++)
        count[d] = info->shape[d];
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
    double *room = malloc(n_run * ((size_t)width + 2) * sizeof *room + 1);
    enum ml_status status = ML_OK;
    if (!room)
        return ml_fail(s->sample->err, ML_E_MEMORY, "out of memory");
    for (int64_t place = 0; place < s->sample->n_place && status == ML_OK; place++)
        status = find_at(s, info, place, width, room);
    free(room);
    return status;
}

/* Whether a name is among the outputs of the summary, which has the inputs too. */
static bool is_output(const struct sample *s, const char *name)
{
    const char *output = NULL;
    for (int i = 0;
         ml_result_attribute(s->result, "summary", "outputs", i, &output, s->err) == ML_OK &&
         output;
         i++)
        if (strcmp(output, name) == 0)
            return true;
    return false;
}

static bool is_asked(const struct sensitivity *s, const struct ml_array_info *info)
{
    const char *name = ml_result_name(info);
    if (strncmp(info->name, "summary/", 8) != 0 || info->n_run_dim != s->sample->n_run_dim ||
        !is_output(s->sample, name))
        return false;
    for (int i = 1; i < s->line->n_argument; i++)
        if (strcmp(s->line->arguments[i], name) == 0)
            return true;
    return s->line->n_argument == 1 && ml_result_count(info, info->n_run_dim, info->rank) <= WIDEST;
}

static enum ml_status find_all(struct sensitivity *s)
{
    struct ml_array_info info = {.size = sizeof info};
    enum ml_status status = ML_OK;
    for (int i = 0; status == ML_OK && ml_result_dataset(s->sample->result, i, &info); i++)
        if (is_asked(s, &info))
            status = find_dataset(s, &info);
    if (status == ML_OK && s->n_printed == 0)
        status = ml_fail(s->sample->err, ML_E_INPUT,
                         "cannot find sensitivity indices: the summary has no such output; "
                         "`manylink info` prints the outputs");
    return status;
}

int command_sensitivity(const struct command_line *line)
{
    struct ml_error err = {0};
    struct sample *sample = calloc(1, sizeof *sample);
    struct indices_picture picture = {.x_label = line->over_time     ? "time (s)"
                                                 : line->convergence ? "points"
                                                                     : NULL};
    struct sensitivity s = {
        .line = line, .sample = sample, .picture = line->output || line->script ? &picture : NULL};
    if (!sample) {
        ml_fail(&err, ML_E_MEMORY, "out of memory");
        return fail_with(&err);
    }
    enum ml_status status = sample_open(sample, line, &err);
    if (status == ML_OK)
        status = line->over_time ? sensitivity_times(sample, line, s.picture) : find_all(&s);
    if (status == ML_OK && s.picture)
        status = indices_picture_draw(s.picture, sample_points(sample), line, &err);
    indices_picture_free(&picture);
    sample_free(sample);
    free(sample);
    return status == ML_OK ? EXIT_DONE : fail_with(&err);
}
