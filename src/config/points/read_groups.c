/* Groups of the ranges of a sample, which Saltelli's design exchanges together. */
#include "design/groups.h"

#include <string.h>

#include "config/schema/reader.h"
#include "config/sections/sections.h"

/* A key that has the name of a group of other keys; NULL: none. Rows of tables have the names of
 * groups and of keys without a group. */
static const char *find_taken(const struct ml_axis *axis, const struct ml_swept *of)
{
    const int group = ml_sample_group(axis->sample, of->dimension);
    for (int i = 0; i < axis->n_swept; i++)
        if (axis->swept[i].path && strcmp(axis->swept[i].path, of->group) == 0 &&
            ml_sample_group(axis->sample, axis->swept[i].dimension) != group)
            return axis->swept[i].path;
    return NULL;
}

void ml_read_sample_groups(struct ml_reader *r, const struct ml_node *over)
{
    const struct ml_axis *axis = ml_study_spec_sample(r->spec);
    int range = 0, i = 0;
    ml_groups_find(r->spec->runs.sample, axis, r->spec->pool);
    for (const struct ml_node *node = over->first; node; node = node->next, range++) {
        const struct ml_location location = ml_read_location(node, "group");
        while (i < axis->n_swept && axis->swept[i].dimension < range)
            i++;
        if (i == axis->n_swept || axis->swept[i].dimension != range || !axis->swept[i].group)
            continue;
        if (r->spec->runs.sample->design != ML_DESIGN_SALTELLI)
            ml_problem(&r->problems, location,
                       "key `group` belongs to `design: saltelli`, which has indices of groups");
        else if (*axis->swept[i].group == '\0')
            ml_problem(&r->problems, location,
                       "the name of the group is empty; write a name, or leave `group` out");
        else if (find_taken(axis, &axis->swept[i]))
            ml_problem(&r->problems, location,
                       "cannot name the group %s: a key of another range has that name; choose "
                       "another name, or put that range into the group",
                       ml_quote(r->pool, axis->swept[i].group));
    }
}

/* Two correlated ranges of different groups: false without such. */
static bool find_apart(const struct ml_sample_points *sample, int *a, int *b)
{
    const struct ml_correlation *c = &sample->correlation;
    for (*a = 0; *a < c->n; ++*a)
        for (*b = *a + 1; *b < c->n; ++*b)
            if (c->matrix[*b * c->n + *a] != 0.0 &&
                ml_sample_group(sample, *a) != ml_sample_group(sample, *b))
                return true;
    return false;
}

void ml_check_correlated_groups(struct ml_reader *r, struct ml_location location)
{
    const struct ml_axis *axis = ml_study_spec_sample(r->spec);
    const struct ml_sample_points *sample = axis->sample;
    int a, b;
    if (sample->design == ML_DESIGN_POINTS || !find_apart(sample, &a, &b))
        return;
    ml_problem(&r->problems, location,
               "cannot make design `%s` of correlated ranges, `%s` and `%s`: its indices need "
               "independent %s; %sleave `correlation` or `design` out",
               ml_designs[sample->design].word, ml_axis_range_key(axis, a),
               ml_axis_range_key(axis, b),
               sample->design == ML_DESIGN_SALTELLI ? "inputs or groups of inputs" : "inputs",
               sample->design == ML_DESIGN_SALTELLI ? "give both the same `group`, or " : "");
}
