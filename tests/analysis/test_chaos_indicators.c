/* Indicators of chaos against the state transition matrix itself, which LAPACK takes apart, and
 * against what is known of regular motion. */
#include <lapacke.h>
#include <math.h>

#include "engine/team/batch_run.h"
#include "measured.h"

enum { N_X = 4 };

static const char *const chaotic =
    "manylink: 1\n"
    "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
    "initial: {angle: [2, 1], rate: [0.5, -1]}\n"
    "time: {step: 0.002, end: 3}\n"
    "analyse:\n"
    "  ftle: {renormalise: 0.05}\n"
    "  gali: {vectors: 3}\n"
    "  fli: {}\n"
    "  megno: {}\n";

/* A batch of the study's first run whose vectors nobody makes orthonormal. */
static struct ml_batch bare_batch(const struct ml_study *study, struct ml_ensemble *bare,
                                  struct ml_arena *arena)
{
    struct ml_batch batch;
    *bare = study->ensemble;
    *arena = (struct ml_arena){0};
    bare->indicators.n_tangent = 0;
    bare->indicators.settings = NULL;
    ml_batch_layout(bare, arena, &batch);
    CHECK(ml_arena_reserve(arena));
    ml_batch_layout(bare, arena, &batch);
    ml_batch_load(bare, &batch, 0, 1);
    return batch;
}

static void advance(const struct ml_ensemble *bare, struct ml_batch *batch, int64_t k,
                    int64_t n_step)
{
    (void)ml_batch_advance(bare, batch, 1.0, k, n_step, ML_ALL_LANES);
}

/* The state transition matrix from the start to step n, [column][row]. */
static void transition(const struct ml_study *study, int64_t n_step, double phi[N_X * N_X])
{
    struct ml_ensemble bare;
    struct ml_arena arena;
    struct ml_batch batch = bare_batch(study, &bare, &arena);
    advance(&bare, &batch, 0, n_step);
    for (int i = 0; i < N_X * N_X; i++)
        phi[i] = batch.x[(N_X + i) * ML_LANES];
    ml_arena_free(&arena);
}

static double length(const double *column)
{
    return sqrt(column[0] * column[0] + column[1] * column[1] + column[2] * column[2] +
                column[3] * column[3]);
}

/* Volume spanned by the first k columns, each scaled to length 1: from the diagonal of QR. */
static double volume(const double *phi, int k)
{
    double a[N_X * N_X], tau[N_X], product = 1.0;
    for (int c = 0; c < k; c++)
        for (int i = 0; i < N_X; i++)
            a[c * N_X + i] = phi[c * N_X + i] / length(phi + c * N_X);
    CHECK(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, N_X, k, a, N_X, tau) == 0);
    for (int c = 0; c < k; c++)
        product *= fabs(a[c * N_X + c]);
    return product;
}

static double least_alignment(const double *phi)
{
    double plus[N_X], minus[N_X];
    for (int i = 0; i < N_X; i++) {
        plus[i] = phi[i] / length(phi) + phi[N_X + i] / length(phi + N_X);
        minus[i] = phi[i] / length(phi) - phi[N_X + i] / length(phi + N_X);
    }
    return fmin(length(plus), length(minus));
}

static double relative(double a, double b) { return fabs(a - b) / fabs(b); }

static void they_agree_with_the_transition_matrix(void)
{
    struct measured m = measure(chaotic, NULL, 1);
    double phi[N_X * N_X], kept[N_X * N_X], s[N_X], rest[N_X];
    transition(m.study, m.study->ensemble.time.n_step, phi);
    CHECK_ERROR(relative(measured(&m, "gali", 0)[0], volume(phi, 3)), 1e-11);
    CHECK_ERROR(relative(measured(&m, "sali", 0)[0], least_alignment(phi)), 5e-14);
    memcpy(kept, phi, sizeof kept);
    CHECK(LAPACKE_dgesvd(LAPACK_COL_MAJOR, 'N', 'N', N_X, N_X, kept, N_X, s, NULL, 1, NULL, 1,
                         rest) == 0);
    CHECK_ERROR(relative(measured(&m, "ftle", 0)[0], log(s[0]) / 3.0), 2e-15);
    double largest = 0.0;
    for (int k = 25; k <= 1500; k += 25) {
        transition(m.study, k, phi);
        largest = fmax(largest, log(length(phi)));
    }
    CHECK_ERROR(relative(measured(&m, "fli", 0)[0], largest), 1e-14);
    measured_free(&m);
}

static void a_window_is_part_of_the_run(void)
{
    static const char *const text =
        "manylink: 1\n"
        "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
        "initial: {angle: [2, 1], rate: [0.5, -1]}\n"
        "time: {step: 0.002, end: %g}\n"
        "analyse: {ftle: {renormalise: 0.05, window: 1.5}}\n";
    char one[512], other[512];
    (void)snprintf(one, sizeof one, text, 1.5);
    (void)snprintf(other, sizeof other, text, 3.0);
    struct measured a = measure(one, NULL, 1), b = measure(other, NULL, 1);
    struct measured whole = measure(chaotic, NULL, 1);
    CHECK(measured(&a, "ftle", 0)[0] == measured(&b, "ftle", 0)[0]);
    CHECK(measured(&a, "ftle", 0)[0] != measured(&whole, "ftle", 0)[0]);
    measured_free(&a);
    measured_free(&b);
    measured_free(&whole);
}

/* 2 in regular motion; in chaos half of what grew. */
static void megno_tells_regular_from_chaotic(void)
{
    static const char *const text =
        "manylink: 1\n"
        "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
        "initial: {angle: [0.7, 0.9]}\n"
        "time: {step: 0.01, end: 400}\n"
        "sweep: [{set: initial.angle.1, values: [0.7, 2.5]}]\n"
        "analyse: {megno: {renormalise: 0.1}, lyapunov: {exponents: 1}}\n";
    struct measured m = measure(text, NULL, 1);
    CHECK_ERROR(fabs(measured(&m, "megno", 0)[0] - 2.0), 0.2);
    CHECK_ERROR(
        relative(measured(&m, "megno", 1)[0], measured(&m, "lyapunov_max", 1)[0] * 400.0 / 2.0),
        0.2);
    measured_free(&m);
}

/* Its definition, integrated by parts, int (d'/d) s ds = t ln d - int ln d ds, over the steps. */
static void megno_is_what_its_definition_says(void)
{
    static const char *const text =
        "manylink: 1\n"
        "system: {type: chain, segments: [{length: 1, mass: 1}, {length: 0.5, mass: 1}]}\n"
        "initial: {angle: [0.7, 0.9]}\n"
        "time: {step: 0.0025, end: 10}\n"
        "analyse: {megno: {renormalise: 0.02}}\n";
    struct measured m = measure(text, NULL, 1);
    struct ml_ensemble bare;
    struct ml_arena arena;
    struct ml_batch batch = bare_batch(m.study, &bare, &arena);
    double before = 0.0, y_before = 0.0, integral = 0.0, mean = 0.0, column[N_X];
    for (int64_t k = 1; k <= bare.time.n_step; k++) {
        advance(&bare, &batch, k - 1, 1);
        for (int i = 0; i < N_X; i++)
            column[i] = batch.x[(N_X + i) * ML_LANES];
        double t = (double)k * bare.time.step, now = log(length(column));
        integral += 0.5 * bare.time.step * (before + now);
        double y = 2.0 / t * (t * now - integral);
        mean += 0.5 * bare.time.step * (y_before + y) / 10.0;
        before = now;
        y_before = y;
    }
    CHECK_ERROR(fabs(measured(&m, "megno", 0)[0] - mean), 5e-3);
    ml_arena_free(&arena);
    measured_free(&m);
}

int main(void)
{
    they_agree_with_the_transition_matrix();
    a_window_is_part_of_the_run();
    megno_tells_regular_from_chaotic();
    megno_is_what_its_definition_says();
    return check_done();
}
