/* Kernels made for studies, built in and general: the same bits of the state and its tangent
 * vectors whatever the forces, lanes far away, turning fast, failing or standing still; and what is
 * chosen. */
#include "engine/kernels/kernel_choice.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "engine/kernels/spec.h"
#include "engine/team/batch_run.h"
#include "engine/team/team.h"
#include "manylink/study.h"
#include "plan/study.h"
#include "study.h"

enum { MOST_ROWS = 400, N_STEP = 300 };

#define HEAD "manylink: 1\ntime: {step: 1e-3, end: 1}\n"
#define THREE                                                                                 \
    "system: {type: chain, segments: [{name: a, length: 1, mass: 1}, {name: b, length: 0.5, " \
    "mass: 2}, {name: c, length: 0.5, mass: 1}]}\n"
#define SWEEP "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 40}]\n"
#define SWEEP_A "sweep: [{set: initial.angle.a, from: -3, to: 3, count: 40}]\n"
#define FREE "manylink: 1\ntime: {end: 1}\n" /* steps that runs choose */
#define IMPLICIT "integrator: {type: rodas4, tolerance: 1e-6}\n"
#define PUSHED                                                                        \
    "forces:\n- {type: pid, joint: b, target: 0.3, kp: 10, ki: 2, kd: 1, limit: 2}\n" \
    "- {type: spring, segment: c, at: 0.5, anchor: [1, -1], stiffness: 20, rest_length: 0.4}\n"
#define HEILES                                                   \
    "system: {type: henon_heiles}\ninitial: {x: 0.1, px: 0.2}\n" \
    "sweep: [{set: initial.py, from: -0.3, to: 0.3, count: 40}]\n"
#define RHO                                                  \
    "system: {type: lorenz}\ninitial: {x: 1, y: 1, z: 20}\n" \
    "sweep: [{set: system.rho, from: 10, to: 40, count: 40}]\n"

static const struct {
    const char *name, *text;
    bool is_built_in;
} studies[] = {
    {"all forces",
     HEAD THREE SWEEP_A
     "forces:\n"
     "- {type: torque, joint: a, value: {type: table, file: made_torque.csv, column: u}}\n"
     "- {type: torque, joint: b, value: {type: sine, amplitude: 0.5, frequency: 2}}\n"
     "- {type: torque, joint: c, value: {type: pulse, amplitude: 1, onset: 0.1, duration: 0.05}}\n"
     "- {type: damper, joint: a, coefficient: 0.05}\n"
     "- {type: pid, joint: b, target: 0.3, kp: 10, ki: 2, kd: 1}\n"
     "- {type: pid, joint: c, target: {type: minimum_jerk, from: 0, to: 1, onset: 0, duration: "
     "0.2},"
     " kp: 30, ki: 2, kd: 1, limit: 1.5}\n"
     "- {type: point_force, segment: c, at: 0.5, force: [1, 2]}\n"
     "- {type: spring, segment: c, at: 0.5, anchor: [1, -1], stiffness: 20, rest_length: 0.4}\n"
     "- {type: spring, segment: b, at: 0.2, anchor: [0, -1], stiffness: 20, axis: [1, 0.5]}\n"
     "- {type: joint_limit, joint: b, upper: 1, lower: -1, stiffness: 50, damping: 0.1}\n"
     "- {type: ground, segment: c, level: -1, stiffness: 1e3, damping: 0.1, friction: 0.5}\n"
     "- {type: friction, joint: b, coulomb: 0.1}\n"
     "- {type: friction, joint: c, coulomb: 0.1, static: 0.2, viscous: 0.01}\n"
     "- {type: contact, segment: b, point: [0.3, -1], normal: [-1, 2], stiffness: 1e3}\n"
     "- {type: contact, segment: c, at: 0.2, point: [0, 0], radius: -1.2, stiffness: 1e3,"
     " exponent: 1, damping: 0.1, friction: 0.5}\n"
     "- {type: impedance, equilibrium: 0.2, stiffness: {a: {a: 9}, b: {c: 4}}}\n",
     false},
    {"forces and tangents",
     HEAD THREE SWEEP_A
     "forces:\n"
     "- {type: pid, joint: b, target: 0.3, kp: 10, ki: 2, kd: 1, limit: 2}\n"
     "- {type: spring, segment: c, at: 0.5, anchor: [1, -1], stiffness: 20, rest_length: 0.4}\n"
     "- {type: joint_limit, joint: c, upper: 1, lower: -1, stiffness: 50, damping: 0.1}\n"
     "- {type: friction, joint: b, coulomb: 0.1, static: 0.2, viscous: 0.01}\n"
     "- {type: contact, segment: c, at: 0.2, point: [0, 0], radius: -1.2, stiffness: 1e3,"
     " exponent: 1, damping: 0.1, friction: 0.5}\n"
     "- {type: damper, joint: a, coefficient: 0.05}\n"
     "analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.angle.a, "
     "forces.1.kp, system.segments.b.mass]}}\n",
     false},
    {"swept limit",
     HEAD THREE
     "forces: [{name: p, type: pid, joint: b, target: 0.3, kp: 100, ki: 2, kd: 1, limit: 1}]\n"
     "sweep: [{set: forces.p.limit, from: 0.5, to: 30, count: 40}]\n",
     false},
    {"joint angles from the right",
     HEAD
     "system: {type: chain, angles: joint, zero: right, segments: {repeat: 2, length: 1, mass: "
     "1}}\n" SWEEP "forces:\n"
     "- {type: impedance, stiffness: [[30, 10], [10, 20]], damping: [1, 1], equilibrium: {type: "
     "ramp, "
     "from: 0, to: 1, onset: 0, duration: 1}}\n"
     "- {type: computed_torque, target: {type: sine, amplitude: 0.5, frequency: 2}, kp: 20, kd: "
     "9}\n",
     false},
    {"eight recursive",
     HEAD "system: {type: chain, segments: {repeat: 8, length: 0.3, mass: 1}}\n" SWEEP
          "forces: [{type: damper, joint: 3, coefficient: 0.1}]\nsolver: recursive\n",
     false},
    {"roessler",
     HEAD "system: {type: roessler}\ninitial: {x: 1, y: 1, z: 0}\n"
          "sweep: [{set: system.c, from: 2, to: 9, count: 40}]\n"
          "analyse: {lyapunov: {exponents: all}}\n",
     false},
    {"oscillators",
     HEAD "system: {type: mass_spring_damper, mass: [1, 2, 1], stiffness: [[20, -10, 0], [-10, 20, "
          "-10], [0, -10, 20]], damping: [0.1, 0.1, 0.1]}\n"
          "sweep: [{set: initial.position.1, from: -3, to: 3, count: 40}]\n",
     false},
    {"splitting", HEAD HEILES "integrator: verlet\n", false},
    {"splitting a drive",
     HEAD "system: {type: duffing, delta: 0}\n"
          "sweep: [{set: initial.x, from: -3, to: 3, count: 40}]\nintegrator: yoshida8\n",
     false},
    {"splitting with tangents and compensated sums",
     HEAD HEILES
     "integrator: {type: yoshida4, summation: compensated}\n"
     "analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.x]}}\n",
     false},
    {"compensated sums",
     HEAD THREE SWEEP_A "integrator: {type: dop853, summation: compensated}\n" PUSHED, false},
    {"a tolerance and compensated sums",
     FREE THREE SWEEP_A
     "integrator: {type: dop853, tolerance: 1e-9, summation: compensated}\n" PUSHED
     "analyse: {lyapunov: {exponents: all}}\n",
     false},
    {"linearly implicit", FREE THREE SWEEP_A IMPLICIT PUSHED, false},
    {"linearly implicit with tangents",
     FREE THREE SWEEP_A IMPLICIT PUSHED
     "analyse: {lyapunov: {exponents: all}, sensitivity: {of: end_state, to: [initial.angle.a, "
     "forces.1.kp]}}\n",
     false},
    {"linearly implicit oscillator",
     FREE "system: {type: duffing}\ninitial: {x: 1}\n" IMPLICIT
          "sweep: [{set: initial.x, from: -3, to: 3, count: 40}]\n",
     false},
    {"two segments",
     HEAD "system: {type: chain, segments: {repeat: 2, length: 1, mass: 1}}\n" SWEEP, true},
    {"lorenz", HEAD RHO "analyse: {lyapunov: {exponents: all}}\n", true},
};

enum { N_STUDY = sizeof studies / sizeof *studies };

/* The arrays of one batch on one kernel. */
struct work {
    struct ml_ensemble ensemble;
    struct ml_arena arena;
    struct ml_batch batch;
    unsigned faults;
};

static struct ml_study *read_study(const char *text, const char *isa)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    study_set_isa(isa);
    if (ml_study_load(STUDY_TEXT("made.yaml", text), &study, &err) != ML_OK)
        fputs(err.text, stderr);
    ml_error_clear(&err);
    CHECK(study);
    return study;
}

/* A batch in which some lanes are where the fast path ends, and one fails. */
static void begin(struct work *w, const struct ml_ensemble *e, const struct ml_kernel *kernel)
{
    const int n_x = ml_n_x(&e->model);
    *w = (struct work){.ensemble = *e};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&w->arena))
            exit(1);
        ml_batch_layout(&w->ensemble, &w->arena, &w->batch);
    }
    ml_batch_load(&w->ensemble, &w->batch, 0, ML_LANES);
    w->batch.kernels.fastest = kernel;
    w->batch.x[1] += 1e6;
    w->batch.x[(n_x - 1) * ML_LANES + 2] = 150;
    w->batch.x[3] = (double)INFINITY;
}

static void go(struct work *w)
{
    struct ml_lane_faults f = {0, 0};
    int64_t k = 0;
    for (; k < N_STEP; k += N_STEP / 3) {
        f = ml_batch_advance(&w->ensemble, &w->batch, 1.0, k, N_STEP / 3, ML_ALL_LANES);
        w->faults |= f.nonfinite | f.singular;
    }
    f = ml_batch_advance(&w->ensemble, &w->batch, 1.0, k, 20, 0x5A5A5A5A & ML_ALL_LANES);
    w->faults |= f.nonfinite | f.singular;
}

/* Numbers that differ in lanes without a fault. */
static int count_differing(const struct work *a, const struct work *b, int n_row)
{
    int n = 0;
    for (int i = 0; i < n_row * ML_LANES; i++)
        if (!(a->faults >> i % ML_LANES & 1))
            n += memcmp((const void *)&a->batch.x[i], (const void *)&b->batch.x[i], 8) != 0;
    return n;
}

/* Of two ensembles that differ in nothing that should matter. */
static void check_same(const struct ml_ensemble *e, const struct ml_kernel *kernel,
                       const struct ml_ensemble *f, const struct ml_kernel *other)
{
    struct work a, b;
    begin(&a, e, kernel);
    begin(&b, f, other);
    go(&a);
    go(&b);
    CHECK(a.faults == b.faults);
    CHECK(a.faults >> 3 & 1);
    CHECK((a.faults & 1) == 0);
    CHECK(count_differing(&a, &b, ml_rows_x(&e->model)) == 0);
    ml_arena_free(&a.arena);
    ml_arena_free(&b.arena);
}

/* Makes the kernel with a compiler, and compares it with the general one. */
static void check_made(const struct ml_study *study, const char *compiler, const char *name)
{
    struct ml_error err = {0};
    struct ml_kernel_choice choice;
    struct ml_ensemble e = study->ensemble;
    const struct ml_kernel_wish wish = {
        .mode = ML_KERNEL_ONLY_MADE, .n_run = e.n_run, .n_thread = 1};
    CHECK_CASE("%s %s %s", name, e.kernels->isa, compiler);
    (void)setenv("MANYLINK_CC", compiler, 1);
    CHECK(ml_kernel_choose(&e, &wish, &choice, &err) == ML_OK);
    if (err.text)
        fputs(err.text, stderr);
    CHECK(choice.kind == ML_IS_MADE && *choice.note == '\0');
    if (choice.kind == ML_IS_MADE) {
        CHECK(ml_kernel_for(&e) == choice.made.symbol);
        check_same(&e, ml_kernel_for(&e), &e, ml_ensemble_general(&e));
    }
    ml_kernel_choice_end(&choice);
    ml_error_clear(&err);
    (void)unsetenv("MANYLINK_CC");
}

static void made_kernels_give_the_bits_of_the_general_one(const char *isa)
{
    const char *cc = getenv("CC");
    const bool has_clang = access("/usr/bin/clang", X_OK) == 0;
    for (int i = 0; i < N_STUDY; i++) {
        struct ml_study *study = read_study(studies[i].text, isa);
        if (study && !studies[i].is_built_in)
            check_made(study, cc && *cc ? cc : "cc", studies[i].name);
        if (study && !studies[i].is_built_in && has_clang && i == 1)
            check_made(study, "/usr/bin/clang", studies[i].name);
        ml_study_free(study);
    }
}

static void built_in_kernels_give_the_bits_of_the_general_one(const char *isa)
{
    for (int i = 0; i < N_STUDY; i++) {
        struct ml_study *study = read_study(studies[i].text, isa);
        CHECK_CASE("%s %s", studies[i].name, isa);
        if (study && studies[i].is_built_in) {
            const struct ml_ensemble *e = &study->ensemble;
            struct ml_ensemble plain = *e;
            plain.takes_general = true;
            CHECK(ml_kernel_for(e)->spec);
            CHECK(!ml_kernel_for(&plain)->spec);
            check_same(e, ml_kernel_for(e), e, ml_ensemble_general(e));
        }
        ml_study_free(study);
    }
}

/* Whether a parameter, by its name, of the i-th force is known to be the default. */
static bool is_default(const struct ml_study *study, int i, const char *name)
{
    const struct ml_force *type = study->spec.forces[i].type;
    for (int p = 0; p < type->n_param; p++)
        if (type->params[p].name && strcmp(type->params[p].name, name) == 0)
            return study->ensemble.model.laws[i].defaults[p / 64] >> p % 64 & 1;
    exit(1);
}

#define PID "type: pid, joint: b, target: 0.3, kp: 100, ki: 2, kd: 1"
#define SPRING "type: spring, segment: c, at: 0.5, anchor: [1, -1], stiffness: 20"
#define GROUND "type: ground, segment: c, level: -1.5, stiffness: 1e3"
#define IMPEDANCE "type: impedance, equilibrium: 0.2, stiffness: {a: {a: 9}, b: {c: 4}}"
#define EXPONENTS "analyse: {lyapunov: {exponents: all}}\n"

static void numbers_that_no_run_gives_are_default(void)
{
    static const struct {
        const char *text;
        const char *param[2]; /* of the two forces */
        bool is_default[2];
    } cases[] = {
        {HEAD THREE SWEEP_A "forces: [{" PID "}, {" SPRING "}]\n",
         {"limit", "axis.x"},
         {true, true}},
        {HEAD THREE SWEEP_A "forces: [{" PID ", limit: 1}, {" SPRING ", axis: [1, 1]}]\n",
         {"limit", "axis.x"},
         {false, false}},
        {HEAD THREE "forces: [{" PID ", limit: 1}, {" SPRING "}]\n"
                    "sweep: [{set: forces.1.limit, values: [0.5, 3, 40, 1e3]}]\n",
         {"limit", "axis.x"},
         {false, true}},
        {HEAD THREE
         "forces: [{" PID ", limit: 3}, {" SPRING ", axis: [1, 1]}]\n"
         "sample: {method: random, count: 40, seed: 3, over: [{set: forces.2.axis.x, from: -1, "
         "to: 1}]}\n",
         {"limit", "axis.x"},
         {false, false}},
        {HEAD THREE SWEEP_A "forces: [{" PID "}, {" SPRING "}]\n" EXPONENTS,
         {"limit", "rest_length"},
         {true, true}},
        {HEAD THREE SWEEP_A "forces: [{" PID "}, {" SPRING ", rest_length: 0.5}]\n" EXPONENTS,
         {"target", "rest_length"},
         {false, false}},
        {HEAD THREE SWEEP_A "forces: [{" GROUND "}, {" IMPEDANCE "}]\n" EXPONENTS,
         {"exponent", "rate_share"},
         {true, true}},
        {HEAD THREE SWEEP_A "forces: [{" GROUND ", friction: 0.4, damping: 0.3}, {" IMPEDANCE
                            ", damping: [0.1, 0.2, 0.1]}]\n",
         {"friction", "rate_share"},
         {false, true}},
        {HEAD THREE "forces: [{" GROUND ", exponent: 1.5}, {" IMPEDANCE ", rate_share: 0}]\n"
                    "sweep: [{set: forces.1.exponent, values: [1.5, 1.2, 1.5, 2]},"
                    " {set: initial.angle.a, from: -3, to: 3, count: 10}]\n",
         {"exponent", "rate_share"},
         {false, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_CASE("default %d", (int)i);
        struct ml_study *study = read_study(cases[i].text, NULL);
        if (!study)
            continue;
        struct ml_ensemble e = study->ensemble;
        struct ml_law laws[2];
        CHECK(e.model.n_law == 2);
        for (int law = 0; law < 2; law++)
            CHECK(is_default(study, law, cases[i].param[law]) == cases[i].is_default[law]);
        memcpy(laws, e.model.laws, sizeof laws);
        for (int law = 0; law < 2; law++)
            memset(laws[law].defaults, 0, sizeof laws[law].defaults);
        e.model.laws = laws;
        if (e.n_run >= ML_LANES)
            check_same(&study->ensemble, ml_ensemble_general(&e), &e, ml_ensemble_general(&e));
        ml_study_free(study);
    }
}

/* A kernel that does not do what it should. */
static const struct ml_kernel *right;
static int wrong_lane, n_called; /* by this process */
static bool has_no_children;

/* In place of the system's. */
pid_t fork(void)
{
    pid_t (*there)(void);
    if (has_no_children) {
        errno = EAGAIN;
        return -1;
    }
    *(void **)&there = dlsym(RTLD_NEXT, "fork");
    return there();
}

static struct ml_lane_faults advance_wrong(const struct ml_instance *model,
                                           const struct ml_method *method,
                                           const struct ml_clock *clock, const double *constants,
                                           double *x, double *work)
{
    const struct ml_lane_faults faults = right->advance(model, method, clock, constants, x, work);
    x[wrong_lane] = nextafter(x[wrong_lane], 10.0);
    n_called++;
    return faults;
}

static void one_wrong_bit_is_found(void)
{
    struct ml_error err = {0};
    struct ml_study *study = read_study(studies[2].text, NULL);
    int64_t run;
    if (!study)
        return;
    right = ml_ensemble_general(&study->ensemble);
    struct ml_kernel wrong = *right;
    CHECK_CASE("wrong kernel");
    CHECK(ml_kernel_compare(&study->ensemble, &wrong, (struct ml_stop){0}, &run, &err) == ML_OK &&
          run == -1);
    wrong.advance = advance_wrong;
    wrong_lane = 2;
    CHECK(ml_kernel_compare(&study->ensemble, &wrong, (struct ml_stop){0}, &run, &err) == ML_OK &&
          run == 2);
    has_no_children = true;
    CHECK(ml_kernel_compare(&study->ensemble, &wrong, (struct ml_stop){0}, &run, &err) == ML_OK &&
          run == ML_KERNEL_UNTRIED);
    has_no_children = false;
    CHECK(n_called == 0);
    ml_study_free(study);
}

/* Blocks of a run, whose first is not put before the compiler is let go and its kernel is there. */
struct held {
    const char *fifo; /* that the compiler waits for; NULL: it is not let go */
    struct ml_kernel_choice *choice;
    int64_t n_run;
    double *outputs; /* [n_run] the first output's first row */
};

static enum ml_status write_held(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct held *held = context;
    (void)err;
    FILE *fifo = held->fifo ? fopen(held->fifo, "we") : NULL;
    if (fifo) {
        (void)fclose(fifo);
        held->fifo = NULL;
        while (!held->choice->place.kernel)
            (void)usleep(1000);
    }
    memcpy(held->outputs + block->first, block->summary[0],
           (size_t)block->n_run * sizeof *held->outputs);
    held->n_run += block->n_run;
    return ML_OK;
}

/* Runs 640 of a chain with forces.
 *   compiler  text of a shell script, in which `cc` is the compiler */
static void run_held(const char *compiler, struct held *held, enum ml_kernel_mode mode,
                     struct ml_kernel_choice *choice)
{
    const char *cc = getenv("CC");
    struct ml_error err = {0};
    struct ml_study *study = read_study(
        HEAD THREE "sweep: [{set: initial.angle.a, from: -3, to: 3, count: 640}]\n" PUSHED, NULL);
    FILE *script = fopen("held_compiler", "w");
    if (!study || !script)
        exit(1);
    (void)fprintf(script, "#!/bin/sh\ncc=%s\n%s", cc && *cc ? cc : "cc", compiler);
    (void)fclose(script);
    (void)chmod("held_compiler", 0700);
    (void)setenv("MANYLINK_CC", "./held_compiler", 1);
    struct ml_ensemble e = study->ensemble;
    e.block_runs = 32;
    const struct ml_kernel_wish wish = {.mode = mode, .n_run = e.n_run, .n_thread = 1, .rate = 1e3};
    const struct ml_sink sink = {.context = held, .put = write_held};
    held->choice = choice;
    held->n_run = 0;
    CHECK(ml_kernel_choose(&e, &wish, choice, &err) == ML_OK);
    CHECK(ml_ensemble_run(&e, &(struct ml_ensemble_options){.n_thread = 2}, &sink, &err) == ML_OK);
    CHECK(held->n_run == 640);
    ml_kernel_settle(choice);
    ml_error_clear(&err);
    ml_study_free(study);
    (void)unsetenv("MANYLINK_CC");
}

static int count_entries(const char *folder)
{
    int n = 0;
    DIR *opened = opendir(folder);
    for (struct dirent *entry; opened && (entry = readdir(opened));)
        n += entry->d_name[0] != '.';
    if (opened)
        (void)closedir(opened);
    return n;
}

/* The run begins with the general kernel, takes the made one when that comes, and does not wait for
 * a compiler that hangs; the bits are the same. */
static void a_kernel_comes_while_runs_are_computed(void)
{
    static double general[640], later[640];
    struct held of_general = {.outputs = general}, of_later = {.outputs = later};
    struct ml_kernel_choice choice;
    (void)setenv("MANYLINK_CACHE", "held_cache", 1);
    (void)unlink("held_fifo");
    CHECK(system("rm -rf held_cache") == 0); /* of a run before */
    CHECK_CASE("a kernel that comes later");
    CHECK(mkfifo("held_fifo", 0600) == 0);
    run_held("", &of_general, ML_KERNEL_ONLY_GENERAL, &choice);
    CHECK(choice.kind == ML_IS_GENERAL);
    ml_kernel_choice_end(&choice);

    run_held("exec sleep 1000\n", &of_later, ML_KERNEL_AUTO, &choice);
    CHECK(choice.kind == ML_IS_GENERAL && *choice.note == '\0');
    run_held("[ \"$1\" != --version ] || exec $cc \"$@\"\nexec sleep 1000\n", &of_later,
             ML_KERNEL_AUTO, &choice);
    CHECK(choice.kind == ML_IS_GENERAL && *choice.note == '\0');
    CHECK(memcmp((const void *)general, (const void *)later, sizeof later) == 0);
    CHECK(count_entries("held_cache") == 0);
    ml_kernel_choice_end(&choice);

    memset(later, 0, sizeof later);
    of_later.fifo = "held_fifo";
    char folder[600], script[1000];
    if (!getcwd(folder, sizeof folder))
        exit(1);
    (void)snprintf(script, sizeof script,
                   "[ \"$1\" = --version ] || read -r end <'%s/held_fifo'\nexec $cc \"$@\"\n",
                   folder);
    run_held(script, &of_later, ML_KERNEL_AUTO, &choice);
    CHECK(choice.kind == ML_IS_MADE_LATER && *choice.note == '\0');
    CHECK(memcmp((const void *)general, (const void *)later, sizeof later) == 0);
    CHECK(count_entries("held_cache") == 1);
    ml_kernel_choice_end(&choice);

    run_held(script, &of_later, ML_KERNEL_AUTO, &choice); /* in the cache: no compiler is held */
    CHECK(choice.kind == ML_IS_MADE || choice.kind == ML_IS_MADE_LATER);
    CHECK(memcmp((const void *)general, (const void *)later, sizeof later) == 0);
    ml_kernel_choice_end(&choice);
}

static struct ml_kernel_outlook foresee(const char *text, struct ml_kernel_wish wish)
{
    struct ml_kernel_outlook out = {.kind = ML_IS_MADE, .why = "it cannot be read"};
    struct ml_study *study = read_study(text, NULL);
    wish.n_run = study ? study->ensemble.n_run : 0;
    if (study)
        out = ml_kernel_foresee(&study->ensemble, &wish);
    ml_study_free(study);
    return out;
}

/* A spec may be of any length. */
static void any_number_of_forces_is_made(void)
{
    enum { N_FORCE = 120 };
    static const char force[] = "- {" SPRING ", rest_length: 0.4}\n";
    static char text[sizeof HEAD THREE SWEEP_A "forces:\n" + N_FORCE * sizeof force];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", HEAD THREE SWEEP_A "forces:\n");
    for (int i = 0; i < N_FORCE; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", force);
    const struct ml_kernel_wish wish = {.mode = ML_KERNEL_ONLY_MADE, .n_thread = 1, .rate = 2e3};
    CHECK_CASE("many forces");
    CHECK(foresee(text, wish).kind == ML_IS_MADE);
}

/* What is made follows from what that saves: 40 runs of 1000 steps, 20 s or 2 ms of them. */
static void what_pays_is_made(void)
{
    struct ml_kernel_wish wish = {.n_thread = 1, .rate = 2e3};
    const char *own = studies[4].text, *lapacke = HEAD THREE "solver: lapacke\n";
    CHECK_CASE("what pays");
    (void)setenv("MANYLINK_CACHE", "/nonexistent/cache", 1);
    CHECK(foresee(own, wish).kind == ML_IS_MADE);
    CHECK(!foresee(own, wish).is_cached);
    CHECK_ERROR(fabs(foresee(own, wish).saves - 8.0), 1e-9); /* 40 % */
    wish.rate = 2e7;
    CHECK(foresee(own, wish).kind == ML_IS_GENERAL);
    CHECK(foresee(own, wish).why);
    wish.mode = ML_KERNEL_ONLY_MADE;
    CHECK(foresee(own, wish).kind == ML_IS_MADE);
    wish = (struct ml_kernel_wish){.n_thread = 1, .rate = 2e3};
    CHECK(foresee(studies[N_STUDY - 2].text, wish).kind == ML_IS_BUILT_IN);
    CHECK(foresee(lapacke, wish).kind == ML_IS_GENERAL);
    wish.mode = ML_KERNEL_ONLY_GENERAL;
    CHECK(foresee(studies[N_STUDY - 2].text, wish).kind == ML_IS_GENERAL);
    wish = (struct ml_kernel_wish){.n_thread = 1, .rate = 2e3, .no_native = true};
    CHECK(foresee(own, wish).kind == ML_IS_GENERAL && strstr(foresee(own, wish).why, "refused"));
}

int main(void)
{
    FILE *table = fopen("made_torque.csv", "w");
    if (!table || fputs("time,u\n0,0\n0.5,1\n1,-1\n", table) < 0 || fclose(table) != 0)
        return 1;
    const struct ml_kernels *best = NULL, *v3 = NULL;
    for (int i = 0; ml_kernels_at(i); i++) {
        best = ml_kernels_at(i);
        v3 = strcmp(best->isa, "v3") == 0 ? best : v3;
    }
    numbers_that_no_run_gives_are_default();
    one_wrong_bit_is_found();
    if (strcmp(best->isa, "baseline") != 0) {
        made_kernels_give_the_bits_of_the_general_one(best->isa);
        built_in_kernels_give_the_bits_of_the_general_one(best->isa);
        if (v3 && v3 != best)
            built_in_kernels_give_the_bits_of_the_general_one(v3->isa);
        a_kernel_comes_while_runs_are_computed();
        what_pays_is_made();
        any_number_of_forces_is_made();
    }
    return check_done();
}
