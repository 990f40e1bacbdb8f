/* Finds the numbers that requirements name, by the names that `info` prints. */
#include "plan/requirements.h"

#include <math.h>
#include <string.h>

#include "config/schema/reader.h"
#include "plan/labels.h"
#include "yaml/nearest.h"

/* Calls for the name of every number that may be required, from the pool, until a call returns
 * true. */
static struct ml_required required_each(const struct ml_layout *layout, struct ml_pool *pool,
                                        bool (*visit)(void *context, const char *name),
                                        void *context)
{
    for (int i = 0; i < layout->results.n_output; i++)
        for (int64_t row = 0;
             ml_described_output(layout, i) && row < ml_layout_output_rows(layout, i); row++) {
            const char *name = ml_output_component(layout, i, row, pool);
            if (name && (visit(context, name) || (ml_layout_output_rows(layout, i) == 1 &&
                                                  visit(context, layout->results.outputs[i].name))))
                return (struct ml_required){i, row};
        }
    return (struct ml_required){-1, 0};
}

static bool required_is(void *wanted, const char *name) { return strcmp(wanted, name) == 0; }

struct ml_required ml_required_find(const struct ml_layout *layout, const char *name)
{
    struct ml_pool pool = {0};
    const struct ml_required found = required_each(layout, &pool, required_is, (void *)name);
    ml_pool_free(&pool);
    return found;
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

double ml_requirement_distance(const struct ml_requirement *q, double value)
{
    return isnan(q->below)   ? value - q->above
           : isnan(q->above) ? q->below - value
                             : fmin(value - q->above, q->below - value);
}

double ml_requirement_size(const struct ml_requirement *q)
{
    const double size = isnan(q->below)   ? fabs(q->above)
                        : isnan(q->above) ? fabs(q->below)
                                          : q->below - q->above;
    return size > 0.0 ? size : 1.0;
}

static bool required_offer(void *context, const char *name)
{
    ml_nearest_offer(context, name);
    return false;
}

const char *ml_required_nearest(const struct ml_layout *layout, struct ml_pool *pool,
                                const char *name)
{
    struct ml_nearest nearest = ml_nearest_any(name);
    (void)required_each(layout, pool, required_offer, &nearest);
    return nearest.best ? nearest.best : "none";
}

void ml_plan_requirements(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    const struct ml_node *node = ml_node_find(r->root, "require");
    const struct ml_layout layout = {
        .study = study, .shard = ML_UNSHARDED, .results = study->results};
    for (int i = 0; i < spec->indicators.n_requirement; i++) {
        const char *name = spec->indicators.requirements[i].name;
        if (ml_required_find(&layout, name).output < 0)
            ml_problem(&r->problems, ml_node_find(node, name)->key_location,
                       "cannot require `%s`: the summary has no such number of a run; near to it "
                       "is `%s`",
                       name, ml_required_nearest(&layout, r->pool, name));
    }
    if (spec->indicators.n_requirement > 0 && spec->runs.sample && !ml_described(&layout))
        ml_problem(&r->problems, node->key_location,
                   "require counts the runs of a sample, and points of this `design` are none: "
                   "leave `design` or `require` out");
}
