/* /study/accuracy: the runs computed again with smaller steps, and the findings. */
#include <string.h>

#include "store/result_h5.h"
#include "store/result_rows.h"

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

enum { RUN = 1, QUANTITY }; /* dimensions */

/* One group being made. */
struct accuracy_writing {
    struct ml_result_file *result;
    const struct ml_accuracy *accuracy;
    struct ml_result_dim dims[3];
    hid_t group;
};

static void accuracy_run_scale(const struct accuracy_writing *w)
{
    struct ml_result_row row =
        ML_ROW("run", H5T_NATIVE_INT64, "1",
               "number of the run that was computed again, in the study", w->accuracy->runs, RUN);
    row.tells_one = true;
    ml_result_write_rows(w->result, w->group, w->dims, 1, &row);
}

static void accuracy_output(const struct accuracy_writing *w, enum ml_accuracy_values which, int o,
                            const char *doc)
{
    const struct ml_layout *layout = w->result->layout;
    const struct ml_output *output = &layout->results.outputs[o];
    struct ml_h5_field field = {
        .name = output->name, .type = H5T_NATIVE_DOUBLE, .unit = output->unit, .doc = doc};
    ml_h5_along(&field, "run", w->accuracy->n);
    ml_result_along_dims(layout, &field, output->dim, output);
    ml_result_dim_scales(w->result, w->group, output->dim, output);
    ml_h5_dataset(&w->result->h5, w->group, &field, field.type,
                  ml_accuracy_row(w->accuracy, which, o, 0));
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
        struct ml_h5_field field = ml_result_outcome_field(names[k]);
        ml_h5_along(&field, "run", w->accuracy->n);
        ml_h5_dataset(&w->result->h5, w->group, &field, field.type, w->accuracy->outcomes[k]);
    }
}

static void accuracy_write_found(const struct accuracy_writing *w,
                                 const struct ml_accuracy_found *found, const char **names,
                                 double *relative)
{
    const struct ml_accuracy *a = w->accuracy;
    for (int o = 0; o < a->n_output; o++) {
        names[o] = a->outputs[o].name;
        relative[o] = found->median[o] == 0.0 ? 0.0 : found->median[o] / found->size[o];
    }
    const char *order =
        a->is_adaptive ? "power of the tolerance that the difference follows; NaN: not to be seen"
                       : "power of the step that the difference follows; NaN: not to be seen";
    const struct ml_result_row scale =
        ML_ROW("quantity", H5T_C_S1, NULL, "datasets of the summary", names, QUANTITY);
    const struct ml_result_row rows[] = {
        ML_ROW("chaotic", H5T_NATIVE_INT8, "1",
               "1: the end state is not determined by this step: a start displaced by 1e-7 ends "
               "elsewhere",
               found->is_chaotic, RUN),
        ML_ROW("median_relative_difference", H5T_NATIVE_DOUBLE, "1",
               "largest difference of each run, the median over the runs that are not chaotic, "
               "divided by the median of all runs' largest numbers; of " ML_LYAPUNOV_SUM
               " and " ML_MEAN_TRACE " by that of " ML_LYAPUNOV_SPECTRUM ", if it is larger",
               relative, QUANTITY),
        ML_ROW("observed_order", H5T_NATIVE_DOUBLE, "1", order, found->order, RUN, QUANTITY),
    };
    ml_result_write_rows(w->result, w->group, w->dims, 1, &scale);
    accuracy_write_outcomes(w);
    ML_RESULT_WRITE_ROWS(w->result, w->group, w->dims, rows);
}

void ml_result_write_accuracy(struct ml_result_file *result)
{
    const struct ml_accuracy *a = result->accuracy;
    struct ml_h5 *h5 = &result->h5;
    struct ml_accuracy_found found;
    if (!a || a->n == 0 || a->n_output == 0 || h5->status != ML_OK ||
        !ml_h5_need(h5, ml_accuracy_find(a, &found)))
        return;
    struct accuracy_writing w = {
        .result = result, .accuracy = a, .dims = {{""}, {"run", a->n}, {"quantity", a->n_output}}};
    const char **names = ml_pool_take(&result->pool, (size_t)a->n_output, sizeof *names);
    double *relative = ml_pool_take(&result->pool, (size_t)a->n_output, sizeof *relative);
    w.group = ml_h5_group(h5, result->entry, "accuracy", "NXcollection");
    ml_h5_text_attribute(h5, w.group, ML_ACCURACY_ATTRIBUTE,
                         a->is_adaptive ? ML_ACCURACY_TOLERANCE : ML_ACCURACY_STEP);
    if (a->is_unstable)
        ml_h5_text_attribute(h5, w.group, ML_ACCURACY_UNSTABLE,
                             "the step is too large for the fastest motion");
    accuracy_run_scale(&w);
    if (ml_h5_need(h5, names && relative))
        accuracy_write_found(&w, &found, names, relative);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        accuracy_write_group(&w, (enum ml_accuracy_values)k);
    ml_accuracy_found_free(&found);
}
