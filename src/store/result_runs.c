/* /study/runs: one row per run, one dataset per column. */
#include "store/result.h"

static const int8_t flag_values[] = {
#define X(code, value, name, text) value,
    ML_OUTCOME_LIST(X)
#undef X
};

#define X(code, value, name, text) " " name
static const char flag_meanings[] = ML_OUTCOME_LIST(X); /* starts with a space */
#undef X

#define X(code, value, name, text) "; " name ": " text
static const char outcome_doc[] = "how the run ended" ML_OUTCOME_LIST(X);
#undef X

static hid_t column(struct ml_result_file *result, hid_t group, struct ml_h5_field field)
{
    unsigned long long n = (unsigned long long)result->layout->n_run;
    field.extent = (struct ml_extent){.rank = 1, .size = {n}};
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    field.is_compressed = true;
    field.scales[0] = "run";
    return ml_h5_field(&result->h5, group, &field);
}

struct ml_h5_field ml_result_outcome_field(void)
{
    return (struct ml_h5_field){
        .name = "outcome", .type = H5T_NATIVE_INT8, .unit = "1", .doc = outcome_doc};
}

void ml_result_describe_outcome(struct ml_result_file *result, hid_t dataset)
{
    ml_h5_numbers_attribute(&result->h5, dataset, "flag_values", H5T_NATIVE_INT8, ML_N_OUTCOME,
                            flag_values);
    ml_h5_text_attribute(&result->h5, dataset, "flag_meanings", flag_meanings + 1);
}

/* Viewers that are shown the group draw how the runs ended. */
static void runs_draw_outcome(struct ml_result_file *result, hid_t group)
{
    static const char *const axes[] = {"run"};
    ml_h5_text_attribute(&result->h5, group, "signal", "outcome");
    ml_h5_texts_attribute(&result->h5, group, "axes", 1, axes);
}

void ml_result_begin_runs(struct ml_result_file *result)
{
    struct ml_h5 *h5 = &result->h5;
    hid_t group = ml_h5_group(h5, result->entry, "runs", "NXdata");
    runs_draw_outcome(result, group);
    ml_result_run_scale(result, group, ML_ALL_RUNS);
    ml_result_swept_columns(result, group);
    result->outcome = column(result, group, ml_result_outcome_field());
    ml_result_describe_outcome(result, result->outcome);
    result->end_time = column(result, group,
                              (struct ml_h5_field){.name = "end_time",
                                                   .type = H5T_NATIVE_DOUBLE,
                                                   .unit = "s",
                                                   .doc = "time of the last good state"});
    result->steps =
        column(result, group,
               (struct ml_h5_field){
                   .name = "steps", .type = H5T_NATIVE_INT64, .unit = "1", .doc = "steps done"});
}

static void count(struct ml_result_file *result, const struct ml_part *part)
{
    const int64_t first = ml_layout_block_first(result->layout, part->block);
    for (int64_t i = 0; i < part->n_run && result->h5.status == ML_OK; i++)
        if (part->outcome[i] >= 0 && part->outcome[i] < ML_N_OUTCOME)
            ml_tally_add(&result->tally, part->outcome[i], first + i, part->end_time[i]);
        else
            ml_h5_fail(&result->h5, ML_E_FILE, "a part has an unknown outcome");
}

void ml_result_add_runs(struct ml_result_file *result, const struct ml_part *part)
{
    struct ml_h5 *h5 = &result->h5;
    unsigned long long first = (unsigned long long)ml_layout_block_row(result->layout, part->block);
    unsigned long long n = (unsigned long long)part->n_run;
    struct ml_extent all = {.rank = 1, .size = {(unsigned long long)result->layout->n_run}};
    count(result, part);
    ml_h5_write_range(h5, result->outcome, &all, H5T_NATIVE_INT8, first, n, part->outcome);
    ml_h5_write_range(h5, result->end_time, &all, H5T_NATIVE_DOUBLE, first, n, part->end_time);
    ml_h5_write_range(h5, result->steps, &all, H5T_NATIVE_INT64, first, n, part->steps);
}
