/* What shows where cycles of a gait begin: the key `cycles` of `inverse`. */
#include "config/sections/sections.h"

#include <string.h>

#include "yaml/nearest.h"

static bool is_measured(const struct ml_force_use *use)
{
    return use->type && (use->type->places & ML_OF_FILE) && use->name;
}

/* Index of a measured load by its name; -1: the study has no such load. */
static int find_load(const struct ml_study_spec *spec, const char *name)
{
    int load = spec->n_force - 1;
    while (load >= 0 &&
           !(is_measured(&spec->forces[load]) && strcmp(spec->forces[load].name, name) == 0))
        load--;
    return load;
}

static int find_foot(const struct ml_study_spec *spec, const char *name)
{
    int foot = spec->model.n - 1;
    while (foot >= 0 && strcmp(spec->segment_names[foot], name) != 0)
        foot--;
    return foot;
}

static void report_unknown(struct ml_reader *r, const struct ml_node *node, const char *name)
{
    const struct ml_study_spec *spec = r->spec;
    struct ml_nearest nearest = ml_nearest_any(name);
    for (int f = 0; f < spec->n_force; f++)
        if (is_measured(&spec->forces[f]))
            ml_nearest_offer(&nearest, spec->forces[f].name);
    for (int i = 0; i < spec->model.n; i++)
        ml_nearest_offer(&nearest, spec->segment_names[i]);
    ml_problem(&r->problems, node->location,
               "cycles are of %s, which is neither a load nor a segment; the nearest is `%s`",
               ml_quote(r->pool, name), nearest.best ? nearest.best : "");
}

/* One name of `of`: a load, or, alone, the segment of a foot. */
static void read_one(struct ml_reader *r, const struct ml_node *node, bool is_alone,
                     struct ml_cycle_keys *cycles)
{
    const char *name = ml_read_text(r, node, "of", "the name of a load or a segment");
    const int load = name ? find_load(r->spec, name) : -1;
    if (!name)
        return;
    for (int k = 0; load >= 0 && k < cycles->n_load; k++)
        if (cycles->loads[k] == load) {
            ml_problem(&r->problems, node->location, "load `%s` is named twice", name);
            return;
        }
    if (load >= 0) {
        cycles->loads[cycles->n_load++] = load;
        return;
    }
    cycles->foot = find_foot(r->spec, name);
    if (cycles->foot < 0)
        report_unknown(r, node, name);
    else if (!is_alone)
        ml_problem(&r->problems, node->location,
                   "`%s` is a segment, but a list has loads only, whose forces are added", name);
}

/* Keys that belong to a force beside a foot, or to a foot beside a force. */
static void check_force_keys(struct ml_reader *r, const struct ml_node *node,
                             const struct ml_cycle_keys *cycles)
{
    static const char *const keys[] = {"threshold", "share", "shortest"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (cycles->n_load == 0 && ml_node_find(node, keys[k]))
            ml_problem(&r->problems, ml_node_find(node, keys[k])->key_location,
                       "`%s` is of a force, but `of` is a segment: leave it out, or give the name "
                       "of a load",
                       keys[k]);
    if (cycles->n_load > 0 && ml_node_find(node, "method"))
        ml_problem(
            &r->problems, ml_node_find(node, "method")->key_location,
            "`method` is of the motion of a foot, but `of` is a load: leave `method` out, or "
            "give the segment of the foot");
    if (!isnan(cycles->threshold) && !isnan(cycles->share))
        ml_problem(
            &r->problems, ml_node_find(node, "share")->key_location,
            "the force is given twice, in N and in weights of the body; leave `threshold` or "
            "`share` out");
}

void ml_read_cycles(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_cycle_keys *cycles = &r->spec->inverse.cycles;
    cycles->threshold = cycles->share = (double)NAN;
    if (!node)
        return;
    const int before = r->problems.count;
    ml_read_scope(r, node, ML_SCOPE_CYCLES, r->spec);
    const struct ml_node *of = ml_node_find(node, "of");
    if (!of || !r->has_segments || r->problems.count > before)
        return;
    const bool is_list = of->kind == ML_NODE_LIST;
    cycles->loads = ml_pool_take(r->spec->pool, (size_t)r->spec->n_force + 1, sizeof(int));
    if (is_list && of->n_child == 0)
        ml_problem(&r->problems, of->location, "cycles are of no load; give the name of one");
    for (const struct ml_node *child = is_list ? of->first : of; cycles->loads && child;
         child = is_list ? child->next : NULL)
        read_one(r, child, !is_list, cycles);
    if (r->problems.count == before)
        check_force_keys(r, node, cycles);
    cycles->is_given = r->problems.count == before;
    const char *place = ml_problem_place(&r->problems, of->location);
    cycles->place = ml_pool_text(r->spec->pool, place, strlen(place));
}
