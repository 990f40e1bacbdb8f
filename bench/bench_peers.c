/* How fast do others integrate the same runs? Classical RK4, step 1 ms, one thread, parameters of
 * their own for every run. Every contender's end states are compared with ours first. Those that
 * are compiled for an instruction set are compared with our kernels for the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "gpu.h"
#include "kernel_only.h"
#include "peer.h"
#include "plan/study.h"

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

static const int sizes[] = {2, 3, 4, 5, 8};
enum { N_SIZE = sizeof sizes / sizeof *sizes, MAX_SEGMENTS = 8, N_RUN = 4096 };
enum { MAX_CASE = 24, LONGEST_NAME = 64, LONGEST_STUDY = 1024 };

/* A peer in the race. */
struct entry {
    const struct ml_bench_peer *peer;
    const struct ml_bench_runs *runs;
    void *self;
    int64_t n_step;
    double *end;
    char name[LONGEST_NAME];
};

/* The contenders of a race; the first is ours. */
struct field {
    struct ml_bench_case cases[MAX_CASE];
    struct entry entries[MAX_CASE];
    int n_case;
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
    ensemble.time.n_step = ensemble.indicators.observe_every = 200;
    ml_bench_kernel_only_end(&ensemble, n_run, own);
    e->peer->run(e->self, e->runs, n_run, ensemble.time.n_step, theirs);
    for (int i = 0; i < count; i++) {
        double difference = fabs(theirs[i] - own[i]);
        worst = difference <= worst ? worst : difference; /* NaN wins */
    }
    return worst;
}

static bool is_for(const struct ml_bench_peer *peer, const struct ml_bench_runs *runs,
                   const struct ml_kernels *k)
{
    return (peer->isa ? strcmp(peer->isa, k->isa) == 0 : k == ml_bench_fastest()) &&
           (!runs->pid || peer->can_pid);
}

/* Adds a peer after the contenders, if its results agree with ours. */
static void enter(struct ml_bench *bench, struct field *f, const struct ml_bench_peer *peer,
                  const struct ml_bench_runs *runs, double *end)
{
    const struct ml_bench_kernel_only *ours = f->cases[0].context;
    struct entry *e = &f->entries[f->n_case];
    *e = (struct entry){peer, runs, NULL, ours->ensemble.time.n_step, end, ""};
    (void)snprintf(e->name, sizeof e->name, "%s%s", peer->name, runs->pid ? ", one PID" : "");
    if (peer->open && !(e->self = peer->open(runs))) {
        ml_bench_wrong(bench, "n = %d, %s: cannot start", runs->n, e->name);
        return;
    }
    double worst = disagreement(e, &ours->ensemble, bench->is_smoke ? 16 : 256);
    if (worst <= peer->bound)
        ml_bench_note(bench, "n = %d, %s%s%s (%s): end states agree to %.1e", runs->n, e->name,
                      peer->isa ? ", " : "", peer->isa ? peer->isa : "", peer->doc, worst);
    else
        ml_bench_wrong(bench, "n = %d, %s: end states differ by %g", runs->n, e->name, worst);
    struct ml_bench_case *c = &f->cases[f->n_case++];
    *c = f->cases[0];
    c->name = e->name;
    c->isa = peer->isa ? peer->isa : "";
    c->baseline = 0;
    c->is_peer = true;
    c->run = run_entry;
    c->context = e;
}

/* Ours, an ensemble of the runs, against all peers that do them; nothing without a peer. */
static void race(struct ml_bench *bench, const struct ml_bench_runs *runs,
                 const struct ml_ensemble *ensemble, double seconds)
{
    static struct field f;
    struct ml_bench_kernel_only ours = {.ensemble = *ensemble, .n_thread = 1};
    ml_bench_take_made(&ours.ensemble);
    double *end = malloc((size_t)runs->n_run * 2 * (size_t)runs->n * sizeof *end);
    if (!end)
        exit(EXIT_FAILURE);
    f.n_case = 1;
    f.cases[0] = (struct ml_bench_case){
        .name = runs->pid ? "ours, one PID" : "ours",
        .size = runs->n,
        .isa = ensemble->kernels->isa,
        .n_thread = 1,
        .item = "member-step",
        .items = (double)ensemble->time.n_step,
        .unit = ML_LANES,
        .most = runs->n_run,
        .baseline = -1,
        .run = ml_bench_kernel_only_run,
        .context = &ours,
    };
    for (int p = 0; peers[p]; p++)
        for (const struct ml_bench_peer *peer = peers[p]; peer->name; peer++)
            if (is_for(peer, runs, ensemble->kernels) && f.n_case < MAX_CASE)
                enter(bench, &f, peer, runs, end);
    if (f.n_case > 1)
        ml_bench_race(bench, f.cases, f.n_case, seconds);
    if (ours.unfinished)
        ml_bench_wrong(bench, "n = %d: runs of ours did not finish", runs->n);
    for (int i = 1; i < f.n_case; i++)
        if (f.entries[i].self)
            f.entries[i].peer->close(f.entries[i].self);
    free(end);
}

static int64_t steps(const struct ml_bench *bench) { return bench->is_smoke ? 10 : 2000; }

/* Chains without forces. */
struct passive {
    struct ml_bench_runs *runs;
    struct ml_bench_table table;
    struct ml_ensemble ensemble; /* has the address of the table */
};

static void passive_begin(struct passive *p, const struct ml_bench *bench, int n,
                          const struct ml_kernels *k)
{
    p->runs = ml_bench_runs_create(n, N_RUN);
    p->table = p->runs ? ml_bench_table(k, p->runs) : (struct ml_bench_table){0};
    if (!p->table.values)
        exit(EXIT_FAILURE);
    p->ensemble = ml_bench_kernel_only_ensemble(k, n, steps(bench), &p->table);
}

static void passive_end(struct passive *p)
{
    free(p->table.values);
    ml_bench_runs_free(p->runs);
}

static void race_passive(struct ml_bench *bench, int n, const struct ml_kernels *k, double seconds)
{
    struct passive p;
    passive_begin(&p, bench, n, k);
    race(bench, p.runs, &p.ensemble, seconds);
    passive_end(&p);
}

/* The GPU beside the threads of this machine; false without. */
static bool race_gpu(struct ml_bench *bench, int n, double seconds)
{
    struct passive p;
    passive_begin(&p, bench, n, ml_bench_fastest());
    const bool is_there = ml_bench_gpu(bench, &p.ensemble, seconds);
    passive_end(&p);
    return is_there;
}

static struct ml_study *pid_study(const struct ml_bench_pid *pid, int64_t n_step, const char *isa)
{
    char text[LONGEST_STUDY];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    (void)setenv("MANYLINK_ISA", isa, 1);
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, segments: {repeat: %d, length: 1, mass: 1}}\n"
                   "forces: [{type: pid, joint: %d, target: %g, kp: %g, ki: %g, kd: %g}]\n"
                   "time: {step: %g, end: %lld*%g}\n"
                   "analyse: {every: %lld}\n"
                   "sweep: [{set: initial.angle.1, from: -3, to: 3, count: %d}]\n",
                   (int)ML_BENCH_PID_SIZE, pid->joint + 1, pid->target, pid->kp, pid->ki, pid->kd,
                   ML_BENCH_STEP, (long long)n_step, ML_BENCH_STEP, (long long)n_step, (int)N_RUN);
    const struct ml_study_source source = {.size = sizeof source, .path = "bench", .text = text};
    if (ml_study_load(&source, &study, &err) != ML_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
    return study;
}

/* Three segments with a PID at one joint that moves towards a constant target. */
static void race_pid(struct ml_bench *bench, const struct ml_kernels *k, double seconds)
{
    struct ml_study *study = pid_study(&ml_bench_pid, steps(bench), k->isa);
    struct ml_bench_runs *runs = ml_bench_runs_create(ML_BENCH_PID_SIZE, N_RUN);
    struct ml_bench_table table = ml_bench_table_of(&study->ensemble, N_RUN);
    if (!runs || !table.values)
        exit(EXIT_FAILURE);
    runs->pid = &ml_bench_pid;
    ml_bench_table_set(study->ensemble.model.system, runs, &table);
    struct ml_ensemble ensemble = ml_bench_ensemble_of(&study->ensemble, &table);
    race(bench, runs, &ensemble, seconds);
    free(table.values);
    ml_bench_runs_free(runs);
    ml_study_free(study);
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    const struct ml_kernels *k;
    int n_set = 0;
    ml_bench_open(&bench, "peers", 120.0, argc, argv);
    for (int i = 0; missing[i].name; i++)
        ml_bench_note(&bench, "skipped %s: %s", missing[i].name, missing[i].what);
    while (ml_kernels_at(n_set))
        n_set++;
    for (int i = n_set - 1; (k = i >= 0 ? ml_kernels_at(i) : NULL); i--) {
        /* most of the peers are on the fastest set */
        double share = n_set == 1 ? 1.0 : i == n_set - 1 ? 0.6 : 0.4 / (n_set - 1);
        double seconds = bench.seconds * share / (N_SIZE + 1);
        for (int s = 0; s < N_SIZE; s++)
            race_passive(&bench, sizes[s], k, seconds);
        race_pid(&bench, k, seconds);
    }
    bool has_gpu = true;
    for (int s = 0; s < N_SIZE && has_gpu; s++)
        has_gpu = race_gpu(&bench, sizes[s], bench.seconds / (2 * N_SIZE));
    return ml_bench_close(&bench);
}
