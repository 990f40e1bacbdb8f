/* Constraints as accelerations: differentiated until the second derivatives of the coordinates
 * appear (index 1), with terms that let an error decay (Baumgarte's stabilisation). */
#include "expr/constrain.h"
#include "expr/derive.h"

bool ml_constraints_make(struct ml_graph *graph, int n, struct ml_motion *motion)
{
    motion->constraints = (struct ml_constraints){
        .value = ml_graph_zeros(graph, n),
        .change = ml_graph_zeros(graph, n),
        .is_of_rates = ml_pool_take(graph->pool, (size_t)n + 1, sizeof(bool)),
        .jacobian = ml_graph_zeros(graph, n * motion->n),
        .wanted = ml_graph_zeros(graph, n),
        .response = ml_graph_zeros(graph, n * motion->n),
        .multiplier = ml_graph_zeros(graph, n),
        .inertia = ml_graph_zeros(graph, n),
        .least = ml_graph_zeros(graph, n),
        .stabilisation = ML_NO_NODE,
    };
    return !graph->pool->is_short;
}

/* Checks which inputs the formula and its rows of J depend on. */
static enum ml_constraint_fault constrain_check(struct ml_graph *graph,
                                                const struct ml_motion *motion, int node,
                                                bool is_of_rates, const int *row)
{
    const bool *is_in_value = ml_graph_needed(graph, 1, &node);
    const bool *is_in_row = ml_graph_needed(graph, motion->n, row);
    bool is_idle = true, is_curved = false, has_states = false;
    if (!is_in_value || !is_in_row || graph->is_full)
        return ML_CONSTRAINT_IS_LONG;
    for (int i = 0; i < graph->n; i++)
        has_states |= is_in_value[i] && graph->nodes[i].op == ML_OP_STATE &&
                      graph->nodes[i].arg[0] >= 2 * motion->n;
    for (int i = 0; i < motion->n; i++) {
        is_idle &= row[i] == ML_NO_NODE;
        is_curved |= is_of_rates && is_in_row[motion->rate[i]];
    }
    return has_states  ? ML_CONSTRAINT_HAS_STATES
           : is_idle   ? ML_CONSTRAINT_IS_IDLE
           : is_curved ? ML_CONSTRAINT_IS_CURVED
                       : ML_CONSTRAINT_IS_RIGHT;
}

enum ml_constraint_fault ml_constraint_add(struct ml_graph *graph, struct ml_motion *motion,
                                           int node)
{
    struct ml_constraints *c = &motion->constraints;
    const int k = c->n, n = motion->n, stabilisation = c->stabilisation;
    const bool *is_needed = ml_graph_needed(graph, 1, &node);
    int *row = c->jacobian + (ptrdiff_t)k * n, rate = ML_NO_NODE;
    c->n++;
    if (!is_needed)
        return ML_CONSTRAINT_IS_LONG;
    c->value[k] = c->change[k] = node;
    for (int i = 0; i < n; i++)
        c->is_of_rates[k] |= is_needed[motion->rate[i]];
    for (int i = 0; i < n; i++)
        if (!ml_graph_partial(graph, c->is_of_rates[k] ? motion->rate[i] : motion->q[i], 1, &node,
                              &row[i]))
            return ML_CONSTRAINT_IS_LONG;
    if ((!c->is_of_rates[k] && !ml_motion_rates_of(graph, motion, 1, &node, &c->change[k])) ||
        !ml_motion_rates_of(graph, motion, 1, &c->change[k], &rate))
        return ML_CONSTRAINT_IS_LONG;
    int wanted = ml_graph_minus_product(graph, ml_graph_1(graph, ML_OP_neg, rate), stabilisation,
                                        c->change[k]);
    if (!c->is_of_rates[k]) {
        wanted = ml_graph_minus_product(graph, wanted, stabilisation, c->change[k]);
        wanted = ml_graph_minus_product(
            graph, wanted, ml_graph_2(graph, ML_OP_mul, stabilisation, stabilisation), node);
    }
    c->wanted[k] = wanted;
    return constrain_check(graph, motion, node, c->is_of_rates[k], row);
}

/* The sum of a_i b_i. */
static int constrain_product(struct ml_graph *graph, int n, const int *a, const int *b)
{
    int sum = ML_NO_NODE;
    for (int i = 0; i < n; i++)
        sum = ml_graph_plus(graph, sum, ml_graph_2(graph, ML_OP_mul, a[i], b[i]));
    return sum;
}

static void constrain_least(struct ml_graph *graph, struct ml_motion *motion)
{
    struct ml_constraints *c = &motion->constraints;
    const int rounding = ml_graph_literal(graph, 0x1p-40);
    for (int k = 0; k < c->n; k++) {
        c->least[k] = ml_graph_minus_product(graph, c->factor.pivot[k], rounding, c->inertia[k]);
        motion->factor.smallest =
            ml_graph_2(graph, ML_OP_min, c->least[k], motion->factor.smallest);
    }
}

/* Finds how the motion, of which the factor of M is there, answers to multipliers. The smallest
 * pivot of the motion's factor is then no larger than the least of the constraints. Returns as
 * ml_graph_factorise. */
static int constrain_factorise(struct ml_graph *graph, struct ml_motion *motion)
{
    struct ml_constraints *c = &motion->constraints;
    const int n = motion->n, m = c->n;
    int *matrix = ml_graph_zeros(graph, m * m);
    if (!matrix)
        return m;
    for (int k = 0; k < m; k++) {
        int *response = c->response + (ptrdiff_t)k * n;
        ml_graph_solve(graph, &motion->factor, c->jacobian + (ptrdiff_t)k * n, response);
        for (int l = 0; l <= k; l++)
            matrix[k * m + l] =
                constrain_product(graph, n, c->jacobian + (ptrdiff_t)l * n, response);
        c->inertia[k] = matrix[k * m + k];
    }
    const int fault = ml_graph_factorise(graph, m, matrix, &c->factor);
    if (fault < 0)
        constrain_least(graph, motion);
    return graph->is_full ? m : fault;
}

/* From M^-1 f and J q'' the multipliers, and M^-1 (f + J^T lambda).
 *   wanted, multiplier  [n] may be the same array
 *   acceleration        [coordinates] in and out */
static void constrain_solve(struct ml_graph *graph, const struct ml_motion *motion,
                            const int *wanted, int *multiplier, int *acceleration)
{
    const struct ml_constraints *c = &motion->constraints;
    const int n = motion->n;
    for (int k = 0; k < c->n; k++) {
        int sum = wanted[k];
        for (int i = 0; i < n; i++)
            sum = ml_graph_minus_product(graph, sum, c->jacobian[k * n + i], acceleration[i]);
        multiplier[k] = sum;
    }
    ml_graph_solve(graph, &c->factor, multiplier, multiplier);
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < n; i++)
            acceleration[i] =
                ml_graph_plus(graph, acceleration[i],
                              ml_graph_2(graph, ML_OP_mul, c->response[k * n + i], multiplier[k]));
}

/* The part of the derivatives of the equations that constraints have, as ml_graph_derive.
 *   derivs  [coordinates] in and out: df - dM q'', to which dJ^T lambda is added
 *   wanted  [n] out: of J q'', less dJ q'' */
static bool constrain_derive(struct ml_graph *graph, const struct ml_motion *motion, enum ml_op by,
                             int *derivs, int *wanted)
{
    const struct ml_constraints *c = &motion->constraints;
    const int n = motion->n;
    int *jacobian = ml_graph_zeros(graph, c->n * n);
    if (!jacobian || !ml_graph_derive(graph, by, c->n * n, c->jacobian, jacobian) ||
        !ml_graph_derive(graph, by, c->n, c->wanted, wanted))
        return false;
    for (int k = 0; k < c->n; k++)
        for (int i = 0; i < n; i++) {
            derivs[i] =
                ml_graph_plus(graph, derivs[i],
                              ml_graph_2(graph, ML_OP_mul, jacobian[k * n + i], c->multiplier[k]));
            wanted[k] = ml_graph_minus_product(graph, wanted[k], jacobian[k * n + i],
                                               motion->acceleration[i]);
        }
    return !graph->is_full;
}

int ml_constraints_force(struct ml_graph *graph, const struct ml_motion *motion, int coordinate)
{
    const struct ml_constraints *c = &motion->constraints;
    int sum = ML_NO_NODE;
    for (int k = 0; k < c->n; k++)
        sum = ml_graph_plus(graph, sum,
                            ml_graph_2(graph, ML_OP_mul, c->jacobian[k * motion->n + coordinate],
                                       c->multiplier[k]));
    return sum;
}

int ml_constraints_size(struct ml_graph *graph, const struct ml_motion *motion, int constraint)
{
    const struct ml_constraints *c = &motion->constraints;
    const int n = motion->n, *x = c->is_of_rates[constraint] ? motion->rate : motion->q;
    const int bound = ml_graph_bound(graph, c->value[constraint]);
    int square = ML_NO_NODE;
    for (int i = 0; i < n; i++)
        square = ml_graph_plus(
            graph, square,
            ml_graph_2(graph, ML_OP_mul,
                       constrain_product(graph, n, motion->mass + (ptrdiff_t)i * n, x), x[i]));
    square = ml_graph_2(graph, ML_OP_mul, square, c->inertia[constraint]);
    return square == ML_NO_NODE
               ? bound
               : ml_graph_plus(graph, bound, ml_graph_1(graph, ML_OP_sqrt, square));
}

/* Whether a node is 0 where the rates are, as the operations show. */
static bool constrain_is_zero(const struct ml_graph *graph, int i, const bool *is_zero)
{
    const struct ml_graph_node *node = &graph->nodes[i];
    const int *a = node->arg;
    switch (node->op) {
    case ML_OP_LITERAL:
        return node->value == 0.0;
    case ML_OP_neg:
    case ML_OP_div:
        return is_zero[a[0]];
    case ML_OP_mul:
        return is_zero[a[0]] || is_zero[a[1]];
    case ML_OP_add:
    case ML_OP_sub:
        return is_zero[a[0]] && is_zero[a[1]];
    case ML_OP_fma:
    case ML_OP_fnma:
        return (is_zero[a[0]] || is_zero[a[1]]) && is_zero[a[2]];
    case ML_OP_where:
        return is_zero[a[1]] && is_zero[a[2]];
    default:
        return false;
    }
}

bool ml_constraints_are_at_rest(struct ml_graph *graph, const struct ml_motion *motion)
{
    const struct ml_constraints *c = &motion->constraints;
    const bool *is_needed = ml_graph_needed(graph, c->n, c->value);
    bool *is_zero = ml_pool_take(graph->pool, (size_t)graph->n + 1, sizeof *is_zero);
    bool are = is_needed && is_zero;
    for (int i = 0; are && i < motion->n; i++)
        is_zero[motion->rate[i]] = true;
    for (int i = 0; are && i < graph->n; i++) {
        is_zero[i] |= constrain_is_zero(graph, i, is_zero);
        are &= !is_needed[i] || graph->nodes[i].op != ML_OP_TIME;
    }
    for (int k = 0; are && k < c->n; k++)
        are &= !c->is_of_rates[k] || is_zero[c->value[k]];
    return are;
}

int ml_motion_solve(struct ml_graph *graph, struct ml_motion *motion, int *dependent)
{
    struct ml_constraints *c = &motion->constraints;
    *dependent = -1;
    for (int i = 0; i < motion->n; i++)
        for (int t = 0; t < ML_MOTION_TERMS; t++)
            motion->force[i] = ml_graph_plus(graph, motion->force[i], motion->terms[t][i]);
    const int fault = ml_graph_factorise(graph, motion->n, motion->mass, &motion->factor);
    if (fault < 0)
        ml_graph_solve(graph, &motion->factor, motion->force, motion->acceleration);
    if (fault < 0 && c->n > 0)
        *dependent = constrain_factorise(graph, motion);
    if (fault < 0 && *dependent < 0 && c->n > 0)
        constrain_solve(graph, motion, c->wanted, c->multiplier, motion->acceleration);
    return graph->is_full ? motion->n : fault;
}

bool ml_motion_derive(struct ml_graph *graph, const struct ml_motion *motion, enum ml_op by,
                      int *derivs)
{
    const int n = motion->n;
    const bool is_constrained = motion->constraints.n > 0;
    int *mass = ml_graph_zeros(graph, n * n),
        *wanted = ml_graph_zeros(graph, motion->constraints.n);
    if (!mass || !wanted || !ml_graph_derive(graph, by, n * n, motion->mass, mass) ||
        !ml_graph_derive(graph, by, n, motion->force, derivs))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            derivs[i] =
                ml_graph_minus_product(graph, derivs[i], mass[i * n + j], motion->acceleration[j]);
    if (is_constrained && !constrain_derive(graph, motion, by, derivs, wanted))
        return false;
    ml_graph_solve(graph, &motion->factor, derivs, derivs);
    if (is_constrained)
        constrain_solve(graph, motion, wanted, wanted, derivs);
    return !graph->is_full;
}
