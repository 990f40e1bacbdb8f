/* Factorisation and substitution unrolled into nodes: zeros of the matrix make none. */
#include "expr/graph.h"

int ml_graph_factorise(struct ml_graph *graph, int n, const int *matrix,
                       struct ml_graph_factor *out)
{
    const size_t size = (size_t)n;
    int *scaled = ml_pool_take(graph->pool, size * size, sizeof *scaled); /* L D */
    *out =
        (struct ml_graph_factor){n, ml_pool_take(graph->pool, size * size, sizeof *out->lower),
                                 ml_pool_take(graph->pool, size, sizeof *out->pivot),
                                 ml_pool_take(graph->pool, size, sizeof *out->inverse), ML_NO_NODE};
    if (!scaled || !out->lower || !out->pivot || !out->inverse)
        return n;
    const int one = ml_graph_literal(graph, 1.0);
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            int entry = matrix[i * n + j];
            for (int k = 0; k < j; k++)
                entry =
                    ml_graph_minus_product(graph, entry, scaled[i * n + k], out->lower[j * n + k]);
            scaled[i * n + j] = entry;
        }
        const int pivot = scaled[j * n + j];
        if (pivot == ML_NO_NODE)
            return graph->is_full ? n : j;
        out->pivot[j] = pivot;
        out->inverse[j] = ml_graph_2(graph, ML_OP_div, one, pivot);
        out->smallest = j == 0 ? pivot : ml_graph_2(graph, ML_OP_min, pivot, out->smallest);
        for (int i = j + 1; i < n; i++)
            out->lower[i * n + j] =
                ml_graph_2(graph, ML_OP_mul, scaled[i * n + j], out->inverse[j]);
    }
    return graph->is_full ? n : -1;
}

void ml_graph_solve(struct ml_graph *graph, const struct ml_graph_factor *factor, const int *f,
                    int *a)
{
    const int n = factor->n;
    for (int i = 0; i < n; i++) {
        int sum = f[i];
        for (int k = 0; k < i; k++)
            sum = ml_graph_minus_product(graph, sum, factor->lower[i * n + k], a[k]);
        a[i] = sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        a[i] = ml_graph_2(graph, ML_OP_mul, a[i], factor->inverse[i]);
        for (int k = i + 1; k < n; k++)
            a[i] = ml_graph_minus_product(graph, a[i], factor->lower[k * n + i], a[k]);
    }
}
