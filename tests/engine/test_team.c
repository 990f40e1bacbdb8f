/* What a team says when it cannot begin. */
#include "engine/team/team.h"

#include <string.h>

#include "check.h"

static void lay_out_block(const void *context, struct ml_arena *arena, struct ml_block *block)
{
    (void)context;
    block->outcome = ml_arena_take(arena, 1, sizeof *block->outcome);
}

static bool begin_without_memory(const void *context, void *own)
{
    (void)context;
    (void)own;
    return false;
}

static enum ml_status compute(const void *context, void *own, struct ml_team *team,
                              struct ml_block *block, struct ml_error *err)
{
    (void)context;
    (void)own;
    (void)team;
    (void)block;
    (void)err;
    return ML_OK;
}

static enum ml_status put(void *context, const struct ml_block *block, struct ml_error *err)
{
    (void)context;
    (void)block;
    (void)err;
    return ML_OK;
}

/* It is not memory for blocks that is missing, and nobody knows how much of it. */
static void a_computation_that_cannot_begin_is_told(void)
{
    const struct ml_computation computation = {
        .called = "runs",
        .n_run = 4,
        .block_runs = 1,
        .own_size = 1,
        .lay_out_block = lay_out_block,
        .begin = begin_without_memory,
        .compute = compute,
    };
    const struct ml_ensemble_options options = {.n_thread = 2};
    const struct ml_sink sink = {.put = put};
    struct ml_error err = {0};
    CHECK(ml_team_run(&computation, &options, &sink, &err) == ML_E_MEMORY);
    CHECK(err.text && strcmp(err.text, "no memory for the working arrays of a thread\n") == 0);
    ml_error_clear(&err);
}

int main(void)
{
    a_computation_that_cannot_begin_is_told();
    return check_done();
}
