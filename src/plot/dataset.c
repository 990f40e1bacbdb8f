/* Datasets of a result that pictures are made of, and the scales along their dimensions. */
#include "plot/dataset.h"

#include <stdlib.h>
#include <string.h>

/* Where datasets are that can be drawn; the last two have times. */
static const char *const paths[] = {"/study/summary", "/study/trajectories", "/study/inverse"};
enum { OF_SUMMARY, OF_TRAJECTORIES, N_PATH = sizeof paths / sizeof *paths };

/* Name of the first scale of a dimension; "" without a scale. */
static const char *scale_name(struct ml_plot_source *source, hid_t group, hid_t dataset, int dim)
{
    char *name = ml_h5_scale_name(&source->h5, group, dataset, dim);
    const char *kept = name ? ml_plot_format(source, "%s", name) : "";
    free(name);
    return kept;
}

/* Opens a dataset of a group; -1 if not found. */
static hid_t open_member(struct ml_plot_source *source, hid_t group, const char *name)
{
    return *name && !strchr(name, '/') ? ml_h5_find_dataset(&source->h5, group, name) : -1;
}

/* "name (unit)", unless the file has another label; older files have one of everything. */
static const char *label_of(struct ml_plot_source *source, hid_t id, const char *name,
                            const char *unit)
{
    const char *usual =
        strcmp(unit, "1") != 0 ? ml_plot_format(source, "%s (%s)", name, unit) : name;
    return ml_plot_attribute(source, id, "long_name", usual);
}

static bool dataset_is_whole(hid_t dataset)
{
    hid_t type = H5Dget_type(dataset);
    bool is = H5Tget_class(type) == H5T_INTEGER;
    (void)H5Tclose(type);
    return is;
}

static void dataset_read_texts(struct ml_plot_source *source, hid_t id, struct ml_plot_scale *scale)
{
    char **texts = ml_h5_read_texts(&source->h5, id, scale->n);
    const char **kept = ml_plot_take(source, scale->n, sizeof *kept);
    for (unsigned long long i = 0; texts && kept && i < scale->n; i++)
        kept[i] = ml_plot_format(source, "%s", texts[i]);
    ml_h5_free_texts(scale->n, texts);
    scale->texts = kept;
}

/* Numbers of a dataset along a dimension of n; their positions if it has none. */
static void read_scale(struct ml_plot_source *source, hid_t id, const char *name,
                       unsigned long long n, struct ml_plot_scale *scale)
{
    struct ml_extent extent = {.rank = 1, .size = {n}};
    double *values = ml_plot_take(source, n, sizeof *values);
    *scale = (struct ml_plot_scale){.n = n, .values = values, .unit = "1"};
    scale->name = scale->label = ml_plot_format(source, "%s", name);
    for (unsigned long long i = 0; values && i < n; i++)
        values[i] = (double)i;
    if (id < 0 || source->h5.status != ML_OK)
        return;
    scale->unit = ml_plot_attribute(source, id, "units", "1");
    scale->label = label_of(source, id, scale->name, scale->unit);
    scale->is_whole = dataset_is_whole(id);
    if (ml_h5_is_text(id))
        dataset_read_texts(source, id, scale);
    else
        ml_h5_read_range(&source->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
}

static void read_scales(struct ml_plot_source *source, struct ml_plot_dataset *dataset)
{
    for (int k = 0; k < dataset->extent.rank && source->h5.status == ML_OK; k++) {
        const char *name = scale_name(source, dataset->group, dataset->id, k);
        hid_t id = open_member(source, dataset->group, name);
        if (!*name)
            name = ml_plot_format(source, "dimension_%d", k + 1);
        read_scale(source, id, name, dataset->extent.size[k], &dataset->scales[k]);
        if (id >= 0)
            (void)H5Dclose(id);
    }
}

/* Of trajectories the first; else those of the group's attribute, which must have a place for each
 * run. */
static int count_run_dims(struct ml_plot_source *source, const struct ml_plot_dataset *dataset)
{
    const struct ml_extent *extent = &dataset->extent;
    const char *names[ML_MAX_RANK];
    unsigned long long rest = source->n_run;
    if (source->h5.status != ML_OK)
        return 0;
    if (!dataset->is_summary)
        return extent->rank > 0;
    for (int k = 0; k < extent->rank; k++)
        names[k] = dataset->scales[k].name;
    const int n = ml_run_dims_of(&source->run_dims, extent->rank, names);
    for (int k = 0; k < n; k++)
        rest = extent->size[k] > 0 && rest % extent->size[k] == 0 ? rest / extent->size[k] : 0;
    if (n > 0 && rest != 1)
        ml_h5_refuse(&source->h5, dataset->id, NULL, "over %llu runs", source->n_run);
    return n;
}

/* Takes an open dataset; closes it again if it cannot be drawn. */
static bool dataset_take(struct ml_plot_source *source, hid_t group, bool is_summary,
                         const char *name, struct ml_plot_dataset *dataset)
{
    hid_t id = open_member(source, group, name);
    if (id < 0)
        return false;
    if (!ml_h5_is_number(id) || ml_h5_is_scale(&source->h5, id)) {
        (void)H5Dclose(id);
        return false;
    }
    *dataset = (struct ml_plot_dataset){.group = group, .id = id, .is_summary = is_summary};
    dataset->name = ml_plot_format(source, "%s", name);
    dataset->unit = ml_plot_attribute(source, id, "units", "1");
    dataset->categories = ml_plot_attribute(source, id, "flag_meanings", NULL);
    dataset->label = label_of(source, id, dataset->name, dataset->unit);
    dataset->extent = ml_h5_extent(&source->h5, id);
    if (!is_summary && dataset->extent.rank == 0)
        ml_h5_refuse(&source->h5, id, NULL, "float [runs x ... x times]");
    read_scales(source, dataset);
    dataset->n_run_dim = count_run_dims(source, dataset);
    return true;
}

static hid_t open_group(struct ml_plot_source *source, const char *path)
{
    return ml_h5_find_group(&source->h5, source->file, path);
}

const char *ml_plot_of_first(struct ml_plot_source *source, const char *attribute)
{
    hid_t entry = open_group(source, "/study");
    const char *text = NULL, *group_name = ml_plot_attribute(source, entry, "default", NULL);
    hid_t group = group_name ? ml_h5_find_group(&source->h5, entry, group_name) : -1;
    if (group >= 0) {
        text = ml_plot_attribute(source, group, attribute, NULL);
        (void)H5Gclose(group);
    }
    (void)H5Gclose(entry);
    return text;
}

/* The dataset that the file's own attributes put first. */
static const char *first_choice(struct ml_plot_source *source)
{
    const char *name = ml_plot_of_first(source, "shows");
    return name ? name : ml_plot_of_first(source, "signal"); /* before format 4: no views */
}

/* What can be drawn is told as words. */
struct offer {
    struct ml_plot_source *source;
    struct ml_plot_words *words;
};

static void allow_member(void *context, hid_t group, const char *name, hid_t dataset)
{
    const struct offer *offer = context;
    struct ml_h5 *h5 = &offer->source->h5;
    bool has_list = H5Aexists(group, "outputs") > 0;
    if (has_list ? ml_h5_lists(h5, group, "outputs", name)
                 : ml_h5_is_number(dataset) && !ml_h5_is_scale(h5, dataset))
        ml_plot_allow(offer->words, name);
}

static void refuse_name(struct ml_plot_source *source, const char *name)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    for (int i = 0; i < N_PATH; i++) {
        hid_t group = open_group(source, paths[i]);
        if (group < 0)
            continue;
        ml_h5_each_dataset(&source->h5, group, allow_member, &(struct offer){source, &words});
        (void)H5Gclose(group);
    }
    if (ml_h5_has(source->file, "/study/trajectories/end_position"))
        ml_plot_allow(&words, "stick");
    ml_plot_allow(&words, source->is_inverse ? "parts" : "outcome");
    ml_plot_refuse(source, "nothing that can be drawn is called `%s`; %s", name,
                   ml_plot_hint(&words));
}

void ml_plot_find(struct ml_plot_source *source, const char *name, struct ml_plot_dataset *dataset)
{
    *dataset = (struct ml_plot_dataset){.group = -1, .id = -1};
    if (source->h5.status == ML_OK && !name)
        name = first_choice(source);
    if (!name) {
        ml_plot_refuse(source, "neither a summary nor trajectories are in it: nothing to draw");
        return;
    }
    for (int i = 0; i < N_PATH && source->h5.status == ML_OK; i++) {
        hid_t group = open_group(source, paths[i]);
        if (group >= 0 && dataset_take(source, group, i != OF_TRAJECTORIES, name, dataset))
            return;
        (void)H5Gclose(group);
    }
    if (source->h5.status == ML_OK)
        refuse_name(source, name);
}

/* The first dataset of the summary that has runs. */
struct first {
    struct ml_plot_source *source;
    struct ml_plot_dataset *dataset;
    bool is_found;
};

static void visit_first(void *context, hid_t group, const char *name, hid_t id)
{
    struct first *first = context;
    (void)id;
    if (first->is_found || first->source->h5.status != ML_OK ||
        !dataset_take(first->source, group, true, name, first->dataset))
        return;
    first->is_found = first->dataset->n_run_dim > 0;
    if (!first->is_found)
        (void)H5Dclose(first->dataset->id);
}

void ml_plot_find_outcomes(struct ml_plot_source *source, struct ml_plot_dataset *dataset)
{
    struct first first = {source, dataset, false};
    hid_t group = open_group(source, paths[OF_SUMMARY]);
    if (group >= 0)
        ml_h5_each_dataset(&source->h5, group, visit_first, &first);
    if (!first.is_found) {
        ml_plot_refuse(source, "the outcome of one run is no picture; `manylink info` tells it");
        return;
    }
    dataset->extent.rank = dataset->n_run_dim;
    dataset->name = dataset->label = "outcome";
    dataset->unit = "1";
    dataset->is_outcome = true;
}

bool ml_plot_beside(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const char *name, struct ml_plot_dataset *other)
{
    return source->h5.status == ML_OK &&
           dataset_take(source, dataset->group, dataset->is_summary, name, other);
}

/* Dimension that a dataset [n] of the group is along; -1: it has no such dimension. */
static int dataset_along(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                         hid_t id)
{
    if (ml_h5_extent(&source->h5, id).rank != 1 || !ml_h5_is_number(id) ||
        ml_h5_is_scale(&source->h5, id))
        return -1;
    const char *name = scale_name(source, dataset->group, id, 0);
    for (int k = 0; k < dataset->extent.rank; k++)
        if (strcmp(dataset->scales[k].name, name) == 0)
            return k;
    return -1;
}

int ml_plot_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                      const char *name, struct ml_plot_scale *scale)
{
    for (int k = 0; k < dataset->extent.rank; k++)
        if (strcmp(dataset->scales[k].name, name) == 0) {
            *scale = dataset->scales[k];
            return k;
        }
    hid_t id = open_member(source, dataset->group, name);
    if (id < 0)
        return -1;
    int dim = dataset_along(source, dataset, id);
    if (dim >= 0)
        read_scale(source, id, name, dataset->extent.size[dim], scale);
    (void)H5Dclose(id);
    return dim;
}

/* Whether the values of a scale ascend or descend. */
static bool is_in_order(const struct ml_plot_scale *scale)
{
    bool ascends = true, descends = true;
    for (unsigned long long i = 1; i < scale->n && (ascends || descends); i++) {
        ascends = ascends && scale->values[i] > scale->values[i - 1];
        descends = descends && scale->values[i] < scale->values[i - 1];
    }
    return ascends || descends;
}

/* Walks the datasets that are other scales of a dimension, or of any for dim < 0. */
struct dataset_search {
    const struct ml_plot_dataset *dataset;
    int dim;
    struct ml_plot_source *source;
    struct ml_plot_words *words; /* to be told all of them, or NULL */
    const char *first;
};

static void visit_swept(void *context, hid_t group, const char *name, hid_t id)
{
    struct dataset_search *search = context;
    (void)group;
    int dim = ml_plot_is_swept(search->source, name)
                  ? dataset_along(search->source, search->dataset, id)
                  : -1;
    if (dim < 0 || (search->dim >= 0 && dim != search->dim))
        return;
    if (search->words)
        ml_plot_allow(search->words, name);
    if (!search->first)
        search->first = ml_plot_format(search->source, "%s", name);
}

const char *ml_plot_first_swept(struct ml_plot_source *source,
                                const struct ml_plot_dataset *dataset, int dim)
{
    struct dataset_search search = {.dataset = dataset, .dim = dim, .source = source};
    ml_h5_each_dataset(&source->h5, dataset->group, visit_swept, &search);
    return search.first;
}

/* The swept quantity that a dataset of runs in no order is drawn over: by the file's own
 * attributes, else the first. */
static const char *dataset_over(struct ml_plot_source *source,
                                const struct ml_plot_dataset *dataset, int dim)
{
    const char *shows =
        ml_plot_is_unordered(dataset, dim) ? ml_plot_of_first(source, "shows") : NULL;
    const char *over =
        shows && strcmp(shows, dataset->name) == 0 ? ml_plot_of_first(source, "over") : NULL;
    return over ? over : ml_plot_first_swept(source, dataset, dim);
}

bool ml_plot_is_unordered(const struct ml_plot_dataset *dataset, int dim)
{
    return dim >= 0 && dim < dataset->n_run_dim && strcmp(dataset->scales[dim].name, "run") == 0;
}

struct ml_plot_scale ml_plot_usual_scale(struct ml_plot_source *source,
                                         const struct ml_plot_dataset *dataset, int dim)
{
    struct ml_plot_scale other, own = dataset->scales[dim];
    const char *swept =
        own.is_whole && dim < dataset->n_run_dim ? dataset_over(source, dataset, dim) : NULL;
    if (!swept || ml_plot_dimension(source, dataset, swept, &other) < 0)
        return own;
    return ml_plot_is_unordered(dataset, dim) || is_in_order(&other) ? other : own;
}

static void allow_swept(void *context, hid_t group, const char *name, hid_t id)
{
    struct dataset_search *search = context;
    (void)group;
    (void)id;
    if (ml_plot_is_swept(search->source, name))
        ml_plot_allow(search->words, name);
}

/* Trajectories are found by what is swept in their runs. */
static void allow_runs(struct ml_plot_source *source, struct dataset_search *search)
{
    hid_t runs = open_group(source, "/study/runs");
    if (runs < 0)
        return;
    ml_h5_each_dataset(&source->h5, runs, allow_swept, search);
    (void)H5Gclose(runs);
}

void ml_plot_refuse_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                              const char *option, const char *name)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    struct dataset_search search = {
        .dataset = dataset, .dim = -1, .source = source, .words = &words};
    for (int k = 0; k < dataset->extent.rank; k++)
        ml_plot_allow(&words, dataset->scales[k].name);
    ml_h5_each_dataset(&source->h5, dataset->group, visit_swept, &search);
    if (!dataset->is_summary && strcmp(option, "at") == 0)
        allow_runs(source, &search);
    ml_plot_refuse(source, "%s %s: %s has no such axis; %s", option, name, dataset->name,
                   ml_plot_hint(&words));
}

const char *ml_plot_at_text(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                            unsigned long long at)
{
    if (scale->texts)
        return ml_plot_format(source, "%s = %s", scale->name, scale->texts[at]);
    bool has_unit = strcmp(scale->unit, "1") != 0;
    return ml_plot_format(source, "%s = %.6g%s%s", scale->name, scale->values[at],
                          has_unit ? " " : "", has_unit ? scale->unit : "");
}
