/* Reads which dimensions are the runs, and finds them in files without the attribute. */
#include "store/opened.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_FORMAT = 5 }; /* with the attribute */

static void run_dims_add(struct ml_run_dims *out, const char *name)
{
    if (out->n < ML_MAX_RANK)
        (void)snprintf(out->names[out->n++], ML_NAME_LENGTH, "%s", name);
}

/* The names of the first n dimensions of a dataset. */
static void run_dims_take(struct ml_h5 *h5, hid_t group, hid_t id, int n, struct ml_run_dims *out)
{
    out->n = 0;
    for (int k = 0; k < n; k++) {
        char *scale = ml_h5_scale_name(h5, group, id, k);
        run_dims_add(out, scale ? scale : "");
        free(scale);
    }
}

/* Looks through the summary of a file before format 5. */
struct grid_search {
    struct ml_h5 *h5;
    double n_run;
    bool is_there, is_all; /* a dataset was found; it has no other dimensions */
    struct ml_run_dims *out;
};

/* How many of the first dimensions have a place for every run: all of a dataset of one number for
 * each; -1: no number of them has. */
static int grid_dims(const struct ml_extent *extent, double n_run)
{
    double n = 1.0; /* the product of any shape is a double */
    int k = 0, least;
    for (; k < extent->rank && n < n_run; k++)
        n *= (double)extent->size[k];
    least = n == n_run ? k : -1;
    for (; k < extent->rank; k++)
        n *= (double)extent->size[k];
    return n == n_run ? extent->rank : least;
}

/* A scale, such as the numbers of events, may have as many places by chance. Best is the dataset of
 * one number for each run with the fewest dimensions, else the first whose first dimensions have as
 * many places as there are runs. */
static void grid_visit(void *context, hid_t group, const char *name, hid_t id)
{
    struct grid_search *search = context;
    const struct ml_extent extent = ml_h5_extent(search->h5, id);
    const int n = grid_dims(&extent, search->n_run);
    const bool is_all = n == extent.rank;
    (void)name;
    if (n < 0 || ml_h5_is_text(id) || ml_h5_is_scale(search->h5, id) ||
        (search->is_there && !(is_all && (n < search->out->n || !search->is_all))))
        return;
    run_dims_take(search->h5, group, id, n, search->out);
    search->is_there = true;
    search->is_all = is_all;
}

static void run_dims_of_summary(struct ml_h5 *h5, hid_t file, struct ml_run_dims *out)
{
    hid_t runs = ml_h5_open_dataset(h5, file, "/study/runs/run");
    const struct ml_extent extent = ml_h5_extent(h5, runs);
    struct grid_search search = {.h5 = h5, .n_run = (double)extent.size[0], .out = out};
    hid_t summary = ml_h5_find_group(h5, file, "/study/summary");
    if (summary >= 0 && extent.rank > 0)
        ml_h5_each_dataset(h5, summary, grid_visit, &search);
    if (summary >= 0)
        (void)H5Gclose(summary);
    (void)H5Oclose(runs);
}

/* The dimensions of torques before that of the joints. */
static void run_dims_of_torque(struct ml_h5 *h5, hid_t file, struct ml_run_dims *out)
{
    hid_t group = ml_h5_find_group(h5, file, "/study/inverse");
    hid_t id = group >= 0 ? ml_h5_open_dataset(h5, group, "torque") : -1;
    const struct ml_extent extent = ml_h5_extent(h5, id);
    run_dims_take(h5, group, id, extent.rank, out);
    for (int k = out->n - 1; k >= 0; k--)
        if (strcmp(out->names[k], "joint") == 0)
            out->n = k;
    if (id >= 0)
        (void)H5Oclose(id);
    if (group >= 0)
        (void)H5Gclose(group);
}

static void run_dims_guess(struct ml_h5 *h5, hid_t file, const char *group, struct ml_run_dims *out)
{
    if (strcmp(group, "runs") == 0 || strcmp(group, "trajectories") == 0)
        run_dims_add(out, "run");
    else if (!ml_h5_has(file, "/study/runs"))
        run_dims_of_torque(h5, file, out);
    else
        run_dims_of_summary(h5, file, out);
}

void ml_run_dims_find(struct ml_h5 *h5, hid_t file, const char *group, struct ml_run_dims *out)
{
    char path[ML_NAME_LENGTH];
    int format = 0;
    unsigned long long n;
    out->n = 0;
    (void)snprintf(path, sizeof path, "/study/%s", group);
    hid_t id = h5->status == ML_OK ? ml_h5_find_group(h5, file, path) : -1;
    if (id < 0)
        return;
    char **names = ml_h5_find_texts(h5, id, ML_RUN_DIMS_ATTRIBUTE, &n);
    for (unsigned long long k = 0; names && k < n; k++)
        run_dims_add(out, names[k]);
    ml_h5_free_texts(n, names);
    (void)H5Gclose(id);
    if (out->n > 0)
        return;
    ml_h5_read_attribute(h5, file, "manylink_format", H5T_NATIVE_INT, 1, &format);
    if (h5->status == ML_OK && format < FIRST_FORMAT)
        run_dims_guess(h5, file, group, out);
}

int ml_run_dims_of(const struct ml_run_dims *run_dims, int rank, const char *const *names)
{
    for (int k = 0; k < run_dims->n; k++)
        if (k >= rank || strcmp(names[k], run_dims->names[k]) != 0)
            return 0;
    return run_dims->n;
}

int64_t ml_result_count(const struct ml_array_info *info, int first, int end)
{
    int64_t n = 1;
    for (int k = first; k < end; k++)
        n *= info->shape[k];
    return n;
}
