/* Lagrange's equations by exact derivatives: with p = dT/dq',
 *
 *   (dp/dq') q'' = dT/dq - (dp/dq) q' - dp/dt - dV/dq - dR/dq' + Q + E
 *
 * where terms of V with rates count as parts of T.
 */
#include "expr/motion.h"
#include "expr/derive.h"

bool ml_motion_make(struct ml_graph *graph, int n, const int *q, const int *rate,
                    struct ml_motion *out)
{
    *out = (struct ml_motion){.n = n,
                              .q = q,
                              .rate = rate,
                              .mass = ml_graph_zeros(graph, n * n),
                              .force = ml_graph_zeros(graph, n),
                              .acceleration = ml_graph_zeros(graph, n),
                              .momentum = ml_graph_zeros(graph, n),
                              .kinetic = ML_NO_NODE,
                              .potential = ML_NO_NODE,
                              .dissipation = ML_NO_NODE,
                              .hamiltonian = ML_NO_NODE};
    for (int t = 0; t < ML_MOTION_TERMS; t++)
        out->terms[t] = ml_graph_zeros(graph, n);
    return !graph->pool->is_short;
}

bool ml_motion_rates_of(struct ml_graph *graph, const struct ml_motion *motion, int n,
                        const int *nodes, int *rates)
{
    const int n_input = motion->n + 1;
    int *inputs = ml_graph_zeros(graph, n_input), *along = ml_graph_zeros(graph, n_input);
    if (!inputs || !along)
        return false;
    for (int i = 0; i < motion->n; i++) {
        inputs[i] = motion->q[i];
        along[i] = motion->rate[i];
    }
    inputs[motion->n] = ml_graph_input(graph, ML_OP_TIME, 0);
    along[motion->n] = ml_graph_literal(graph, 1.0);
    return !graph->is_full && ml_graph_derive_along(graph, n_input, inputs, along, n, nodes, rates);
}

/* Momenta, and their derivatives by rates: the lower half of M, and the upper one like it. */
static bool derive_mass(struct ml_graph *graph, struct ml_motion *motion)
{
    const int n = motion->n;
    int *column = ml_graph_zeros(graph, n);
    bool is_done = column != NULL;
    for (int i = 0; is_done && i < n; i++)
        is_done =
            ml_graph_partial(graph, motion->rate[i], 1, &motion->kinetic, &motion->momentum[i]);
    for (int j = 0; is_done && j < n; j++) {
        is_done = ml_graph_partial(graph, motion->rate[j], n - j, motion->momentum + j, column + j);
        for (int i = j; i < n; i++)
            motion->mass[i * n + j] = motion->mass[j * n + i] = column[i];
    }
    return is_done;
}

/* A node where n of the inputs are 0. */
static int motion_at_zero(struct ml_graph *graph, int n, const int *inputs, int node)
{
    const int zero = ml_graph_literal(graph, 0.0);
    const bool *is_needed = ml_graph_needed(graph, 1, &node);
    int *at = ml_graph_zeros(graph, node + 1);
    for (int i = 0; is_needed && at && i <= node; i++) {
        const struct ml_graph_node own = graph->nodes[i]; /* a copy: the graph grows */
        bool is_zero = false;
        for (int k = 0; k < n; k++)
            is_zero |= i == inputs[k];
        if (is_needed[i])
            at[i] = is_zero ? zero : ml_graph_again(graph, &own, at);
    }
    return is_needed && at ? at[node] : ML_NO_NODE;
}

/* Moves terms of V with rates to T, which then is L = T - V less L at rest: momenta, energies and
 * equations are those of L as a whole. */
static bool gather_rates(struct ml_graph *graph, struct ml_motion *motion)
{
    const int all = motion->potential;
    const bool *is_needed = all == ML_NO_NODE ? NULL : ml_graph_needed(graph, 1, &all);
    bool has_rates = false;
    for (int i = 0; is_needed && i < motion->n; i++)
        has_rates |= motion->rate[i] <= all && is_needed[motion->rate[i]];
    if (!has_rates)
        return all == ML_NO_NODE || is_needed;
    motion->potential = motion_at_zero(graph, motion->n, motion->rate, all);
    if (motion->potential == ML_NO_NODE)
        return false;
    motion->kinetic =
        ml_graph_plus(graph, motion->kinetic, ml_graph_2(graph, ML_OP_sub, motion->potential, all));
    return true;
}

bool ml_motion_of_energies(struct ml_graph *graph, struct ml_motion *motion)
{
    const int n = motion->n;
    int *rates = ml_graph_zeros(graph, n);
    bool is_done = rates && gather_rates(graph, motion) && derive_mass(graph, motion) &&
                   ml_motion_rates_of(graph, motion, n, motion->momentum, rates);
    for (int i = 0; is_done && i < n; i++) {
        const int energies[] = {motion->kinetic, motion->potential};
        int slopes[2], loss;
        is_done = ml_graph_partial(graph, motion->q[i], 2, energies, slopes) &&
                  ml_graph_partial(graph, motion->rate[i], 1, &motion->dissipation, &loss);
        if (!is_done)
            break;
        const int lost = ml_graph_1(graph, ML_OP_neg, rates[i]);
        motion->terms[ML_MOTION_C][i] = ml_graph_plus(graph, slopes[0], lost);
        motion->terms[ML_MOTION_G][i] = ml_graph_1(graph, ML_OP_neg, slopes[1]);
        motion->terms[ML_MOTION_D][i] = ml_graph_1(graph, ML_OP_neg, loss);
    }
    return is_done && !graph->is_full;
}

static bool motion_is(const struct ml_graph *graph, int node, double value)
{
    return node != ML_NO_NODE && graph->nodes[node].op == ML_OP_LITERAL &&
           graph->nodes[node].value == value;
}

/* Whether a node is an input, such as (p + p)/2: its slope is 1, and at 0 it is 0. */
static bool motion_is_input(struct ml_graph *graph, int input, int node)
{
    int slope = ML_NO_NODE;
    return node != ML_NO_NODE && ml_graph_partial(graph, input, 1, &node, &slope) &&
           motion_is(graph, slope, 1.0) &&
           motion_is(graph, motion_at_zero(graph, 1, &input, node), 0.0);
}

bool ml_motion_of_hamiltonian(struct ml_graph *graph, const struct ml_motion *motion, int *rates)
{
    const int n = motion->n, *h = &motion->hamiltonian;
    for (int i = 0; i < n; i++) {
        int slope;
        if (!ml_graph_partial(graph, motion->rate[i], 1, h, &rates[i]) ||
            !ml_graph_partial(graph, motion->q[i], 1, h, &slope))
            return false;
        rates[n + i] = ml_graph_1(graph, ML_OP_neg, slope);
        if (motion_is_input(graph, motion->rate[i], rates[i]))
            rates[i] = motion->rate[i];
    }
    return !graph->is_full;
}

bool ml_motion_add_point(struct ml_graph *graph, struct ml_motion *motion, const int at[2],
                         const int force[2])
{
    for (int i = 0; i < motion->n; i++) {
        int slopes[2], *sum = &motion->terms[ML_MOTION_E][i];
        if (!ml_graph_partial(graph, motion->q[i], 2, at, slopes))
            return false;
        for (int k = 0; k < 2; k++)
            *sum = ml_graph_plus(graph, *sum, ml_graph_2(graph, ML_OP_mul, slopes[k], force[k]));
    }
    return !graph->is_full;
}
