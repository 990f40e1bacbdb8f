/* Lorenz-96 and all its exponents in vectors written by hand, a native vector of runs at a time.
 * The states of a step's stages come first, so that the four stages of a tangent vector stay in the
 * nearest cache. */
#include "lorenz_96.h"

#include <math.h>
#include <string.h>

#if defined __AVX512F__
enum { WIDTH = 8 };
#elif defined __AVX2__
enum { WIDTH = 4 };
#else
enum { WIDTH = 2 };
#endif
typedef double vector __attribute__((vector_size(8 * WIDTH)));

enum { N = 40, STAGES = 4, EVERY = 50, PARTS = 4 };
static const double step_size = 0.02, force = 8.0, node[STAGES] = {0.0, 0.5, 0.5, 1.0};

/* A ring with copies of its last two in front and of its first behind: x[i - 2] to x[i + 1] of
 * every i. */
struct ring {
    vector all[N + 3];
};

struct stages {
    struct ring x[STAGES];
    vector gap[STAGES][N]; /* x[i + 1] - x[i - 2] */
};

struct block {
    struct ring x, y[N];
    vector logs[N];
};

static inline vector splat(double a) { return a - (vector){0}; }

static inline void close_ring(struct ring *r)
{
    r->all[0] = r->all[N];
    r->all[1] = r->all[N + 1];
    r->all[N + 2] = r->all[2];
}

static inline void rates(const struct ring *x, vector *gap, vector *dx)
{
    const vector *own = x->all + 2;
    for (int i = 0; i < N; i++) {
        gap[i] = own[i + 1] - own[i - 2];
        dx[i] = gap[i] * own[i - 1] - own[i] + force;
    }
}

static inline void rates_along(const struct ring *x, const vector *gap, const struct ring *y,
                               vector *dy)
{
    const vector *own = x->all + 2, *along = y->all + 2;
    for (int i = 0; i < N; i++)
        dy[i] = (along[i + 1] - along[i - 2]) * own[i - 1] + gap[i] * along[i - 1] - along[i];
}

/* The state of a stage: x and its rates k at the one before. */
static inline void go(const struct ring *x, double h, const vector *k, struct ring *to)
{
    for (int i = 0; i < N; i++)
        to->all[i + 2] = x->all[i + 2] + h * k[i];
    close_ring(to);
}

static inline void add(struct ring *x, vector k[STAGES][N])
{
    const double h = step_size / 6.0;
    for (int i = 0; i < N; i++)
        x->all[i + 2] += h * (k[0][i] + 2.0 * k[1][i] + 2.0 * k[2][i] + k[3][i]);
    close_ring(x);
}

static void step_state(struct ring *x, struct stages *at)
{
    vector k[STAGES][N];
    at->x[0] = *x;
    for (int s = 0; s < STAGES; s++) {
        if (s > 0)
            go(x, node[s] * step_size, k[s - 1], &at->x[s]);
        rates(&at->x[s], at->gap[s], k[s]);
    }
    add(x, k);
}

static void step_along(struct ring *y, const struct stages *at)
{
    vector k[STAGES][N];
    struct ring own = *y;
    for (int s = 0; s < STAGES; s++) {
        if (s > 0)
            go(y, node[s] * step_size, k[s - 1], &own);
        rates_along(&at->x[s], at->gap[s], &own, k[s]);
    }
    add(y, k);
}

static inline vector dot(const struct ring *a, const struct ring *b)
{
    vector sum[PARTS] = {{0}};
    for (int i = 0; i < N; i += PARTS)
        for (int p = 0; p < PARTS; p++)
            sum[p] += a->all[i + p + 2] * b->all[i + p + 2];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Gram-Schmidt, each vector against the ones before in turn. */
static void make_orthonormal(struct block *b)
{
    for (int c = 0; c < N; c++) {
        struct ring *y = &b->y[c];
        for (int k = 0; k < c; k++) {
            const vector s = dot(&b->y[k], y);
            for (int i = 0; i < N; i++)
                y->all[i + 2] -= s * b->y[k].all[i + 2];
        }
        vector scale = dot(y, y);
        for (int lane = 0; lane < WIDTH; lane++) {
            const double size = sqrt(scale[lane]);
            b->logs[c][lane] += log(size);
            scale[lane] = 1.0 / size;
        }
        for (int i = 0; i < N; i++)
            y->all[i + 2] *= scale;
        close_ring(y);
    }
}

static void start(struct block *b, int64_t first)
{
    memset(b, 0, sizeof *b);
    for (int i = 0; i < N; i++) {
        b->x.all[i + 2] = splat(8.0);
        b->y[i].all[i + 2] = splat(1.0);
        close_ring(&b->y[i]);
    }
    for (int lane = 0; lane < WIDTH; lane++)
        b->x.all[2][lane] += 0.01 * (double)(1 + first + lane);
    close_ring(&b->x);
}

void ml_lorenz_96(int64_t n_run, int64_t n_step, double *exponents)
{
    static struct block b;
    static struct stages at;
    for (int64_t first = 0; first < n_run; first += WIDTH) {
        start(&b, first);
        for (int64_t s = 1; s <= n_step; s++) {
            step_state(&b.x, &at);
            for (int c = 0; exponents && c < N; c++)
                step_along(&b.y[c], &at);
            if (exponents && (s % EVERY == 0 || s == n_step))
                make_orthonormal(&b);
        }
        for (int c = 0; exponents && first == 0 && c < N; c++)
            exponents[c] = b.logs[c][0] / ((double)n_step * step_size);
    }
}
