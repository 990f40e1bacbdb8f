/* Decides by the time it saves whether a kernel is made for a study, and takes none that differs
 * from the general one. */
#include "engine/kernels/kernel_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "engine/assess/speed.h"
#include "engine/kernels/kernel_beside.h"
#include "engine/kernels/spec.h"
#include "manylink/fail.h"
#include "model/forces/signal.h"

/* Measured numbers, in one place: docs/kernels.md names the studies and the machine. */
const double ml_kernel_compiling = 4.0; /* s */
static const double loading = 0.05;     /* s, with a look into the cache and the comparison */
static const double moment = 0.004,
                    more = 0.05; /* s of measuring: at first, and where it matters */
static const double look = 0.2;  /* s that a run waits for a kernel that is in the cache */

const char *ml_kernel_word(enum ml_kernel_kind kind)
{
    static const char *const words[] = {"general", "built in", "made", "general, then made"};
    return words[kind];
}

/* "none is made for ...", NULL if one can be made for some instruction set. */
static const char *why_none_at_all(const struct ml_ensemble *ensemble,
                                   const struct ml_kernel_wish *wish)
{
    if (ensemble->model.system->has_formulas && !ensemble->code)
        return "none is made of formulas with so many operations, which would take minutes to "
               "compile";
    if (ensemble->model.own && !ensemble->code)
        return "none is made for a plugin without its `source`";
    if (ensemble->model.solver == ML_SOLVER_lapacke)
        return "none is made for the solver lapacke, which is a library's";
    if (ml_spec_is_wide(ensemble) && !(ensemble->code && ensemble->model.own))
        return "none is made for so many segments, where it would be no faster";
    return wish->no_native ? "native code is refused, so that none is made or loaded" : NULL;
}

/* As why_none_at_all, of kernels for the instruction set of the ensemble. */
static const char *why_none(const struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish)
{
#if defined __x86_64__
    if (strcmp(ensemble->kernels->isa, "baseline") == 0)
        return "none is made for the instruction set baseline, whose multiply-adds are calls";
#endif
    return why_none_at_all(ensemble, wish);
}

/* Whether a kernel would read tables, whose addresses are the host's. */
static bool has_tables(const struct ml_ensemble *ensemble)
{
    const struct ml_instance *model = &ensemble->model;
    for (int l = 0; l < model->n_law; l++)
        for (int s = 0; s < model->laws[l].n_signal; s++)
            if (model->laws[l].signals[s].type == ML_TABLE_SIGNAL)
                return true;
    return ensemble->code && strstr(ensemble->code, "equations_curve(");
}

/* As why_none_at_all, of a kernel that takes windows of many batches. */
static const char *why_no_window(const struct ml_ensemble *ensemble,
                                 const struct ml_kernel_wish *wish)
{
    const struct ml_method *method = ensemble->method;
    if (!ml_method_is_tableau(method) || method->n_sweep_stage > 0)
        return "none is made for a GPU but for explicit Runge-Kutta methods";
    if (has_tables(ensemble))
        return "none is made for a GPU with tables of the study";
    if (ensemble->model.own && !ensemble->model.system->has_formulas)
        return "none is made for a GPU of a plugin";
    return why_none_at_all(ensemble, wish);
}

static bool is_built_in(const struct ml_ensemble *ensemble)
{
    struct ml_ensemble plain = *ensemble;
    plain.made = NULL;
    plain.takes_general = false;
    return ml_kernel_for(&plain)->spec != NULL;
}

/* Part of the time that one made saves, about: most where there are forces to go through, and loops
 * that are short enough to be unrolled. */
static double gain_of(const struct ml_ensemble *ensemble)
{
    const int short_chain = 5; /* segments */
    return ensemble->model.system->forces.joint_terms && ensemble->model.n <= short_chain ? 0.65
                                                                                          : 0.4;
}

/* s of computing that a kernel made for it saves, about, at so many member-steps per second. */
static double saving_at(const struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                        double rate)
{
    const int64_t blocks = (wish->n_run + ensemble->block_runs - 1) / ensemble->block_runs;
    const int64_t n_thread = wish->n_thread < blocks ? wish->n_thread : blocks;
    return rate > 0.0 && n_thread > 0 ? gain_of(ensemble) * (double)wish->n_run *
                                            (double)ensemble->time.n_step / rate / (double)n_thread
                                      : 0.0;
}

static double find_saving(const struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish)
{
    if (wish->rate > 0.0)
        return saving_at(ensemble, wish, wish->rate);
    const double first =
        saving_at(ensemble, wish, ml_ensemble_speed(ensemble, moment, wish->stop).rate);
    return first > loading
               ? saving_at(ensemble, wish, ml_ensemble_speed(ensemble, more, wish->stop).rate)
               : first;
}

/* Text of the unit, to be freed; NULL without memory.
 *   window  lines behind those of the spec */
static char *unit_of(const struct ml_ensemble *ensemble, const char *window)
{
    char *text = ml_spec_text(ensemble), hash[ML_SPEC_HASH];
    if (!text)
        return NULL;
    ml_spec_hash(text, hash);
    char *unit =
        ml_path("#define ML_SPEC_TEXT \"%s\"\n%s%s#define ML_KERNEL_SYMBOL ml_kernel_made\n"
                "#define ML_KERNEL_MADE 1\n" ML_KERNEL_UNIT "%s\n",
                hash, text, window, ensemble->code ? ensemble->code : "");
    free(text);
    return unit;
}

/* Whether a kernel is made while the ensemble runs. */
static bool is_beside(const struct ml_kernel_wish *wish)
{
    return wish->mode == ML_KERNEL_AUTO && !wish->waits;
}

static struct ml_kernel_request request_of(const struct ml_ensemble *ensemble,
                                           const struct ml_kernel_wish *wish,
                                           struct ml_kernel_compiler *compiler, const char *unit)
{
    return (struct ml_kernel_request){
        .unit = unit,
        .compiler = compiler,
        .isa = ensemble->kernels->isa,
        .has_loops = ensemble->code && ensemble->model.own && !ensemble->model.system->has_formulas,
        .stop = wish->stop,
        .limit = wish->limit > 0.0 && wish->limit < ML_KERNEL_WAIT ? wish->limit : 0.0,
        .is_beside = is_beside(wish),
        .otherwise = wish->mode == ML_KERNEL_AUTO ? "; the general kernel runs" : NULL};
}

static bool is_cached(const struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                      struct ml_kernel_compiler *compiler)
{
    char *unit = unit_of(ensemble, "");
    const struct ml_kernel_request request = request_of(ensemble, wish, compiler, unit);
    const bool is = unit && ml_kernel_cached(&request);
    free(unit);
    return is;
}

static const char saves_less[] =
    "one made for this study would save less time than it takes to make it";

/* Looks into the cache where one made would pay if it were there. */
static void foresee_cached(const struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                           struct ml_kernel_compiler *compiler, struct ml_kernel_outlook *out)
{
    out->is_cached = out->kind == ML_IS_MADE && is_cached(ensemble, wish, compiler);
    if (out->kind == ML_IS_MADE && wish->mode != ML_KERNEL_ONLY_MADE && !out->is_cached &&
        out->saves <= ml_kernel_compiling) {
        out->kind = ML_IS_GENERAL;
        out->why = saves_less;
    }
}

/* The outlook of a study for which a kernel can be made. */
static struct ml_kernel_outlook foresee_made(const struct ml_ensemble *ensemble,
                                             const struct ml_kernel_wish *wish)
{
    struct ml_kernel_outlook out = {.kind = ML_IS_MADE, .saves = find_saving(ensemble, wish)};
    if (wish->mode != ML_KERNEL_ONLY_MADE && out.saves <= loading) {
        out.kind = ML_IS_GENERAL;
        out.why = saves_less;
    }
    return out;
}

/* ml_kernel_foresee, if the cache has one. */
static struct ml_kernel_outlook foresee(const struct ml_ensemble *ensemble,
                                        const struct ml_kernel_wish *wish)
{
    if (wish->mode == ML_KERNEL_ONLY_GENERAL)
        return (struct ml_kernel_outlook){.kind = ML_IS_GENERAL};
    if (is_built_in(ensemble))
        return (struct ml_kernel_outlook){.kind = ML_IS_BUILT_IN};
    const char *why = why_none(ensemble, wish);
    return why ? (struct ml_kernel_outlook){.kind = ML_IS_GENERAL, .why = why}
               : foresee_made(ensemble, wish);
}

struct ml_kernel_outlook ml_kernel_foresee(const struct ml_ensemble *ensemble,
                                           const struct ml_kernel_wish *wish)
{
    struct ml_kernel_compiler compiler = {0};
    struct ml_kernel_outlook outlook = foresee(ensemble, wish);
    foresee_cached(ensemble, wish, &compiler, &outlook);
    ml_kernel_compiler_free(&compiler);
    return outlook;
}

enum ml_status ml_kernel_check(const struct ml_ensemble *ensemble,
                               const struct ml_kernel_wish *wish, struct ml_error *err)
{
    const char *why = wish->mode != ML_KERNEL_ONLY_MADE || is_built_in(ensemble)
                          ? NULL
                          : why_none(ensemble, wish);
    return why ? ml_fail(err, ML_E_INPUT, "a kernel made for this study is asked for: %s", why)
               : ML_OK;
}

/* A kernel that is not as it should be is removed: another one is made next time. */
static enum ml_status kernel_choice_compare(const struct ml_ensemble *ensemble,
                                            const struct ml_made_kernel *made, struct ml_stop stop,
                                            struct ml_error *err)
{
    const struct ml_kernel *kernel = made->symbol;
    char *text = ml_spec_text(ensemble), hash[ML_SPEC_HASH];
    int64_t run = 0;
    if (!text)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    ml_spec_hash(text, hash);
    free(text);
    if (!kernel->spec || strcmp(kernel->spec, hash) != 0)
        return ml_fail(err, ML_E_FILE, "the kernel made for this study is for another one");
    const enum ml_status status = ml_kernel_compare(ensemble, kernel, stop, &run, err);
    if (status != ML_OK || run == ML_KERNEL_SAME)
        return status;
    if (run == ML_KERNEL_UNTRIED)
        return ml_fail(err, ML_E_FILE,
                       "the kernel made for this study cannot be tried: no child process, or no "
                       "memory for one");
    if (run == ML_KERNEL_CRASHED)
        return ml_fail(err, ML_E_FILE, "the kernel made for this study (%s) crashes, or never ends",
                       made->compiler);
    return ml_fail(err, ML_E_FILE,
                   "the kernel made for this study (%s) differs from the general one in run %lld",
                   made->compiler, (long long)run);
}

/* Makes or loads it, and puts it in its place. */
static enum ml_status take_made(const struct ml_ensemble *ensemble,
                                const struct ml_kernel_wish *wish,
                                struct ml_kernel_compiler *compiler, struct ml_kernel_choice *out,
                                struct ml_error *err)
{
    char *unit = unit_of(ensemble, "");
    const struct ml_kernel_request request = request_of(ensemble, wish, compiler, unit);
    if (!unit)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    enum ml_status status = ml_kernel_make(&request, &out->made, err);
    free(unit);
    if (status != ML_OK)
        return status;
    struct ml_error why = {0};
    status = kernel_choice_compare(ensemble, &out->made, wish->stop, &why);
    if (status == ML_OK) {
        out->place.kernel = out->made.symbol;
        return ML_OK;
    }
    if (status == ML_E_FILE)
        ml_made_kernel_discard(&out->made);
    const char *text = why.text ? why.text : ml_status_text(status);
    (void)ml_fail(err, status, "%.*s: discarded%s", (int)strcspn(text, "\n"), text,
                  request.otherwise ? request.otherwise : "");
    ml_error_clear(&why);
    return status;
}

/* A failure to compile the kernel is a note: the study runs with the general kernel. */
static enum ml_status fall_back(struct ml_kernel_choice *out, struct ml_error *why)
{
    (void)snprintf(out->note, sizeof out->note, "%.*s",
                   why->text ? (int)strcspn(why->text, "\n") : 0, why->text ? why->text : "");
    ml_error_clear(why);
    return ML_OK;
}

/* A kernel on its way while the ensemble runs. */
struct ml_kernel_later {
    struct ml_kernel_beside beside;
    struct ml_ensemble ensemble; /* as it begins */
    struct ml_kernel_wish wish;
    double saves;                 /* s */
    struct ml_kernel_choice *out; /* `place` and `made` are the thread's until it has ended */
    atomic_bool is_soon;          /* it may be in the cache, from which it comes in a moment */
    enum ml_status status;        /* of the thread's end */
    struct ml_error why;
};

static void later_make(void *context)
{
    struct ml_kernel_later *later = context;
    struct ml_kernel_compiler compiler = {0};
    const bool is_there = is_cached(&later->ensemble, &later->wish, &compiler);
    later->is_soon = is_there;
    if (is_there || later->saves > ml_kernel_compiling)
        later->status =
            take_made(&later->ensemble, &later->wish, &compiler, later->out, &later->why);
    ml_kernel_compiler_free(&compiler);
    later->is_soon = false;
}

/* Begins to make a kernel, and waits for a moment for one that is in the cache. */
static enum ml_status begin_later(const struct ml_ensemble *ensemble,
                                  const struct ml_kernel_wish *wish, double saves,
                                  struct ml_kernel_choice *out, struct ml_error *err)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    const double end = ml_clock() + look;
    struct ml_kernel_later *later = calloc(1, sizeof *later);
    if (!later)
        return ml_fail(err, ML_E_MEMORY, "out of memory");
    later->ensemble = *ensemble;
    later->ensemble.made = NULL;
    later->wish = *wish;
    later->wish.stop = ml_kernel_beside_stop(&later->beside);
    later->saves = saves;
    later->out = out;
    later->is_soon = true;
    if (!ml_kernel_beside_start(&later->beside, later_make, later, wish->stop)) {
        (void)snprintf(out->note, sizeof out->note,
                       "no kernel is made for this study: no thread "
                       "for the compiler; the general kernel runs");
        free(later);
        return ML_OK;
    }
    out->later = later;
    while (later->is_soon && ml_clock() < end && ml_stop_level(wish->stop) == 0)
        (void)nanosleep(&pause, NULL);
    if (out->place.kernel)
        out->kind = ML_IS_MADE;
    return ML_OK;
}

static enum ml_status choose(struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                             struct ml_kernel_compiler *compiler, struct ml_kernel_choice *out,
                             struct ml_error *err)
{
    struct ml_error why = {0};
    enum ml_status status = ml_kernel_check(ensemble, wish, err);
    if (status != ML_OK)
        return status;
    struct ml_kernel_outlook outlook = foresee(ensemble, wish);
    if (!is_beside(wish))
        foresee_cached(ensemble, wish, compiler, &outlook);
    out->kind = outlook.kind;
    if (wish->no_native && outlook.why && find_saving(ensemble, wish) > ml_kernel_compiling)
        (void)snprintf(out->note, sizeof out->note, "%s; the general kernel runs", outlook.why);
    if (outlook.kind != ML_IS_MADE)
        return ML_OK;
    out->kind = ML_IS_GENERAL;
    ensemble->made = &out->place;
    if (is_beside(wish))
        return begin_later(ensemble, wish, outlook.saves, out, err);
    status = take_made(ensemble, wish, compiler, out, &why);
    if (status == ML_OK)
        out->kind = ML_IS_MADE;
    if (status == ML_E_FILE && wish->mode == ML_KERNEL_AUTO)
        return fall_back(out, &why);
    const char *text = why.text ? why.text : ml_status_text(status);
    if (status != ML_OK)
        (void)ml_fail(err, status, "%.*s", (int)strcspn(text, "\n"), text);
    ml_error_clear(&why);
    return status;
}

enum ml_status ml_kernel_choose(struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                                struct ml_kernel_choice *out, struct ml_error *err)
{
    const fenv_t before = ml_float_env_set();
    struct ml_kernel_compiler compiler = {0};
    *out = (struct ml_kernel_choice){0};
    ensemble->made = NULL;
    ensemble->takes_general = wish->mode == ML_KERNEL_ONLY_GENERAL;
    const enum ml_status status = choose(ensemble, wish, &compiler, out, err);
    ml_kernel_compiler_free(&compiler);
    ml_float_env_restore(&before);
    return status;
}

enum ml_status ml_kernel_make_window(const struct ml_ensemble *ensemble, const char *isa,
                                     const struct ml_kernel_wish *wish, struct ml_made_kernel *out,
                                     struct ml_error *err)
{
    const char *why = why_no_window(ensemble, wish);
    *out = (struct ml_made_kernel){0};
    if (why)
        return ml_fail(err, ML_E_INPUT, "cannot make a kernel for a GPU: %s", why);
    const bool is_text = strcmp(isa, ML_KERNEL_GPU) == 0;
    char *window = ml_spec_window(ensemble), *unit = window ? unit_of(ensemble, window) : NULL;
    const struct ml_kernel_request request = {
        .unit = unit,
        .isa = isa,
        .symbol = "ml_gpu_window",
        .stop = wish->stop,
        .otherwise =
            is_text ? "; MANYLINK_GPU_CC can name a clang that has the target nvptx64" : NULL};
    const enum ml_status status =
        unit ? ml_kernel_make(&request, out, err) : ml_fail(err, ML_E_MEMORY, "out of memory");
    free(window);
    free(unit);
    return status;
}

void ml_kernel_settle(struct ml_kernel_choice *choice)
{
    struct ml_kernel_later *later = choice->later;
    if (!later)
        return;
    ml_kernel_beside_end(&later->beside);
    if (choice->kind == ML_IS_GENERAL && choice->place.is_used)
        choice->kind = ML_IS_MADE_LATER;
    if (later->status != ML_OK && later->status != ML_STOPPED)
        (void)fall_back(choice, &later->why);
    ml_error_clear(&later->why);
    free(later);
    choice->later = NULL;
}

void ml_kernel_choice_end(struct ml_kernel_choice *choice)
{
    ml_kernel_settle(choice);
    ml_made_kernel_close(&choice->made);
    *choice = (struct ml_kernel_choice){0};
}
