/* Matrices and signals of forces as canonical YAML. */
#include <math.h>
#include <string.h>

#include "config/schema/yaml_writer.h"
#include "model/forces/numbers.h"

/* "5", or "{type: ramp, from: 0, to: 1, onset: 0, duration: 2}" */
static void write_signal(struct ml_yaml_writer *w, const struct ml_param *row,
                         const struct ml_signal *signal, const double *given)
{
    const char *doc = NULL;
    if (signal->type == ML_CONSTANT_SIGNAL) {
        ml_write_number(w, given[ML_SIGNAL_VALUE]);
        return;
    }
    ml_write(w, "{type: %s", ml_signal_word((int)signal->type, &doc));
    if (signal->breakpoints) {
        ml_write(w, ", file: ");
        ml_write_text(w, signal->breakpoints->file);
        ml_write(w, ", column: ");
        ml_write_text(w, signal->breakpoints->column);
        if (signal->breakpoints->by) {
            ml_write(w, ", time: ");
            ml_write_text(w, signal->breakpoints->by);
        }
        if (signal->breakpoints->rate > 0.0) {
            ml_write(w, ", rate: ");
            ml_write_number(w, signal->breakpoints->rate);
        }
        ml_write(w, signal->breakpoints->is_held ? ", hold: true" : "");
    }
    for (int k = 0; k < ML_SIGNAL_ROWS; k++) {
        const struct ml_param param = ml_signal_param(row, (int)signal->type, k);
        if (!param.name)
            continue;
        ml_write(w, ", %s: ", param.name);
        ml_write_number(w, given[k]);
    }
    ml_write(w, "}");
}

/* {upper: ..., lower: ...} */
static void write_signals(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                          const struct ml_param *row, const struct ml_signal *signal,
                          const double *given)
{
    ml_write(w, "{");
    for (int i = 0; i < spec->model.n; i++) {
        ml_write(w, "%s%s: ", i ? ", " : "", spec->segment_names[i]);
        write_signal(w, row, &signal[i], given + (long)i * ML_SIGNAL_ROWS);
    }
    ml_write(w, "}");
}

/* Tables are part of a study's identity: other tables make another study.
 *   signal  [n] of the row */
static void write_checksums(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                            const struct ml_param *row, const struct ml_signal *signal, int n)
{
    for (int i = 0; i < n; i++)
        if (signal[i].breakpoints)
            ml_write(w, "    # %s%s%s: XXH3 (64 bits) of the file %016llx\n", row->name,
                     row->flags & ML_BY_JOINT ? "." : "",
                     row->flags & ML_BY_JOINT ? spec->segment_names[i] : "",
                     (unsigned long long)signal[i].breakpoints->checksum);
}

/* Writes both components of a vector. */
static void write_pair(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                       const struct ml_param *row, const struct ml_signal *signal,
                       const double *given)
{
    const struct ml_param *const components[] = {row + 1, row + 1 + ML_SIGNAL_ROWS};
    ml_write(w, " [");
    for (int i = 0; i < 2; i++) {
        ml_write(w, "%s", i ? ", " : "");
        write_signal(w, components[i], &signal[i], given + 1 + (long)i * ML_SIGNAL_ROWS);
    }
    ml_write(w, "]\n");
    for (int i = 0; i < 2; i++)
        write_checksums(w, spec, components[i], &signal[i], 1);
}

/* The row of that name, its number and its first signal. */
static int find_force_row(const struct ml_force_use *use, const char *name, int n,
                          const struct ml_signal **signal)
{
    const struct ml_param *row = use->type->params;
    *signal = use->signals;
    for (; !row->name || strcmp(row->name, name) != 0; row++)
        if (row->flags & ML_SIGNAL)
            *signal += row->flags & ML_BY_JOINT ? n : 1;
    return (int)(row - use->type->params);
}

bool ml_force_pair_is_absent(const struct ml_study_spec *spec, const struct ml_force_use *use,
                             const char *name)
{
    const struct ml_signal *signal;
    const int n = spec->model.n, p = find_force_row(use, name, n, &signal);
    const double *x = spec->numbers.base + use->slot + ml_force_first_number(use->type, n, p) + 1;
    return signal[0].type == ML_CONSTANT_SIGNAL && signal[1].type == ML_CONSTANT_SIGNAL &&
           isnan(x[ML_SIGNAL_VALUE]) && isnan(x[ML_SIGNAL_ROWS + ML_SIGNAL_VALUE]);
}

/* "[-3, 5]", or "{high: 5}" of one that is open below. */
static void write_ends(struct ml_yaml_writer *w, double low, double high)
{
    const bool has_both = !isnan(low) && !isnan(high);
    ml_write(w, has_both ? "[" : isnan(low) ? "{high: " : "{low: ");
    ml_write_number(w, isnan(low) ? high : low);
    if (has_both) {
        ml_write(w, ", ");
        ml_write_number(w, high);
    }
    ml_write(w, has_both ? "]" : "}");
}

void ml_write_force_limit(struct ml_yaml_writer *w, int indent, const struct ml_study_spec *spec,
                          const struct ml_force_use *use)
{
    const struct ml_force *type = use->type;
    const int n = spec->model.n, p = ml_force_limit_row(type, 0);
    const int row = ml_force_limit_row(type, p + 1);
    const bool is_by_joint = type->params[row].flags & ML_BY_JOINT;
    const double *own = spec->numbers.base + use->slot,
                 most = own[ml_force_first_number(type, n, p)];
    const double *low = own + ml_force_first_number(type, n, row);
    const double *high = own + ml_force_first_number(type, n, row + 1);
    int n_given = 0;
    for (int i = 0; i < (is_by_joint ? n : 1); i++) {
        if (isnan(low[i]) && isnan(high[i]))
            continue;
        if (n_given++ == 0)
            ml_write(w, "%*slimit: %s", indent, "", is_by_joint ? "{" : "");
        ml_write(w, "%s%s%s", n_given > 1 ? ", " : "", is_by_joint ? spec->segment_names[i] : "",
                 is_by_joint ? ": " : "");
        write_ends(w, low[i], high[i]);
    }
    if (n_given > 0)
        ml_write(w, is_by_joint ? "}\n" : "\n");
    else if (!isnan(most)) {
        ml_write(w, "%*slimit: ", indent, "");
        ml_write_number(w, most);
        ml_write(w, "\n");
    } else if (type->n_state > 0) /* a text of before says it of a PID */
        ml_write(w, "%*s# limit: none\n", indent, "");
}

void ml_write_force_row(struct ml_yaml_writer *w, int indent, const struct ml_study_spec *spec,
                        const struct ml_force_use *use, const char *name)
{
    const int n = spec->model.n;
    const struct ml_signal *signal;
    const int p = find_force_row(use, name, n, &signal);
    const struct ml_param *row = &use->type->params[p];
    const int first = ml_force_first_number(use->type, n, p);
    const double *given = spec->numbers.base + use->slot + first;
    if (row->flags & ML_MATRIX) {
        ml_write_matrix(w, indent, row, n, given);
        return;
    }
    if (row->flags & ML_VECTOR) {
        write_pair(w, spec, row, signal, given);
        return;
    }
    ml_write(w, " ");
    if (row->flags & ML_BY_JOINT)
        write_signals(w, spec, row, signal, given);
    else
        write_signal(w, row, signal, given);
    ml_write(w, "\n");
    write_checksums(w, spec, row, signal, row->flags & ML_BY_JOINT ? n : 1);
}
