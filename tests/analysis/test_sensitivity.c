/* Sensitivities of whole studies: against references and central differences of runs with other
 * values, at the end, of indicators and along trajectories; and the promises about bits and
 * failures. */
#include <math.h>

#include "chain_study.h"
#include "measured.h"

enum { MOST_ROWS = 32 };

/* Appends the path of a parameter that the reference files call "m.1", "g.x", "tau.2". */
static int write_path(char *to, size_t size, const char *name)
{
    static const char *const paths[][2] = {
        {"m.", "system.segments.%s.mass"}, {"l.", "system.segments.%s.length"},
        {"d.", "system.segments.%s.com"},  {"I.", "system.segments.%s.inertia"},
        {"b.", "forces.b%s.coefficient"},  {"tau.", "forces.tau%s.value"},
        {"g.", "system.gravity.%s"},
    };
    const char *index = strchr(name, '.') + 1;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strncmp(name, paths[i][0], (size_t)(index - name)) == 0)
            return snprintf(to, size, paths[i][1], index);
    ref_stop("no parameter '%s'", name);
}

static void derivatives_are_the_exact_ones(void)
{
    json_t *root = ref_load("sensitivities.json");
    const json_t *one = ref_case(root, "dp_regular_T5");
    const json_t *names = json_object_get(one, "param_names");
    const int n_param = (int)json_array_size(names);
    struct ref_chain chain = ref_chain(json_object_get(one, "params"));
    double x0[4], by_param[4 * 32], by_x0[16], wanted[4][MOST_ROWS], error = 0.0;
    char text[LONGEST];
    (void)ref_numbers(json_object_get(one, "x0"), 4, x0);
    (void)ref_numbers(json_object_get(one, "dxT_dparam"), 4 * 32, by_param);
    (void)ref_numbers(json_object_get(one, "dxT_dx0"), 16, by_x0);
    int n = write_chain(text, &chain, x0);
    n += snprintf(text + n, LONGEST - (size_t)n,
                  "time: {step: 5e-4, end: %.17g}\nanalyse:\n  sensitivity:\n    to: "
                  "[initial.angle.1, initial.angle.2, initial.rate.1, initial.rate.2",
                  ref_number(one, "T"));
    for (int p = 0; p < n_param; p++) {
        n += snprintf(text + n, LONGEST - (size_t)n, ", ");
        n += write_path(text + n, LONGEST - (size_t)n,
                        json_string_value(json_array_get(names, (size_t)p)));
    }
    (void)snprintf(text + n, LONGEST - (size_t)n, "]\n");
    struct measured m = measure(text, NULL, 1);
    const double *deriv = measured(&m, "sensitivity", 0);
    for (int i = 0; i < 4; i++) {
        memcpy(wanted[i], by_x0 + 4 * i, 4 * sizeof(double));
        memcpy(wanted[i] + 4, by_param + n_param * i, (size_t)n_param * sizeof(double));
        error = ref_worse(error, ref_error(4 + n_param, deriv + i * (4 + n_param), wanted[i]));
    }
    CHECK_CASE("%s", ref_name(one));
    CHECK(m.study->ensemble.model.n_sens == 18);
    CHECK_ERROR(error, 1e-9);
    measured_free(&m);
    json_decref(root);
}

/* A system in motion. */
#define CHAIN(angles, end)                                                        \
    "manylink: 1\n"                                                               \
    "system:\n"                                                                   \
    "  type: chain\n"                                                             \
    "  angles: " angles "\n"                                                      \
    "  segments: [{name: a, length: 1, mass: 1.2}, {name: b, length: 0.7, mass: " \
    "0.8}]\n"                                                                     \
    "forces:\n"                                                                   \
    "  - {name: brake, type: damper, joint: b, coefficient: 0.1}\n"               \
    "  - {name: motor, type: torque, joint: a, value: 0.5}\n"                     \
    "initial: {angle: {a: 1, b: 0.5}, rate: {b: 1}}\n"                            \
    "time: {step: 0.004, end: " end "}\n"
#define BODY                                                                                    \
    "manylink: 1\n"                                                                             \
    "system: {type: chain, angles: joint, body: {mass: 70, height: 1.7, table: de_leva_male,\n" \
    "         segments: [upper_arm, forearm, hand]}, segments: [{name: forearm, com: 0.1}]}\n"  \
    "initial: {angle: [1, 0.5, 0.3], rate: {hand: 2}}\n"                                        \
    "forces: [{name: wrist, type: damper, joint: hand, coefficient: 0.02}]\n"                   \
    "time: {step: 0.002, end: 1}\n"
#define LORENZ                                                            \
    "manylink: 1\nsystem: {type: lorenz}\ninitial: {x: 1, y: 2, z: 20}\n" \
    "time: {step: 0.005, end: 2}\n"
#define DUFFING                                                             \
    "manylink: 1\nsystem: {type: duffing, delta: 0.1}\ninitial: {x: 2.5}\n" \
    "time: {step: 0.01, end: 5}\n"
#define HENON_HEILES                                                                  \
    "manylink: 1\nsystem: {type: henon_heiles}\ninitial: {x: 0.1, y: 0.2, px: 0.3}\n" \
    "time: {step: 0.25, end: 10}\n"
#define RUNNER                                        \
    "manylink: 1\nsystem: {type: four_mass_runner}\n" \
    "initial: {v1: 0.96, v2: 0.96, v3: 2, v4: 2}\n"   \
    "time: {step: 2e-5, end: 0.03}\n"

/* What is moved by how much, and what is looked at. */
struct moved {
    const char *text, *set, *to, *of;
    double at, ratio, offset; /* two keys: the second moves by `ratio` of the first */
};

/* Five runs: four around the fifth. */
static void write_moved(char text[LONGEST], const struct moved *c)
{
    static const double offsets[] = {1.0, -1.0, 2.0, -2.0, 0.0};
    int n =
        snprintf(text, LONGEST, "%ssweep:\n  - {name: moved, set: %s, values: [", c->text, c->set);
    for (int i = 0; i < 5; i++) {
        double offset = offsets[i] * c->offset;
        if (c->ratio != 0.0)
            n += snprintf(text + n, LONGEST - (size_t)n, "%s[%.17g, %.17g]", i ? ", " : "",
                          c->at + offset, 2.0 + c->ratio * offset);
        else
            n += snprintf(text + n, LONGEST - (size_t)n, "%s%.17g", i ? ", " : "", c->at + offset);
    }
    (void)snprintf(text + n, LONGEST - (size_t)n,
                   "]}\nanalyse: {every: 10, sensitivity: {of: %s, to: %s}}\n", c->of, c->to);
}

/* Derivative of number `row` of an output by central differences. */
static double quotient(const struct measured *m, const char *name, int row, double offset)
{
    double near = (measured(m, name, 0)[row] - measured(m, name, 1)[row]) / (2.0 * offset);
    double far = (measured(m, name, 2)[row] - measured(m, name, 3)[row]) / (4.0 * offset);
    return (4.0 * near - far) / 3.0;
}

/* Errors of the derivatives of one indicator, relative to the largest of each output; moves to the
 * next indicator's. */
static double error_of(const struct measured *m, int i, double offset, const double **deriv,
                       const double **relative, double at)
{
    const struct ml_ensemble *e = &m->study->ensemble;
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    struct ml_output output;
    double worst = 0.0;
    for (int d = 0; e->kernels->registry->indicators[i]->output(&use, d, &output); d++) {
        const int n_row = ml_output_rows(&output, e->model.n);
        const double *value = measured(m, output.name, 4);
        double wanted[MOST_ROWS];
        for (int r = 0; r < n_row; r++) {
            wanted[r] = quotient(m, output.name, r, offset);
            CHECK((*relative)[r] == (*deriv)[r] * at / value[r]);
        }
        worst = ref_worse(worst, ref_error(n_row, *deriv, wanted));
        *deriv += n_row;
        *relative += n_row;
    }
    return worst;
}

static void sensitivity_is_the_derivative(const struct moved *c, double bound)
{
    char text[LONGEST];
    write_moved(text, c);
    struct measured m = measure(text, NULL, 1);
    const struct ml_ensemble *e = &m.study->ensemble;
    const double *deriv = measured(&m, "sensitivity", 4);
    const double *relative = measured(&m, "relative_sensitivity", 4);
    for (int d = 0; d < e->derivatives.n_differentiated; d++) {
        const int i = e->derivatives.differentiated[d];
        CHECK_CASE("%s to %s of %s", c->set, c->to, e->kernels->registry->indicators[i]->name);
        CHECK_ERROR(error_of(&m, i, c->offset, &deriv, &relative, c->at), bound);
    }
    measured_free(&m);
}

static void chains_have_their_derivatives(const char *motion)
{
    static const struct {
        const char *set, *to;
        double at, ratio;
    } cases[] = {
        {"system.segments.a.mass", NULL, 1.2, 0.0}, /* and with it inertia */
        {"system.segments.a.length", NULL, 1.0, 0.0},
        {"system.segments.b.length", NULL, 0.7, 0.0}, /* and with it com and inertia */
        {"system.segments.b.com", NULL, 0.3, 0.0},
        {"system.segments.b.inertia", NULL, 0.05, 0.0},
        {"initial.angle.a", NULL, 1.0, 0.0},
        {"initial.angle.b", NULL, 0.5, 0.0},
        {"initial.rate.b", NULL, 1.0, 0.0},
        {"system.gravity", NULL, 9.81, 0.0},
        {"forces.brake.coefficient", NULL, 0.1, 0.0},
        {"forces.motor.value", NULL, 0.5, 0.0},
        {"[system.segments.a.mass, system.segments.b.mass]", "moved", 1.2, 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        sensitivity_is_the_derivative(
            &(struct moved){.text = motion,
                            .set = cases[i].set,
                            .to = cases[i].to ? cases[i].to : cases[i].set,
                            .of = "[end_state, max_rate, energy_drift]",
                            .at = cases[i].at,
                            .ratio = cases[i].ratio,
                            .offset = 3e-4 * cases[i].at},
            1e-9);
}

static void other_systems_have_their_derivatives(void)
{
    static const struct {
        const char *text, *set;
        double at, offset;
        const char *of;
    } cases[] = {
        {LORENZ, "system.rho", 28.0, 1e-3, "end_state"},
        {LORENZ, "initial.x", 1.0, 1e-4, "end_state"},
        {DUFFING, "system.gamma", 0.5, 1e-3, "[energy_drift, end_state]"},
        {DUFFING, "system.beta", 1.0, 3e-4, "[energy_drift, end_state]"},
        {DUFFING, "initial.x", 2.5, 1e-4, "[energy_drift, end_state]"},
        {DUFFING, "initial.v", 0.5, 1e-3, "[energy_drift, end_state]"},
        {HENON_HEILES, "initial.px", 0.3, 2e-4, "[energy_drift, end_state]"},
        {BODY, "system.body.mass", 70.0, 1e-2, "[energy_drift, max_rate, end_state]"},
        {BODY, "system.body.height", 1.7, 3e-4, "[energy_drift, max_rate, end_state]"},
        {BODY, "system.segments.hand.mass", 0.4, 1e-4, "[energy_drift, max_rate, end_state]"},
        {BODY, "system.segments.hand.length", 0.18, 1e-5, "end_state"},
        {RUNNER, "system.contact.stiffness", 1e6, 1e3, "[energy_drift, end_state]"},
        {RUNNER, "system.contact.stiffness", 1e6, 1e3, "max_ground_force"},
        {RUNNER, "initial.v3", 2.0, 1e-3, "[max_ground_force, end_state]"},
        {RUNNER, "initial.v1", 0.9, 1e-3, "[energy_drift, max_ground_force]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        sensitivity_is_the_derivative(&(struct moved){.text = cases[i].text,
                                                      .set = cases[i].set,
                                                      .to = cases[i].set,
                                                      .of = cases[i].of,
                                                      .at = cases[i].at,
                                                      .offset = cases[i].offset},
                                      5e-9);
}

/* Conservative, from `angle` at rest. */
static struct measured measure_horizon(const char *angle)
{
    char text[LONGEST];
    (void)snprintf(text, LONGEST,
                   "manylink: 1\n"
                   "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 1, mass: 1}]}\n"
                   "initial: {angle: %s}\n"
                   "time: {step: 0.004, end: 40}\n"
                   "analyse:\n"
                   "  sensitivity: {to: initial.angle.1}\n"
                   "  lyapunov: {exponents: 1}\n",
                   angle);
    return measure(text, NULL, 1);
}

static void the_horizon_is_where_rounding_errors_are_large(void)
{
    CHECK_CASE("horizon");
    struct measured chaotic = measure_horizon("[2, 2.5]");
    double rate = measured(&chaotic, "lyapunov_max", 0)[0];
    double horizon = measured(&chaotic, "sensitivity_horizon", 0)[0];
    CHECK(rate > 0.5);
    CHECK_ERROR(fabs(horizon * rate / (53.0 * log(2.0)) - 1.0), 1e-13);
    measured_free(&chaotic);
    struct measured regular = measure_horizon("[0.1, 0.1]");
    CHECK(isnan(measured(&regular, "sensitivity_horizon", 0)[0]));
    measured_free(&regular);
}

/* Shape of an output's first dimension; 0: there is no such output. */
static int size_of(const struct measured *m, const char *name)
{
    for (int o = 0; o < m->results.n_output; o++)
        if (strcmp(m->results.outputs[o].name, name) == 0)
            return ml_output_size(&m->results.outputs[o], 0, m->study->ensemble.model.n);
    return 0;
}

static const char *const to_three = "to: [system.segments.a.mass, initial.angle.b, "
                                    "forces.brake.coefficient]";

/* The chain with `of` as given, "" for none, for 2 s or for 1 s. */
static struct measured measure_of(const char *of, bool is_short)
{
    char text[LONGEST];
    (void)snprintf(text, LONGEST,
                   "%sanalyse: {every: 10, sensitivity: {%s%s}}\n"
                   "save: {trajectory: {every: 25}}\n",
                   is_short ? CHAIN("joint", "1") : CHAIN("joint", "2"), of, to_three);
    return measure(text, NULL, 1);
}

/* What is not named is not there; what is there does not depend on what else is, nor where it
 * stands in the list. */
static void of_names_what_is_differentiated(void)
{
    struct measured default_value = measure_of("", false),
                    state = measure_of("of: end_state, ", false);
    struct measured rate = measure_of("of: max_rate, ", false);
    struct measured all =
        measure_of("of: [energy_drift, max_rate, trajectory, end_state], ", false);
    struct measured none = measure_of("of: [trajectory], ", false);
    const size_t row = 3 * sizeof(double);
    CHECK_CASE("of");
    CHECK(measured_same(&default_value, &state));
    CHECK(strcmp(default_value.study->resolved, all.study->resolved) != 0);
    CHECK(size_of(&state, "sensitivity") == 4 && size_of(&rate, "sensitivity") == 2);
    CHECK(size_of(&all, "sensitivity") == 7 && size_of(&all, "relative_sensitivity") == 7);
    CHECK(size_of(&none, "sensitivity") == 0 && size_of(&none, "sensitivity_horizon") == 1);
    const double *deriv = measured(&all, "sensitivity", 0);
    const double *relative = measured(&all, "relative_sensitivity", 0);
    CHECK(memcmp(deriv + 3, measured(&rate, "sensitivity", 0), 2 * row) == 0);
    CHECK(memcmp(deriv + 9, measured(&state, "sensitivity", 0), 4 * row) == 0);
    CHECK(memcmp(relative + 9, measured(&state, "relative_sensitivity", 0), 4 * row) == 0);
    const int q =
        all.study->ensemble.model.system->tables.n_record; /* derivatives come behind the records */
    CHECK(ml_saving_has(&all.study->ensemble.saving, q) &&
          ml_saving_has(&none.study->ensemble.saving, q) &&
          !ml_saving_has(&state.study->ensemble.saving, q));
    CHECK(memcmp(measured_record(&all, "sensitivity", 0), measured_record(&none, "sensitivity", 0),
                 12 * (size_t)all.results.n_sample * sizeof(double)) == 0);
    measured_free(&default_value);
    measured_free(&state);
    measured_free(&rate);
    measured_free(&all);
    measured_free(&none);
}

/* Every sample of a trajectory is what a run that ends there has at the end. */
static void trajectories_have_the_derivatives_at_every_sample(void)
{
    static const double at_start[4][3] = {{0}, {0.0, 1.0, 0.0}};
    struct measured all = measure_of("of: [end_state, trajectory], ", false);
    struct measured half = measure_of("", true);
    const int64_t n_sample = all.results.n_sample;
    const double *along = measured_record(&all, "sensitivity", 0);
    CHECK_CASE("trajectory");
    CHECK(n_sample == 21 &&
          ml_record_rows(&all.study->ensemble, all.study->ensemble.model.system->tables.n_record) ==
              12);
    for (int at = 0; at < 12; at++) {
        CHECK(along[at * n_sample] == at_start[at / 3][at % 3]);
        CHECK(along[at * n_sample + 10] == measured(&half, "sensitivity", 0)[at]);
        CHECK(along[at * n_sample + 20] == measured(&all, "sensitivity", 0)[at]);
    }
    measured_free(&all);
    measured_free(&half);
}

/* Runs of many batches; some diverge. */
static const char *const many =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
    "initial: {angle: [2, 1]}\n"
    "time: {step: 0.01, end: 5}\n"
    "sweep: [{name: a, set: [initial.angle.1, initial.rate.1], values: [%s]}]\n"
    "analyse: {every: 10, sensitivity: {of: [end_state, trajectory, max_rate, energy_drift],\n"
    "  to: [system.segments.2.mass, initial.angle.1, system.gravity]}}\n"
    "save: {trajectory: {every: 1}}\n";

enum { N_POINT = 13, DIVERGES = 5 };

/* Writes the study of points first .. first + n - 1. */
static void write_many(char text[LONGEST], int first, int n)
{
    char points[LONGEST / 2];
    for (int i = first, used = 0; i < first + n; i++)
        used += snprintf(points + used, sizeof points - (size_t)used, "%s[%g, %g]",
                         i > first ? ", " : "", 0.2 * i - 1.0, i == DIVERGES ? 200.0 : 0.5 * i);
    (void)snprintf(text, LONGEST, many, points);
}

static void bits_do_not_depend_on_threads_and_instructions(void)
{
    char text[LONGEST];
    write_many(text, 0, N_POINT);
    struct measured base = measure(text, ml_kernels_at(0)->isa, 1);
    for (int i = 0; ml_kernels_at(i); i++)
        for (int n_thread = 1; n_thread <= 3; n_thread += 2) {
            struct measured other = measure(text, ml_kernels_at(i)->isa, n_thread);
            CHECK_CASE("%s, %d threads", ml_kernels_at(i)->isa, n_thread);
            CHECK(measured_same(&base, &other));
            measured_free(&other);
        }
    measured_free(&base);
}

/* The other runs are as if alone; what a run that went wrong has is not a number. */
static void a_run_that_diverges_changes_no_other(void)
{
    static const char *const outputs[] = {"sensitivity", "relative_sensitivity"};
    char text[LONGEST];
    write_many(text, 0, N_POINT);
    struct measured together = measure(text, NULL, 1);
    const int64_t n_sample = together.results.n_sample;
    const double *failed = measured_record(&together, "sensitivity", DIVERGES);
    CHECK_CASE("run that diverges");
    CHECK(together.outcome[DIVERGES] == ML_DIVERGED && together.steps[DIVERGES] > 0);
    for (int at = 0; at < 12; at++)
        for (int64_t k = 0; k < n_sample; k++)
            CHECK(isnan(failed[at * n_sample + k]) == (k > together.steps[DIVERGES]));
    for (int i = 0; i < N_POINT; i++) {
        write_many(text, i, 1);
        struct measured alone = measure(text, NULL, 1);
        CHECK_CASE("run %d", i);
        for (int o = 0; o < 2; o++) {
            const double *deriv = measured(&together, outputs[o], i);
            CHECK(memcmp(deriv, measured(&alone, outputs[o], 0), 21 * sizeof *deriv) == 0);
            for (int at = 0; at < 21; at++)
                CHECK(isnan(deriv[at]) == (i == DIVERGES));
        }
        CHECK(memcmp(measured_record(&together, "sensitivity", i),
                     measured_record(&alone, "sensitivity", 0),
                     12 * (size_t)n_sample * sizeof(double)) == 0);
        measured_free(&alone);
    }
    measured_free(&together);
}

int main(void)
{
    derivatives_are_the_exact_ones();
    chains_have_their_derivatives(CHAIN("segment", "2"));
    chains_have_their_derivatives(CHAIN("joint", "2"));
    other_systems_have_their_derivatives();
    the_horizon_is_where_rounding_errors_are_large();
    of_names_what_is_differentiated();
    trajectories_have_the_derivatives_at_every_sample();
    bits_do_not_depend_on_threads_and_instructions();
    a_run_that_diverges_changes_no_other();
    return check_done();
}
