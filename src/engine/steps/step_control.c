/* The first step of lanes that choose their steps. */
#include <math.h>
#include <string.h>

#include "engine/team/batch_run.h"

/* The start of a batch, [n_x] rows each. */
struct step_control_start {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_instance model; /* without tangent vectors */
    int n_x;
    double *x, *rate, *further; /* the state, its rate, and that one Euler step further */
};

/* Root of the mean square of rows in units of the tolerance; `from` is taken off if it is not
 * NULL.
 */
static double step_control_norm(const struct step_control_start *s, const double *rows,
                                const double *from, int lane)
{
    const struct ml_control *control = &s->ensemble->chosen.control;
    double sum = 0.0;
    for (int i = 0; i < s->n_x; i++) {
        const int at = i * ML_LANES + lane;
        const double value = from ? rows[at] - from[at] : rows[at];
        const double one = value / (control->absolute + control->relative * fabs(s->x[at]));
        sum += one * one;
    }
    return sqrt(sum / s->n_x);
}

static void step_control_rates(const struct step_control_start *s, const double *t, const double *x,
                               double *rate)
{
    s->batch->kernels.general->rates(&s->model, t, s->batch->constants, x, rate, s->batch->work);
}

/* row^(1 / power) of each lane, by functions that give the same bits everywhere. */
static void step_control_root(const struct ml_kernels *kernels, double power, double *row)
{
    double logarithm[ML_LANES] __attribute__((aligned(64)));
    kernels->log(1, row, logarithm);
    for (int lane = 0; lane < ML_LANES; lane++)
        logarithm[lane] /= power;
    kernels->exp(1, logarithm, row);
}

/* The first guess: a hundredth of the time in which the state would change by its own size. */
static double step_control_guess(const struct step_control_start *s, int lane)
{
    const double size = step_control_norm(s, s->x, NULL, lane),
                 rate = step_control_norm(s, s->rate, NULL, lane);
    return size < 1e-5 || rate < 1e-5 ? 1e-6 : 0.01 * size / rate;
}

/*   most  [ML_LANES] s: no step is longer */
static void step_control_find_steps(const struct step_control_start *s, const double *most,
                                    double *h)
{
    const struct ml_ensemble *e = s->ensemble;
    const struct ml_method *method = e->method;
    struct ml_times t = ml_times(e->time.start);
    double guess[ML_LANES], root[ML_LANES] __attribute__((aligned(64)));
    memcpy(s->x, s->batch->x, (size_t)s->n_x * ML_LANES * sizeof *s->x);
    step_control_rates(s, t.lane, s->x, s->rate);
    for (int lane = 0; lane < ML_LANES; lane++) {
        guess[lane] = fmin(step_control_guess(s, lane), most[lane]);
        t.lane[lane] += guess[lane];
        for (int i = 0; i < s->n_x; i++)
            s->batch->x_before[i * ML_LANES + lane] =
                fma(guess[lane], s->rate[i * ML_LANES + lane], s->x[i * ML_LANES + lane]);
    }
    step_control_rates(s, t.lane, s->batch->x_before, s->further);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double bend = step_control_norm(s, s->further, s->rate, lane) / guess[lane];
        const double largest = fmax(step_control_norm(s, s->rate, NULL, lane), bend);
        root[lane] = largest > 1e-15 ? 0.01 / largest : 1e100;
    }
    step_control_root(e->kernels, method->order + 1.0, root);
    for (int lane = 0; lane < ML_LANES; lane++) {
        h[lane] = fmin(fmin(100.0 * guess[lane], root[lane]), most[lane]);
        if (!(h[lane] > 0.0)) /* the rates are no numbers: the first tries tell */
            h[lane] = 1e-6;
    }
}

void ml_step_control_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                           int64_t first, int n)
{
    if (!ensemble->time.is_adaptive)
        return;
    const int n_x = ml_n_x(&ensemble->model);
    const size_t size = (size_t)n_x * ML_LANES;
    struct step_control_start s = {
        .ensemble = ensemble, .batch = batch, .model = ensemble->model, .n_x = n_x};
    double *rows = batch->step_control, *most = rows + ML_STEP_CONTROL_MOST * ML_LANES;
    s.model.n_column = s.model.n_sens = 0;
    s.x = batch->step_control + ML_N_STEP_CONTROL * ML_LANES;
    s.rate = s.x + size;
    s.further = s.rate + size;
    memset(rows, 0, ML_N_STEP_CONTROL * ML_LANES * sizeof *rows);
    for (int lane = 0; lane < ML_LANES; lane++) {
        rows[ML_STEP_CONTROL_TIME * ML_LANES + lane] = ensemble->time.start;
        most[lane] = ensemble->chosen.control.step_max;
        if (ensemble->chosen.most && lane < n)
            most[lane] = fmin(most[lane], ensemble->chosen.most[first + lane]);
        rows[ML_STEP_CONTROL_STEP * ML_LANES + lane] = fmin(ensemble->chosen.first, most[lane]);
    }
    if (!(ensemble->chosen.first > 0.0))
        step_control_find_steps(&s, most, rows + ML_STEP_CONTROL_STEP * ML_LANES);
}
