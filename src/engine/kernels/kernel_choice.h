/* Which kernel an ensemble runs on: the general one of its system, one built in, or one made for
 * it. */
#ifndef ML_ENGINE_KERNEL_CHOICE_H
#define ML_ENGINE_KERNEL_CHOICE_H

#include "engine/kernels/kernel_made.h"
#include "engine/team/ensemble.h"
#include "manylink/kernel.h"

enum ml_kernel_kind { ML_IS_GENERAL, ML_IS_BUILT_IN, ML_IS_MADE, ML_IS_MADE_LATER };

/* The request. */
struct ml_kernel_wish {
    enum ml_kernel_mode mode;
    bool no_native;      /* no code but manylink's own: none is made or loaded */
    int64_t n_run;       /* that are to be computed */
    int n_thread;        /* that compute them */
    double rate;         /* member-steps per second and thread without one; 0: to be measured */
    bool waits;          /* ML_KERNEL_AUTO: also for the compiler, as a made kernel is waited for */
    double limit;        /* s that is waited for the compiler; 0: as usual */
    struct ml_stop stop; /* any level ends the compiler */
};

/* The choice. */
struct ml_kernel_outlook {
    enum ml_kernel_kind kind;
    const char *why; /* ML_IS_GENERAL: none is made for it because ..., NULL: the general kernel was
                        asked for */
    bool is_cached;  /* ML_IS_MADE: it is in the cache */
    double saves;    /* s, about, that one made saves; 0 where that was not asked */
};

struct ml_kernel_choice {
    enum ml_kernel_kind kind;
    struct ml_made_kernel made;    /* ML_IS_MADE, ML_IS_MADE_LATER */
    struct ml_kernel_place place;  /* that the ensemble takes `made` from */
    struct ml_kernel_later *later; /* is being made while the ensemble runs; NULL: none */
    char note[600];                /* a notice for the user, without a line's end; "": nothing */
};

/* s that compiling one takes, about. */
extern const double ml_kernel_compiling;

/* "general", "built in", "made", "general, then made" */
const char *ml_kernel_word(enum ml_kernel_kind kind);

/* The kernel that ml_kernel_choose would take if nothing goes wrong; nothing is compiled or loaded.
 */
struct ml_kernel_outlook ml_kernel_foresee(const struct ml_ensemble *ensemble,
                                           const struct ml_kernel_wish *wish);

/* ML_E_INPUT if one made is asked for, and none can be. */
enum ml_status ml_kernel_check(const struct ml_ensemble *ensemble,
                               const struct ml_kernel_wish *wish, struct ml_error *err);

/* Makes or loads the kernel that suits the wish, and sets the ensemble to this kernel, which has
 * done the first steps of some runs as the general one does them. With ML_KERNEL_AUTO another
 * thread compiles, and the ensemble takes the kernel when the thread is done: the ensemble's
 * numbers may change meanwhile, but not their meaning. *out stays in its place, whose address the
 * ensemble has; end the choice in any case.
 *   ML_E_INPUT     as of ml_kernel_check
 *   ML_E_FILE      ML_KERNEL_ONLY_MADE, and it cannot be made; otherwise the note says so
 *   ML_STOPPED     `stop` asked for it
 *   ML_E_MEMORY */
enum ml_status ml_kernel_choose(struct ml_ensemble *ensemble, const struct ml_kernel_wish *wish,
                                struct ml_kernel_choice *out, struct ml_error *err);

/* Makes the kernel that takes windows of many batches at once (engine/gpu/window.h), or finds it in
 * the cache: the methods of given steps by a table only.
 *   isa  ML_KERNEL_GPU, or an instruction set of this machine, by whose entry the same is computed
 * ML_E_INPUT: none can be made for it; the rest as of ml_kernel_make. */
enum ml_status ml_kernel_make_window(const struct ml_ensemble *ensemble, const char *isa,
                                     const struct ml_kernel_wish *wish, struct ml_made_kernel *out,
                                     struct ml_error *err);

/* Stops the making of a kernel that is not there yet: the kind and the note are final. */
void ml_kernel_settle(struct ml_kernel_choice *choice);

/* Settles the choice, and unloads it: the ensemble must not run any more. {0} is allowed. */
void ml_kernel_choice_end(struct ml_kernel_choice *choice);

/* Answers of ml_kernel_compare besides a run. */
enum { ML_KERNEL_SAME = -1, ML_KERNEL_CRASHED = -2, ML_KERNEL_UNTRIED = -3 };

/* Takes some hundred steps of a few runs of the ensemble with `kernel` and with the general one, in
 * a child process: code that was just made may do anything.
 *   stop  any level ends it
 *   run   out: the first run found to differ in its state, tangent vectors, rates or faults, or one
 *         of the above; ML_KERNEL_UNTRIED if there can be no child
 * ML_E_MEMORY, ML_STOPPED. */
enum ml_status ml_kernel_compare(const struct ml_ensemble *ensemble, const struct ml_kernel *kernel,
                                 struct ml_stop stop, int64_t *run, struct ml_error *err);

#endif
