/* Tells at the end of a run where runs have not come to an attractor. */
#include "run/attractors.h"

#include <stdio.h>

#include "base/fail.h"
#include "store/opened.h"
#include "store/result_h5.h"

/* Parts of the runs: so few are not worth a word; so many without a period look like a limit cycle
 * that nothing drives; and of those without a period such a part may seem to come nearer to
 * something by chance. */
static const double few = 1e-3, most = 0.5, chance = 0.1;

/* A number of an event's group; 0 without it. */
static double attractors_number(struct ml_result *result, const char *event, const char *name)
{
    double value = 0.0;
    struct ml_error *outer = result->h5.err, err = {0};
    ml_h5_enter(&result->h5);
    result->h5.err = &err;
    (void)ml_result_h5_attractors(&result->h5, result->file, event, name, 1, &value);
    result->h5.err = outer;
    ml_h5_leave(&result->h5);
    ml_error_clear(&err);
    return value;
}

static void attractors_tell(const struct ml_run_job *job, struct ml_result *result,
                            const struct ml_event *event)
{
    const double underway = attractors_number(result, event->name, "underway_fraction");
    const double aperiodic = attractors_number(result, event->name, "aperiodic_fraction");
    const double chaotic = attractors_number(result, event->name, "chaotic_fraction");
    char text[600];
    if (underway > few && underway > chance * (aperiodic + chaotic)) {
        (void)snprintf(text, sizeof text,
                       "events.%s begins too early: %.4f of the runs still come nearer to "
                       "something and have label 0; take a later `from` and `time.end`",
                       event->name, underway);
        ml_run_job_find(job, text);
    }
    if (aperiodic > most && event->kind == ML_STROBE) {
        (void)snprintf(
            text, sizeof text,
            "events.%s: %.4f of the runs come back to no point of the strobe. If nothing "
            "drives the system, they may be on a limit cycle: label by a section (`when`, "
            "`crosses`, `direction`) in place of `period`. If something does, they are "
            "quasi-periodic, chaotic, or of a period above half of `max`",
            event->name, aperiodic);
        ml_run_job_find(job, text);
    }
}

void ml_run_job_tell_attractors(const struct ml_run_job *job, struct ml_result *result)
{
    const struct ml_ensemble *e = &job->ensemble;
    for (int i = 0; i < e->n_event; i++)
        if (e->events[i].attractors > 0.0)
            attractors_tell(job, result, &e->events[i]);
}
