/* Datasets of a result that pictures are made of, and the scales along their dimensions. */
#include "plot/dataset.h"

#include <string.h>

#include "base/text.h"

/* The group whose datasets of shares are drawn; all else there describes numbers of the summary. */
#define SHARES "statistics"

/* Where datasets are that can be drawn. */
static const char *const groups[] = {"summary", "trajectories", "inverse", "fit", SHARES};
enum { N_GROUP = sizeof groups / sizeof *groups };

/* Positions along a dimension of n, by a dataset of a group; 0, 1, ... if there is none. */
static void read_scale(struct ml_plot_source *source, const char *group, const char *name,
                       unsigned long long n, struct ml_plot_scale *scale)
{
    struct ml_array_info info;
    const bool is_there = ml_plot_describe(source, group, name, &info);
    const bool is_text = is_there && info.type == ML_ARRAY_TEXT;
    double *values = is_there && !is_text ? ml_plot_numbers(source, info.name, n)
                                          : ml_plot_take(source, n, sizeof *values);
    *scale = (struct ml_plot_scale){.name = name, .label = name, .unit = "1", .n = n};
    scale->values = values;
    if (is_there) {
        scale->unit = info.unit;
        scale->label = ml_plot_label(source, info.name, name, info.unit);
        scale->is_whole = info.type == ML_ARRAY_INTEGER;
    }
    for (unsigned long long i = 0; values && i < n && (is_text || !is_there); i++)
        values[i] = (double)i;
    const char **texts = is_text ? ml_plot_take(source, n, sizeof *texts) : NULL;
    for (unsigned long long i = 0; texts && i < n && source->status == ML_OK; i++)
        source->status =
            ml_result_text(source->result, info.name, (int64_t)i, &texts[i], source->err);
    scale->texts = texts;
}

/* The runs have as many places as there are. */
static void check_runs(struct ml_plot_source *source, const struct ml_plot_dataset *dataset)
{
    unsigned long long rest = source->n_run;
    for (int k = 0; k < dataset->n_run_dim; k++)
        rest = rest % dataset->size[k] == 0 ? rest / dataset->size[k] : 0;
    if (dataset->is_summary && !dataset->is_share && dataset->n_run_dim > 0 && rest != 1)
        ml_plot_fail(source, ML_E_FILE, "%s: /study/%s must be over %llu runs", source->path,
                     dataset->path, source->n_run);
    if (!dataset->is_summary && dataset->n_run_dim == 0)
        ml_plot_fail(source, ML_E_FILE, "%s: /study/%s must be [runs x ... x times]", source->path,
                     dataset->path);
}

/* Whether a dataset of the group has shares. */
static bool is_share(const struct ml_array_info *info)
{
    return info->rank > 1 && !strchr(info->name + sizeof SHARES, '/') &&
           strcmp(info->dim[info->rank - 1], ML_PLOT_INTERVAL) == 0 &&
           info->shape[info->rank - 1] == ML_PLOT_N_INTERVAL;
}

/* Whether a dataset of a group can be drawn. */
static bool is_drawn(const char *group, const struct ml_array_info *info)
{
    return ml_plot_has_numbers(info) && (strcmp(group, SHARES) != 0 || is_share(info));
}

bool ml_plot_find_in(struct ml_plot_source *source, const char *group, const char *name,
                     struct ml_plot_dataset *dataset)
{
    struct ml_array_info info;
    if (!ml_plot_describe(source, group, name, &info) || !is_drawn(group, &info))
        return false;
    const bool has_shares = strcmp(group, SHARES) == 0;
    *dataset = (struct ml_plot_dataset){.group = group,
                                        .path = info.name,
                                        .is_summary = strcmp(group, "trajectories") != 0,
                                        .is_share = has_shares,
                                        .name = strrchr(info.name, '/') + 1,
                                        .unit = info.unit,
                                        .rank = info.rank,
                                        .n_run_dim = has_shares ? info.rank - 2 : info.n_run_dim};
    dataset->label = ml_plot_label(source, info.name, dataset->name, info.unit);
    dataset->categories = ml_plot_attribute(source, info.name, "flag_meanings", NULL);
    for (int k = 0; k < info.rank && source->status == ML_OK; k++) {
        const char *along =
            *info.dim[k] ? info.dim[k] : ml_plot_format(source, "dimension_%d", k + 1);
        dataset->size[k] = (unsigned long long)info.shape[k];
        read_scale(source, group, along, dataset->size[k], &dataset->scales[k]);
    }
    check_runs(source, dataset);
    return true;
}

void ml_plot_allow_members(struct ml_plot_source *source, const char *group,
                           struct ml_plot_words *words)
{
    struct ml_array_info info;
    const char *name = NULL;
    int n = 0;
    while (source->status == ML_OK &&
           ml_result_attribute(source->result, group, "outputs", n, &name, NULL) == ML_OK && name) {
        ml_plot_allow(words, name);
        n++;
    }
    for (int i = 0; n == 0 && (name = ml_plot_member(source, group, i, &info)); i++)
        if (is_drawn(group, &info))
            ml_plot_allow(words, name);
}

static void refuse_name(struct ml_plot_source *source, const char *name)
{
    struct ml_array_info info;
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    for (int i = 0; i < N_GROUP; i++)
        ml_plot_allow_members(source, groups[i], &words);
    if (ml_plot_describe(source, "trajectories", "end_position", &info))
        ml_plot_allow(&words, "stick");
    ml_plot_allow(&words, source->is_inverse ? "parts" : "outcome");
    ml_plot_refuse(source, "cannot draw `%s`: the result has no such numbers; %s", name,
                   ml_plot_hint(&words));
}

size_t ml_plot_name_length(struct ml_plot_source *source, const char *group, const char *name)
{
    struct ml_array_info info;
    size_t length = strlen(name);
    while (length > 0) {
        const char *begin = ml_plot_format(source, "%.*s", (int)length, name);
        for (int i = 0; i < (group ? 1 : N_GROUP); i++)
            if (ml_plot_describe(source, group ? group : groups[i], begin, &info) &&
                is_drawn(group ? group : groups[i], &info))
                return length;
        do
            length--;
        while (length > 0 && name[length] != '.');
    }
    return 0;
}

/* Makes a dataset of how the runs ended, on the grid of the summary. */
static void find_outcomes(struct ml_plot_source *source, struct ml_plot_dataset *dataset)
{
    struct ml_array_info info;
    const char *name;
    bool is_found = false;
    for (int i = 0; !is_found && (name = ml_plot_member(source, groups[0], i, &info)); i++)
        is_found = info.n_run_dim > 0 && ml_plot_find_in(source, groups[0], name, dataset);
    if (!is_found) {
        ml_plot_refuse(
            source,
            "cannot draw the outcome: it is that of a single run; `manylink info` prints it");
        return;
    }
    dataset->rank = dataset->n_run_dim;
    dataset->name = dataset->label = "outcome";
    dataset->unit = "1";
    dataset->is_outcome = true;
}

void ml_plot_find(struct ml_plot_source *source, const char *name, struct ml_plot_dataset *dataset)
{
    struct ml_view first = {.size = sizeof first};
    *dataset = (struct ml_plot_dataset){0};
    if (name && strcmp(name, "outcome") == 0 && !source->is_inverse) {
        find_outcomes(source, dataset);
        return;
    }
    if (source->status == ML_OK && !name && ml_result_view(source->result, 0, &first)) {
        name = strrchr(first.dataset, '/') + 1;
        const char *group =
            ml_plot_format(source, "%.*s", (int)(name - 1 - first.dataset), first.dataset);
        if (ml_plot_find_in(source, group, name, dataset))
            return;
    }
    if (!name) { /* an older version wrote no such views */
        const char *group = ml_plot_attribute(source, "", "default", "");
        name = ml_plot_attribute(source, group, "shows",
                                 ml_plot_attribute(source, group, "signal", NULL));
    }
    if (!name)
        ml_plot_refuse(source, "cannot draw the result: it has neither a summary nor trajectories");
    for (int i = 0; i < N_GROUP && source->status == ML_OK; i++)
        if (ml_plot_find_in(source, groups[i], name, dataset))
            return;
    if (source->status == ML_OK)
        refuse_name(source, name);
}

/* Dimension that a dataset [n] of the group is along; -1: it has no such dimension. */
static int dataset_along(const struct ml_plot_dataset *dataset, const struct ml_array_info *info)
{
    for (int k = 0; info->rank == 1 && ml_plot_has_numbers(info) && k < dataset->rank; k++)
        if (strcmp(dataset->scales[k].name, info->dim[0]) == 0)
            return k;
    return -1;
}

int ml_plot_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                      const char *name, struct ml_plot_scale *scale)
{
    struct ml_array_info info;
    for (int k = 0; k < dataset->rank; k++)
        if (strcmp(dataset->scales[k].name, name) == 0) {
            *scale = dataset->scales[k];
            return k;
        }
    const int dim =
        ml_plot_describe(source, dataset->group, name, &info) ? dataset_along(dataset, &info) : -1;
    if (dim >= 0)
        read_scale(source, dataset->group, name, dataset->size[dim], scale);
    return dim;
}

int ml_plot_events(const struct ml_plot_dataset *dataset)
{
    for (int k = dataset->n_run_dim; k < dataset->rank; k++)
        if (strcmp(dataset->scales[k].name, ML_PLOT_EVENTS) == 0)
            return k;
    return -1;
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

/* The first dataset from the i-th on that is another scale of a dimension, or of any for dim < 0;
 * NULL past the last. */
static const char *next_swept(const struct ml_plot_source *source,
                              const struct ml_plot_dataset *dataset, int dim, int *i)
{
    struct ml_array_info info;
    const char *name;
    while ((name = ml_plot_member(source, dataset->group, (*i)++, &info))) {
        const int along = ml_plot_is_swept(source, name) ? dataset_along(dataset, &info) : -1;
        if (along >= 0 && (dim < 0 || along == dim))
            break;
    }
    return name;
}

const char *ml_plot_first_swept(struct ml_plot_source *source,
                                const struct ml_plot_dataset *dataset, int dim)
{
    int i = 0;
    return next_swept(source, dataset, dim, &i);
}

bool ml_plot_is_unordered(const struct ml_plot_dataset *dataset, int dim)
{
    if (dim < 0 || dim >= dataset->n_run_dim)
        return false;
    const char *name = dataset->scales[dim].name;
    return strcmp(name, "run") == 0 || strcmp(name, "sample") == 0;
}

struct ml_plot_scale ml_plot_usual_scale(struct ml_plot_source *source,
                                         const struct ml_plot_dataset *dataset, int dim)
{
    struct ml_plot_scale other, own = dataset->scales[dim];
    struct ml_view view = {.size = sizeof view};
    const char *swept = NULL;
    if (source->status != ML_OK || !own.is_whole || dim >= dataset->n_run_dim)
        return own;
    if (ml_plot_is_unordered(dataset, dim) &&
        ml_result_view_of(source->result, dataset->path, &view) && view.style == ML_VIEW_SCATTER &&
        ml_plot_is_swept(source, view.x))
        swept = view.x;
    else
        swept = ml_plot_first_swept(source, dataset, dim);
    if (!swept || ml_plot_dimension(source, dataset, swept, &other) < 0)
        return own;
    if (ml_plot_is_unordered(dataset, dim))
        return other;
    other.label = ml_plot_format(source, "%s: %s", own.name, other.label);
    return is_in_order(&other) ? other : own;
}

void ml_plot_refuse_dimension(struct ml_plot_source *source, const struct ml_plot_dataset *dataset,
                              const char *option, const char *name)
{
    struct ml_plot_words words = {&source->pool, ml_nearest_typo(name), ""};
    struct ml_array_info info;
    const char *word;
    int i = 0;
    for (int k = 0; k < dataset->rank; k++)
        ml_plot_allow(&words, dataset->scales[k].name);
    while ((word = next_swept(source, dataset, -1, &i)))
        ml_plot_allow(&words, word);
    /* Trajectories are found by the quantities that are swept in their runs. */
    for (i = 0; !dataset->is_summary && strcmp(option, "at") == 0 &&
                (word = ml_plot_member(source, "runs", i, &info));
         i++)
        if (ml_plot_is_swept(source, word))
            ml_plot_allow(&words, word);
    ml_plot_refuse(source, "%s %s: %s has no such axis; %s", option, name, dataset->name,
                   ml_plot_hint(&words));
}

const char *ml_plot_at_text(struct ml_plot_source *source, const struct ml_plot_scale *scale,
                            unsigned long long at)
{
    if (scale->texts)
        return ml_plot_format(source, "%s = %s", scale->name, scale->texts[at]);
    return ml_plot_format(source, "%s = %.6g%s", scale->name, scale->values[at],
                          ml_unit_text(" ", scale->unit, "").text);
}
