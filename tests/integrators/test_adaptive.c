/* Steps chosen by tolerance, on chains, through the ensemble: against exact solutions, and what
 * must not matter for them: instruction set, kernel, neighbours, and how far one call goes. */
#include "check.h"
#include "engine/team/team.h"
#include "reference/reference.h"

enum { MAX_N = REF_MAX_N, MAX_SAMPLES = 64 };

static void set_tolerance(struct ref_runs *runs, double tolerance)
{
    runs->ensemble.time.is_adaptive = true;
    runs->ensemble.chosen.control = (struct ml_control){.relative = tolerance,
                                                        .absolute = tolerance,
                                                        .step_max = (double)INFINITY,
                                                        .most_steps = 1e6};
}

static double distance(int count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static double norm(int count, const double *x)
{
    static const double zero[2 * MAX_N];
    return distance(count, x, zero);
}

/* States of one case of trajectories.json, whose times are ticks. */
static void match_case(const struct ml_kernels *k, const json_t *json, const char *method)
{
    const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
    double t[MAX_SAMPLES], growth[MAX_SAMPLES], x[MAX_SAMPLES * 2 * MAX_N], worst = 0.0;
    const int n_x = 2 * chain.n, n_row = n_x + ref_n_state(&chain);
    const int n_sample = ref_numbers(json_object_get(json, "t"), MAX_SAMPLES, t);
    (void)ref_numbers(json_object_get(json, "growth"), MAX_SAMPLES, growth);
    (void)ref_numbers(json_object_get(json, "x"), MAX_SAMPLES * 2 * MAX_N, x);
    struct ref_runs runs;
    ref_runs_init(&runs, k, &chain, false, 1, x);
    set_tolerance(&runs, 1e-14);
    struct ref_samples found = ref_run(&runs, method, t[1], n_sample - 1, 1);
    CHECK_CASE("%s %s", ref_name(json), method);
    CHECK(found.n_sample == n_sample && found.n_finished == 1);
    for (int s = 0; s < n_sample; s++) {
        const double *exact = x + s * n_row;
        const double unit = fmax(growth[s], 1.0) * fmax(norm(n_x, exact), 1.0);
        worst = ref_worse(worst, distance(n_x, ref_state(&found, 0, s), exact) / unit);
    }
    CHECK_ERROR(worst, 5e-13);
    free(found.x);
}

static void trajectories_match_the_exact_solutions(const struct ml_kernels *k)
{
    static const char *const methods[] = {"tp86", "verner98", "dop853", "baker109"};
    json_t *file = ref_load("trajectories.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++)
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
            match_case(k, json_array_get(cases, i), methods[m]);
    json_decref(file);
}

/* Error at the end of one run with a tolerance. */
static double error_with(struct ref_runs *runs, const char *method, double tolerance, double end,
                         const double *exact)
{
    set_tolerance(runs, tolerance);
    struct ref_samples found = ref_run(runs, method, end, 1, 1);
    CHECK(found.n_finished == 1);
    const double error = distance(2 * runs->chain.n, ref_state(&found, 0, 1), exact);
    free(found.x);
    return error;
}

/* The slope of ln error over ln tolerance is near 1. */
static void errors_follow_the_tolerance(const struct ml_kernels *k)
{
    json_t *file = ref_load("convergence.json");
    const json_t *cases = json_object_get(file, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *json = json_array_get(cases, i);
        const json_t *row = json_array_get(json_object_get(json, "rows"), 0);
        const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
        const double end = ref_number(row, "dt") * ref_number(row, "n_steps");
        double x0[2 * MAX_N], exact[2 * MAX_N];
        (void)ref_numbers(json_object_get(json, "x0"), 2 * MAX_N, x0);
        (void)ref_numbers(json_object_get(json, "exact"), 2 * MAX_N, exact);
        struct ref_runs runs;
        ref_runs_init(&runs, k, &chain, false, 1, x0);
        for (int m = 0; ml_methods[m]; m++) {
            if (ml_methods[m]->embedded_order == 0)
                continue;
            const double fine = ml_methods[m]->order < 4 ? 1e-8 : 1e-13;
            const double coarse = error_with(&runs, ml_methods[m]->name, 1e-4, end, exact);
            const double small = error_with(&runs, ml_methods[m]->name, fine, end, exact);
            const double slope = log(coarse / small) / log(1e-4 / fine);
            CHECK_CASE("%s %s: %.1e at 1e-4, %.1e at %.0e", ref_name(json), ml_methods[m]->name,
                       coarse, small, fine);
            CHECK_ERROR(fabs(slope - 1.0), 0.3);
        }
    }
    json_decref(file);
}

/* With a tolerance that all steps hold, they are as long as they may be: halved, the error falls
 * with the order. */
static void errors_fall_with_the_order_of_an_implicit_method(const struct ml_kernels *k)
{
    json_t *file = ref_load("convergence.json");
    const json_t *json = json_array_get(json_object_get(file, "cases"), 0);
    const json_t *row = json_array_get(json_object_get(json, "rows"), 0);
    const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
    const double end = ref_number(row, "dt") * ref_number(row, "n_steps");
    double x0[2 * MAX_N], exact[2 * MAX_N], last = 0.0;
    (void)ref_numbers(json_object_get(json, "x0"), 2 * MAX_N, x0);
    (void)ref_numbers(json_object_get(json, "exact"), 2 * MAX_N, exact);
    struct ref_runs runs;
    ref_runs_init(&runs, k, &chain, false, 1, x0);
    for (int n_step = 512; n_step <= 4096; n_step *= 2) {
        set_tolerance(&runs, 1e3);
        runs.ensemble.chosen.first = runs.ensemble.chosen.control.step_max = end / n_step;
        struct ref_samples found = ref_run(&runs, "rodas4", end, 1, 1);
        const double error = distance(2 * chain.n, ref_state(&found, 0, 1), exact);
        CHECK_CASE("rodas4, %d steps: error %.1e", n_step, error);
        if (last > 0.0)
            CHECK_ERROR(fabs(log2(last / error) - 4.5), 0.6);
        last = error;
        free(found.x);
    }
    json_decref(file);
}

/* Largest error at the samples of a case, with steps of at most h between ticks 0.25 s apart. */
static double error_at_ticks(struct ref_runs *runs, const char *method, double h, int n_sample,
                             const double *exact)
{
    const int n_x = 2 * runs->chain.n;
    const double tick = 0.25, between = 1.0; /* s, ticks and samples */
    double worst = 0.0;
    set_tolerance(runs, 1e3);
    runs->ensemble.chosen.first = runs->ensemble.chosen.control.step_max = h;
    const int64_t every = (int64_t)(between / tick);
    struct ref_samples found = ref_run(runs, method, tick, every * (n_sample - 1), every);
    for (int s = 1; s < n_sample; s++)
        worst = ref_worse(worst, distance(n_x, ref_state(&found, 0, s), exact + s * n_x));
    free(found.x);
    return worst;
}

/* Steps meet ticks, so what is looked at there has the order of the method, and no less of one that
 * would come from interpolation. */
static void values_at_ticks_have_the_order(const struct ml_kernels *k)
{
    enum { MAX_SAMPLE = 32 };
    static const struct {
        const char *method;
        double coarse; /* s */
    } cases[] = {{"bs32", 0x1p-8}, {"tsit54", 0x1p-6}, {"tp75", 0x1p-4}, {"tp86", 0x1p-4}};
    json_t *file = ref_load("trajectories.json");
    const json_t *json = ref_case(file, "dp_regular");
    const struct ref_chain chain = ref_chain(json_object_get(json, "params"));
    double exact[MAX_SAMPLE * 4];
    const int n_sample = ref_numbers(json_object_get(json, "x"), MAX_SAMPLE * 4, exact) / 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ref_runs runs;
        ref_runs_init(&runs, k, &chain, false, 1, exact);
        const double h = cases[i].coarse, order = ref_integrator(k, cases[i].method)->order;
        const double coarse = error_at_ticks(&runs, cases[i].method, h, n_sample, exact);
        const double fine = error_at_ticks(&runs, cases[i].method, 0.5 * h, n_sample, exact);
        CHECK_CASE("%s: %.1e at %g s, %.1e at half of it", cases[i].method, coarse, h, fine);
        CHECK_ERROR(fabs(log2(coarse / fine) - order), 0.3);
    }
    json_decref(file);
}

static struct ref_chain rods(int n)
{
    struct ref_chain chain = {.n = n, .g = {0.0, -9.81}};
    for (int i = 0; i < n; i++) {
        chain.m[i] = 1.0 + 0.1 * i;
        chain.l[i] = 1.0 / (1 + i % 3);
        chain.d[i] = chain.l[i] / 2.0;
        chain.inertia[i] = chain.m[i] * chain.l[i] * chain.l[i] / 12.0;
    }
    return chain;
}

enum { N_RUN = 21, N_TICK = 12, EVERY = 3, N_SAMPLE = N_TICK / EVERY + 1 };

/* Runs that start at different states, [N_RUN][2 n]; the last is beyond the fast path. */
static void fan(int n, double *x0)
{
    for (int r = 0; r < N_RUN; r++)
        for (int i = 0; i < n; i++) {
            x0[(2 * r) * n + i] = 2.0 * sin(0.7 * r + 1.3 * i + 0.2) + (r == N_RUN - 1 ? 3e5 : 0.0);
            x0[(2 * r + 1) * n + i] = 3.0 * cos(1.1 * r + 0.9 * i);
        }
}

static struct ref_samples sample(const struct ml_kernels *k, const struct ref_chain *chain,
                                 const char *method, int64_t n_run, const double *x0,
                                 bool takes_general)
{
    struct ref_runs runs;
    ref_runs_init(&runs, k, chain, false, n_run, x0);
    set_tolerance(&runs, 1e-9);
    runs.ensemble.takes_general = takes_general;
    struct ref_samples found = ref_run(&runs, method, 0.05, N_TICK, EVERY);
    CHECK(found.n_finished == n_run && found.n_sample == N_SAMPLE);
    return found;
}

static void all_kernels_give_the_same_bits(int n, const char *method)
{
    const struct ref_chain chain = rods(n);
    const size_t size = (size_t)(N_RUN * N_SAMPLE * 2 * n) * sizeof(double);
    const struct ml_kernels *k;
    double x0[N_RUN * 2 * MAX_N];
    fan(n, x0);
    struct ref_samples first = sample(ml_kernels_at(0), &chain, method, N_RUN, x0, true);
    for (int i = 0; (k = ml_kernels_at(i)); i++)
        for (int is_general = 0; is_general < 2; is_general++) {
            struct ref_samples found = sample(k, &chain, method, N_RUN, x0, is_general);
            CHECK_CASE("n = %d, %s, %s, %s", n, method, k->isa, is_general ? "general" : "own");
            CHECK(!memcmp(found.x, first.x, size));
            free(found.x);
        }
    free(first.x);
}

/* Also not on whether lanes beside it are still underway when it has arrived. */
static void a_run_does_not_depend_on_others(const struct ml_kernels *k, int n, const char *method)
{
    const struct ref_chain chain = rods(n);
    const size_t row = (size_t)N_SAMPLE * 2 * (size_t)n;
    double x0[N_RUN * 2 * MAX_N];
    fan(n, x0);
    struct ref_samples all = sample(k, &chain, method, N_RUN, x0, false);
    for (int r = 0; r < N_RUN; r++) {
        struct ref_samples one = sample(k, &chain, method, 1, x0 + (size_t)(2 * r * n), false);
        CHECK_CASE("n = %d, run %d", n, r);
        CHECK(!memcmp(one.x, all.x + (size_t)r * row, row * sizeof *one.x));
        free(one.x);
    }
    free(all.x);
}

/* How runs end. */
struct ends {
    int8_t outcome[N_RUN];
    int64_t steps[N_RUN];
    double end_time[N_RUN];
};

static enum ml_status write_ends(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ends *ends = context;
    (void)err;
    for (int64_t i = 0; i < block->n_run; i++) {
        ends->outcome[block->first + i] = block->outcome[i];
        ends->steps[block->first + i] = block->steps[i];
        ends->end_time[block->first + i] = block->end_time[i];
    }
    return ML_OK;
}

static struct ends ends_with(const struct ml_kernels *k, double tolerance, double most_steps)
{
    const struct ref_chain chain = rods(2);
    const struct ml_ensemble_options options = {0};
    struct ends ends = {{0}, {0}, {0}};
    struct ml_error error = {0};
    struct ref_runs runs;
    double x0[N_RUN * 4];
    fan(2, x0);
    ref_runs_init(&runs, k, &chain, false, N_RUN, x0);
    set_tolerance(&runs, tolerance);
    runs.ensemble.chosen.control.most_steps = most_steps;
    runs.ensemble.method = ref_integrator(k, "tsit54");
    runs.ensemble.time.step = 0.5;
    runs.ensemble.time.n_step = runs.ensemble.indicators.observe_every = 4;
    const struct ml_sink sink = {&ends, ref_samples_has, write_ends};
    CHECK(ml_ensemble_run(&runs.ensemble, &options, &sink, &error) == ML_OK);
    return ends;
}

static void runs_that_cannot_go_on_say_why(const struct ml_kernels *k)
{
    const struct ends all = ends_with(k, 1e-9, 1e6), few = ends_with(k, 1e-9, 330.0);
    const struct ends none = ends_with(k, 1e-40, 1e6);
    int n_few = 0;
    CHECK_CASE("ends");
    for (int r = 0; r < N_RUN; r++) {
        const bool is_few = few.outcome[r] == ML_TOO_MANY_STEPS;
        n_few += is_few;
        CHECK(all.outcome[r] == ML_FINISHED && all.end_time[r] == 2.0);
        CHECK(is_few ? few.steps[r] <= 330 && few.end_time[r] < 2.0 && few.end_time[r] > 0.0
                     : few.outcome[r] == ML_FINISHED && few.steps[r] == all.steps[r]);
        CHECK(none.outcome[r] == ML_STEP_TOO_SHORT && none.end_time[r] < 0.01);
    }
    CHECK(n_few > 0 && n_few < N_RUN);
}

int main(void)
{
    const struct ml_kernels *k = ref_fastest();
    trajectories_match_the_exact_solutions(k);
    errors_follow_the_tolerance(k);
    errors_fall_with_the_order_of_an_implicit_method(k);
    values_at_ticks_have_the_order(k);
    all_kernels_give_the_same_bits(2, "tp86");
    all_kernels_give_the_same_bits(2, "tsit54");
    all_kernels_give_the_same_bits(3, "dop853");
    all_kernels_give_the_same_bits(5, "verner98");
    all_kernels_give_the_same_bits(2, "rodas4");
    all_kernels_give_the_same_bits(6, "rodas4");
    a_run_does_not_depend_on_others(k, 2, "dopri54");
    a_run_does_not_depend_on_others(k, 4, "tp75");
    a_run_does_not_depend_on_others(k, 3, "rodas4");
    runs_that_cannot_go_on_say_why(k);
    return check_done();
}
