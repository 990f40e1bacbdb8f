/* /study/accuracy: the runs computed again with smaller steps, and the findings. */
#include "store/result.h"
#include "store/result_h5.h"

/* Readers look for scales in the dataset's own group, so each has its own. */
static void accuracy_write_group(const struct ml_result_group *whole, const struct ml_accuracy *a,
                                 enum ml_accuracy_values which)
{
    struct ml_result_file *result = whole->result;
    struct ml_result_group group = *whole;
    const enum ml_dataset dataset =
        (enum ml_dataset)(ML_DATA_DIFFERENCE + 2 * (int)which + a->is_adaptive);
    group.id = ml_result_begin_group(result, whole->id, dataset);
    ml_result_write_dataset(&group, ML_DATA_ACCURACY_RUN, NULL, a->runs);
    for (int o = 0; o < a->n_output; o++) {
        const struct ml_result_item item =
            ml_result_output_item(&result->layout->results.outputs[o]);
        ml_result_dim_scales(result, group.id, item.dim, item.output);
        ml_result_write_dataset(&group, dataset, &item, ml_accuracy_row(a, which, o, 0));
    }
}

static void accuracy_write_found(const struct ml_result_group *group, const struct ml_accuracy *a,
                                 const struct ml_accuracy_found *found)
{
    struct ml_pool *pool = &group->result->pool;
    const char **names = ml_pool_take(pool, (size_t)a->n_output, sizeof *names);
    double *relative = ml_pool_take(pool, (size_t)a->n_output, sizeof *relative);
    if (!ml_h5_need(&group->result->h5, names && relative))
        return;
    for (int o = 0; o < a->n_output; o++) {
        names[o] = a->outputs[o].name;
        relative[o] = found->median[o] == 0.0 ? 0.0 : found->median[o] / found->size[o];
    }
    ml_result_write_dataset(group, ML_DATA_ACCURACY_QUANTITY, NULL, names);
    ml_result_write_dataset(group, ML_DATA_ACCURACY_OUTCOME, NULL, a->outcomes[0]);
    ml_result_write_dataset(group, ML_DATA_ACCURACY_OUTCOME_FINER, NULL, a->outcomes[1]);
    ml_result_write_dataset(group, ML_DATA_ACCURACY_CHAOTIC, NULL, found->is_chaotic);
    ml_result_write_dataset(group, ML_DATA_ACCURACY_MEDIAN, NULL, relative);
    ml_result_write_dataset(
        group, a->is_adaptive ? ML_DATA_ACCURACY_ORDER_ADAPTIVE : ML_DATA_ACCURACY_ORDER, NULL,
        found->order);
}

void ml_result_write_accuracy(struct ml_result_file *result)
{
    const struct ml_accuracy *a = result->accuracy;
    struct ml_h5 *h5 = &result->h5;
    struct ml_accuracy_found found;
    if (!a || a->n == 0 || a->n_output == 0 || h5->status != ML_OK ||
        !ml_h5_need(h5, ml_accuracy_find(a, &found)))
        return;
    const struct ml_result_dim dims[] = {
        {ML_DATA_ACCURACY_RUN, a->n}, {ML_DATA_ACCURACY_QUANTITY, a->n_output}, {ML_DATA_NONE}};
    const struct ml_result_group group = {
        result, ml_result_begin_group(result, result->entry, ML_DATA_ACCURACY_RUN), dims};
    ml_h5_text_attribute(h5, group.id, ML_ACCURACY_ATTRIBUTE,
                         a->is_adaptive ? ML_ACCURACY_TOLERANCE : ML_ACCURACY_STEP);
    if (a->is_unstable)
        ml_h5_text_attribute(h5, group.id, ML_ACCURACY_UNSTABLE,
                             "the step is too large for the fastest motion");
    ml_result_write_dataset(&group, ML_DATA_ACCURACY_RUN, NULL, a->runs);
    accuracy_write_found(&group, a, &found);
    for (int k = 0; k < ML_N_ACCURACY; k++)
        accuracy_write_group(&group, a, (enum ml_accuracy_values)k);
    ml_accuracy_found_free(&found);
}
