/* Reads a study: parses, applies overrides, reads keys and checks them. Nothing is integrated. */
#include "config/sections/read_study.h"

#include <string.h>

#include "config/schema/given.h"
#include "config/schema/path.h"
#include "config/schema/slots.h"
#include "config/schema/values.h"
#include "config/sections/sections.h"
#include "linalg/lapacke.h"
#include "yaml/yaml.h"

static void remove_of_file(struct ml_node *map, const char *key, const struct ml_node *kept)
{
    struct ml_node *node = ml_node_find(map, key);
    if (node && node != kept && node->location.option == 0)
        ml_node_remove(map, node);
}

/* Removes the numbers of an axis that the file gives in another form. */
static void override_make_room(struct ml_node *axis, const struct ml_node *set)
{
    static const char *const forms[] = {"from", "to", "count", "scale", "values", "scale_by"};
    if (!axis || !set->key || axis->kind != ML_NODE_MAP)
        return; /* a whole axis */
    if (strcmp(set->key, "values") == 0 || strcmp(set->key, "scale_by") == 0)
        for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
            remove_of_file(axis, forms[i], set);
    else if (ml_node_find(axis, "from") && ml_node_find(axis, "to") && ml_node_find(axis, "count"))
        remove_of_file(axis, "values", set);
}

/* --set path=value: replaces or adds the node that option r->overrides[option - 1] names, before
 * anything is read. `fault` is the reason where the tree cannot hold the node but the value may be
 * a number of a run: see config/points/fixed_axes.h. */
static void override_node(struct ml_reader *r, struct ml_node *root, int option)
{
    struct ml_problems *problems = &r->problems;
    const struct ml_location location = {option, 1, 1};
    const char *text = problems->overrides[option - 1], *equals = strchr(text, '=');
    struct ml_override *own = &r->overrides[option - 1];
    struct ml_node *nothing = ml_pool_take(r->pool, 1, sizeof *nothing);
    if (!equals || equals == text) {
        ml_problem(problems, location, "an override must be path=value");
        return;
    }
    int before = problems->count;
    const struct ml_node *value = ml_yaml_read(equals + 1, strlen(equals + 1), option, problems);
    if (problems->count > before || problems->pool->is_short || !nothing)
        return;
    *nothing = (struct ml_node){
        .kind = ML_NODE_SCALAR, .is_plain = true, .text = "", .location = location};
    own->value = value ? value : nothing;
    own->path = ml_pool_text(r->pool, text, (size_t)(equals - text));
    const bool is_scalar = own->value->kind == ML_NODE_SCALAR;
    struct ml_path w = {.mode = is_scalar ? ML_PATH_OPTION : ML_PATH_BUILD,
                        .pool = r->pool,
                        .root = root,
                        .location = location,
                        .text = text,
                        .end = equals};
    struct ml_node *node = ml_path_walk(&w);
    own->fault = w.fault;
    if (!node && !is_scalar)
        ml_problem(problems, location, "%s", w.fault);
    if (!node)
        return;
    ml_node_replace(node, own->value, location);
    if (strncmp(text, "sweep", 5) == 0 || strncmp(text, "sample.over", 11) == 0) {
        override_make_room(w.parent, node);
        if (w.above && w.parent->key && strcmp(w.parent->key, "scale_by") == 0)
            override_make_room(w.above, w.parent);
    }
}

/* A sweep, a sample, both, or one run. */
static void read_points(struct ml_reader *r, const struct ml_node *root)
{
    const struct ml_node *sweep = ml_node_find_kind(root, "sweep", ML_NODE_LIST);
    const struct ml_node *sample = ml_node_find_kind(root, "sample", ML_NODE_MAP);
    struct ml_study_spec *spec = r->spec;
    const int most = ML_MAX_AXES - (sample ? 1 : 0);
    spec->runs.n = 1;
    if (sweep && sweep->n_child > most) {
        ml_problem(&r->problems, sweep->location, "sweep has %d axes but can have at most %d%s",
                   sweep->n_child, most, sample ? ", beside that of the sample" : "");
        return;
    }
    spec->runs.axes = ml_pool_take(spec->pool, (size_t)ML_MAX_AXES + 1, sizeof *spec->runs.axes);
    if (!spec->runs.axes)
        return;
    if (sweep)
        ml_read_sweep(r, sweep);
    if (sample)
        ml_read_sample(r, sample);
    if (sweep || sample)
        ml_read_grid(r, sweep ? sweep : sample);
}

/* Resolves `auto`, and checks that the system has the solver: a system without M has no solver. */
static void read_solver(struct ml_reader *r, const struct ml_node *root)
{
    struct ml_study_spec *spec = r->spec;
    const int choice = (int)spec->model.solver;
    const struct ml_node *given = ml_node_find(root, "solver");
    if (given && r->system && !r->system->terms.write)
        ml_problem(&r->problems, given->key_location,
                   "system `%s` has no mass matrix for a solver; leave `solver` out",
                   r->system->name);
    if (given && choice == ML_SOLVER_recursive && r->system && r->system->terms.write &&
        r->system->dynamics.recursive_from == 0)
        ml_problem(&r->problems, given->location,
                   "system `%s` has no recursive solver; take another solver or leave `solver` out",
                   r->system->name);
    if (given && choice == ML_SOLVER_lapacke && !ml_lapack())
        ml_problem(&r->problems, given->location,
                   "cannot load LAPACKE (liblapacke.so.3) for solver `lapacke`; install LAPACKE or "
                   "leave `solver` out");
    else if (given && choice == ML_SOLVER_lapacke && !ml_lapacke_has_room())
        ml_problem(&r->problems, given->location,
                   "cannot use solver `lapacke`: the address space of this process is limited, and "
                   "LAPACK's library finds no memory in it; raise the limit (`ulimit -v`) or leave "
                   "`solver` out");
    if (choice < 0 && r->system)
        spec->model.solver = ml_solver_auto(r->system, spec->model.n);
}

/* Whether the key `fit` compares torques of a motion. */
static bool fits_torques(const struct ml_node *root)
{
    const struct ml_node *fit = ml_node_find_kind(root, "fit", ML_NODE_MAP);
    const struct ml_node *of = fit ? ml_node_find_kind(fit, "of", ML_NODE_SCALAR) : NULL;
    return of && strcmp(of->text, "inverse") == 0;
}

static void read_keys(struct ml_reader *r, const struct ml_node *root)
{
    struct ml_study_spec *spec = r->spec;
    if (!ml_read_is_map(r, root, "a study must be a map that begins with `manylink: 1`"))
        return;
    r->is_for_inverse |= r->is_for_fit && fits_torques(root);
    const struct ml_node *integrator = ml_node_find(root, "integrator");
    const struct ml_node *events = ml_node_find_kind(root, "events", ML_NODE_LIST);
    const struct ml_node *save = ml_node_find_kind(root, "save", ML_NODE_MAP);
    ml_read_define(r, ml_node_find_kind(root, "define", ML_NODE_MAP));
    ml_read_scope(r, root, ML_SCOPE_STUDY, spec);
    ml_read_tables(r, ml_node_find_kind(root, "tables", ML_NODE_MAP));
    spec->title = spec->title ? spec->title : "";
    if (ml_node_find_kind(root, "system", ML_NODE_MAP))
        ml_read_system(r, ml_node_find(root, "system"));
    ml_read_registers(r, ml_node_find_kind(root, ML_REGISTERS, ML_NODE_MAP));
    ml_read_controllers(r, ml_node_find_kind(root, "controllers", ML_NODE_MAP));
    ml_read_integrator(r, integrator);
    ml_read_time(r, ml_node_find_kind(root, "time", ML_NODE_MAP)); /* tables must cover it */
    ml_read_named_signals(r, ml_node_find_kind(root, "signals", ML_NODE_MAP));
    ml_read_forces(r, ml_node_find_kind(root, "forces", ML_NODE_LIST));
    ml_read_initial(r, ml_node_find_kind(root, "initial", ML_NODE_MAP));
    ml_read_motion(r, ml_node_find_kind(root, "motion", ML_NODE_MAP));
    ml_read_marker_lengths(r);
    ml_read_check_segments(r, ml_node_find(root, "system"));
    ml_read_inverse(r, ml_node_find_kind(root, "inverse", ML_NODE_MAP));
    ml_read_quantities(r, ml_node_find_kind(root, "quantities", ML_NODE_MAP));
    ml_read_events(r, events);
    ml_slots_make(r);
    ml_quantities_place(r);
    ml_fixed_axes_numbers(r);
    ml_formulas_place(r, ml_node_find_kind(root, "formulas", ML_NODE_MAP));
    read_points(r, root);
    ml_read_experiments(r, ml_node_find_kind(root, "fit", ML_NODE_MAP));
    ml_fixed_axes_swept(r);
    ml_formulas_settle(r);
    ml_read_multiples(r);
    ml_clock_settle(spec);
    r->clock = spec->time.clock == ML_CLOCK_COMMON ? NULL : r->clock;
    ml_read_continuation(spec);
    ml_read_analyse(r, ml_node_find_kind(root, "analyse", ML_NODE_MAP));
    ml_read_events_of_runs(r, events);
    ml_read_save(r, save);
    ml_read_clock_use(r, save);
    ml_read_require(r, ml_node_find_kind(root, "require", ML_NODE_MAP));
    ml_read_fit(r, ml_node_find_kind(root, "fit", ML_NODE_MAP));
    ml_read_splitting(r, integrator);
    ml_read_step_max(r, integrator);
    ml_read_accuracy(r, ml_node_find(root, "accuracy"));
    ml_read_scope(r, ml_node_find_kind(root, "derived", ML_NODE_MAP), ML_SCOPE_DERIVED, spec);
    read_solver(r, root);
    ml_read_tune(r, ml_node_find_kind(root, "tune", ML_NODE_MAP));
    ml_formulas_end(r);
    ml_tables_end(r);
}

/* The tree of the file, or of the draft, which makes the text of the study too. */
static struct ml_node *read_tree(struct ml_reader *r, const struct ml_draft *draft)
{
    struct ml_study_spec *spec = r->spec;
    if (!draft)
        return ml_yaml_read(r->problems.text, r->problems.length, 0, &r->problems);
    struct ml_node *root = ml_draft_tree(&r->problems, draft->n_set);
    spec->definition = root ? ml_draft_text(root, spec->pool) : NULL;
    return spec->definition ? root : NULL;
}

/* Whether an override names the type of the system. */
static bool sets_type(const struct ml_reader *r)
{
    static const char path[] = "system.type=";
    bool is_set = false;
    for (int i = 0; i < r->n_override; i++)
        is_set |= strncmp(r->problems.overrides[i], path, sizeof path - 1) == 0;
    return is_set;
}

void ml_read_study(struct ml_reader *r, const struct ml_reading *reading)
{
    struct ml_node *root = read_tree(r, reading->draft);
    r->root = root;
    const int n_override = reading->source.n_override;
    r->overrides = ml_pool_take(r->pool, (size_t)n_override + 1, sizeof *r->overrides);
    r->n_override = r->overrides ? n_override : 0;
    if (!sets_type(r))
        ml_read_classic(r, root); /* for overrides of its numbers to find */
    for (int i = 1; root && i <= r->n_override; i++)
        override_node(r, root, i);
    if (!root)
        return;
    ml_read_classic(r, root);
    ml_lay_out_from_fit(r, root);
    ml_lay_out_tune(r, root);
    ml_lay_out_signals(r, root);
    ml_lay_out_controllers(r, root);
    ml_lay_out_rests(r, root);
    ml_lay_out_registers(r, root);
    read_keys(r, root);
}
