/* Numbers groups in the order of their first ranges. */
#include "design/groups.h"

#include <string.h>

static bool is_same(const struct ml_swept *a, const struct ml_swept *b)
{
    return a->dimension == b->dimension || (a->group && b->group && !strcmp(a->group, b->group));
}

/* The first key of the group of key i. */
static int find_first(const struct ml_axis *axis, int i)
{
    int first = 0;
    while (first < i && !is_same(&axis->swept[first], &axis->swept[i]))
        first++;
    return first;
}

void ml_groups_find(struct ml_sample_points *points, const struct ml_axis *axis,
                    struct ml_pool *pool)
{
    int *group = NULL;
    points->n_group = 0;
    for (int i = 0; i < axis->n_swept && !group && points->design == ML_DESIGN_SALTELLI; i++)
        if (axis->swept[i].group)
            group = ml_pool_take(pool, (size_t)points->n_input, sizeof *group);
    for (int i = 0; group && i < axis->n_swept; i++) {
        const int first = find_first(axis, i);
        group[axis->swept[i].dimension] =
            first < i ? group[axis->swept[first].dimension] : points->n_group++;
    }
    points->group = group;
}
