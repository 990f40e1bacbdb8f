/* The peers of bench/peer_vectors.c as a server for bench/compare.py; see bench/speed.c. It reads
 *
 *   read K bare|pid N RUNS STEPS    get runs of N segments ready as number K
 *   read K ring|rings N RUNS STEPS  of Lorenz-96 with N = 40, and with all its exponents
 *   run K OUT                       integrate them; OUT is left aside
 *
 * and answers with a line. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lorenz_96.h"
#include "peer.h"

extern const struct ml_bench_peer HAND_PEER[];

enum { MOST = 64, LONGEST = 4096, N_RING = 40 };
enum kind { NONE, RODS, RING, RING_EXPONENTS };

struct task {
    enum kind kind;
    struct ml_bench_runs *runs; /* of rods */
    int64_t n_run, n_step;
    double *end; /* of rods */
};

static void die(const char *what)
{
    (void)fprintf(stderr, "hand: %s\n", what);
    exit(EXIT_FAILURE);
}

static struct task get_ready(const char *kind, int n, int64_t n_run, int64_t n_step)
{
    if (strcmp(kind, "ring") == 0 || strcmp(kind, "rings") == 0)
        return (struct task){
            .kind = kind[4] ? RING_EXPONENTS : RING, .n_run = n_run, .n_step = n_step};
    struct task task = {RODS, ml_bench_runs_create(n, n_run), n_run, n_step,
                        malloc((size_t)n_run * 2 * (size_t)n * sizeof(double))};
    if (!task.runs || !task.end)
        die("out of memory");
    if (strcmp(kind, "pid") == 0)
        task.runs->pid = &ml_bench_pid;
    return task;
}

/* The sum of the exponents is the trace of the equations, -N. */
static void run_ring(const struct task *task)
{
    double exponents[N_RING], sum = 0.0;
    ml_lorenz_96(task->n_run, task->n_step, task->kind == RING ? NULL : exponents);
    for (int i = 0; task->kind == RING_EXPONENTS && i < N_RING; i++)
        sum += exponents[i] / N_RING;
    if (task->kind == RING_EXPONENTS && !(sum > -1.01 && sum < -0.99))
        die("exponents of Lorenz-96 are wrong");
}

static void run(const struct task *task)
{
    struct timespec a, b;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    if (task->kind == RODS)
        HAND_PEER->run(NULL, task->runs, task->n_run, task->n_step, task->end);
    else
        run_ring(task);
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    printf("%.9f %" PRId64 "\n",
           (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec),
           task->n_run * task->n_step);
}

int main(void)
{
    static struct task tasks[MOST];
    char line[LONGEST], kind[8];
    int k, n;
    int64_t n_run, n_step;
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "read %d %7s %d %" SCNd64 " %" SCNd64, &k, kind, &n, &n_run, &n_step) ==
                5 &&
            k >= 0 && k < MOST) {
            ml_bench_runs_free(tasks[k].runs);
            free(tasks[k].end);
            tasks[k] = get_ready(kind, n, n_run, n_step);
            puts("ok");
        } else if (sscanf(line, "run %d", &k) == 1 && k >= 0 && k < MOST && tasks[k].kind != NONE) {
            run(&tasks[k]);
        } else {
            die("no such command");
        }
        (void)fflush(stdout);
    }
    for (k = 0; k < MOST; k++) {
        ml_bench_runs_free(tasks[k].runs);
        free(tasks[k].end);
    }
    return EXIT_SUCCESS;
}
