#include "plot/dataset.h"

#include <stdlib.h>
#include <string.h>

#include "store/names.h"

static const char summary[] = "/study/summary", trajectories[] = "/study/trajectories";

/* Keeps the name of a dimension's first scale; a visitor of H5DSiterate_scales. */
static herr_t keep_name(hid_t dataset, unsigned dim, hid_t scale, void *name)
{
    (void)dataset;
    (void)dim;
    (void)H5DSget_scale_name(scale, name, ML_NAME_LENGTH);
    return 1; /* enough */
}

/* Name of the first scale of a dimension; "" if there is none. */
static void scale_name(hid_t dataset, int dim, char name[ML_NAME_LENGTH])
{
    name[0] = '\0';
    if (H5DSget_num_scales(dataset, (unsigned)dim) > 0)
        (void)H5DSiterate_scales(dataset, (unsigned)dim, NULL, keep_name, name);
}

static bool is_text(hid_t dataset)
{
    hid_t type = H5Dget_type(dataset);
    bool is = H5Tget_class(type) == H5T_STRING;
    (void)H5Tclose(type);
    return is;
}

/* Opens a dataset of a group; -1 if there is none of that name. */
static hid_t open_member(hid_t group, const char *name)
{
    if (!*name || strchr(name, '/') || strcmp(name, ".") == 0 ||
        H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return -1;
    hid_t id = H5Oopen(group, name, H5P_DEFAULT);
    if (id >= 0 && H5Iget_type(id) == H5I_DATASET)
        return id;
    (void)H5Oclose(id);
    return -1;
}

static void read_texts(struct ml_plot_source *source, hid_t id, struct ml_plot_scale *scale)
{
    char **texts = ml_h5_read_texts(&source->h5, id, scale->n);
    const char **kept = ml_plot_take(source, scale->n, sizeof *kept);
    for (unsigned long long i = 0; texts && kept && i < scale->n; i++)
        kept[i] = ml_plot_format(source, "%s", texts[i] ? texts[i] : "");
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
    scale->label = ml_plot_attribute(source, id, "long_name", scale->name);
    scale->unit = ml_plot_attribute(source, id, "units", "1");
    if (is_text(id))
        read_texts(source, id, scale);
    else
        ml_h5_read_range(&source->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
}

static void read_scales(struct ml_plot_source *source, struct ml_plot_dataset *dataset)
{
    for (int k = 0; k < dataset->extent.rank && source->h5.status == ML_OK; k++) {
        char name[ML_NAME_LENGTH];
        scale_name(dataset->id, k, name);
        hid_t id = open_member(dataset->group, name);
        if (!*name)
            (void)snprintf(name, sizeof name, "dimension_%d", k + 1);
        read_scale(source, id, name, dataset->extent.size[k], &dataset->scales[k]);
        if (id >= 0)
            (void)H5Dclose(id);
    }
}

/* The dimensions that together have as many places as there are runs; trajectories have one. */
static int count_run_dims(const struct ml_plot_source *source,
                          const struct ml_plot_dataset *dataset)
{
    unsigned long long n = 1;
    int k = 0;
    if (!dataset->is_summary)
        return dataset->extent.rank > 0;
    while (k < dataset->extent.rank && n * dataset->extent.size[k] <= source->n_run)
        n *= dataset->extent.size[k++];
    while (k > 0 && (dataset->scales[k - 1].texts || source->n_run == 1))
        k--; /* an extra dimension of size 1 */
    return n == source->n_run ? k : 0;
}

/* Takes an open dataset; closes it again if it is none that can be drawn. */
static bool take(struct ml_plot_source *source, hid_t group, bool is_summary, const char *name,
                 struct ml_plot_dataset *dataset)
{
    hid_t id = open_member(group, name);
    if (id < 0)
        return false;
    if (is_text(id) || H5DSis_scale(id) > 0) {
        (void)H5Dclose(id);
        return false;
    }
    *dataset = (struct ml_plot_dataset){.group = group, .id = id, .is_summary = is_summary};
    dataset->name = ml_plot_format(source, "%s", name);
    dataset->label = ml_plot_attribute(source, id, "long_name", dataset->name);
    dataset->unit = ml_plot_attribute(source, id, "units", "1");
    dataset->extent = ml_h5_extent(&source->h5, id);
    read_scales(source, dataset);
    dataset->n_run_dim = count_run_dims(source, dataset);
    return true;
}

static hid_t open_group(struct ml_plot_source *source, const char *path)
{
    return H5Lexists(source->file, path, H5P_DEFAULT) > 0
               ? H5Gopen2(source->file, path, H5P_DEFAULT)
               : -1;
}

/* The group and dataset that the file's own attributes put first. */
static const char *first_choice(struct ml_plot_source *source)
{
    hid_t entry = open_group(source, "/study");
    const char *name = NULL, *group_name = ml_plot_attribute(source, entry, "default", NULL);
    hid_t group = group_name ? H5Gopen2(entry, group_name, H5P_DEFAULT) : -1;
    if (group >= 0) {
        name = ml_plot_attribute(source, group, "signal", NULL);
        (void)H5Gclose(group);
    }
    (void)H5Gclose(entry);
    return name;
}

/* Offers what can be drawn. */
static void allow_member(void *context, hid_t group, const char *name, hid_t dataset)
{
    bool has_list = H5Aexists(group, "outputs") > 0;
    if (has_list ? ml_h5_lists(group, "outputs", name)
                 : !is_text(dataset) && H5DSis_scale(dataset) <= 0)
        ml_plot_allow(context, name);
}

static void refuse_name(struct ml_plot_source *source, const char *name)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    const char *const paths[] = {summary, trajectories};
    for (int i = 0; i < 2; i++) {
        hid_t group = open_group(source, paths[i]);
        if (group < 0)
            continue;
        ml_h5_each_dataset(&source->h5, group, allow_member, &words);
        (void)H5Gclose(group);
    }
    ml_plot_allow(&words, "stick");
    ml_plot_refuse(source, "nothing that can be drawn is called `%s`; %s", name,
                   ml_plot_hint(&words));
}

void ml_plot_find(struct ml_plot_source *source, const char *name, struct ml_plot_dataset *dataset)
{
    const char *const paths[] = {summary, trajectories};
    *dataset = (struct ml_plot_dataset){.group = -1, .id = -1};
    if (source->h5.status == ML_OK && !name)
        name = first_choice(source);
    if (!name) {
        ml_plot_refuse(source, "neither a summary nor trajectories are in it: nothing to draw");
        return;
    }
    for (int i = 0; i < 2 && source->h5.status == ML_OK; i++) {
        hid_t group = open_group(source, paths[i]);
        if (group >= 0 && take(source, group, i == 0, name, dataset))
            return;
        (void)H5Gclose(group);
    }
    if (source->h5.status == ML_OK)
        refuse_name(source, name);
}

bool ml_plot_beside(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                    const char *name, struct ml_plot_dataset *other)
{
    return source->h5.status == ML_OK &&
           take(source, dataset->group, dataset->is_summary, name, other);
}

/* Dimension that a dataset [n] of the group is along; -1: it is none of that kind. */
static int along(const struct ml_plot_dataset *dataset, hid_t id)
{
    char name[ML_NAME_LENGTH];
    hid_t space = H5Dget_space(id);
    bool is_vector = H5Sget_simple_extent_ndims(space) == 1;
    (void)H5Sclose(space);
    if (!is_vector || is_text(id) || H5DSis_scale(id) > 0)
        return -1;
    scale_name(id, 0, name);
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
    hid_t id = source->h5.status == ML_OK ? open_member(dataset->group, name) : -1;
    if (id < 0)
        return -1;
    int dim = along(dataset, id);
    if (dim >= 0)
        read_scale(source, id, name, dataset->extent.size[dim], scale);
    (void)H5Dclose(id);
    return dim;
}

/* Walks the datasets that are other scales of a dimension, or of any for dim < 0. */
struct search {
    const struct ml_plot_dataset *dataset;
    int dim;
    struct ml_plot_source *source;
    struct ml_plot_words *words; /* to be told all of them, or NULL */
    const char *first;
};

static void visit_swept(void *context, hid_t group, const char *name, hid_t id)
{
    struct search *search = context;
    int dim = ml_h5_lists(group, "outputs", name) ? -1 : along(search->dataset, id);
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
    struct search search = {.dataset = dataset, .dim = dim, .source = source};
    ml_h5_each_dataset(&source->h5, dataset->group, visit_swept, &search);
    return search.first;
}

void ml_plot_refuse_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                              const char *option, const char *name)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    struct search search = {.dataset = dataset, .dim = -1, .source = source, .words = &words};
    for (int k = 0; k < dataset->extent.rank; k++)
        ml_plot_allow(&words, dataset->scales[k].name);
    ml_h5_each_dataset(&source->h5, dataset->group, visit_swept, &search);
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
