/* Ends steps where signals jump. */
#include "engine/steps/jumps.h"

#include <string.h>

#include "engine/steps/feedback.h"
#include "model/forces/numbers.h"

/* The first sample of a table behind t at which its curve goes on with another piece. */
static double jumps_of_table(const struct ml_ensemble *e, const struct ml_breakpoints *table,
                             double t)
{
    int64_t low = 1, high = table->n - 1;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (ml_ensemble_is_before(e, t, table->time[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    return low < table->n - 1 ? table->time[low] : (double)INFINITY;
}

/* Whether a signal has jumps, in its value or a derivative. */
static bool jumps_has(const struct ml_signal *signal)
{
    return signal->type != ML_CONSTANT_SIGNAL && signal->type != ML_SINE_SIGNAL;
}

/* When the signal whose numbers are at row `row` of a lane's constants jumps next, behind t. */
static double jumps_of_signal(const struct ml_ensemble *e, const struct ml_signal *signal,
                              const double *row, double t)
{
    if (signal->type == ML_TABLE_SIGNAL)
        return jumps_of_table(e, signal->breakpoints, t);
    if (!jumps_has(signal))
        return (double)INFINITY;
    const double onset = row[(size_t)ML_SIGNAL_ONSET * ML_LANES];
    const double end = onset + row[(size_t)ML_SIGNAL_DURATION * ML_LANES];
    if (ml_ensemble_is_before(e, t, onset))
        return onset;
    return ml_ensemble_is_before(e, t, end) ? end : (double)INFINITY;
}

/* The next jump of all signals of one force. */
static double jumps_of_force(const struct ml_ensemble *e, const struct ml_force_use *use,
                             const double *row, double t)
{
    const struct ml_signal *signal = use->signals;
    double next = (double)INFINITY;
    for (int p = 0; p < use->type->n_param; p++) {
        const int n_number = ml_force_row_numbers(&use->type->params[p], e->model.n);
        if (use->type->params[p].flags & ML_SIGNAL)
            for (int i = 0; i < n_number; i += ML_SIGNAL_ROWS)
                next = fmin(next, jumps_of_signal(e, signal++, row + (size_t)i * ML_LANES, t));
        row += (size_t)n_number * ML_LANES;
    }
    return next;
}

/* When a signal of a lane jumps next, behind t, s; INFINITY: none does.
 *   constants  of the lane */
static double jumps_next(const struct ml_ensemble *e, const double *constants, double t)
{
    const struct ml_law *law = e->model.laws;
    double next = (double)INFINITY;
    for (int f = 0; f < e->n_force; f++) {
        const struct ml_force_use *use = &e->forces[f];
        if (!ml_force_use_has_law(use))
            continue;
        const double *row = constants + (size_t)law++->constant * ML_LANES;
        if (use->n_signal > 0)
            next = fmin(next, jumps_of_force(e, use, row, t));
    }
    return next;
}

bool ml_jumps_are(const struct ml_ensemble *ensemble, bool with_tables)
{
    const struct ml_ensemble *e = ensemble;
    for (int f = 0; f < e->n_force; f++)
        for (int s = 0; s < e->forces[f].n_signal; s++)
            if (jumps_has(&e->forces[f].signals[s]) &&
                (with_tables || e->forces[f].signals[s].type != ML_TABLE_SIGNAL))
                return true;
    return false;
}

/* The first of the steps k0 .. end - 1 of a lane, of h each, in which a signal jumps. */
static int64_t jumps_step_of_lane(const struct ml_ensemble *e, const double *constants, double h,
                                  int64_t k0, int64_t end)
{
    const double last = fma((double)end, h, e->time.start);
    double jump = jumps_next(e, constants, fma((double)k0, h, e->time.start));
    while (ml_ensemble_is_before(e, jump, last)) {
        double k = floor((jump - e->time.start) / h);
        k -= fma(k, h, e->time.start) > jump ? 1.0 : 0.0;
        const double before = fma(k, h, e->time.start), after = fma(k + 1.0, h, e->time.start);
        if (ml_ensemble_is_before(e, before, jump) && ml_ensemble_is_before(e, jump, after))
            return (int64_t)k;
        jump = jumps_next(e, constants, jump);
    }
    return end;
}

static bool jumps_has_feedback(const struct ml_jumps_lanes *lanes)
{
    return lanes->feedback && lanes->feedback->capacity > 0;
}

int64_t ml_jumps_next_step(const struct ml_jumps_lanes *lanes, const double *step, int64_t k0,
                           int64_t end, unsigned active)
{
    int last = -1;
    if (jumps_has_feedback(lanes))
        return k0;
    if (!ml_jumps_are(lanes->ensemble, true))
        return end;
    const bool differ = ml_jumps_are(lanes->ensemble, false);
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(active >> lane & 1) || (!differ && last >= 0 && step[lane] == step[last]))
            continue;
        end = jumps_step_of_lane(lanes->ensemble, lanes->constants + lane, step[lane], k0, end);
        last = lane;
    }
    return end;
}

/* How far a step of a lane that begins at `begin` goes from `now` on, s, which is up to a jump, or
 * to its end. Whether it is the former. */
static bool jumps_part(const struct ml_jumps_lanes *lanes, int lane, double begin, double step,
                       double now, double *part)
{
    const struct ml_ensemble *e = lanes->ensemble;
    const double end = begin + step, own = jumps_next(e, lanes->constants + lane, now);
    const double seen = jumps_has_feedback(lanes) ? ml_feedback_next(e, lanes->feedback, lane, now)
                                                  : (double)INFINITY;
    const double jump = fmin(own, seen);
    const bool is_cut = ml_ensemble_is_before(e, jump, end);
    *part = is_cut ? jump - now : now > begin ? end - now : step;
    return is_cut;
}

/* Keeps the ends of parts from `now` to `end`, s, of some lanes, for controllers with a delay. */
static void jumps_keep(const struct ml_jumps_lanes *lanes, const double *now, const double *end,
                       unsigned active)
{
    const struct ml_ensemble *e = lanes->ensemble;
    ml_feedback_look(e, lanes->feedback, end, lanes->x, lanes->work);
    ML_EACH_LANE(lane, active) {
        const double jump = jumps_next(e, lanes->constants + lane, now[lane]);
        ml_feedback_keep(e, lanes->feedback, lane, end[lane],
                         isfinite(jump) && !ml_ensemble_is_before(e, end[lane], jump));
    }
}

/* Tells the controllers of some lanes the past that they see from `now` to `end`, s. */
static void jumps_report(const struct ml_jumps_lanes *lanes, const double *now, const double *end,
                         unsigned active)
{
    ML_EACH_LANE(lane, active)
        (void)ml_feedback_report(lanes->ensemble, lanes->feedback, lane, now[lane], end[lane]);
}

struct ml_lane_faults ml_jumps_step(const struct ml_jumps_lanes *lanes, const double *begin,
                                    const double *step, unsigned active, double *residual)
{
    const struct ml_ensemble *e = lanes->ensemble;
    const bool has_feedback = jumps_has_feedback(lanes),
               are = ml_jumps_are(e, true) || has_feedback;
    struct ml_lane_faults faults = {0};
    struct ml_times now, part, end;
    memcpy(now.lane, begin, sizeof now.lane);
    memcpy(part.lane, step, sizeof part.lane);
    for (unsigned underway = active, cut = 0; underway; underway = cut, cut = 0) {
        for (int lane = 0; are && lane < ML_LANES; lane++)
            if (underway >> lane & 1)
                cut |= (unsigned)jumps_part(lanes, lane, begin[lane], step[lane], now.lane[lane],
                                            &part.lane[lane])
                       << lane;
        for (int lane = 0; lane < ML_LANES; lane++)
            end.lane[lane] =
                cut >> lane & 1 ? now.lane[lane] + part.lane[lane] : begin[lane] + step[lane];
        if (has_feedback)
            jumps_report(lanes, now.lane, end.lane, underway);
        struct ml_clock clock = {now.lane, part.lane, 0, 1, underway, NULL, 1, NULL};
        clock.residual = residual;
        ml_lane_faults_add(lanes->kernel->advance(&e->model, e->method, &clock, lanes->constants,
                                                  lanes->x, lanes->work),
                           &faults);
        if (has_feedback)
            jumps_keep(lanes, now.lane, end.lane, underway);
        ML_EACH_LANE(lane, cut)
            now.lane[lane] = end.lane[lane];
    }
    faults.too_many = has_feedback ? lanes->feedback->lost & active : 0;
    return faults;
}

/* Where the step of h s that a lane would try next from `begin` ends, as kernels choose it
 * (engine/kernels/adaptive.kern.h). */
static double jumps_chosen_end(double begin, double end, double h)
{
    const double left = end - begin;
    if (1.001 * h >= left)
        return end;
    return fmax(begin + (2.0 * h > left ? 0.5 * left : h), nextafter(begin, end));
}

/* Writes for the controllers of lanes that choose their steps the past that they see in the step to
 * try, which is shortened until they see it to the tolerance. The state is of the time at its end
 * exactly, which differences of angles over a short step need.
 *   end  [ML_LANES] s, of the steps at most; of those to try, out */
static void jumps_write_past(const struct ml_jumps_lanes *lanes, const double *begin,
                             unsigned active, double *h, double *end)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        if (!(active >> lane & 1) || !(begin[lane] < end[lane]))
            continue;
        double seen = jumps_chosen_end(begin[lane], end[lane], h[lane]);
        const bool is_whole = seen < end[lane] && !(2.0 * h[lane] > end[lane] - begin[lane]);
        if (is_whole)
            h[lane] = seen - begin[lane];
        while (!ml_feedback_report(lanes->ensemble, lanes->feedback, lane, begin[lane], seen) &&
               seen - begin[lane] > ml_ensemble_rounding(lanes->ensemble, seen)) {
            seen = begin[lane] + 0.5 * (seen - begin[lane]);
            h[lane] = seen - begin[lane];
        }
        end[lane] = seen;
    }
}

/* Moves the state on the way of a lane's step, of h s, by s seconds, which its time was rounded by:
 * differences over a short step need it. */
static void jumps_shift(const struct ml_jumps_lanes *lanes, int lane, double h, double s, double *x)
{
    const struct ml_feedback_plan *plan = &lanes->ensemble->feedback;
    const struct ml_feedback *f = lanes->feedback;
    for (int i = 0; i < plan->n_seen; i++) {
        const int value = plan->seen[i].value * ML_LANES + lane;
        const int rate = plan->seen[i].rate * ML_LANES + lane;
        x[value] = fma(x[rate], s, x[value]);
        x[rate] = fma((f->now[rate] - f->parts[rate]) / h, s, x[rate]);
    }
}

/* Finds the states on the way of steps that lanes have chosen, from feedback->parts. The lanes in
 * which the polynomial through these is not within the tolerance. */
static unsigned jumps_find_parts(const struct ml_jumps_lanes *lanes, const double *begin,
                                 const double *now, unsigned taken)
{
    const double share[ML_FEEDBACK_PARTS] = {0.0, 1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0};
    const struct ml_ensemble *e = lanes->ensemble;
    const size_t size = ml_feedback_part_size(e);
    unsigned rough = 0;
    ml_feedback_look(e, lanes->feedback, now, lanes->x, lanes->work);
    ml_feedback_find_rates(e, lanes->feedback, begin, lanes->feedback->parts, lanes->work);
    for (int k = 1; k < ML_FEEDBACK_PARTS; k++) {
        double control[ML_N_STEP_CONTROL * ML_LANES] __attribute__((aligned(64))) = {0.0};
        double *x = lanes->feedback->parts + (size_t)k * size;
        struct ml_times end;
        memcpy(x, lanes->feedback->parts, size * sizeof *x);
        memcpy(control + ML_STEP_CONTROL_TIME * ML_LANES, begin, sizeof end.lane);
        for (int lane = 0; lane < ML_LANES; lane++) {
            const double part = share[k] * (now[lane] - begin[lane]);
            control[ML_STEP_CONTROL_STEP * ML_LANES + lane] = part;
            control[ML_STEP_CONTROL_MOST * ML_LANES + lane] = part;
            end.lane[lane] = begin[lane] + part;
        }
        const struct ml_leg leg = {end.lane, INT64_MAX, taken, false, control};
        (void)lanes->kernel->adapt(&e->model, e->method, &e->chosen.control, &leg, lanes->constants,
                                   x, lanes->work);
        ml_feedback_find_rates(e, lanes->feedback, end.lane, x, lanes->work);
        ML_EACH_LANE(lane, taken)
            jumps_shift(lanes, lane, now[lane] - begin[lane],
                        share[k] * (now[lane] - begin[lane]) - (end.lane[lane] - begin[lane]), x);
    }
    for (int lane = 0; lane < ML_LANES; lane++)
        if (taken >> lane & 1 &&
            !ml_feedback_is_smooth(e, lanes->feedback, lane, now[lane] - begin[lane]))
            rough |= 1u << lane;
    return rough;
}

/* Rejects the step that a lane has accepted, to try half of it.
 *   before  of step_control, before the step */
static void jumps_reject(const struct ml_jumps_lanes *lanes, const double *before, int lane,
                         double *step_control)
{
    double *own = step_control + lane;
    const double taken =
        own[ML_STEP_CONTROL_TIME * ML_LANES] - before[ML_STEP_CONTROL_TIME * ML_LANES + lane];
    ml_lane_copy(ml_rows_x(&lanes->ensemble->model), lanes->feedback->parts, lane, lanes->x, lane);
    ml_lane_copy(ML_N_STEP_CONTROL, before, lane, step_control, lane);
    own[ML_STEP_CONTROL_STEP * ML_LANES] = 0.5 * taken;
    own[ML_STEP_CONTROL_REJECTED * ML_LANES] += 1.0;
    own[ML_STEP_CONTROL_HELD * ML_LANES] = 1.0;
}

/* Tries one step of lanes whose controllers have a delay, and keeps it where it is accepted. */
static struct ml_lane_faults jumps_try_seen(const struct ml_jumps_lanes *lanes,
                                            const struct ml_leg *leg)
{
    const struct ml_ensemble *e = lanes->ensemble;
    double *step_control = leg->step_control;
    const double *now = step_control + ML_STEP_CONTROL_TIME * ML_LANES;
    struct ml_leg own = *leg;
    struct ml_times end;
    double before[ML_N_STEP_CONTROL * ML_LANES];
    unsigned taken = 0, rough = 0;
    own.most_tries = 1;
    memcpy(end.lane, leg->end, sizeof end.lane);
    jumps_write_past(lanes, now, leg->active, step_control + ML_STEP_CONTROL_STEP * ML_LANES,
                     end.lane);
    own.end = end.lane;
    memcpy(before, step_control, sizeof before);
    memcpy(lanes->feedback->parts, lanes->x,
           (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof *lanes->x);
    struct ml_lane_faults faults = lanes->kernel->adapt(
        &e->model, e->method, &e->chosen.control, &own, lanes->constants, lanes->x, lanes->work);
    const double *begin = before + ML_STEP_CONTROL_TIME * ML_LANES;
    for (int lane = 0; lane < ML_LANES; lane++)
        taken |= (unsigned)(begin[lane] < now[lane]) << lane & leg->active;
    if (taken && !lanes->feedback->is_retaken)
        rough = jumps_find_parts(lanes, begin, now, taken);
    ML_EACH_LANE(lane, rough)
        jumps_reject(lanes, before, lane, step_control);
    jumps_keep(lanes, begin, now, taken & ~rough);
    faults.too_many |= lanes->feedback->lost & leg->active;
    return faults;
}

struct ml_lane_faults ml_jumps_try(const struct ml_jumps_lanes *lanes, const struct ml_leg *leg)
{
    const double *now = leg->step_control + ML_STEP_CONTROL_TIME * ML_LANES;
    const struct ml_ensemble *e = lanes->ensemble;
    const bool has_feedback = jumps_has_feedback(lanes);
    const bool has_parts = has_feedback && ml_feedback_has_parts(e);
    const bool is_cut = ml_jumps_are(e, true) || has_feedback;
    struct ml_leg own = *leg;
    struct ml_times begin, end;
    memcpy(begin.lane, now, sizeof begin.lane);
    memcpy(end.lane, leg->end, sizeof end.lane);
    own.end = end.lane;
    for (int lane = 0; lane < ML_LANES && is_cut; lane++) {
        double jump = jumps_next(e, lanes->constants + lane, now[lane]);
        if (has_feedback)
            jump = fmin(jump, ml_feedback_next(e, lanes->feedback, lane, now[lane]));
        if (leg->active >> lane & 1 && ml_ensemble_is_before(e, jump, leg->end[lane]))
            end.lane[lane] = jump;
    }
    if (has_feedback && !has_parts)
        jumps_report(lanes, begin.lane, end.lane, leg->active);
    struct ml_lane_faults faults =
        has_parts ? jumps_try_seen(lanes, &own)
                  : lanes->kernel->adapt(&e->model, e->method, &e->chosen.control, &own,
                                         lanes->constants, lanes->x, lanes->work);
    const unsigned failed = faults.nonfinite | faults.singular | faults.too_short | faults.too_many;
    for (int lane = 0; lane < ML_LANES && is_cut; lane++)
        faults.underway |= (unsigned)(now[lane] < leg->end[lane]) << lane & leg->active & ~failed;
    unsigned stopped = 0;
    for (int lane = 0; lane < ML_LANES && has_feedback; lane++)
        stopped |= (unsigned)(begin.lane[lane] < now[lane] && now[lane] == end.lane[lane]) << lane;
    if (has_feedback && !has_parts)
        jumps_keep(lanes, begin.lane, end.lane, stopped & leg->active & ~failed);
    return faults;
}
