/* Limits of this machine: multiply-adds, sines and cosines, memory, disk. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "disk.h"
#include "fma.h"
#include "kernel_only.h"
#ifdef HAVE_SLEEF
#include "sleef_sincos.h"
#endif

enum { MAX_CASE = 16, N_ANGLE = 64 * ML_LANES };

static struct ml_bench_case cases[MAX_CASE];

/* Multiply-adds. */

static void run_single(void *context, int64_t amount)
{
    const struct ml_bench_fma *f = context;
    double x[8] = {1.5, 1.51, 1.52, 1.53, 1.54, 1.55, 1.56, 1.57};
    f->single(1000 * amount, x);
    ml_bench_use(x);
}

static void race_fma(struct ml_bench *bench, double seconds)
{
    const struct ml_bench_fma *f;
    int n_case = 0, n_width = 0;
    for (; (f = ml_bench_fma_at(n_width)); n_width++) {
        if (!ml_bench_fma_is_right(f))
            ml_bench_wrong(bench, "%s: not what a scalar loop gives", f->isa);
        cases[n_case++] = (struct ml_bench_case){
            .name = "multiply-adds, 12 chains",
            .size = f->width,
            .isa = f->isa,
            .n_thread = 1,
            .item = "flop",
            .items = ml_bench_fma_flops(f),
            .unit = 1,
            .baseline = n_width == 0 ? -1 : 0,
            .run = ml_bench_fma_run,
            .context = (void *)f,
        };
    }
    if (n_width == 0) {
        ml_bench_note(bench, "skipped multiply-adds: no fused multiply-add, or not x86-64");
        return;
    }
    f = ml_bench_fma_widest();
    cases[n_case] = cases[n_case - 1];
    cases[n_case].name = "multiply-adds, 1 chain";
    cases[n_case].items = 1000 * 2.0 * f->width;
    cases[n_case].run = run_single;
    cases[n_case].baseline = n_case - 1;
    n_case++;
    ml_bench_race(bench, cases, n_case, seconds);
    ml_bench_note(bench, "1 chain has the latency of a multiply-add; 12 chains keep the pipes busy "
                         "if their ratio is latency times pipes");
}

/* Sines and cosines. */

static _Alignas(64) double angle[N_ANGLE], sine[N_ANGLE], cosine[N_ANGLE];

static void run_ours(void *context, int64_t amount)
{
    const struct ml_kernels *k = context;
    for (int64_t i = 0; i < amount; i++) {
        k->sincos(N_ANGLE / ML_LANES, angle, sine, cosine);
        ml_bench_use(sine);
    }
}

static void libm_sincos(int n, const double *x, double *s, double *c)
{
    for (int i = 0; i < n; i++) { /* compilers make one call of sincos of this */
        s[i] = sin(x[i]);
        c[i] = cos(x[i]);
    }
}

struct function {
    void (*of)(int n, const double *x, double *sine, double *cosine);
};

static void run_function(void *context, int64_t amount)
{
    const struct function *f = context;
    for (int64_t i = 0; i < amount; i++) {
        f->of(N_ANGLE, angle, sine, cosine);
        ml_bench_use(sine);
    }
}

/* Largest error of a contender's results, in units of 2^-53 (half an ulp below 1). */
static void check_sincos(struct ml_bench *bench, const struct ml_bench_case *c)
{
    double worst = 0.0;
    memset(sine, 0xff, sizeof sine);
    memset(cosine, 0xff, sizeof cosine);
    c->run(c->context, 1);
    for (int i = 0; i < N_ANGLE; i++) {
        double s = (double)fabsl((long double)sine[i] - sinl((long double)angle[i]));
        double k = (double)fabsl((long double)cosine[i] - cosl((long double)angle[i]));
        worst = s <= worst ? worst : s;
        worst = k <= worst ? worst : k;
    }
    if (!(worst <= 8.0 * 0x1p-53))
        ml_bench_wrong(bench, "%s %s: sine or cosine is off by %g", c->name, c->isa, worst);
    ml_bench_note(bench, "%s %s: largest error %.2f x 2^-53", c->name, c->isa, worst * 0x1p53);
}

static void race_sincos(struct ml_bench *bench, double seconds)
{
    static struct function libm = {libm_sincos};
    const struct ml_kernels *k;
    const struct ml_bench_case model = {
        .name = "sincos, libm",
        .isa = "",
        .n_thread = 1,
        .item = "pair",
        .items = N_ANGLE,
        .unit = 1,
        .baseline = -1,
        .run = run_function,
        .context = &libm,
    };
    int n_case = 1;
    for (int i = 0; i < N_ANGLE; i++)
        angle[i] = 12.0 * sin(1.7 * i); /* out of order, mostly beyond the first quadrant */
    cases[0] = model;
#ifdef HAVE_SLEEF
    static struct function u10 = {ml_bench_sleef_u10}, u35 = {ml_bench_sleef_u35};
    cases[n_case] = model;
    cases[n_case].name = "sincos, SLEEF u10";
    cases[n_case].context = &u10;
    cases[n_case++].baseline = 0;
    cases[n_case] = model;
    cases[n_case].name = "sincos, SLEEF u35";
    cases[n_case].context = &u35;
    cases[n_case++].baseline = 0;
#else
    ml_bench_note(bench, "skipped SLEEF: libsleef-dev is not installed");
#endif
    for (int i = 0; (k = ml_kernels_at(i)) && n_case < MAX_CASE; i++, n_case++) {
        cases[n_case] = model;
        cases[n_case].name = "sincos, ours";
        cases[n_case].isa = k->isa;
        cases[n_case].run = run_ours;
        cases[n_case].context = (void *)k;
        cases[n_case].baseline = 0;
    }
    for (int i = 0; i < n_case; i++)
        check_sincos(bench, &cases[i]);
    ml_bench_race(bench, cases, n_case, seconds);
}

/* Memory. */

struct arrays {
    double *a, *b, *c;
    int64_t n; /* doubles each */
    int n_thread;
};

static void run_copy(void *context, int64_t amount)
{
    const struct arrays *m = context;
    for (int64_t k = 0; k < amount; k++) {
#pragma omp parallel num_threads(m->n_thread)
        {
            int64_t t = omp_get_thread_num(), n_t = omp_get_num_threads();
            int64_t from = m->n * t / n_t, to = m->n * (t + 1) / n_t;
            memcpy(m->a + from, m->b + from, (size_t)(to - from) * sizeof(double));
        }
        ml_bench_use(m->a);
    }
}

static void run_triad(void *context, int64_t amount)
{
    const struct arrays *m = context;
    for (int64_t k = 0; k < amount; k++) {
#pragma omp parallel for simd num_threads(m->n_thread) schedule(static)
        for (int64_t i = 0; i < m->n; i++)
            m->a[i] = m->b[i] + 3.0 * m->c[i];
        ml_bench_use(m->a);
    }
}

static void race_memory(struct ml_bench *bench, double seconds)
{
    static struct arrays setups[MAX_CASE];
    int64_t n = bench->is_smoke ? 1 << 16 : 1 << 24; /* 128 MB each: no cache holds three */
    double *memory = aligned_alloc(64, 3 * (size_t)n * sizeof *memory);
    int n_case = 0;
    if (!memory) {
        ml_bench_note(bench, "skipped memory bandwidth: no memory");
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < 3 * n; i++)
        memory[i] = (double)i;
    for (int t = 1; t <= bench->n_thread && n_case + 2 <= MAX_CASE; t *= 2) {
        setups[n_case / 2] = (struct arrays){memory, memory + n, memory + 2 * n, n, t};
        for (int is_triad = 0; is_triad < 2; is_triad++, n_case++)
            cases[n_case] = (struct ml_bench_case){
                .name = is_triad ? "memory, a = b + s c" : "memory, memcpy",
                .isa = "",
                .n_thread = t,
                .item = "byte",
                .items = (double)n * sizeof(double) * (is_triad ? 3 : 2),
                .is_wall = true,
                .unit = 1,
                .baseline = n_case < 2 ? -1 : is_triad,
                .run = is_triad ? run_triad : run_copy,
                .context = &setups[n_case / 2],
            };
    }
    ml_bench_race(bench, cases, n_case, seconds);
    ml_bench_note(bench, "memory: bytes read plus bytes written by the program; 3 arrays of %d MB",
                  (int)(n * (int64_t)sizeof(double) >> 20));
    free(memory);
}

/* Disk. */

enum { PIECE = 32 << 20 };

struct disk {
    const char *directory;
    char *data; /* [PIECE] */
    bool has_failed;
};

static void run_disk(void *context, int64_t amount)
{
    struct disk *d = context;
    d->has_failed |= ml_bench_disk_write(d->directory, d->data, PIECE, amount << 20) != 0;
}

static void race_disk(struct ml_bench *bench, double seconds)
{
    static struct disk disks[] = {{".", NULL, false}, {"/tmp", NULL, false}};
    static const char *const names[] = {"disk, write + fsync, here", "disk, write + fsync, /tmp"};
    char *data = malloc(PIECE);
    if (!data)
        return;
    for (int64_t i = 0; i < PIECE; i++) /* nothing a disk could compress */
        data[i] = (char)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 56);
    for (int i = 0; i < 2; i++) {
        disks[i].data = data;
        cases[i] = (struct ml_bench_case){
            .name = names[i],
            .isa = "",
            .n_thread = 1,
            .item = "byte",
            .items = 1 << 20,
            .is_wall = true,
            .unit = bench->is_smoke ? 1 : 64,
            .most = bench->is_smoke ? 1 : 256,
            .baseline = -1,
            .run = run_disk,
            .context = &disks[i],
        };
    }
    ml_bench_race(bench, cases, 2, seconds);
    for (int i = 0; i < 2; i++)
        if (disks[i].has_failed)
            ml_bench_wrong(bench, "%s: cannot write", names[i]);
    free(data);
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "limits", 20.0, argc, argv);
    race_fma(&bench, bench.seconds / 5.0);
    race_sincos(&bench, bench.seconds / 5.0);
    race_memory(&bench, bench.seconds / 5.0);
    race_disk(&bench, bench.seconds / 5.0);
    return ml_bench_close(&bench);
}
