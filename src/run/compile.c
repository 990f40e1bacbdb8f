/* Makes the kernel of a study before it runs. */
#include "manylink/compile.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/sized.h"
#include "engine/kernels/kernel_choice.h"
#include "plan/study.h"

static void report_made(const struct ml_made_kernel *made, struct ml_compile_report *report)
{
    report->is_needed = true;
    (void)snprintf(report->path, sizeof report->path, "%s", made->path);
    report->was_there = made->is_cached;
    report->seconds = made->seconds;
}

static void report_choice(const struct ml_kernel_choice *choice, struct ml_compile_report *report)
{
    if (choice->kind != ML_IS_MADE) {
        (void)snprintf(report->reason, sizeof report->reason,
                       "the kernel of this study is built in");
        return;
    }
    report_made(&choice->made, report);
}

static enum ml_status compile_window(const struct ml_ensemble *ensemble,
                                     const struct ml_kernel_wish *wish,
                                     struct ml_compile_report *report, struct ml_error *err)
{
    struct ml_made_kernel made;
    const enum ml_status status = ml_kernel_make_window(ensemble, ML_KERNEL_GPU, wish, &made, err);
    if (status == ML_OK)
        report_made(&made, report);
    ml_made_kernel_close(&made);
    return status;
}

static enum ml_status compile_study(const struct ml_study *study,
                                    const struct ml_compile_options *options,
                                    struct ml_compile_report *report, struct ml_error *err)
{
    struct ml_ensemble ensemble = study->ensemble;
    struct ml_kernel_choice choice;
    struct ml_kernel_wish wish = {.no_native = options->no_native != 0,
                                  .n_run = ensemble.n_run,
                                  .n_thread = options->n_thread > 0 ? options->n_thread
                                                                    : ml_cgroup_threads(),
                                  .rate = HUGE_VAL, /* whatever it saves: none is measured */
                                  .stop = {options->stop, options->context}};
    if (options->for_gpu)
        return compile_window(&ensemble, &wish, report, err);
    const struct ml_kernel_outlook outlook = ml_kernel_foresee(&ensemble, &wish);
    wish.mode = ML_KERNEL_ONLY_MADE;
    if (outlook.kind == ML_IS_GENERAL && ml_kernel_check(&ensemble, &wish, NULL) != ML_OK &&
        !wish.no_native) {
        (void)snprintf(report->reason, sizeof report->reason, "%s", outlook.why);
        return ML_OK;
    }
    const enum ml_status status = ml_kernel_choose(&ensemble, &wish, &choice, err);
    if (status == ML_OK)
        report_choice(&choice, report);
    ml_kernel_choice_end(&choice);
    return status;
}

const char *ml_study_code(const struct ml_study *study) { return study->ensemble.code; }

enum ml_status ml_study_compile(const struct ml_study *study,
                                const struct ml_compile_options *given,
                                struct ml_compile_report *out, struct ml_error *err)
{
    struct ml_compile_options options;
    struct ml_compile_report report = {0};
    enum ml_status status =
        ml_sized_read(&options, sizeof options, given, "ml_compile_options", err);
    if (status == ML_OK)
        status =
            ml_sized_check_numbers(ML_SIZED_NUMBERS({"n_thread", options.n_thread, 0, INT_MAX}),
                                   "ml_compile_options", err);
    if (status == ML_OK)
        status = ml_sized_check(out, "ml_compile_report", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    status = compile_study(study, &options, &report, err);
    ml_numeric_env_restore(&before);
    ml_sized_write(out, &report, sizeof report);
    return status;
}
