/* The largest force of the ground is that of the saved trajectory. */
#include "analysis/measured.h"

enum { N_RUN = 20 };

static void it_is_the_largest_that_was_saved(const char *isa)
{
    struct measured m = measure("manylink: 1\n"
                                "system: {type: four_mass_runner}\n"
                                "initial: {v1: 0.96, v2: 0.96, v3: 2, v4: 2}\n"
                                "time: {step: 1e-4, end: 0.1}\n"
                                "sweep: [{set: initial.x1, from: -0.05, to: 0.01, count: 20}]\n"
                                "analyse: {every: 10}\n"
                                "save: {trajectory: {every: 10, quantities: [ground_force]}}\n",
                                isa, 1);
    const int64_t n_sample = m.results.n_sample;
    CHECK(n_sample == 101);
    for (int run = 0; run < N_RUN; run++) {
        const double *force = measured_record(&m, "ground_force", run);
        double largest = 0.0;
        CHECK_CASE("%s, run %d", isa, run);
        for (int64_t k = 0; k < n_sample; k++)
            largest = fmax(largest, force[k]);
        CHECK(largest > 100.0);
        CHECK(measured(&m, "max_ground_force", run)[0] == largest);
    }
    measured_free(&m);
}

static void a_system_without_ground_has_none(void)
{
    struct measured m = measure("manylink: 1\nsystem: {type: lorenz}\ninitial: {x: 1}\n"
                                "time: {step: 0.01, end: 1}\n",
                                NULL, 1);
    CHECK_CASE("lorenz");
    for (int o = 0; o < m.results.n_output; o++)
        CHECK(strcmp(m.results.outputs[o].name, "max_ground_force") != 0);
    measured_free(&m);
}

int main(void)
{
    for (int i = 0; ml_kernels_at(i); i++)
        it_is_the_largest_that_was_saved(ml_kernels_at(i)->isa);
    a_system_without_ground_has_none();
    return check_done();
}
