/* Signals by name, for formulas: those of forces. Before anything is read their numbers are written
 * as names of `define`, and the signals as formulas of these below `define` of the system and of
 * forces, and below `quantities`:
 *
 *   signals: {u: {type: pulse, amplitude: 2, onset: 1, duration: 0.5}}
 *
 *   define: {u_amplitude: 2, u_onset: 1, u_duration: 0.5}
 *   system: {define: {u: "where(t >= u_onset and t < u_onset + u_duration, u_amplitude, 0)"}} */
#include <stdio.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/sections/sections.h"
#include "model/forces/signal.h"

/* The value of a signal by its type; % stands for its name and `_`. */
static const char *const formulas[ML_N_SIGNAL_TYPE] = {
    [ML_RAMP_SIGNAL] = "where(t < %onset, %from, where(t < %onset + %duration, %from + (%to - "
                       "%from)*((t - %onset)/%duration), %to))",
    [ML_MINIMUM_JERK_SIGNAL] =
        "where(t < %onset, %from, where(t < %onset + %duration, %from + (%to - %from)*((t - "
        "%onset)/%duration)^3*(10 + ((t - %onset)/%duration)*(6*((t - %onset)/%duration) - 15)), "
        "%to))",
    [ML_SINE_SIGNAL] = "%mean + %amplitude*sin(2*pi*%frequency*t + %phase)",
    [ML_PULSE_SIGNAL] = "where(t >= %onset and t < %onset + %duration, %amplitude, 0)",
    [ML_TABLE_SIGNAL] = "%scale*%table(t)",
};

/* The signals in a chain, whose steps end where events set registers: %runs is 1 while the signal
 * moves or lasts, %done behind. */
static const char *const by_registers[ML_N_SIGNAL_TYPE] = {
    [ML_RAMP_SIGNAL] = "%from + (%to - %from)*(%runs*((t - %onset)/%duration) + %done)",
    [ML_MINIMUM_JERK_SIGNAL] =
        ("%from + (%to - %from)*(%runs*((t - %onset)/%duration)^3*(10 + ((t - %onset)/%duration)*"
         "(6*((t - %onset)/%duration) - 15)) + %done)"),
    [ML_PULSE_SIGNAL] = "%amplitude*%runs",
};

/* The type of a signal; ML_CONSTANT_SIGNAL of something else, which is told when it is read. */
static int find_type(const struct ml_node *signal)
{
    const struct ml_node *type = ml_node_find_kind(signal, "type", ML_NODE_SCALAR);
    const char *doc;
    for (int i = ML_RAMP_SIGNAL; type && i < ML_N_SIGNAL_TYPE; i++)
        if (strcmp(ml_signal_word(i, &doc), type->text) == 0)
            return i;
    return ML_CONSTANT_SIGNAL;
}

/* The numbers of a signal as names. */
static void add_numbers(struct ml_reader *r, const struct ml_node *signal, int type,
                        struct ml_node *define)
{
    static const struct ml_param owner = {.unit = "1"};
    for (int row = ML_SIGNAL_FROM; row < ML_SIGNAL_ROWS; row++) {
        const struct ml_param param = ml_signal_param(&owner, type, row);
        const char *name = ml_pool_format(r->pool, "%s_%s", signal->key, param.name);
        if (!param.name || !name || ml_tree_is_set(define, name))
            continue;
        if (ml_node_find(signal, param.name))
            ml_tree_take(r, signal, param.name, define, name);
        else
            ml_tree_append(define, ml_tree_make(r, signal, ML_NODE_SCALAR, name,
                                                row == ML_SIGNAL_SCALE ? "1" : "0"));
    }
}

/* The table of a signal as a function. */
static void add_table(struct ml_reader *r, const struct ml_node *signal, struct ml_node *root)
{
    struct ml_node *tables = ml_tree_find_or_make(r, root, signal, ML_NODE_MAP, "tables");
    const char *name = ml_pool_format(r->pool, "%s_table", signal->key);
    struct ml_node *table = name ? ml_tree_make(r, signal, ML_NODE_MAP, name, NULL) : NULL;
    if (!tables || !table)
        return;
    ml_tree_take(r, signal, "file", table, "file");
    ml_tree_append(table, ml_tree_make(r, signal, ML_NODE_SCALAR, "x", "time"));
    ml_tree_take(r, signal, "column", table, "y");
    ml_tree_take(r, signal, "hold", table, "hold");
    ml_tree_append(tables, table);
}

/* Gives a map the formula of a signal below `key`. */
static void add_formula(struct ml_reader *r, const struct ml_node *signal, const char *formula,
                        struct ml_node *map, const char *key)
{
    struct ml_node *below = ml_tree_find_or_make(r, map, signal, ML_NODE_MAP, key);
    ml_tree_append(below, ml_tree_make(r, signal, ML_NODE_SCALAR, signal->key, formula));
}

/* An event at which registers of a signal are set.
 *   when  the number that is 0 then */
static void add_event(struct ml_reader *r, const struct ml_node *signal, struct ml_node *root,
                      const char *name, const char *when, const char *runs, const char *done)
{
    struct ml_node *events = ml_tree_find_or_make(r, root, signal, ML_NODE_LIST, "events");
    struct ml_node *event = ml_tree_make(r, signal, ML_NODE_MAP, NULL, NULL);
    struct ml_node *set = ml_tree_make(r, signal, ML_NODE_MAP, "set", NULL);
    if (!events || !event || !set)
        return;
    ml_tree_append(event, ml_tree_make(r, signal, ML_NODE_SCALAR, "name",
                                       ml_tree_formula(r, signal->key, name)));
    ml_tree_append(event, ml_tree_make(r, signal, ML_NODE_SCALAR, "when",
                                       ml_tree_formula(r, signal->key, when)));
    ml_tree_append(event, ml_tree_make(r, signal, ML_NODE_SCALAR, "direction", "up"));
    ml_tree_append(set, ml_tree_make(r, signal, ML_NODE_SCALAR,
                                     ml_tree_formula(r, signal->key, "%runs"), runs));
    ml_tree_append(set, ml_tree_make(r, signal, ML_NODE_SCALAR,
                                     ml_tree_formula(r, signal->key, "%done"), done));
    ml_tree_append(event, set);
    ml_tree_append(events, event);
}

/* The registers of a signal that begins and ends. */
static void add_registers(struct ml_reader *r, const struct ml_node *signal, struct ml_node *root)
{
    const struct ml_node *start =
        ml_node_find_kind(ml_node_find(root, "time"), "start", ML_NODE_SCALAR);
    const char *now = start ? start->text : "0";
    const char *runs = ml_pool_format(
        r->pool, "where(%%onset <= (%s) and (%s) < %%onset + %%duration, 1, 0)", now, now);
    const char *done = ml_pool_format(r->pool, "where(%%onset + %%duration <= (%s), 1, 0)", now);
    struct ml_node *registers = ml_tree_find_or_make(r, root, signal, ML_NODE_MAP, ML_REGISTERS);
    if (!runs || !done)
        return;
    ml_tree_append(registers,
                   ml_tree_make(r, signal, ML_NODE_SCALAR, ml_tree_formula(r, signal->key, "%runs"),
                                ml_tree_formula(r, signal->key, runs)));
    ml_tree_append(registers,
                   ml_tree_make(r, signal, ML_NODE_SCALAR, ml_tree_formula(r, signal->key, "%done"),
                                ml_tree_formula(r, signal->key, done)));
    add_event(r, signal, root, "%begins", "t - %onset", "1", "0");
    add_event(r, signal, root, "%ends", "t - (%onset + %duration)", "0", "1");
}

static void lay_out_signal(struct ml_reader *r, const struct ml_node *signal, struct ml_node *root)
{
    const int type = find_type(signal);
    struct ml_node *define = ml_tree_find_or_make(r, root, signal, ML_NODE_MAP, "define");
    const struct ml_node *forces = ml_node_find_kind(root, "forces", ML_NODE_LIST);
    const bool are_states = ml_registers_are_states(ml_node_find(root, "system"));
    const bool has_registers = !are_states && by_registers[type];
    const char *form = has_registers ? by_registers[type] : formulas[type];
    const char *formula = ml_tree_formula(r, signal->key, form ? form : "0");
    if (!define || !formula)
        return;
    add_numbers(r, signal, type, define);
    if (type == ML_TABLE_SIGNAL)
        add_table(r, signal, root);
    if (has_registers)
        add_registers(r, signal, root);
    if (are_states)
        add_formula(r, signal, formula, ml_node_find(root, "system"), "define");
    for (struct ml_node *force = forces ? forces->first : NULL; force; force = force->next) {
        const struct ml_node *name = ml_node_find_kind(force, "name", ML_NODE_SCALAR);
        const bool is_own = name && strcmp(name->text, ML_REGISTERS) == 0;
        if (ml_has_formulas(force) && (is_own || ml_node_mentions(force, signal->key)))
            add_formula(r, signal, formula, force, "define");
    }
    add_formula(r, signal, formula, root, "quantities");
}

void ml_lay_out_signals(struct ml_reader *r, struct ml_node *root)
{
    const struct ml_node *signals = ml_node_find_kind(root, "signals", ML_NODE_MAP);
    if (!signals || !ml_registers_have_place(ml_node_find(root, "system")))
        return;
    if (!ml_registers_are_states(ml_node_find(root, "system")))
        (void)ml_registers_force(r, root, signals);
    for (const struct ml_node *signal = signals->first; signal; signal = signal->next)
        lay_out_signal(r, signal, root);
}

/* Reports names of a signal's numbers that `define` has already. */
static void check_names(struct ml_reader *r, const struct ml_node *node, int type)
{
    static const struct ml_param owner = {.unit = "1"};
    for (int row = ML_SIGNAL_FROM; row < ML_SIGNAL_ROWS; row++) {
        const char *own = ml_signal_param(&owner, type, row).name;
        const char *name = own ? ml_pool_format(r->pool, "%s_%s", node->key, own) : NULL;
        if (name)
            ml_tree_check_own(r, name, ml_pool_format(r->pool, "signal `%s`", node->key));
    }
}

static void read_one(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_param param = {.name = node->key, .unit = "1", .low = -1e15, .high = 1e15};
    struct ml_define_use *before = r->define->uses; /* the numbers count as those of `define` */
    double values[ML_SIGNAL_ROWS];
    struct ml_signal signal;
    if (!ml_read_is_map(r, node,
                        "a signal must be a map such as {type: pulse, amplitude: 2, duration: 1}"))
        return;
    ml_read_signal(r, node, &param, values, &signal);
    r->define->uses = before;
    check_names(r, node, (int)signal.type);
    if (ml_node_find(node, "hold") && !ml_registers_are_states(ml_node_find(r->root, "system")))
        ml_problem(
            &r->problems, ml_node_find(node, "hold")->key_location,
            "`hold` of a table for formulas is for equations: steps of a chain do not end at "
            "samples; a force can follow such a table, as in `torque: {type: table, ..}`");
    if (signal.type == ML_TABLE_SIGNAL && !ml_node_find(node, "column"))
        ml_problem(&r->problems, node->location,
                   "key `column` is missing: name of the column of the values");
}

void ml_read_named_signals(struct ml_reader *r, const struct ml_node *node)
{
    if (node && !ml_registers_have_place(ml_node_find(r->root, "system")))
        ml_problem(&r->problems, node->key_location,
                   "signals are for formulas of equations and chains; in this system a force takes "
                   "the signal itself, as in `force: {type: pulse, ...}`");
    for (const struct ml_node *own = node ? node->first : NULL; own; own = own->next)
        read_one(r, own);
}
