/* Where a table has a motion: columns or markers of the segments, and their units and signs. */
#include <string.h>

#include "config/sections.h"

/* A text of the study, as long-lived as that; NULL after telling. */
static const char *read_kept(struct ml_reader *r, const struct ml_node *node, const char *key,
                             const char *wanted)
{
    const char *text = ml_read_text(r, node, key, wanted);
    return text ? ml_pool_text(r->spec->pool, text, strlen(text)) : NULL;
}

/* Whether a segment has that name. */
static bool is_segment(const struct ml_reader *r, const char *name)
{
    for (int i = 0; i < r->spec->model.n; i++)
        if (strcmp(r->spec->segment_names[i], name) == 0)
            return true;
    return false;
}

/* Where the column of a key goes; NULL after telling that no column has this key. */
static const char **column_of(struct ml_reader *r, const struct ml_node *node,
                              struct ml_measured *to)
{
    static const char *const others[] = {"time", "base/x", "base/y"};
    const char **const fields[] = {&to->time, &to->base_columns[0], &to->base_columns[1]};
    for (int k = 0; k < 3; k++)
        if (strcmp(node->key, others[k]) == 0 && !is_segment(r, node->key))
            return fields[k];
    const int i = ml_read_segment_key(r, node);
    return i < 0 ? NULL : &to->columns[i];
}

static void read_columns(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        const char **column = column_of(r, child, to);
        if (!column)
            continue;
        *column = read_kept(r, child, child->key, "the name of a column");
        to->has_columns |= *column != NULL;
    }
}

static void read_markers(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    static const char wanted[] = "the name of a marker";
    for (const struct ml_node *child = node->first; child; child = child->next) {
        const int i = ml_read_segment_key(r, child);
        if (i < 0)
            continue;
        if (child->kind != ML_NODE_LIST || child->n_child != 2) {
            ml_problem(&r->problems, child->location,
                       "markers of a segment are a list of two, [PROXIMAL, DISTAL]");
            continue;
        }
        if (to->columns[i])
            ml_problem(&r->problems, child->key_location,
                       "`columns` has the angle of `%s` already; leave either out", child->key);
        to->markers[i][0] = read_kept(r, child->first, child->key, wanted);
        to->markers[i][1] = read_kept(r, child->last, child->key, wanted);
        to->has_markers = true;
    }
}

/* 1 to 3 of x to z, with its sign; 0 after telling. */
static int read_axis(struct ml_reader *r, const struct ml_node *node)
{
    const char *text = ml_read_text(r, node, "plane", "an axis");
    const char *letter = text ? text + (*text == '-') : "";
    if (text && *letter >= 'x' && *letter <= 'z' && !letter[1])
        return (*letter - 'x' + 1) * (*text == '-' ? -1 : 1);
    if (text)
        ml_problem(&r->problems, node->location,
                   "plane has %s, which is none of x, y, z, -x, -y, -z", ml_quote(r->pool, text));
    return 0;
}

static void read_plane(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    if (node->n_child != 2) {
        ml_problem(&r->problems, node->location,
                   "plane must be a list of two axes, as [x, y], not of %d", node->n_child);
        return;
    }
    to->plane[0] = read_axis(r, node->first);
    to->plane[1] = read_axis(r, node->last);
    if (to->plane[0] && (to->plane[0] == to->plane[1] || to->plane[0] == -to->plane[1]))
        ml_problem(&r->problems, node->location, "plane has the same axis twice");
}

/* A number for each segment; NULL if it is not given. */
static double *read_by_segment(struct ml_reader *r, const struct ml_node *motion, const char *name)
{
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_MOTION, NULL, NULL);
    const struct ml_key *key = ml_keys_find(&keys, name);
    const struct ml_node *node = ml_node_find(motion, name);
    double *values = node && key
                         ? ml_pool_take(r->spec->pool, (size_t)r->spec->model.n + 1, sizeof *values)
                         : NULL;
    for (int i = 0; values && i < r->spec->model.n; i++)
        values[i] = key->param.default_value;
    if (values)
        ml_read_by_segment(r, node, &key->param, values);
    return values;
}

static void read_signs(struct ml_reader *r, const struct ml_node *motion, struct ml_measured *to)
{
    to->sign = read_by_segment(r, motion, "sign");
    to->offset = read_by_segment(r, motion, "offset");
    for (int i = 0; to->sign && i < r->spec->model.n; i++)
        if (to->sign[i] != 1.0 && to->sign[i] != -1.0) {
            ml_problem(&r->problems, ml_read_location(motion, "sign"),
                       "sign is %g but must be 1 or -1", to->sign[i]);
            break;
        }
}

/* Tells keys that a motion of this type does not have. */
static void check_type(struct ml_reader *r, const struct ml_node *motion, bool is_measured)
{
    static const char *const of_measured[] = {"file",   "columns", "markers", "plane",
                                              "base",   "length",  "unit",    "sign",
                                              "offset", "rate",    "gaps",    "unwrap"};
    static const char *const of_course[] = {"duration", "onset", "elbow"};
    for (size_t i = 0; !is_measured && i < sizeof of_measured / sizeof *of_measured; i++)
        if (ml_node_find(motion, of_measured[i]))
            ml_problem(&r->problems, ml_node_find(motion, of_measured[i])->key_location,
                       "%s is a key of measured motions only", of_measured[i]);
    for (size_t i = 0; is_measured && i < sizeof of_course / sizeof *of_course; i++)
        if (ml_node_find(motion, of_course[i]))
            ml_problem(&r->problems, ml_node_find(motion, of_course[i])->key_location,
                       "%s is a key of motions from `start` to `end` only", of_course[i]);
}

void ml_read_measured(struct ml_reader *r, const struct ml_node *motion)
{
    struct ml_motion_spec *spec = &r->spec->motion;
    struct ml_measured *to = &spec->measured;
    const struct ml_node *columns = ml_node_find_kind(motion, "columns", ML_NODE_MAP);
    const struct ml_node *markers = ml_node_find_kind(motion, "markers", ML_NODE_MAP);
    const struct ml_node *plane = ml_node_find_kind(motion, "plane", ML_NODE_LIST);
    const struct ml_node *gaps = ml_node_find_kind(motion, "gaps", ML_NODE_MAP);
    const bool is_measured =
        spec->type == ML_MEASURED && !ml_node_find(motion, "start") && !ml_node_find(motion, "end");
    const size_t n = (size_t)r->spec->model.n + 1;
    check_type(r, motion, is_measured);
    ml_read_scope(r, gaps, ML_SCOPE_GAPS, r->spec);
    if (!is_measured || !r->has_segments)
        return;
    spec->location = motion->key_location;
    if (!r->system || !r->system->segment_params) {
        ml_problem(&r->problems, motion->key_location,
                   "the system has no segments to move; leave `motion` out");
        return;
    }
    const char *path = to->file ? ml_read_path(r, to->file) : NULL;
    to->file = path ? ml_pool_text(r->spec->pool, path, strlen(path)) : NULL;
    to->columns = ml_pool_take(r->spec->pool, n, sizeof *to->columns);
    to->markers = ml_pool_take(r->spec->pool, n, sizeof *to->markers);
    to->plane[0] = 1;
    to->plane[1] = 2;
    if (!to->columns || !to->markers)
        return;
    if (columns)
        read_columns(r, columns, to);
    if (markers)
        read_markers(r, markers, to);
    if (plane)
        read_plane(r, plane, to);
    read_signs(r, motion, to);
}
