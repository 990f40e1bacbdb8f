/* Sums of products of residuals and their derivatives over the measured times, in an order that
 * depends on the data alone. */
#include "fit/normal_sums.h"

#include <math.h>
#include <string.h>

#include "fit/loss.h"

enum { CHUNK = 64, SIDE = 8 };

/* Numbers of one chunk: residuals, then derivatives by each varied number; 0 behind the last. */
struct chunk {
    double row[1 + ML_FIT_MOST][CHUNK];
    int64_t at[CHUNK];     /* measured times */
    double weights[CHUNK]; /* 1 / deviation */
    int n;
};

/* Samples of a trajectory [n_sample] that stand beside the times of a chunk. */
static void take_samples(const struct ml_measured_numbers *m, const struct chunk *chunk,
                         const double *trajectory, double *out)
{
    for (int k = 0; m->n_tap == 1 && k < chunk->n; k++)
        out[k] = trajectory[m->first[chunk->at[k]]];
    for (int k = 0; m->n_tap > 1 && k < chunk->n; k++) {
        const double *weights = m->weights[chunk->at[k]];
        const double *from = trajectory + m->first[chunk->at[k]];
        double sum = 0.0;
        for (int i = 0; i < m->n_tap; i++)
            sum += weights[i] * from[i];
        out[k] = sum;
    }
    for (int k = chunk->n; k < CHUNK; k++)
        out[k] = 0.0;
}

static double product(const double *a, const double *b)
{
    double sum[SIDE] = {0.0};
    for (int i = 0; i < CHUNK; i += SIDE)
        for (int k = 0; k < SIDE; k++)
            sum[k] += a[i + k] * b[i + k];
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

static void add_products(const struct ml_comparison *s, const struct chunk *chunk,
                         struct ml_normal *found)
{
    const int n = s->n_number;
    found->cost += 0.5 * product(chunk->row[0], chunk->row[0]);
    for (int i = 0; i < s->n_direction; i++) {
        found->slope[i] += product(chunk->row[0], chunk->row[1 + i]);
        for (int j = 0; j <= i; j++)
            found->hessian[i * n + j] += product(chunk->row[1 + i], chunk->row[1 + j]);
    }
}

/* A column of one run. */
struct column_of_run {
    int c;
    struct ml_fit_curve curve;
};

/* Weighs a chunk's residuals and derivatives so that their products are those of the loss. */
static void weigh_loss(const struct ml_comparison *s, struct chunk *chunk, struct ml_normal *found)
{
    for (int k = 0; k < chunk->n; k++) {
        const double r = chunk->row[0][k];
        const struct ml_loss_value at = ml_loss_at((enum ml_fit_loss)s->fit->loss, s->scale, r);
        const double root = sqrt(at.weight);
        found->cost += 0.5 * (at.cost - at.weight * r * r);
        for (int i = 0; i <= s->n_direction; i++)
            chunk->row[i][k] *= root;
    }
}

/* Adds the numbers of a chunk, whose times are known. */
static void add_chunk(const struct ml_comparison *s, const struct column_of_run *of,
                      struct chunk *chunk, struct ml_normal *found)
{
    const struct ml_measured_numbers *m = s->measured;
    take_samples(m, chunk, of->curve.values, chunk->row[0]);
    for (int k = 0; k < chunk->n; k++) {
        chunk->weights[k] = 1.0 / m->sd[of->c][chunk->at[k]];
        chunk->row[0][k] = chunk->weights[k] * (chunk->row[0][k] - m->values[of->c][chunk->at[k]]);
    }
    for (int i = 0; i < s->n_direction; i++) {
        take_samples(m, chunk, of->curve.derivs + i * s->n_sample, chunk->row[1 + i]);
        for (int k = 0; k < chunk->n; k++)
            chunk->row[1 + i][k] *= chunk->weights[k];
    }
    for (int i = 0; s->detail && i < s->n_direction; i++)
        for (int k = 0; k < chunk->n; k++)
            s->detail->jacobian[(s->rows[i] * m->n_column + of->c) * m->n_time + chunk->at[k]] =
                chunk->row[1 + i][k];
    if (s->scale > 0.0)
        weigh_loss(s, chunk, found);
    add_products(s, chunk, found);
    chunk->n = 0;
}

/* About the error of the polynomial at a measured time: the next term of Newton's series, with the
 * sixth difference in place of the derivative.
 *   trajectory  [n_step + 1] */
static double interpolation_error(const struct ml_measured_numbers *m, int64_t k,
                                  const double *trajectory)
{
    static const double signed_binomial[] = {1.0, -6.0, 15.0, -20.0, 15.0, -6.0, 1.0};
    const int64_t last = m->n_step - ML_FIT_TAPS; /* that seven samples may begin at */
    double x = 0.0, error = 1.0 / 720.0, difference = 0.0;
    if (m->n_tap < ML_FIT_TAPS || last < 0)
        return 0.0;
    for (int i = 1; i < ML_FIT_TAPS; i++)
        x += m->weights[k][i] * i;
    for (int i = 0; i < ML_FIT_TAPS; i++)
        error *= x - i;
    const double *from = trajectory + (m->first[k] < last ? m->first[k] : last);
    for (int i = 0; i <= ML_FIT_TAPS; i++)
        difference += signed_binomial[i] * from[i];
    return error * difference;
}

/* The model at all measured times, whether the column has a number there or not. */
static void note_model(const struct ml_comparison *s, const struct column_of_run *of,
                       struct chunk *chunk)
{
    const struct ml_measured_numbers *m = s->measured;
    double *to = s->detail->model + of->c * m->n_time;
    for (int64_t k = 0; k < m->n_time; k++) {
        chunk->at[0] = k;
        chunk->n = 1;
        take_samples(m, chunk, of->curve.values, chunk->row[0]);
        to[k] = chunk->row[0][0];
        s->detail->between[of->c * m->n_time + k] = interpolation_error(m, k, of->curve.values);
    }
    chunk->n = 0;
}

static void add_column(const struct ml_comparison *s, const struct column_of_run *of,
                       struct chunk *chunk, struct ml_normal *found)
{
    const struct ml_measured_numbers *m = s->measured;
    if (s->detail)
        note_model(s, of, chunk);
    for (int64_t k = 0; k < m->n_time; k++) {
        if (!isfinite(m->values[of->c][k]) || m->first[k] + m->n_tap > s->n_sample)
            continue;
        chunk->at[chunk->n++] = k;
        if (chunk->n == CHUNK)
            add_chunk(s, of, chunk, found);
    }
    if (chunk->n > 0)
        add_chunk(s, of, chunk, found);
}

/* From derivatives by the numbers to those by z. */
static bool scale(const struct ml_comparison *s, struct ml_normal *found)
{
    const int n = s->n_number;
    const double *scales = s->scales;
    const int64_t n_time = s->measured->n_time, n_number = s->measured->n_column * n_time;
    const int64_t first = s->experiment->first * n_time,
                  end = first + s->experiment->n_column * n_time;
    bool is_finite = isfinite(found->cost);
    for (int i = 0; i < s->n_direction; i++) {
        found->slope[i] *= scales[i];
        is_finite &= isfinite(found->slope[i]);
        for (int64_t k = first; s->detail && k < end; k++)
            s->detail->jacobian[s->rows[i] * n_number + k] *= scales[i];
        for (int j = 0; j <= i; j++) {
            found->hessian[i * n + j] *= scales[i] * scales[j];
            found->hessian[j * n + i] = found->hessian[i * n + j];
            is_finite &= isfinite(found->hessian[i * n + j]);
        }
    }
    return is_finite;
}

void ml_normal_sums(const struct ml_comparison *s, const struct ml_fit_curve *curves,
                    struct ml_normal *found)
{
    const size_t n = (size_t)s->n_number;
    struct chunk chunk = {.n = 0};
    found->cost = 0.0;
    memset(found->slope, 0, n * sizeof *found->slope);
    memset(found->hessian, 0, n * n * sizeof *found->hessian);
    for (int c = 0; curves && c < s->experiment->n_column; c++) {
        const struct column_of_run of = {s->experiment->first + c, curves[c]};
        add_column(s, &of, &chunk, found);
    }
    if (!curves || !scale(s, found))
        found->cost = (double)INFINITY;
}
