/* Energies, records and terms of a motion as programs. */
#include "model/equations_motion.h"

#include <string.h>

#include "expr/constrain.h"
#include "expr/derive.h"

static bool make_seldom(struct ml_graph *graph, int kind, int n, const int *nodes,
                        struct ml_equations *out)
{
    return ml_program_make(graph, false, 1, &n, &nodes, &out->seldom[kind]);
}

/* Whether a node depends on an input of a kind. */
static bool depends_on(const struct ml_graph *graph, int n, const int *nodes, enum ml_op op)
{
    const bool *is_needed = ml_graph_needed(graph, n, nodes);
    bool depends = !is_needed;
    for (int i = 0; is_needed && i < graph->n; i++)
        depends |= is_needed[i] && graph->nodes[i].op == op;
    return depends;
}

/* q' p - T: the kinetic energy where that is quadratic in the rates; with the potential energy it
 * stays the same where nothing depends on time (Jacobi's integral). */
static int jacobi_kinetic(struct ml_graph *graph, const struct ml_motion *m)
{
    const int one = ml_graph_literal(graph, 1.0);
    int sum = ML_NO_NODE;
    for (int i = 0; i < m->n; i++)
        if (m->momentum[i] != ML_NO_NODE)
            sum =
                ml_graph_plus(graph, sum, ml_graph_2(graph, ML_OP_mul, m->rate[i], m->momentum[i]));
    return ml_graph_minus_product(graph, sum, one, m->kinetic);
}

/* Whether forces act that are no derivative of the potential energy. */
static bool has_forces(const struct ml_motion *m)
{
    bool has = false;
    for (int i = 0; i < m->n; i++)
        for (int t = ML_MOTION_Q; t < ML_MOTION_TERMS; t++)
            has |= m->terms[t][i] != ML_NO_NODE;
    return has;
}

/* Records of constraints: multipliers, values, sizes. */
static void show_constraints(struct ml_graph *graph, const struct ml_motion *m, int *shown)
{
    const struct ml_constraints *c = &m->constraints;
    for (int k = 0; k < c->n; k++) {
        shown[k] = c->multiplier[k];
        shown[c->n + k] = c->value[k];
        shown[2 * c->n + k] = ml_constraints_size(graph, m, k);
    }
}

/* Energies; those, momenta and constraints as records. */
static bool make_energies(struct ml_graph *graph, const struct ml_motion *m,
                          struct ml_equations *out)
{
    const int kinetic = jacobi_kinetic(graph, m), n_energy = ML_EQUATIONS_ENERGIES + m->n;
    const int n = n_energy + ML_EQUATIONS_OF_CONSTRAINT * m->constraints.n;
    const int scale = ml_graph_plus(graph, ml_graph_bound(graph, m->kinetic),
                                    ml_graph_bound(graph, m->potential));
    const int energies[ML_EQUATIONS_ENERGIES] = {kinetic, m->potential, scale};
    int *shown = ml_pool_take(graph->pool, (size_t)n, sizeof *shown);
    if (!shown)
        return false;
    shown[0] = ml_graph_plus(graph, kinetic, m->potential);
    shown[1] = kinetic;
    shown[2] = m->potential;
    memcpy(shown + ML_EQUATIONS_ENERGIES, m->momentum, (size_t)m->n * sizeof *shown);
    show_constraints(graph, m, shown + n_energy);
    const bool is_timed = depends_on(graph, ML_EQUATIONS_ENERGIES, energies, ML_OP_TIME);
    out->keeps_energy = !is_timed && !has_forces(m) && out->n_state == 2 * m->n &&
                        ml_constraints_are_at_rest(graph, m);
    return make_seldom(graph, ML_EQUATIONS_SHOWN, n, shown, out) &&
           (is_timed ||
            make_seldom(graph, ML_EQUATIONS_ENERGY, ML_EQUATIONS_ENERGIES, energies, out));
}

/* Constraints of a motion without energies as records. */
static bool make_constraints_shown(struct ml_graph *graph, const struct ml_motion *m,
                                   struct ml_equations *out)
{
    const int n = ML_EQUATIONS_OF_CONSTRAINT * m->constraints.n;
    int *shown = ml_pool_take(graph->pool, (size_t)n + 1, sizeof *shown);
    if (!shown)
        return false;
    show_constraints(graph, m, shown);
    return n == 0 || make_seldom(graph, ML_EQUATIONS_SHOWN, n, shown, out);
}

/* How far constraints are held. */
static bool make_held(struct ml_graph *graph, const struct ml_motion *m, struct ml_equations *out)
{
    const struct ml_constraints *c = &m->constraints;
    int *held = ml_pool_take(graph->pool, (size_t)c->n * ML_HELD + 1, sizeof *held), *to = held;
    for (int k = 0; held && k < c->n; k++, to += ML_HELD) {
        to[ML_HELD_VALUE] = c->value[k];
        to[ML_HELD_SIZE] = ml_graph_bound(graph, c->value[k]);
        to[ML_HELD_RATE] = c->change[k];
        to[ML_HELD_RATE_SIZE] = ml_graph_bound(graph, c->change[k]);
        to[ML_HELD_LEAST] = c->least[k];
    }
    out->n_constraint = c->n;
    return held && (c->n == 0 || make_seldom(graph, ML_EQUATIONS_HELD, c->n * ML_HELD, held, out));
}

/* M, C, G, Q, D, E, q'', and the smallest pivot. */
static bool make_terms(struct ml_graph *graph, const struct ml_motion *m, struct ml_equations *out)
{
    const int n = m->n, n_all = n * n + (ML_MOTION_TERMS + 1) * n + 1;
    int *all = ml_pool_take(graph->pool, (size_t)n_all, sizeof *all), *to = all;
    if (!all)
        return false;
    memcpy(to, m->mass, (size_t)(n * n) * sizeof *to);
    to += n * n;
    for (int t = 0; t < ML_MOTION_TERMS; t++, to += n)
        memcpy(to, m->terms[t], (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++) {
        to[i] = m->acceleration[i];
        to[i - (ML_MOTION_TERMS - ML_MOTION_E) * n] =
            ml_graph_plus(graph, m->terms[ML_MOTION_E][i], ml_constraints_force(graph, m, i));
    }
    to[n] = m->factor.smallest;
    return make_seldom(graph, ML_EQUATIONS_TERMS, n_all, all, out);
}

bool ml_equations_make_hamiltonian(struct ml_graph *graph, const struct ml_motion *motion,
                                   const int *rates, struct ml_equations *equations)
{
    const int n = motion->n, h = motion->hamiltonian;
    const int energies[ML_EQUATIONS_ENERGIES] = {h, ML_NO_NODE, ml_graph_bound(graph, h)};
    const bool *is_needed = ml_graph_needed(graph, n, rates + n);
    const bool is_timed = depends_on(graph, 1, &h, ML_OP_TIME);
    if (!is_needed)
        return false;
    equations->n_coordinate = n;
    equations->is_of_positions = equations->n_state == 2 * n;
    for (int i = 0; i < n; i++)
        equations->is_of_positions &= rates[i] == motion->rate[i] && !is_needed[motion->rate[i]];
    equations->keeps_energy = !is_timed && equations->n_state == 2 * n;
    return make_seldom(graph, ML_EQUATIONS_SHOWN, 1, &h, equations) &&
           (is_timed ||
            make_seldom(graph, ML_EQUATIONS_ENERGY, ML_EQUATIONS_ENERGIES, energies, equations)) &&
           !graph->is_full;
}

/* Whether momenta are linear in the rates. */
static bool is_linear(struct ml_graph *graph, const struct ml_motion *m)
{
    const bool *is_needed = ml_graph_needed(graph, m->n * m->n, m->mass);
    bool is = is_needed != NULL;
    for (int i = 0; is && i < m->n; i++)
        is &= !is_needed[m->rate[i]];
    return is;
}

/* The rates that have the momenta G that are given: v + d with M_GG d_G = p_G - dT/dv_G, and the
 * other d 0.
 *   first  number of the parameter that is the first momentum
 *   rates  [n] out */
static bool find_rates(struct ml_graph *graph, const struct ml_motion *m, int first, int *rates)
{
    const int n = m->n, zero = ml_graph_literal(graph, 0.0), one = ml_graph_literal(graph, 1.0);
    int *mass = ml_pool_take(graph->pool, (size_t)n * (size_t)n, sizeof *mass);
    int *is_given = ml_pool_take(graph->pool, (size_t)n, sizeof *is_given);
    struct ml_graph_factor factor;
    for (int i = 0; mass && is_given && i < n; i++) {
        const int p = ml_graph_input(graph, ML_OP_PARAM, first + i);
        is_given[i] = ml_graph_2(graph, ML_OP_equal, p, p);
        rates[i] = ml_graph_op(graph, ML_OP_where, is_given[i],
                               ml_graph_2(graph, ML_OP_sub, p, m->momentum[i]), zero);
        for (int j = 0; j <= i; j++) {
            const int own = m->mass[i * n + j],
                      both = ml_graph_2(graph, ML_OP_and, is_given[i], is_given[j]);
            mass[i * n + j] = own == ML_NO_NODE
                                  ? ML_NO_NODE
                                  : ml_graph_op(graph, ML_OP_where, both, own, i == j ? one : zero);
        }
    }
    if (!mass || !is_given || ml_graph_factorise(graph, n, mass, &factor) >= 0)
        return false;
    ml_graph_solve(graph, &factor, rates, rates);
    for (int i = 0; i < n; i++)
        rates[i] = ml_graph_op(graph, ML_OP_where, is_given[i],
                               ml_graph_plus(graph, m->rate[i], rates[i]), m->rate[i]);
    return !graph->is_full;
}

/* Momenta can be given at the start, unless rows of the past are behind the parameters, or the
 * formulas are so long that there may be no room. */
static bool make_start(struct ml_graph *graph, const struct ml_motion *m, struct ml_equations *out)
{
    const int n = m->n, n_output[] = {n, n, n};
    int *nodes = ml_pool_take(graph->pool, 3 * (size_t)n, sizeof *nodes);
    const int *const outputs[] = {nodes, nodes + n, nodes + 2 * (ptrdiff_t)n};
    if (out->n_row > 0 || graph->n > ML_GRAPH_MOST / 4 || !is_linear(graph, m))
        return true;
    if (!nodes || !find_rates(graph, m, out->n_param, nodes) ||
        !ml_graph_derive(graph, ML_OP_STATE, n, nodes, nodes + n) ||
        !ml_graph_derive(graph, ML_OP_PARAM, n, nodes, nodes + 2 * (ptrdiff_t)n) ||
        !ml_program_make(graph, false, 3, n_output, outputs, &out->start))
        return false;
    out->n_param += n;
    return true;
}

bool ml_equations_make_motion(struct ml_graph *graph, const struct ml_motion *motion,
                              struct ml_equations *equations)
{
    const int n = motion->n;
    const bool *is_needed = ml_graph_needed(graph, n, motion->acceleration);
    if (!is_needed)
        return false;
    equations->n_coordinate = n;
    equations->is_of_positions = equations->n_state == 2 * n;
    for (int i = 0; i < n; i++)
        equations->is_of_positions &= !is_needed[motion->rate[i]];
    return make_terms(graph, motion, equations) && make_held(graph, motion, equations) &&
           (motion->kinetic == ML_NO_NODE ? make_constraints_shown(graph, motion, equations)
                                          : make_energies(graph, motion, equations) &&
                                                make_start(graph, motion, equations)) &&
           !graph->is_full;
}
