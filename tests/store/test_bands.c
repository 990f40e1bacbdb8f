/* Runs that bands describe, and their memory: all of them, or of many runs and times as many,
 * evenly over the sample, as the bound on the time allows. */
#include "check.h"
#include "plan/study.h"
#include "store/bands.h"
#include "study.h"

static struct ml_bands measure(const char *count, const char *end, double *bytes)
{
    const char *const set[] = {count, end};
    struct ml_study *study = NULL;
    struct ml_layout layout;
    struct ml_bands bands = {0};
    if (ml_study_load(STUDY_TEXT("bands",
                                 "manylink: 1\nsystem: {type: lorenz}\ninitial: {x: 1}\n"
                                 "time: {step: 0.01, end: 1}\n"
                                 "sample: {method: sobol, count: 1, over: [{set: system.rho, "
                                 "from: 1, to: 30}]}\n"
                                 "save: {trajectory: {every: 1, quantities: [x, y]}}\n",
                                 STUDY_SET(set, 2)),
                      &study, NULL) != ML_OK)
        exit(1);
    ml_layout_init(&layout, study);
    CHECK(ml_bands_measure(&bands, &layout) == (layout.n_run > 1));
    *bytes = ml_bands_bytes(&layout);
    ml_layout_free(&layout);
    ml_bands_free(&bands);
    ml_study_free(study);
    return bands;
}

static void time_and_memory_have_a_bound(void)
{
    double bytes;
    struct ml_bands bands = measure("sample.count=300000", "time.end=1", &bytes);
    CHECK(bands.n_taken == 300000);
    CHECK(bytes < 3.1e8); /* of 4.9e8 of the trajectories */
    bands = measure("sample.count=1000000", "time.end=10", &bytes);
    const double wanted = (double)(1 << 26) / 2002.0;
    CHECK_ERROR(fabs((double)bands.n_taken - wanted), 4.0 * sqrt(wanted));
    CHECK(bands.n_saved == 1000000 && bytes < 3.5e8);
    bands = measure("sample.count=20000", "time.end=4000", &bytes);
    CHECK_ERROR(fabs((double)bands.n_taken - 1000.0), 4.0 * sqrt(1000.0));
    (void)measure("sample.count=1", "time.end=1", &bytes);
    CHECK(bytes == 0.0);
}

/* Memory is that of one point of the other axes, however many points there are. */
static void memory_does_not_grow_with_points(void)
{
    double few, many;
    (void)measure("sample.count=20", "sweep=[{set: system.beta, from: 1, to: 3, count: 2}]", &few);
    (void)measure("sample.count=20", "sweep=[{set: system.beta, from: 1, to: 3, count: 200000}]",
                  &many);
    CHECK(few > 0.0 && many - few < 21.0 * 200000.0); /* a byte for each run */
}

int main(void)
{
    memory_does_not_grow_with_points();
    time_and_memory_have_a_bound();
    return check_done();
}
