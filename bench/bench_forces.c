/* Cost of forces: RK4 steps of a chain with one force of each kind, against the passive chain. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "kernel_only.h"
#include "plan/study.h"

static const int sizes[] = {2, 3, 4, 5, 8};
enum { N_SIZE = sizeof sizes / sizeof *sizes, N_RUN = 4096, N_STEP = 1000, LONGEST = 2048 };

/* The first case has no forces. */
static const struct {
    const char *name, *force;
} contenders[] = {
    {"passive", NULL},
    {"pid", "type: pid, joint: 2, target: 1, kp: 30, ki: 3, kd: 2"},
    {"pid with a limit", "type: pid, joint: 2, target: 1, kp: 30, ki: 3, kd: 2, limit: 50"},
    {"damper", "type: damper, joint: 2, coefficient: 0.1"},
    {"sine torque", "type: torque, joint: 2, value: {type: sine, amplitude: 1, frequency: 1}"},
    {"joint limit", "type: joint_limit, joint: 2, upper: 1, stiffness: 10"},
    {"spring", "type: spring, segment: 2, at: 1, anchor: [1, 1], stiffness: 10, rest_length: 0.5"},
    {"point force", "type: point_force, segment: 2, at: 0.5, force: [1, 2]"},
    {"ground", "type: ground, segment: 2, level: -1, stiffness: 100"},
    {"friction", "type: friction, joint: 2, coulomb: 0.1, static: 0.2"},
    {"contact",
     "type: contact, segment: 2, at: 0.5, point: [0, -1], normal: [1, 3], stiffness: 100"},
    {"contact, circle",
     "type: contact, segment: 2, at: 0.5, point: [0, -1], radius: 1, stiffness: 100"},
    {"impedance", "type: impedance, stiffness: {2: {2: 10}}, equilibrium: 0.5"},
    {"computed torque", "type: computed_torque, kp: 20, kd: 4, target: 0.5"},
};
enum { N_CASE = sizeof contenders / sizeof *contenders };

static struct ml_study *study_of(int n, const char *force, int n_step)
{
    char text[LONGEST];
    struct ml_study *study = NULL;
    struct ml_error err = {0};
    (void)snprintf(text, sizeof text,
                   "manylink: 1\n"
                   "system: {type: chain, segments: {repeat: %d, length: 1, mass: 1}}\n"
                   "forces: [%s%s%s]\n"
                   "time: {step: 1e-3, end: %d/1000}\n"
                   "analyse: {every: %d}\n"
                   "sweep: [{set: initial.angle.1, from: -3, to: 3, count: %d}]\n",
                   n, force ? "{" : "", force ? force : "", force ? "}" : "", n_step, n_step,
                   (int)N_RUN);
    const struct ml_study_source source = {.size = sizeof source, .path = "bench", .text = text};
    if (ml_study_load(&source, &study, &err) != ML_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
        exit(EXIT_FAILURE);
    }
    return study;
}

static void race(struct ml_bench *bench, int n, double seconds)
{
    static struct ml_bench_case cases[N_CASE];
    static struct ml_bench_kernel_only bares[N_CASE];
    struct ml_study *studies[N_CASE];
    const int n_step = bench->is_smoke ? 2 : N_STEP;
    for (int i = 0; i < N_CASE; i++) {
        studies[i] = study_of(n, contenders[i].force, n_step);
        bares[i] = (struct ml_bench_kernel_only){.ensemble = studies[i]->ensemble, .n_thread = 1};
        bares[i].ensemble.block_runs = ML_LANES;
        ml_bench_take_made(&bares[i].ensemble);
        cases[i] = (struct ml_bench_case){
            .name = contenders[i].name,
            .size = n,
            .isa = bares[i].ensemble.kernels->isa,
            .n_thread = 1,
            .item = "member-step",
            .items = (double)n_step,
            .unit = ML_LANES,
            .baseline = i > 0 ? 0 : -1,
            .is_peer = i > 0,
            .run = ml_bench_kernel_only_run,
            .context = &bares[i],
        };
    }
    ml_bench_race(bench, cases, N_CASE, seconds);
    for (int i = 0; i < N_CASE; i++) {
        if (bares[i].unfinished)
            ml_bench_wrong(bench, "n = %d, %s: not all runs finished", n, cases[i].name);
        ml_study_free(studies[i]);
    }
}

int main(int argc, char **argv)
{
    struct ml_bench bench;
    ml_bench_open(&bench, "forces", 40.0, argc, argv);
    for (int i = 0; i < N_SIZE; i++)
        race(&bench, sizes[i], bench.seconds / N_SIZE);
    return ml_bench_close(&bench);
}
