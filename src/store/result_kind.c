/* Layouts of results by their kind, and the kind that `run` makes. */
#include "store/result_kind.h"

#include <stdio.h>

static struct ml_extent runs_find(void *context, const struct ml_layout *layout, int i,
                                  char path[ML_DATASET_PATH])
{
    (void)context;
    (void)snprintf(path, ML_DATASET_PATH, "/study/summary/%s", layout->results.outputs[i].name);
    return ml_layout_output(layout, i);
}

static enum ml_status runs_write(void *context, const struct ml_layout *layout,
                                 const struct ml_result_content *content, const char *path,
                                 struct ml_tally *tally, struct ml_error *err)
{
    (void)context;
    return ml_result_write(layout, content, path, tally, err);
}

static enum ml_status runs_check(void *context, const char *path, const struct ml_layout *layout,
                                 struct ml_tally *tally, struct ml_error *err)
{
    (void)context;
    return ml_result_h5_check(path, layout, tally, err);
}

const struct ml_result_kind ml_result_of_runs = {
    .mark = &ml_result_h5_of_runs,
    .less = "keep less (`max` and `keep` of events, `save`), or divide the runs by --shard",
    .has_runs = true,
    .find = runs_find,
    .write = runs_write,
    .check = runs_check,
};

bool ml_result_kind_lay_out(const struct ml_result_kind *kind, const struct ml_study *study,
                            struct ml_shard shard, struct ml_layout *layout)
{
    const bool is_good = ml_layout_init_shard(layout, study, shard);
    layout->of = kind->of;
    return is_good;
}
