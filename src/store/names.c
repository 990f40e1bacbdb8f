/* Checks that names of the study can be dataset names, and derives those of logarithms. */
#include "store/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "store/drawn.h"
#include "store/shown.h"

bool ml_has_log_name(const struct ml_axis *axis)
{
    return axis->is_log && axis->kind != ML_AXIS_EACH &&
           axis->swept[0].low > 0.0; /* then all of it is */
}

const char *ml_log_name(const struct ml_axis *axis, char name[ML_NAME_LENGTH])
{
    (void)snprintf(name, ML_NAME_LENGTH, "log10_%s", axis->name);
    return name;
}

/* Names met so far in a group. */
struct names {
    char (*name)[ML_NAME_LENGTH];
    int n;
    const char *group;
    struct ml_error *err;
    enum ml_status status;
};

static void names_refuse(struct names *names, const char *name, const char *why)
{
    names->status = ml_fail(names->err, ML_E_INPUT, "\"%s\" cannot name a dataset of /study/%s: %s",
                            name, names->group, why);
}

static void names_add(struct names *names, const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length >= ML_NAME_LENGTH - sizeof "log10_")
        names_refuse(names, name, "names have 1 to 248 bytes");
    else if (strchr(name, '/') || strcmp(name, ".") == 0 || name[length - 1] == ' ')
        names_refuse(names, name, "no '/', no space at the end, not \".\" alone");
    for (int i = 0; i < names->n; i++)
        if (strcmp(names->name[i], name) == 0)
            names_refuse(names, name, "the name is taken by another dataset there");
    (void)snprintf(names->name[names->n++], ML_NAME_LENGTH, "%s", name);
}

static void names_add_swept(struct names *names, const struct ml_axis *axis)
{
    for (int k = 0; k < axis->n_swept; k++)
        names_add(names, axis->swept[k].path);
}

static void add_runs(struct names *names, const struct ml_layout *layout)
{
    static const char *const fixed[] = {"run", "outcome", "end_time", "steps"};
    names->group = "runs";
    names->n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        names_add(names, fixed[i]);
    for (int i = 0; i < layout->study->n_axis; i++)
        names_add_swept(names, &layout->study->axes[i]);
}

/* Datasets that are there for viewers only. */
static void add_copies(struct names *names, const struct ml_layout *layout)
{
    char name[ML_NAME_LENGTH];
    for (int k = 0; k < layout->study->n_axis && !ml_layout_is_list(layout); k++) {
        enum ml_drawn kind = ml_drawn_kind(&layout->study->axes[k], ML_DRAWN_STACK);
        if (kind == ML_DRAWN_LOG || kind == ML_DRAWN_INDEX)
            names_add(names, ml_drawn_name(layout, k, ML_DRAWN_STACK, name));
        if (ml_drawn_has_copy(layout, k))
            names_add(names, ml_drawn_name(layout, k, ML_DRAWN_MAP, name));
    }
    if (layout->results.n_output == 0)
        return;
    struct ml_shown shown = ml_shown_first(layout);
    if (shown.row >= 0)
        names_add(names, ml_shown_name(layout, shown, name));
    if (ml_shown_error(layout, shown) < 0)
        return;
    ml_shown_error_name(layout, shown, name);
    names_add(names, name);
}

static void add_summary(struct names *names, const struct ml_layout *layout)
{
    names->group = "summary";
    names->n = 0;
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        names_add(names, ml_layout_dim_name(dim));
    for (int i = 0; i < layout->results.n_output; i++)
        names_add(names, layout->results.outputs[i].name);
    names_add(names, "title");
    if (ml_layout_is_list(layout))
        names_add(names, "run");
    for (int i = 0; i < layout->study->n_axis; i++) {
        const struct ml_axis *axis = &layout->study->axes[i];
        if (ml_layout_is_list(layout) || axis->n_swept != 1 || axis->kind == ML_AXIS_FACTOR)
            names_add_swept(names, axis);
        if (!ml_layout_is_list(layout))
            names_add(names, axis->name);
    }
    add_copies(names, layout);
}

enum ml_status ml_names_check(const struct ml_layout *layout, struct ml_error *err)
{
    enum { FIXED = 8 + ML_N_DIM }; /* what either group has besides outputs and axes, or more */
    size_t most = (size_t)layout->results.n_output + (size_t)ml_layout_swept(layout) +
                  3 * (size_t)layout->study->n_axis + FIXED;
    struct names names = {.err = err, .name = calloc(most, sizeof *names.name)};
    if (!names.name)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    add_runs(&names, layout);
    add_summary(&names, layout);
    free(names.name);
    return names.status;
}
