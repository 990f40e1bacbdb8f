/* Computes formulas of numbers with their derivatives, node by node. */
#include "model/defined.h"

#include <math.h>
#include <string.h>

#include "simd/layout.h"

struct dual {
    double v, d;
};

/* A function of the registry, which takes rows of lanes. */
static struct dual call(const struct ml_function *f, const struct dual *arg)
{
    _Alignas(64) double rows[6][ML_LANES];
    double *const a = rows[0], *const da = rows[1], *const b = rows[2], *const db = rows[3];
    for (int lane = 0; lane < ML_LANES; lane++) {
        a[lane] = arg[0].v;
        da[lane] = arg[0].d;
        b[lane] = arg[1].v;
        db[lane] = arg[1].d;
    }
    const bool has_two = f->n_argument == 2;
    f->rows(1, a, da, has_two ? b : NULL, has_two ? db : NULL, rows[4], rows[5]);
    return (struct dual){rows[4][0], rows[5][0]};
}

static struct dual call_named(const struct ml_function *f, const char *name, const struct dual *arg)
{
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name ? call(f, arg) : (struct dual){(double)NAN, (double)NAN};
}

static struct dual truth(bool is) { return (struct dual){is, 0.0}; }

static struct dual operate(const struct ml_defined *defined, enum ml_op op, const struct dual *x)
{
    const struct dual a = x[0], b = x[1], c = x[2];
    switch (op) {
    case ML_OP_neg:
        return (struct dual){-a.v, -a.d};
    case ML_OP_add:
        return (struct dual){a.v + b.v, a.d + b.d};
    case ML_OP_sub:
        return (struct dual){a.v - b.v, a.d - b.d};
    case ML_OP_mul:
        return (struct dual){a.v * b.v, a.d * b.v + a.v * b.d};
    case ML_OP_div:
        return (struct dual){a.v / b.v, (a.d - a.v / b.v * b.d) / b.v};
    case ML_OP_fma:
        return (struct dual){fma(a.v, b.v, c.v), a.d * b.v + a.v * b.d + c.d};
    case ML_OP_fnma:
        return (struct dual){fma(-a.v, b.v, c.v), c.d - a.d * b.v - a.v * b.d};
    case ML_OP_less:
        return truth(a.v < b.v);
    case ML_OP_at_most:
        return truth(a.v <= b.v);
    case ML_OP_equal:
        return truth(a.v == b.v);
    case ML_OP_and:
        return truth(a.v != 0.0 && b.v != 0.0);
    case ML_OP_or:
        return truth(a.v != 0.0 || b.v != 0.0);
    case ML_OP_not:
        return truth(a.v == 0.0);
    case ML_OP_where:
        return a.v != 0.0 ? b : c;
    default:
        return call_named(defined->functions, ml_ops[op].name, x);
    }
}

void ml_defined_compute(const struct ml_defined *defined, const double *names, const double *along,
                        double *v, double *d)
{
    for (int i = 0; i < defined->graph.n; i++) {
        const struct ml_graph_node *node = &defined->graph.nodes[i];
        struct dual x[ML_OP_MOST] = {{0.0, 0.0}}, out = {node->value, 0.0};
        for (int k = 0; k < ml_ops[node->op].n_argument; k++)
            x[k] = (struct dual){v[node->arg[k]], d[node->arg[k]]};
        if (node->op == ML_OP_PARAM)
            out = (struct dual){names[node->arg[0]], along ? along[node->arg[0]] : 0.0};
        else if (node->op != ML_OP_LITERAL)
            out = operate(defined, node->op, x);
        v[i] = out.v;
        d[i] = out.d;
    }
}

void ml_defined_apply(const struct ml_defined *defined, double *values)
{
    double v[ML_DEFINED_MOST], d[ML_DEFINED_MOST];
    ml_defined_compute(defined, values + defined->first, NULL, v, d);
    for (int i = 0; i < defined->n; i++) {
        const struct ml_defined_number *number = &defined->numbers[i];
        const double value = v[number->node];
        const bool is_allowed = value >= number->low && value <= number->high && isfinite(value);
        values[number->slot] = is_allowed ? value : (double)INFINITY;
    }
}

void ml_defined_along(const struct ml_defined *defined, const double *values, double *deriv)
{
    double v[ML_DEFINED_MOST], d[ML_DEFINED_MOST];
    ml_defined_compute(defined, values + defined->first, deriv + defined->first, v, d);
    for (int i = 0; i < defined->n; i++)
        deriv[defined->numbers[i].slot] += d[defined->numbers[i].node];
}

bool ml_defined_moves(const struct ml_defined *defined, int slot)
{
    for (int i = 0; defined && i < defined->n; i++)
        if (defined->numbers[i].slot == slot && defined->numbers[i].is_moved)
            return true;
    return false;
}
