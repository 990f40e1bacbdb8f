/* Controllers of a study's equations. With the input y, the target r and e = r - y a PID is
 *
 *   demand = kp (b r - y) + I - kd s,   output = demand within the limits,   I' = ki e,
 *
 * b the share of the target in the proportional term, and s the rate of m = y - c r, measured, or
 * by a filter, T f' = m - f, s = f'. Before anything is read controllers are written as keys of the
 * same meaning, the numbers as names of `define`:
 *
 *   controllers: {u: {type: pid, input: x, target: 1, kp: 3, ki: 2}}
 *
 *   define: {u_kp: 3, u_ki: 2, u_target: 1}
 *   system: {state: {u_integral: 0}, rates: {u_integral: u_ki*u_error},
 *            define: {u_error: .., u_demand: u_kp*u_error + u_integral, u_output: u_demand, u: ..}}
 *
 * Of a sampled one I, f and the output are registers, and the law stands below `quantities`: s_k =
 * (T s_(k-1) + m_k - m_(k-1))/(T + h), by backward differences, and I_(k+1) = I_k + h ki e_k (K. J.
 * Astrom, T. Hagglund, PID Controllers, 1995, chapter 3, as are the weights and the ways against
 * windup). */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"
#include "expr/number.h"

/* Ways against windup, by their words in the schema. */
static const char clamping[] = "clamping", back_calculation[] = "back_calculation";

struct controller {
    struct ml_reader *r;
    const struct ml_node *node;
    const char *name;
    struct ml_node *root, *define; /* of the study */
    struct ml_node *system, *law;  /* map of the formulas of the law */
    bool is_sampled;
};

static bool has(const struct controller *c, const char *key) { return ml_node_find(c->node, key); }

static bool is_limited(const struct controller *c)
{
    return has(c, "limit") || has(c, "rate_limit");
}

/* A formula of the controller's names, and such a name, as of ml_tree_formula. */
static const char *formula(const struct controller *c, const char *form)
{
    return ml_tree_formula(c->r, c->name, form);
}

/* Reports a name that a map, or the parameters of the system, have already. Names of the study's
 * `define` are checked later, by ml_tree_check_own: an option --set may have added them. */
static void check_free(const struct controller *c, const struct ml_node *map, const char *key)
{
    const struct ml_node *const maps[] = {map == c->define ? NULL : map,
                                          ml_node_find(c->system, "parameters")};
    for (int i = 0; i < 2 && key; i++) {
        const struct ml_node *other = maps[i] ? ml_node_find(maps[i], key) : NULL;
        if (other)
            ml_problem(&c->r->problems, other->key_location,
                       "`%s` is the name of a number of controller `%s`; take another name", key,
                       c->name);
    }
}

static void add_text(const struct controller *c, struct ml_node *map, const char *key,
                     const char *text)
{
    check_free(c, map, key);
    struct ml_node *own = ml_tree_add(c->r, map, c->node, key, text);
    if (own)
        own->is_made = true;
}

static void add(const struct controller *c, struct ml_node *map, const char *key, const char *form)
{
    add_text(c, map, formula(c, key), formula(c, form));
}

/* Adds to the law. */
static void add_law(const struct controller *c, const char *key, const char *form)
{
    add(c, c->law, key, form);
}

/* A formula of the study. */
static void take(const struct controller *c, const char *key, struct ml_node *map, const char *as)
{
    const char *name = formula(c, as);
    check_free(c, map, name);
    if (name && !(map == c->define && ml_tree_is_set(map, name)))
        ml_tree_take(c->r, c->node, key, map, name);
}

/* A state from 0 with a rate. */
static void add_state(const struct controller *c, const char *key, const char *rate)
{
    add(c, ml_tree_find_or_make(c->r, c->system, c->node, ML_NODE_MAP, "state"), key, "0");
    add(c, ml_tree_find_or_make(c->r, c->system, c->node, ML_NODE_MAP, "rates"), key, rate);
}

static const char *start_of(const struct controller *c)
{
    const struct ml_node *start =
        ml_node_find_kind(ml_node_find(c->root, "time"), "start", ML_NODE_SCALAR);
    return start ? start->text : "0";
}

/* A register from 0 that every sample sets. */
static void add_register(const struct controller *c, const char *key, const char *next)
{
    struct ml_node *map = ml_tree_find_or_make(c->r, c->root, c->node, ML_NODE_MAP, ML_REGISTERS);
    struct ml_node *own = ml_tree_make(c->r, c->node, ML_NODE_MAP, formula(c, key), NULL);
    check_free(c, map, formula(c, key));
    add(c, own, "start", "0");
    add(c, own, "every", "%sample_time");
    add(c, own, "phase", start_of(c));
    add(c, own, "next", next);
    if (own && own->key)
        ml_tree_append(map, own);
}

/* The numbers as names, also the ends of a limit. */
static void add_numbers(const struct controller *c)
{
    const struct ml_keys keys = ml_schema_keys(c->r->pool, ML_SCOPE_CONTROLLER, NULL, NULL);
    const struct ml_node *limit = ml_node_find_kind(c->node, "limit", ML_NODE_LIST);
    const struct ml_node *target = ml_node_find_kind(c->node, "target", ML_NODE_SCALAR);
    struct ml_number_fault unused;
    double value;
    for (int i = 0; i < keys.n; i++) {
        const enum ml_key_kind kind = keys.row[i].kind;
        const char *key = keys.row[i].param.name;
        if ((kind == ML_KEY_NUMBER || kind == ML_KEY_OPTIONAL || kind == ML_KEY_LIMIT) &&
            ml_node_find_kind(c->node, key, ML_NODE_SCALAR))
            take(c, key, c->define, ml_pool_format(c->r->pool, "%%%s", key));
    }
    const char *const ends[] = {formula(c, "%limit_low"), formula(c, "%limit_high")};
    for (int i = 0; limit && limit->n_child == 2 && i < 2; i++) {
        const struct ml_node *end = i == 0 ? limit->first : limit->last;
        if (ends[i] && !ml_tree_is_set(c->define, ends[i]))
            (void)ml_tree_add(c->r, c->define, end, ends[i], end->text);
    }
    const bool is_number = target && ml_expr_number(target->text, &value, &unused);
    take(c, "target", is_number ? c->define : c->law, "%target");
}

/* The derivative term: %slope. */
static void add_derivative(const struct controller *c)
{
    const bool is_filtered = has(c, "filter_time"), is_measured = has(c, "rate");
    const char *moved =
        has(c, "derivative_weight") ? "%input - %derivative_weight*%target" : "%input";
    take(c, "rate", c->law, "%rate");
    if (c->is_sampled && !is_measured) {
        add_law(c, "%rate",
                ml_pool_format(c->r->pool, "where(t > (%s), %s - %%seen, 0)/%%sample_time",
                               start_of(c), moved));
        add_register(c, "%seen", moved);
    }
    if (!is_filtered) {
        add_law(c, "%slope", "%rate");
    } else if (c->is_sampled) {
        add_law(c, "%slope",
                "(%filter_time*%filtered + %sample_time*%rate)/(%filter_time + %sample_time)");
        add_register(c, "%filtered", "%slope");
    } else if (is_measured) {
        add_law(c, "%slope", "%filtered");
        add_state(c, "%filtered", "(%rate - %filtered)/%filter_time");
    } else {
        add_law(c, "%slope", ml_pool_format(c->r->pool, "(%s - %%filtered)/%%filter_time", moved));
        add_state(c, "%filtered", "%slope");
    }
}

/* Whether a way against windup acts: clamping unless another one is given. */
static bool winds_by(const struct controller *c, const char *way)
{
    const struct ml_node *given = ml_node_find_kind(c->node, "anti_windup", ML_NODE_SCALAR);
    return is_limited(c) && strcmp(given ? given->text : clamping, way) == 0;
}

/* The rate of the integral. */
static const char *print_growth(const struct controller *c)
{
    const char *form = "%ki*%error";
    if (winds_by(c, back_calculation))
        form = "%ki*%error + (%output - %demand)/%tracking_time";
    else if (winds_by(c, clamping) && c->is_sampled)
        form = "where((%demand - %output)*%ki*%error > 0, 0, %ki*%error)";
    else if (winds_by(c, clamping))
        form = ml_node_find_kind(c->node, "limit", ML_NODE_LIST)
                   ? "where((%demand > %limit_high and %ki*%error > 0) or "
                     "(%demand < %limit_low and %ki*%error < 0), 0, %ki*%error)"
                   : "where((%demand > %limit and %ki*%error > 0) or "
                     "(%demand < -%limit and %ki*%error < 0), 0, %ki*%error)";
    return form;
}

/* The integral term: %integral. */
static void add_integral(const struct controller *c)
{
    const char *growth = print_growth(c);
    if (c->is_sampled)
        add_register(c, "%integral",
                     ml_pool_format(c->r->pool, "%%integral + %%sample_time*(%s)", growth));
    else
        add_state(c, "%integral", growth);
}

/* The output before and behind its limits: %demand and %output. */
static void add_output(const struct controller *c)
{
    const char *p = !has(c, "kp")                   ? ""
                    : has(c, "proportional_weight") ? "%kp*(%proportional_weight*%target - %input)"
                                                    : "%kp*%error";
    const char *i = !has(c, "ki") ? "" : *p ? " + %integral" : "%integral";
    const char *d = !has(c, "kd") ? "" : *p || *i ? " - %kd*%slope" : "-%kd*%slope";
    const char *output = !has(c, "limit") ? "%demand"
                         : ml_node_find_kind(c->node, "limit", ML_NODE_LIST)
                             ? "max(%limit_low, min(%limit_high, %demand))"
                             : "max(-%limit, min(%limit, %demand))";
    if (has(c, "rate_limit"))
        output = ml_pool_format(c->r->pool,
                                "max(%%command - %%rate_limit*%%sample_time, "
                                "min(%%command + %%rate_limit*%%sample_time, %s))",
                                output); /* exactly the demand where the rate does not act */
    add_law(c, "%demand", ml_pool_format(c->r->pool, "%s%s%s", p, i, d));
    add_law(c, "%output", output);
}

/* Whether a name is that of a state, of a coordinate or its rate, or of a formula of the system. */
static bool is_of_motion(const struct controller *c, const char *name)
{
    static const char *const maps[] = {"state", "coordinates", "define"};
    const char *rate = name && strlen(name) > 5 ? name + strlen(name) - 5 : NULL;
    const char *coordinate = rate && strcmp(rate, "_rate") == 0
                                 ? ml_pool_format(c->r->pool, "%.*s", (int)(rate - name), name)
                                 : name;
    bool is = false;
    for (size_t i = 0; name && coordinate && i < sizeof maps / sizeof *maps; i++) {
        const struct ml_node *map = ml_node_find(c->system, maps[i]);
        is |= ml_node_find(map, name) || ml_node_find(map, coordinate);
    }
    return is;
}

/* Whether a formula of the study has a delay, x(t - late), which records have not. */
static bool is_late(const struct controller *c, const char *key)
{
    const struct ml_node *own = ml_node_find_kind(c->node, key, ML_NODE_SCALAR);
    const char *text = own ? own->text : "";
    bool is = false;
    for (const char *at = text; (at = strchr(at, '(')); at++) {
        const char *t = at + 1 + strspn(at + 1, " "), *from = at;
        if (*t != 't' || t[1 + strspn(t + 1, " ")] != '-')
            continue;
        while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '_'))
            from--;
        is |= is_of_motion(c, ml_pool_format(c->r->pool, "%.*s", (int)(at - from), from));
    }
    return is;
}

static bool is_recorded(const struct controller *c)
{
    return !is_late(c, "input") && !is_late(c, "rate") && !is_late(c, "target");
}

/* The name itself: the number that acts. */
static void add_actuator(const struct controller *c)
{
    const char *source = c->is_sampled ? "%command" : "%output";
    const char *acts = formula(c, has(c, "lag") ? "%actuator" : source);
    if (c->is_sampled)
        add_register(c, "%command", "%output");
    if (has(c, "lag"))
        add_state(c, "%actuator", ml_pool_format(c->r->pool, "(%s - %%actuator)/%%lag", source));
    struct ml_node *quantities =
        ml_tree_find_or_make(c->r, c->root, c->node, ML_NODE_MAP, "quantities");
    struct ml_node *define = ml_tree_find_or_make(c->r, c->system, c->node, ML_NODE_MAP, "define");
    add_text(c, define, c->name, acts);
    if (is_recorded(c))
        add_text(c, quantities, c->name, acts);
}

/* The error as indicator `tracking` looks for it, where it is the only one. */
static void add_tracking(const struct controller *c)
{
    struct ml_node *quantities = ml_node_find(c->root, "quantities");
    if (!c->node->next && is_recorded(c) &&
        ml_node_find(ml_node_find(c->root, "analyse"), "tracking") &&
        ml_node_find(c->root, "controllers")->first == c->node &&
        !ml_node_find(quantities, "control_error"))
        add_text(c, quantities, "control_error", formula(c, "%error"));
}

/* Reports a key that another key, or a missing one, leaves without effect. */
static void refuse(const struct controller *c, const char *key, const char *why)
{
    const struct ml_node *own = ml_node_find(c->node, key);
    if (own)
        ml_problem(&c->r->problems, own->key_location, "`%s` of controller `%s` %s", key, c->name,
                   why);
}

static void check_derivative(const struct controller *c)
{
    if (!has(c, "kd")) {
        refuse(c, "rate", "has no effect without `kd`; give `kd`, or leave this key out");
        refuse(c, "filter_time", "has no effect without `kd`; give `kd`, or leave this key out");
        refuse(c, "derivative_weight",
               "has no effect without `kd`; give `kd`, or leave this key out");
        return;
    }
    if (!c->is_sampled && !has(c, "rate") && !has(c, "filter_time"))
        refuse(c, "kd",
               "needs a derivative: give `rate`, a formula of the measured rate, or "
               "`filter_time`, the time constant of the filter that finds the rate from the input, "
               "or `sample_time`");
    if (has(c, "rate"))
        refuse(
            c, "derivative_weight",
            "needs the rate of the target, and `rate` is that of the input alone; leave this key "
            "out, and subtract the share of the target's rate in `rate`");
}

static void check_limits(const struct controller *c)
{
    const struct ml_node *way = ml_node_find_kind(c->node, "anti_windup", ML_NODE_SCALAR);
    const bool goes_back = way && strcmp(way->text, back_calculation) == 0;
    if (!has(c, "ki"))
        refuse(
            c, "anti_windup",
            "stops an integral, and the controller has no `ki`; give `ki`, or leave this key out");
    else if (!is_limited(c))
        refuse(c, "anti_windup", "is for a limited output; give `limit`, or leave this key out");
    if (goes_back && !has(c, "tracking_time"))
        refuse(c, "anti_windup",
               "needs `tracking_time`, s: the time constant with which the integral goes back");
    if (!goes_back)
        refuse(c, "tracking_time",
               "has no effect without `anti_windup: back_calculation`; give that word, or leave "
               "this key out");
    if (!c->is_sampled) {
        refuse(c, "rate_limit", "is of a sampled controller; give `sample_time`, s");
        refuse(c, "resolution", "is of a sampled controller; give `sample_time`, s");
    }
}

/* Reports keys that miss others. */
static void check_keys(const struct controller *c)
{
    const char *const gains[] = {"kp", "ki", "kd"};
    bool has_gain = false;
    for (size_t i = 0; i < sizeof gains / sizeof *gains; i++)
        has_gain |= has(c, gains[i]);
    if (!has_gain)
        ml_problem(&c->r->problems, c->node->key_location,
                   "controller `%s` has none of `kp`, `ki` and `kd`; give one of them", c->name);
    if (!has(c, "kp"))
        refuse(c, "proportional_weight",
               "has no effect without `kp`; give `kp`, or leave this key out");
    check_derivative(c);
    check_limits(c);
}

static void lay_out_controller(struct controller *c)
{
    struct ml_node *define = ml_tree_find_or_make(c->r, c->system, c->node, ML_NODE_MAP, "define");
    const int faults = c->r->problems.count;
    check_keys(c);
    if (c->r->problems.count > faults || !has(c, "input") || !has(c, "target")) {
        add_text(c, define, c->name, "0"); /* for formulas that name it */
        return;
    }
    c->define = ml_tree_find_or_make(c->r, c->root, c->node, ML_NODE_MAP, "define");
    c->law = c->is_sampled ? ml_tree_find_or_make(c->r, c->root, c->node, ML_NODE_MAP, "quantities")
                           : define;
    add_numbers(c);
    take(c, "input", c->law, c->is_sampled && has(c, "resolution") ? "%measured" : "%input");
    if (c->is_sampled && has(c, "resolution"))
        add_law(c, "%input", "%resolution*floor(%measured/%resolution + 0.5)");
    add_law(c, "%error", "%target - %input");
    if (has(c, "kd"))
        add_derivative(c);
    add_output(c);
    if (has(c, "ki"))
        add_integral(c);
    add_actuator(c);
    add_tracking(c);
}

void ml_lay_out_controllers(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *all = ml_node_find_kind(root, "controllers", ML_NODE_MAP);
    struct ml_node *system = ml_node_find(root, "system");
    if (!all || !ml_registers_are_states(system) || ml_node_find(system, "kind"))
        return;
    for (const struct ml_node *own = all->first; own; own = own->next) {
        struct controller c = {.r = r,
                               .node = own,
                               .name = own->key,
                               .root = root,
                               .system = system,
                               .is_sampled = ml_node_find(own, "sample_time")};
        if (own->kind == ML_NODE_MAP)
            lay_out_controller(&c);
    }
}

/* A number of the controller, as options may have it; else as its map has it. */
static const struct ml_node *number_of(const struct controller *c, const char *name,
                                       const struct ml_node *own)
{
    const struct ml_node *given =
        ml_node_find_kind(ml_node_find(c->root, "define"), formula(c, name), ML_NODE_SCALAR);
    return given ? given : own;
}

/* The ends of a limit: as of forces, the output 0 is within. */
static void check_limit(const struct controller *c)
{
    const struct ml_node *limit = ml_node_find(c->node, "limit");
    const struct ml_param low = {.name = "low", .unit = "1", .low = (double)-INFINITY};
    const struct ml_param high = {.name = "high", .unit = "1", .high = (double)INFINITY};
    const struct ml_param most = {.name = "limit", .unit = "1", .high = (double)INFINITY};
    double unused;
    if (limit && limit->kind == ML_NODE_SCALAR)
        (void)ml_read_number(c->r, number_of(c, "%limit", limit), &most, &unused);
    else if (limit && limit->kind == ML_NODE_LIST && limit->n_child == 2)
        (void)(ml_read_number(c->r, number_of(c, "%limit_low", limit->first), &low, &unused) &&
               ml_read_number(c->r, number_of(c, "%limit_high", limit->last), &high, &unused));
    else if (limit)
        ml_problem(&c->r->problems, limit->location,
                   "limit must be a number or a list [low, high] of two numbers");
}

/* Reports names that `define` has already. */
static void check_names(const struct controller *c)
{
    const struct ml_keys keys = ml_schema_keys(c->r->pool, ML_SCOPE_CONTROLLER, NULL, NULL);
    const char *owner = ml_pool_format(c->r->pool, "controller `%s`", c->name);
    for (int i = 0; i < keys.n; i++)
        if (has(c, keys.row[i].param.name))
            ml_tree_check_own(
                c->r, ml_pool_format(c->r->pool, "%s_%s", c->name, keys.row[i].param.name), owner);
}

/* Whether the input is a state, or coordinate, that begins at 0. */
static bool begins_at_0(const struct controller *c)
{
    const struct ml_node *input = ml_node_find_kind(c->node, "input", ML_NODE_SCALAR);
    const struct ml_node *system = ml_node_find(c->root, "system");
    const struct ml_node *const maps[] = {ml_node_find(c->root, "initial"),
                                          ml_node_find(system, "state"),
                                          ml_node_find(system, "coordinates")};
    const struct ml_node *start = NULL;
    struct ml_number_fault unused;
    double value = (double)NAN;
    for (size_t i = 0; input && !start && i < sizeof maps / sizeof *maps; i++)
        start = ml_node_find_kind(maps[i], input->text, ML_NODE_SCALAR);
    return start && ml_expr_number(start->text, &value, &unused) && value == 0.0;
}

/* A filter that does not begin where its input does. */
static void notice_filter(const struct controller *c)
{
    const struct ml_node *own = ml_node_find(c->node, "filter_time");
    const char *state = formula(c, "%filtered");
    const bool has_weight = has(c, "derivative_weight");
    if (own && !has(c, "rate") && !has(c, "sample_time") && state &&
        (has_weight || !begins_at_0(c)) && !ml_node_find(ml_node_find(c->root, "initial"), state))
        ml_notice(c->r, own->key_location,
                  "the derivative of `%s` may begin with a jump, as its filter begins at 0 and its "
                  "input elsewhere; give `initial.%s`, the input %sat the start, or `rate`",
                  c->name, state,
                  has_weight ? "less `derivative_weight` times the target, both " : "");
}

/* Has a number that is swept, or set by an option, stay in the range of its key. */
static void set_range(const struct controller *c, const char *name, const struct ml_param *range)
{
    struct ml_study_spec *spec = c->r->spec;
    struct ml_param *own = ml_pool_take(spec->pool, 1, sizeof *own);
    for (int i = 0; name && own && i < spec->numbers.n_definition; i++)
        if (strcmp(spec->numbers.definitions[i].name, name) == 0) {
            *own = *range;
            spec->numbers.definitions[i].range = own;
        }
}

static void set_ranges(const struct controller *c)
{
    const struct ml_keys keys = ml_schema_keys(c->r->pool, ML_SCOPE_CONTROLLER, NULL, NULL);
    const struct ml_param low = {.low = (double)-INFINITY}, high = {.high = (double)INFINITY};
    for (int i = 0; i < keys.n; i++) {
        const enum ml_key_kind kind = keys.row[i].kind;
        const struct ml_param *param = &keys.row[i].param;
        if (kind == ML_KEY_NUMBER || kind == ML_KEY_OPTIONAL || kind == ML_KEY_LIMIT)
            set_range(c, formula(c, ml_pool_format(c->r->pool, "%%%s", param->name)), param);
    }
    set_range(c, formula(c, "%limit_low"), &low);
    set_range(c, formula(c, "%limit_high"), &high);
}

static void read_one(struct controller *c)
{
    struct ml_define_use *before = c->r->define->uses; /* the numbers count as those of `define` */
    const struct ml_node *node = c->node;
    if (!ml_read_is_map(c->r, node,
                        "a controller must be a map such as {type: pid, input: x, target: 1, kp: "
                        "10}"))
        return;
    ml_read_scope(c->r, node, ML_SCOPE_CONTROLLER, NULL);
    check_limit(c);
    c->r->define->uses = before;
    check_names(c);
    set_ranges(c);
    notice_filter(c);
}

void ml_read_controllers(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_node *system = ml_node_find(r->root, "system");
    if (node && !ml_registers_are_states(system))
        ml_problem(&r->problems, node->key_location,
                   "controllers are for systems of type `equations`; a chain takes the controller "
                   "among its `forces`, as {type: pid, joint: .., kp: ..}");
    else if (node && ml_node_find(system, "kind"))
        ml_problem(&r->problems, node->key_location,
                   "a map has no time between iterations; write the law of the controller in "
                   "`next`");
    for (const struct ml_node *own = node && r->define ? node->first : NULL; own; own = own->next) {
        struct controller c = {.r = r, .node = own, .name = own->key, .root = r->root};
        read_one(&c);
    }
}
