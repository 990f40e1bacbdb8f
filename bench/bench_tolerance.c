/* Cost of a double pendulum to a given error: two rods with lengths, masses and angles of their
 * own, angles within 0.5 rad, at rest first, 10 s, one thread. Every contender takes the loosest of
 * a ladder of tolerances with which the largest error of all angles at the end, over the runs that
 * are checked, is at most the one that is asked for; then they race. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernel_only.h"
#include "tolerant.h"

/* Written by CMakeLists.txt, as peers.gen.h is. */
#define PEER(name) extern const struct ml_bench_tolerant ml_tolerant_##name[];
#define PEER_MISSING(name, what)
#include "tolerants.gen.h"
#undef PEER
#undef PEER_MISSING

static const struct ml_bench_tolerant *const others[] = {
#define PEER(name) ml_tolerant_##name,
#define PEER_MISSING(name, what)
#include "tolerants.gen.h"
#undef PEER
#undef PEER_MISSING
    NULL,
};

static const struct {
    const char *name, *what;
} missing[] = {
#define PEER(name)
#define PEER_MISSING(name, what) {#name, what},
#include "tolerants.gen.h"
#undef PEER
#undef PEER_MISSING
    {NULL, NULL},
};

enum { N_SEGMENT = 2, N_STATE = 2 * N_SEGMENT, N_RUN = 1024, N_CHECKED = 64, MAX_CASE = 12 };
enum { LONGEST_NAME = 64, RUNGS = 49, RUNGS_OF_TEN = 4 };
static const double last = 10.0;                    /* s */
static const double widest = 0.5, of_runs = 2.5;    /* rad: of these runs, of those of runs.h */
static const double wanted[] = {1e-6, 1e-9, 1e-12}; /* rad */
static const char *const ours[] = {"tp86", "dop853", "verner98", "baker109"};
enum { N_WANTED = sizeof wanted / sizeof *wanted, N_OURS = sizeof ours / sizeof *ours };

/* State that all contenders have in common. */
struct problem {
    const struct ml_bench_runs *runs;
    const struct ml_ensemble *ensemble;
    double reference[N_CHECKED * N_STATE];
};

/* One of our methods, or somebody else's, at a tolerance. */
struct entry {
    const struct problem *problem;
    const struct ml_bench_tolerant *other; /* NULL: ours */
    struct ml_bench_kernel_only kernel;    /* of ours */
    double tolerance;
    char name[LONGEST_NAME];
    double end[N_RUN * N_STATE];
};

static double tolerance_of(int rung) { return 1e-3 * pow(10.0, -(double)rung / RUNGS_OF_TEN); }

static void set_tolerance(struct entry *e, double tolerance)
{
    e->tolerance = tolerance;
    e->kernel.ensemble.chosen.control.relative = e->kernel.ensemble.chosen.control.absolute =
        tolerance;
}

static void run_entry(void *context, int64_t n_run)
{
    struct entry *e = context;
    if (e->other)
        e->other->run(e->problem->runs, e->tolerance, last, n_run, e->end);
    else
        ml_bench_kernel_only_run(&e->kernel, n_run);
    ml_bench_use(e->end);
}

/* Largest error of the angles of the runs that are checked; NaN if one failed. */
static double error_of(struct entry *e, int64_t n_run)
{
    double worst = 0.0;
    if (e->other)
        e->other->run(e->problem->runs, e->tolerance, last, n_run, e->end);
    else
        ml_bench_kernel_only_end(&e->kernel.ensemble, n_run, e->end);
    for (int64_t r = 0; r < n_run; r++)
        for (int i = 0; i < N_SEGMENT; i++) {
            const double error =
                fabs(e->end[r * N_STATE + i] - e->problem->reference[r * N_STATE + i]);
            worst = error <= worst ? worst : error; /* NaN wins */
        }
    return worst;
}

/* Sets the loosest tolerance that is good enough; false if none is. */
static bool find_tolerance(struct ml_bench *bench, struct entry *e, double error, int64_t n_run)
{
    double best = (double)INFINITY;
    for (int rung = 0; rung < RUNGS; rung++) {
        set_tolerance(e, tolerance_of(rung));
        const double found = error_of(e, n_run);
        if (found <= error) {
            ml_bench_note(bench, "%.0e rad, %s: tolerance %.1e, error %.1e", error, e->name,
                          e->tolerance, found);
            return true;
        }
        best = found < best ? found : best;
    }
    ml_bench_note(bench, "%.0e rad, %s: not reached, at best %.1e", error, e->name, best);
    return false;
}

static const struct ml_method *find_method(const char *name)
{
    int i = 0;
    while (strcmp(ml_methods[i]->name, name) != 0)
        i++;
    return ml_methods[i];
}

static struct entry *new_entry(const struct problem *problem, const char *name)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        exit(EXIT_FAILURE);
    e->problem = problem;
    (void)snprintf(e->name, sizeof e->name, "%s", name);
    return e;
}

static struct entry *our_entry(const struct problem *problem, const char *method)
{
    char name[LONGEST_NAME];
    (void)snprintf(name, sizeof name, "ours, %s", method);
    struct entry *e = new_entry(problem, name);
    e->kernel = (struct ml_bench_kernel_only){*problem->ensemble, 1, 0};
    e->kernel.ensemble.method = find_method(method);
    return e;
}

/* All contenders, ours first; returns their number. */
static int make_entries(const struct problem *problem, struct entry **entries)
{
    int n = 0;
    for (int m = 0; m < N_OURS; m++)
        entries[n++] = our_entry(problem, ours[m]);
    for (int p = 0; others[p]; p++) {
        entries[n] = new_entry(problem, others[p]->name);
        entries[n++]->other = others[p];
    }
    return n;
}

/* Those that can reach the error race for it; the fastest of ours is not known before, so that the
 * ratios are to the first of ours. */
static void race(struct ml_bench *bench, struct entry **entries, int n_entry, double error,
                 double seconds)
{
    struct ml_bench_case cases[MAX_CASE];
    int n_case = 0;
    for (int i = 0; i < n_entry && n_case < MAX_CASE; i++) {
        char name[LONGEST_NAME];
        (void)snprintf(name, sizeof name, "%s", entries[i]->name);
        if (!find_tolerance(bench, entries[i], error, bench->is_smoke ? ML_LANES : N_CHECKED))
            continue;
        cases[n_case] = (struct ml_bench_case){
            .name = entries[i]->name,
            .size = (int)lround(-log10(error)),
            .isa = entries[i]->other ? "" : entries[i]->problem->ensemble->kernels->isa,
            .n_thread = 1,
            .item = "run",
            .items = 1.0,
            .unit = ML_LANES,
            .most = N_RUN,
            .baseline = n_case > 0 ? 0 : -1,
            .is_peer = true,
            .run = run_entry,
            .context = entries[i],
        };
        n_case++;
    }
    if (n_case > 0)
        ml_bench_race(bench, cases, n_case, seconds);
}

/* The end to rounding, by our method of the highest order, and how far another one's is. */
static void find_reference(struct ml_bench *bench, struct problem *problem)
{
    struct entry *first = our_entry(problem, "baker109"), *second = our_entry(problem, "dop853");
    const int64_t n_run = bench->is_smoke ? ML_LANES : N_CHECKED;
    set_tolerance(first, 1e-15);
    ml_bench_kernel_only_end(&first->kernel.ensemble, n_run, problem->reference);
    set_tolerance(second, 1e-15);
    const double apart = error_of(second, n_run);
    ml_bench_note(bench, "reference: baker109 at 1e-15; dop853 at 1e-15 is %.1e away", apart);
    if (!(apart < 2e-13))
        ml_bench_wrong(bench, "two methods disagree by %g rad", apart);
    free(first);
    free(second);
}

static struct ml_ensemble make_ensemble(const struct ml_bench_table *table)
{
    struct ml_ensemble ensemble =
        ml_bench_kernel_only_ensemble(ml_bench_fastest(), N_SEGMENT, 1, table);
    ensemble.time.step = last;
    ensemble.block_runs = N_RUN; /* as long as those of a study, in which lanes are refilled */
    ensemble.time.is_adaptive = true;
    ensemble.chosen.control = (struct ml_control){
        .relative = 1e-9, .absolute = 1e-9, .step_max = (double)INFINITY, .most_steps = 1e7};
    ml_bench_take_made(&ensemble);
    return ensemble;
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    struct entry *entries[MAX_CASE];
    ml_bench_open(&bench, "tolerance", 60.0, argc, argv);
    for (int i = 0; missing[i].name; i++)
        ml_bench_note(&bench, "skipped %s: %s", missing[i].name, missing[i].what);
    struct ml_bench_runs *runs = ml_bench_runs_create(N_SEGMENT, N_RUN);
    struct ml_bench_table table = {0};
    double *angle = malloc((size_t)N_RUN * N_SEGMENT * sizeof *angle);
    if (!runs || !angle)
        return EXIT_FAILURE;
    for (int i = 0; i < N_RUN * N_SEGMENT; i++)
        angle[i] = runs->angle[i] * widest / of_runs;
    struct ml_bench_runs narrow = *runs;
    narrow.angle = angle;
    table = ml_bench_table(ml_bench_fastest(), &narrow);
    if (!table.values)
        return EXIT_FAILURE;
    const struct ml_ensemble ensemble = make_ensemble(&table);
    struct problem problem = {&narrow, &ensemble, {0}};
    find_reference(&bench, &problem);
    const int n_entry = make_entries(&problem, entries);
    for (int w = 0; w < N_WANTED; w++)
        race(&bench, entries, n_entry, wanted[w], bench.seconds / N_WANTED);
    for (int i = 0; i < n_entry; i++) {
        if (entries[i]->kernel.unfinished)
            ml_bench_wrong(&bench, "%s: runs did not finish", entries[i]->name);
        free(entries[i]);
    }
    free(table.values);
    free(angle);
    ml_bench_runs_free(runs);
    return ml_bench_close(&bench);
}
