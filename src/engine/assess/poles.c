/* Poles of closed control loops: eigenvalues of the matrix of the states, or of sampled loops of
 * the matrix of the states and of held rates that are on their way. With the characteristic matrix
 * of sampled_loop.h, rates seen `lag` samples before are kept until they act:
 *
 *   x   <- step x + held f                              f = own x + those of lag 0 + q_1
 *   q_m <- q_m+1 + those of lag m by x and f
 *
 * A loop with delays in continuous time has no such matrix. */
#include <math.h>
#include <string.h>

#include "engine/assess/loop_measures.h"
#include "engine/assess/loop_response.h"
#include "linalg/eigenvalues.h"
#include "linalg/lu.h"

/* Adds to row i of the matrix f of row n + c times `factor`. */
static void add_held(const struct ml_loop_work *w, int i, int c, int n_row, double factor)
{
    const int n = w->loop.n, n_x = w->loop.n_x, size = n_x * n_x;
    double complex *row = w->companion + (size_t)i * (size_t)n_row;
    for (int k = 0; k < n_x; k++)
        row[k] += factor * w->sampled.own[(n + c) * n_x + k];
    for (int j = 0; j < w->loop.n_controller; j++)
        for (int k = 0; w->sampled.lag[j] == 0 && k < n_x; k++)
            row[k] += factor * w->sampled.of_state[j * size + (n + c) * n_x + k];
    if (n_row > n_x)
        row[n_x + c] += factor;
}

/* Row i, q_m of row n + c: those of controllers whose lag is m. */
static void add_late(const struct ml_loop_work *w, int i, int m, int c, int n_row)
{
    const int n = w->loop.n, n_x = w->loop.n_x, size = n_x * n_x;
    double complex *row = w->companion + (size_t)i * (size_t)n_row;
    if (i + w->sampled.n_held < n_row)
        row[i + w->sampled.n_held] += 1.0;
    for (int j = 0; j < w->loop.n_controller; j++) {
        const double *state = w->sampled.of_state + j * size + (n + c) * n_x;
        const double *held = w->sampled.of_held + j * size + (n + c) * n_x;
        if (w->sampled.lag[j] != m)
            continue;
        for (int k = 0; k < n_x; k++)
            row[k] += state[k];
        for (int k = n; k < n_x; k++)
            add_held(w, i, k - n, n_row, held[k]);
    }
}

/* The matrix of a sampled loop; returns its rows, 0 if there is no room for them: the delay is a
 * formula, and the plan did not look at the run. */
static int write_sampled(struct ml_loop_work *w)
{
    const struct ml_sampled_loop *s = &w->sampled;
    const int n = w->loop.n, n_x = w->loop.n_x;
    int most = 0;
    for (int k = 0; k < w->loop.n_controller; k++)
        most = s->lag[k] > most ? s->lag[k] : most;
    if (s->n_held > 0 && most > (w->n_companion - n_x) / s->n_held)
        return 0;
    const int n_row = n_x + most * s->n_held;
    memset(w->companion, 0, (size_t)n_row * (size_t)n_row * sizeof *w->companion);
    for (int i = 0; i < n_x; i++) {
        for (int c = 0; c < n_x; c++)
            w->companion[i * n_row + c] += s->step[i * n_x + c];
        for (int c = n; c < n_x; c++)
            add_held(w, i, c - n, n_row, s->held[i * n_x + c]);
    }
    for (int m = 1; m <= most; m++)
        for (int c = 0; c < s->n_held; c++)
            add_late(w, n_x + (m - 1) * s->n_held + c, m, c, n_row);
    return n_row;
}

/* Takes the rows and columns of idle states out of the matrix; returns the rows left. */
static int drop_idle(struct ml_loop_work *w, int n_row)
{
    int n_left = 0;
    for (int i = 0; i < n_row; i++) {
        if (i < w->loop.n_x && w->loop.is_idle[i])
            continue;
        int at = 0;
        for (int c = 0; c < n_row; c++)
            if (!(c < w->loop.n_x && w->loop.is_idle[c]))
                w->companion[n_left * n_row + at++] = w->companion[i * n_row + c];
        n_left++;
    }
    for (int i = 1; i < n_left; i++)
        memmove(w->companion + (size_t)(i * n_left), w->companion + (size_t)(i * n_row),
                (size_t)n_left * sizeof *w->companion);
    return n_left;
}

/* How late a pole decays: real parts, or sizes in the z plane. */
static double slowness(const struct ml_loop_work *w, double complex pole)
{
    return w->has_samples ? ml_complex_size(pole) : creal(pole);
}

/* Makes poles of a real matrix exact pairs, or real, and puts them in order: the slowest first, of
 * a pair that with the positive imaginary part. */
static void sort_poles(struct ml_loop_work *w, int n)
{
    double complex *pole = w->poles;
    for (int i = 0; i < n; i++) {
        int mate = i;
        for (int k = i + 1; k < n; k++)
            if (ml_complex_size(pole[k] - conj(pole[i])) <
                ml_complex_size(pole[mate] - conj(pole[i])))
                mate = k;
        const double complex mean = 0.5 * (pole[i] + conj(pole[mate])), next = pole[i + (mate > i)];
        pole[i] = mean;
        if (mate > i) {
            pole[mate] = next;
            pole[++i] = conj(mean);
        }
    }
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0; k--) {
            const double before = slowness(w, pole[k - 1]), own = slowness(w, pole[k]);
            if (before > own || (before == own && cimag(pole[k - 1]) >= cimag(pole[k])))
                break;
            const double complex kept = pole[k];
            pole[k] = pole[k - 1];
            pole[k - 1] = kept;
        }
}

static double *pole_row(const struct ml_loop_work *w, enum ml_pole which, int i, int lane)
{
    const int row = (int)which * w->loop.n_x + i;
    return &w->measures[ML_LOOP_POLES][(size_t)row * ML_LANES + (size_t)lane];
}

/* ln z / interval */
static double complex rate_of(const struct ml_kernels *kernels, const struct ml_loop_work *w,
                              double complex z)
{
    double log[ML_LANES] __attribute__((aligned(64)));
    const struct ml_times size = ml_times(ml_complex_size(z));
    kernels->log(1, size.lane, log);
    const double phase = size.lane[0] > 0.0 ? ml_loop_phase(kernels, z) : 0.0;
    return ml_complex(log[0] / w->loop.interval, phase / w->loop.interval);
}

static void write_pole(const struct ml_kernels *kernels, struct ml_loop_work *w, int i, int lane,
                       double complex pole)
{
    const double complex rate = w->has_samples ? rate_of(kernels, w, pole) : pole;
    const double size = ml_complex_size(rate);
    *pole_row(w, ML_POLE_REAL, i, lane) = creal(pole);
    *pole_row(w, ML_POLE_IMAGINARY, i, lane) = cimag(pole);
    *pole_row(w, ML_POLE_DAMPING, i, lane) = isinf(size) ? 1.0 : -creal(rate) / size;
    *pole_row(w, ML_POLE_FREQUENCY, i, lane) = size;
}

void ml_poles_measure(const struct ml_kernels *kernels, struct ml_loop_work *work, int lane,
                      bool is_there)
{
    int n = 0;
    if (is_there) {
        int n_row = work->loop.n_x;
        if (work->has_samples)
            n_row = write_sampled(work);
        else
            ml_loop_close(&work->loop, work->companion);
        n = drop_idle(work, n_row);
        if (ml_eigenvalues(n, work->companion, work->poles))
            sort_poles(work, n);
        else
            n = 0;
    }
    for (int i = 0; i < work->loop.n_x; i++)
        write_pole(kernels, work, i, lane,
                   i < n ? work->poles[i] : ml_complex((double)NAN, (double)NAN));
}
