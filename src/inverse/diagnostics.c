/* Notes about doubtful results of inverse dynamics. */
#include "inverse/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns/butterworth.h"
#include "inverse/effort.h"

void ml_inverse_note(struct ml_inverse_report *report, const char *format, ...)
{
    const size_t used = strlen(report->notes), room = sizeof report->notes - used;
    char *own = report->notes + used;
    va_list args;
    if (room < 3) /* a letter, the end of the line and of the text */
        return;
    va_start(args, format);
    const int n = vsnprintf(own, room, format, args);
    va_end(args);
    const size_t length = n < 0 ? 0 : (size_t)n + 2 <= room ? (size_t)n : room - 2;
    for (size_t i = 0; i < length; i++)
        if (own[i] == '\n' || own[i] == '\r') /* of a file's name */
            own[i] = ' ';
    memcpy(own + length, length > 0 ? "\n" : "\0", 2);
}

bool ml_diagnostics_init(struct ml_diagnostics *diagnostics, const struct ml_study *study,
                         const struct ml_motions *motions, struct ml_inverse_report *report)
{
    const size_t n = (size_t)ml_noise_work(motions->n_time);
    *diagnostics = (struct ml_diagnostics){.study = study, .motions = motions, .report = report};
    diagnostics->work = malloc(n * sizeof *diagnostics->work);
    return diagnostics->work;
}

/* Whether the force [joint][2][n_time] of sample i of all joints is finite. */
static bool is_finite_force(const double *force, int64_t n_time, int64_t i)
{
    const double *own = force + i + i / n_time * n_time;
    return isfinite(own[0]) && isfinite(own[n_time]);
}

void ml_diagnostics_check_finite(struct ml_diagnostics *diagnostics, int64_t run,
                                 double *const sets[ML_N_SET])
{
    const struct ml_motions *m = diagnostics->motions;
    const int64_t n_time = m->n_time;
    const double *force = sets[ML_SET_FORCE];
    for (int64_t i = 0; i < m->n * n_time; i++) {
        if (isfinite(sets[ML_TORQUE_ALL][i]) && (!force || is_finite_force(force, n_time, i)))
            continue;
        const int64_t joint = i / n_time, k = i % n_time;
        if (diagnostics->report->not_finite++ == 0)
            ml_inverse_note(diagnostics->report,
                            "run %lld: the torque or force of joint `%s` is not finite at %g s",
                            (long long)run, diagnostics->study->spec.segment_names[joint],
                            m->time[k]);
        return;
    }
}

void ml_diagnostics_check_ends(struct ml_diagnostics *diagnostics, double *const sets[ML_N_SET])
{
    enum { INTERVALS = 4 };  /* of a spline */
    const double much = 1.5; /* times the largest torque elsewhere */
    const struct ml_motions *m = diagnostics->motions;
    const struct ml_smoothing *smoothing = m->smoothing;
    const double reach = smoothing && smoothing->order > 0 ? 0.5 / smoothing->cutoff
                                                           : INTERVALS * ml_motions_interval(m);
    const struct ml_effort_span span = ml_effort_span(m);
    const bool is_of_table = !m->is_of_study && !m->h5 && !m->is_given[ML_MOTION_ACCELERATION];
    const double start = m->whole[0] + reach, end = m->whole[m->n_whole - 1] - reach;
    for (int i = 0; i < m->n && is_of_table && !(diagnostics->told >> ML_DOUBT_END & 1u); i++) {
        const double *torque = sets[ML_TORQUE_ALL] + i * m->n_time;
        double within = 0.0, most = 0.0, when = 0.0;
        for (int64_t k = span.first; k < span.end; k++) {
            const bool is_within = m->time[k] >= start && m->time[k] <= end;
            const double size = fabs(torque[k]);
            within = is_within && size > within ? size : within;
            when = size > most ? m->time[k] : when;
            most = size > most ? size : most;
        }
        if (!(within > 0.0) || !(most > much * within))
            continue;
        diagnostics->told |= 1u << ML_DOUBT_END;
        ml_inverse_note(diagnostics->report,
                        "%s: the largest torque of `%s`, %.4g at %g s, is within %.2g s of an end "
                        "of the table, where smoothing and derivatives are uncertain (elsewhere "
                        "%.4g): %s`inverse: {report: {from: %.3g, to: %.3g}}`",
                        m->source, diagnostics->study->spec.segment_names[i], most, when, reach,
                        within,
                        diagnostics->study->spec.inverse.cycles.is_given
                            ? "numbers of cycles within these times are sound; for peaks and "
                              "work of the whole motion give another study, without `cycles`, "
                              "the key "
                            : "give `from` and `to` of the motion, or ",
                        start, end);
    }
}
