/* Where a table has a motion: columns or markers of the segments, and their units and signs. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "columns/column.h"
#include "config/schema/reader.h"
#include "config/sections/sections.h"

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

/* Reports a column that is in use already: the times, or the angle of an earlier segment. */
static void check_column(struct ml_reader *r, const struct ml_node *columns,
                         const struct ml_node *node, const struct ml_measured *to)
{
    const bool is_time = strcasecmp(node->text, ML_TABLE_TIME) == 0 && !to->time;
    const struct ml_node *first = columns->first;
    while (first != node && (first->kind != ML_NODE_SCALAR || strcmp(first->text, node->text) != 0))
        first = first->next;
    if (is_time)
        ml_problem(&r->problems, node->location, "%s is the column of the times", node->key);
    else if (first != node)
        ml_problem(&r->problems, node->location, "column %s is already that of `%s`",
                   ml_quote(r->pool, node->text), first->key);
}

static void read_columns(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        const char **column = column_of(r, child, to);
        if (!column)
            continue;
        *column = read_kept(r, child, child->key, "the name of a column");
        to->has_columns |= *column != NULL;
        if (*column)
            check_column(r, node, child, to);
    }
}

/* A marker, or a list of those that it is the middle of. */
static void read_marker(struct ml_reader *r, const struct ml_node *node, const char *key,
                        struct ml_marker *to)
{
    static const char wanted[] = "the name of a marker";
    const struct ml_node *child = node->kind == ML_NODE_LIST ? node->first : node;
    if (node->kind == ML_NODE_LIST && (node->n_child < 1 || node->n_child > ML_MARKER_MOST)) {
        ml_problem(&r->problems, node->location,
                   "%s must be the middle of 1 to %d markers, not of %d", key, (int)ML_MARKER_MOST,
                   node->n_child);
        return;
    }
    for (; child; child = child == node ? NULL : child->next) {
        to->names[to->n] = read_kept(r, child, key, wanted);
        to->n += to->names[to->n] != NULL;
    }
}

static bool are_same(const struct ml_marker *a, const struct ml_marker *b)
{
    bool is_same = a->n == b->n;
    for (int m = 0; is_same && m < a->n; m++)
        is_same = strcmp(a->names[m], b->names[m]) == 0;
    return is_same;
}

static void read_markers(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    for (const struct ml_node *child = node->first; child; child = child->next) {
        const int i = ml_read_segment_key(r, child);
        if (i < 0)
            continue;
        if (child->kind != ML_NODE_LIST || child->n_child != 2) {
            ml_problem(&r->problems, child->location,
                       "markers of a segment are a list of two, [PROXIMAL, DISTAL]; for the middle "
                       "of several markers give a list in place of a marker");
            continue;
        }
        if (to->columns[i])
            ml_problem(&r->problems, child->key_location,
                       "`columns` already has the angle of `%s`; leave out either", child->key);
        read_marker(r, child->first, child->key, &to->markers[i][0]);
        read_marker(r, child->last, child->key, &to->markers[i][1]);
        if (to->markers[i][0].n > 0 && are_same(&to->markers[i][0], &to->markers[i][1]))
            ml_problem(&r->problems, child->location,
                       "both ends of `%s` are the same marker: which way does it point?",
                       child->key);
        to->has_markers = true;
    }
}

/* The first joint is where the first segment begins; another marker is seldom meant. */
static void read_base(struct ml_reader *r, const struct ml_node *node, struct ml_measured *to)
{
    const struct ml_marker *first = &to->markers[0][0];
    read_marker(r, node, "base", &to->base);
    if (to->base.n > 0 && first->n > 0 && !are_same(&to->base, first))
        ml_notice(r, node->location,
                  "the base is not the marker that `%s` points from: is it the same joint?",
                  r->spec->segment_names[0]);
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
                   "plane has %s but must have two of x, y, z, -x, -y, -z",
                   ml_quote(r->pool, text));
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

/* Reports keys that a motion of this type does not have. */
static void check_type(struct ml_reader *r, const struct ml_node *motion, bool is_measured)
{
    static const char *const of_measured[] = {"file",   "columns", "markers", "plane",  "base",
                                              "length", "unit",    "sign",    "offset", "rate",
                                              "from",   "to",      "gaps",    "unwrap"};
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
    struct ml_motion_spec *spec = &r->spec->inverse.motion;
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
    if (!r->system || !r->system->tables.segment_params) {
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
    if (ml_node_find(motion, "base"))
        read_base(r, ml_node_find(motion, "base"), to);
    if (plane)
        read_plane(r, plane, to);
    to->is_cut = !isnan(to->from) || !isnan(to->to);
    if (to->to <= to->from)
        ml_problem(&r->problems, ml_read_location(motion, "to"),
                   "to is %g but must be greater than from, %g s", to->to, to->from);
    read_signs(r, motion, to);
}
