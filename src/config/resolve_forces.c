/* The forces of a study as canonical YAML. */
#include <math.h>

#include "config/yaml_writer.h"
#include "model/forces/numbers.h"

/* "5", or "{type: ramp, from: 0, to: 1, onset: 0, duration: 2}" */
static void put_signal(struct ml_yaml_writer *w, const struct ml_param *row,
                       const struct ml_signal *signal, const double *given)
{
    const char *doc = NULL;
    if (signal->type == ML_CONSTANT_SIGNAL) {
        ml_put_number(w, given[ML_SIGNAL_VALUE]);
        return;
    }
    ml_put(w, "{type: %s", ml_signal_word((int)signal->type, &doc));
    if (signal->breakpoints) {
        ml_put(w, ", file: ");
        ml_put_text(w, signal->breakpoints->file);
        ml_put(w, ", column: ");
        ml_put_text(w, signal->breakpoints->column);
    }
    for (int k = 0; k < ML_SIGNAL_ROWS; k++) {
        const struct ml_param param = ml_signal_param(row, (int)signal->type, k);
        if (!param.name)
            continue;
        ml_put(w, ", %s: ", param.name);
        ml_put_number(w, given[k]);
    }
    ml_put(w, "}");
}

/* {upper: ..., lower: ...} */
static void put_signals(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const struct ml_param *row, const struct ml_signal *signal,
                        const double *given)
{
    ml_put(w, "{");
    for (int i = 0; i < spec->dims.n; i++) {
        ml_put(w, "%s%s: ", i ? ", " : "", spec->segment_names[i]);
        put_signal(w, row, &signal[i], given + (long)i * ML_SIGNAL_ROWS);
    }
    ml_put(w, "}");
}

/* Tables are part of what was computed: others make another study.
 *   signal  [n] of the row */
static void put_checksums(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                          const struct ml_param *row, const struct ml_signal *signal, int n)
{
    for (int i = 0; i < n; i++)
        if (signal[i].breakpoints)
            ml_put(w, "    # %s%s%s: XXH3 (64 bits) of the file %016llx\n", row->name,
                   row->flags & ML_BY_JOINT ? "." : "",
                   row->flags & ML_BY_JOINT ? spec->segment_names[i] : "",
                   (unsigned long long)signal[i].breakpoints->checksum);
}

static void put_numbers(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                        const struct ml_force_use *use, const double *derived)
{
    const int n = spec->dims.n;
    const struct ml_signal *signal = use->signals;
    for (int p = 0; p < use->type->n_param; p++) {
        const struct ml_param *row = &use->type->params[p];
        const double *given = spec->base + use->slot + ml_force_first_number(use->type, n, p);
        if (!row->name)
            continue;
        if (row->flags & ML_MATRIX) {
            ml_put_matrix(w, "    ", row, n, given);
            continue;
        }
        if (!(row->flags & ML_SIGNAL)) {
            ml_put_param(w, "    ", use->numbers, use->n_number, p, spec->base + use->slot,
                         derived + use->slot);
            continue;
        }
        ml_put(w, "    %s: ", row->name);
        if (row->flags & ML_BY_JOINT)
            put_signals(w, spec, row, signal, given);
        else
            put_signal(w, row, signal, given);
        const int n_signal = row->flags & ML_BY_JOINT ? n : 1;
        ml_put(w, "\n");
        put_checksums(w, spec, row, signal, n_signal);
        signal += n_signal;
    }
}

void ml_put_forces(struct ml_yaml_writer *w, const struct ml_study_spec *spec,
                   const double *derived)
{
    ml_put(w, spec->n_force ? "\n" : " []\n");
    for (int i = 0; i < spec->n_force; i++) {
        const struct ml_force_use *use = &spec->forces[i];
        ml_put(w, "  - name: %s\n    type: %s\n", use->name, use->type->name);
        if (use->type->places & ML_AT_JOINT)
            ml_put(w, "    joint: %s\n", spec->segment_names[use->joint]);
        if (use->type->places & (ML_AT_SEGMENT | ML_OF_SEGMENT))
            ml_put(w, "    segment: %s\n", spec->segment_names[use->segment]);
        put_numbers(w, spec, use, derived);
    }
}
