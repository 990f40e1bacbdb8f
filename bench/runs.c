#include "runs.h"

#include <stdlib.h>

const struct ml_bench_pid ml_bench_pid = {
    .joint = ML_BENCH_PID_JOINT, .kp = 30.0, .ki = 3.0, .kd = 2.0, .target = 1.0};

/* Uniform in [0, 1): splitmix64 of a number of its own for each use. */
static double uniform(uint64_t i)
{
    uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

struct ml_bench_runs *ml_bench_runs_create(int n, int64_t n_run)
{
    /* Short chains go over the top; in long ones that would be a whip too fast for the step. */
    const double widest = n <= 8 ? 2.5 : 0.3; /* rad */
    size_t count = (size_t)n_run * (size_t)n;
    struct ml_bench_runs *runs = malloc(sizeof *runs);
    double *numbers = malloc(3 * count * sizeof *numbers);
    if (!runs || !numbers) {
        free(runs);
        free(numbers);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        numbers[i] = 0.5 + 0.5 * uniform(3 * i);
        numbers[count + i] = 0.5 + uniform(3 * i + 1);
        numbers[2 * count + i] = widest * (2.0 * uniform(3 * i + 2) - 1.0);
    }
    *runs = (struct ml_bench_runs){n, n_run, numbers, numbers + count, numbers + 2 * count, NULL};
    return runs;
}

void ml_bench_runs_free(struct ml_bench_runs *runs)
{
    if (runs)
        free((double *)runs->length);
    free(runs);
}

void ml_bench_runs_constants(const struct ml_bench_runs *runs, int64_t run, double *mu,
                             double *diagonal)
{
    const double *length = runs->length + run * runs->n, *mass = runs->mass + run * runs->n;
    double distal = 0.0;
    for (int i = runs->n - 1; i >= 0; i--) {
        double l = length[i], m = mass[i];
        mu[i] = m * l / 2.0 + l * distal;
        diagonal[i] = m * l * l / 3.0 + l * l * distal;
        distal += m;
    }
}
