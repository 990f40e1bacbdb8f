/* Cost of a study besides its integration: from the text of the study to the finished result file,
 * against the bare kernel on the same runs; saving trajectories against the disk and memcpy; memory
 * against the number of runs. */
#include <limits.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "disk.h"
#include "kernel_only.h"
#include "manylink/run.h"
#include "plan/study.h"

enum { TEXT_LENGTH = 2048, N_TABLE = 4096, PIECE = 32 << 20 };

#define CHILD_OPTION "--memory-of-study"

extern char **environ;

/* A study of n_run double pendulums with parameters of their own.
 *   observe_every  steps between observations for the summary, 0: the default
 *   save_every     0: no trajectories */
static struct ml_study *make_study(int64_t n_run, int64_t n_step, int64_t observe_every,
                                   int save_every)
{
    char text[TEXT_LENGTH], save[64] = "", observe[64] = "";
    struct ml_study *study;
    struct ml_error err = {0};
    if (save_every)
        (void)snprintf(save, sizeof save, "save: {trajectory: {every: %d}}\n", save_every);
    if (observe_every)
        (void)snprintf(observe, sizeof observe, "analyse: {every: %lld}\n",
                       (long long)observe_every);
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system:\n"
                   "  type: chain\n"
                   "  segments:\n"
                   "    - {name: upper, length: 1.0, mass: 1.0}\n"
                   "    - {name: lower, length: 1.0, mass: 1.0}\n"
                   "time: {step: 1e-3, end: %.17g}\n"
                   "sample:\n"
                   "  method: random\n"
                   "  count: %lld\n"
                   "  over:\n"
                   "    - {set: system.segments.upper.length, from: 0.5, to: 1.0}\n"
                   "    - {set: system.segments.lower.length, from: 0.5, to: 1.0}\n"
                   "    - {set: system.segments.upper.mass, from: 0.5, to: 1.5}\n"
                   "    - {set: system.segments.lower.mass, from: 0.5, to: 1.5}\n"
                   "    - {set: initial.angle.upper, from: -2.5, to: 2.5}\n"
                   "    - {set: initial.angle.lower, from: -2.5, to: 2.5}\n"
                   "%s%s",
                   (double)n_step * 1e-3, (long long)n_run, observe, save);
    const struct ml_study_source source = {.size = sizeof source, .path = "bench", .text = text};
    if (ml_study_load(&source, &study, &err) == ML_OK)
        return study;
    (void)fprintf(stderr, "%s", err.text ? err.text : "no study\n");
    ml_error_clear(&err);
    return NULL;
}

/* A study as a contender: an amount of runs. */
struct whole {
    const char *path; /* of the result, removed after */
    int64_t n_step, observe_every;
    int save_every, n_thread;
    int64_t bytes; /* of the last result file */
    bool has_failed;
};

static void run_whole(void *context, int64_t n_run)
{
    struct whole *w = context;
    struct ml_study *study = make_study(n_run, w->n_step, w->observe_every, w->save_every);
    struct ml_run_options options = {
        .size = sizeof options, .output = w->path, .n_thread = w->n_thread};
    struct ml_run_report report = {.size = sizeof report};
    struct ml_error err = {0};
    struct stat about = {0};
    bool is_good = study && ml_run(study, &options, &report, &err) == ML_OK &&
                   report.sound == n_run && report.runs_found == 0 && stat(w->path, &about) == 0;
    if (!is_good && err.text)
        (void)fprintf(stderr, "%s", err.text);
    w->has_failed |= !is_good;
    w->bytes = about.st_size;
    (void)unlink(w->path);
    ml_error_clear(&err);
    ml_study_free(study);
}

/* The kernel alone on the runs of a study, whose values were computed before. */
static struct ml_bench_kernel_only bare_of(const struct ml_study *study,
                                           const struct ml_bench_table *table, int n_thread)
{
    struct ml_ensemble e = ml_bench_kernel_only_ensemble(
        study->ensemble.kernels, study->ensemble.model.n, study->ensemble.time.n_step, table);
    e.time.step = study->ensemble.time.step;
    return (struct ml_bench_kernel_only){.ensemble = e, .n_thread = n_thread};
}

/* Time of the fastest sample. */
static double least(const struct ml_bench_case *c, bool is_wall)
{
    double time = (double)INFINITY;
    for (int i = 0; i < c->n_sample; i++)
        time = fmin(time, is_wall ? c->samples[i].wall : c->samples[i].processor);
    return time;
}

/* The excess of a's time over b's, %, over the rounds; as `min`, that of the fastest samples. */
static void report_excess(struct ml_bench *bench, const char *name, const struct ml_bench_case *a,
                          const struct ml_bench_case *b, bool is_wall)
{
    double values[ML_BENCH_ROUNDS];
    for (int i = 0; i < a->n_sample; i++)
        values[i] = 100.0 * ((is_wall ? a->samples[i].wall / b->samples[i].wall
                                      : a->samples[i].processor / b->samples[i].processor) -
                             1.0);
    struct ml_bench_row row = {
        .name = name,
        .size = a->size,
        .isa = "",
        .n_thread = a->n_thread,
        .median = ml_bench_median(values, a->n_sample),
        .min = 100.0 * (least(a, is_wall) / least(b, is_wall) - 1.0),
        .unit = "%",
    };
    ml_bench_report(bench, &row);
}

/* Runs that take one thread about `seconds`. */
static int64_t runs_for(struct ml_bench_kernel_only *bare, double seconds, int64_t most)
{
    const int64_t n_run = 256;
    double began = ml_bench_now().processor;
    ml_bench_kernel_only_run(bare, n_run);
    double each = (ml_bench_now().processor - began) / (double)n_run;
    int64_t n = (int64_t)(seconds / each) / 64 * 64;
    return n < 64 ? 64 : n > most ? most : n;
}

/* The whole against the kernel, with the default observations and with none on the way; then on
 * several threads against one. */
static void race_overhead(struct ml_bench *bench, const char *path, double seconds)
{
    enum { BARE, STUDY, QUIET, BARE_MORE, STUDY_MORE, N_CASE };
    static struct ml_bench_case cases[N_CASE];
    const int64_t n_step = bench->is_smoke ? 100 : 10000;
    struct ml_study *study = make_study(100000, n_step, 0, 0);
    struct ml_bench_table table = {0};
    if (study)
        table = ml_bench_table_of(&study->ensemble, N_TABLE);
    if (!table.values)
        exit(EXIT_FAILURE);
    const int more = bench->n_thread, n_case = more > 1 ? N_CASE : BARE_MORE;
    struct ml_bench_kernel_only bare = bare_of(study, &table, 1),
                                bare_more = bare_of(study, &table, more);
    const int64_t n_run = runs_for(&bare, seconds / 18.0, 100000);
    struct whole whole = {path, n_step, 0, 0, 1, 0, false};
    struct whole quiet = {path, n_step, n_step, 0, 1, 0, false};
    struct whole whole_more = {path, n_step, 0, 0, more, 0, false};
    const struct {
        const char *name;
        int n_thread, baseline;
        void (*run)(void *, int64_t);
        void *context;
    } table_of_cases[N_CASE] = {
        [BARE] = {"bare kernel", 1, -1, ml_bench_kernel_only_run, &bare},
        [STUDY] = {"study, YAML to HDF5", 1, BARE, run_whole, &whole},
        [QUIET] = {"study, observed at its end only", 1, BARE, run_whole, &quiet},
        [BARE_MORE] = {"bare kernel", more, BARE, ml_bench_kernel_only_run, &bare_more},
        [STUDY_MORE] = {"study, YAML to HDF5", more, STUDY, run_whole, &whole_more},
    };
    for (int i = 0; i < n_case; i++)
        cases[i] = (struct ml_bench_case){
            .name = table_of_cases[i].name,
            .size = (int)n_run,
            .isa = study->ensemble.kernels->isa,
            .n_thread = table_of_cases[i].n_thread,
            .item = "member-step",
            .items = (double)n_step,
            .unit = n_run,
            .most = n_run,
            .baseline = table_of_cases[i].baseline,
            .run = table_of_cases[i].run,
            .context = table_of_cases[i].context,
        };
    ml_bench_race(bench, cases, n_case, seconds);
    report_excess(bench, "study over kernel, processor", &cases[STUDY], &cases[BARE], false);
    report_excess(bench, "study over kernel, wall clock", &cases[STUDY], &cases[BARE], true);
    report_excess(bench, "at its end only, processor", &cases[QUIET], &cases[BARE], false);
    report_excess(bench, "at its end only, wall clock", &cases[QUIET], &cases[BARE], true);
    ml_bench_note(bench,
                  "size: runs of %lld steps; a study observes every %lld steps by default; of an "
                  "excess, min is that of the fastest samples",
                  (long long)n_step, (long long)study->ensemble.indicators.observe_every);
    if (whole.has_failed || quiet.has_failed || whole_more.has_failed || bare.unfinished ||
        bare_more.unfinished)
        ml_bench_wrong(bench, "not all runs finished");
    free(table.values);
    ml_study_free(study);
}

/* Saving trajectories. */

struct traffic {
    const char *directory;
    char *data, *to; /* [PIECE] */
    int64_t bytes_per_run;
    bool has_failed;
};

static void run_disk(void *context, int64_t n_run)
{
    struct traffic *t = context;
    t->has_failed |=
        ml_bench_disk_write(t->directory, t->data, PIECE, n_run * t->bytes_per_run) != 0;
}

static void run_copy(void *context, int64_t n_run)
{
    struct traffic *t = context;
    for (int64_t left = n_run * t->bytes_per_run; left > 0; left -= PIECE) {
        memcpy(t->to, t->data, (size_t)(left < PIECE ? left : PIECE));
        ml_bench_use(t->to);
    }
}

/* Contenders of saving: the whole, and its parts. */
enum { SAVE, KERNEL, QUIET, DISK, COPY, N_SAVING };

/* Share of the time that the slowest of compute, disk and memcpy needs anyway.
 *   compute  KERNEL or QUIET */
static double share_of_limit(const struct ml_bench_case *cases, int compute)
{
    double shares[ML_BENCH_ROUNDS];
    const struct ml_bench_case *saving = &cases[SAVE];
    for (int i = 0; i < saving->n_sample; i++) {
        double limit = fmax(cases[DISK].samples[i].wall, cases[COPY].samples[i].wall);
        limit = fmax(limit, cases[compute].samples[i].wall);
        shares[i] = limit / saving->samples[i].wall;
    }
    return ml_bench_median(shares, saving->n_sample);
}

/* The same of the fastest sample of each. */
static double best_share_of_limit(const struct ml_bench_case *cases, int compute)
{
    double limit = fmax(least(&cases[DISK], true), least(&cases[COPY], true));
    return fmax(limit, least(&cases[compute], true)) / least(&cases[SAVE], true);
}

static void report_share(struct ml_bench *bench, const char *name,
                         const struct ml_bench_case *cases, int compute, double bytes)
{
    ml_bench_report(bench,
                    &(struct ml_bench_row){.name = name,
                                           .size = cases[SAVE].size,
                                           .isa = "",
                                           .n_thread = cases[SAVE].n_thread,
                                           .min = (double)NAN,
                                           .median = bytes / 1e6,
                                           .unit = "MB",
                                           .share = share_of_limit(cases, compute),
                                           .best_share = best_share_of_limit(cases, compute)});
}

static void race_saving(struct ml_bench *bench, const char *directory, const char *path,
                        int n_thread, double seconds)
{
    enum { EVERY = 10, ROWS = 4 };
    const int64_t n_step = bench->is_smoke ? 100 : 2000, samples = n_step / EVERY + 1;
    struct ml_study *study = make_study(100000, n_step, 0, 0);
    struct traffic traffic = {directory, malloc(PIECE), malloc(PIECE),
                              samples * ROWS * (int64_t)sizeof(double), false};
    struct ml_bench_table table = {0};
    if (study)
        table = ml_bench_table_of(&study->ensemble, N_TABLE);
    if (!table.values || !traffic.data || !traffic.to)
        exit(EXIT_FAILURE);
    for (int64_t i = 0; i < PIECE; i++)
        traffic.data[i] = (char)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 56);
    memset(traffic.to, 1, PIECE);
    struct ml_bench_kernel_only one = bare_of(study, &table, 1),
                                bare = bare_of(study, &table, n_thread);
    const int64_t n_run =
        runs_for(&one, n_thread * seconds / 20.0, ((int64_t)1 << 28) / traffic.bytes_per_run);
    struct whole quiet = {path, n_step, 0, 0, n_thread, 0, false};
    struct whole saving = {path, n_step, 0, EVERY, n_thread, 0, false};
    const struct {
        const char *name;
        int n_thread;
        bool is_ours;
        void (*run)(void *, int64_t);
        void *context;
    } table_of_cases[N_SAVING] = {
        [SAVE] = {"study, every 10th step saved", n_thread, true, run_whole, &saving},
        [KERNEL] = {"bare kernel", n_thread, true, ml_bench_kernel_only_run, &bare},
        [QUIET] = {"study without trajectories", n_thread, true, run_whole, &quiet},
        [DISK] = {"disk alone, same bytes", 1, false, run_disk, &traffic},
        [COPY] = {"memcpy alone, same bytes", 1, false, run_copy, &traffic},
    };
    static struct ml_bench_case cases[N_SAVING];
    for (int i = 0; i < N_SAVING; i++)
        cases[i] = (struct ml_bench_case){
            .name = table_of_cases[i].name,
            .size = (int)n_run,
            .isa = table_of_cases[i].is_ours ? study->ensemble.kernels->isa : "",
            .n_thread = table_of_cases[i].n_thread,
            .item = "member-step",
            .items = (double)n_step,
            .is_wall = true,
            .unit = n_run,
            .most = n_run,
            .baseline = i == SAVE ? -1 : SAVE,
            .run = table_of_cases[i].run,
            .context = table_of_cases[i].context,
        };
    ml_bench_race(bench, cases, N_SAVING, seconds);
    double bytes = (double)(n_run * traffic.bytes_per_run);
    report_share(bench, "saving, share of the slowest part", cases, QUIET, bytes);
    report_share(bench, "the same, kernel for compute", cases, KERNEL, bytes);
    ml_bench_note(bench,
                  "%lld runs x %lld steps: %.0f MB of trajectories, a result file of %.0f MB",
                  (long long)n_run, (long long)n_step, bytes / 1e6, (double)saving.bytes / 1e6);
    if (quiet.has_failed || saving.has_failed || traffic.has_failed || one.unfinished ||
        bare.unfinished)
        ml_bench_wrong(bench, "saving: not all runs finished, or the disk failed");
    free(table.values);
    free(traffic.data);
    free(traffic.to);
    ml_study_free(study);
}

/* Memory: a process of its own for each size, which leaves its peak, kB, in a file. (What wait4
 * says would be this process's peak if that is higher: the child starts as its copy.) */

static bool write_peak(const char *path)
{
    char line[128], peak[128] = "";
    FILE *from = fopen("/proc/self/status", "r"), *to = fopen(path, "w");
    while (from && fgets(line, sizeof line, from))
        if (strncmp(line, "VmHWM:", 6) == 0)
            (void)snprintf(peak, sizeof peak, "%s", line + 6);
    bool is_good = from && to && peak[0] && fputs(peak, to) >= 0;
    if (from)
        (void)fclose(from);
    return to && fclose(to) == 0 && is_good;
}

static int child(const char *path, const char *runs, const char *threads, const char *peak)
{
    struct whole w = {path, 10, 0, 0, (int)strtol(threads, NULL, 10), 0, false};
    run_whole(&w, strtoll(runs, NULL, 10));
    return !w.has_failed && write_peak(peak) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Peak resident memory of a child, MB; NaN if it failed. */
static double spawn_child(char *path, int64_t n_run, int n_thread)
{
    char name[] = "bench_study", option[] = CHILD_OPTION, runs[32], threads[32], peak[PATH_MAX];
    char *argv[] = {name, option, path, runs, threads, peak, NULL};
    double memory = (double)NAN;
    pid_t pid;
    int status;
    (void)snprintf(runs, sizeof runs, "%lld", (long long)n_run);
    (void)snprintf(threads, sizeof threads, "%d", n_thread);
    (void)snprintf(peak, sizeof peak, "%s.peak", path);
    if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ) != 0 ||
        waitpid(pid, &status, 0) != pid || status != 0)
        return memory;
    FILE *file = fopen(peak, "r");
    if (file && fscanf(file, "%lf", &memory) != 1)
        memory = (double)NAN;
    if (file)
        (void)fclose(file);
    (void)unlink(peak);
    return memory / 1e3;
}

static void measure_memory(struct ml_bench *bench, char *path, double seconds)
{
    const int64_t most = bench->is_smoke ? 1000 : 10000000;
    double took = 0.0;
    for (int64_t n_run = bench->is_smoke ? 100 : 10000; n_run <= most; n_run *= 10) {
        if (10.0 * took > seconds) {
            ml_bench_note(bench, "skipped %lld runs: about %.0f s", (long long)n_run, 10.0 * took);
            took *= 10.0;
            continue;
        }
        double began = ml_bench_now().wall;
        double memory = spawn_child(path, n_run, bench->n_thread);
        took = ml_bench_now().wall - began;
        if (isnan(memory))
            ml_bench_wrong(bench, "a study of %lld runs failed", (long long)n_run);
        ml_bench_report(bench, &(struct ml_bench_row){.name = "peak memory, 10 steps",
                                                      .size = (int)n_run,
                                                      .isa = "",
                                                      .n_thread = bench->n_thread,
                                                      .min = memory,
                                                      .median = memory,
                                                      .unit = "MB",
                                                      .rate = (double)n_run / took});
    }
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    char directory[] = "bench_study_XXXXXX", path[64];
    if (argc == 6 && strcmp(argv[1], CHILD_OPTION) == 0)
        return child(argv[2], argv[3], argv[4], argv[5]);
    ml_bench_open(&bench, "study", 120.0, argc, argv);
    if (!mkdtemp(directory)) {
        perror("bench_study: cannot make a folder here");
        return EXIT_FAILURE;
    }
    (void)snprintf(path, sizeof path, "%s/result.h5", directory);
    race_overhead(&bench, path, 0.4 * bench.seconds);
    race_saving(&bench, directory, path, 1, 0.15 * bench.seconds);
    if (bench.n_thread > 1)
        race_saving(&bench, directory, path, bench.n_thread, 0.15 * bench.seconds);
    measure_memory(&bench, path, bench.seconds);
    if (rmdir(directory) != 0)
        ml_bench_wrong(&bench, "%s: not empty at the end", directory);
    return ml_bench_close(&bench);
}
