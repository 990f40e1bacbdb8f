/* How fast do others integrate the same runs? Classical RK4, step 1 ms, one thread, parameters of
 * their own for every run. Every contender's end states are compared with ours first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bare.h"
#include "bench.h"
#include "peer.h"

/* Written by CMakeLists.txt: PEER(name) for each bench/peer_<name>.c* that could be built, and
 * PEER_MISSING(name, "what is not installed"). */
#define PEER(name) extern const struct ml_bench_peer ml_peer_##name[];
#define PEER_MISSING(name, what)
#include "peers.gen.h"
#undef PEER
#undef PEER_MISSING

static const struct ml_bench_peer *const peers[] = {
#define PEER(name) ml_peer_##name,
#define PEER_MISSING(name, what)
#include "peers.gen.h"
#undef PEER
#undef PEER_MISSING
    NULL,
};

static const struct {
    const char *name, *what;
} missing[] = {
#define PEER(name)
#define PEER_MISSING(name, what) {#name, what},
#include "peers.gen.h"
#undef PEER
#undef PEER_MISSING
    {NULL, NULL},
};

static const int sizes[] = {2, 3, 8};
enum { N_SIZE = sizeof sizes / sizeof *sizes, MAX_CASE = 24, MAX_SEGMENTS = 8, N_RUN = 4096 };

/* A peer in the race. */
struct entry {
    const struct ml_bench_peer *peer;
    const struct ml_bench_runs *runs;
    void *self;
    int64_t n_step;
    double *end;
};

static void run_entry(void *context, int64_t n_run)
{
    struct entry *e = context;
    e->peer->run(e->self, e->runs, n_run, e->n_step, e->end);
    ml_bench_use(e->end);
}

/* Largest difference of end states after a short time, before small differences have grown. */
static double disagreement(const struct entry *e, const struct ml_ensemble *ours, int64_t n_run)
{
    static double theirs[256 * 2 * MAX_SEGMENTS], own[256 * 2 * MAX_SEGMENTS];
    struct ml_ensemble ensemble = *ours;
    int count = (int)n_run * 2 * e->runs->n;
    double worst = 0.0;
    ensemble.n_step = ensemble.observe_every = 200;
    ml_bench_bare_end(&ensemble, n_run, own);
    e->peer->run(e->self, e->runs, n_run, ensemble.n_step, theirs);
    for (int i = 0; i < count; i++) {
        double difference = fabs(theirs[i] - own[i]);
        worst = difference <= worst ? worst : difference; /* NaN wins */
    }
    return worst;
}

static void race(struct ml_bench *bench, const struct ml_bench_runs *runs, double seconds)
{
    static struct ml_bench_case cases[MAX_CASE];
    static struct entry entries[MAX_CASE];
    const struct ml_kernels *k = ml_bench_fastest();
    struct ml_bench_table table = ml_bench_table(k, runs);
    double *end = malloc((size_t)runs->n_run * 2 * (size_t)runs->n * sizeof *end);
    if (!table.values || !end)
        exit(EXIT_FAILURE);
    const int64_t n_step = bench->is_smoke ? 10 : 2000;
    struct ml_bench_bare ours = {ml_bench_bare_ensemble(k, runs->n, n_step, &table), 1, 0};
    const struct ml_bench_case model = {
        .name = "ours",
        .size = runs->n,
        .isa = k->isa,
        .n_thread = 1,
        .item = "member-step",
        .items = (double)n_step,
        .unit = ML_BENCH_LANES,
        .most = runs->n_run,
        .baseline = -1,
        .run = ml_bench_bare_run,
        .context = &ours,
    };
    int n_case = 1;
    cases[0] = model;
    for (int p = 0; peers[p]; p++)
        for (const struct ml_bench_peer *peer = peers[p]; peer->name && n_case < MAX_CASE; peer++) {
            struct entry *e = &entries[n_case];
            *e = (struct entry){peer, runs, peer->open ? peer->open(runs) : NULL, n_step, end};
            if (peer->open && !e->self) {
                ml_bench_wrong(bench, "n = %d, %s: cannot start", runs->n, peer->name);
                continue;
            }
            double worst = disagreement(e, &ours.ensemble, bench->is_smoke ? 16 : 256);
            if (worst <= peer->bound)
                ml_bench_note(bench, "n = %d, %s (%s): end states agree to %.1e", runs->n,
                              peer->name, peer->doc, worst);
            else
                ml_bench_wrong(bench, "n = %d, %s: end states differ by %g", runs->n, peer->name,
                               worst);
            cases[n_case] = model;
            cases[n_case].name = peer->name;
            cases[n_case].isa = "";
            cases[n_case].baseline = 0;
            cases[n_case].is_peer = true;
            cases[n_case].run = run_entry;
            cases[n_case].context = e;
            n_case++;
        }
    ml_bench_race(bench, cases, n_case, seconds);
    if (ours.unfinished)
        ml_bench_wrong(bench, "n = %d: runs of ours did not finish", runs->n);
    for (int i = 1; i < n_case; i++)
        if (entries[i].self)
            entries[i].peer->close(entries[i].self);
    free(table.values);
    free(end);
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "peers", 120.0, argc, argv);
    for (int i = 0; missing[i].name; i++)
        ml_bench_note(&bench, "skipped %s: %s", missing[i].name, missing[i].what);
    for (int i = 0; i < N_SIZE; i++) {
        struct ml_bench_runs *runs = ml_bench_runs_create(sizes[i], N_RUN);
        if (!runs)
            return EXIT_FAILURE;
        race(&bench, runs, bench.seconds / N_SIZE);
        ml_bench_runs_free(runs);
    }
    return ml_bench_close(&bench);
}
