/* Tells at the end of a run where runs have not come to an attractor. */
#include "run/attractors.h"

#include <stdio.h>

#include "base/fail.h"
#include "store/opened.h"

/* Parts of the runs: so few are not worth a word; so many without a period are what a limit cycle
 * looks like that nothing drives; and of those without a period such a part may seem to come nearer
 * to something by chance. */
static const double few = 1e-3, most = 0.5, chance = 0.1;

/* A number of an event's group; 0 without it. */
static double attractors_number(struct ml_result *result, const char *event, const char *name)
{
    char path[2 * ML_NAME_LENGTH];
    double value = 0.0;
    struct ml_error *outer = result->h5.err, err = {0};
    (void)snprintf(path, sizeof path, "/study/attractors/%s/%s", event, name);
    ml_h5_enter(&result->h5);
    result->h5.err = &err;
    const hid_t id = ml_h5_find_dataset(&result->h5, result->file, path);
    if (id >= 0) {
        const struct ml_extent extent = ml_h5_extent(&result->h5, id);
        if (extent.rank == 0)
            ml_h5_read_range(&result->h5, id, &extent, H5T_NATIVE_DOUBLE, 0, 1, &value);
        (void)H5Oclose(id);
    }
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
    const bool has_strayed = aperiodic > most && event->kind == ML_STROBE;
    if (underway > few && underway > chance * (aperiodic + chaotic)) {
        (void)snprintf(text, sizeof text,
                       "events.%s begins too early: %.4f of the runs still come nearer to "
                       "something and have label 0; take a later `from` and `time.end`",
                       event->name, underway);
        ml_run_job_find(job, text);
    }
    if (has_strayed) {
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

void ml_run_job_tell_attractors(const struct ml_run_job *job, struct ml_result *result,
                                const char *path)
{
    const struct ml_ensemble *e = &job->ensemble;
    struct ml_result *opened = NULL;
    struct ml_error err = {0};
    for (int i = 0; i < e->n_event; i++) {
        if (e->events[i].attractors <= 0.0)
            continue;
        if (!result && ml_result_open(path, &opened, &err) == ML_OK)
            result = opened;
        if (result)
            attractors_tell(job, result, &e->events[i]);
    }
    ml_error_clear(&err);
    ml_result_free(opened);
}
