/* Registers of a study: numbers that hold their values between the instants at which a formula, or
 * an event, sets them. Before anything is read they are written as keys of the same meaning: states
 * whose rates are 0, of equations or of a force of the type `states`, and a strobe that sets them:
 *
 *   registers: {u: {start: 0, every: T, next: -k*x}}
 *
 *   system: {state: {u: 0}, rates: {u: 0}}
 *   events: [{name: u, period: T, set: {u: -k*x}, together: true}] */
#include <string.h>

#include "config/formulas.h"
#include "config/sections.h"

/* A node at the place of another one. */
static struct ml_node *make_node(struct ml_reader *r, const struct ml_node *place,
                                 enum ml_node_kind kind, const char *key, const char *text)
{
    struct ml_node *node = ml_pool_take(r->pool, 1, sizeof *node);
    if (node)
        *node = (struct ml_node){.kind = kind,
                                 .is_plain = kind == ML_NODE_SCALAR,
                                 .key = key,
                                 .text = text,
                                 .location = place->location,
                                 .key_location = place->key_location};
    return node;
}

static void append(struct ml_node *parent, struct ml_node *child)
{
    if (parent && child)
        ml_node_append(parent, child);
}

/* The map or list below a key, an empty one where the study gives none; NULL where it gives
 * something else, which is told when the key is read. */
static struct ml_node *find_or_make(struct ml_reader *r, struct ml_node *parent,
                                    const struct ml_node *place, enum ml_node_kind kind,
                                    const char *key)
{
    struct ml_node *node = ml_node_find(parent, key);
    if (node || !parent)
        return node && node->kind == kind ? node : NULL;
    node = make_node(r, place, kind, key, NULL);
    append(parent, node);
    return node;
}

/* Gives a map the value of a key of `from`, if it is there, under another key. */
static void take(struct ml_reader *r, const struct ml_node *from, const char *key,
                 struct ml_node *to, const char *as)
{
    const struct ml_node *value = ml_node_find(from, key);
    struct ml_node *copy = value ? ml_pool_take(r->pool, 1, sizeof *copy) : NULL;
    if (!copy)
        return;
    *copy = *value;
    copy->key = as;
    copy->next = NULL;
    append(to, copy);
}

/* Numbers that keep their values: each register in `state`, with its start, and in `rates`. */
static void add_states(struct ml_reader *r, const struct ml_node *registers, struct ml_node *map)
{
    struct ml_node *state = find_or_make(r, map, registers, ML_NODE_MAP, "state");
    struct ml_node *rates = find_or_make(r, map, registers, ML_NODE_MAP, "rates");
    for (const struct ml_node *own = registers->first; own && state && rates; own = own->next) {
        const bool is_map = own->kind == ML_NODE_MAP;
        struct ml_node *given = make_node(r, own, own->kind, own->key, own->text);
        if (is_map && given) {
            take(r, own, "start", given, "value");
            if (!given->first) /* which is told */
                append(given, make_node(r, own, ML_NODE_SCALAR, "value", "0"));
            take(r, own, "unit", given, "unit");
            take(r, own, "doc", given, "doc");
        }
        append(state, given);
        append(rates, make_node(r, own, ML_NODE_SCALAR, own->key, "0"));
    }
}

/* Whether a key of both is missing, or has the same text. */
static bool is_same(const struct ml_node *a, const struct ml_node *b, const char *key)
{
    const struct ml_node *of_a = ml_node_find_kind(a, key, ML_NODE_SCALAR);
    const struct ml_node *of_b = ml_node_find_kind(b, key, ML_NODE_SCALAR);
    return of_a && of_b ? strcmp(of_a->text, of_b->text) == 0 : of_a == of_b;
}

static bool is_at_same_times(const struct ml_node *a, const struct ml_node *b)
{
    return ml_node_find(b, "next") && is_same(a, b, "every") && is_same(a, b, "phase");
}

/* The strobe of all registers with the times of `own`, where it is the first of them. */
static void add_strobe(struct ml_reader *r, const struct ml_node *registers,
                       const struct ml_node *own, struct ml_node *events)
{
    const struct ml_node *first = registers->first;
    if (!events || !ml_node_find(own, "every") || !ml_node_find(own, "next"))
        return;
    while (!is_at_same_times(own, first))
        first = first->next;
    if (first != own)
        return;
    struct ml_node *event = make_node(r, own, ML_NODE_MAP, NULL, NULL);
    struct ml_node *set = make_node(r, own, ML_NODE_MAP, "set", NULL);
    append(event, make_node(r, own, ML_NODE_SCALAR, "name", own->key));
    take(r, own, "every", event, "period");
    take(r, own, "phase", event, "phase");
    append(event, make_node(r, own, ML_NODE_SCALAR, "together", "true"));
    for (const struct ml_node *other = own; other; other = other->next)
        if (is_at_same_times(own, other))
            take(r, other, "next", set, other->key);
    append(event, set);
    append(events, event);
}

/* The registers of a chain: a force before the others, and a quantity with the name of each. */
static void add_to_chain(struct ml_reader *r, const struct ml_node *registers, struct ml_node *root)
{
    struct ml_node *forces = find_or_make(r, root, registers, ML_NODE_LIST, "forces");
    struct ml_node *quantities = find_or_make(r, root, registers, ML_NODE_MAP, "quantities");
    struct ml_node *force = make_node(r, registers, ML_NODE_MAP, NULL, NULL);
    if (!forces || !quantities || !force)
        return;
    append(force, make_node(r, registers, ML_NODE_SCALAR, "type", "states"));
    append(force, make_node(r, registers, ML_NODE_SCALAR, "name", ML_REGISTERS));
    add_states(r, registers, force);
    force->next = forces->first;
    forces->first = force;
    forces->last = forces->last ? forces->last : force;
    forces->n_child++;
    for (const struct ml_node *own = registers->first; own; own = own->next) {
        struct ml_node *quantity = make_node(r, own, ML_NODE_MAP, own->key, NULL);
        const char *path = ml_pool_format(r->pool, ML_REGISTERS ".%s", own->key);
        append(quantity, make_node(r, own, ML_NODE_SCALAR, "formula", path));
        take(r, own, "unit", quantity, "unit");
        take(r, own, "doc", quantity, "doc");
        append(quantities, quantity);
    }
}

void ml_lay_out_registers(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *registers = ml_node_find_kind(root, ML_REGISTERS, ML_NODE_MAP);
    struct ml_node *system = ml_node_find(root, "system");
    const struct ml_node *type = ml_node_find_kind(system, "type", ML_NODE_SCALAR);
    if (!registers || registers->n_child == 0 || !type || ml_node_find(system, "kind"))
        return;
    if (strcmp(type->text, "equations") == 0)
        add_states(r, registers, system);
    else if (strcmp(type->text, "chain") == 0)
        add_to_chain(r, registers, root);
    else
        return;
    struct ml_node *events = find_or_make(r, root, registers, ML_NODE_LIST, "events");
    for (const struct ml_node *own = registers->first; own; own = own->next)
        add_strobe(r, registers, own, events);
}

/* Whether an event sets a register. */
static bool is_set(const struct ml_reader *r, const char *name)
{
    const struct ml_node *events = ml_node_find_kind(r->root, "events", ML_NODE_LIST);
    for (const struct ml_node *event = events ? events->first : NULL; event; event = event->next)
        if (ml_node_find(ml_node_find(event, "set"), name) ||
            ml_node_find(ml_node_find(event, "then"), name))
            return true;
    return false;
}

static void read_register(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_given_number unused;
    const struct ml_node *every = ml_node_find(node, "every"), *next = ml_node_find(node, "next");
    if (node->kind == ML_NODE_MAP)
        ml_read_scope(r, node, ML_SCOPE_REGISTER, &unused);
    if (node->kind == ML_NODE_MAP && !every != !next)
        ml_problem(&r->problems, node->key_location,
                   "`%s` has `%s` without `%s`: a register is set to the formula `next` at the "
                   "times `every`, or by events alone; give both keys or none of them",
                   node->key, every ? "every" : "next", every ? "next" : "every");
    else if (!next && !is_set(r, node->key))
        ml_notice(r, node->key_location,
                  "register `%s` keeps its start: it has no `next`, and no event sets it",
                  node->key);
}

/* Refuses all exponents: the tangent vector of a register that has just been set depends on the
 * others, so that the vectors are no longer independent. */
static void check_exponents(struct ml_reader *r)
{
    const struct ml_node *lyapunov = ml_node_find(ml_node_find(r->root, "analyse"), "lyapunov");
    const struct ml_node *n = ml_node_find(lyapunov, "exponents");
    if (lyapunov && (!n || (n->kind == ML_NODE_SCALAR && strcmp(n->text, "all") == 0)))
        ml_problem(
            &r->problems, n ? n->location : lyapunov->location,
            "exponents cannot be `all` beside registers: that of a register is -infinity, as "
            "nothing remains of its value where it is set; give as many exponents as there "
            "are other states, or fewer");
}

void ml_read_registers(struct ml_reader *r, const struct ml_node *node)
{
    if (node)
        check_exponents(r);
    for (const struct ml_node *own = node ? node->first : NULL; own; own = own->next)
        read_register(r, own);
    const struct ml_node *system = ml_node_find(r->root, "system");
    if (node && ml_node_find(system, "kind"))
        ml_problem(
            &r->problems, node->key_location,
            "a map has no time between iterations, in which a register would hold its value; "
            "write the register as a further name of `state` and of `next`");
    else if (node && r->system && !r->system->has_formulas && !r->system->joint_terms)
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no place for registers: no force or rate of it is a formula; "
                   "write it as a system of type `equations`",
                   r->system->name);
}
