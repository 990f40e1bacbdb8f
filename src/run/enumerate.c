/* Parts of a study, for programs: axes, swept keys, outputs, records and the state. */
#include <math.h>

#include "base/sized.h"
#include "config/schema/values.h"
#include "plan/study.h"

#include "plan/layout.h"
#include "plan/shown.h"

int64_t ml_study_kept_run(const struct ml_study *study) { return study->member; }

enum ml_study_sampling ml_study_sampling(const struct ml_study *study)
{
    return ml_study_spec_is_sample(&study->spec) ? ML_STUDY_SAMPLE : ML_STUDY_GRID;
}

const char *ml_study_method(const struct ml_study *study)
{
#define EACH " at each point of a grid"
    static const char *const methods[][2] = {
        [ML_RANDOM] = {"random sample", "random sample" EACH},
        [ML_LATIN_HYPERCUBE] = {"latin hypercube sample", "latin hypercube sample" EACH},
        [ML_SOBOL] = {"Sobol sample", "Sobol sample" EACH},
        [ML_SCRAMBLED_SOBOL] = {"scrambled Sobol sample", "scrambled Sobol sample" EACH},
        [ML_HALTON] = {"Halton sample", "Halton sample" EACH}};
    const struct ml_sample_points *sample = study->spec.runs.sample;
    if (sample && ml_design_has_points(sample->design) && !sample->file)
        return study->spec.runs.n_axis > 1 ? "design" EACH : "design";
    if (sample && sample->file)
        return study->spec.runs.n_axis > 1 ? "points of a file" EACH : "points of a file";
    if (sample && ml_sample_is_stored(sample))
        return "points of an energy shell";
    return sample ? methods[sample->sampling][study->spec.runs.n_axis > 1] : "grid";
#undef EACH
}

static const struct ml_axis *enumerate_axis(const struct ml_study *study, int i)
{
    return i >= 0 && i < study->spec.runs.n_axis ? &study->spec.runs.axes[i] : NULL;
}

int ml_study_axis(const struct ml_study *study, int i, struct ml_study_axis *out)
{
    const struct ml_axis *axis = enumerate_axis(study, i);
    if (!axis)
        return 0;
    const bool is_list = ml_study_spec_is_sample(&study->spec);
    const bool has_values = axis->kind != ML_AXIS_EACH;
    const struct ml_study_axis own = {
        .name = is_list ? "run" : axis->name,
        .count = axis->count,
        .n_key = axis->n_swept,
        .has_values = has_values,
        .unit = has_values ? ml_axis_unit(axis) : "1",
        .description = is_list ? "index of the run" : ml_axis_doc(axis),
        .is_log = axis->is_log,
    };
    return ml_sized_write(out, &own, sizeof own);
}

void ml_study_axis_values(const struct ml_study *study, int i, double *values)
{
    const struct ml_axis *axis = enumerate_axis(study, i);
    const bool has_values = axis && axis->kind != ML_AXIS_EACH;
    for (int64_t k = 0; axis && k < axis->count; k++)
        values[k] = has_values ? ml_axis_number(axis, k) : (double)k;
}

static bool enumerate_key(const struct ml_study *study, int axis, int k, struct ml_study_key *out)
{
    const struct ml_axis *of = &study->spec.runs.axes[axis];
    const struct ml_swept *swept = &of->swept[k];
    const struct ml_study_key own = {
        .path = swept->path,
        .unit = swept->unit,
        .description = swept->doc,
        .axis = axis,
        .low = of->sample ? swept->weight * swept->low : ml_axis_value(of, k, 0),
        .high = of->sample ? swept->weight * swept->high : ml_axis_value(of, k, of->count - 1),
        .is_log = of->sample ? swept->distribution.is_log : of->is_log,
    };
    return ml_sized_write(out, &own, sizeof own);
}

int ml_study_key(const struct ml_study *study, int i, struct ml_study_key *out)
{
    int before = 0;
    for (int a = 0; a < study->spec.runs.n_axis && i >= before; a++) {
        const int n = study->spec.runs.axes[a].n_swept;
        if (i < before + n) {
            return enumerate_key(study, a, i - before, out);
        }
        before += n;
    }
    return 0;
}

int ml_study_formula(const struct ml_study *study, int i, struct ml_study_formula *out)
{
    const struct ml_formulas *formulas = &study->spec.numbers.formulas;
    if (i < 0 || i >= formulas->n)
        return 0;
    const struct ml_defined_number *number = &study->spec.numbers.defined->numbers[i];
    const struct ml_study_formula own = {.path = formulas->names[i],
                                         .text = formulas->texts[i],
                                         .low = number->least,
                                         .high = number->most};
    return ml_sized_write(out, &own, sizeof own);
}

void ml_study_run_values(const struct ml_study *study, int64_t run, double *values)
{
    const struct ml_study_spec *spec = &study->spec;
    if (run >= 0 && run < spec->runs.n) {
        ml_study_swept(spec, run, values);
        return;
    }
    for (int i = 0; i < spec->runs.n_axis; i++)
        for (int k = 0; k < spec->runs.axes[i].n_swept; k++)
            *values++ = (double)NAN;
}

/* Appends a dimension that is one. */
static void enumerate_dim(struct ml_array_info *info, enum ml_dim dim, int size)
{
    if (dim == ML_DIM_NONE)
        return;
    info->dim[info->rank] = ml_layout_dim_name(dim);
    info->shape[info->rank++] = size;
}

int ml_study_output(const struct ml_study *study, int i, struct ml_array_info *out)
{
    if (i < 0 || i >= study->results.n_output)
        return 0;
    const struct ml_output *output = &study->results.outputs[i];
    struct ml_array_info own = {
        .name = output->name, .unit = output->unit, .description = output->doc};
    for (int k = 0; k < ML_MAX_DIM; k++)
        enumerate_dim(&own, output->dim[k], ml_output_size(output, k, study->ensemble.model.n));
    return ml_sized_write(out, &own, sizeof own);
}

int ml_study_output_values(const struct ml_study *study, int i, int k, double *values)
{
    if (i < 0 || i >= study->results.n_output)
        return 0;
    const struct ml_output *output = &study->results.outputs[i];
    for (int d = 0; d < ML_MAX_DIM; d++) {
        const int n = ml_output_size(output, d, study->ensemble.model.n);
        if (output->dim[d] != ML_DIM_NONE && k-- == 0)
            return ml_layout_dim_values(output->dim[d], output, n, values);
    }
    return 0;
}

int ml_study_shown(const struct ml_study *study)
{
    struct ml_layout layout;
    ml_layout_init(&layout, study);
    const int output = ml_shown_first(&layout).output;
    ml_layout_free(&layout);
    return output;
}

int ml_study_record(const struct ml_study *study, int i, struct ml_array_info *out)
{
    const struct ml_ensemble *e = &study->ensemble;
    if (i < 0 || i >= ml_saving_records(&e->saving))
        return 0;
    const struct ml_quantity *record = ml_ensemble_record(e, e->saving.records[i]);
    struct ml_array_info own = {
        .name = record->name, .unit = record->unit, .description = record->doc};
    for (int k = 0; k < ML_MAX_DIM; k++)
        enumerate_dim(&own, record->dim[k], ml_record_size(e, record->dim[k]));
    own.dim[own.rank] = ml_layout_dim_name(ML_DIM_TIME);
    own.shape[own.rank++] = study->results.n_sample;
    return ml_sized_write(out, &own, sizeof own);
}

int ml_study_state(const struct ml_study *study, int i, struct ml_array_info *out)
{
    const struct ml_ensemble *e = &study->ensemble;
    if (i < 0 || i >= e->model.system->tables.n_state)
        return 0;
    const struct ml_quantity *quantity = &e->model.system->tables.state[i];
    struct ml_array_info own = {
        .name = quantity->name, .unit = quantity->unit, .description = quantity->doc};
    for (int k = 0; k < ML_MAX_DIM; k++)
        enumerate_dim(&own, quantity->dim[k], ml_dim_size(quantity->dim[k], e->model.n));
    return ml_sized_write(out, &own, sizeof own);
}

const char *ml_study_segment(const struct ml_study *study, int i)
{
    return study->spec.segment_names && i >= 0 && i < study->ensemble.model.n
               ? study->spec.segment_names[i]
               : NULL;
}
