/* Transforms of n numbers as a convolution with a chirp (Bluestein, IEEE Trans. Audio
 * Electroacoust. 18, 1970), by transforms of a power of two (Cooley, Tukey, Math. Comput. 19,
 * 1965). */
#include "statistics/fourier.h"

#include <stdlib.h>

static struct ml_complex product(struct ml_complex a, struct ml_complex b)
{
    return (struct ml_complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* exp(-2 pi i k/n), k < n: Taylor series of an eighth of a turn, and quarter turns. */
static struct ml_complex unit_root(uint64_t k, uint64_t n)
{
    const double eighth_turn = 0.78539816339744830962;
    const uint64_t eighth = 8 * k / n, rest = 8 * k % n;
    const bool is_before = eighth % 2; /* the next quarter turn */
    const double x = (double)(is_before ? n - rest : rest) / (double)n * eighth_turn;
    double cosine = 1.0, sine = 1.0;
    for (int i = 9; i > 0; i--) {
        cosine = 1.0 - cosine * x * x / (2 * i * (2 * i - 1));
        sine = 1.0 - sine * x * x / (2 * i * (2 * i + 1));
    }
    struct ml_complex z = {cosine, is_before ? x * sine : -x * sine};
    for (uint64_t turn = 0; turn < (eighth + 1) / 2; turn++)
        z = (struct ml_complex){z.im, -z.re};
    return z;
}

static void swap_parts(struct ml_complex *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (struct ml_complex){x[i].im, x[i].re};
}

/* Transforms m numbers, not divided by m. */
static void transform(const struct ml_fourier *f, struct ml_complex *x)
{
    const size_t m = f->m;
    for (size_t i = 1, reversed = 0; i < m; i++) {
        size_t bit = m >> 1;
        for (; reversed & bit; bit >>= 1)
            reversed ^= bit;
        reversed ^= bit;
        if (i < reversed) {
            const struct ml_complex kept = x[i];
            x[i] = x[reversed];
            x[reversed] = kept;
        }
    }
    for (size_t half = 1; half < m; half *= 2)
        for (size_t first = 0; first < m; first += 2 * half)
            for (size_t k = 0; k < half; k++) {
                struct ml_complex *a = x + first + k, *b = a + half;
                const struct ml_complex turned = product(*b, f->root[k * (m / (2 * half))]);
                *b = (struct ml_complex){a->re - turned.re, a->im - turned.im};
                *a = (struct ml_complex){a->re + turned.re, a->im + turned.im};
            }
}

bool ml_fourier_make(struct ml_fourier *f, size_t n)
{
    size_t m = 1;
    while (m < 2 * n - 1)
        m *= 2;
    *f = (struct ml_fourier){.n = n, .m = m};
    f->root = malloc((m / 2 + 1) * sizeof *f->root);
    f->chirp = malloc(n * sizeof *f->chirp);
    f->filter = calloc(m, sizeof *f->filter);
    f->room = malloc(m * sizeof *f->room);
    if (!f->root || !f->chirp || !f->filter || !f->room)
        return false;
    for (size_t k = 0; k < m / 2; k++)
        f->root[k] = unit_root(k, m);
    for (size_t k = 0; k < n; k++) {
        const struct ml_complex chirp = unit_root((uint64_t)k * k % (2 * n), 2 * n);
        f->chirp[k] = chirp;
        f->filter[k ? m - k : 0] = f->filter[k] = (struct ml_complex){chirp.re, -chirp.im};
    }
    transform(f, f->filter);
    return true;
}

void ml_fourier_free(struct ml_fourier *f)
{
    free(f->root);
    free(f->chirp);
    free(f->filter);
    free(f->room);
}

void ml_fourier_forward(struct ml_fourier *f, struct ml_complex *x)
{
    struct ml_complex *z = f->room;
    for (size_t k = 0; k < f->m; k++)
        z[k] = k < f->n ? product(x[k], f->chirp[k]) : (struct ml_complex){0.0, 0.0};
    transform(f, z);
    for (size_t k = 0; k < f->m; k++)
        z[k] = product(z[k], f->filter[k]);
    swap_parts(z, f->m);
    transform(f, z);
    for (size_t k = 0; k < f->n; k++) {
        const struct ml_complex sum = {z[k].im / (double)f->m, z[k].re / (double)f->m};
        x[k] = product(sum, f->chirp[k]);
    }
}

void ml_fourier_inverse(struct ml_fourier *f, struct ml_complex *x)
{
    swap_parts(x, f->n);
    ml_fourier_forward(f, x);
    for (size_t k = 0; k < f->n; k++)
        x[k] = (struct ml_complex){x[k].im / (double)f->n, x[k].re / (double)f->n};
}
