/* Writes views as attributes of a group NXdata, and reads those of a file. */
#include "store/result.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "plan/view.h"
#include "store/opened.h"

enum { N_STYLE = ML_VIEW_EVENTS + 1, N_SCALE = ML_VIEW_SYMLOG + 1, N_DIM = -ML_VIEW_EACH };
static const char *const styles[N_STYLE] = {"curves", "map", "scatter", "events"};
static const char *const scales[N_SCALE] = {"linear", "log", "symlog"};
static const char *const dims[N_DIM] = {"each", "y", "x"}; /* ML_VIEW_EACH, .. */

const char *ml_view_style_name(int style)
{
    return style >= 0 && style < N_STYLE ? styles[style] : NULL;
}

const char *ml_view_scale_name(int scale)
{
    return scale >= 0 && scale < N_SCALE ? scales[scale] : NULL;
}

void ml_view_write(struct ml_h5 *h5, hid_t group, const struct ml_view *view)
{
    char entries[ML_ARRAY_MAX_RANK][24];
    const char *how[ML_ARRAY_MAX_RANK];
    const char *const scale[] = {scales[view->x_scale], scales[view->y_scale],
                                 scales[view->colour_scale]};
    for (int k = 0; k < view->n_dim; k++) {
        (void)snprintf(entries[k], sizeof entries[k], "%lld", (long long)view->dims[k]);
        how[k] = view->dims[k] < 0 ? dims[view->dims[k] + N_DIM] : entries[k];
    }
    ml_h5_text_attribute(h5, group, "shows", view->dataset);
    if (view->n_dim == 0)
        return; /* a single number */
    ml_h5_text_attribute(h5, group, "style", styles[view->style]);
    ml_h5_texts_attribute(h5, group, "dims", view->n_dim, how);
    ml_h5_text_attribute(h5, group, "x", view->x);
    ml_h5_text_attribute(h5, group, "y", view->y);
    ml_h5_text_attribute(h5, group, "colour", *view->colour ? view->colour : NULL);
    ml_h5_text_attribute(h5, group, "section", *view->section ? view->section : NULL);
    if (view->x_scale || view->y_scale || view->colour_scale)
        ml_h5_texts_attribute(h5, group, "scales", 3, scale);
}

/* Number of a text of [n]; -1: it is none of them. */
static int view_word(const char *text, const char *const *words, int n)
{
    while (--n >= 0 && strcmp(text, words[n]) != 0)
        ;
    return n;
}

/* The text of an attribute, in the pool; else `other`. */
static const char *view_text(struct ml_result *result, hid_t group, const char *name,
                             const char *other)
{
    char *text = ml_h5_find_text(&result->h5, group, name);
    const char *kept = text ? ml_pool_text(&result->pool, text, strlen(text)) : other;
    free(text);
    return kept ? kept : "";
}

/* Entries that a dimension has not, of damaged files, leave the rules of the shape. */
static void view_read_dims(struct ml_result *result, hid_t group, const struct ml_array_info *info,
                           struct ml_view *view)
{
    unsigned long long n = 0;
    char **how = ml_h5_find_texts(&result->h5, group, "dims", &n);
    for (int k = 0; how && k < info->rank && n == (unsigned long long)info->rank; k++) {
        const int word = view_word(how[k], dims, N_DIM);
        const long long at = word < 0 ? strtoll(how[k], NULL, 10) : word - N_DIM;
        if (word >= 0 || (at >= 0 && at < info->shape[k]))
            view->dims[k] = at;
    }
    ml_h5_free_texts(n, how);
}

static void view_read_scales(struct ml_result *result, hid_t group, struct ml_view *view)
{
    enum ml_view_scale *const to[] = {&view->x_scale, &view->y_scale, &view->colour_scale};
    unsigned long long n = 0;
    char **texts = ml_h5_find_texts(&result->h5, group, "scales", &n);
    for (unsigned long long k = 0; texts && k < n && k < 3; k++) {
        const int word = view_word(texts[k], scales, N_SCALE);
        *to[k] = word > 0 ? (enum ml_view_scale)word : ML_VIEW_LINEAR;
    }
    ml_h5_free_texts(n, texts);
}

/* Files of older versions have `over` of scatter plots, `shows_x` and `shows_y` of sections. */
static void view_read(struct ml_result *result, hid_t group, const char *of, struct ml_view *view)
{
    struct ml_array_info info = {.size = sizeof info};
    const char *shows = view_text(result, group, "shows", "");
    const char *dataset = ml_pool_format(&result->pool, "%s/%s", of, shows);
    if (!dataset || !ml_result_find(result, dataset, &info))
        return;
    info.name = shows;
    if (!ml_view_of_shape(&info, view))
        return;
    view->rank = result->n_view++;
    view->dataset = dataset;
    const int style = view_word(view_text(result, group, "style", ""), styles, N_STYLE);
    const char *over = view_text(result, group, "over", view->x);
    view->style = style >= 0                                 ? (enum ml_view_style)style
                  : H5Lexists(group, "run", H5P_DEFAULT) > 0 ? ML_VIEW_EVENTS
                                                             : view->style;
    view->x = view_text(result, group, "x", view_text(result, group, "shows_x", over));
    view->y = view_text(result, group, "y", view_text(result, group, "shows_y", view->y));
    view->colour = view_text(result, group, "colour", style < 0 ? view->colour : "");
    view->section = view_text(result, group, "section", "");
    view->signal = view_text(result, group, "signal", "");
    view_read_dims(result, group, &info, view);
    view_read_scales(result, group, view);
}

/* The first view of a group, then the others of it. */
static void views_of_group(struct ml_result *result, const char *of)
{
    char path[64];
    unsigned long long n = 0;
    (void)snprintf(path, sizeof path, "%s/plots", of);
    hid_t plots = ml_h5_find_group(&result->h5, result->entry, path);
    if (plots < 0)
        return;
    char **names = ml_h5_find_texts(&result->h5, plots, "views", &n);
    const char *first = view_text(result, plots, "default", "");
    struct ml_view *more =
        realloc(result->views, ((size_t)result->n_view + (size_t)n) * sizeof *more + 1);
    result->views = more ? more : result->views;
    for (unsigned long long turn = 0; turn < 2; turn++)
        for (unsigned long long i = 0; more && names && i < n; i++) {
            hid_t group = (strcmp(names[i], first) == 0) == (turn == 0)
                              ? ml_h5_find_group(&result->h5, plots, names[i])
                              : -1;
            if (group < 0)
                continue;
            view_read(result, group, of, &result->views[result->n_view]);
            (void)H5Gclose(group);
        }
    ml_h5_need(&result->h5, more);
    ml_h5_free_texts(n, names);
    (void)H5Gclose(plots);
}

/* Reads all views, once; false where that fails. */
static bool views_read(struct ml_result *result)
{
    static const char *const groups[] = {"summary", "trajectories", "inverse", "precision", "fit"};
    ml_h5_enter(&result->h5);
    result->h5.err = NULL;
    result->h5.status = ML_OK;
    const char *first = view_text(result, result->entry, "default", "");
    for (int turn = 0; turn < 2 && !result->has_views; turn++)
        for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
            if ((strncmp(first, groups[g], strcspn(first, "/")) == 0) == (turn == 0))
                views_of_group(result, groups[g]);
    result->has_views = true;
    ml_h5_leave(&result->h5);
    return result->h5.status == ML_OK;
}

int ml_result_view(struct ml_result *result, int rank, struct ml_view *view)
{
    if (!views_read(result) || rank < 0 || rank >= result->n_view)
        return 0;
    ml_sized_write(view, &result->views[rank], sizeof *view);
    return 1;
}

int ml_result_view_of(struct ml_result *result, const char *dataset, struct ml_view *view)
{
    struct ml_array_info info = {.size = sizeof info};
    struct ml_view own = {.size = sizeof own};
    const bool has_views = views_read(result);
    for (int i = 0; has_views && i < result->n_view; i++)
        if (strcmp(result->views[i].dataset, dataset) == 0)
            return ml_result_view(result, i, view);
    if (!ml_result_find(result, dataset, &info))
        return 0;
    const char *path = info.name, *slash = strrchr(path, '/');
    info.name = slash ? slash + 1 : path;
    if (!ml_view_of_shape(&info, &own))
        return 0;
    own.dataset = path;
    ml_sized_write(view, &own, sizeof own);
    return 1;
}
