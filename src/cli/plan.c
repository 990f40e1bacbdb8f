/* manylink plan: what a study would do, before doing it. */
#include <getopt.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/say.h"
#include "cli/speed.h"
#include "engine/kernel_choice.h"
#include "store/space.h"

static void print_axes(const struct ml_study *study)
{
    char count[32];
    static const char *const methods[] = {"grid", "random sample", "latin hypercube sample",
                                          "Sobol sample"};
    printf("runs      %lld", (long long)study->ensemble.n_run);
    if (study->n_axis > 0)
        printf(" (%s)", methods[study->sampling]);
    printf("\n");
    for (int a = 0; a < study->n_axis; a++) {
        const struct ml_axis *axis = &study->axes[a];
        for (int s = 0; s < axis->n_swept; s++) {
            const struct ml_swept *swept = &axis->swept[s];
            const bool is_grid = study->sampling == ML_GRID;
            double low = is_grid ? ml_axis_value(axis, s, 0) : swept->weight * swept->low;
            double high =
                is_grid ? ml_axis_value(axis, s, axis->count - 1) : swept->weight * swept->high;
            const char *unit = strcmp(swept->unit, "1") == 0 ? "" : swept->unit;
            printf("  %-8s%s from %g to %g %s%s\n",
                   s > 0     ? ""
                   : is_grid ? format_count((double)axis->count, count)
                             : "over",
                   swept->path, low, high, unit, axis->is_log ? ", log" : "");
        }
    }
}

static void print_system(const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    printf("system    %s", e->system->name);
    if (study->segment_names)
        printf(", %d %s", e->shape.n, ml_system_part(e->system, e->shape.n));
    if (e->system->joint_terms)
        printf(", %d force%s", e->n_force, e->n_force == 1 ? "" : "s");
    printf("; %s", ml_ensemble_method(e)->name);
    if (e->system->terms)
        printf(", solver %s", e->kernels->solvers[e->shape.solver].name);
    printf("\n");
}

/* Threads that there will be, of those that were asked for: each takes a block at a time. */
static int threads_of(const struct ml_ensemble *e, long long asked)
{
    const long long most = omp_get_thread_limit(), blocks = ml_ensemble_blocks(e);
    const long long n = asked < most ? asked : most;
    return (int)(n < blocks ? n : blocks);
}

/* What computes the steps, and what making it would be worth. */
static void print_kernel(const struct ml_ensemble *e, int n_thread, double rate)
{
    char saves[32];
    const struct ml_kernel_wish wish = {
        .no_native = native_is_refused(), .n_run = e->n_run, .n_thread = n_thread, .rate = rate};
    const struct ml_kernel_outlook outlook = ml_kernel_foresee(e, &wish);
    if (outlook.kind == ML_IS_MADE)
        printf("kernel    made for this study (%s), saves about %s\n",
               outlook.is_cached ? "in the cache" : "to be compiled, some seconds",
               format_duration(outlook.saves, saves));
    else
        printf("kernel    %s%s%s\n", ml_kernel_word(outlook.kind), outlook.why ? ": " : "",
               outlook.why ? outlook.why : "");
}

/* Time of computing, and of writing when that takes longer than a tenth of it. */
static void print_estimate(const struct ml_ensemble *e, int n_thread, double bytes)
{
    const double disk = 2e8; /* bytes/s: a result is written, synced and checked */
    char a[32], b[32];
    (void)fflush(stdout);
    const struct speed speed = measure_speed(e);
    print_kernel(e, n_thread, speed.rate);
    if (speed.rate <= 0.0)
        return;
    const double seconds = (double)e->n_run * (double)e->n_step / speed.rate / n_thread;
    printf("estimate  %s%s at %s%s steps/s and thread (%s), measured just now on the first runs\n",
           speed.is_at_least ? "more than " : "", format_duration(seconds, a),
           speed.is_at_least ? "less than " : "", format_count(speed.rate, b), e->kernels->isa);
    if (bytes / disk > 0.1 * seconds)
        printf("          and about %s for writing %s, at 200 MB/s\n",
               format_duration(bytes / disk, a), format_bytes(bytes, b));
}

static int plan(const struct ml_study *study, const void *own)
{
    const struct ml_ensemble *e = &study->ensemble;
    const int n_thread = threads_of(e, *(const long long *)own);
    const double libraries = 2e7; /* bytes, about: HDF5, LAPACK, OpenMP */
    char a[32], b[32];
    double member_steps = (double)e->n_run * (double)e->n_step;
    if (*study->title)
        say(stdout, "%s\n", study->title);
    print_axes(study);
    print_system(study);
    printf("time      %g s to %g s in %lld steps of %g s; %s steps in all\n", e->start,
           e->start + (double)e->n_step * e->step, (long long)e->n_step, e->step,
           format_count(member_steps, a));
    printf("blocks    %lld of %lld runs\n", (long long)ml_ensemble_blocks(e),
           (long long)e->block_runs);
    printf("memory    %s on %d thread%s, however many runs there are\n",
           format_bytes((double)ml_ensemble_thread_bytes(e) * n_thread + libraries, a), n_thread,
           n_thread == 1 ? "" : "s");
    struct ml_layout layout;
    ml_layout_init(&layout, study);
    printf("disk      about %s, %s more while the result is put together\n",
           format_bytes(ml_space_of_runs(&layout) + ml_space_of_trajectories(&layout), a),
           format_bytes(ml_space_of_parts(&layout), b));
    print_estimate(e, n_thread, ml_space_of_runs(&layout) + ml_space_of_trajectories(&layout));
    return EXIT_DONE;
}

static int run(const struct command *self, int argc, char **argv)
{
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'},
        {"set", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'},
        {0},
    };
    struct study_options study_options = {0};
    long long n_thread = omp_get_max_threads();
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;)
        if (c == 'h')
            return show_help(self);
        else if (c == 't' && !parse_count(optarg, 1, 65536, &n_thread))
            return fail_usage(self, "--threads %s: a whole number from 1 on", optarg);
        else if (c == 's' && !study_options_set(&study_options, optarg))
            return EXIT_FAILED;
        else if (c == '?')
            return fail_usage(self, "that option is not known or lacks its value");
    if (optind != argc - 1)
        return fail_usage(self, "give one study file");
    int code = with_study(argv[optind], &study_options, plan, &n_thread);
    study_options_free(&study_options);
    return code;
}

const struct command command_plan = {
    .name = "plan",
    .arguments = "STUDY.yaml [options]",
    .doc = "say what a run would do: runs, steps, memory, disk, time",
    .options = "      --threads N       threads to plan for (default: as `run` would take)\n"
               "      --set PATH=VALUE  override a key of the study, as often as needed\n",
    .run = run,
};
