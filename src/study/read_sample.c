/* A sample: runs at points drawn from ranges. */
#include <string.h>

#include "study/reader.h"
#include "study/sobol.h"

static bool read_quantity(struct ml_reader *r, const struct ml_node *node, struct ml_swept *swept)
{
    struct ml_axis_keys keys = {0};
    int before = r->problems.count;
    if (!ml_read_is_map(r, node, "a range must be a map such as {set: ..., from: ..., to: ...}"))
        return false;
    ml_read_scope(r, node, ML_SCOPE_OVER, &keys);
    const struct ml_slot *slot = keys.set ? ml_read_swept(r, keys.set) : NULL;
    if (!slot || r->problems.count > before || !ml_read_ends(r, node, &slot->param, &keys))
        return false;
    if (!(keys.from < keys.to)) {
        ml_problem(&r->problems, ml_read_place(node, "to"), "to must be greater than from");
        return false;
    }
    *swept = (struct ml_swept){
        .path = ml_pool_text(&r->study->pool, slot->path, strlen(slot->path)),
        .unit = slot->param.unit,
        .doc = slot->param.doc,
        .slot = (int)(slot - r->slots),
        .low = keys.from,
        .high = keys.to,
        .is_log = keys.scale == 1,
    };
    return true;
}

void ml_read_sample(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study *study = r->study;
    struct ml_sample_keys sample = {0};
    ml_read_scope(r, node, ML_SCOPE_SAMPLE, &sample);
    int n = sample.over ? sample.over->n_child : 0;
    study->sampling = (enum ml_sampling)(sample.method + 1);
    study->seed = (uint64_t)sample.seed;
    study->ensemble.n_run = sample.count;
    if (sample.over && n == 0)
        ml_problem(&r->problems, sample.over->place, "over is empty; name one range at least");
    if (study->sampling == ML_SOBOL && n > ML_SOBOL_DIMENSIONS)
        ml_problem(&r->problems, sample.over->place,
                   "over has %d ranges but method sobol can take %d", n, (int)ML_SOBOL_DIMENSIONS);
    study->axes = ml_pool_take(&study->pool, 1, sizeof *study->axes);
    struct ml_swept *swept = ml_pool_take(&study->pool, (size_t)n, sizeof *swept);
    if (n == 0 || !study->axes || !swept)
        return;
    *study->axes = (struct ml_axis){.name = ml_pool_text(&study->pool, "sample", 6),
                                    .count = sample.count,
                                    .swept = swept,
                                    .n_swept = n};
    study->n_axis = 1;
    int i = 0;
    for (const struct ml_node *child = sample.over->first; child; child = child->next)
        (void)read_quantity(r, child, &swept[i++]);
    ml_read_hidden(r);
}
