/* Elimination of the starts of arcs from the last to the first: the equations of each bind the
 * start before and the coordinates alone. */
#include "fit/arcs.h"

#include <math.h>
#include <string.h>

/* The equations of one arc's start: rows and columns are the start, that of the arc before, the d
 * coordinates of the experiment, and in the last row the slope. */
struct front {
    int n_x, d, n; /* 2 n_x + d */
    double *a;     /* [n + 1][n + 1] lower triangle */
};

static struct front front_of(const struct ml_arcs *s)
{
    const int n = 2 * s->n_x + s->fit->n_direction;
    return (struct front){s->n_x, s->fit->n_direction, n, s->front};
}

static double *entry(const struct front *f, int i, int j)
{
    return i > j ? &f->a[i * (f->n + 1) + j] : &f->a[j * (f->n + 1) + i];
}

double ml_arcs_gap(const struct ml_arcs *s, const double *end, const double *next)
{
    double sum = 0.0;
    for (int i = 0; i < s->n_x; i++) {
        const double gap = (end[i] - next[i]) / s->size[i];
        sum += 0.5 * s->weight * gap * gap;
    }
    return sum;
}

/* Adds the residuals of an arc.
 *   start  row of its start */
static void add_residuals(const struct front *f, const struct ml_arc *arc, int start)
{
    const int m = f->d + f->n_x;
    const struct ml_normal *sums = &arc->at.sums;
    for (int i = 0; i < m; i++) {
        const int row = i < f->d ? 2 * f->n_x + i : start + i - f->d;
        *entry(f, f->n, row) += sums->slope[i];
        for (int j = 0; j <= i; j++)
            *entry(f, row, j < f->d ? 2 * f->n_x + j : start + j - f->d) +=
                sums->hessian[i * m + j];
    }
}

/* Of one arc: adds its share of the diagonal by which steps of the coordinates are damped. */
static void add_metric(const struct ml_arcs *s, const struct ml_arc *arc, bool has_gap,
                       const int *ranges, double *metric)
{
    const int m = s->fit->n_direction + s->n_x;
    for (int i = 0; i < s->fit->n_direction; i++) {
        metric[ranges[i]] += arc->at.sums.hessian[i * (m + 1)];
        for (int x = 0; has_gap && x < s->n_x; x++) {
            const double part = arc->at.derivs[x * m + i] / s->size[x];
            metric[ranges[i]] += s->soft * part * part;
        }
    }
}

/* Adds the gap between an arc, whose start has row n_x, and the next, whose start has row 0. */
static void add_gap(const struct front *f, const struct ml_arcs *s, const struct ml_arc *arc)
{
    const int m = f->d + f->n_x;
    for (int x = 0; x < f->n_x; x++) {
        const double weight = s->weight / (s->size[x] * s->size[x]),
                     gap = arc->at.end[x] - arc[1].start[x], *derivs = arc->at.derivs + x * m;
        *entry(f, x, x) += weight;
        *entry(f, f->n, x) -= weight * gap;
        for (int i = 0; i < m; i++) {
            const int row = i < f->d ? 2 * f->n_x + i : f->n_x + i - f->d;
            *entry(f, row, x) -= weight * derivs[i];
            *entry(f, f->n, row) += weight * derivs[i] * gap;
            for (int j = 0; j <= i; j++)
                *entry(f, row, j < f->d ? 2 * f->n_x + j : f->n_x + j - f->d) +=
                    weight * derivs[i] * derivs[j];
        }
    }
}

static void dampen(const struct front *f, const struct ml_arcs *s, const struct ml_arc *arc,
                   double damping)
{
    const int m = f->d + f->n_x;
    for (int x = 0; x < f->n_x; x++)
        *entry(f, x, x) += damping * (arc->at.sums.hessian[(f->d + x) * (m + 1)] +
                                      s->soft / (s->size[x] * s->size[x]));
}

/* Eliminates the first n_x rows (Cholesky's factorisation of the front), keeps their factor, and
 * moves the rest up, so that the start before is the first. Returns half the square of the slope
 * over the factor; below 0: not positive definite. */
static double eliminate_start(const struct front *f, struct ml_arc *arc)
{
    double lowers = 0.0;
    for (int k = 0; k < f->n_x; k++) {
        const double pivot = *entry(f, k, k);
        if (!(pivot > 0.0) || !isfinite(pivot))
            return -1.0;
        *entry(f, k, k) = sqrt(pivot);
        for (int i = k + 1; i <= f->n; i++)
            *entry(f, i, k) /= *entry(f, k, k);
        for (int i = k + 1; i <= f->n; i++)
            for (int j = k + 1; j <= i && j < f->n; j++)
                *entry(f, i, j) -= *entry(f, i, k) * *entry(f, j, k);
        lowers += 0.5 * *entry(f, f->n, k) * *entry(f, f->n, k);
    }
    for (int k = 0; k < f->n_x; k++)
        for (int i = 0; i <= f->n; i++)
            arc->factor[k * (f->n + 1) + i] = *entry(f, i, k);
    for (int i = f->n_x; i <= f->n; i++)
        for (int j = f->n_x; j <= i; j++) {
            const bool is_before = j < 2 * f->n_x;
            *entry(f, i < 2 * f->n_x ? i - f->n_x : i, is_before ? j - f->n_x : j) =
                *entry(f, i, j);
        }
    for (int i = f->n_x; i <= f->n; i++) /* nothing is known before the first start */
        for (int j = 0; j <= i; j++)
            if (i < 2 * f->n_x || (j >= f->n_x && j < 2 * f->n_x))
                *entry(f, i, j) = 0.0;
    return lowers;
}

double ml_arcs_eliminate(struct ml_arcs *s, const struct ml_descent *d)
{
    const struct front f = front_of(s);
    double lowers = 0.0;
    memset(d->at.slope, 0, (size_t)d->n * sizeof *d->at.slope);
    memset(d->metric, 0, (size_t)d->n * sizeof *d->metric);
    memset(d->at.hessian, 0, (size_t)d->n * (size_t)d->n * sizeof *d->at.hessian);
    for (int e = 0; e < s->fit->n_experiment; e++) {
        const int *ranges = s->fit->experiments[e].ranges;
        memset(f.a, 0, (size_t)(f.n + 1) * (size_t)(f.n + 1) * sizeof *f.a);
        for (int k = s->n_segment - 1; k >= 0; k--)
            add_metric(s, &s->arcs[e * s->n_segment + k], k < s->n_segment - 1, ranges, d->metric);
        for (int k = s->n_segment - 1; k > 0; k--) {
            struct ml_arc *arc = &s->arcs[e * s->n_segment + k];
            add_residuals(&f, arc, 0);
            add_gap(&f, s, arc - 1);
            dampen(&f, s, arc, d->damping);
            const double more = eliminate_start(&f, arc);
            if (more < 0.0)
                return more;
            lowers += more;
        }
        add_residuals(&f, &s->arcs[e * s->n_segment], 0);
        for (int i = 0; i < f.d; i++) {
            d->at.slope[ranges[i]] += *entry(&f, f.n, 2 * f.n_x + i);
            for (int j = 0; j < f.d; j++)
                d->at.hessian[ranges[i] * d->n + ranges[j]] +=
                    *entry(&f, 2 * f.n_x + i, 2 * f.n_x + j);
        }
    }
    return lowers;
}

void ml_arcs_follow(struct ml_arcs *s, const struct ml_descent *d)
{
    const int n_x = s->n_x, n = 2 * n_x + s->fit->n_direction;
    for (int e = 0; e < s->fit->n_experiment; e++) {
        const int *ranges = s->fit->experiments[e].ranges;
        for (int k = 1; k < s->n_segment; k++) {
            struct ml_arc *arc = &s->arcs[e * s->n_segment + k];
            for (int x = n_x - 1; x >= 0; x--) {
                const double *row = arc->factor + x * (n + 1);
                double rest = -row[n];
                for (int i = x + 1; i < n_x; i++)
                    rest -= row[i] * (arc->trial[i] - arc->start[i]);
                for (int i = 0; i < n_x && k > 1; i++)
                    rest -= row[n_x + i] * (arc[-1].trial[i] - arc[-1].start[i]);
                for (int i = 2 * n_x; i < n; i++)
                    rest -= row[i] * (d->trial[ranges[i - 2 * n_x]] - d->z[ranges[i - 2 * n_x]]);
                arc->trial[x] = arc->start[x] + rest / row[x];
            }
        }
    }
}

void ml_arcs_moves(const struct ml_arcs *s, int experiment, double *moves)
{
    const int n_x = s->n_x, d = s->fit->n_direction, n = 2 * n_x + d;
    memset(moves, 0, (size_t)(n_x * d) * sizeof *moves);
    for (int k = 1; k < s->n_segment; k++) {
        const double *factor = s->arcs[experiment * s->n_segment + k].factor;
        double *to = moves + k * n_x * d, *before = to - n_x * d;
        for (int x = n_x - 1; x >= 0; x--)
            for (int i = 0; i < d; i++) {
                const double *row = factor + x * (n + 1);
                double rest = -row[2 * n_x + i];
                for (int y = x + 1; y < n_x; y++)
                    rest -= row[y] * to[y * d + i];
                for (int y = 0; y < n_x; y++)
                    rest -= row[n_x + y] * before[y * d + i];
                to[x * d + i] = rest / row[x];
            }
    }
}

void ml_arcs_accept(struct ml_arcs *s)
{
    for (int a = 0; a < s->fit->n_experiment * s->n_segment; a++) {
        struct ml_arc *arc = &s->arcs[a];
        const struct ml_arc_numbers at = arc->at;
        double *const start = arc->start;
        arc->at = arc->found;
        arc->found = at;
        arc->start = arc->trial;
        arc->trial = start;
    }
}
