/* Checks that names of the study can be dataset names. */
#include "store/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "store/shown.h"

enum { LONGEST = 248 }; /* bytes, so that views can put a word before it */

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
    if (length == 0 || length > LONGEST)
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

static void add_summary(struct names *names, const struct ml_layout *layout)
{
    char wrapped[ML_NAME_LENGTH];
    names->group = "summary";
    names->n = 0;
    for (enum ml_dim dim = ML_DIM_NONE + 1; dim < ML_N_DIM; dim++)
        names_add(names, ml_layout_dim_name(dim));
    for (int i = 0; i < layout->results.n_output; i++)
        names_add(names, layout->results.outputs[i].name);
    names_add(names, "outcome");
    names_add(names, "plots");
    if (ml_shown_wrapped(layout) >= 0)
        names_add(names, ml_shown_wrapped_name(layout, wrapped));
    if (ml_layout_is_list(layout))
        names_add(names, "run");
    for (int i = 0; i < layout->study->n_axis; i++) {
        const struct ml_axis *axis = &layout->study->axes[i];
        if (ml_layout_is_list(layout) || axis->n_swept != 1 || axis->kind == ML_AXIS_FACTOR)
            names_add_swept(names, axis);
        if (!ml_layout_is_list(layout))
            names_add(names, axis->name);
    }
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
