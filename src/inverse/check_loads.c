/* Whether measured loads go with a motion: their times cover it, and plates push where the segment
 * is, upwards. */
#include "inverse/check_loads.h"

#include <stdio.h>

#include "inverse/diagnostics.h"
#include "inverse/load_places.h"
#include "inverse/relevant_axes.h"
#include "manylink/fail.h"
#include "model/forces/formula.h"

enum { WORDS = 96 };

static enum ml_status check_span(const struct ml_study *study, const struct ml_motions *m,
                                 const struct ml_force_use *use, const struct ml_breakpoints *table,
                                 struct ml_error *err)
{
    const double first = table->time[0], last = table->time[table->n - 1];
    const double start = m->time[0], end = m->time[m->n_time - 1];
    /* s, that a table may end before the motion does: programs write the same times with different
     * errors of rounding */
    const double slack = fmax(1e-9, 1e-3 * ml_motions_interval(m));
    if (first <= start + slack && last >= end - slack)
        return ML_OK;
    return ml_fail(
        err, ML_E_INPUT,
        "%s:%d:%d: force `%s`: the times of %s are %.10g to %.10g s but must cover those "
        "of the motion, %.10g to %.10g s (%s); cut the motion, or see whether both count "
        "from the same instant",
        study->spec.name, use->line, use->column, use->name, table->file, first, last, start, end,
        m->source);
}

static double distance(struct ml_point p, const struct ml_point ends[2])
{
    const double x = ends[1].x - ends[0].x, y = ends[1].y - ends[0].y;
    const double share = ((p.x - ends[0].x) * x + (p.y - ends[0].y) * y) / (x * x + y * y);
    const double on = fmin(fmax(share, 0.0), 1.0);
    return hypot(p.x - ends[0].x - on * x, p.y - ends[0].y - on * y);
}

/* m, of a segment from the line of the force. */
static double distance_of_line(const struct ml_plate_force *plate, double t,
                               const struct ml_point ends[2])
{
    const double first = ml_plate_line_at(plate, t, ends[0]),
                 second = ml_plate_line_at(plate, t, ends[1]);
    return first * second < 0.0 ? 0.0 : fmin(fabs(first), fabs(second));
}

/* Sums over the samples at which a plate is pressed. */
struct seen {
    int64_t pressed, apart; /* samples; samples where the point is farther from the segment than
                               the segment is long */
    double farthest, when;  /* m, s */
    double two_feet;        /* s, at which the point of one contact leaves or reaches the segment,
                               apart for longer than a foot takes to roll off; NaN: never */
    double along, size;     /* sums of the force along gravity, and of its size */
};

/* A stretch of samples at which a plate is pressed. */
struct contact {
    bool is_near; /* the point has been at the segment */
    double apart; /* s, since which the point has been apart; NaN: it is at the segment */
};

/* Takes a pressed sample of a contact in at time t. */
static void follow(struct contact *contact, bool is_apart, double t, struct seen *s)
{
    const double shortest = 0.03 - 1e-9;                  /* s */
    const bool has_been = t - contact->apart >= shortest; /* false of NaN */
    if (isnan(s->two_feet) && has_been && (contact->is_near || !is_apart))
        s->two_feet = is_apart ? contact->apart : t;
    contact->is_near |= !is_apart;
    contact->apart = !is_apart ? (double)NAN : isnan(contact->apart) ? t : contact->apart;
}

static struct seen look_at(const struct ml_plate_force *plate, const struct ml_segment_params *b,
                           const struct ml_motions *m, double *const sets[ML_N_SET])
{
    const double little = 0.05; /* of the largest force: there the point means nothing */
    const double g = hypot(b->gravity[0], b->gravity[1]);
    const struct contact none = {false, (double)NAN};
    struct seen s = {.two_feet = (double)NAN};
    struct contact contact = none;
    double most = ml_plate_most(plate); /* also outside the motion, where a filter leaves little */
    for (int64_t k = 0; k < m->n_time; k++) {
        const struct ml_point force = ml_plate_force_at(plate, m->time[k]);
        most = fmax(most, hypot(force.x, force.y));
    }
    for (int64_t k = 0; k < m->n_time; k++) {
        const struct ml_point force = ml_plate_force_at(plate, m->time[k]);
        struct ml_point ends[2];
        if (!(hypot(force.x, force.y) > little * most)) {
            contact = none;
            continue;
        }
        ml_segment_ends(b, m, sets, plate->use->segment, k, ends);
        double far = distance(ml_plate_place_at(plate, m->time[k]), ends);
        if (plate->has_moment)
            far = fmin(far, distance_of_line(plate, m->time[k], ends));
        s.pressed++;
        s.apart += far > b->length[plate->use->segment];
        follow(&contact, far > b->length[plate->use->segment], m->time[k], &s);
        s.when = far > s.farthest ? m->time[k] : s.when;
        s.farthest = fmax(s.farthest, far);
        s.size += hypot(force.x, force.y);
        s.along += g > 0.0 ? (force.x * b->gravity[0] + force.y * b->gravity[1]) / g : 0.0;
    }
    return s;
}

/* Whether a segment up to `last` is by 3 % longer or shorter than its markers are apart. */
static bool has_other_lengths(const struct ml_segment_params *b, const struct ml_motions *m,
                              int last)
{
    const double most = 0.03;
    bool has = false;
    for (int i = 0; m->pairs && i <= last; i++)
        has |=
            m->pairs[i].apart > 0.0 && fabs(m->pairs[i].apart - b->length[i]) > most * b->length[i];
    return has;
}

static enum ml_status check_plate(const struct ml_study *study, const struct ml_segment_params *b,
                                  const struct ml_motions *m, double *const sets[ML_N_SET],
                                  const struct ml_plate_force *plate,
                                  struct ml_inverse_report *report, struct ml_error *err)
{
    const double share = 0.05, steep = 0.5; /* of the samples; of the force */
    const struct ml_force_use *use = plate->use;
    const struct seen s = look_at(plate, b, m, sets);
    const char *lengths = has_other_lengths(b, m, use->segment)
                              ? ", by lengths of segments that are not those between their markers"
                              : "";
    char feet[WORDS] = "";
    /* a point that is mostly apart is of the other foot, which this foot passes */
    if (2 * s.apart < s.pressed && !isnan(s.two_feet))
        (void)snprintf(feet, sizeof feet,
                       ", of two feet on one plate (in one contact, parted at %.4g s)", s.two_feet);
    if ((double)s.apart > share * (double)s.pressed)
        return ml_fail(
            err, ML_E_INPUT,
            "%s:%d:%d: force `%s`: its point is farther from segment `%s` than the segment's "
            "length (%.3g m) in %.0f %% of the samples with a force, at %.4g s by %.3g m: in mm, "
            "from another origin than the chain's first joint (columns base/x, base/y of the "
            "motion)%s%s, or of another segment? a point fixed on the segment is given by `at`",
            study->spec.name, use->line, use->column, use->name,
            study->spec.segment_names[use->segment], b->length[use->segment],
            100.0 * (double)s.apart / (double)s.pressed, s.when, s.farthest, lengths, feet);
    if (*feet)
        ml_inverse_note(
            report,
            "force `%s`: in one contact its point is on `%s` and, parted at %.4g s, up "
            "to %.3g m away: do two feet press the plate? torques are then those of "
            "the force of both feet; limit the motion, or `report`, to the time of one foot",
            use->name, study->spec.segment_names[use->segment], s.two_feet, s.farthest);
    if (s.along > steep * s.size)
        return ml_fail(err, ML_E_INPUT,
                       "%s:%d:%d: force `%s`: it presses `%s` down: the force on the plate, or "
                       "axes that point down? give the force of the plate by `scale: -1`; for a "
                       "force that does press a segment down give `at` instead of `point`",
                       study->spec.name, use->line, use->column, use->name,
                       study->spec.segment_names[use->segment]);
    return ML_OK;
}

enum ml_status ml_loads_check_past(const struct ml_study *study, struct ml_error *err)
{
    const struct ml_law *law = study->ensemble.model.laws;
    for (int f = 0; f < study->spec.n_force; f++) {
        const struct ml_force_use *use = &study->spec.forces[f];
        if (!ml_force_use_has_law(use))
            continue;
        if (ml_force_is_relevant(use) && (use->type->n_state > 0 || law->feedback > 0 ||
                                          (use->formula && use->formula->equations.n_late > 0)))
            return ml_fail(
                err, ML_E_INPUT,
                "%s:%d:%d: force `%s` depends on the past of a run, by an integral, a "
                "state, a delay or samples, and a motion has no past%s",
                study->spec.name, use->line, use->column, use->name,
                use->is_perturbation
                    ? "; leave `perturbation` out: the force then is part of the actuators' torque"
                    : "; leave the force out");
        law++;
    }
    return ML_OK;
}

enum ml_status ml_loads_check_times(const struct ml_study *study, const struct ml_motions *m,
                                    struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int f = 0; f < study->spec.n_force && status == ML_OK; f++) {
        const struct ml_force_use *use = &study->spec.forces[f];
        for (int s = 0; ml_force_is_relevant(use) && s < use->n_signal && status == ML_OK; s++)
            if (use->signals[s].breakpoints)
                status = check_span(study, m, use, use->signals[s].breakpoints, err);
    }
    return status;
}

enum ml_status ml_loads_check_places(const struct ml_study *study, const struct ml_motions *m,
                                     int64_t run, double *const sets[ML_N_SET],
                                     struct ml_inverse_report *report, struct ml_error *err)
{
    struct ml_segment_params segments;
    struct ml_plate_force plate;
    enum ml_status status = ML_OK;
    if (!ml_segment_params_init(&segments, &study->ensemble))
        status = ML_E_MEMORY;
    else
        ml_segment_params_load(&segments, &study->ensemble, run);
    for (int f = 0; f < study->spec.n_force && status == ML_OK; f++)
        if (ml_plate_force_find(study, segments.run_values, &study->spec.forces[f], &plate)) {
            if (plate.has_point)
                status = check_plate(study, &segments, m, sets, &plate, report, err);
            if (status == ML_OK)
                ml_load_doubts(study, &segments, m, sets, &plate, report);
        }
    ml_segment_params_free(&segments);
    return status;
}
