/* Which datasets an event writes, and how large they are. */
#include <stdint.h>

#include "check.h"
#include "engine/team/ensemble.h"
#include "events/event.h"

/* At most 3 events of a run, differentiated by 2 parameters. */
static const struct ml_event counted = {
    .name = "flip", .kind = ML_CROSSING, .most = 3, .room = 3, .n_sens = 2};

static const struct ml_event_keep kept[] = {
    {.name = "rate", .unit = "rad/s", .doc = "", .n_row = 64, .dim = ML_DIM_SEGMENT},
    {.name = "energy", .unit = "J", .doc = "", .n_row = 1, .dim = ML_DIM_NONE},
};

static int count_outputs(const struct ml_event *event)
{
    struct ml_output output;
    int n = 0;
    while (ml_event_output(event, n, &output))
        n++;
    return n;
}

static void what_is_not_kept_has_no_derivatives(void)
{
    struct ml_event event = counted;
    CHECK(count_outputs(&event) == 5); /* time, count, times; derivatives of time and times */
    CHECK(ml_event_kept_deriv_output(&event) == -1);
    event.keep = kept;
    event.n_keep = 2;
    CHECK(count_outputs(&event) == 9);
    CHECK(ml_event_kept_deriv_output(&event) == 7);
    event.n_sens = 0;
    CHECK(count_outputs(&event) == 5);
    CHECK(ml_event_kept_deriv_output(&event) == -1);
}

static void rows_are_counted_beyond_32_bits(void)
{
    struct ml_event event = counted;
    struct ml_output output;
    event.room = INT64_C(1) << 26;
    event.keep = kept;
    event.n_keep = 1;
    CHECK(ml_event_output(&event, ml_event_kept_deriv_output(&event), &output));
    CHECK(output.dim[0] == ML_DIM_CROSSING);
    CHECK(output.dim[1] == ML_DIM_SEGMENT);
    CHECK(output.dim[2] == ML_DIM_PARAMETER);
    CHECK(ml_output_rows(&output, 64) == INT64_C(1) << 33);
}

int main(void)
{
    what_is_not_kept_has_no_derivatives();
    rows_are_counted_beyond_32_bits();
    return check_done();
}
