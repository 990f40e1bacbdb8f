/* mass_spring_damper: against exact solutions from the eigenvectors that LAPACK finds, closed-form
 * frequencies, and its energy; derivatives of whole runs against those of exact solutions. */
#include <complex.h>
#include <lapacke.h>
#include <string.h>

#include "analysis/measured.h"
#include "engine/assess/evaluate.h"
#include "engine/team/ensemble.h"
#include "study.h"

enum { MOST = 5, MOST_STATE = 2 * MOST, LONG = 4096 };

/* A system and its start, [n] and [n][n] row after row. */
struct model {
    int n;
    double m[MOST * MOST], c[MOST * MOST], k[MOST * MOST], f[MOST], x0[MOST_STATE];
};

/* Wheel and body of a quarter of a car, pushed. */
static const struct model quarter_car = {
    2,          {40, 0, 0, 300},  {1500, -1500, -1500, 1500}, {220e3, -20e3, -20e3, 20e3},
    {30, -100}, {0.01, 0, 0, 0.1}};

/* Coupled masses; neither C nor K is symmetric. Of the order of 1 in all units. */
static const struct model gyroscopic = {3,
                                        {2, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 1},
                                        {0.6, 0.5, 0, -0.3, 0.5, 0.2, 0.1, -0.2, 0.4},
                                        {6, -2, 0.4, -1, 5, -2, 0, -1.5, 4},
                                        {0.3, -0.2, 0.5},
                                        {0.4, -0.3, 0.2, 0.1, 0.5, -0.6}};

/* So much damping that nothing swings: all eigenvalues are real. */
static const struct model slow = {2,      {1, 0.2, 0.2, 2}, {9, -2, -1, 12}, {6, -1, -1, 2},
                                  {0, 0}, {1, 0, 0, 1}};

static int write_matrix(char *to, int at, const char *name, int n, const double *a)
{
    at += snprintf(to + at, LONG - (size_t)at, "  %s: [", name);
    for (int i = 0; i < n * n; i++)
        at += snprintf(to + at, LONG - (size_t)at, "%s%.17g%s",
                       i % n ? ", "
                       : i   ? ", ["
                             : "[",
                       a[i], i % n == n - 1 ? "]" : "");
    return at + snprintf(to + at, LONG - (size_t)at, "]\n");
}

static int write_vector(char *to, int at, const char *name, int n, const double *a)
{
    at += snprintf(to + at, LONG - (size_t)at, "  %s: [", name);
    for (int i = 0; i < n; i++)
        at += snprintf(to + at, LONG - (size_t)at, "%s%.17g", i ? ", " : "", a[i]);
    return at + snprintf(to + at, LONG - (size_t)at, "]\n");
}

/* The study of a model; `rest` begins with its time. Degrees of freedom are 1, 2, ... */
static const char *write_study(const struct model *s, const char *rest, char text[LONG])
{
    int at = snprintf(text, LONG, "manylink: 1\nsystem:\n  type: mass_spring_damper\n");
    at = write_matrix(text, at, "mass", s->n, s->m);
    at = write_matrix(text, at, "damping", s->n, s->c);
    at = write_matrix(text, at, "stiffness", s->n, s->k);
    at = write_vector(text, at, "force", s->n, s->f);
    at += snprintf(text + at, LONG - (size_t)at, "initial:\n");
    at = write_vector(text, at, "position", s->n, s->x0);
    at = write_vector(text, at, "velocity", s->n, s->x0 + s->n);
    (void)snprintf(text + at, LONG - (size_t)at, "%s", rest);
    return text;
}

/* A of x' = A x + b, [2 n][2 n] row after row, and b: M^-1 by dgesv. */
static void first_order(const struct model *s, double *a, double *b)
{
    const int n = s->n, n_x = 2 * n, n_rhs = n_x + 1;
    double m[MOST * MOST], rhs[MOST * (MOST_STATE + 1)];
    lapack_int pivots[MOST];
    memcpy(m, s->m, sizeof m);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            rhs[i * n_rhs + j] = -s->k[i * n + j];
            rhs[i * n_rhs + n + j] = -s->c[i * n + j];
        }
        rhs[i * n_rhs + n_x] = s->f[i];
    }
    CHECK(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, n_rhs, m, n, pivots, rhs, n_rhs) == 0);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n_x; j++) {
            a[i * n_x + j] = j == n + i ? 1.0 : 0.0;
            a[(n + i) * n_x + j] = rhs[i * n_rhs + j];
        }
        b[i] = 0.0;
        b[n + i] = rhs[i * n_rhs + n_x];
    }
}

/* Eigenvalues and, unless NULL, right eigenvectors, [n_x][n_x], in columns. */
static void find_eigen(int n_x, const double *a, lapack_complex_double *value,
                       lapack_complex_double *vector)
{
    lapack_complex_double copy[MOST_STATE * MOST_STATE], unused[1];
    for (int i = 0; i < n_x * n_x; i++)
        copy[i] = a[i];
    CHECK(LAPACKE_zgeev(LAPACK_ROW_MAJOR, 'N', vector ? 'V' : 'N', n_x, copy, n_x, value, unused, 1,
                        vector ? vector : unused, vector ? n_x : 1) == 0);
}

/* The state at time t: that of rest, and what of the start is along each eigenvector. */
static void solve_exactly(const struct model *s, double t, double *x)
{
    const int n_x = 2 * s->n;
    double a[MOST_STATE * MOST_STATE], b[MOST_STATE], copy[MOST_STATE * MOST_STATE];
    lapack_complex_double value[MOST_STATE], v[MOST_STATE * MOST_STATE];
    lapack_complex_double lu[MOST_STATE * MOST_STATE], part[MOST_STATE];
    lapack_int pivots[MOST_STATE];
    first_order(s, a, b);
    memcpy(copy, a, sizeof copy);
    CHECK(LAPACKE_dgesv(LAPACK_ROW_MAJOR, n_x, 1, copy, n_x, pivots, b, 1) == 0); /* -rest */
    find_eigen(n_x, a, value, v);
    memcpy(lu, v, sizeof lu);
    for (int i = 0; i < n_x; i++)
        part[i] = s->x0[i] + b[i];
    CHECK(LAPACKE_zgesv(LAPACK_ROW_MAJOR, n_x, 1, lu, n_x, pivots, part, 1) == 0);
    for (int i = 0; i < n_x; i++) {
        lapack_complex_double sum = -b[i];
        for (int k = 0; k < n_x; k++)
            sum += v[i * n_x + k] * part[k] * cexp(value[k] * t);
        x[i] = creal(sum);
    }
}

/* Largest error of a saved run's state at its samples, relative to the largest number of each
 * quantity. */
static double trajectory_error(const struct model *s, const struct measured *m, double interval)
{
    const char *const names[2] = {"position", "velocity"};
    const int n_sample = (int)m->results.n_sample;
    double worst[2] = {0.0, 0.0}, scale[2] = {0.0, 0.0}, x[MOST_STATE];
    for (int at = 0; at < n_sample; at++) {
        solve_exactly(s, at * interval, x);
        for (int i = 0; i < 2 * s->n; i++) {
            const int q = i / s->n;
            const double got = measured_record(m, names[q], 0)[i % s->n * n_sample + at];
            worst[q] = fmax(worst[q], fabs(got - x[i]));
            scale[q] = fmax(scale[q], fabs(x[i]));
        }
    }
    return fmax(worst[0] / scale[0], worst[1] / scale[1]);
}

static void damped_motion_is_exact(const char *isa, const char *name, const struct model *s,
                                   const char *rest, double interval, double bound)
{
    char text[LONG];
    CHECK_CASE("%s %s, motion", isa, name);
    struct measured m = measure(write_study(s, rest, text), isa, 1);
    CHECK(m.outcome[0] == ML_FINISHED);
    CHECK_ERROR(trajectory_error(s, &m, interval), bound);
    measured_free(&m);
}

/* n equal masses between walls, n + 1 equal springs: mode p is sin(i p pi/(n + 1)), of frequency
 * 2 sqrt(k/m) sin(p pi/(2 (n + 1))) (Lagrange; e.g. Kotkin, Serbo, Exploring Classical Mechanics,
 * problem 7.1). */
static struct model row_of_masses(int p)
{
    const double pi = 3.14159265358979323846, mass = 0.7, spring = 90.0;
    struct model s = {.n = MOST};
    for (int i = 0; i < MOST; i++) {
        s.m[i * MOST + i] = mass;
        s.k[i * MOST + i] = 2.0 * spring;
        if (i > 0)
            s.k[i * MOST + i - 1] = s.k[(i - 1) * MOST + i] = -spring;
        s.x0[i] = sin((i + 1) * p * pi / (MOST + 1));
    }
    return s;
}

static void a_row_of_masses_swings_at_its_frequencies(void)
{
    const double pi = 3.14159265358979323846, interval = 0.1;
    char text[LONG];
    for (int p = 1; p <= MOST; p++) {
        const struct model s = row_of_masses(p);
        const double omega = 2.0 * sqrt(90.0 / 0.7) * sin(p * pi / (2 * (MOST + 1)));
        double worst = 0.0;
        CHECK_CASE("mode %d", p);
        struct measured m = measure(
            write_study(&s,
                        "time: {step: 2e-4, end: 4}\nsave: {trajectory: {every: 500, quantities: "
                        "[position]}}\n",
                        text),
            NULL, 1);
        const int n_sample = (int)m.results.n_sample;
        for (int at = 0; at < n_sample; at++)
            for (int i = 0; i < MOST; i++)
                worst = fmax(worst, fabs(measured_record(&m, "position", 0)[i * n_sample + at] -
                                         s.x0[i] * cos(omega * at * interval)));
        CHECK(n_sample == 41);
        CHECK_ERROR(worst, 1e-9);
        measured_free(&m);
    }
}

/* The energy is the one that is written out here, and stays. */
static void energy_is_kept_without_dampers(void)
{
    char text[LONG];
    struct model s = gyroscopic;
    CHECK_CASE("energy");
    memset(s.c, 0, sizeof s.c);
    for (int i = 0; i < s.n; i++)
        for (int j = 0; j < i; j++) {
            s.k[i * s.n + j] = s.k[j * s.n + i];
            s.c[i * s.n + j] = 0.3 * (i + 2 * j + 1); /* gyroscopic: does no work */
            s.c[j * s.n + i] = -s.c[i * s.n + j];
        }
    struct measured m = measure(
        write_study(&s,
                    "time: {step: 1e-3, end: 20}\nsave: {trajectory: {every: 1000, quantities: "
                    "[position, velocity, energy, kinetic_energy, potential_energy]}}\n",
                    text),
        NULL, 1);
    const int n_sample = (int)m.results.n_sample;
    const double *q = measured_record(&m, "position", 0), *v = measured_record(&m, "velocity", 0);
    double worst[3] = {0.0, 0.0, 0.0};
    for (int at = 0; at < n_sample; at++) {
        double kinetic = 0.0, potential = 0.0;
        for (int i = 0; i < s.n; i++) {
            potential -= s.f[i] * q[i * n_sample + at];
            for (int j = 0; j < s.n; j++) {
                kinetic += 0.5 * v[i * n_sample + at] * s.m[i * s.n + j] * v[j * n_sample + at];
                potential += 0.5 * q[i * n_sample + at] * s.k[i * s.n + j] * q[j * n_sample + at];
            }
        }
        worst[0] = fmax(worst[0], fabs(measured_record(&m, "kinetic_energy", 0)[at] - kinetic));
        worst[1] = fmax(worst[1], fabs(measured_record(&m, "potential_energy", 0)[at] - potential));
        worst[2] = fmax(worst[2], fabs(measured_record(&m, "energy", 0)[at] - kinetic - potential));
    }
    for (int i = 0; i < 3; i++)
        CHECK_ERROR(worst[i], 1e-15);
    CHECK_ERROR(measured(&m, "energy_drift", 0)[0], 1e-12);
    measured_free(&m);
}

static int compare_descending(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return (p < q) - (p > q);
}

/* Lyapunov exponents are real parts of eigenvalues, and their sum is the trace. Where they are
 * complex the exponents swing within 1/T about their mean. */
static void exponents_are_real_parts_of_eigenvalues(const char *name, const struct model *s,
                                                    const char *rest, double bound,
                                                    double sum_bound)
{
    const int n_x = 2 * s->n;
    double a[MOST_STATE * MOST_STATE], b[MOST_STATE], real[MOST_STATE], trace = 0.0, sum = 0.0;
    lapack_complex_double value[MOST_STATE];
    char text[LONG];
    CHECK_CASE("%s, exponents", name);
    first_order(s, a, b);
    find_eigen(n_x, a, value, NULL);
    struct measured m = measure(write_study(s, rest, text), NULL, 1);
    const double *got = measured(&m, "lyapunov_spectrum", 0);
    for (int i = 0; i < n_x; i++) {
        real[i] = creal(value[i]);
        trace += a[i * n_x + i];
        sum += got[i];
    }
    qsort(real, (size_t)n_x, sizeof *real, compare_descending);
    for (int i = 0; i < n_x; i++)
        CHECK_ERROR(fabs(got[i] - real[i]), bound);
    CHECK_ERROR(fabs(sum / trace - 1.0), sum_bound);
    CHECK_ERROR(fabs(measured(&m, "mean_trace", 0)[0] / trace - 1.0), 1e-14);
    measured_free(&m);
}

/* One number of a model by its path; of a pair of masses the first. */
static double *find_number(struct model *s, const char *path)
{
    static const char *const names[] = {"system.mass",  "system.damping",   "system.stiffness",
                                        "system.force", "initial.position", "initial.velocity"};
    double *const arrays[] = {s->m, s->c, s->k, s->f, s->x0, s->x0 + s->n};
    for (int a = 0; a < 6; a++) {
        const size_t length = strlen(names[a]);
        if (strncmp(path, names[a], length) != 0)
            continue;
        const int row = path[length + 1] - '1';
        return &arrays[a][a < 3 ? row * s->n + path[length + 3] - '1' : row];
    }
    return NULL;
}

/* Moves it, and the other of a pair of masses with it. */
static void move(struct model *s, const char *path, double by)
{
    double *number = find_number(s, path);
    const int at = (int)(number - s->m), i = at / s->n, j = at % s->n;
    *number += by;
    if (number < s->m + s->n * s->n && i != j)
        s->m[j * s->n + i] += by;
}

static void sensitivities_are_those_of_the_solution(const char *isa)
{
    static const char *const paths[] = {
        "system.mass.1.1",      "system.mass.1.3",      "system.mass.3.2",
        "system.damping.1.2",   "system.damping.2.1",   "system.damping.3.3",
        "system.stiffness.1.1", "system.stiffness.2.3", "system.stiffness.3.2",
        "system.force.2",       "initial.position.1",   "initial.velocity.3"};
    enum { N_PATH = sizeof paths / sizeof *paths };
    const int n_x = 2 * gyroscopic.n;
    const double t = 5.0, h = 2e-3;
    char text[LONG], rest[LONG] = "time: {step: 1e-3, end: 5}\nanalyse: {sensitivity: {to: [";
    for (int p = 0; p < N_PATH; p++)
        (void)snprintf(rest + strlen(rest), LONG - strlen(rest), "%s%s", p ? ", " : "", paths[p]);
    (void)strcat(rest, "]}}\n");
    CHECK_CASE("%s sensitivities", isa);
    struct measured m = measure(write_study(&gyroscopic, rest, text), isa, 1);
    double worst = 0.0;
    for (int p = 0; p < N_PATH; p++) {
        static const double shifts[4] = {1.0, -1.0, 2.0, -2.0};
        double x[4][MOST_STATE];
        for (int k = 0; k < 4; k++) {
            struct model moved = gyroscopic;
            move(&moved, paths[p], shifts[k] * h);
            solve_exactly(&moved, t, x[k]);
        }
        for (int i = 0; i < n_x; i++) {
            double near = (x[0][i] - x[1][i]) / (2.0 * h), far = (x[2][i] - x[3][i]) / (4.0 * h);
            double got = measured(&m, "sensitivity", 0)[i * N_PATH + p];
            worst = fmax(worst, fabs(got - (4.0 * near - far) / 3.0));
        }
    }
    CHECK_ERROR(worst, 8e-9);
    measured_free(&m);
}

/* M qdd = C + G + Q + D + E, each as it should be. */
static void terms_balance(void)
{
    const struct model *s = &gyroscopic;
    const int n = s->n;
    char text[LONG];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    double m[9], c[3], g[3], q[3], d[3], e[3], qdd[3], state[6], kinetic, potential;
    const struct ml_terms terms = {m, c, g, q, d, e, qdd};
    CHECK_CASE("terms");
    write_study(s, "time: {step: 1, end: 1}\n", text);
    CHECK(ml_study_load(STUDY_TEXT("test", text), &study, &err) == ML_OK);
    CHECK(ml_ensemble_evaluate(&study->ensemble, 0, &terms, state, &kinetic, &potential, &err) ==
          ML_OK);
    CHECK(memcmp(m, s->m, sizeof m) == 0 && memcmp(state, s->x0, sizeof state) == 0);
    for (int i = 0; i < n; i++) {
        double springs = 0.0, dampers = 0.0, inertia = 0.0;
        for (int j = 0; j < n; j++) {
            springs -= s->k[i * n + j] * s->x0[j];
            dampers -= s->c[i * n + j] * s->x0[n + j];
            inertia += s->m[i * n + j] * qdd[j];
        }
        CHECK(c[i] == 0.0 && g[i] == 0.0 && e[i] == s->f[i]);
        CHECK_ERROR(fabs(q[i] - springs) + fabs(d[i] - dampers), 4e-16);
        CHECK_ERROR(fabs(inertia - springs - dampers - s->f[i]), 2e-15);
    }
    ml_study_free(study);
}

static void an_indefinite_mass_has_no_terms(void)
{
    struct model s = quarter_car;
    char text[LONG];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    double m[4], c[2], g[2], q[2], d[2], e[2], qdd[2], state[4], kinetic, potential;
    const struct ml_terms terms = {m, c, g, q, d, e, qdd};
    CHECK_CASE("terms of an indefinite mass");
    s.m[1] = s.m[2] = 110.0;
    write_study(&s, "time: {step: 1, end: 1}\n", text);
    CHECK(ml_study_load(STUDY_TEXT("test", text), &study, &err) == ML_OK);
    CHECK(ml_ensemble_evaluate(&study->ensemble, 0, &terms, state, &kinetic, &potential, &err) ==
          ML_E_INPUT);
    CHECK(err.text && strstr(err.text, "not positive definite"));
    ml_error_clear(&err);
    ml_study_free(study);
}

/* A swept mass that makes M indefinite ends that run alone; the others have the bits that they have
 * without it. */
static void a_singular_mass_ends_its_run_alone(const char *isa, const char *solver)
{
    char text[LONG], rest[LONG];
    CHECK_CASE("%s %s, singular", isa, solver);
    (void)snprintf(rest, LONG,
                   "time: {step: 1e-3, end: 0.5}\nsolver: %s\nsweep: [{set: system.mass.2.1, "
                   "values: [0, 50, 100, 110, -20, -110]}]\n",
                   solver);
    struct measured all = measure(write_study(&quarter_car, rest, text), isa, 1);
    for (int run = 0; run < 6; run++) {
        static const double values[6] = {0, 50, 100, 110, -20, -110};
        bool is_singular = fabs(values[run]) > sqrt(40.0 * 300.0);
        struct model s = quarter_car;
        (void)snprintf(rest, LONG, "time: {step: 1e-3, end: 0.5}\nsolver: %s\n", solver);
        s.m[1] = s.m[2] = values[run];
        struct measured one = measure(write_study(&s, rest, text), isa, 1);
        CHECK(all.outcome[run] == (is_singular ? ML_SINGULAR_MASS : ML_FINISHED));
        CHECK(one.outcome[0] == all.outcome[run] && one.steps[0] == all.steps[run]);
        CHECK(is_singular ? all.steps[run] == 0
                          : memcmp(measured(&all, "end_position", run),
                                   measured(&one, "end_position", 0), 2 * sizeof(double)) == 0);
        measured_free(&one);
    }
    measured_free(&all);
}

/* Where a kernel of its own is made for n and where none is; with tangents and without. */
static void bits_do_not_depend_on_isa_or_threads(const char *isa)
{
    static const char *const rests[] = {
        "time: {step: 1e-3, end: 0.3}\nsweep: [{set: system.mass.1.1, from: 300, to: 500, count: "
        "40}]\n",
        "time: {step: 1e-3, end: 0.3}\nsweep: [{set: system.stiffness.1.1, from: 1, to: 9, count: "
        "40}]\nanalyse: {lyapunov: {exponents: all}, sensitivity: {to: [system.mass.1.1, "
        "system.stiffness.1.1]}}\n"};
    const struct model row = row_of_masses(2), *const models[] = {&quarter_car, &gyroscopic, &row};
    char text[LONG];
    for (size_t i = 0; i < 2 * sizeof models / sizeof *models; i++) {
        CHECK_CASE("%s, bits of model %zu, tangents %zu", isa, i / 2, i % 2);
        write_study(models[i / 2], rests[i % 2], text);
        struct measured first = measure(text, ml_kernels_at(0)->isa, 1),
                        other = measure(text, isa, 2);
        CHECK(first.outcome[0] == ML_FINISHED && measured_same(&first, &other));
        measured_free(&first);
        measured_free(&other);
    }
}

/* The same motion by another factorisation. */
static void lapack_finds_the_same(void)
{
    char text[LONG], rest[LONG];
    double end[2][6];
    CHECK_CASE("solver: lapacke");
    for (int i = 0; i < 2; i++) {
        (void)snprintf(rest, LONG, "time: {step: 1e-3, end: 5}\nsolver: %s\n",
                       i ? "lapacke" : "interleaved");
        struct measured m = measure(write_study(&gyroscopic, rest, text), NULL, 1);
        memcpy(end[i], measured(&m, "end_position", 0), 3 * sizeof(double));
        memcpy(end[i] + 3, measured(&m, "end_velocity", 0), 3 * sizeof(double));
        measured_free(&m);
    }
    for (int i = 0; i < 6; i++)
        CHECK_ERROR(fabs(end[0][i] - end[1][i]), 1e-15);
}

int main(void)
{
    static const char *const seconds =
        "time: {step: 1e-4, end: 1}\nsave: {trajectory: {every: 500, "
        "quantities: [position, velocity]}}\n";
    static const char *const longer =
        "time: {step: 1e-3, end: 10}\nsave: {trajectory: {every: 500, "
        "quantities: [position, velocity]}}\n";
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        damped_motion_is_exact(k->isa, "quarter car", &quarter_car, seconds, 0.05, 1e-9);
        damped_motion_is_exact(k->isa, "gyroscopic", &gyroscopic, longer, 0.5, 1e-9);
        sensitivities_are_those_of_the_solution(k->isa);
        a_singular_mass_ends_its_run_alone(k->isa, "interleaved");
        bits_do_not_depend_on_isa_or_threads(k->isa);
    }
    a_singular_mass_ends_its_run_alone(NULL, "lapacke");
    lapack_finds_the_same();
    a_row_of_masses_swings_at_its_frequencies();
    energy_is_kept_without_dampers();
    terms_balance();
    an_indefinite_mass_has_no_terms();
    exponents_are_real_parts_of_eigenvalues(
        "slow", &slow,
        "time: {step: 1e-3, end: 90}\nanalyse: {lyapunov: {exponents: all, "
        "transient: 60}}\n",
        1e-9, 1e-9);
    exponents_are_real_parts_of_eigenvalues(
        "gyroscopic", &gyroscopic,
        "time: {step: 2e-3, end: 200}\nanalyse: {lyapunov: {exponents: "
        "all, transient: 50}}\n",
        1e-2, 1e-9);
    return check_done();
}
