/* Notes about a motion that may not be meant: wrapped or in other units, noisy, with jumps, or
 * smoothed away. A cause that explains further doubts is told alone. */
#include <math.h>
#include <stdio.h>

#include "columns/butterworth.h"
#include "config/formulas/hold.h"
#include "inverse/diagnostics.h"
#include "inverse/relevant_axes.h"
#include "inverse/segment_params.h"

static const double turn = 6.283185307179586; /* rad */

/* The numbers looked at. */
struct measured {
    struct ml_diagnostics *diagnostics;
    const struct ml_motions *motions;
    const char *called;                /* the motion; of one that differs with parameters its run */
    const double *angle, *raw;         /* [n][n_time] as differentiated, and as given */
    const double *rate, *acceleration; /* the same */
    double *const *base;               /* [2][n_time] of enum ml_motion_row; NULL: it stays */
    const double *residual;            /* [n]; NULL: nothing was smoothed */
};

static const char *segment_of(const struct measured *m, int i)
{
    return m->diagnostics->study->spec.segment_names[i];
}

/* Whether a doubt is new, which then counts as told. */
static bool is_news(const struct measured *m, enum ml_motion_doubt doubt)
{
    const unsigned bit = 1u << doubt, before = m->diagnostics->told;
    m->diagnostics->told |= bit;
    return !(before & bit);
}

static double largest(int64_t n, const double *values)
{
    double most = 0.0;
    for (int64_t k = 0; k < n; k++)
        most = fmax(most, fabs(values[k]));
    return most;
}

/* The sample before which an angle jumps by almost a whole turn though all of it spans no more than
 * the difference of two angles within a turn; 0: none.
 *   whole  a turn in the unit that the angle may be in */
static int64_t find_wrap(int64_t n, const double *angle, double whole)
{
    double low = angle[0], high = angle[0];
    int64_t at = 0;
    for (int64_t k = 1; k < n; k++) {
        const double jump = fabs(angle[k] - angle[k - 1]);
        low = fmin(low, angle[k]);
        high = fmax(high, angle[k]);
        if (at == 0 && fabs(jump - whole) < whole / 6.0)
            at = k;
    }
    return high - low < 2.1 * whole ? at : 0;
}

/* Notes angles that an arc tangent has wrapped; whether there are any. */
static bool report_wraps(const struct measured *m)
{
    const double wholes[] = {turn, 360.0};
    const int64_t n = m->motions->n_time;
    for (int i = 0; i < m->motions->n; i++)
        for (size_t w = 0; w < sizeof wholes / sizeof *wholes; w++) {
            const double *angle = m->raw + i * n, *time = m->motions->time;
            const int64_t k = find_wrap(n, angle, wholes[w]);
            if (k == 0)
                continue;
            if (is_news(m, ML_DOUBT_WRAP))
                ml_inverse_note(
                    m->diagnostics->report,
                    "%s: `%s` jumps by %.4g %s between %g and %g s: wrapped to one "
                    "turn%s? angles must continue through pi and -pi: `motion: {unwrap: true}`",
                    m->called, segment_of(m, i), angle[k] - angle[k - 1],
                    w == 0 ? "rad" : "degrees", time[k - 1], time[k],
                    w == 0 ? "" : ", and in degrees");
            return true;
        }
    return false;
}

/* Whether an angle passes a turn by steady rotation: from within a turn, and equally far in every
 * quarter of the time. */
static bool turns_evenly(int64_t n, const double *angle)
{
    const double way = angle[n - 1] - angle[0];
    bool is_even = fabs(angle[0]) <= turn;
    for (int quarter = 1; quarter < 4; quarter++) {
        const double there = angle[quarter * (n - 1) / 4] - angle[0];
        is_even &= fabs(there - 0.25 * quarter * way) <= 0.1 * fabs(way);
    }
    return is_even;
}

/* Notes angles that are too large for rad; whether there are any. */
static bool report_degrees(const struct measured *m)
{
    const int64_t n = m->motions->n_time;
    for (int i = 0; i < m->motions->n; i++) {
        const double most = largest(n, m->raw + i * n);
        if (most <= turn * (1.0 + 1e-9) || turns_evenly(n, m->raw + i * n))
            continue;
        if (is_news(m, ML_DOUBT_DEGREES))
            ml_inverse_note(m->diagnostics->report,
                            "%s: `%s` goes to %.3g rad, more than a whole turn: in degrees? angles "
                            "are in rad; if so, `motion: {unit: deg}`",
                            m->called, segment_of(m, i), most);
        return true;
    }
    return false;
}

static void report_milliseconds(const struct measured *m)
{
    const double interval = ml_motions_interval(m->motions);
    if (interval >= ML_SLOW_TABLE && is_news(m, ML_DOUBT_TIME))
        ml_inverse_note(m->diagnostics->report,
                        "%s: samples are %.3g s apart: in ms? times are in s; if so, name their "
                        "column `time [ms]`",
                        m->called, interval);
}

/* Notes frames that are left out though the times go on, and markers that were found behind the
 * prefix of a subject. */
static void report_frames(const struct measured *m)
{
    const struct ml_motions *motions = m->motions;
    if (motions->n_lost > 0 && is_news(m, ML_DOUBT_FRAMES))
        ml_inverse_note(m->diagnostics->report,
                        "%s: numbers of frames leave %lld out, first before %g s, but the times go "
                        "on evenly: lost frames? leave their times out too",
                        motions->source, (long long)motions->n_lost, motions->lost_when);
    if (motions->prefixed && is_news(m, ML_DOUBT_PREFIX))
        ml_inverse_note(m->diagnostics->report,
                        "%s: markers are taken by their names behind a prefix, as column `%s`",
                        motions->source, motions->prefixed);
}

/* Notes times of another rate, and fewer markers, than the header of the file says. */
static void report_header(const struct measured *m)
{
    const double said = m->motions->header_rate;
    if (said > 0.0 && is_news(m, ML_DOUBT_HEADER))
        ml_inverse_note(m->diagnostics->report,
                        "%s: the header says %.6g Hz, but the times have %.6g: times are taken as "
                        "they are; if the header is right, `motion: {columns: {time: ..}}` names "
                        "another column",
                        m->motions->source, said, 1.0 / ml_motions_interval(m->motions));
    if (m->motions->said > 0 && is_news(m, ML_DOUBT_MARKERS))
        ml_inverse_note(
            m->diagnostics->report,
            "%s: the header says %lld markers (NumMarkers), but names %lld: are columns "
            "missing?",
            m->motions->source, (long long)m->motions->said, (long long)m->motions->named);
}

/* Root mean square of an acceleration; 0 if it is no more than a spline makes of the last digits of
 * angles, as of a segment that is still or turns evenly: its power has no meaning. */
static double accelerated(const struct measured *m, const double *value, const double *acceleration)
{
    const int64_t n = m->motions->n_time;
    const double interval = ml_motions_interval(m->motions);
    const double most = largest(n, value);
    double square = 0.0;
    for (int64_t k = 0; k < n; k++)
        square = fma(acceleration[k], acceleration[k], square);
    const double rms = sqrt(square / (double)n);
    return rms * interval * interval > 1e-9 * most ? rms : 0.0;
}

/* Notes markers that are at 0, 0 in some samples or held at one place, and the first marker whose
 * distance from the other of its segment jumps; whether there are any. */
static bool report_strays(const struct measured *m)
{
    const double least = 0.03, times = 10.0; /* of the distance; of the usual change */
    for (int i = 0; i < m->motions->n; i++) {
        const struct ml_marker_pair *pair = &m->motions->pairs[i];
        const bool is_stray = pair->jump > least && pair->jump > times * pair->usual;
        if (pair->n_zero == 0 && pair->n_held == 0 && !is_stray)
            continue;
        const bool is_new = is_news(m, ML_DOUBT_STRAY);
        if (is_new && pair->n_zero > 0)
            ml_inverse_note(m->diagnostics->report,
                            "%s: a marker of `%s` is at 0, 0 in %lld samples, the first at %g s: "
                            "not seen there? leave these cells empty, and `gaps` fills them",
                            m->called, segment_of(m, i), (long long)pair->n_zero, pair->zero_when);
        else if (is_new && pair->n_held > 0)
            ml_inverse_note(
                m->diagnostics->report,
                "%s: a marker of `%s` stays at exactly one place in %lld samples, the "
                "first at %g s, and jumps after them: held while it was not seen? leave "
                "these cells empty, and `gaps` fills them",
                m->called, segment_of(m, i), (long long)pair->n_held, pair->held_when);
        else if (is_new)
            ml_inverse_note(m->diagnostics->report,
                            "%s: the distance of the markers of `%s` jumps by %.2g %% at %g s "
                            "(usual: %.1g %%): a wrong sample, or markers exchanged there? leave "
                            "its cells empty, and `gaps` fills them",
                            m->called, segment_of(m, i), 100.0 * pair->jump, pair->when,
                            100.0 * pair->usual);
        return true;
    }
    return false;
}

/* Notes the first sample of an angle that smoothing moves far more than all others: by more than
 * `times` their root mean square. Whether there is one. */
static bool report_wrong_sample(const struct measured *m)
{
    const double least = 0.02, times = 12.0; /* rad */
    const int64_t n = m->motions->n_time;
    for (int i = 0; i < m->motions->n && m->residual; i++) {
        const double *raw = m->raw + i * n, *smooth = m->angle + i * n;
        double most = 0.0, sum = 0.0;
        int64_t at = 0;
        for (int64_t k = 0; k < n; k++) {
            const double off = fabs(raw[k] - smooth[k]);
            at = off > most ? k : at;
            most = fmax(most, off);
        }
        for (int64_t k = 0; k < n; k++)
            sum += k < at - 1 || k > at + 1 ? (raw[k] - smooth[k]) * (raw[k] - smooth[k]) : 0.0;
        const double rms = n > 3 ? sqrt(sum / (double)(n - 3)) : most;
        if (!(most > least) || !(most > times * rms))
            continue;
        if (is_news(m, ML_DOUBT_STRAY))
            ml_inverse_note(m->diagnostics->report,
                            "%s: smoothing moves `%s` by %.2g rad at %g s, all other samples by "
                            "%.1g (root mean square): a wrong sample? leave its cell empty, and "
                            "`gaps` fills it",
                            m->called, segment_of(m, i), raw[at] - smooth[at], m->motions->time[at],
                            rms);
        return true;
    }
    return false;
}

/* Notices noise in the curves of the row `first`, which is the angle or the base. */
static void report_noise(const struct measured *m, enum ml_motion_row first, const double *value,
                         const double *acceleration)
{
    /* of the power; a computed motion has no noise, but sharp turns */
    const double most = m->motions->h5 ? 0.5 : 0.1;
    const double little = 0.05; /* of the largest acceleration: does not matter */
    const int64_t n = m->motions->n_time;
    const double interval = ml_motions_interval(m->motions),
                 frequency = ml_noise_frequency(interval);
    double fastest = 0.0;
    const int n_curve = ml_motion_curves(m->motions->n, first);
    for (int i = 0; i < n_curve; i++)
        fastest = fmax(fastest, accelerated(m, value + i * n, acceleration + i * n));
    for (int i = 0; i < n_curve; i++) {
        const double own = accelerated(m, value + i * n, acceleration + i * n);
        const double share =
            own > little * fastest
                ? ml_noise_share(n, interval, acceleration + i * n, frequency, m->diagnostics->work)
                : 0.0;
        if (share <= most || !is_news(m, ML_DOUBT_NOISE))
            continue;
        ml_inverse_note(m->diagnostics->report,
                        "%s: of the power of the acceleration of `%s%s` %.1f %% is above %.3g Hz, "
                        "so the torques "
                        "are %s those of noise unless something shakes that fast; %s",
                        m->called, first == ML_MOTION_BASE ? "base/" : "",
                        ml_motion_curve(m->diagnostics->study, first, i), 100.0 * share, frequency,
                        share > 0.5 ? "mostly" : "in part",
                        m->motions->smoothing
                            ? "smooth more"
                            : "smooth with `inverse: {filter: {type: butterworth, order: 2, "
                              "cutoff: 6}}` or `inverse: {spline: {smoothing: gcv}}`");
    }
}

/* Notes a base farther away than any laboratory reaches. */
static void report_base(const struct measured *m)
{
    const double far = 100.0; /* m */
    const double most = largest(2 * m->motions->n_time, m->base[0]);
    if (most > far && is_news(m, ML_DOUBT_BASE))
        ml_inverse_note(m->diagnostics->report,
                        "%s: `base` goes to %.3g m: in mm? positions are in m", m->called, most);
}

/* Notes angles that smoothing changed by more than noise. */
static void report_residual(const struct measured *m)
{
    const double most = 0.1; /* rad */
    for (int i = 0; i < m->motions->n && m->residual; i++)
        if (m->residual[i] > most && is_news(m, ML_DOUBT_RESIDUAL))
            ml_inverse_note(m->diagnostics->report,
                            "%s: smoothing takes %.2g rad (root mean square) from `%s`, more than "
                            "noise has: too low a cutoff, or wrong samples? compare `angle_raw` "
                            "with `angle`",
                            m->called, m->residual[i], segment_of(m, i));
}

/* Notes the first rate that is faster than people move. */
static void report_rates(const struct measured *m)
{
    const double most = 100.0; /* rad/s */
    const int64_t n = m->motions->n_time;
    for (int64_t i = 0; i < m->motions->n * n; i++) {
        if (!(fabs(m->rate[i]) > most))
            continue;
        const int segment = (int)(i / n);
        const bool is_jump =
            !m->motions->is_given[ML_MOTION_RATE] && largest(n, m->raw + segment * n) <= turn;
        if (is_news(m, ML_DOUBT_RATE))
            ml_inverse_note(m->diagnostics->report,
                            "%s: the rate of `%s` is %.3g rad/s at %g s: %s", m->called,
                            segment_of(m, segment), m->rate[i], m->motions->time[i % n],
                            is_jump ? "a wrong sample there, or times in another unit than s?"
                                    : "in degrees? angles are in rad");
        return;
    }
}

/* Whether a load from a table acts on a segment. */
static bool has_load(const struct measured *m)
{
    const struct ml_study_spec *spec = &m->diagnostics->study->spec;
    bool is_there = false;
    for (int f = 0; f < spec->n_force; f++)
        is_there |= spec->forces[f].file != NULL && ml_force_is_relevant(&spec->forces[f]);
    return is_there;
}

/* Name of a unit of so many metres. */
static const char *length_name(double metre)
{
    return metre == 1.0 ? "m" : metre == 1e-2 ? "cm" : "mm";
}

/* Notes a segment that is far longer or shorter than its markers are apart: in another unit, if
 * that of the markers is known and another one is right. */
static void report_other_length(const struct measured *m, int i, double apart, double length)
{
    static const double metres[] = {1.0, 1e-2, 1e-3};
    const double near = 3.0, metre = m->motions->metre;
    const char *unit = NULL;
    for (size_t u = 0; u < sizeof metres / sizeof *metres; u++) {
        const double other = apart * metres[u] / metre;
        if (metres[u] != metre && other < near * length && length < near * other)
            unit = length_name(metres[u]);
    }
    if (unit)
        ml_inverse_note(m->diagnostics->report,
                        "%s: the markers of `%s` are %.3g m apart (median, in the plane), but the "
                        "segment is %.3g m long: are they in %s? if so, `motion: {length: %s}`",
                        m->motions->source, segment_of(m, i), apart, length, unit, unit);
    else
        ml_inverse_note(m->diagnostics->report,
                        "%s: the markers of `%s` are %.3g m apart (median, in the plane), but the "
                        "segment is %.3g m long: the chain's next joint is %.0f mm from its "
                        "marker: other markers, or another length?",
                        m->motions->source, segment_of(m, i), apart, length,
                        1e3 * fabs(apart - length));
}

/* Notes that the study has another unit of markers than the file. */
static void report_unit(const struct measured *m)
{
    const double by_file = m->motions->overruled;
    if (by_file > 0.0 && is_news(m, ML_DOUBT_UNIT))
        ml_inverse_note(m->diagnostics->report,
                        "%s: markers are in %s by the file, but `length` of the motion takes them "
                        "as %s",
                        m->motions->source, length_name(by_file), length_name(m->motions->metre));
}

/* Notes a segment whose length differs from the distance of its markers, in the first run and in
 * the last: by less beside a load, of which every offset of a joint is a lever. */
static void report_lengths(const struct measured *m)
{
    const bool is_loaded = has_load(m);
    const double most = is_loaded ? 1.03 : 1.25, usual = 1.25;
    const struct ml_ensemble *e = &m->diagnostics->study->ensemble;
    const struct ml_marker_pair *pairs = m->motions->pairs;
    struct ml_segment_params first, last;
    const bool is_first = ml_segment_params_init(&first, e);
    const bool is_last = ml_segment_params_init(&last, e);
    if (is_first && is_last) {
        ml_segment_params_load(&first, e, 0);
        ml_segment_params_load(&last, e, e->n_run - 1);
    }
    for (int i = 0; is_first && is_last && i < m->motions->n; i++) {
        const double least = fmin(first.length[i], last.length[i]);
        const double apart = pairs[i].apart;
        const bool is_off =
            apart > most * fmax(first.length[i], last.length[i]) || apart * most < least;
        if (!(apart > 0.0) || !is_off || !is_news(m, ML_DOUBT_LENGTH))
            continue;
        if (apart < usual * least && apart * usual > least)
            ml_inverse_note(m->diagnostics->report,
                            "%s: the markers of `%s` are %.4g m apart (median, in the plane), but "
                            "the segment is %.4g m long: the chain's next joint is %.0f mm from "
                            "its marker, which is a lever of the load; `length: %.4g` of the "
                            "segment puts the joint there",
                            m->motions->source, segment_of(m, i), apart, first.length[i],
                            1e3 * fabs(apart - first.length[i]), apart);
        else
            report_other_length(m, i, apart, first.length[i]);
    }
    ml_segment_params_free(&first);
    ml_segment_params_free(&last);
}

void ml_diagnostics_check_motion(struct ml_diagnostics *diagnostics, int64_t run,
                                 double *const sets[ML_N_SET])
{
    const struct ml_motions *motions = diagnostics->motions;
    char own[500];
    (void)snprintf(own, sizeof own, "%s, run %lld", motions->source, (long long)run);
    const double *angle = sets[ML_SET_MOTION + ML_MOTION_ANGLE];
    const bool has_base = ml_motions_have_base(motions);
    const struct measured m = {
        .diagnostics = diagnostics,
        .motions = motions,
        .called = motions->is_by_parameters ? own : motions->source,
        .angle = angle,
        .raw = motions->smoothing ? sets[ML_SET_RAW] : angle,
        .rate = sets[ML_SET_MOTION + ML_MOTION_RATE],
        .acceleration = sets[ML_SET_MOTION + ML_MOTION_ACCELERATION],
        .base = has_base ? sets + ML_SET_MOTION + ML_MOTION_BASE : NULL,
        .residual = motions->smoothing ? sets[ML_SET_RESIDUAL] : NULL,
    };
    /* a program that gives accelerations has computed them, in the right units */
    const bool is_measured = !motions->is_of_study && !motions->is_given[ML_MOTION_ACCELERATION];
    const bool is_of_table = is_measured && !motions->h5;
    const bool is_wrapped = is_measured && report_wraps(&m);
    const bool is_degrees =
        is_of_table && !motions->is_unit_said && !is_wrapped && report_degrees(&m);
    if (is_of_table)
        report_milliseconds(&m);
    if (is_of_table) {
        report_header(&m);
        report_frames(&m);
    }
    if (motions->pairs) {
        report_unit(&m);
        report_lengths(&m);
    }
    if (m.base)
        report_base(&m);
    const bool is_stray = (motions->pairs && report_strays(&m)) ||
                          (is_of_table && !is_wrapped && report_wrong_sample(&m));
    if (is_measured && !is_wrapped && !is_stray)
        report_noise(&m, ML_MOTION_ANGLE, m.angle, m.acceleration);
    if (m.base && !motions->is_given[ML_MOTION_BASE_ACCELERATION] && !is_stray)
        report_noise(&m, ML_MOTION_BASE, m.base[0], m.base[2]);
    if (is_wrapped || is_degrees || is_stray)
        return;
    report_residual(&m);
    report_rates(&m);
}
