/* Lyapunov exponents: exact finite-time values, eigenvalues, rules that hold for every chain, and
 * the promises about bits and failures. */
#include <lapacke.h>
#include <math.h>

#include "chain_study.h"
#include "engine/team/team.h"
#include "measured.h"
#include "study.h"

static struct measured measure_chain(const struct ref_chain *chain, const double *x0, double step,
                                     double end, const char *rest)
{
    char text[LONGEST];
    int n = write_chain(text, chain, x0);
    (void)snprintf(text + n, LONGEST - (size_t)n, "time: {step: %.17g, end: %.17g}\n%s", step, end,
                   rest);
    return measure(text, NULL, 1);
}

static int descending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? 1 : p > q ? -1 : 0;
}

static void finite_time_spectra_are_the_exact_ones(void)
{
    json_t *root = ref_load("lyapunov.json");
    const json_t *cases = json_object_get(root, "finite_time");
    int observed = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        if (strcmp(json_string_value(json_object_get(one, "system")), "chain") != 0)
            continue;
        struct ref_chain chain = ref_chain(json_object_get(one, "params"));
        double x0[2 * REF_MAX_N], wanted[2 * REF_MAX_N];
        int n_x = ref_numbers(json_object_get(one, "x0"), 2 * REF_MAX_N, x0);
        (void)ref_numbers(json_object_get(one, "exponents"), 2 * REF_MAX_N, wanted);
        qsort(wanted, (size_t)n_x, sizeof *wanted, descending);
        struct measured m = measure_chain(&chain, x0, 1e-4, ref_number(one, "T"),
                                          "analyse: {lyapunov: {renormalise: 0.05}}\n");
        CHECK_CASE("%s", ref_name(one));
        CHECK_ERROR(ref_error(n_x, measured(&m, "lyapunov_spectrum", 0), wanted), 1e-10);
        CHECK_ERROR(fabs(measured(&m, "lyapunov_max", 0)[0] - wanted[0]), 2e-10);
        measured_free(&m);
        observed++;
    }
    CHECK(observed == 2);
    json_decref(root);
}

static const struct ref_chain rods = {.n = 2,
                                      .m = {1.0, 1.0},
                                      .l = {1.0, 0.5},
                                      .d = {0.5, 0.25},
                                      .inertia = {1.0 / 12.0, 1.0 / 48.0},
                                      .g = {0.0, -9.81}};

/* Near its lowest point a chain with dampers is linear, M0 phi'' + B phi' + K0 phi = 0. */
static void damped_chains_have_their_eigenvalues(void)
{
    struct ref_chain chain = rods;
    const double x0[4] = {0};
    chain.b[0] = 0.4, chain.b[1] = 0.3;
    double mass[4], a[16] = {0}, real[4], imaginary[4], rates[8];
    const double mu[2] = {chain.m[0] * chain.d[0] + chain.l[0] * chain.m[1],
                          chain.m[1] * chain.d[1]};
    mass[0] = chain.inertia[0] + chain.m[0] * chain.d[0] * chain.d[0] +
              chain.l[0] * chain.l[0] * chain.m[1];
    mass[1] = mass[2] = mu[1] * chain.l[0];
    mass[3] = chain.inertia[1] + chain.m[1] * chain.d[1] * chain.d[1];
    const double right[8] = {-mu[0] * 9.81, 0.0,        -(chain.b[0] + chain.b[1]),
                             chain.b[1],    0.0,        -mu[1] * 9.81,
                             chain.b[1],    -chain.b[1]};
    const double det = mass[0] * mass[3] - mass[1] * mass[2];
    for (int k = 0; k < 4; k++) {
        rates[k] = (mass[3] * right[k] - mass[1] * right[4 + k]) / det;
        rates[4 + k] = (mass[0] * right[4 + k] - mass[2] * right[k]) / det;
    }
    a[2] = a[7] = 1.0;
    memcpy(a + 8, rates, sizeof rates);
    CHECK(LAPACKE_dgeev(LAPACK_ROW_MAJOR, 'N', 'N', 4, a, 4, real, imaginary, NULL, 1, NULL, 1) ==
          0);
    qsort(real, 4, sizeof *real, descending);
    /* complex pairs turn: their growth is the mean only over whole turns, hence 1/T */
    struct measured m = measure_chain(&chain, x0, 2e-3, 400.0,
                                      "analyse: {lyapunov: {renormalise: 0.1, transient: 10}}\n");
    CHECK_ERROR(ref_error(4, measured(&m, "lyapunov_spectrum", 0), real), 2e-3);
    CHECK_ERROR(fabs(measured(&m, "lyapunov_sum", 0)[0] - real[0] - real[1] - real[2] - real[3]),
                5e-8);
    CHECK_ERROR(fabs(measured(&m, "mean_trace", 0)[0] - measured(&m, "lyapunov_sum", 0)[0]), 5e-8);
    measured_free(&m);
}

static void undamped_chains_have_pairs(void)
{
    const double x0[4] = {M_PI / 10, M_PI / 3, 2 * M_PI, -6 * M_PI};
    struct measured m = measure_chain(&rods, x0, 1e-3, 200.0, "analyse: {lyapunov: {}}\n");
    const double *spectrum = measured(&m, "lyapunov_spectrum", 0);
    const double *error = measured(&m, "lyapunov_error", 0);
    CHECK_ERROR(fabs(spectrum[0] + spectrum[3]), 2e-3);
    CHECK_ERROR(fabs(spectrum[1]), 0.06);
    CHECK_ERROR(fabs(spectrum[2]), 0.06);
    CHECK(spectrum[0] > 1.0 && spectrum[0] < 1.7);
    for (int c = 0; c < 4; c++)
        CHECK(error[c] >= log(200.0) / 200.0 * (1.0 - 1e-12) && error[c] < 0.2);
    CHECK_ERROR(fabs(measured(&m, "mean_trace", 0)[0] - measured(&m, "lyapunov_sum", 0)[0]), 1e-5);
    CHECK(measured(&m, "kaplan_yorke_dimension", 0)[0] == 4.0);
    CHECK(measured(&m, "ks_entropy", 0)[0] == spectrum[0]); /* the central ones are 0 */
    CHECK_ERROR(fabs(measured(&m, "predictability_time", 0)[0] * spectrum[0] - 1.0), 1e-15);
    measured_free(&m);
}

/* What a damper takes shows in runs too short for the exponents: their sum is exactly -delta, and
 * the dimension that of the formula. */
static void damped_systems_lose_volume(void)
{
    struct measured m = measure(
        "manylink: 1\nsystem: {type: duffing, alpha: -1, beta: 1, delta: 0.1, gamma: 0.35, omega: "
        "1.4}\ninitial: {v: 0}\ntime: {step: 2e-3, end: 50}\n"
        "sweep: [{set: initial.x, from: 0.3, to: 1.2, count: 16}]\nanalyse: {lyapunov: {}}\n",
        NULL, 2);
    int n_positive = 0;
    for (int run = 0; run < 16; run++) {
        const double *spectrum = measured(&m, "lyapunov_spectrum", run);
        const double *error = measured(&m, "lyapunov_error", run);
        const double dimension = measured(&m, "kaplan_yorke_dimension", run)[0];
        CHECK_CASE("run %d: %g %g, dimension %g", run, spectrum[0], spectrum[1], dimension);
        CHECK_ERROR(fabs(measured(&m, "lyapunov_sum", run)[0] + 0.1), 1e-9);
        CHECK(dimension < 2.0);
        if (spectrum[0] > error[0] && spectrum[1] < -error[1]) {
            CHECK_ERROR(fabs(dimension - 1.0 + spectrum[0] / spectrum[1]), 1e-14);
            n_positive++;
        }
    }
    CHECK(n_positive > 0);
    measured_free(&m);
}

/* An error is not negative after a time of which ln T is. */
static void short_runs_have_errors(void)
{
    const double x0[4] = {2.0, 1.0, 0.0, 0.0};
    struct measured m =
        measure_chain(&rods, x0, 1e-3, 0.5, "analyse: {lyapunov: {renormalise: 0.01}}\n");
    for (int c = 0; c < 4; c++)
        CHECK(measured(&m, "lyapunov_error", 0)[c] >= 2.0 * (1.0 - 1e-12));
    measured_free(&m);
}

/* Periodic orbits have dimension 1, fixed points 0, whatever the sign that errors give to an
 * exponent of 0. Lorenz' attractors are fixed points below rho = 24.06, and one cycle or two beyond
 * 214.4 (Sparrow, The Lorenz Equations, 1982). */
static void zero_exponents_have_no_sign(void)
{
    static const char *const text =
        "manylink: 1\nsystem: {type: lorenz}\ninitial: {x: 1, y: 1, z: 20}\n"
        "time: {step: 2e-3, end: 400}\n"
        "sweep: [{set: system.rho, values: [10, 228.8, 300, 310, 320, 330, 340, 350]}]\n"
        "analyse: {lyapunov: {transient: 50%s}}\n";
    char study[LONGEST];
    (void)snprintf(study, sizeof study, text, "");
    struct measured m = measure(study, NULL, 2);
    for (int run = 0; run < 8; run++) {
        CHECK_CASE("run %d, lambda %g", run, measured(&m, "lyapunov_max", run)[0]);
        CHECK(measured(&m, "kaplan_yorke_dimension", run)[0] == (run > 0));
        CHECK(measured(&m, "ks_entropy", run)[0] == 0.0);
        CHECK(isnan(measured(&m, "predictability_time", run)[0]));
        const double error = measured(&m, "kaplan_yorke_dimension_errors", run)[0];
        CHECK(run > 0 ? error > 0.0 && error < 0.3 : error == 0.0);
    }
    measured_free(&m);
    (void)snprintf(study, sizeof study, text, ", exponents: 1");
    m = measure(study, NULL, 2);
    for (int run = 0; run < 8; run++) {
        CHECK_CASE("one exponent, run %d", run);
        CHECK(run > 0 ? isnan(measured(&m, "kaplan_yorke_dimension", run)[0])
                      : measured(&m, "kaplan_yorke_dimension", run)[0] == 0.0);
        CHECK(measured(&m, "ks_entropy", run)[0] == 0.0);
    }
    measured_free(&m);
}

/* The scatter of a dimension and an entropy over orbits of one attractor is what their errors say;
 * the dimension of Lorenz' is 2.062 (Sprott, Chaos and Time-Series Analysis, 2003). */
static void dimensions_have_their_errors(void)
{
    enum { N = 64 };
    struct measured m = measure(
        "manylink: 1\nsystem: {type: lorenz}\ninitial: {y: 1, z: 20}\n"
        "time: {step: 0.01, end: 250}\nsweep: [{set: initial.x, from: 1, to: 8, count: 64}]\n"
        "analyse: {lyapunov: {transient: 50}}\n",
        NULL, 2);
    static const char *const names[] = {"kaplan_yorke_dimension", "ks_entropy"};
    static const double known[] = {2.062, 0.9056}, bound[] = {0.001, 0.01};
    for (int o = 0; o < 2; o++) {
        double mean = 0.0, square = 0.0, error = 0.0;
        char errors[64];
        (void)snprintf(errors, sizeof errors, "%s_errors", names[o]);
        for (int run = 0; run < N; run++) {
            const double value = measured(&m, names[o], run)[0];
            mean += value / N;
            square += value * value / N;
            error += measured(&m, errors, run)[0] / N;
        }
        CHECK_CASE("%s", names[o]);
        CHECK_ERROR(fabs(mean - known[o]), bound[o]);
        /* larger where ln(T)/T, below which no exponent's error is, is above the scatter */
        const double scatter = sqrt((square - mean * mean) * N / (N - 1.0));
        CHECK_ERROR(error / scatter, 4.0);
        CHECK_ERROR(scatter / error, 1.2);
    }
    measured_free(&m);
}

/* What is measured does not depend on how often the vectors are made orthonormal. */
static void the_interval_does_not_matter(void)
{
    const double x0[4] = {2.0, 1.0, 0.0, 0.0};
    struct measured a =
        measure_chain(&rods, x0, 1e-3, 20.0, "analyse: {lyapunov: {renormalise: 0.001}}\n");
    struct measured b =
        measure_chain(&rods, x0, 1e-3, 20.0, "analyse: {lyapunov: {renormalise: 0.3}}\n");
    CHECK_ERROR(
        ref_error(4, measured(&a, "lyapunov_spectrum", 0), measured(&b, "lyapunov_spectrum", 0)),
        8e-13);
    measured_free(&a);
    measured_free(&b);
}

static void a_history_ends_with_the_result(void)
{
    const double x0[4] = {2.0, 1.0, 0.0, 0.0};
    struct measured m = measure_chain(
        &rods, x0, 1e-3, 20.0,
        "analyse: {lyapunov: {renormalise: 0.1, transient: 5, history: 0.5, exponents: 2}}\n");
    const double *history = measured(&m, "lyapunov_history", 0);
    const double *spectrum = measured(&m, "lyapunov_spectrum", 0);
    const struct ml_output *output = &m.results.outputs[8];
    CHECK(strcmp(output->name, "lyapunov_history") == 0);
    CHECK(ml_output_size(output, 0, 2) == 2 && ml_output_size(output, 1, 2) == 30);
    CHECK(output->first == 5.5 && output->increment == 0.5);
    CHECK(history[29] == spectrum[0] && history[59] == spectrum[1]);
    CHECK(history[0] != history[29]);
    CHECK(isnan(measured(&m, "kaplan_yorke_dimension", 0)[0]));
    measured_free(&m);
}

static const char *const many =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
    "initial: {angle: [2, 1]}\n"
    "time: {step: 0.005, end: 20}\n"
    "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 41}]\n"
    "analyse: {lyapunov: {history: 1, until: {error: 0.14, end: 40}}}\n";

static void bits_do_not_depend_on_threads_and_instructions(void)
{
    struct measured base = measure(many, ml_kernels_at(0)->isa, 1);
    for (int i = 0; ml_kernels_at(i); i++)
        for (int n_thread = 1; n_thread <= 3; n_thread += 2) {
            struct measured other = measure(many, ml_kernels_at(i)->isa, n_thread);
            CHECK_CASE("%s, %d threads", ml_kernels_at(i)->isa, n_thread);
            CHECK(measured_same(&base, &other));
            measured_free(&other);
        }
    measured_free(&base);
}

static void runs_end_when_their_error_is_small(void)
{
    struct measured m = measure(many, NULL, 2);
    int n_early = 0, n_late = 0;
    for (int run = 0; run < 41; run++) {
        double time = (double)m.steps[run] * 0.005;
        const double *error = measured(&m, "lyapunov_error", run);
        double worst = fmax(fmax(error[0], error[1]), fmax(error[2], error[3]));
        CHECK(m.outcome[run] == ML_FINISHED);
        CHECK(time >= 20.0 && time <= 40.0);
        CHECK(worst <= 0.14 || time == 40.0);
        const double *history = measured(&m, "lyapunov_history", run);
        for (int entry = 0; entry < 4 * 40; entry++)
            CHECK(isnan(history[entry]) == ((double)(1 + entry % 40) > time));
        n_early += time < 40.0;
        n_late += time > 20.5;
    }
    CHECK(n_early > 5 && n_late > 5);
    measured_free(&m);
}

/* One run ends early, one goes wrong, and the others are as if alone. */
static void neighbours_do_not_matter(void)
{
    static const char *const text =
        "manylink: 1\n"
        "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
        "initial: {angle: [2, 1]}\n"
        "time: {step: 0.005, end: 20}\n"
        "sweep: [{name: a, set: [initial.angle.1, initial.rate.1], values: [%s]}]\n"
        "analyse: {every: 777, lyapunov: {renormalise: 0.05, until: {error: 0.14, end: 40}}}\n";
    static const char *const all[] = {"0.3, 0", "1, 1e6", "2, 1", "2.9, 0"};
    static const char *const names[] = {"lyapunov_spectrum", "energy_drift", "max_rate"};
    static const size_t sizes[] = {4 * sizeof(double), sizeof(double), 2 * sizeof(double)};
    char points[256] = "", study[LONGEST], one[64];
    for (int i = 0; i < 4; i++) {
        (void)snprintf(one, sizeof one, "%s[%s]", i ? ", " : "", all[i]);
        (void)strncat(points, one, sizeof points - strlen(points) - 1);
    }
    (void)snprintf(study, sizeof study, text, points);
    struct measured together = measure(study, NULL, 1);
    CHECK(together.outcome[1] == ML_DIVERGED);
    for (int i = 0; i < 4; i++) {
        (void)snprintf(one, sizeof one, "[%s]", all[i]);
        (void)snprintf(study, sizeof study, text, one);
        struct measured alone = measure(study, NULL, 1);
        CHECK_CASE("run %d", i);
        CHECK(alone.steps[0] == together.steps[i]);
        for (int o = 0; o < 3; o++)
            CHECK(memcmp(measured(&alone, names[o], 0), measured(&together, names[o], i),
                         sizes[o]) == 0);
        CHECK(isnan(measured(&alone, "lyapunov_max", 0)[0]) == (i == 1));
        measured_free(&alone);
    }
    measured_free(&together);
}

/* Samples of a lorenz run's x that are numbers. */
static enum ml_status write_samples(void *context, const struct ml_block *block,
                                    struct ml_error *err)
{
    int *n_number = context;
    (void)err;
    for (int run = 0; run < 8; run++) {
        n_number[run] = 0;
        for (int i = 0; i <= 60; i++)
            n_number[run] += !isnan(block->records[0][run * 61 + i]);
        CHECK(n_number[run] == (int)block->steps[run] / 100 + 1);
    }
    return ML_OK;
}

static void trajectories_end_with_their_run(void)
{
    static const char *const text =
        "manylink: 1\nsystem: {type: lorenz}\ninitial: {y: 1, z: 20}\n"
        "time: {step: 0.01, end: 20}\nsweep: [{set: initial.x, from: 1, to: 8, count: 8}]\n"
        "analyse: {lyapunov: {renormalise: 0.5, until: {error: 0.3, end: 60}}}\n"
        "save: {trajectory: {every: 100, quantities: [x]}}\n";
    struct ml_study *study;
    struct ml_error err = {0};
    int n_number[8], n_early = 0;
    CHECK(ml_study_load(STUDY_TEXT("test", text), &study, &err) == ML_OK);
    struct ml_sink sink = {n_number, measured_has, write_samples};
    CHECK(ml_ensemble_run(&study->ensemble, &(struct ml_ensemble_options){.n_thread = 1}, &sink,
                          &err) == ML_OK);
    for (int run = 0; run < 8; run++)
        n_early += n_number[run] < 61;
    CHECK(n_early > 4);
    ml_study_free(study);
}

int main(void)
{
    finite_time_spectra_are_the_exact_ones();
    damped_chains_have_their_eigenvalues();
    undamped_chains_have_pairs();
    damped_systems_lose_volume();
    short_runs_have_errors();
    zero_exponents_have_no_sign();
    dimensions_have_their_errors();
    the_interval_does_not_matter();
    a_history_ends_with_the_result();
    bits_do_not_depend_on_threads_and_instructions();
    runs_end_when_their_error_is_small();
    neighbours_do_not_matter();
    trajectories_end_with_their_run();
    return check_done();
}
