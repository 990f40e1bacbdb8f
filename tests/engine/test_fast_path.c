/* The unrolled kernels leave rare lanes (fast turns, far angles) to the general one: what a lane
 * gets must not depend on which of them took it, nor on its neighbours. */
#include <string.h>

#include "check.h"
#include "engine/assess/evaluate.h"
#include "engine/team/ensemble.h"
#include "engine/team/team.h"
#include "simd/trig.h"

/* Numbers of a chain besides those of its segments: gravity, its components, energy, body. */
enum { N_PARAM = 6 };

enum { MAX_N = 6, N_RUN = 2 * ML_LANES, MAX_ROWS = MAX_N * N_RUN };

/* What one call leaves: end_angle and end_rate of every run. */
struct ends {
    double angle[MAX_ROWS], rate[MAX_ROWS];
    int n;
};

/* The runs, and one that differs: its index, its first segment's rate and angle. */
struct setting {
    int n, odd;
    double rate, angle;
    enum ml_solver_kind solver;
};

static void values(const void *context, int64_t run, double *v)
{
    const struct setting *setting = context;
    const int n = setting->n;
    double *angle = v + N_PARAM + 4 * n, *rate = angle + n;
    v[0] = 9.81;
    for (int p = 1; p < N_PARAM; p++)
        v[p] = (double)NAN;
    for (int i = 0; i < n; i++) {
        double *segment = v + N_PARAM + 4 * i;
        segment[0] = 0.5 + 0.1 * i;
        segment[1] = 1.0;
        segment[2] = segment[3] = (double)NAN;
        angle[i] = 1.0 + 0.05 * (double)run + 0.3 * i;
        rate[i] = 0.5 * (i + 1);
    }
    if (run == setting->odd) {
        angle[0] = setting->angle;
        rate[0] = setting->rate;
    }
}

static enum ml_status put(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ends *ends = context;
    size_t at = (size_t)(block->first * ends->n), size = (size_t)(block->n_run * ends->n);
    (void)err;
    memcpy(ends->angle + at, block->summary[2], size * sizeof(double));
    memcpy(ends->rate + at, block->summary[3], size * sizeof(double));
    return ML_OK;
}

static struct ml_ensemble ensemble_of(const struct ml_kernels *k, const struct setting *setting)
{
    return (struct ml_ensemble){
        .method = ml_methods[0],
        .kernels = k,
        .model = {.system = k->registry->systems[0], .n = setting->n, .solver = setting->solver},
        .numbers.n = N_PARAM + 6 * setting->n,
        .time.step = 1e-3,
        .time.n_step = 60,
        .indicators.observe_every = 60,
        .saving = {.run_every = 1},
        .n_run = N_RUN,
        .block_runs = ML_LANES,
        .numbers.values = values,
        .numbers.context = setting,
    };
}

static void run(const struct ml_kernels *k, const struct setting *setting, struct ends *ends)
{
    struct ml_error err = {0};
    struct ml_ensemble e = ensemble_of(k, setting);
    struct ml_ensemble_options options = {.n_thread = 1};
    struct ml_sink sink = {.context = ends, .put = put};
    for (int i = 0; i < MAX_ROWS; i++)
        ends->angle[i] = ends->rate[i] = (double)NAN;
    ends->n = setting->n;
    CHECK(ml_ensemble_run(&e, &options, &sink, &err) == ML_OK);
}

/* Turns of 0.02, 0.11 (about the limit), 0.2 and 1 rad a step (which diverges for longer chains),
 * and angles beyond the fast reduction. */
static const struct setting odd_runs[] = {
    {.rate = 20.0, .angle = 0.5},   {.rate = 108.0, .angle = 0.5},  {.rate = 111.0, .angle = 0.5},
    {.rate = 200.0, .angle = 0.5},  {.rate = 1000.0, .angle = 0.5}, {.rate = 1.0, .angle = 3e5},
    {.rate = 220.0, .angle = -2e9},
};

static void a_neighbour_does_not_change_a_bit(const struct ml_kernels *k, int n,
                                              enum ml_solver_kind solver)
{
    static struct ends plain, mixed;
    struct setting none = {.n = n, .odd = -1, .solver = solver};
    run(k, &none, &plain);
    for (size_t c = 0; c < sizeof odd_runs / sizeof *odd_runs; c++)
        for (int odd = 0; odd < N_RUN; odd += 3) {
            struct setting setting = odd_runs[c];
            CHECK_CASE("%s %s n=%d rate %g angle %g in run %d", k->isa, k->solvers[solver].name, n,
                       setting.rate, setting.angle, odd);
            setting.n = n;
            setting.solver = solver;
            setting.odd = odd;
            run(k, &setting, &mixed);
            CHECK(mixed.angle[odd * n] != plain.angle[odd * n]);
            memcpy(mixed.angle + odd * n, plain.angle + odd * n, (size_t)n * sizeof(double));
            memcpy(mixed.rate + odd * n, plain.rate + odd * n, (size_t)n * sizeof(double));
            CHECK(memcmp(mixed.angle, plain.angle, sizeof(double) * (size_t)(N_RUN * n)) == 0);
            CHECK(memcmp(mixed.rate, plain.rate, sizeof(double) * (size_t)(N_RUN * n)) == 0);
        }
}

/* The odd run itself: same bits in every lane and on every instruction set. */
static void the_odd_run_is_the_same_everywhere(const struct ml_kernels *k, int n,
                                               enum ml_solver_kind solver)
{
    static struct ends first, other;
    for (size_t c = 0; c < sizeof odd_runs / sizeof *odd_runs; c++) {
        struct setting setting = odd_runs[c];
        setting.n = n;
        setting.solver = solver;
        setting.odd = 0;
        run(ml_kernels_at(0), &setting, &first);
        run(k, &setting, &other);
        CHECK_CASE("%s %s n=%d rate %g angle %g", k->isa, k->solvers[solver].name, n, setting.rate,
                   setting.angle);
        CHECK(memcmp(first.angle, other.angle, sizeof(double) * (size_t)(N_RUN * n)) == 0);
        CHECK(memcmp(first.rate, other.rate, sizeof(double) * (size_t)(N_RUN * n)) == 0);
    }
}

/* q'' = -(3 g / 2 l) sin q, the rod on one hinge, with the C library's sine. */
static void plain_rk4(double *q, double *w)
{
    const double k = 1.5 * 9.81 / 0.5, h = 1e-3;
    for (int step = 0; step < 60; step++) {
        double w1 = *w, a1 = -k * sin(*q);
        double w2 = *w + 0.5 * h * a1, a2 = -k * sin(*q + 0.5 * h * w1);
        double w3 = *w + 0.5 * h * a2, a3 = -k * sin(*q + 0.5 * h * w2);
        double w4 = *w + h * a3, a4 = -k * sin(*q + h * w3);
        *q += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
        *w += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
}

static void large_turns_and_far_angles_are_as_accurate_as_small_ones(const struct ml_kernels *k)
{
    static struct ends ends;
    for (size_t c = 0; c < sizeof odd_runs / sizeof *odd_runs; c++) {
        struct setting setting = odd_runs[c];
        double q = setting.angle, w = setting.rate;
        setting.n = 1;
        run(k, &setting, &ends);
        plain_rk4(&q, &w);
        CHECK_CASE("%s n=1 rate %g angle %g", k->isa, setting.rate, setting.angle);
        CHECK_ERROR(fabs(ends.angle[0] - q) / fmax(fabs(q), 1.0), 2e-15);
        CHECK_ERROR(fabs(ends.rate[0] - w) / fabs(w), 2e-15);
    }
}

/* q'' = -(3 g / 2 l) sin q, and no number where an angle has no sine. */
static void a_single_evaluation_takes_any_angle(const struct ml_kernels *k)
{
    static const double angles[] = {0.5, 99999.0, 3e5, -2e9, 2e15};
    double m, c, g, q, d, e, qdd, state[2], kinetic, potential;
    struct ml_terms terms = {.m = &m, .c = &c, .g = &g, .q = &q, .d = &d, .e = &e, .qdd = &qdd};
    struct ml_error err = {0};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        struct setting setting = {.n = 1, .odd = 0, .angle = angles[i]};
        struct ml_ensemble one = ensemble_of(k, &setting);
        CHECK_CASE("%s angle %g", k->isa, angles[i]);
        CHECK(ml_ensemble_evaluate(&one, 0, &terms, state, &kinetic, &potential, &err) == ML_OK);
        if (angles[i] > ML_ANGLE_MAX)
            CHECK(isnan(qdd));
        else
            CHECK_ERROR(fabs(qdd + 29.43 * sin(angles[i])) / 29.43, 1e-15);
    }
}

int main(void)
{
    const struct ml_kernels *k;
    for (int i = 0; (k = ml_kernels_at(i)); i++) {
        a_single_evaluation_takes_any_angle(k);
        large_turns_and_far_angles_are_as_accurate_as_small_ones(k);
        for (int n = 1; n <= MAX_N; n++) {
            a_neighbour_does_not_change_a_bit(k, n, ML_SOLVER_interleaved);
            the_odd_run_is_the_same_everywhere(k, n, ML_SOLVER_interleaved);
            a_neighbour_does_not_change_a_bit(k, n, ML_SOLVER_recursive);
            the_odd_run_is_the_same_everywhere(k, n, ML_SOLVER_recursive);
        }
    }
    return check_done();
}
