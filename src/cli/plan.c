/* manylink plan: runs, time and room of a study before its run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/speed.h"
#include "manylink/plan.h"
#include "manylink/text.h"

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

/* "formulas  time.step = T/200 from 0.005 to 0.01", but for parameters that are names of `define`
 * themselves. */
static void print_formulas(const struct ml_study *study)
{
    enum { MOST_SHOWN = 12 };
    struct ml_study_formula formula = {.size = sizeof formula};
    int n = 0;
    for (int i = 0; ml_study_formula(study, i, &formula); i++) {
        const char *last = strrchr(formula.path, '.');
        if (last && strcmp(last + 1, formula.text) == 0)
            continue;
        if (++n > MOST_SHOWN)
            continue;
        printf("%-10s%s = %s", n == 1 ? "formulas" : "", formula.path, formula.text);
        if (formula.low < formula.high)
            printf(", from %g to %g\n", formula.low, formula.high);
        else
            printf(", %g\n", formula.low);
    }
    if (n > MOST_SHOWN)
        printf("%-10sand %d more\n", "", n - MOST_SHOWN);
}

static void plan_print_system(const struct ml_plan *plan)
{
    printf("system    %s", plan->system.name);
    if (plan->system.part)
        printf(", %d %s", plan->system.n_segment, plan->system.part);
    if (plan->system.takes_forces)
        printf(", %d force%s", plan->system.n_force, plan->system.n_force == 1 ? "" : "s");
    printf("; %s", plan->system.integrator);
    if (plan->system.solver)
        printf(", solver %s", plan->system.solver);
    printf("\n");
}

/* The kernel of the steps, and the time that a made kernel saves. */
static void print_kernel(const struct ml_plan *plan)
{
    char saves[32];
    if (plan->kernel.name && strcmp(plan->kernel.name, "made") == 0)
        printf("kernel    made for this study (%s), saves about %s\n",
               plan->kernel.is_cached ? "in the cache"
                                      : "compiled while the general one runs, some seconds",
               ml_duration_print(plan->kernel.saves, saves));
    else
        printf("kernel    %s%s%s\n", plan->kernel.name ? plan->kernel.name : "not known",
               plan->kernel.reason ? ": " : "", plan->kernel.reason ? plan->kernel.reason : "");
}

/* Time of computing, and of writing when that takes longer than a tenth of it. */
static void print_estimate(const struct ml_plan *plan, bool is_at_least)
{
    const double disk = 2e8; /* bytes/s: a result is written, synced and checked */
    const double few = 0.98; /* part of the steps that is taken */
    const char *parts = plan->time.relative > 0.0 ? "ticks" : "steps";
    char a[32], b[32];
    if (plan->speed.rate <= 0.0)
        return;
    printf("estimate  %s%s at %s%s %s/s and thread (%s), measured just now on runs from all over\n",
           is_at_least              ? "more than "
           : plan->speed.is_at_most ? "at most "
                                    : "",
           ml_duration_print(plan->speed.seconds, a), is_at_least ? "less than " : "",
           format_count(plan->speed.rate * plan->speed.taken, b), parts, plan->kernel.isa);
    if (plan->speed.taken < few)
        printf("          of %.2g of all %s: runs end earlier\n", plan->speed.taken, parts);
    if (plan->speed.is_at_most)
        printf("          and less if events end runs later than was looked at\n");
    if (plan->room.disk / disk > 0.1 * plan->speed.seconds)
        printf("          and about %s for writing %s, at 200 MB/s\n",
               ml_duration_print(plan->room.disk / disk, a), format_bytes(plan->room.disk, b));
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
    printf("tangents  %d vector%s, made orthonormal ", plan->tangents.n,
           plan->tangents.n == 1 ? "" : "s");
    if (plan->time.relative > 0.0)
        printf("every few steps of each run\n");
    else if (plan->tangents.renormalise_is_given)
        printf("every %g s as the study says\n", plan->tangents.renormalise);
    else
        printf(
            "every %g s: in the first steps of some runs they grow or separate at up to %.2g 1/s\n",
            plan->tangents.renormalise, plan->tangents.growth);
}

static const double plan_libraries = 2e7; /* bytes, about: HDF5, LAPACK, OpenMP */

static void print_sizes(const struct ml_plan *plan)
{
    const bool is_adaptive = plan->time.relative > 0.0;
    const char *parts = is_adaptive ? "ticks" : "steps";
    char a[32], b[32];
    if (plan->time.clock)
        printf("time      from %g s on in %lld %s of each run's own, as `%s` is swept",
               plan->time.start, (long long)plan->time.steps, parts, plan->time.clock);
    else
        printf("time      %g s to %g s in %lld %s of %g s", plan->time.start, plan->time.end,
               (long long)plan->time.steps, parts, plan->time.step);
    printf("; %s %s in all\n", format_count((double)plan->runs * (double)plan->time.steps, a),
           parts);
    if (is_adaptive)
        printf(
            "steps     chosen by each run, so that they meet ticks exactly: relative tolerance %g, "
            "absolute %g\n",
            plan->time.relative, plan->time.absolute);
    if (plan->system.jacobian_is_differenced)
        printf("jacobian  by differences of the rates, as the plugin has no tangents of its own\n");
    if (plan->tangents.n > 0)
        print_tangents(plan);
    if (plan->room.line_runs > 0)
        printf("lines     %lld of %lld runs that start from each other's ends\n",
               (long long)(plan->runs / plan->room.line_runs), (long long)plan->room.line_runs);
    printf("blocks    %lld of %lld runs\n", (long long)plan->room.blocks,
           (long long)plan->room.block_runs);
    printf("memory    %s on %d thread%s, %s\n", format_bytes(plan->room.memory + plan_libraries, a),
           plan->room.n_thread, plan->room.n_thread == 1 ? "" : "s",
           plan->room.points > 0.0 ? "with the points of the sample"
                                   : "however many runs there are");
    if (plan->room.statistics > plan->room.memory + 1e7)
        printf("          %s in the end, for statistics and indices of the sample\n",
               format_bytes(plan->room.statistics + plan_libraries, a));
    if (plan->room.memory_limit > 0.0 &&
        plan->room.statistics + plan_libraries > plan->room.memory_limit)
        printf("          warning: in the end more than the %s that the control group of this "
               "process may use: take\n          a smaller `count`\n",
               format_bytes(plan->room.memory_limit, b));
    if (plan->room.memory_limit > 0.0 &&
        plan->room.memory + plan_libraries > plan->room.memory_limit)
        printf(
            "          warning: more than the %s that the control group of this process may use: "
            "take fewer\n          threads, or keep less of each run\n",
            format_bytes(plan->room.memory_limit, b));
    printf("disk      about %s, %s more while the result is put together\n",
           format_bytes(plan->room.disk, a), format_bytes(plan->room.disk_more, b));
}

/* The bound of the step, and how the given step compares with that. */
static void print_stability(const struct ml_plan *plan)
{
    char count[32];
    if (plan->stability.step <= 0.0)
        return;
    printf("stiffest  ");
    if (plan->stability.force)
        say(stdout, "force `%s`", plan->stability.force);
    else
        printf("the motion of the system");
    if (plan->runs > 1)
        printf(" in run %lld", (long long)plan->stability.run);
    printf(": |eigenvalue| %.3g 1/s at most; %s is stable with steps up to %.2g s",
           plan->stability.rate, plan->system.integrator, plan->stability.step);
    if (plan->time.relative > 0.0)
        printf(
            ";\n          at least %s steps per run if this bound holds throughout\n",
            format_count(ceil((plan->time.end - plan->time.start) / plan->stability.step), count));
    else
        printf(", %.3g times the given step\n", plan->stability.step / plan->time.step);
}

/* The GPU, and its time beside that of the processor. */
static void print_device(const struct ml_plan *plan)
{
    const struct ml_plan_device *device = &plan->device;
    const char *parts = plan->time.relative > 0.0 ? "ticks" : "steps";
    char a[32], b[32];
    if (*device->reason)
        say(stdout, "GPU       none: %s\n", device->reason);
    if (device->n == 0)
        return;
    const bool has_many = device->n_thread > 1;
    say(stdout, "GPU       %s", device->name);
    if (device->n > 1)
        printf(" and %d more", device->n - 1);
    printf(": %d thread%s more%s, %swith %lld runs at a time; %s there, %s of memory with %s\n",
           device->n_thread, has_many ? "s" : "", device->n > 1 ? " for each" : "",
           has_many ? "each " : "", (long long)device->group, format_bytes(device->memory, a),
           format_bytes(plan->room.memory + plan_libraries, b), has_many ? "them" : "it");
    printf("          on the GPU %s at %s %s/s, measured just now on %lld runs",
           ml_duration_print(device->seconds, a), format_count(device->rate, b), parts,
           (long long)device->runs);
    if (device->steps < plan->time.steps)
        printf(", extrapolated from %lld of %lld %s", (long long)device->steps,
               (long long)plan->time.steps, parts);
    if (plan->speed.seconds > 0.0)
        printf("; on %d thread%s %s", plan->room.n_thread, plan->room.n_thread == 1 ? "" : "s",
               ml_duration_print(plan->speed.seconds, b));
    printf("\n");
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
    print_formulas(study);
    plan_print_system(&plan);
    print_sizes(&plan);
    print_stability(&plan);
    print_outputs(study);
    (void)fflush(stdout);
    const struct speed speed = measure_speed(study);
    options.device = line->make.device;
    options.measures = speed.rate > 0.0;
    options.rate = speed.rate;
    options.taken = speed.taken;
    if (ml_study_plan(study, &options, &plan, &err) != ML_OK)
        return fail_with(&err);
    print_kernel(&plan);
    plan.speed.is_at_most = speed.is_at_most;
    print_estimate(&plan, speed.is_at_least);
    print_device(&plan);
    return EXIT_DONE;
}

int command_plan(const struct command_line *line) { return with_study(line, plan); }
