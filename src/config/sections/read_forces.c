/* The forces of a study. */
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/sections/sections.h"
#include "model/forces/formula.h"
#include "model/forces/laws.h"
#include "model/forces/numbers.h"

/* False after telling that a force has matrices over too many joints. */
static bool is_size_allowed(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_force *type)
{
    bool has_matrix = false;
    for (int p = 0; p < type->n_param; p++)
        has_matrix |= type->params[p].flags & ML_MATRIX;
    if (!has_matrix || r->spec->model.n <= ML_MOST_DOFS)
        return true;
    ml_problem(&r->problems, ml_read_location(node, "type"),
               "%s is for at most %d joints: each pair of joints has its own numbers", type->name,
               (int)ML_MOST_DOFS);
    return false;
}

/* False after telling that a force has no place in the system. */
static bool is_of_system(struct ml_reader *r, const struct ml_node *node,
                         const struct ml_force *type)
{
    const bool is_at_dof = type->places & ML_AT_DOF;
    if (!r->system || is_at_dof == (r->system->tables.arrays != NULL))
        return true;
    ml_problem(&r->problems, ml_read_location(node, "type"),
               is_at_dof
                   ? "%s acts on a degree of freedom, which `%s` does not have; on a segment "
                     "acts a `point_force`, at a joint a `torque`"
                   : "%s acts on segments or joints, which `%s` does not have; on a degree of "
                     "freedom acts a `drive`",
               type->name, r->system->name);
    return false;
}

/* Type of force i; none after telling. */
static void read_type(struct ml_reader *r, const struct ml_node *node, int at)
{
    struct ml_force_use *use = &r->spec->forces[at];
    const int n = r->spec->model.n, i = ml_read_word(r, node, ML_SCOPE_FORCE, "type");
    const struct ml_force *type = i < 0 ? NULL : r->spec->registry->forces[i];
    if (!type || !is_of_system(r, node, type) || !is_size_allowed(r, node, type))
        return;
    use->i_type = i;
    use->type = type;
    if (type->places & ML_BY_FORMULA && r->has_segments)
        ml_read_formula(r, node, use, &r->spec->texts[at]);
    use->n_number = ml_force_numbers(use->type, n, NULL);
    use->n_signal = ml_force_signals(use->type, n);
}

/* Where the limits of an actuator go. */
struct limits {
    const struct ml_param *low, *high;
    double *low_values, *high_values; /* [n], or [1] */
};

static void read_limit_one(struct ml_reader *r, const struct ml_node *node,
                           const struct ml_param *param, int i, void *context)
{
    const struct limits *to = context;
    const bool is_list = node->kind == ML_NODE_LIST;
    const struct ml_node *low = is_list ? node->first : ml_node_find(node, "low");
    const struct ml_node *high = is_list ? node->last : ml_node_find(node, "high");
    double most;
    if (node->kind != ML_NODE_SCALAR && node->n_child == (is_list ? 2 : !!low + !!high)) {
        if (low)
            (void)ml_read_number(r, low, to->low, &to->low_values[i]);
        if (high)
            (void)ml_read_number(r, high, to->high, &to->high_values[i]);
    } else if (node->kind != ML_NODE_SCALAR) {
        ml_problem(&r->problems, node->location,
                   "%s must be a number or a list [low, high] of two, not %s", param->name,
                   ml_node_kind_text(node));
    } else if (ml_read_number(r, node, param, &most)) {
        to->low_values[i] = -most;
        to->high_values[i] = most;
    }
}

/* The limit of an actuator, row p of its table: one for all joints is the number, or the two ends
 * of each joint. */
static void read_limit(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_force_use *use, int p, double *values)
{
    const int n_all = r->spec->model.n, low = ml_force_limit_row(use->type, p + 1);
    const int high = low + 1, n = use->type->params[low].flags & ML_BY_JOINT ? n_all : 1;
    const struct ml_param *params = use->type->params;
    struct limits to = {&params[low], &params[high],
                        values + ml_force_first_number(use->type, n_all, low),
                        values + ml_force_first_number(use->type, n_all, high)};
    double *most = values + ml_force_first_number(use->type, n_all, p);
    *most = (double)NAN;
    for (int i = 0; i < n; i++)
        to.low_values[i] = to.high_values[i] = (double)NAN;
    if (!node)
        return;
    if (node->kind == ML_NODE_SCALAR) {
        (void)ml_read_number(r, node, &params[p], most);
    } else if (node->kind == ML_NODE_MAP && params[low].flags & ML_BY_JOINT &&
               !ml_node_find(node, "low") && !ml_node_find(node, "high")) {
        ml_read_each_segment(r, node, &params[p], read_limit_one, &to);
    } else {
        read_limit_one(r, node, &params[p], 0, &to);
        for (int i = 1; i < n; i++) {
            to.low_values[i] = to.low_values[0];
            to.high_values[i] = to.high_values[0];
        }
    }
}

/* A signal or formula in the place of a number. */
static void read_forces_read_rows(struct ml_reader *r, const struct ml_node *node,
                                  const struct ml_force_use *use, double *values,
                                  struct ml_signal *signal)
{
    const int n = r->spec->model.n;
    const struct ml_node *pair[2] = {NULL, NULL}; /* of the vector before the row */
    for (int p = 0; p < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        const struct ml_node *given = row->name ? ml_node_find(node, row->name) : NULL;
        double *own = values + ml_force_first_number(use->type, n, p);
        if (ml_force_row_is_signal_pair(use->type->params, p) &&
            !(given && ml_read_pair(r, given, row, pair)))
            pair[0] = pair[1] = NULL;
        if (row->name && row->flags & ML_SIGNAL && strchr(row->name, '.'))
            given = pair[row->name[strlen(row->name) - 1] == 'y'];
        if (row->flags & ML_MATRIX)
            ml_read_matrix(r, given, row, own);
        if (row->name && row->flags & ML_LIMIT && !strchr(row->name, '.'))
            read_limit(r, given, use, p, values);
        if (!(row->flags & ML_SIGNAL))
            continue;
        if (row->flags & ML_BY_JOINT)
            ml_read_signals(r, given, row, own, signal);
        else
            ml_read_signal(r, given, row, own, signal);
        signal += row->flags & ML_BY_JOINT ? n : 1;
    }
}

/* Full name of a number: "target.to", "stiffness.upper.lower". */
static const char *number_name(struct ml_reader *r, const struct ml_force_number *number)
{
    struct ml_pool *pool = r->spec->pool;
    char **joint = r->spec->segment_names;
    const char *name = number->row->name;
    if (number->i >= 0 && number->row->flags & ML_LIMIT) /* limit.JOINT.low */
        return ml_pool_format(pool, "limit.%s%s", joint[number->i], strchr(name, '.'));
    if (number->i >= 0)
        name = ml_pool_format(pool, "%s.%s", name, joint[number->i]);
    if (name && number->j >= 0)
        name = ml_pool_format(pool, "%s.%s", name, joint[number->j]);
    if (name && number->signal != ML_SIGNAL_VALUE)
        name = ml_pool_format(pool, "%s.%s", name, ml_force_number_param(number).name);
    return name;
}

static void set_numbers(struct ml_reader *r, struct ml_force_use *use)
{
    const size_t n = (size_t)use->n_number;
    struct ml_force_number *number = ml_pool_take(r->pool, n + 1, sizeof *number);
    struct ml_param *params = ml_pool_take(r->spec->pool, n + 1, sizeof *params);
    if (!number || !params)
        return;
    (void)ml_force_numbers(use->type, r->spec->model.n, number);
    for (size_t i = 0; i < n; i++) {
        params[i] = ml_force_number_param(&number[i]);
        params[i].name = number_name(r, &number[i]);
    }
    use->numbers = params;
}

/* Reports a direction, a vector without a unit, of length 0. */
static void check_directions(struct ml_reader *r, const struct ml_node *node,
                             const struct ml_force_use *use, const double *values)
{
    for (int p = 0; p + 2 < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        const double *own = values + ml_force_first_number(use->type, r->spec->model.n, p);
        if (row->name && row->flags & ML_VECTOR && strcmp(row->unit, "1") == 0 && own[1] == 0.0 &&
            own[2] == 0.0)
            ml_problem(&r->problems, ml_read_location(node, row->name),
                       "%s is [0, 0] and must have a direction", row->name);
    }
}

/* Reports two keys of a force of which exactly one must be given. */
static void check_either(struct ml_reader *r, const struct ml_node *node,
                         const struct ml_force *type)
{
    const char *const *either = type->either;
    if (!either[0] || !ml_node_find(node, either[0]) != !ml_node_find(node, either[1]))
        return;
    ml_problem(&r->problems, node->location, "%s takes `%s` or `%s`, and has %s: give one of them",
               type->name, either[0], either[1],
               ml_node_find(node, either[0]) ? "both" : "neither");
}

static void read_force(struct ml_reader *r, const struct ml_node *node, struct ml_force_use *use,
                       double *values)
{
    const unsigned places = use->type->places;
    const struct ml_params own = ml_force_params(use->type);
    struct ml_signal *signals =
        ml_pool_take(r->spec->pool, (size_t)use->n_signal + 1, sizeof *signals);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_FORCE, NULL, &own);
    ml_read_map(r, node, &keys, use, values);
    for (int i = 0; use->formula && i < use->type->n_param; i++)
        if (!ml_node_find(node, use->type->params[i].name)) /* given below `parameters` */
            ml_define_copy(r->define, &values[i], &use->type->params[i].default_value, 1);
    check_either(r, node, use->type);
    if (r->has_segments)
        check_directions(r, node, use, values);
    use->signals = signals;
    use->line = node->location.line;
    use->column = node->location.column;
    if (!r->has_segments || !signals)
        return;
    r->measured = use->file ? use : NULL;
    read_forces_read_rows(r, node, use, values, signals);
    r->measured = NULL;
    if (places & ML_OF_FILE)
        ml_read_load(r, node, use, values, signals);
    set_numbers(r, use);
    const char *at = places & ML_AT_DOF ? "dof" : "joint";
    const struct ml_node *joint =
        places & (ML_AT_DOF | ML_AT_JOINT) ? ml_node_find(node, at) : NULL;
    const struct ml_node *segment =
        places & (ML_AT_SEGMENT | ML_OF_SEGMENT) ? ml_node_find(node, "segment") : NULL;
    use->joint = joint ? ml_read_segment(r, joint, at) : 0;
    use->segment = segment ? ml_read_segment(r, segment, "segment") : use->joint;
}

/* Names of all forces; reports names that are used twice. */
static void set_names(struct ml_reader *r, const struct ml_node *node, int n)
{
    struct ml_pool *pool = r->spec->pool;
    const char **names = ml_pool_take(r->pool, (size_t)n, sizeof *names);
    for (int i = 0; i < n && names; i++) {
        struct ml_force_use *use = &r->spec->forces[i];
        use->name = use->name ? use->name : ml_pool_format(pool, "%d", i + 1);
        names[i] = use->name;
    }
    if (names)
        ml_read_unique(r, node, names, n);
}

/* Makes room for the numbers of all forces, whose types are known; the system may not be. NULL
 * after telling that they are too many, or without memory. */
static double *set_slots(struct ml_reader *r, const struct ml_node *node, int n)
{
    const int first = r->system ? ml_slot_forces(&r->spec->model) : 0;
    int64_t n_number = 0;
    for (int i = 0; i < n; i++) {
        struct ml_force_use *use = &r->spec->forces[i];
        use->slot = first + (int)n_number;
        n_number += use->n_number;
        if (n_number > ML_MOST_FORCE_NUMBERS) {
            ml_problem(&r->problems, node->location,
                       "forces have more than %d numbers in all: some have a number for each of "
                       "the %d joints or each pair of joints",
                       (int)ML_MOST_FORCE_NUMBERS, r->spec->model.n);
            return NULL;
        }
    }
    return ml_pool_take(r->pool, (size_t)n_number + 1, sizeof *r->force_values);
}

static void set_laws(struct ml_reader *r, int n)
{
    struct ml_law *laws = ml_pool_take(r->spec->pool, (size_t)n, sizeof *laws);
    for (int i = 0; i < n; i++)
        if (!r->spec->forces[i].type)
            return; /* which has been reported */
    if (laws)
        ml_instance_set_laws(&r->spec->model, r->spec->forces, n, laws);
}

/* The forces one by one. */
static void read_each(struct ml_reader *r, const struct ml_node *node, int n)
{
    int i = 0;
    struct ml_force_use *forces = r->spec->forces;
    for (const struct ml_node *child = node->first; child; child = child->next, i++)
        if (ml_read_is_map(r, child, "a force must be a map such as {type: torque, joint: 1, ...}"))
            read_type(r, child, i);
    r->force_values = set_slots(r, node, n);
    i = 0;
    for (const struct ml_node *child = node->first; child && r->force_values; child = child->next) {
        struct ml_force_use *use = &forces[i++];
        if (use->type)
            read_force(r, child, use, r->force_values + (use->slot - forces[0].slot));
    }
}

void ml_read_forces(struct ml_reader *r, const struct ml_node *node)
{
    int n = node ? node->n_child : 0;
    if (n == 0)
        return;
    if (n > ML_MOST_FORCES) {
        ml_problem(&r->problems, node->location, "there are more than %d forces",
                   (int)ML_MOST_FORCES);
        return;
    }
    if (r->system && !r->system->forces.joint_terms && !r->system->tables.arrays) {
        ml_problem(&r->problems, node->location, "system `%s` has no joints for forces to act at",
                   r->system->name);
        return;
    }
    r->spec->forces = ml_pool_take(r->spec->pool, (size_t)n, sizeof *r->spec->forces);
    r->spec->inverse.measured =
        ml_pool_take(r->spec->pool, (size_t)n, sizeof *r->spec->inverse.measured);
    r->spec->texts = ml_pool_take(r->spec->pool, (size_t)n, sizeof *r->spec->texts);
    if (!r->spec->forces || !r->spec->inverse.measured || !r->spec->texts)
        return;
    read_each(r, node, n);
    if (!r->force_values)
        return;
    r->spec->n_force = n;
    set_names(r, node, n);
    if (r->has_segments)
        set_laws(r, n);
    if (!r->spec->source.code)
        r->spec->source.code = ml_formula_code(r->spec->forces, n, r->spec->pool);
}
