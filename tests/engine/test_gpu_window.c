/* The entry of kernels for a GPU, compiled for lanes one wide: windows of two batches at once have
 * the bits of the kernels of every instruction set, in states, tangent vectors, histories, largest
 * rates and drifts of energy, also where angles are too large for the short forms of sines. */
#include "engine/gpu/window.h"

#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "check.h"
#include "engine/kernels/kernel_choice.h"
#include "engine/kernels/spec.h"
#include "engine/team/batch_run.h"
#include "plan/study.h"
#include "study.h"

enum { N_BATCH = 2, N_STEP = 60, EVERY = 20, N_KEPT = N_STEP / EVERY, RATES_MASK = 3 };

#define HEAD "manylink: 1\ntime: {step: 4e-3, end: 1}\n"
#define CHAIN(n) "system: {type: chain, segments: {repeat: " #n ", length: 1, mass: 1}}\n"
#define SWEEP "sweep: [{set: initial.angle.1, from: -3, to: 3, count: 40}]\n"
#define EXPONENTS "analyse: {lyapunov: {exponents: all}}\n"
#define RHO                                                  \
    "system: {type: lorenz}\ninitial: {x: 1, y: 1, z: 20}\n" \
    "sweep: [{set: system.rho, from: 10, to: 40, count: 40}]\n"
/* Twelve states in a ring (Lorenz 1996), each with a sine. */
#define RATE(i, next, before, last) \
    "    x" #i ": (x" #next " - x" #before ")*x" #last " - x" #i " + F + sin(x" #i ")\n"
#define RING                                                                                 \
    "system:\n  type: equations\n  parameters: {F: 8}\n"                                     \
    "  state: {x0: 0.5, x1: 1, x2: 0.1, x3: 0.2, x4: 0, x5: 0, x6: 1, x7: 0, x8: 0, x9: 0, " \
    "x10: 2, x11: 0}\n  rates:\n" RATE(0, 1, 10, 11) RATE(1, 2, 11, 0) RATE(2, 3, 0, 1)      \
        RATE(3, 4, 1, 2) RATE(4, 5, 2, 3) RATE(5, 6, 3, 4) RATE(6, 7, 4, 5) RATE(7, 8, 5, 6) \
            RATE(8, 9, 6, 7) RATE(9, 10, 7, 8) RATE(10, 11, 8, 9)                            \
                RATE(11, 0, 9, 10) "sweep: [{set: system.F, from: 1, to: 9, count: 40}]\n"

static const struct {
    const char *name, *text;
} studies[] = {
    {"one segment", HEAD CHAIN(1) SWEEP},
    {"two segments", HEAD CHAIN(2) SWEEP},
    {"three segments", HEAD CHAIN(3) SWEEP},
    {"five segments", HEAD CHAIN(5) SWEEP},
    {"tangent vectors of two segments", HEAD CHAIN(2) SWEEP EXPONENTS},
    {"derivatives, forces, compensated sums", HEAD CHAIN(3) SWEEP
     "integrator: {type: dop853, summation: compensated}\n"
     "forces: [{type: damper, joint: 1, coefficient: 0.05}, {type: spring, segment: 3, at: 0.5, "
     "anchor: [1, -1], stiffness: 20}, {type: torque, joint: 2, value: {type: sine, amplitude: "
     "0.5, "
     "frequency: 2}}]\n"
     "analyse: {lyapunov: {exponents: 2}, sensitivity: {of: end_state, to: [initial.angle.1, "
     "system.segments.2.mass]}}\n"},
    {"lorenz", HEAD RHO},
    {"tangent vectors of lorenz", HEAD RHO EXPONENTS},
    {"formulas", HEAD RING},
};

enum { N_STUDY = sizeof studies / sizeof *studies };

static struct ml_study *read_study(const char *text, const char *isa)
{
    struct ml_error err = {0};
    struct ml_study *study = NULL;
    study_set_isa(isa);
    if (ml_study_load(STUDY_TEXT("window.yaml", text), &study, &err) != ML_OK)
        fputs(err.text, stderr);
    ml_error_clear(&err);
    CHECK(study);
    return study;
}

static double *rows(int64_t n)
{
    double *out = aligned_alloc(64, (size_t)n * ML_LANES * sizeof *out);
    if (!out)
        exit(1);
    memset(out, 0, (size_t)n * ML_LANES * sizeof *out);
    return out;
}

/* Rows of all batches, and how many one has. */
struct numbers {
    int n_x, n_constant, n_rate;
    double *start, *step, *constants, *x, *history, *rates, *drift, *work;
    unsigned char faults[N_BATCH * ML_LANES];
};

/* Of runs of which some lanes are where the short forms of sines end, and one fails. */
static struct numbers begin(const struct ml_ensemble *ensemble)
{
    struct ml_ensemble e = *ensemble;
    struct ml_arena arena = {0};
    struct ml_batch batch;
    const int n_x = ml_n_x(&e.model);
    struct numbers a = {ml_rows_x(&e.model),
                        ml_rows_constants(&e.model),
                        e.model.n,
                        rows(N_BATCH),
                        rows(N_BATCH),
                        rows((int64_t)N_BATCH * ml_rows_constants(&e.model)),
                        rows((int64_t)N_BATCH * ml_rows_x(&e.model)),
                        rows((int64_t)N_BATCH * N_KEPT * n_x),
                        rows((int64_t)N_BATCH * e.model.n),
                        rows(2 * N_BATCH),
                        rows(ml_rows_step(&e.model, ml_method_kept(e.method))),
                        {0}};
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !ml_arena_reserve(&arena))
            exit(1);
        ml_batch_layout(&e, &arena, &batch);
    }
    for (int b = 0; b < N_BATCH; b++) {
        double *x = a.x + (size_t)b * (size_t)a.n_x * ML_LANES;
        ml_batch_load(&e, &batch, b * ML_LANES, ML_LANES);
        memcpy(a.constants + (size_t)b * (size_t)a.n_constant * ML_LANES, batch.constants,
               (size_t)a.n_constant * ML_LANES * sizeof *x);
        memcpy(x, batch.x, (size_t)a.n_x * ML_LANES * sizeof *x);
        x[1] += e.model.system->dynamics.measures_rates ? 1e6 : 0;
        x[(n_x - 1) * ML_LANES + 2] += e.model.system->dynamics.measures_rates ? 150 : 0;
        x[3] = (double)INFINITY;
        for (int lane = 0; lane < ML_LANES; lane++) {
            a.start[b * ML_LANES + lane] = 0.125 * lane;
            a.step[b * ML_LANES + lane] = e.time.step * (1 + 0.01 * b);
        }
    }
    ml_arena_free(&arena);
    return a;
}

static void end(struct numbers *a)
{
    double *const all[] = {a->start,   a->step,  a->constants, a->x,
                           a->history, a->rates, a->drift,     a->work};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* The clock of a batch. */
static struct ml_clock clock_of(const struct ml_ensemble *e, const struct numbers *a, int batch)
{
    const size_t row = (size_t)batch * ML_LANES;
    const struct ml_system *system = e->model.system;
    return (struct ml_clock){
        .start = a->start + row,
        .step = a->step + row,
        .k0 = EVERY,
        .n_step = N_STEP,
        .active = ML_ALL_LANES,
        .history = a->history + row * (size_t)ml_n_x(&e->model) * N_KEPT,
        .every = EVERY,
        .rates = system->dynamics.measures_rates ? a->rates + row * (size_t)a->n_rate : NULL,
        .rates_mask = RATES_MASK,
        .is_plain = system->dynamics.is_plain && system->dynamics.is_plain(&e->model),
        .drift = system->dynamics.measures_rates ? a->drift + 2 * row : NULL,
        .drift_every = 7,
    };
}

static void go_by_batch(const struct ml_ensemble *e, const struct ml_kernel *kernel,
                        struct numbers *a)
{
    for (int b = 0; b < N_BATCH; b++) {
        const struct ml_clock clock = clock_of(e, a, b);
        const struct ml_lane_faults faults =
            kernel->advance(&e->model, e->method, &clock,
                            a->constants + (size_t)b * (size_t)a->n_constant * ML_LANES,
                            a->x + (size_t)b * (size_t)a->n_x * ML_LANES, a->work);
        for (int lane = 0; lane < ML_LANES; lane++)
            a->faults[b * ML_LANES + lane] =
                (unsigned char)((faults.nonfinite >> lane & 1 ? ML_GPU_NONFINITE : 0) |
                                (faults.singular >> lane & 1 ? ML_GPU_SINGULAR : 0));
    }
}

static void go_at_once(const struct ml_ensemble *e, const struct ml_made_kernel *made,
                       struct numbers *a)
{
    ml_gpu_window_fn *entry = NULL;
    memcpy(&entry, &made->symbol, sizeof entry);
    entry((struct ml_gpu_window){.n_batch = N_BATCH,
                                 .clock = clock_of(e, a, 0),
                                 .history_stride = (int64_t)N_KEPT * ml_n_x(&e->model) * ML_LANES,
                                 .constants = a->constants,
                                 .x = a->x,
                                 .faults = a->faults});
}

/* Numbers of n rows of each batch that differ in lanes without a fault. */
static int count_differing(const struct numbers *a, const double *one, const double *other, int n)
{
    int differing = 0;
    for (int i = 0; i < N_BATCH * n * ML_LANES; i++)
        if (a->faults[i / (n * ML_LANES) * ML_LANES + i % ML_LANES] == 0)
            differing += memcmp((const void *)&one[i], (const void *)&other[i], sizeof *one) != 0;
    return differing;
}

static void check_same(const struct ml_ensemble *e, const struct ml_kernel *kernel,
                       const struct ml_made_kernel *made)
{
    struct numbers a = begin(e), b = begin(e);
    go_by_batch(e, kernel, &a);
    go_at_once(e, made, &b);
    CHECK(memcmp(a.faults, b.faults, sizeof a.faults) == 0);
    CHECK(a.faults[0] == 0 && a.faults[1] == 0 && a.faults[3] == ML_GPU_NONFINITE);
    CHECK(count_differing(&a, a.x, b.x, a.n_x) == 0);
    CHECK(count_differing(&a, a.history, b.history, N_KEPT * ml_n_x(&e->model)) == 0);
    CHECK(count_differing(&a, a.rates, b.rates, a.n_rate) == 0);
    CHECK(count_differing(&a, a.drift, b.drift, 2) == 0);
    if (e->model.system->dynamics.measures_rates)
        CHECK(a.drift[ML_LANES] != 0.0 && a.rates[0] != 0.0);
    end(&a);
    end(&b);
}

static bool make(const struct ml_ensemble *e, struct ml_made_kernel *made)
{
    struct ml_error err = {0};
    const struct ml_kernel_wish wish = {.n_run = e->n_run, .n_thread = 1};
    CHECK(ml_kernel_make_window(e, "one", &wish, made, &err) == ML_OK);
    if (err.text)
        fputs(err.text, stderr);
    ml_error_clear(&err);
    return made->symbol != NULL;
}

static void windows_have_the_bits_of_every_instruction_set(void)
{
    for (int i = 0; i < N_STUDY; i++) {
        struct ml_made_kernel made = {0};
        const struct ml_kernels *kernels;
        for (int k = 0; (kernels = ml_kernels_at(k)); k++) {
            struct ml_study *study = read_study(studies[i].text, kernels->isa);
            CHECK_CASE("%s %s", studies[i].name, kernels->isa);
            if (study && (made.symbol || make(&study->ensemble, &made))) {
                check_same(&study->ensemble, ml_kernel_for(&study->ensemble), &made);
                check_same(&study->ensemble, ml_ensemble_general(&study->ensemble), &made);
            }
            ml_study_free(study);
        }
        ml_made_kernel_close(&made);
    }
}

static void others_are_refused(void)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"manylink: 1\ntime: {end: 1}\n" CHAIN(2) "integrator: {type: rodas4, tolerance: 1e-9}\n",
         "explicit Runge-Kutta methods"},
        {HEAD "system: {type: henon_heiles}\nintegrator: verlet\n", "explicit Runge-Kutta methods"},
        {HEAD CHAIN(40) "integrator: rk4\n", "so many segments"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ml_study *study = read_study(cases[i].text, NULL);
        struct ml_error err = {0};
        struct ml_made_kernel made;
        const struct ml_kernel_wish wish = {.n_run = 1, .n_thread = 1};
        CHECK_CASE("%s", cases[i].why);
        CHECK(study && ml_kernel_make_window(&study->ensemble, ML_KERNEL_GPU, &wish, &made, &err) ==
                           ML_E_INPUT);
        CHECK(err.text && strstr(err.text, "cannot make a kernel for a GPU: ") &&
              strstr(err.text, cases[i].why));
        ml_error_clear(&err);
        ml_study_free(study);
    }
}

int main(void)
{
    char cache[] = "/tmp/manylink-test-window-XXXXXX";
    const char *cc = getenv("CC");
    if (!mkdtemp(cache))
        return 1;
    (void)setenv("MANYLINK_CACHE", cache, 1);
    (void)setenv("MANYLINK_CC", cc && *cc ? cc : "cc", 1);
    windows_have_the_bits_of_every_instruction_set();
    others_are_refused();
    ml_tree_remove(cache);
    return check_done();
}
