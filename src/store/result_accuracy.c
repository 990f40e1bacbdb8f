/* /study/accuracy: the runs computed again with smaller steps, and the findings. */
#include <string.h>

#include "store/result.h"
#include "store/result_h5.h"

/* Name and meaning of a group of values; `other` where a tolerance is made smaller. */
static const struct {
    const char *doc, *other;
} accuracy_docs[ML_N_ACCURACY] = {
    [ML_ACCURACY_DIFFERENCE] = {"absolute difference from half the step",
                                "absolute difference from a tenth of the tolerance"},
    [ML_ACCURACY_FINER] = {"with half the step", "with a tenth of the tolerance"},
    [ML_ACCURACY_FINEST] = {"with a quarter of the step; NaN: not computed",
                            "with a hundredth of the tolerance; NaN: not computed"},
    [ML_ACCURACY_DISPLACED] = {"with half the step, from a start displaced by 1e-7",
                               "with a tenth of the tolerance, from a start displaced by 1e-7"},
};

/* One group being made. */
struct accuracy_writing {
    struct ml_result_file *result;
    const struct ml_accuracy *accuracy;
    hid_t group;
};

static void accuracy_write(const struct accuracy_writing *w, struct ml_h5_field field,
                           const void *values)
{
    ml_h5_dataset(&w->result->h5, w->group, &field, field.type, values);
}

/* A field along the runs. */
static struct ml_h5_field accuracy_column(const struct accuracy_writing *w, const char *name,
                                          hid_t type, const char *doc)
{
    struct ml_h5_field field = {.name = name, .type = type, .unit = "1", .doc = doc};
    ml_h5_along(&field, "run", w->accuracy->n);
    return field;
}

static void accuracy_run_scale(const struct accuracy_writing *w)
{
    struct ml_h5_field field = accuracy_column(
        w, "run", H5T_NATIVE_INT64, "number of the run that was computed again, in the study");
    field.is_scale = true;
    field.tells_one = true;
    accuracy_write(w, field, w->accuracy->runs);
}

static void accuracy_output(const struct accuracy_writing *w, enum ml_accuracy_values which, int o,
                            const char *doc)
{
    const struct ml_layout *layout = w->result->layout;
    const struct ml_output *output = &layout->results.outputs[o];
    struct ml_h5_field field = accuracy_column(w, output->name, H5T_NATIVE_DOUBLE, doc);
    field.unit = output->unit;
    ml_result_dim_scales(w->result, w->group, output->dim, output);
    ml_result_along_dims(layout, &field, output->dim, output);
    accuracy_write(w, field, ml_accuracy_row(w->accuracy, which, o, 0));
}

/* Readers look for scales in the dataset's own group, so each has its own. */
static void accuracy_write_group(const struct accuracy_writing *whole,
                                 enum ml_accuracy_values which)
{
    const struct ml_accuracy *a = whole->accuracy;
    struct accuracy_writing w = *whole;
    w.group = ml_h5_group(&w.result->h5, whole->group, ml_accuracy_group(which), "NXcollection");
    accuracy_run_scale(&w);
    for (int o = 0; o < a->n_output; o++)
        accuracy_output(&w, which, o,
                        a->is_adaptive ? accuracy_docs[which].other : accuracy_docs[which].doc);
}

static void accuracy_write_outcomes(const struct accuracy_writing *w)
{
    static const char *const names[] = {"outcome", "outcome_finer"};
    for (int k = 0; k < 2; k++) {
        struct ml_h5_field field = ml_result_outcome_field();
        struct ml_h5_field shape = accuracy_column(w, names[k], field.type, field.doc);
        hid_t id = ml_h5_field(&w->result->h5, w->group, &shape);
        ml_result_describe_outcome(w->result, id);
        ml_h5_write_range(&w->result->h5, id, &shape.extent, field.type, 0, shape.extent.size[0],
                          w->accuracy->outcomes[k]);
        ml_h5_close_dataset(&w->result->h5, id);
    }
}

static void accuracy_write_found(const struct accuracy_writing *w,
                                 const struct ml_accuracy_found *found)
{
    const struct ml_accuracy *a = w->accuracy;
    double *relative = ml_pool_take(&w->result->pool, (size_t)a->n_output, sizeof *relative);
    if (!relative) {
        ml_h5_fail(&w->result->h5, ML_E_MEMORY, "out of memory");
        return;
    }
    for (int o = 0; o < a->n_output; o++)
        relative[o] = found->median[o] == 0.0 ? 0.0 : found->median[o] / found->size[o];
    struct ml_h5_field field = accuracy_column(w, "chaotic", H5T_NATIVE_INT8,
                                               "1: the end state is not determined by this step: a "
                                               "start displaced by 1e-7 ends elsewhere");
    accuracy_write(w, field, found->is_chaotic);
    field = accuracy_column(
        w, "median_relative_difference", H5T_NATIVE_DOUBLE,
        "largest difference of each run, the median over the runs that are not "
        "chaotic, divided by the median of all runs' largest numbers; of " ML_LYAPUNOV_SUM
        " and " ML_MEAN_TRACE " by that of " ML_LYAPUNOV_SPECTRUM ", if it is larger");
    field.extent.size[0] = (unsigned long long)a->n_output;
    field.scales[0] = "quantity";
    accuracy_write(w, field, relative);
    field = accuracy_column(
        w, "observed_order", H5T_NATIVE_DOUBLE,
        a->is_adaptive ? "power of the tolerance that the difference follows; NaN: not to be seen"
                       : "power of the step that the difference follows; NaN: not to be seen");
    ml_h5_along(&field, "quantity", a->n_output);
    accuracy_write(w, field, found->order);
}

static void accuracy_output_scale(const struct accuracy_writing *w)
{
    const char **names =
        ml_pool_take(&w->result->pool, (size_t)w->accuracy->n_output, sizeof *names);
    for (int o = 0; names && o < w->accuracy->n_output; o++)
        names[o] = w->accuracy->outputs[o].name;
    if (!names)
        ml_h5_fail(&w->result->h5, ML_E_MEMORY, "out of memory");
    ml_h5_text_scale(&w->result->h5, w->group, "quantity", "datasets of the summary",
                     w->accuracy->n_output, names);
}

void ml_result_write_accuracy(struct ml_result_file *result)
{
    const struct ml_accuracy *a = result->accuracy;
    struct ml_h5 *h5 = &result->h5;
    struct ml_accuracy_found found;
    if (!a || a->n == 0 || a->n_output == 0 || h5->status != ML_OK)
        return;
    if (!ml_accuracy_find(a, &found)) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return;
    }
    struct accuracy_writing w = {.result = result, .accuracy = a};
    w.group = ml_h5_group(h5, result->entry, "accuracy", "NXcollection");
    ml_h5_text_attribute(h5, w.group, ML_ACCURACY_ATTRIBUTE,
                         a->is_adaptive ? ML_ACCURACY_TOLERANCE : ML_ACCURACY_STEP);
    if (a->is_unstable)
        ml_h5_text_attribute(h5, w.group, ML_ACCURACY_UNSTABLE,
                             "the step is too large for the fastest motion");
    accuracy_run_scale(&w);
    accuracy_output_scale(&w);
    accuracy_write_outcomes(&w);
    accuracy_write_found(&w, &found);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        accuracy_write_group(&w, (enum ml_accuracy_values)k);
    ml_accuracy_found_free(&found);
}
