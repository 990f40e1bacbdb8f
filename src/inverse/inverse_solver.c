/* Computes all torques of one motion sample by sample, in memory of one thread. */
#include "inverse/inverse_solver.h"

#include <string.h>

enum { BASE_ACCELERATION = 4, N_BASE = 6 }; /* place, velocity and acceleration, x and y each */

static bool has_laws(const struct ml_instance *model)
{
    for (int l = 0; l < model->n_law; l++)
        if (model->laws[l].is_external || model->laws[l].is_passive)
            return true;
    return false;
}

static void inverse_solver_lay_out(struct ml_inverse_solver *w, const struct ml_ensemble *e)
{
    const int n = e->model.n;
    const size_t row = ML_LANES * sizeof(double), count = (size_t)n;
    w->x = ml_arena_take(&w->arena, 2 * count, row);
    w->sine = ml_arena_take(&w->arena, count, row);
    w->cosine = ml_arena_take(&w->arena, count, row);
    w->acceleration = ml_arena_take(&w->arena, count, row);
    w->work = ml_arena_take(&w->arena, ML_DYNAMICS_ROWS * count, row);
    w->law_work =
        ml_arena_take(&w->arena, (size_t)e->model.system->dynamics.rhs_rows(&e->model), row);
    w->times = ml_arena_take(&w->arena, 1, row);
    w->base = ml_arena_take(&w->arena, N_BASE, row);
    w->law_load = ml_arena_take(&w->arena, 3 * count, row);
    w->law_passive = ml_arena_take(&w->arena, count, row);
    w->law_field = ml_arena_take(&w->arena, 2, row);
    for (int p = 0; p < ML_N_TORQUE; p++)
        w->load[p] = ml_arena_take(&w->arena, count, row);
    w->coupling = n > ML_MAX_COUPLED ? NULL : ml_arena_take(&w->arena, count * count, row);
    w->force = ml_arena_take(&w->arena, 2 * count, row);
}

bool ml_inverse_solver_init(struct ml_inverse_solver *solver, const struct ml_ensemble *ensemble)
{
    *solver = (struct ml_inverse_solver){.has_laws = has_laws(&ensemble->model)};
    inverse_solver_lay_out(solver, ensemble);
    if (!ml_segment_params_init(&solver->segments, ensemble) || !ml_arena_reserve(&solver->arena))
        return false;
    inverse_solver_lay_out(solver, ensemble);
    return true;
}

void ml_inverse_solver_free(struct ml_inverse_solver *solver)
{
    ml_segment_params_free(&solver->segments);
    ml_arena_free(&solver->arena);
}

/* Absolute angles, or rates, of the instants from k on, the last one again where there are no more.
 */
static void fill_lanes(const struct ml_segment_params *b, int64_t n_time, int64_t k,
                       const double *from, double *to)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        int64_t at = k + lane < n_time ? k + lane : n_time - 1;
        double sum = 0.0;
        for (int i = 0; i < b->n; i++) {
            sum = from[i * n_time + at] + (b->is_joint ? sum : 0.0);
            to[i * ML_LANES + lane] = sum;
        }
    }
}

static void fill_x(struct ml_inverse_solver *w, int64_t n_time, int64_t k,
                   double *const sets[ML_N_SET])
{
    const struct ml_segment_params *b = &w->segments;
    fill_lanes(b, n_time, k, sets[ML_SET_MOTION + ML_MOTION_ANGLE], w->x);
    fill_lanes(b, n_time, k, sets[ML_SET_MOTION + ML_MOTION_RATE], w->x + b->n * ML_LANES);
    fill_lanes(b, n_time, k, sets[ML_SET_MOTION + ML_MOTION_ACCELERATION], w->acceleration);
}

/* Copies n rows of the instants from k on to the rows over time. */
static void spread(int64_t n, const double *from, int64_t n_time, int64_t k, double *to)
{
    const int64_t left = n_time - k < ML_LANES ? n_time - k : ML_LANES;
    for (int64_t i = 0; i < n; i++)
        memcpy(to + i * n_time + k, from + i * ML_LANES, (size_t)left * sizeof *to);
}

static void write_instants(const struct ml_inverse_solver *w, int64_t n_time, int64_t k,
                           double *const sets[ML_N_SET])
{
    const int n = w->segments.n;
    double *const *load = w->load;
    for (int p = 0; p < ML_N_TORQUE; p++)
        if (sets[p])
            spread(n, load[p], n_time, k, sets[p]);
    if (w->coupling && sets[ML_SET_COUPLING])
        spread((int64_t)n * n, w->coupling, n_time, k, sets[ML_SET_COUPLING]);
    if (sets[ML_SET_FORCE])
        spread((int64_t)n * 2, w->force, n_time, k, sets[ML_SET_FORCE]);
    for (int i = 0; i < n * ML_LANES && sets[ML_SET_INTERACTION]; i++)
        w->work[i] =
            load[ML_TORQUE_INERTIA][i] - load[ML_TORQUE_OWN][i] + load[ML_TORQUE_VELOCITY][i];
    if (sets[ML_SET_INTERACTION])
        spread(n, w->work, n_time, k, sets[ML_SET_INTERACTION]);
}

/* Times and the path of the first joint, which may be NULL, of the instants from k on. */
static void fill_base(struct ml_inverse_solver *w, int64_t n_time, int64_t k, const double *time,
                      double *const sets[ML_N_SET])
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        const int64_t at = k + lane < n_time ? k + lane : n_time - 1;
        w->times[lane] = time[at];
        for (int d = 0; d < N_BASE; d++) {
            const double *path = sets[ML_SET_MOTION + ML_MOTION_BASE + d / 2];
            w->base[d * ML_LANES + lane] = path ? path[d % 2 * n_time + at] : 0.0;
        }
    }
}

/* Whether part p of the torques is kept, or needed for a kept dataset. */
static bool is_wanted(int p, double *const sets[ML_N_SET])
{
    const bool is_of_all = p == ML_TORQUE_ALL || p == ML_TORQUE_DAMPING || p == ML_TORQUE_PASSIVE;
    const bool is_of_interaction =
        p == ML_TORQUE_INERTIA || p == ML_TORQUE_OWN || p == ML_TORQUE_VELOCITY;
    return sets[p] || is_of_all || (is_of_interaction && sets[ML_SET_INTERACTION]);
}

void ml_inverse_solver_solve(struct ml_inverse_solver *solver, const struct ml_ensemble *ensemble,
                             int64_t n_time, const double *time, double *const sets[ML_N_SET])
{
    struct ml_inverse_solver *w = solver;
    const struct ml_instants instants = {.sine = w->sine,
                                         .cosine = w->cosine,
                                         .rate = w->x + w->segments.n * ML_LANES,
                                         .acceleration = w->acceleration,
                                         .base = w->base + BASE_ACCELERATION * ML_LANES,
                                         .field = w->has_laws ? w->law_field : NULL,
                                         .load = w->has_laws ? w->law_load : NULL,
                                         .passive = w->has_laws ? w->law_passive : NULL};
    const struct ml_loads loads = {w->times, sets[ML_SET_MOTION + ML_MOTION_BASE] ? w->base : NULL,
                                   w->law_load, w->law_passive, w->law_field};
    struct ml_joint_loads out = {.coupling = sets[ML_SET_COUPLING] ? w->coupling : NULL,
                                 .force = sets[ML_SET_FORCE] ? w->force : NULL};
    for (int p = 0; p < ML_N_TORQUE; p++)
        out.torque[p] = is_wanted(p, sets) ? w->load[p] : NULL;
    struct ml_instance model = ensemble->model;
    for (int64_t k = 0; k < n_time; k += ML_LANES) {
        fill_x(w, n_time, k, sets);
        fill_base(w, n_time, k, time, sets);
        ensemble->kernels->sincos(w->segments.n, w->x, w->sine, w->cosine);
        if (w->windows)
            model.laws = w->windows + k / ML_LANES * model.n_law;
        if (w->has_laws)
            model.system->forces.loads(&model, w->segments.constants, w->x, w->law_work, &loads);
        ml_inverse_dynamics(&w->segments, &instants, w->work, &out);
        write_instants(w, n_time, k, sets);
    }
}
