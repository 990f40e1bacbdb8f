/* Cycles of a gait by the loads of a study, or by the motion of the foot. */
#include "inverse/cycles.h"

#include <string.h>

#include "base/compare.h"
#include "inverse/bursts.h"
#include "inverse/diagnostics.h"
#include "inverse/effort.h"
#include "inverse/load_places.h"
#include "inverse/strikes.h"
#include "linalg/lagrange.h"
#include "manylink/fail.h"

/* N, of a foot on the ground, if the study does not say. */
static const double usual_threshold = 20.0;

struct search {
    const struct ml_study *study;
    const struct ml_cycle_keys *keys;
    struct ml_motions *motions;
    const struct ml_segment_params *segments;
    const char *called;            /* of the loads, or the foot */
    struct ml_plate_force *plates; /* [n_load] */
    struct ml_stance *stances;     /* [n_stance] */
    int64_t n_stance;
    struct ml_pool pool;
};

/* Finds the forces of the loads before thresholds and filters. */
static enum ml_status find_plates(struct search *s, struct ml_error *err)
{
    const struct ml_study_spec *spec = &s->study->spec;
    const size_t n = (size_t)s->keys->n_load;
    s->plates = ml_pool_take(&s->pool, n, sizeof *s->plates);
    struct ml_force_use *uses = ml_pool_take(&s->pool, n, sizeof *uses);
    if (!s->plates || !uses)
        return ML_E_MEMORY;
    for (size_t k = 0; k < n; k++) {
        const int f = s->keys->loads[k];
        uses[k] = spec->forces[f];
        if (spec->inverse.measured && spec->inverse.measured[f])
            uses[k].signals = spec->inverse.measured[f];
        if (!ml_plate_force_find(s->study, s->segments->run_values, &uses[k], &s->plates[k]) ||
            !ml_plate_table(&s->plates[k]))
            return ml_fail(err, ML_E_INPUT,
                           "%scannot find foot strikes: load `%s` has no table of its force",
                           s->keys->place, uses[k].name);
    }
    return ML_OK;
}

/* N, upwards, of all loads at time t. */
static double force_at(const struct search *s, double t)
{
    const double *gravity = s->segments->gravity, g = hypot(gravity[0], gravity[1]);
    double sum = 0.0;
    for (int k = 0; k < s->keys->n_load; k++) {
        const struct ml_point force = ml_plate_force_at(&s->plates[k], t);
        sum += g > 0.0 ? -(force.x * gravity[0] + force.y * gravity[1]) / g : force.y;
    }
    return sum;
}

/* N: the threshold; NaN: by weights of a body that the study has not. */
static double threshold_of(const struct search *s)
{
    const double *gravity = s->segments->gravity;
    if (!isnan(s->keys->share))
        return s->keys->share * ml_segment_params_body_mass(s->segments, &s->study->ensemble) *
               hypot(gravity[0], gravity[1]);
    return isnan(s->keys->threshold) ? usual_threshold : s->keys->threshold;
}

static enum ml_status find_by_force(struct search *s, struct ml_error *err)
{
    const struct ml_motions *m = s->motions;
    const double threshold = threshold_of(s);
    const enum ml_status status = find_plates(s, err);
    if (status != ML_OK)
        return status;
    const struct ml_breakpoints *table = ml_plate_table(&s->plates[0]);
    if (!(threshold > 0.0))
        return ml_fail(
            err, ML_E_INPUT,
            "%s`share` is of the body's weight, but the system has no `body`, or no gravity; give "
            "`threshold` in N",
            s->keys->place);
    double *force = ml_pool_take(&s->pool, (size_t)table->n, sizeof *force);
    s->stances = ml_pool_take(&s->pool, (size_t)table->n, sizeof *s->stances);
    if (!force || !s->stances)
        return ML_E_MEMORY;
    int64_t first = 0, n = 0;
    while (first < table->n && table->time[first] < m->time[0])
        first++;
    while (first + n < table->n && table->time[first + n] <= m->time[m->n_time - 1]) {
        force[n] = force_at(s, table->time[first + n]);
        n++;
    }
    double most = 0.0;
    for (int64_t k = 0; k < n; k++)
        most = fmax(most, force[k]);
    if (most < threshold)
        return ml_fail(err, ML_E_INPUT,
                       "%sno foot strike: the upward force of `%s` is at most %.4g N in the "
                       "motion, %g to %g s, but the threshold is %.4g N; give a lower one, or see "
                       "whether the force points upwards",
                       s->keys->place, s->called, most, m->time[0], m->time[m->n_time - 1],
                       threshold);
    s->n_stance = ml_stances_by_force(n, table->time + first, force, threshold, s->keys->shortest,
                                      s->stances);
    return ML_OK;
}

/* Ankle and toe, the ends of the foot's segment: before the first joint, or the heights of ankle
 * and middle. */
static enum ml_status find_by_foot(struct search *s, double *const sets[ML_N_SET])
{
    const struct ml_motions *m = s->motions;
    const size_t n = (size_t)m->n_time;
    const bool is_by_velocity = s->keys->method == ML_STRIKES_OCONNOR;
    double *heel = ml_pool_take(&s->pool, 3 * n, sizeof *heel), *other = heel + n;
    double *own[ML_N_SET];
    s->stances = ml_pool_take(&s->pool, n, sizeof *s->stances);
    if (!heel || !s->stances)
        return ML_E_MEMORY;
    memcpy((void *)own, (const void *)sets, sizeof own);
    if (!is_by_velocity)
        own[ML_SET_MOTION + ML_MOTION_BASE] = NULL;
    for (int64_t k = 0; k < m->n_time; k++) {
        struct ml_point ends[2];
        ml_segment_ends(s->segments, m, own, s->keys->foot, k, ends);
        heel[k] = is_by_velocity ? ends[0].y : ends[0].x;
        other[k] = is_by_velocity ? 0.5 * (ends[0].y + ends[1].y) : ends[1].x;
    }
    s->n_stance = is_by_velocity ? ml_stances_by_velocity(m->n_time, m->time, heel, other,
                                                          other + n, s->stances)
                                 : ml_stances_by_foot(m->n_time, m->time, heel, other, s->stances);
    return ML_OK;
}

/* Whether stance k begins a cycle of which the summary is. */
static bool is_cycle(const struct search *s, int64_t k)
{
    const struct ml_inverse_outputs *outputs = s->motions->outputs;
    return k + 1 < s->n_stance && !isnan(s->stances[k].strike) && !isnan(s->stances[k].toe_off) &&
           !(s->stances[k].strike < outputs->from) && !(s->stances[k + 1].strike > outputs->to);
}

/* The four samples around the time of a point of a cycle, and their weights. */
static void weigh(const struct ml_motions *m, double t, struct ml_cycle_point *point)
{
    int64_t low = 0, high = m->n_time - 1;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        *(t < m->time[middle] ? &high : &low) = middle;
    }
    const int64_t last = m->n_time - ML_CYCLE_SAMPLES;
    point->first = low - 1 < 0 ? 0 : low - 1 > last ? last : low - 1;
    ml_lagrange_weights(ML_CYCLE_SAMPLES, m->time + point->first, t, point->weight);
}

/* The first sample at or behind time t. */
static int64_t first_sample(const struct ml_motions *m, double t)
{
    int64_t k = 0;
    while (k < m->n_time - 1 && m->time[k] < t)
        k++;
    return k;
}

/* Refuses a cycle with fewer samples than a curve between samples takes. */
static enum ml_status check_samples(const struct search *s, const struct ml_cycle *cycle,
                                    struct ml_error *err)
{
    const struct ml_motions *m = s->motions;
    const int64_t last = cycle->first + ML_CYCLE_SAMPLES - 1;
    if (last < m->n_time && m->time[last] <= cycle->end)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "%sthe cycle of `%s` from %.4g to %.4g s has fewer than %d samples of "
                   "the motion; give a motion with more samples",
                   s->keys->place, s->called, cycle->start, cycle->end, ML_CYCLE_SAMPLES);
}

static enum ml_status take_cycles(struct search *s, struct ml_error *err)
{
    struct ml_motions *m = s->motions;
    struct ml_cycles *out = &m->cycles;
    ml_bursts_find(s->study, out);
    for (int64_t k = 0; k < s->n_stance; k++)
        out->n += is_cycle(s, k);
    out->cycle = ml_pool_take(&m->pool, (size_t)out->n + 1, sizeof *out->cycle);
    out->points = ml_pool_take(&m->pool, (size_t)out->n * ML_CYCLE_POINTS + 1, sizeof *out->points);
    if (!out->cycle || !out->points)
        return ML_E_MEMORY;
    for (int64_t k = 0, c = 0; k < s->n_stance; k++) {
        if (!is_cycle(s, k))
            continue;
        const double start = s->stances[k].strike, end = s->stances[k + 1].strike;
        out->cycle[c] = (struct ml_cycle){start, end, s->stances[k].toe_off,
                                          k > 0 ? s->stances[k - 1].toe_off : (double)NAN,
                                          first_sample(m, start)};
        if (check_samples(s, &out->cycle[c], err) != ML_OK)
            return ML_E_INPUT;
        for (int p = 0; p < ML_CYCLE_POINTS; p++)
            weigh(m, start + (end - start) * p / (ML_CYCLE_POINTS - 1),
                  &out->points[c * ML_CYCLE_POINTS + p]);
        c++;
    }
    return ML_OK;
}

static enum ml_status fail_without(const struct search *s, struct ml_error *err)
{
    const struct ml_motions *m = s->motions;
    const bool is_by_force = s->keys->n_load > 0;
    int64_t n_strike = 0;
    double when = 0.0;
    for (int64_t k = s->n_stance - 1; k >= 0; k--)
        if (!isnan(s->stances[k].strike)) {
            when = s->stances[k].strike;
            n_strike++;
        }
    if (n_strike == 0)
        return ml_fail(
            err, ML_E_INPUT, "%sno foot strike of `%s` from %g to %g s: %s", s->keys->place,
            s->called, m->time[0], m->time[m->n_time - 1],
            is_by_force
                ? "one at the first sample is not seen; take a longer motion, or cycles of another "
                  "load or of the foot"
            : s->keys->method == ML_STRIKES_OCONNOR
                ? "the vertical velocity of the foot has no minimum near the ground; see whether "
                  "the segment is a foot that steps and y is upwards, or take cycles of a load"
                : "the foot does not turn before the first joint; see whether the segment is a "
                  "foot that steps, or take cycles of a load");
    return ml_fail(
        err, ML_E_INPUT,
        "%sno whole cycle of `%s`: %lld foot strike%s, the first at %.4g s, and a cycle goes from "
        "strike to strike, with a toe-off between, within `report`; take a longer motion%s",
        s->keys->place, s->called, (long long)n_strike, n_strike > 1 ? "s" : "", when,
        is_by_force ? ", add the loads of all plates that the foot meets, leave a plate out on "
                      "which both feet stand, or take cycles of the foot's segment"
                    : "");
}

/* Notes a single cycle, and cycles of very different durations. */
static enum ml_status note_doubts(struct search *s, struct ml_inverse_report *report)
{
    const double much = 1.3; /* times the median, or its inverse */
    const struct ml_cycles *cycles = &s->motions->cycles;
    double *durations = ml_pool_take(&s->pool, (size_t)cycles->n, sizeof *durations);
    if (!durations)
        return ML_E_MEMORY;
    if (cycles->n == 1)
        ml_inverse_note(report,
                        "a single cycle of `%s`, from %.4g to %.4g s: standard deviations over "
                        "cycles are missing (NaN)",
                        s->called, cycles->cycle[0].start, cycles->cycle[0].end);
    for (int64_t c = 0; c < cycles->n; c++)
        durations[c] = cycles->cycle[c].end - cycles->cycle[c].start;
    const double median = ml_median(durations, cycles->n);
    for (int64_t c = 0; c < cycles->n; c++) {
        const double own = cycles->cycle[c].end - cycles->cycle[c].start;
        if (own <= much * median && own >= median / much)
            continue;
        ml_inverse_note(
            report,
            "the cycle of `%s` from %.4g s on takes %.3g s, the median is %.3g s: was a "
            "foot strike missed, or is one of the other foot? their mean has both kinds",
            s->called, cycles->cycle[c].start, own, median);
        return ML_OK;
    }
    return ML_OK;
}

enum ml_status ml_cycles_find(struct ml_motions *motions, const struct ml_segment_params *segments,
                              double *const sets[ML_N_SET], struct ml_inverse_report *report,
                              struct ml_error *err)
{
    const struct ml_study *study = motions->study;
    const struct ml_cycle_keys *keys = &study->spec.inverse.cycles;
    struct search s = {.study = study, .keys = keys, .motions = motions, .segments = segments};
    s.called = keys->n_load > 0 ? study->spec.forces[keys->loads[0]].name
                                : study->spec.segment_names[keys->foot];
    for (int k = 1; k < keys->n_load; k++)
        s.called =
            ml_pool_format(&s.pool, "%s, %s", s.called, study->spec.forces[keys->loads[k]].name);
    enum ml_status status = s.pool.is_short    ? ML_E_MEMORY
                            : keys->n_load > 0 ? find_by_force(&s, err)
                                               : find_by_foot(&s, sets);
    if (status == ML_OK)
        status = take_cycles(&s, err);
    if (status == ML_OK && motions->cycles.n == 0)
        status = fail_without(&s, err);
    if (status == ML_OK)
        status = note_doubts(&s, report);
    ml_pool_free(&s.pool);
    return status;
}
