/* Offsets and names of the numbers of a force among the parameters of a run. */
#include "model/forces/numbers.h"

static int entries(const struct ml_param *row, int n)
{
    return row->flags & ML_MATRIX ? n * n : row->flags & ML_BY_JOINT ? n : 1;
}

int ml_force_row_numbers(const struct ml_param *row, int n)
{
    if (!row->name)
        return 0;
    return entries(row, n) * (row->flags & ML_SIGNAL ? ML_SIGNAL_ROWS : 1);
}

int ml_force_first_number(const struct ml_force *type, int n, int p)
{
    int first = 0;
    for (int q = 0; q < p; q++)
        first += ml_force_row_numbers(&type->params[q], n);
    return first;
}

static void numbers_describe(const struct ml_param *row, int n, struct ml_force_number *out)
{
    const bool is_pair = row->flags & ML_MATRIX, is_joint = row->flags & ML_BY_JOINT;
    const int per_entry = row->flags & ML_SIGNAL ? ML_SIGNAL_ROWS : 1;
    for (int e = 0; e < entries(row, n); e++)
        for (int signal = 0; signal < per_entry; signal++)
            *out++ = (struct ml_force_number){.row = row,
                                              .i = is_pair    ? e / n
                                                   : is_joint ? e
                                                              : -1,
                                              .j = is_pair ? e % n : -1,
                                              .signal = signal};
}

int ml_force_numbers(const struct ml_force *type, int n, struct ml_force_number *out)
{
    int count = 0;
    for (int p = 0; p < type->n_param; p++) {
        const struct ml_param *row = &type->params[p];
        if (out && row->name)
            numbers_describe(row, n, out + count);
        count += ml_force_row_numbers(row, n);
    }
    return count;
}

struct ml_param ml_force_number_param(const struct ml_force_number *number)
{
    struct ml_param param = ml_signal_row_param(number->row, number->signal);
    if (number->signal != ML_SIGNAL_VALUE)
        param.flags = ML_DERIVED | ML_OF_SIGNAL | (param.flags & ML_OPEN_LOW);
    return param;
}

int ml_force_signals(const struct ml_force *type, int n)
{
    int count = 0;
    for (int p = 0; p < type->n_param; p++)
        if (type->params[p].flags & ML_SIGNAL)
            count += entries(&type->params[p], n);
    return count;
}
