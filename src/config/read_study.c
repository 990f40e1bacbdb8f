/* Reads a study: parses, applies overrides, reads keys and checks them. Nothing is integrated. */
#include "config/read_study.h"

#include <string.h>

#include "config/draft.h"
#include "config/fixed_axes.h"
#include "config/override.h"
#include "config/sections.h"
#include "config/slots.h"
#include "config/values.h"
#include "linalg/lapack.h"
#include "yaml/yaml.h"

/* Sweep or sample, or one run. */
static void read_points(struct ml_reader *r, const struct ml_study_keys *keys)
{
    struct ml_study_spec *spec = r->spec;
    spec->n_run = 1;
    if (keys->sweep && keys->sample)
        ml_problem(&r->problems, keys->sample->key_location,
                   "`sample` and `sweep` exclude each other");
    if (keys->sweep)
        ml_read_sweep(r, keys->sweep);
    else if (keys->sample)
        ml_read_sample(r, keys->sample);
}

/* `choice` is -1 for auto. A system without M has no use for the key. */
static void read_solver(struct ml_reader *r, const struct ml_node *root, int choice)
{
    struct ml_study_spec *spec = r->spec;
    const struct ml_node *given = ml_node_find(root, "solver");
    if (given && r->system && !r->system->terms)
        ml_problem(&r->problems, given->key_location,
                   "system `%s` has no mass matrix for a solver; leave `solver` out",
                   r->system->name);
    if (given && choice == ML_SOLVER_recursive && r->system && r->system->terms &&
        r->system->recursive_from == 0)
        ml_problem(&r->problems, given->location,
                   "system `%s` has no recursive solver; take another or leave `solver` out",
                   r->system->name);
    if (given && choice == ML_SOLVER_lapacke && !ml_lapack())
        ml_problem(&r->problems, given->location,
                   "solver `lapacke` takes LAPACKE (liblapacke.so.3), which cannot be loaded here; "
                   "install it or leave `solver` out");
    if (choice >= 0)
        spec->dims.solver = (enum ml_solver_kind)choice;
    else if (r->system)
        spec->dims.solver = ml_solver_auto(r->system, spec->dims.n);
}

static void read_keys(struct ml_reader *r, const struct ml_node *root)
{
    struct ml_study_keys keys = {0};
    struct ml_study_spec *spec = r->spec;
    if (!ml_read_is_map(r, root, "a study must be a map that begins with `manylink: 1`"))
        return;
    ml_read_scope(r, root, ML_SCOPE_STUDY, &keys);
    const char *title = keys.title ? keys.title : "";
    spec->title = ml_pool_text(spec->pool, title, strlen(title));
    if (keys.system)
        ml_read_system(r, keys.system);
    ml_read_integrator(r, keys.integrator);
    ml_read_time(r, keys.time); /* tables of forces must cover it */
    ml_read_forces(r, keys.forces);
    ml_read_initial(r, keys.initial);
    ml_read_motion(r, keys.motion);
    ml_read_inverse(r, keys.inverse);
    ml_read_events(r, keys.events);
    ml_slots_make(r);
    ml_fixed_axes_numbers(r);
    read_points(r, &keys);
    ml_fixed_axes_swept(r);
    ml_clock_settle(spec);
    r->clock = spec->clock == ML_CLOCK_COMMON ? NULL : r->clock;
    ml_read_continuation(spec);
    ml_read_analyse(r, keys.analyse);
    ml_read_events_of_runs(r, keys.events);
    ml_read_save(r, keys.save);
    ml_read_clock_use(r, keys.save);
    ml_read_splitting(r, keys.integrator);
    ml_read_step_max(r, keys.integrator);
    ml_read_accuracy(r, keys.accuracy);
    ml_read_scope(r, keys.derived, ML_SCOPE_DERIVED, &r->derived);
    read_solver(r, root, keys.solver);
    if (keys.show)
        spec->show = ml_pool_text(spec->pool, keys.show, strlen(keys.show));
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

void ml_read_study(struct ml_reader *r, const struct ml_reading *reading)
{
    struct ml_node *root = read_tree(r, reading->draft);
    r->root = root;
    const int n_override = reading->source.n_override;
    r->overrides = ml_pool_take(r->pool, (size_t)n_override + 1, sizeof *r->overrides);
    r->n_override = r->overrides ? n_override : 0;
    for (int i = 1; root && i <= r->n_override; i++)
        ml_override(r, root, i);
    if (root)
        read_keys(r, root);
}
