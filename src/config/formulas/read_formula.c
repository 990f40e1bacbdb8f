/* A force that a study gives as formulas. */
#include <string.h>

#include "config/formulas/formulas.h"
#include "expr/text.h"
#include "model/forces/force.h"
#include "model/forces/formula.h"

static const char *const seen_names[ML_N_SEEN] = {
#define ML_SEEN(name) #name,
#define ML_SEEN_OF_POINT(name, text) text,
#define ML_SEEN_OF_FORCE(name) NULL,
#include "model/forces/seen.def"
};

static bool is_of_point(int kind)
{
    return seen_names[kind] && strchr(seen_names[kind], '.') != NULL;
}

/* A force on its way. */
struct formula_force {
    struct ml_reader *r;
    struct ml_formula *formula;
    bool has_point; /* at which it acts */
};

/* Number of a seen quantity, a new one if no formula has named it yet; -1 if there are too many. */
static int add_seen(struct formula_force *f, int kind, int segment, struct ml_expr_fault *fault)
{
    struct ml_formula *formula = f->formula;
    for (int i = 0; i < formula->n_seen; i++)
        if ((int)formula->seen[i].kind == kind && formula->seen[i].segment == segment)
            return i;
    if (formula->n_seen == ML_FORMULA_SEEN) {
        (void)snprintf(fault->what, sizeof fault->what,
                       "the formulas of a force see at most %d angles and rates", ML_FORMULA_SEEN);
        return -1;
    }
    formula->seen[formula->n_seen] = (struct ml_seen){(enum ml_seen_kind)kind, segment};
    return formula->n_seen++;
}

int ml_find_own_state(const struct ml_reader *r, const char *name)
{
    const struct ml_name *state = ml_names_know(r->states, name);
    return state ? state->first : -1;
}

/* Makes the states of a force known by FORCE.STATE, and registers by their names alone too. */
static void add_states(struct ml_reader *r, const struct ml_node *node, const struct ml_force *type,
                       int row)
{
    const struct ml_node *force = ml_node_find_kind(node, "name", ML_NODE_SCALAR);
    const int n = force ? type->n_state : 0;
    struct ml_names *all = ml_pool_take(r->pool, 1, sizeof *all);
    struct ml_name *names = ml_pool_take(r->pool, 2 * (size_t)n + 1, sizeof *names);
    if (n == 0 || !all || !names)
        return;
    *all = (struct ml_names){.above = r->states, .names = names};
    for (int k = 0; k < n; k++) {
        const char *state = type->params[type->n_param - n + k].name;
        names[all->n++] = (struct ml_name){
            .name = ml_pool_format(r->pool, "%s.%s", force->text, state), .first = row + k};
        if (strcmp(force->text, ML_REGISTERS) == 0)
            names[all->n++] = (struct ml_name){.name = state, .first = row + k};
    }
    r->states = all;
}

/* As of ml_formula_names: angle.NAME, or point.x. */
static int find_seen(void *context, const char *name, struct ml_expr_fault *fault)
{
    struct formula_force *f = context;
    const int row = ml_find_own_state(f->r, name);
    if (row >= 0)
        return add_seen(f, ML_SEEN_state, row, fault);
    for (int kind = 0; kind < ML_N_SEEN; kind++) {
        const size_t length = seen_names[kind] ? strlen(seen_names[kind]) : 0;
        if (length == 0)
            continue;
        if (is_of_point(kind) && f->has_point && strcmp(name, seen_names[kind]) == 0)
            return add_seen(f, kind, 0, fault);
        if (strncmp(name, seen_names[kind], length) != 0 || name[length] != '.')
            continue;
        for (int i = 0; i < f->r->spec->model.n; i++)
            if (strcmp(f->r->spec->segment_names[i], name + length + 1) == 0)
                return add_seen(f, kind, i, fault);
    }
    return -1;
}

/* As of ml_formula_names: angles and rates are those of the chain, as it counts them. */
static bool find_late(void *context, int number, struct ml_late_quantity *out,
                      struct ml_expr_fault *fault)
{
    const struct formula_force *f = context;
    const struct ml_seen *seen = &f->formula->seen[number];
    if (seen->kind == ML_SEEN_state || is_of_point(seen->kind)) {
        (void)snprintf(fault->what, sizeof fault->what,
                       "%s%s%s cannot be delayed: angles, rates and states of the force can",
                       seen->kind == ML_SEEN_state ? "" : "`",
                       seen->kind == ML_SEEN_state ? "a state of another force"
                                                   : seen_names[seen->kind],
                       seen->kind == ML_SEEN_state ? "" : "`");
        return false;
    }
    const bool is_joint = seen->segment > 0 && ml_counts_joints(&f->r->spec->model);
    *out = (struct ml_late_quantity){seen->kind == ML_SEEN_rate, seen->segment,
                                     is_joint ? seen->segment - 1 : -1};
    return true;
}

static void offer_seen(void *context, struct ml_nearest *nearest)
{
    const struct formula_force *f = context;
    for (int kind = 0; kind < ML_N_SEEN; kind++) {
        if (is_of_point(kind) && f->has_point)
            ml_nearest_offer(nearest, seen_names[kind]);
        for (int i = 0; seen_names[kind] && !is_of_point(kind) && i < f->r->spec->model.n; i++) {
            const char *name =
                ml_pool_format(f->r->pool, "%s.%s", seen_names[kind], f->r->spec->segment_names[i]);
            if (name)
                ml_nearest_offer(nearest, name);
        }
    }
}

/* Reports names of numbers that are keys of a force. */
static void check_names(struct ml_reader *r, const struct ml_node *map, const struct ml_keys *keys)
{
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next)
        if (keys->row && ml_keys_find(keys, child->key))
            ml_problem(&r->problems, child->key_location,
                       "`%s` is a key of a force; choose another name", child->key);
}

/* Rows of the numbers below a key; returns how many. */
static int add_rows(struct ml_reader *r, const struct ml_node *map, struct ml_param *out)
{
    int n = 0;
    for (const struct ml_node *child = map ? map->first : NULL; child; child = child->next)
        ml_read_given(r, child, &out[n++]);
    return n;
}

/* `like` with the numbers and states of one force; NULL without memory. */
static const struct ml_force *make_type(struct ml_reader *r, const struct ml_node *node,
                                        const struct ml_node *params, const struct ml_force *like)
{
    const struct ml_node *state = ml_node_find_kind(node, "state", ML_NODE_MAP);
    const int n_param = params ? params->n_child : 0, n_state = state ? state->n_child : 0;
    struct ml_force *type = ml_pool_take(r->spec->pool, 1, sizeof *type);
    struct ml_param *rows = ml_pool_take(
        r->spec->pool, (size_t)like->n_param + (size_t)n_param + (size_t)n_state, sizeof *rows);
    if (!type || !rows)
        return NULL;
    if (like->n_param > 0)
        memcpy(rows, like->params, (size_t)like->n_param * sizeof *rows);
    *type = *like;
    type->params = rows;
    type->n_param = like->n_param + add_rows(r, params, rows + like->n_param);
    type->n_param += add_rows(r, state, rows + type->n_param);
    type->n_state = n_state;
    return type;
}

/* Reports formulas that exceed the kernels' limits. */
static bool check_size(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_formula *formula)
{
    const struct ml_program *longest = &formula->equations.programs[ML_EQUATIONS_FORCED];
    if (formula->equations.n_state <= ML_FORMULA_STATES &&
        longest->n_register <= ML_FORMULA_REGISTERS)
        return true;
    ml_problem(&r->problems, node->location,
               formula->equations.n_state > ML_FORMULA_STATES
                   ? "a force has at most %d states"
                   : "the formulas of the force are too long: their evaluation needs more than %d "
                     "numbers at once; give several forces",
               formula->equations.n_state > ML_FORMULA_STATES ? (int)ML_FORMULA_STATES
                                                              : (int)ML_FORMULA_REGISTERS);
    return false;
}

static bool keep_force_texts(struct ml_reader *r, const struct ml_node *node,
                             const struct ml_formula_outputs *of, struct ml_force_texts *out)
{
    for (int o = 0; o < of->n; o++)
        out->outputs[o] = ml_expr_text(of->nodes[o]->text, r->spec->pool);
    return ml_read_formula_texts(r, ml_node_find(node, "define"), &out->define) &&
           ml_read_formula_texts(r, ml_node_find(node, "rates"), &out->rates);
}

/* The torque, or x and y of the force, as texts with names for messages; how many, 0 if something
 * else is there, which is told with the other keys, or here. */
static int find_outputs(struct ml_reader *r, const struct ml_node *node, bool is_force,
                        struct ml_node out[2])
{
    const struct ml_node *given = ml_node_find(node, is_force ? "force" : "torque");
    if (!given || given->kind != (is_force ? ML_NODE_LIST : ML_NODE_SCALAR))
        return 0;
    out[0] = is_force && given->first ? *given->first : *given;
    out[1] = is_force && given->last ? *given->last : *given;
    if (is_force &&
        (given->n_child != 2 || out[0].kind != ML_NODE_SCALAR || out[1].kind != ML_NODE_SCALAR)) {
        ml_problem(&r->problems, given->location, "force must be a list of two formulas, [x, y]");
        return 0;
    }
    out[0].key = is_force ? "x of force" : "torque";
    out[1].key = "y of force";
    return is_force ? 2 : 1;
}

void ml_read_formula(struct ml_reader *r, const struct ml_node *node, struct ml_force_use *use,
                     struct ml_force_texts *texts)
{
    struct ml_formula *formula = ml_pool_take(r->spec->pool, 1, sizeof *formula);
    const struct ml_force *like = use->type;
    const struct ml_params own = ml_force_params(like);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_FORCE, NULL, &own);
    const struct ml_node *params = ml_formula_params(r, node, &keys);
    const struct ml_force *type = make_type(r, node, params, like);
    const bool is_force = like->places & ML_FORCE_FORMULA;
    const bool has_force = is_force || like->places & ML_TORQUE_FORMULA;
    struct formula_force force = {r, formula, is_force};
    int row = 2 * r->spec->model.n;
    struct ml_node out[2];
    const struct ml_node *const nodes[] = {&out[0], &out[1]};
    const struct ml_formula_names names = {find_seen, find_late, offer_seen, &force};
    const struct ml_formula_outputs outputs = {has_force ? find_outputs(r, node, is_force, out) : 0,
                                               nodes, params, like->n_param, "the force"};
    check_names(r, params, &keys);
    check_names(r, ml_node_find_kind(node, "state", ML_NODE_MAP), &keys);
    if (!formula || !type || (has_force && outputs.n == 0))
        return;
    use->type = type;
    for (const struct ml_force_use *before = r->spec->forces; before < use; before++)
        row += before->type ? before->type->n_state : 0;
    add_states(r, node, type, row);
    if (ml_read_formulas(r, node, &names, &outputs, &formula->equations) &&
        check_size(r, node, formula) && keep_force_texts(r, node, &outputs, texts))
        use->formula = formula;
}
