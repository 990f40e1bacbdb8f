/* Finds the numbers that requirements name, by the names that `info` prints. */
#include "plan/requirements.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/reader.h"
#include "yaml/nearest.h"

/* Label of entry i of a dimension: a segment's name, a coordinate, or a number from 1 on. */
static void required_append(const struct ml_study_spec *spec, enum ml_dim dim, int64_t i,
                            char name[ML_NAME_LENGTH])
{
    char number[ML_NAME_LENGTH];
    (void)snprintf(number, sizeof number, "%lld", (long long)i + 1);
    ml_name_append(name, dim == ML_DIM_COORDINATE                      ? (i == 0 ? "x" : "y")
                         : ml_dim_is_named(dim) && spec->segment_names ? spec->segment_names[i]
                                                                       : number);
}

/* Name of a row of an output, as `info` and tables have it. */
static void required_name(const struct ml_layout *layout, int i, int64_t row,
                          char name[ML_NAME_LENGTH])
{
    const struct ml_output *output = &layout->results.outputs[i];
    const int n = layout->study->ensemble.model.n;
    int64_t inner = ml_layout_output_rows(layout, i);
    (void)snprintf(name, ML_NAME_LENGTH, "%s", output->name);
    for (int k = 0; k < ML_MAX_DIM; k++) {
        const int64_t size = ml_output_size(output, k, n);
        inner /= size;
        if (output->dim[k] != ML_DIM_NONE)
            required_append(&layout->study->spec, output->dim[k], row / inner % size, name);
    }
}

/* Calls for the name of every number that may be required, until a call returns true. */
static struct ml_required required_each(const struct ml_layout *layout,
                                        bool (*visit)(void *context, const char *name),
                                        void *context)
{
    char name[ML_NAME_LENGTH];
    for (int i = 0; i < layout->results.n_output; i++)
        for (int64_t row = 0;
             ml_described_output(layout, i) && row < ml_layout_output_rows(layout, i); row++) {
            required_name(layout, i, row, name);
            if (visit(context, name) || (ml_layout_output_rows(layout, i) == 1 &&
                                         visit(context, layout->results.outputs[i].name)))
                return (struct ml_required){i, row};
        }
    return (struct ml_required){-1, 0};
}

/* The names that a requirement may have. */
struct required_names {
    const char *wanted;
    struct ml_nearest nearest;
    struct ml_pool *pool;
};

static bool required_is(void *context, const char *name)
{
    const struct required_names *names = context;
    return strcmp(names->wanted, name) == 0;
}

struct ml_required ml_required_find(const struct ml_layout *layout, int i)
{
    struct required_names names = {.wanted = layout->study->spec.requirements[i].name};
    return required_each(layout, required_is, &names);
}

const char *ml_requirement_text(const struct ml_requirement *q, struct ml_pool *pool)
{
    if (isnan(q->below))
        return ml_pool_format(pool, "%s > %.10g", q->name, q->above);
    return isnan(q->above)
               ? ml_pool_format(pool, "%s < %.10g", q->name, q->below)
               : ml_pool_format(pool, "%.10g < %s < %.10g", q->above, q->name, q->below);
}

bool ml_requirement_is_met(const struct ml_requirement *q, double value)
{
    return !isnan(value) && !(value >= q->below) && !(value <= q->above);
}

static bool required_offer(void *context, const char *name)
{
    struct required_names *names = context;
    const char *kept = ml_pool_text(names->pool, name, strlen(name));
    if (kept)
        ml_nearest_offer(&names->nearest, kept);
    return false;
}

void ml_plan_requirements(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_node *node = ml_node_find(r->root, "require");
    const struct ml_layout layout = {
        .study = study, .shard = ML_UNSHARDED, .results = study->results};
    for (int i = 0; i < spec->n_requirement; i++) {
        const char *name = spec->requirements[i].name;
        struct required_names names = {name, ml_nearest_any(name), r->pool};
        if (ml_required_find(&layout, i).output >= 0)
            continue;
        (void)required_each(&layout, required_offer, &names);
        ml_problem(&r->problems, ml_node_find(node, name)->key_location,
                   "cannot require `%s`: the summary has no such number of a run; near to it is "
                   "`%s`",
                   name, names.nearest.best ? names.nearest.best : "none");
    }
    if (spec->n_requirement > 0 && !ml_described(&layout))
        ml_problem(&r->problems, node->key_location,
                   "require counts the runs of a sample, and points of this `design` are none: "
                   "leave `design` or `require` out");
}
