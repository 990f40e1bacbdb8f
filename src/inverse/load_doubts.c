/* Notes about loads that do not look like the force of a plate under a foot. */
#include <stdlib.h>
#include <string.h>

#include "columns/butterworth.h"
#include "config/formulas/hold.h"
#include "inverse/diagnostics.h"
#include "inverse/load_places.h"

/* A load and the motion, in the run that is looked at. */
struct looked {
    const struct ml_study *study;
    const struct ml_segment_params *b;
    const struct ml_motions *m;
    double *const *sets;
    const struct ml_plate_force *plate;
    struct ml_inverse_report *report;
    const struct ml_breakpoints *table; /* of a component of the force */
    double most;                        /* N, largest force at the samples of the motion */
    struct ml_plate_force measured;     /* the plate before threshold and filter */
};

static double size_at(const struct looked *l, double t)
{
    const struct ml_point f = ml_plate_force_at(l->plate, t);
    return hypot(f.x, f.y);
}

/* N, sample k of the table, before threshold and filter; 0 outside the motion. */
static double sample_of(const struct looked *l, int64_t k)
{
    const double t = k >= 0 && k < l->table->n ? l->table->time[k] : (double)INFINITY;
    if (!(t >= l->m->time[0] && t <= l->m->time[l->m->n_time - 1]))
        return 0.0;
    const struct ml_point f = ml_plate_force_at(&l->measured, t);
    return hypot(f.x, f.y);
}

static const char *name_of(const struct looked *l) { return l->plate->use->name; }

/* Notes a load without force during the motion, but for the little that filters leave around a
 * stance, whose table has force at other times; whether the load has none. */
static bool report_never(const struct looked *l)
{
    double first = 0.0, last = 0.0;
    bool is_there = false;
    const double interval =
        (l->table->time[l->table->n - 1] - l->table->time[0]) / (double)(l->table->n - 1);
    const double little = 0.05 * ml_plate_most(l->plate); /* as below */
    if (l->most > little)
        return false;
    for (int64_t k = 0; k < l->table->n; k++)
        if (size_at(l, l->table->time[k]) > little) {
            first = is_there ? first : l->table->time[k];
            last = l->table->time[k];
            is_there = true;
        }
    if (is_there && interval < ML_SLOW_TABLE)
        ml_inverse_note(l->report,
                        "force `%s`: is %s at every sample of the motion, %g to %g s, but %s has a "
                        "force from %g to %g s: times in ms, or from another zero?",
                        name_of(l), l->most > 0.0 ? "below 5 % of its peak" : "0", l->m->time[0],
                        l->m->time[l->m->n_time - 1], l->table->file, first, last);
    return true;
}

/* Notes a force whose direction or size no foot has: more along the ground than upwards, or a peak
 * that is not that of a body's weight; whether it does. */
static bool report_direction(const struct looked *l)
{
    const double least = 0.5, most = 4.0, little = 0.05; /* body weights; of the largest force */
    const double g = hypot(l->b->gravity[0], l->b->gravity[1]);
    const double weight = ml_segment_params_body_mass(l->b, &l->study->ensemble) * g;
    double along = 0.0, up = 0.0, peak = 0.0;
    int64_t n = 0;
    for (int64_t k = 0; k < l->m->n_time && g > 0.0; k++) {
        const struct ml_point f = ml_plate_force_at(l->plate, l->m->time[k]);
        const double own = -(f.x * l->b->gravity[0] + f.y * l->b->gravity[1]) / g;
        if (!(hypot(f.x, f.y) > little * l->most))
            continue;
        along += fabs(f.x * l->b->gravity[1] - f.y * l->b->gravity[0]) / g;
        up += fabs(own);
        peak = fmax(peak, own);
        n++;
    }
    if (along > up)
        ml_inverse_note(l->report,
                        "force `%s`: is more along the ground than upwards (means of %.3g and "
                        "%.3g N): are its components exchanged, or is one of them the sideways?",
                        name_of(l), along / (double)n, up / (double)n);
    else if (peak < least * weight || peak > most * weight)
        ml_inverse_note(l->report,
                        "force `%s`: its largest upward component is %.3g N, %.2g of the body's "
                        "weight, but a foot has 0.5 to 4: another column, unit or mass?",
                        name_of(l), peak, peak / weight);
    return along > up || peak < least * weight || peak > most * weight;
}

/* Notes a plate that is not 0 while the foot is in the air: while the middle of the segment moves,
 * and the force is small, once for longer than a foot takes to leave the ground; whether it is. */
static bool report_offset(const struct looked *l)
{
    const double moving = 0.3, little = 0.05, nothing = 0.01, shortest = 0.1; /* m/s; of the
                                                                    largest force; s */
    const struct ml_motions *m = l->m;
    struct ml_point before[2] = {{0.0, 0.0}}, now[2];
    double sum = 0.0, quickest = 0.0, duration = 0.0, longest = 0.0;
    int64_t n_air = 0, n_off = 0;
    for (int64_t k = 0; k < m->n_time; k++) {
        ml_segment_ends(l->b, m, l->sets, l->plate->use->segment, k, now);
        const double dt = k > 0 ? m->time[k] - m->time[k - 1] : 1.0;
        const double x = now[0].x + now[1].x - before[0].x - before[1].x,
                     y = now[0].y + now[1].y - before[0].y - before[1].y;
        const double speed = k > 0 ? 0.5 * hypot(x, y) / dt : 0.0;
        const double size = size_at(l, m->time[k]);
        memcpy(before, now, sizeof before);
        duration = speed > moving && size < little * l->most ? duration + dt : 0.0;
        if (duration == 0.0)
            continue;
        quickest = fmax(quickest, speed);
        longest = fmax(longest, duration);
        n_air++;
        n_off += size > nothing * l->most;
        sum += size;
    }
    const bool is_off = 3 * n_off > n_air && longest > shortest;
    if (is_off)
        ml_inverse_note(l->report,
                        "force `%s`: is %.3g N on average while `%s` moves at up to %.2g m/s: an "
                        "offset or drift of the empty plate? subtract it, or raise `threshold`",
                        name_of(l), sum / (double)n_air,
                        l->study->spec.segment_names[l->plate->use->segment], quickest);
    return is_off;
}

/* Notes a force that falls to nothing within a stance, for a time that no foot takes. */
static bool report_dropouts(const struct looked *l)
{
    const double shortest = 0.05, nothing = 0.02, much = 0.2; /* s; of the largest force */
    const struct ml_breakpoints *t = l->table;
    int64_t last = -1; /* sample with force */
    for (int64_t k = 0; k < t->n; k++) {
        if (sample_of(l, k) <= nothing * l->most)
            continue;
        const bool is_short =
            last >= 0 && k > last + 1 && t->time[k] - t->time[last] < shortest + 1e-9;
        if (is_short && sample_of(l, k) > much * l->most && sample_of(l, last) > much * l->most) {
            ml_inverse_note(l->report,
                            "force `%s`: falls from %.3g N to 0 and back between %g and %g s: "
                            "dropped samples? fill them from their neighbours",
                            name_of(l), sample_of(l, last), t->time[last], t->time[k]);
            return true;
        }
        last = k;
    }
    return false;
}

/* Notes a sample, with both neighbours in the motion, whose force is larger than theirs by more
 * than half of the largest force of all other samples. */
static bool report_spike(const struct looked *l)
{
    double first = 0.0, second = 0.0; /* N, the largest forces */
    for (int64_t k = 0; k < l->table->n; k++) {
        const double size = sample_of(l, k);
        second = fmax(second, fmin(first, size));
        first = fmax(first, size);
    }
    for (int64_t k = 1; k + 1 < l->table->n && second > 0.0; k++) {
        if (l->table->time[k - 1] < l->m->time[0] ||
            l->table->time[k + 1] > l->m->time[l->m->n_time - 1])
            continue;
        const double size = sample_of(l, k),
                     around = fmax(sample_of(l, k - 1), sample_of(l, k + 1));
        if (size - around <= 0.5 * (size < first ? first : second))
            continue;
        ml_inverse_note(
            l->report,
            "force `%s`: is %.3g N at %g s, but at most %.3g N in the samples before and "
            "after: a wrong sample? replace it by one between these",
            name_of(l), size, l->table->time[k], around);
        return true;
    }
    return false;
}

/* Notes a force with much that the filter of the motion takes from the motion. */
static void report_unfiltered(const struct looked *l)
{
    const double much = 0.15; /* of the largest force */
    const struct ml_smoothing *smoothing = l->m->smoothing;
    const struct ml_breakpoints *t = l->table;
    const int64_t n = t->n;
    const double interval = (t->time[n - 1] - t->time[0]) / (double)(n - 1);
    if (!smoothing || smoothing->order == 0 || l->plate->use->filter > 0.0 ||
        n < ml_butterworth_least(smoothing->order) || smoothing->cutoff * interval >= 0.5)
        return;
    double off = 0.0, when = 0.0;
    double *work =
        calloc(3 * (size_t)n + 2 * (size_t)ml_butterworth_least(smoothing->order), sizeof *work);
    for (int d = 0; work && d < 2; d++) {
        double *smooth = work + n;
        for (int64_t k = 0; k < n; k++) {
            const struct ml_point f = ml_plate_force_at(l->plate, t->time[k]);
            work[k] = smooth[k] = d == 0 ? f.x : f.y;
        }
        ml_butterworth(smoothing->order, smoothing->cutoff * interval, n, smooth, work + 2 * n);
        for (int64_t k = 0; k < n; k++)
            if (fabs(work[k] - smooth[k]) > off && t->time[k] >= l->m->time[0] &&
                t->time[k] <= l->m->time[l->m->n_time - 1]) {
                off = fabs(work[k] - smooth[k]);
                when = t->time[k];
            }
    }
    free(work);
    if (off > much * l->most)
        ml_inverse_note(l->report,
                        "force `%s`: the filter of the motion, at %g Hz, would change it by up to "
                        "%.3g N, at %g s: an impact in the force alone gives torques that neither "
                        "has; `filter: %g` of the load filters it alike",
                        name_of(l), smoothing->cutoff, off, when, smoothing->cutoff);
}

void ml_load_doubts(const struct ml_study *study, const struct ml_segment_params *b,
                    const struct ml_motions *m, double *const sets[ML_N_SET],
                    const struct ml_plate_force *plate, struct ml_inverse_report *report)
{
    struct looked l = {.study = study,
                       .b = b,
                       .m = m,
                       .sets = sets,
                       .plate = plate,
                       .report = report,
                       .table = ml_plate_table(plate)};
    if (!l.table)
        return;
    for (int64_t k = 0; k < m->n_time; k++)
        l.most = fmax(l.most, size_at(&l, m->time[k]));
    const int64_t f = plate->use - study->spec.forces;
    struct ml_force_use own = *plate->use;
    if (study->spec.inverse.measured && study->spec.inverse.measured[f])
        own.signals = study->spec.inverse.measured[f];
    l.measured = *plate;
    l.measured.use = &own;
    if (report_never(&l) || !plate->has_point)
        return;
    const bool is_odd = report_direction(&l), is_off = report_offset(&l);
    const bool is_torn = report_dropouts(&l), is_spiked = report_spike(&l);
    if (!is_odd && !is_off && !is_torn && !is_spiked)
        report_unfiltered(&l);
}
