#include "inverse/worker.h"

enum { SINE, COSINE, RATE, ACCELERATION, N_NOW };

static void lay_out(struct ml_worker *w, int n)
{
    const size_t row = ML_LANES * sizeof(double), count = (size_t)n;
    w->angle = ml_arena_take(&w->arena, count, row);
    w->sine = ml_arena_take(&w->arena, count, row);
    w->cosine = ml_arena_take(&w->arena, count, row);
    for (int i = 0; i < N_NOW; i++)
        w->now[i] = ml_arena_take(&w->arena, count, sizeof(double));
    w->work = ml_arena_take(&w->arena, ML_DYNAMICS_ROWS * count, sizeof(double));
    for (int p = 0; p < ML_N_TORQUE; p++)
        w->load[p] = ml_arena_take(&w->arena, count, sizeof(double));
    w->coupling =
        n > ML_MOST_COUPLED ? NULL : ml_arena_take(&w->arena, count * count, sizeof(double));
    w->force = ml_arena_take(&w->arena, count, sizeof *w->force);
}

bool ml_worker_init(struct ml_worker *worker, const struct ml_ensemble *ensemble)
{
    *worker = (struct ml_worker){0};
    lay_out(worker, ensemble->shape.n);
    if (!ml_bodies_init(&worker->bodies, ensemble) || !ml_arena_reserve(&worker->arena))
        return false;
    lay_out(worker, ensemble->shape.n);
    return true;
}

void ml_worker_free(struct ml_worker *worker)
{
    ml_bodies_free(&worker->bodies);
    ml_arena_free(&worker->arena);
}

/* Absolute angles of the instants from k on, the last one again where there are no more. */
static void fill_angles(struct ml_worker *w, int64_t n_time, int64_t k, const double *angle)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        int64_t at = k + lane < n_time ? k + lane : n_time - 1;
        double sum = 0.0;
        for (int i = 0; i < w->bodies.n; i++) {
            sum = angle[i * n_time + at] + (w->bodies.is_joint ? sum : 0.0);
            w->angle[i * ML_LANES + lane] = sum;
        }
    }
}

/* One instant of the lanes. */
static void fill_now(struct ml_worker *w, int64_t n_time, int64_t k, int lane,
                     double *const sets[ML_N_SET])
{
    const double *rate = sets[ML_SET_MOTION + ML_MOTION_RATE] + k;
    const double *acceleration = sets[ML_SET_MOTION + ML_MOTION_ACCELERATION] + k;
    double turn = 0.0, turn_of_turn = 0.0;
    for (int i = 0; i < w->bodies.n; i++) {
        turn = rate[i * n_time] + (w->bodies.is_joint ? turn : 0.0);
        turn_of_turn = acceleration[i * n_time] + (w->bodies.is_joint ? turn_of_turn : 0.0);
        w->now[SINE][i] = w->sine[i * ML_LANES + lane];
        w->now[COSINE][i] = w->cosine[i * ML_LANES + lane];
        w->now[RATE][i] = turn;
        w->now[ACCELERATION][i] = turn_of_turn;
    }
}

/* Copies n numbers of one instant to their rows over time. */
static void spread(int64_t n, const double *from, int64_t n_time, double *to)
{
    for (int64_t i = 0; to && i < n; i++)
        to[i * n_time] = from[i];
}

static void write_instant(const struct ml_worker *w, int64_t n_time, int64_t k,
                          double *const sets[ML_N_SET])
{
    const int n = w->bodies.n;
    for (int p = 0; p < ML_N_TORQUE; p++)
        spread(n, w->load[p], n_time, sets[p] + k);
    if (w->coupling)
        spread((int64_t)n * n, w->coupling, n_time, sets[ML_SET_COUPLING] + k);
    spread((int64_t)n * 2, w->force[0], n_time, sets[ML_SET_FORCE] + k);
}

void ml_worker_solve(struct ml_worker *worker, const struct ml_ensemble *ensemble, int64_t n_time,
                     double *const sets[ML_N_SET])
{
    struct ml_worker *w = worker;
    /* Forces that act on segments add their part to `load` here. */
    const struct ml_instant instant = {.sine = w->now[SINE],
                                       .cosine = w->now[COSINE],
                                       .rate = w->now[RATE],
                                       .acceleration = w->now[ACCELERATION],
                                       .load = NULL};
    struct ml_joint_loads out = {.coupling = w->coupling, .force = w->force};
    for (int p = 0; p < ML_N_TORQUE; p++)
        out.torque[p] = w->load[p];
    for (int64_t k = 0; k < n_time; k++) {
        int lane = (int)(k % ML_LANES);
        if (lane == 0) {
            fill_angles(w, n_time, k, sets[ML_SET_MOTION + ML_MOTION_ANGLE]);
            ensemble->kernels->sincos(w->bodies.n, w->angle, w->sine, w->cosine);
        }
        fill_now(w, n_time, k, lane, sets);
        ml_inverse_dynamics(&w->bodies, &instant, w->work, &out);
        write_instant(w, n_time, k, sets);
    }
}
