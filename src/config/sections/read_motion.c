/* The motion that a study describes. */
#include "config/sections/sections.h"

static double *read_motion_angles(struct ml_reader *r, const struct ml_node *node)
{
    double *angles = ml_pool_take(r->spec->pool, (size_t)r->spec->model.n, sizeof *angles);
    if (!ml_read_is_map(r, node, "start and end of a minimum-jerk motion are maps {angle: ...}"))
        return NULL;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_POSTURE, NULL, NULL);
    ml_read_map(r, node, &keys, NULL, NULL);
    if (ml_node_find(node, "angle") && angles)
        ml_read_by_segment(r, ml_node_find(node, "angle"), &ml_keys_find(&keys, "angle")->param,
                           angles);
    return angles;
}

static double *read_motion_point(struct ml_reader *r, const struct ml_node *node)
{
    double *point = ml_pool_take(r->spec->pool, 2, sizeof *point);
    if (node->kind != ML_NODE_LIST || node->n_child != 2) {
        ml_problem(&r->problems, node->location,
                   "start and end of a hand path are points, lists [x, y] of two numbers");
        return NULL;
    }
    if (point) {
        (void)ml_read_number(r, node->first, ml_point_param(0), &point[0]);
        (void)ml_read_number(r, node->last, ml_point_param(1), &point[1]);
    }
    return point;
}

/* Whether the system can move like that. */
static bool check_system(struct ml_reader *r, const struct ml_node *node, int type)
{
    int n = r->spec->model.n;
    if (!r->system || !r->has_segments)
        return false;
    if (!r->system->tables.segment_params)
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no segments to move; leave `motion` out", r->system->name);
    else if (type == ML_HAND_PATH && n != 2)
        ml_problem(&r->problems, ml_read_location(node, "type"),
                   "a hand path fixes the angles of 2 segments, but there are %d; give a "
                   "minimum_jerk motion of their angles",
                   n);
    else
        return true;
    return false;
}

void ml_read_motion(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_motion_spec *plan = &r->spec->inverse.motion;
    if (!node)
        return;
    ml_read_scope(r, node, ML_SCOPE_MOTION, r->spec);
    const struct ml_node *start = ml_node_find(node, "start"), *end = ml_node_find(node, "end");
    ml_read_measured(r, node);
    if (plan->type == ML_MEASURED && !start && !end)
        return;
    if (!ml_node_find(node, "type") || (int)plan->type < 0 || !start || !end ||
        !check_system(r, node, (int)plan->type)) {
        *plan = (struct ml_motion_spec){0};
        return;
    }
    plan->location = node->key_location;
    double *(*read)(struct ml_reader *, const struct ml_node *) =
        plan->type == ML_HAND_PATH ? read_motion_point : read_motion_angles;
    const struct ml_node *elbow = ml_node_find(node, "elbow");
    if (elbow && plan->type != ML_HAND_PATH)
        ml_problem(&r->problems, elbow->key_location, "elbow is a key of hand paths only");
    plan->start = read(r, start);
    plan->end = read(r, end);
}
