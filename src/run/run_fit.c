/* A fit into a result file. */
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cgroup.h"
#include "base/numeric_env.h"
#include "base/path.h"
#include "base/sized.h"
#include "engine/kernels/kernel_choice.h"
#include "fit/fit_result.h"
#include "fit/page.h"
#include "fit/runs.h"
#include "fit/shooting.h"
#include "fit/torques.h"
#include "manylink/fail.h"
#include "manylink/fit.h"
#include "run/finish.h"

/* Iterations of a start, about, by which the time that a compiled kernel saves is estimated. */
enum { ITERATIONS = 15 };

struct fit_job {
    const struct ml_study *study;
    const struct ml_fit_options *options; /* of this version's size */
    struct ml_fit_report *report;         /* the same */
    struct ml_kernel_choice choice;
    struct ml_inverse_task torques; /* of a fit of torques */
    struct ml_starts starts;
    struct ml_shooting shooting;
    struct ml_fit_found found;
    struct ml_fit_profile profile;
    struct ml_fit_posterior posterior;
    char began[ML_TIME_LENGTH];
};

static bool is_of_torques(const struct fit_job *job)
{
    return job->study->spec.fit.of == ML_FIT_TORQUES;
}

static bool has_posterior(const struct fit_job *job)
{
    return job->study->spec.fit.posterior.walkers > 0;
}

/* Whether the results are those of arcs, of which there are no profiles and no posterior. */
static bool is_of_arcs(const struct fit_job *job)
{
    return job->found.met.until < job->found.met.whole;
}

static struct ml_ensemble_options how_of(const struct fit_job *job)
{
    return (struct ml_ensemble_options){.n_thread = job->report->threads,
                                        .stop = {job->options->stop, job->options->context}};
}

/* Chooses the kernel of about n_run runs. */
static enum ml_status choose_kernel(struct fit_job *job, struct ml_ensemble *e, int64_t n_run,
                                    struct ml_kernel_choice *choice, struct ml_error *err)
{
    const struct ml_fit_options *o = job->options;
    const struct ml_kernel_wish wish = {.mode = o->kernel,
                                        .no_native = o->no_native != 0,
                                        .n_run = n_run,
                                        .n_thread = job->report->threads,
                                        .stop = {o->stop, o->context}};
    e->block_runs = ml_ensemble_block_runs(e);
    return ml_kernel_choose(e, &wish, choice, err);
}

static void settle_kernel(struct fit_job *job)
{
    const struct ml_fit_options *o = job->options;
    ml_kernel_settle(&job->choice);
    if (*job->choice.note && o->notice)
        o->notice(o->context, job->choice.note);
}

static enum ml_status write_result(struct fit_job *job, struct ml_error *err)
{
    const struct ml_study *study = job->study;
    struct ml_maker maker;
    const bool has_more = !is_of_arcs(job);
    const struct ml_fit_profile *profile = has_more && job->options->profile ? &job->profile : NULL;
    const struct ml_fit_posterior *posterior =
        has_more && has_posterior(job) ? &job->posterior : NULL;
    char *page = ml_fit_page(&job->found, profile, posterior);
    if (!page)
        return ML_E_MEMORY;
    ml_maker_init(&maker, &(struct ml_making){
                              study->spec.name, study->spec.overrides, study->ensemble.kernels->isa,
                              ml_kernel_word(job->choice.kind), job->report->threads, job->began});
    const enum ml_status status = ml_fit_result_write(&job->found, profile, posterior, page,
                                                      &maker.provenance, job->options->output, err);
    ml_maker_free(&maker);
    if (status == ML_OK)
        job->report->page = page;
    else
        free(page);
    return status;
}

static void count(struct fit_job *job)
{
    struct ml_fit_report *report = job->report;
    const struct ml_starts *s = job->found.starts;
    report->runs =
        s->n_evaluation + job->profile.n_evaluation + job->posterior.walkers.n_evaluation;
    report->met_best = job->found.n_met[0];
    report->squares = job->found.chi2;
    for (int64_t i = 0; i < s->n_start; i++)
        report->converged += s->descents[i].end == ML_DESCENT_CONVERGED;
}

/* Draws from the posterior, by a kernel without derivatives. */
static enum ml_status draw_posterior(struct fit_job *job, struct ml_error *err)
{
    const struct ml_walkers *of = &job->study->spec.fit.posterior;
    const struct ml_ensemble_options how = how_of(job);
    struct ml_kernel_choice choice = {0};
    struct ml_ensemble *e = &job->posterior.walkers.ensemble;
    enum ml_status status = ml_fit_posterior_begin(&job->found, &job->posterior, err);
    if (status == ML_OK && !is_of_torques(job))
        status = choose_kernel(job, e, e->n_run * (of->burn_in + of->steps), &choice, err);
    if (status == ML_OK)
        status = ml_fit_posterior_draw(&job->posterior, &how, err);
    ml_kernel_settle(&choice);
    ml_kernel_choice_end(&choice);
    return status;
}

/* Fits by multiple shooting, by a kernel with derivatives by states too; where a single run follows
 * the arcs to the end, the starts of the fit begin there. */
static enum ml_status fit_by_arcs(struct fit_job *job, struct ml_error *err)
{
    const struct ml_ensemble_options how = how_of(job);
    struct ml_shooting *s = &job->shooting;
    struct ml_kernel_choice choice = {0};
    enum ml_status status = ml_shooting_init(s, &job->starts, err);
    if (status == ML_OK) {
        struct ml_ensemble *first = &s->segments[0].ensemble;
        status = choose_kernel(job, first, ITERATIONS * s->n_segment * first->n_run, &choice, err);
        for (int k = 1; k < s->n_segment; k++)
            s->segments[k].ensemble.made = first->made;
    }
    if (status == ML_OK)
        status = ml_shooting_find(s, &how, err);
    if (status == ML_OK)
        status = ml_fit_find(&s->starts, &how, &job->found, err);
    if (status == ML_OK)
        status = ml_shooting_follow(s, &job->found, &job->starts, &how, err);
    ml_kernel_settle(&choice);
    ml_kernel_choice_end(&choice);
    return status;
}

/* The same with single runs, from where arcs have led if there are any. */
static enum ml_status fit_by_runs(struct fit_job *job, struct ml_error *err)
{
    const struct ml_ensemble_options how = how_of(job);
    const struct ml_met met = job->found.met;
    if (met.n_segment > 0)
        ml_shooting_pass_on(&job->shooting, &job->starts);
    ml_fit_found_free(&job->found);
    enum ml_status status = ml_starts_descend(&job->starts, &how, err);
    if (status == ML_OK)
        status = ml_fit_find(&job->starts, &how, &job->found, err);
    job->found.met = met;
    return status;
}

/* Reports wishes that need single runs, once the fit is written. */
static enum ml_status check_single(const struct fit_job *job, struct ml_error *err)
{
    const struct ml_met *met = &job->found.met;
    if (!is_of_arcs(job) || (!job->options->profile && !has_posterior(job)))
        return ML_OK;
    return ml_fail(
        err, ML_E_INPUT,
        "%s: cannot find %s: a single run follows the records up to %.6g s of %.6g s, and "
        "results by segments have none; the fit is in %s; leave %s out, or fit records up to that "
        "time",
        job->study->spec.name, job->options->profile ? "profiles" : "the posterior", met->until,
        met->whole, job->options->output, job->options->profile ? "--profile" : "`posterior`");
}

static enum ml_status fit_to(struct fit_job *job, const struct ml_measured_numbers *measured,
                             struct ml_error *err)
{
    const struct ml_ensemble_options how = how_of(job);
    enum ml_status status = ml_starts_init(&job->starts, job->study, measured);
    if (status == ML_OK && is_of_torques(job))
        ml_torques_prepare(&job->starts, &job->torques);
    else if (status == ML_OK && !ml_fit_runs_prepare(&job->starts))
        status = ML_E_MEMORY;
    if (status == ML_OK && !is_of_torques(job))
        status = choose_kernel(job, &job->starts.ensemble, ITERATIONS * job->starts.ensemble.n_run,
                               &job->choice, err);
    if (status == ML_OK && job->study->spec.fit.segments > 1)
        status = fit_by_arcs(job, err);
    if (status == ML_OK && !is_of_arcs(job))
        status = fit_by_runs(job, err);
    if (status == ML_OK && job->options->profile && !is_of_arcs(job))
        status = ml_fit_profile_find(&job->found, &how, &job->profile, err);
    if (status == ML_OK && has_posterior(job) && !is_of_arcs(job))
        status = draw_posterior(job, err);
    settle_kernel(job);
    if (status == ML_OK)
        count(job);
    if (status == ML_OK)
        status = write_result(job, err);
    if (status == ML_OK)
        status = check_single(job, err);
    ml_kernel_choice_end(&job->choice);
    ml_fit_posterior_free(&job->posterior);
    ml_fit_profile_free(&job->profile);
    ml_fit_found_free(&job->found);
    ml_shooting_free(&job->shooting);
    ml_starts_free(&job->starts);
    return status;
}

/* Whether the result may be written. */
static enum ml_status check_output(const struct fit_job *job, struct ml_error *err)
{
    const char *output = job->options->output;
    const struct ml_fit_spec *fit = &job->study->spec.fit;
    struct stat there;
    if (!output)
        return ml_fail(err, ML_E_INPUT,
                       "struct ml_fit_options: `output`, the path of the result file, is missing");
    for (int e = 0; e < fit->n_experiment; e++)
        if (ml_path_is_same(fit->experiments[e].path, output))
            return ml_fail(
                err, ML_E_INPUT,
                "cannot write the fit to %s: the file is the table of the study's `fit`; "
                "choose another name with -o",
                output);
    if (fit->prior_path && ml_path_is_same(fit->prior_path, output))
        return ml_fail(err, ML_E_INPUT,
                       "cannot write the fit to %s: the file gives the priors (`from_fit`), and "
                       "the next fit would "
                       "count the same measured numbers again; choose another name with -o",
                       output);
    if (ml_path_is_link(output))
        return ml_fail(err, ML_E_FILE,
                       "%s: is a symbolic link; the file that it stands for can be made by its own "
                       "name",
                       output);
    if (ml_path_is_read_only(output))
        return ml_fail(
            err, ML_E_FILE,
            "%s: cannot replace this fit: the file is read-only; choose another name with -o",
            output);
    return stat(output, &there) == 0 ? ml_result_h5_check_discard(output, &ml_fit_result_mark, err)
                                     : ML_OK;
}

/* Opens the motion of a fit of torques, with its notes. */
static enum ml_status open_motion(struct fit_job *job, struct ml_error *err)
{
    const struct ml_fit_options *o = job->options;
    const enum ml_status status = ml_torques_open(&job->torques, job->study, err);
    for (char *note = job->torques.report.notes; status == ML_OK && o->notice && *note;) {
        char *end = note + strcspn(note, "\n"), *next = end + (*end != '\0');
        *end = '\0';
        o->notice(o->context, note);
        note = next;
    }
    return status;
}

static enum ml_status run_fit(struct fit_job *job, struct ml_error *err)
{
    struct ml_measured_numbers measured = {0};
    const struct ml_study_spec *spec = &job->study->spec;
    if (spec->fit.n_column == 0)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot fit: the study has no key `fit`; add fit: {to: FILE, columns: "
                       "{QUANTITY: COLUMN}}",
                       spec->name);
    if (spec->fit.loss != ML_LOSS_SQUARES && job->options->profile)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot make profiles of a fit by `loss`: a profile is that of least "
                       "squares; leave `loss` or --profile out",
                       spec->name);
    enum ml_status status = check_output(job, err);
    if (status == ML_OK && is_of_torques(job))
        status = open_motion(job, err);
    if (status == ML_OK)
        status = ml_measured_read(job->study, is_of_torques(job) ? &job->torques.motions : NULL,
                                  &measured, err);
    if (status == ML_OK)
        status = fit_to(job, &measured, err);
    ml_measured_free(&measured);
    ml_inverse_task_close(&job->torques);
    return status;
}

enum ml_status ml_fit(const struct ml_study *study, const struct ml_fit_options *given,
                      struct ml_fit_report *report, struct ml_error *err)
{
    struct ml_fit_options options;
    enum ml_status status = ml_sized_read(&options, sizeof options, given, "ml_fit_options", err);
    if (status == ML_OK)
        status = ml_sized_check_numbers(
            ML_SIZED_NUMBERS({"n_thread", options.n_thread, 0, INT_MAX},
                             {"kernel", (int)options.kernel, ML_KERNEL_AUTO, ML_KERNEL_ONLY_MADE}),
            "ml_fit_options", err);
    if (status == ML_OK)
        status = ml_sized_check(report, "ml_fit_report", err);
    if (status != ML_OK)
        return status;
    const struct ml_numeric_env before = ml_numeric_env_set();
    struct ml_fit_report own = {.threads =
                                    options.n_thread > 0 ? options.n_thread : ml_cgroup_threads()};
    struct fit_job job = {.study = study, .options = &options, .report = &own};
    const double start = omp_get_wtime();
    ml_provenance_time(job.began);
    status = run_fit(&job, err);
    own.seconds = omp_get_wtime() - start;
    if (!report) {
        free(own.page);
        own.page = NULL;
    }
    ml_sized_write(report, &own, sizeof own);
    ml_numeric_env_restore(&before);
    return status;
}
