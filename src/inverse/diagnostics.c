/* Notes about results of inverse dynamics that may not be what was meant. */
#include "inverse/diagnostics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inverse/noise.h"

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

void ml_diagnostics_check_finite(struct ml_diagnostics *diagnostics, int64_t run,
                                 double *const sets[ML_N_SET])
{
    const struct ml_motions *m = diagnostics->motions;
    const int64_t n_time = m->n_time;
    for (int64_t i = 0; i < m->n * n_time; i++) {
        const int64_t joint = i / n_time, k = i % n_time;
        const double *force = sets[ML_SET_FORCE] + joint * 2 * n_time + k;
        if (isfinite(sets[ML_TORQUE_ALL][i]) && isfinite(force[0]) && isfinite(force[n_time]))
            continue;
        if (diagnostics->report->not_finite++ == 0)
            ml_inverse_note(diagnostics->report,
                            "run %lld: the torque or force of joint `%s` is not finite at %g s",
                            (long long)run, diagnostics->study->spec.segment_names[joint],
                            m->time[k]);
        return;
    }
}

/* Whether a segment's acceleration is more than the spline makes of the last digits of its angles,
 * as of one that is still or turns evenly: of its power nothing can be said. */
static bool is_accelerated(int64_t n_time, double interval, const double *angle,
                           const double *acceleration)
{
    double square = 0.0, most = 0.0;
    for (int64_t k = 0; k < n_time; k++) {
        square = fma(acceleration[k], acceleration[k], square);
        most = fmax(most, fabs(angle[k]));
    }
    return sqrt(square / (double)n_time) * interval * interval > 1e-9 * most;
}

void ml_diagnostics_check_noise(struct ml_diagnostics *diagnostics, double *const sets[ML_N_SET])
{
    const struct ml_motions *m = diagnostics->motions;
    const double frequency = 10.0, most = 0.5; /* Hz */
    const double interval = (m->time[m->n_time - 1] - m->time[0]) / (double)(m->n_time - 1);
    if (m->hand_path || m->is_given[ML_MOTION_ACCELERATION])
        return;
    for (int i = 0; i < m->n && !diagnostics->is_noise_told; i++) {
        const double *angle = sets[ML_SET_MOTION + ML_MOTION_ANGLE] + i * m->n_time;
        const double *acceleration = sets[ML_SET_MOTION + ML_MOTION_ACCELERATION] + i * m->n_time;
        if (!is_accelerated(m->n_time, interval, angle, acceleration))
            continue;
        const double share =
            ml_noise_share(m->n_time, interval, acceleration, frequency, diagnostics->work);
        diagnostics->is_noise_told = share > most;
        if (share > most)
            ml_inverse_note(
                diagnostics->report,
                "%s: of the power of the acceleration of `%s` %.1f %% is above %g Hz, so the "
                "torques are mostly those of noise unless something shakes that fast; %s",
                m->source, diagnostics->study->spec.segment_names[i], 100.0 * share, frequency,
                m->smoothing ? "smooth more"
                             : "smooth with `inverse: {filter: {type: butterworth, order: 2, "
                               "cutoff: 6}}` or `inverse: {spline: {smoothing: gcv}}`");
    }
}

void ml_diagnostics_check_rates(struct ml_diagnostics *diagnostics, double *const sets[ML_N_SET])
{
    const double most = 100.0; /* rad/s */
    const struct ml_motions *m = diagnostics->motions;
    const double *rate = sets[ML_SET_MOTION + ML_MOTION_RATE];
    for (int64_t i = 0; i < m->n * m->n_time && !diagnostics->is_rate_told; i++) {
        if (!(fabs(rate[i]) > most))
            continue;
        diagnostics->is_rate_told = true;
        ml_inverse_note(diagnostics->report,
                        "%s: the rate of `%s` is %.3g rad/s at %g s: in degrees? angles are in rad",
                        m->source, diagnostics->study->spec.segment_names[i / m->n_time], rate[i],
                        m->time[i % m->n_time]);
    }
}
