/* manylink plan: what a study would do, before doing it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "cli/speed.h"
#include "manylink/plan.h"

/* "  128     initial.angle.upper from -3 to 3 rad", or of a sample "  over    ..." */
static void plan_print_key(const struct ml_study *study, const struct ml_study_key *key,
                           bool is_first)
{
    char count[32];
    struct ml_study_axis axis = {.size = sizeof axis};
    const bool is_grid = ml_study_sampling(study) == ML_STUDY_GRID;
    (void)ml_study_axis(study, key->axis, &axis);
    printf("  %-8s%s from %g to %g %s%s\n",
           !is_first ? ""
           : is_grid ? format_count((double)axis.count, count)
                     : "over",
           key->path, key->low, key->high, strcmp(key->unit, "1") == 0 ? "" : key->unit,
           axis.is_log ? ", log" : "");
}

static void print_axes(const struct ml_study *study)
{
    struct ml_study_key key = {.size = sizeof key};
    printf("runs      %lld", (long long)ml_study_runs(study));
    if (ml_study_key(study, 0, &key))
        printf(" (%s)", ml_study_method(study));
    printf("\n");
    for (int i = 0, before = -1; ml_study_key(study, i, &key); i++) {
        plan_print_key(study, &key, key.axis != before);
        before = ml_study_sampling(study) == ML_STUDY_GRID ? key.axis : -1;
    }
}

static void plan_print_system(const struct ml_plan *plan)
{
    printf("system    %s", plan->system);
    if (plan->part)
        printf(", %d %s", plan->n_segment, plan->part);
    if (plan->takes_forces)
        printf(", %d force%s", plan->n_force, plan->n_force == 1 ? "" : "s");
    printf("; %s", plan->integrator);
    if (plan->solver)
        printf(", solver %s", plan->solver);
    printf("\n");
}

/* What computes the steps, and what making it would be worth. */
static void print_kernel(const struct ml_plan *plan)
{
    char saves[32];
    if (plan->kernel && strcmp(plan->kernel, "made") == 0)
        printf("kernel    made for this study (%s), saves about %s\n",
               plan->kernel_is_cached ? "in the cache" : "to be compiled, some seconds",
               format_duration(plan->kernel_saves, saves));
    else
        printf("kernel    %s%s%s\n", plan->kernel ? plan->kernel : "not known",
               plan->kernel_reason ? ": " : "", plan->kernel_reason ? plan->kernel_reason : "");
}

/* Time of computing, and of writing when that takes longer than a tenth of it. */
static void print_estimate(const struct ml_plan *plan, bool is_at_least)
{
    const double disk = 2e8; /* bytes/s: a result is written, synced and checked */
    const double few = 0.98; /* part of the steps that is taken */
    const char *parts = plan->relative > 0.0 ? "ticks" : "steps";
    char a[32], b[32];
    if (plan->rate <= 0.0)
        return;
    printf("estimate  %s%s at %s%s %s/s and thread (%s), measured just now on runs from all over\n",
           is_at_least        ? "more than "
           : plan->is_at_most ? "at most "
                              : "",
           format_duration(plan->seconds, a), is_at_least ? "less than " : "",
           format_count(plan->rate * plan->taken, b), parts, plan->isa);
    if (plan->taken < few)
        printf("          of %.2g of all %s: runs end earlier\n", plan->taken, parts);
    if (plan->is_at_most)
        printf("          and less if events end runs later than was looked at\n");
    if (plan->disk / disk > 0.1 * plan->seconds)
        printf("          and about %s for writing %s, at 200 MB/s\n",
               format_duration(plan->disk / disk, a), format_bytes(plan->disk, b));
}

/* "summary   end_angle, end_rate, flip_time, .." on lines of its own, events among the rest. */
static void print_outputs(const struct ml_study *study)
{
    const int widest = 100, indent = 10;
    struct ml_array_info output = {.size = sizeof output};
    int column = printf("summary   ");
    for (int i = 0; ml_study_output(study, i, &output); i++) {
        const int length = (int)strlen(output.name);
        if (i > 0)
            column += printf(",");
        if (column + length >= widest)
            column = printf("\n%*s", indent, "") - 1;
        column += printf("%s%s", column > indent ? " " : "", output.name);
    }
    printf(column > indent ? "\n" : "outcomes only\n");
}

/* How often tangent vectors are made orthonormal, and how that was found. */
static void print_tangents(const struct ml_plan *plan)
{
    printf("tangents  %d vector%s, made orthonormal every %g s", plan->n_tangent,
           plan->n_tangent == 1 ? "" : "s", plan->renormalise);
    if (plan->renormalise_is_given)
        printf(" as the study says\n");
    else
        printf(": in the first steps of some runs they grow or separate at up to %.2g 1/s\n",
               plan->growth);
}

static void print_sizes(const struct ml_plan *plan)
{
    const double libraries = 2e7; /* bytes, about: HDF5, LAPACK, OpenMP */
    const bool is_adaptive = plan->relative > 0.0;
    const char *parts = is_adaptive ? "ticks" : "steps";
    char a[32], b[32];
    if (plan->clock)
        printf("time      from %g s on in %lld %s of each run's own, as `%s` is swept", plan->start,
               (long long)plan->steps, parts, plan->clock);
    else
        printf("time      %g s to %g s in %lld %s of %g s", plan->start, plan->end,
               (long long)plan->steps, parts, plan->step);
    printf("; %s %s in all\n", format_count((double)plan->runs * (double)plan->steps, a), parts);
    if (is_adaptive)
        printf(
            "steps     chosen by each run, so that they meet ticks exactly: relative tolerance %g, "
            "absolute %g\n",
            plan->relative, plan->absolute);
    if (plan->jacobian_is_differenced)
        printf("jacobian  by differences of the rates, as the plugin has no tangents of its own\n");
    if (plan->n_tangent > 0)
        print_tangents(plan);
    if (plan->line_runs > 0)
        printf("lines     %lld of %lld runs that go on from each other\n",
               (long long)(plan->runs / plan->line_runs), (long long)plan->line_runs);
    printf("blocks    %lld of %lld runs\n", (long long)plan->blocks, (long long)plan->block_runs);
    printf("memory    %s on %d thread%s, however many runs there are\n",
           format_bytes(plan->memory + libraries, a), plan->n_thread,
           plan->n_thread == 1 ? "" : "s");
    if (plan->memory_limit > 0.0 && plan->memory + libraries > plan->memory_limit)
        printf(
            "          warning: more than the %s that the control group of this process may use: "
            "take fewer\n          threads, or keep less of each run\n",
            format_bytes(plan->memory_limit, b));
    printf("disk      about %s, %s more while the result is put together\n",
           format_bytes(plan->disk, a), format_bytes(plan->disk_more, b));
}

/* What bounds the step, and how the given one compares with that. */
static void print_stability(const struct ml_plan *plan)
{
    char count[32];
    if (plan->stable_step <= 0.0)
        return;
    printf("stiffest  ");
    if (plan->stable_force)
        say(stdout, "force `%s`", plan->stable_force);
    else
        printf("the motion of the system");
    if (plan->runs > 1)
        printf(" in run %lld", (long long)plan->stable_run);
    printf(": |eigenvalue| %.3g 1/s at most; %s is stable with steps up to %.2g s",
           plan->stable_rate, plan->integrator, plan->stable_step);
    if (plan->relative > 0.0)
        printf(";\n          at least %s steps per run if this bound holds throughout\n",
               format_count(ceil((plan->end - plan->start) / plan->stable_step), count));
    else
        printf(", %.3g times the given step\n", plan->stable_step / plan->step);
}

static int plan(const struct ml_study *study, const struct command_line *line)
{
    struct ml_error err = {0};
    struct ml_plan plan = {.size = sizeof plan};
    struct ml_plan_options options = {
        .size = sizeof options, .n_thread = (int)line->threads, .no_native = line->no_native};
    if (ml_study_plan(study, &options, &plan, &err) != ML_OK)
        return fail_with(&err);
    if (*ml_study_title(study))
        say(stdout, "%s\n", ml_study_title(study));
    print_axes(study);
    plan_print_system(&plan);
    print_sizes(&plan);
    print_stability(&plan);
    print_outputs(study);
    (void)fflush(stdout);
    const struct speed speed = measure_speed(study);
    options.rate = speed.rate;
    options.taken = speed.taken;
    if (ml_study_plan(study, &options, &plan, &err) != ML_OK)
        return fail_with(&err);
    print_kernel(&plan);
    plan.is_at_most = speed.is_at_most;
    print_estimate(&plan, speed.is_at_least);
    return EXIT_DONE;
}

int command_plan(const struct command_line *line) { return with_study(line, plan); }
