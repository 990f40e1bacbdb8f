/* The method of integration, and the tolerance where it chooses its steps. */
#include <math.h>
#include <string.h>

#include "config/schema/given.h"
#include "config/sections/sections.h"

/* Names of the methods that can estimate their errors, all or the explicit ones. */
const char *ml_adaptive_names(struct ml_reader *r, bool is_explicit)
{
    const char *list = "";
    for (int i = 0; ml_methods[i] && list; i++)
        if (ml_methods[i]->embedded_order > 0 && !(is_explicit && ml_methods[i]->implicit))
            list = ml_pool_format(r->pool, "%s%s%s", list, *list ? ", " : "", ml_methods[i]->name);
    return list ? list : "";
}

/* The first of some numbers that is given, of which one is. */
static double first_given(double a, double b, double c)
{
    return !isnan(a) ? a : !isnan(b) ? b : c;
}

/* The first key of the map that means something only with a tolerance; NULL if no key does. */
static const struct ml_node *without_use(const struct ml_node *node)
{
    static const char *const names[] = {"error_of", "first_step", "step_max", "max_steps"};
    const struct ml_node *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = ml_node_find(node, names[i]);
    return found;
}

static void read_tolerance(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    struct ml_control *control = &spec->chosen.control;
    const double relative = control->relative, absolute = control->absolute;
    const struct ml_method *method = ml_study_spec_method(spec);
    const struct ml_node *useless = without_use(node);
    if (!spec->time.is_adaptive && useless)
        ml_problem(
            &r->problems, useless->key_location,
            "%s is for steps that are chosen by tolerance; give `tolerance` too, or leave it "
            "out",
            useless->key);
    if (!spec->time.is_adaptive)
        return;
    if (method->embedded_order == 0)
        ml_problem(&r->problems, ml_read_location(node, "type"),
                   "%s has no error estimate for a tolerance; integrators with an estimate: %s",
                   method->name, ml_adaptive_names(r, false));
    control->relative = first_given(relative, spec->chosen.tolerance, absolute);
    control->absolute = first_given(absolute, spec->chosen.tolerance, relative);
    if (spec->chosen.control.relative > 1.0 ||
        spec->chosen.control.relative < 1e-15) /* taken from absolute */
        ml_problem(&r->problems, ml_read_location(node, "absolute"),
                   "relative is missing; it defaults to absolute only from 1e-15 to 1");
    if (spec->chosen.first > spec->chosen.control.step_max)
        ml_problem(&r->problems, ml_read_location(node, "first_step"),
                   "first_step is %g s but must be at most step_max, %g s", spec->chosen.first,
                   spec->chosen.control.step_max);
}

/* Reads the integrator of a map, which is iterated. */
static void read_iteration(struct ml_reader *r, const struct ml_node *node)
{
    const bool is_map = node && node->kind == ML_NODE_MAP && node->n_child == 1;
    const struct ml_node *type = is_map ? ml_node_find(node, "type") : node;
    int i = 0;
    while (!ml_methods[i]->is_map)
        i++;
    if (node &&
        !(type && type->kind == ML_NODE_SCALAR && strcmp(type->text, ml_methods[i]->name) == 0))
        ml_problem(&r->problems, node->location,
                   "a map is iterated and takes no integrator, tolerance or summation; leave "
                   "`integrator` out");
    r->spec->time.i_integrator = i;
}

void ml_read_integrator(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    if (spec->source.kind == ML_MAP) {
        read_iteration(r, node);
        return;
    }
    const int before = r->problems.count;
    const struct ml_keys of_study = ml_schema_keys(r->pool, ML_SCOPE_STUDY, NULL, NULL);
    if (node && node->kind == ML_NODE_MAP) {
        spec->time.is_adaptive = ml_node_find(node, "tolerance") ||
                                 ml_node_find(node, "relative") || ml_node_find(node, "absolute");
        ml_read_scope(r, node, ML_SCOPE_INTEGRATOR, spec);
        if (r->problems.count == before)
            read_tolerance(r, node);
        if (!spec->time.is_adaptive)
            spec->chosen.control = (struct ml_control){0};
    } else if (node) {
        (void)ml_read_one_word(r, node, ml_keys_find(&of_study, "integrator"),
                               &spec->time.i_integrator);
    }
    if (node && ml_study_spec_method(spec)->is_map) {
        ml_problem(&r->problems, node->location,
                   "map is for formulas of `kind: map`, and this system changes over time; take "
                   "another integrator");
        spec->time.i_integrator = 0;
    }
    const struct ml_method *method = ml_study_spec_method(spec);
    if (node && method->implicit && !spec->time.is_adaptive)
        ml_problem(&r->problems, node->location,
                   "%s takes no given steps; give integrator: {type: %s, tolerance: 1e-6}",
                   method->name, method->name);
}

void ml_read_step_max(struct ml_reader *r, const struct ml_node *node)
{
    const double resolution = 0x1p-51;
    const struct ml_study_spec *spec = r->spec;
    const double end = spec->time.start + ml_given_longest_step(r) * (double)spec->time.n_step;
    const double latest = fmax(fabs(spec->time.start), fabs(end)), least = resolution * latest;
    if (spec->chosen.control.step_max > 0.0 && spec->chosen.control.step_max < least)
        ml_problem(&r->problems, ml_read_location(node, "step_max"),
                   "step_max is %g s, too short for a time of %g s to advance; take more than %.1g "
                   "s, or leave step_max out",
                   spec->chosen.control.step_max, latest, least);
}

void ml_read_splitting(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_method *method = ml_study_spec_method(r->spec);
    const char *instead = "gauss4 and gauss6 keep the energy of any system that conserves it";
    if (!method->splitting || !r->slots || r->problems.count > 0)
        return;
    if (r->system->dynamics.n_position == 0)
        ml_problem(&r->problems, node->location,
                   "%s is for systems of the form x'' = F(x, t), such as henon_heiles and duffing, "
                   "and %s is not%s; %s",
                   method->name, r->system->name,
                   r->system->terms.n_freedom > 0 && r->system->has_formulas
                       ? ", as its forces or its mass matrix depend on rates or it is held"
                       : "",
                   instead);
    for (int i = 0; r->system->dynamics.n_position > 0 && i < r->system->tables.n_param; i++) {
        const int slot = ml_slot_param(i);
        r->is_seen[slot] |= (r->system->tables.params[i].flags & ML_FRICTION) != 0;
        if (r->system->tables.params[i].flags & ML_FRICTION &&
            (r->swept_by[slot] || r->spec->numbers.base[slot] != 0.0))
            ml_problem(&r->problems, node->location,
                       "%s is for systems of the form x'' = F(x, t), and this system needs `%s: 0` "
                       "for that; %s",
                       method->name, r->slots[slot].path, instead);
    }
}
