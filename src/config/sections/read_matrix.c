/* A matrix over the segments or degrees of freedom of a study. */
#include "config/sections/sections.h"
#include "yaml/number.h"

/* Whether numbers are those of the diagonal: beside maps, but not beside lists. */
static bool is_diagonal(const struct ml_node *list)
{
    for (const struct ml_node *child = list->first; child; child = child->next)
        if (child->kind == ML_NODE_LIST)
            return false;
    return true;
}

/* Row i: its numbers, or some by name.
 *   values  [n] */
static void read_matrix_row(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_param *param, int i, double *values)
{
    const int n = r->spec->model.n;
    const char *name = r->spec->segment_names[i];
    if (node->kind == ML_NODE_SCALAR)
        ml_problem(&r->problems, node->location,
                   "row `%s` of %s must be a list of %d numbers or a map by name, not %s", name,
                   param->name, n, ml_node_kind_text(node));
    else if (node->kind == ML_NODE_LIST && node->n_child != n)
        ml_problem(&r->problems, node->location, "row `%s` of %s must have %d numbers, not %d",
                   name, param->name, n, node->n_child);
    else
        ml_read_by_segment(r, node, param, values);
}

static void read_matrix_read_list(struct ml_reader *r, const struct ml_node *node,
                                  const struct ml_param *param, double *values)
{
    const int n = r->spec->model.n;
    const struct ml_node *child = node->first;
    int i = 0;
    if (node->n_child != n)
        ml_problem(&r->problems, node->location,
                   "%s has %d entries but there are %d %s: give %d rows, or the %d numbers of its "
                   "diagonal",
                   param->name, node->n_child, n, ml_system_part(r->system, n), n, n);
    for (; child && node->n_child == n; child = child->next, i++)
        if (child->kind == ML_NODE_SCALAR && is_diagonal(node))
            (void)ml_read_number(r, child, param, &values[i * n + i]);
        else
            read_matrix_row(r, child, param, i, values + (size_t)i * (size_t)n);
}

static void read_map(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                     double *values)
{
    const int n = r->spec->model.n;
    for (const struct ml_node *child = node->first; child; child = child->next) {
        int i = ml_read_segment_key(r, child);
        if (i >= 0)
            read_matrix_row(r, child, param, i, values + (size_t)i * (size_t)n);
    }
}

static const struct ml_node *child_at(const struct ml_node *list, int i)
{
    const struct ml_node *child = list->kind == ML_NODE_LIST ? list->first : NULL;
    for (; child && i > 0; i--)
        child = child->next;
    return child;
}

/* Place of row i, column j; of a map by name the place of the map. */
static struct ml_location read_matrix_location_of(const struct ml_node *matrix, int i, int j)
{
    const struct ml_node *row = child_at(matrix, i), *number = row ? child_at(row, j) : NULL;
    return number ? number->location : row ? row->location : matrix->location;
}

static void check_symmetric(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_param *param, const double *values)
{
    const int n = r->spec->model.n;
    char *const *names = r->spec->segment_names, lower[ML_NUMBER_TEXT], upper[ML_NUMBER_TEXT];
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double a = values[i * n + j], b = values[j * n + i];
            if (a == b)
                continue;
            ml_problem(&r->problems, read_matrix_location_of(node, i, j),
                       "%s must be symmetric, but row `%s`, column `%s` is %s and row `%s`, column "
                       "`%s` is %s",
                       param->name, names[i], names[j], ml_number_text(a, lower), names[j],
                       names[i], ml_number_text(b, upper));
            return;
        }
}

void ml_read_matrix(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *values)
{
    const int n = r->spec->model.n, before = r->problems.count;
    for (int i = 0; i < n * n; i++)
        values[i] = param->default_value;
    if (!node)
        return;
    if (node->kind == ML_NODE_MAP)
        read_map(r, node, param, values);
    else if (node->kind == ML_NODE_LIST)
        read_matrix_read_list(r, node, param, values);
    else
        ml_problem(&r->problems, node->location,
                   "%s must be a list of rows, the list of its diagonal or a map of rows by name, "
                   "not %s",
                   param->name, ml_node_kind_text(node));
    if (param->flags & ML_SYMMETRIC && r->problems.count == before)
        check_symmetric(r, node, param, values);
}
