/* Registers of a study: numbers that hold their values between the instants at which a formula, or
 * an event, sets them. Before anything is read they are written as keys of the same meaning: states
 * whose rates are 0, of equations or of a force of the type `states`, and a strobe that sets them:
 *
 *   registers: {u: {start: 0, every: T, next: -k*x}}
 *
 *   system: {state: {u: 0}, rates: {u: 0}}
 *   events: [{name: u, period: T, set: {u: -k*x}, together: true}] */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "config/formulas/formulas.h"
#include "config/sections/sections.h"
#include "expr/number.h"

/* Numbers that keep their values: each register in `state`, with its start, and in `rates`. */
static void add_states(struct ml_reader *r, const struct ml_node *registers, struct ml_node *map)
{
    struct ml_node *state = ml_tree_find_or_make(r, map, registers, ML_NODE_MAP, "state");
    struct ml_node *rates = ml_tree_find_or_make(r, map, registers, ML_NODE_MAP, "rates");
    for (const struct ml_node *own = registers->first; own && state && rates; own = own->next) {
        const bool is_map = own->kind == ML_NODE_MAP;
        struct ml_node *given = ml_tree_make(r, own, own->kind, own->key, own->text);
        if (is_map && given) {
            ml_tree_take(r, own, "start", given, "value");
            if (!given->first) /* which is told */
                ml_tree_append(given, ml_tree_make(r, own, ML_NODE_SCALAR, "value", "0"));
            ml_tree_take(r, own, "unit", given, "unit");
            ml_tree_take(r, own, "doc", given, "doc");
        }
        ml_tree_append(state, given);
        ml_tree_append(rates, ml_tree_make(r, own, ML_NODE_SCALAR, own->key, "0"));
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
    struct ml_node *event = ml_tree_make(r, own, ML_NODE_MAP, NULL, NULL);
    struct ml_node *set = ml_tree_make(r, own, ML_NODE_MAP, "set", NULL);
    ml_tree_append(event, ml_tree_make(r, own, ML_NODE_SCALAR, "name", own->key));
    ml_tree_take(r, own, "every", event, "period");
    ml_tree_take(r, own, "phase", event, "phase");
    ml_tree_append(event, ml_tree_make(r, own, ML_NODE_SCALAR, "together", "true"));
    for (const struct ml_node *other = own; other; other = other->next)
        if (is_at_same_times(own, other))
            ml_tree_take(r, other, "next", set, other->key);
    ml_tree_append(event, set);
    ml_tree_append(events, event);
}

struct ml_node *ml_registers_force(struct ml_reader *r, struct ml_node *root,
                                   const struct ml_node *place)
{
    struct ml_node *forces = ml_tree_find_or_make(r, root, place, ML_NODE_LIST, "forces");
    const struct ml_node *name =
        forces ? ml_node_find_kind(forces->first, "name", ML_NODE_SCALAR) : NULL;
    if (!forces || (name && strcmp(name->text, ML_REGISTERS) == 0))
        return forces ? forces->first : NULL;
    struct ml_node *force = ml_tree_make(r, place, ML_NODE_MAP, NULL, NULL);
    if (!force)
        return NULL;
    ml_tree_append(force, ml_tree_make(r, place, ML_NODE_SCALAR, "type", "states"));
    ml_tree_append(force, ml_tree_make(r, place, ML_NODE_SCALAR, "name", ML_REGISTERS));
    force->next = forces->first;
    forces->first = force;
    forces->last = forces->last ? forces->last : force;
    forces->n_child++;
    return force;
}

/* The registers of a chain: states of that force, and a quantity with the name of each. */
static void add_to_chain(struct ml_reader *r, const struct ml_node *registers, struct ml_node *root)
{
    struct ml_node *quantities =
        ml_tree_find_or_make(r, root, registers, ML_NODE_MAP, "quantities");
    struct ml_node *force = ml_registers_force(r, root, registers);
    if (!quantities || !force)
        return;
    add_states(r, registers, force);
    for (const struct ml_node *own = registers->first; own; own = own->next) {
        struct ml_node *quantity = ml_tree_make(r, own, ML_NODE_MAP, own->key, NULL);
        const char *path = ml_pool_format(r->pool, ML_REGISTERS ".%s", own->key);
        ml_tree_append(quantity, ml_tree_make(r, own, ML_NODE_SCALAR, "formula", path));
        ml_tree_take(r, own, "unit", quantity, "unit");
        ml_tree_take(r, own, "doc", quantity, "doc");
        ml_tree_append(quantities, quantity);
    }
}

static const struct ml_node *find_event(const struct ml_reader *r, const struct ml_node *name)
{
    const struct ml_node *events = ml_node_find_kind(r->root, "events", ML_NODE_LIST);
    for (const struct ml_node *event = events ? events->first : NULL; event; event = event->next) {
        const struct ml_node *own = ml_node_find_kind(event, "name", ML_NODE_SCALAR);
        if (own && name && name->kind == ML_NODE_SCALAR && strcmp(own->text, name->text) == 0)
            return event;
    }
    return NULL;
}

/* A formula below a key of a map, at the place of another node. */
__attribute__((format(printf, 5, 6))) static void
add_formula(struct ml_reader *r, struct ml_node *map, const struct ml_node *place, const char *key,
            const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)ml_tree_add(r, map, place, key, ml_pool_text(r->pool, text, strlen(text)));
}

/* Whether an event may pass without counting. */
static bool is_guarded(const struct ml_node *event)
{
    static const char *const keys[] = {"if", "and", "from", "least", "once"};
    bool is = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        is |= ml_node_find(event, keys[i]) != NULL;
    return is;
}

/* Whether an event sets the state, so that it can start a delay. */
static bool can_start(const struct ml_node *event)
{
    return !ml_node_find(event, "of") && !ml_node_find(event, "stop");
}

/* An event that is late behind another one, as a crossing: registers have how many are under way,
 * and since when each is. The other event adds to them, and the late one takes the first away. */
static void lay_out_after(struct ml_reader *r, struct ml_node *root, struct ml_node *event)
{
    enum { MOST_PENDING = 4 };
    const struct ml_node *after = ml_node_find_kind(event, "after", ML_NODE_MAP);
    const struct ml_node *own = ml_node_find_kind(event, "name", ML_NODE_SCALAR);
    const struct ml_node *delay = ml_node_find_kind(after, "delay", ML_NODE_SCALAR);
    const struct ml_node *first = find_event(r, ml_node_find(after, "event"));
    if (!own || !delay || !first || first == event || !can_start(first) ||
        ml_node_find(event, "when"))
        return;
    const char *name = own->text;
    struct ml_node *registers = ml_tree_find_or_make(r, root, event, ML_NODE_MAP, ML_REGISTERS);
    struct ml_node *begin =
        ml_tree_find_or_make(r, (struct ml_node *)first, after, ML_NODE_MAP, "set");
    struct ml_node *late = event;
    add_formula(r, event, delay, "when", "where(%s_pending > 0, t - %s_since_1 - (%s), -1)", name,
                name, delay->text);
    ml_tree_append(event, ml_tree_make(r, after, ML_NODE_SCALAR, "direction", "up"));
    if (is_guarded(event)) {
        late = ml_tree_make(r, event, ML_NODE_MAP, NULL, NULL);
        add_formula(r, late, own, "name", "%s_due", name);
        ml_tree_take(r, event, "when", late, "when");
        ml_tree_take(r, event, "direction", late, "direction");
        ml_tree_append(ml_node_find(root, "events"), late);
    }
    struct ml_node *end = ml_node_find(event, "stop")
                              ? NULL
                              : ml_tree_find_or_make(r, late, after, ML_NODE_MAP, "set");
    const char *pending = ml_pool_format(r->pool, "%s_pending", name);
    ml_tree_append(registers, ml_tree_make(r, after, ML_NODE_SCALAR, pending, "0"));
    add_formula(r, begin, after, pending, "where(%s < %d, %s + 1, 1/(%d - %s))", pending,
                MOST_PENDING, pending, MOST_PENDING, pending);
    add_formula(r, end, after, pending, "%s - 1", pending);
    for (int k = 1; k <= MOST_PENDING; k++) {
        const char *since = ml_pool_format(r->pool, "%s_since_%d", name, k);
        ml_tree_append(registers, ml_tree_make(r, after, ML_NODE_SCALAR, since, "0"));
        add_formula(r, begin, after, since, "where(%s == %d, t, %s)", pending, k - 1, since);
        if (k < MOST_PENDING)
            add_formula(r, end, after, since, "%s_since_%d", name, k + 1);
    }
}

static bool is_of_type(const struct ml_node *system, const char *type)
{
    const struct ml_node *own = ml_node_find_kind(system, "type", ML_NODE_SCALAR);
    return own && strcmp(own->text, type) == 0;
}

bool ml_registers_are_states(const struct ml_node *system)
{
    return is_of_type(system, "equations");
}

bool ml_registers_have_place(const struct ml_node *system)
{
    return ml_registers_are_states(system) || is_of_type(system, "chain");
}

void ml_lay_out_registers(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *list = ml_node_find_kind(root, "events", ML_NODE_LIST);
    struct ml_node *system = ml_node_find(root, "system");
    if (!ml_registers_have_place(system) || ml_node_find(system, "kind"))
        return;
    for (struct ml_node *event = list ? list->first : NULL; event; event = event->next)
        if (ml_node_find_kind(event, "after", ML_NODE_MAP))
            lay_out_after(r, root, event);
    const struct ml_node *registers = ml_node_find_kind(root, ML_REGISTERS, ML_NODE_MAP);
    if (!registers || registers->n_child == 0)
        return;
    if (ml_registers_are_states(system))
        add_states(r, registers, system);
    else
        add_to_chain(r, registers, root);
    struct ml_node *events = ml_tree_find_or_make(r, root, registers, ML_NODE_LIST, "events");
    for (const struct ml_node *own = registers->first; own; own = own->next)
        add_strobe(r, registers, own, events);
}

void ml_read_after(struct ml_reader *r, const struct ml_node *node, const struct ml_node *after)
{
    static const struct ml_param param = {
        .name = "delay", .unit = "s", .high = 1e15, .flags = ML_OPEN_LOW};
    struct ml_number_fault fault;
    struct ml_late_event keys = {0};
    const int before = r->problems.count;
    ml_read_scope(r, after, ML_SCOPE_AFTER, &keys);
    double value;
    const struct ml_node *delay = ml_node_find_kind(after, "delay", ML_NODE_SCALAR);
    const struct ml_node *first = find_event(r, ml_node_find(after, "event"));
    if (delay && ml_expr_number(delay->text, &value, &fault)) /* else a formula */
        (void)ml_read_range(r, delay->location, &param, value);
    static const char *const others[] = {"when", "of", "period", "at"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct ml_node *other = ml_node_find(node, others[i]);
        if (other && (!delay || other->location.column != delay->location.column ||
                      other->location.line != delay->location.line))
            ml_problem(&r->problems, other->key_location,
                       "an event has `%s` or `after`; leave one of them out", others[i]);
    }
    if (r->problems.count > before)
        return;
    if (!ml_registers_have_place(ml_node_find(r->root, "system")))
        ml_problem(
            &r->problems, after->key_location,
            "an event cannot follow another one in this system, which has no registers: write "
            "it as a system of type `equations`");
    else if (!first)
        ml_problem(&r->problems, ml_read_location(after, "event"),
                   "after names event %s, which the study does not have",
                   ml_quote(r->pool, keys.event));
    else if (first == node)
        ml_problem(&r->problems, ml_read_location(after, "event"),
                   "`%s` cannot be late behind itself; give an event that begins without it, or "
                   "`period`",
                   keys.event);
    else if (!can_start(first))
        ml_problem(&r->problems, ml_read_location(after, "event"), "`%s` cannot start a delay: %s",
                   keys.event,
                   ml_node_find(first, "stop")
                       ? "the run ends with it"
                       : "an extreme is found one step too late; give the crossing of its rate");
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
    else if (node && r->system && !ml_registers_have_place(system))
        ml_problem(&r->problems, node->key_location,
                   "system `%s` has no place for registers: no force or rate of it is a formula; "
                   "write it as a system of type `equations`",
                   r->system->name);
}
