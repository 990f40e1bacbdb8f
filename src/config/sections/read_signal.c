/* Numbers of forces that may change over time. */
#include <math.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"
#include "expr/number.h"

static void clear(double *values)
{
    for (int row = 0; row < ML_SIGNAL_ROWS; row++)
        values[row] = (double)NAN;
}

/* Rows of a type that is known, and its table. */
static void read_signal_read_rows(struct ml_reader *r, const struct ml_node *node,
                                  const struct ml_param *param, double *values,
                                  struct ml_signal *signal)
{
    struct ml_signal_keys fields = {0};
    struct ml_param params[ML_SIGNAL_ROWS];
    const struct ml_params own = ml_signal_params(param, (int)signal->type, params);
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_SIGNAL, NULL, &own);
    ml_read_map(r, node, &keys, &fields, values);
    if (signal->type == ML_TABLE_SIGNAL)
        signal->breakpoints = ml_read_breakpoints(r, node, &fields, param);
}

/* Whether a node stands for a column of the force's file: a text that is no number. */
static bool is_column(const struct ml_reader *r, const struct ml_node *node)
{
    struct ml_number_fault fault;
    double value;
    return r->measured && node->kind == ML_NODE_SCALAR && node->text[0] &&
           !ml_expr_number(node->text, &value, &fault);
}

/* SI units per unit of a column. */
static double column_scale(const struct ml_force_use *use, const struct ml_param *param)
{
    static const double lengths[] = {1.0, 1e-1, 1e-2, 1e-3}; /* m */
    const bool has_length = strcmp(param->unit, "m") == 0 || strcmp(param->unit, "N m") == 0;
    return has_length ? lengths[use->length] : 1.0;
}

void ml_read_signal(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                    double *values, struct ml_signal *signal)
{
    clear(values);
    signal->type = ML_CONSTANT_SIGNAL;
    if (!node)
        values[ML_SIGNAL_VALUE] = param->default_value;
    else if (is_column(r, node)) {
        const bool is_turned = node->text[0] == '-'; /* -fx */
        const struct ml_signal_keys fields = {.file = r->measured->file,
                                              .column = node->text + is_turned,
                                              .time = r->measured->time,
                                              .rate = r->measured->rate};
        signal->type = ML_TABLE_SIGNAL;
        values[ML_SIGNAL_SCALE] = (is_turned ? -1.0 : 1.0) * column_scale(r->measured, param);
        signal->breakpoints = ml_read_breakpoints(r, node, &fields, param);
    } else if (node->kind != ML_NODE_MAP)
        (void)ml_read_number(r, node, param, &values[ML_SIGNAL_VALUE]);
    else {
        int word = ml_read_word(r, node, ML_SCOPE_SIGNAL, "type");
        if (word < 0)
            return;
        signal->type = (enum ml_signal_type)word;
        read_signal_read_rows(r, node, param, values, signal);
    }
}

struct signals {
    double *values;
    struct ml_signal *signal;
};

static void read_signal_read_one(struct ml_reader *r, const struct ml_node *node,
                                 const struct ml_param *param, int i, void *context)
{
    const struct signals *to = context;
    ml_read_signal(r, node, param, to->values + (long)i * ML_SIGNAL_ROWS, &to->signal[i]);
}

void ml_read_signals(struct ml_reader *r, const struct ml_node *node, const struct ml_param *param,
                     double *values, struct ml_signal *signal)
{
    const int n = r->spec->model.n;
    struct signals to = {values, signal};
    const bool is_signal =
        !node || node->kind == ML_NODE_SCALAR || ml_node_find(node, "type") != NULL;
    ml_read_signal(r, is_signal ? node : NULL, param, values, signal);
    for (int i = 1; i < n; i++) {
        ml_define_copy(r->define, values + (long)i * ML_SIGNAL_ROWS, values, ML_SIGNAL_ROWS);
        signal[i] = signal[0];
    }
    if (!is_signal)
        ml_read_each_segment(r, node, param, read_signal_read_one, &to);
}
