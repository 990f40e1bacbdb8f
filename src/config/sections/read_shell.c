/* An energy shell: the ranges of a sample bound the coordinates of the system, the rates follow
 * from the energy. The points are drawn by plan/energy_shell.c, as the shell needs the mass matrix.
 */
#include <string.h>

#include "config/schema/given.h"
#include "config/sections/sections.h"

/* Whether a system has coordinates q and rates q', the rows of its state, and energies; their
 * number in `n`. False after a problem. */
static bool shell_has_system(struct ml_reader *r, struct ml_location location, int *n)
{
    const struct ml_instance *model = &r->spec->model;
    const struct ml_system *system = model->system;
    const int first = ml_slot_initial(model, 0, 0), n_state = ml_slot_forces(model) - first;
    const bool has_energy =
        system->energy.measure && system->start.n_rate > 0 && system->constraints.n == 0;
    *n = n_state / 2;
    if (!has_energy || (system->dynamics.n_position != *n &&
                        ml_slot_initial(model, system->start.first_rate, 0) - first != *n))
        ml_problem(&r->problems, location,
                   "cannot draw from an energy shell: system `%s` %s; leave `energy_shell` out",
                   system->name,
                   system->constraints.n > 0 ? "has constraints, which bound its rates too"
                                             : "is not known by coordinates, rates and energies");
    else if (*n < 2 || *n > ML_SHELL_MOST)
        ml_problem(&r->problems, location,
                   "cannot draw from an energy shell of %d coordinate%s: draws are for 2 to %d%s",
                   *n, *n == 1 ? "" : "s", (int)ML_SHELL_MOST,
                   *n == 1 ? "; the shell of a single coordinate is an orbit, whose states a run "
                             "saves with `save: {trajectory: ...}`"
                           : "");
    else
        return true;
    return false;
}

/* Reports a range that is no interval of a coordinate. */
static void shell_check_range(struct ml_reader *r, struct ml_location location,
                              const struct ml_swept *swept, int n)
{
    const int coordinate = swept->slot - ml_slot_initial(&r->spec->model, 0, 0);
    const struct ml_distribution *d = &swept->distribution;
    if (coordinate < 0 || coordinate >= n)
        ml_problem(
            &r->problems, location,
            "`%s` is no coordinate of the system; `over` of an energy shell has the ranges of "
            "the coordinates alone, and the rates follow from the energy",
            swept->path);
    else if (d->kind != ML_UNIFORM || d->is_log || swept->is_factor)
        ml_problem(
            &r->problems, location,
            "cannot draw `%s` from a distribution: the energy shell has its own; give `from` "
            "and `to` alone, the bounds of the coordinate",
            swept->path);
}

/* Whether `over` bounds each coordinate by a range; false after a problem. */
static bool shell_has_ranges(struct ml_reader *r, const struct ml_node *over,
                             const struct ml_axis *axis, int n)
{
    const int before = r->problems.count, first = ml_slot_initial(&r->spec->model, 0, 0);
    const struct ml_node *node = over->first;
    for (int i = 0; i < axis->n_swept; i++) {
        if (i > 0 && axis->swept[i].dimension == axis->swept[i - 1].dimension)
            ml_problem(&r->problems, node->location,
                       "cannot draw `%s` and `%s` as one number on an energy shell: give each a "
                       "range",
                       axis->swept[i - 1].path, axis->swept[i].path);
        else if (i > 0)
            node = node->next;
        shell_check_range(r, node->location, &axis->swept[i], n);
    }
    for (int q = 0; r->problems.count == before && q < n; q++) {
        int i = 0;
        while (i < axis->n_swept && axis->swept[i].slot != first + q)
            i++;
        if (i == axis->n_swept)
            ml_problem(&r->problems, over->location,
                       "cannot draw from an energy shell: `over` lacks coordinate `%s`; add {set: "
                       "%s, from: ..., to: ...}",
                       r->slots[first + q].path, r->slots[first + q].path);
    }
    return r->problems.count == before;
}

/* Reports start values that determine the rates too. */
static void shell_check_start(struct ml_reader *r)
{
    const struct ml_instance *model = &r->spec->model;
    for (int p = 0; p < model->system->tables.n_param; p++) {
        const int slot = ml_slot_param(p);
        if (ml_param_is_of_start(&model->system->tables.params[p]) && ml_slot_is_given(r, slot))
            ml_problem(&r->problems, ml_given_find(r, slot).location,
                       "`%s` and `sample.energy_shell` both determine the rates; leave out either",
                       r->slots[slot].path);
    }
}

/* Appends the rates to the keys of the sample; false after a problem. */
static bool shell_add_rates(struct ml_reader *r, struct ml_location location, struct ml_axis *axis,
                            int n)
{
    const int first = ml_slot_initial(&r->spec->model, 0, 0);
    struct ml_swept *all = ml_pool_take(r->spec->pool, 2 * (size_t)n, sizeof *all);
    if (!all)
        return false;
    memcpy(all, axis->swept, (size_t)n * sizeof *all);
    for (int i = 0, n_key; i < n; i++) {
        struct ml_node *set = ml_pool_take(r->pool, 1, sizeof *set); /* the reader keeps the node */
        const char *path = r->slots[first + n + i].path;
        char *text = ml_pool_text(r->pool, path, strlen(path));
        if (!set || !text)
            return false;
        *set = (struct ml_node){.kind = ML_NODE_SCALAR, .location = location, .text = text};
        const struct ml_swept *rate = ml_read_set(r, set, &n_key);
        if (!rate)
            return false;
        all[n + i] = *rate;
        all[n + i].dimension = n + i;
    }
    axis->swept = all;
    axis->n_swept = 2 * n;
    return true;
}

void ml_read_shell(struct ml_reader *r, const struct ml_node *node, struct ml_axis *axis)
{
    static const char *const others[] = {"method", "design", "correlation"};
    struct ml_study_spec *spec = r->spec;
    const struct ml_location location = ml_read_location(node, "energy_shell");
    const int before = r->problems.count;
    int n = 0;
    ml_read_excluded(r, node, "energy_shell", others, sizeof others / sizeof *others);
    if (spec->runs.n_axis > 1)
        ml_problem(
            &r->problems, location,
            "cannot draw from an energy shell beside `sweep`: the shell is that of one system; "
            "leave `sweep` out and run a study for each value, such as with --set");
    if (!r->slots || axis->n_swept == 0 || !shell_has_system(r, location, &n))
        return;
    shell_check_start(r);
    if (!shell_has_ranges(r, ml_node_find(node, "over"), axis, n) || r->problems.count > before ||
        !shell_add_rates(r, location, axis, n))
        return;
    spec->runs.sample->n_input = 2 * n;
    for (int i = 0; i < 2 * n; i++)
        axis->swept[i].values =
            ml_pool_take(spec->pool, (size_t)axis->count, sizeof *axis->swept[i].values);
}
