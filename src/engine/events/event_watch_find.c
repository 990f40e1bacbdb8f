/* Searches for the instants of events: the step in which one is is taken again, with lengths of
 * each lane's own. */
#include "engine/events/event_watched.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "events/event.h"

double ml_event_watch_least(const struct ml_batch *batch, int lane)
{
    return 0x1p-50 * fmax(fabs(batch->window.before[lane]), batch->step[lane]);
}

struct watched ml_event_watch_origin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    return (struct watched){
        .ensemble = ensemble,
        .batch = batch,
        .watch = &batch->watch,
        .origin = {batch->x_before, batch->window.before,
                   ensemble->time.is_adaptive ? batch->window.step_control : NULL}};
}

struct watched ml_event_watched(const struct ml_ensemble *ensemble, struct ml_batch *batch, int i)
{
    struct watched w = ml_event_watch_origin(ensemble, batch);
    w.event = &ensemble->events[i];
    w.numbers = batch->watch.numbers + (size_t)i * ML_LANES;
    w.rows = batch->watch.rows + (size_t)i * N_WATCH * ML_LANES;
    w.out = batch->outputs.values + batch->outputs.first_of_event[i];
    return w;
}

const struct ml_event_numbers *ml_event_watch_levels(const struct watched *w, int lane)
{
    static const struct ml_event_numbers zero = {.level = 0.0};
    return w->event->kind == ML_EXTREME ? &zero : &w->numbers[lane];
}

size_t ml_event_watch_states(const struct ml_ensemble *e)
{
    return (size_t)ml_n_x(&e->model) * ML_LANES;
}

size_t ml_event_watch_constants(const struct ml_ensemble *e)
{
    return (size_t)e->model.system->dynamics.constant_rows(&e->model) * ML_LANES;
}

int ml_event_watch_state_row(const struct watched *w)
{
    const struct ml_system *system = w->ensemble->model.system;
    const struct ml_instance *model = &w->ensemble->model;
    int row = w->event->row;
    if (w->event->record >= system->tables.n_state || !system->dynamics.is_plain ||
        !system->dynamics.is_plain(model))
        return -1;
    for (int q = 0; q < w->event->record; q++)
        row += ml_quantity_rows(&system->tables.state[q], model->n);
    return row;
}

void ml_event_watch_record(const struct watched *w, const double *t, const double *x, double *out)
{
    const struct ml_ensemble *e = w->ensemble;
    double **rows = w->batch->records.rows;
    rows[w->event->record] = out;
    e->model.system->dynamics.record(&e->model, t, w->batch->constants, x, w->batch->work, rows);
    rows[w->event->record] = NULL;
}

void ml_event_watch_values(const struct watched *w, const double *t, const double *x, double *value)
{
    if (w->condition) {
        const struct ml_ensemble *e = w->ensemble;
        double *numbers = w->batch->switches.change;
        e->model.system->switches.numbers(&e->model, t, w->batch->constants, x, w->batch->work,
                                          numbers, NULL);
        for (int lane = 0; lane < ML_LANES; lane++)
            value[lane] = numbers[w->condition_row[lane]];
        return;
    }
    double *seen = w->watch->seen[w->event->record];
    ml_event_watch_record(w, t, x, seen);
    memcpy(value, seen + (size_t)w->event->row * ML_LANES, ML_LANES * sizeof *value);
}

int ml_event_watch_kept_rows(const struct ml_event *event)
{
    int n = 0;
    for (int k = 0; k < event->n_keep; k++)
        n += event->keep[k].n_row;
    return n;
}

void ml_event_watch_kept(const struct watched *w, const double *t, const double *x, double *value)
{
    const struct ml_ensemble *e = w->ensemble;
    const struct ml_event *event = w->event;
    double *const *kept = w->watch->kept, **rows = w->batch->records.rows;
    for (int k = 0; k < event->n_keep; k++)
        rows[event->keep[k].record] = kept[event->keep[k].record];
    e->model.system->dynamics.record(&e->model, t, w->batch->constants, x, w->batch->work, rows);
    for (int k = 0; k < event->n_keep; k++) {
        const struct ml_event_keep *keep = &event->keep[k];
        const size_t size = (size_t)keep->n_row * ML_LANES;
        memcpy(value, kept[keep->record] + (size_t)keep->first * ML_LANES, size * sizeof *value);
        rows[keep->record] = NULL;
        value += size;
    }
}

unsigned ml_event_watch_holds(const struct watched *w, const double *t, const double *x,
                              unsigned lanes)
{
    const struct ml_ensemble *e = w->ensemble;
    const struct ml_event *event = w->event;
    double *const *kept = w->watch->kept, **rows = w->batch->records.rows;
    if (event->n_condition == 0)
        return lanes;
    for (int k = 0; k < event->n_condition; k++)
        rows[event->conditions[k].record] = kept[event->conditions[k].record];
    e->model.system->dynamics.record(&e->model, t, w->batch->constants, x, w->batch->work, rows);
    for (int k = 0; k < event->n_condition; k++) {
        const double *value = kept[event->conditions[k].record];
        for (int lane = 0; lane < ML_LANES; lane++)
            lanes &= ~((unsigned)!(value[lane] > 0.0) << lane);
        rows[event->conditions[k].record] = NULL;
    }
    return lanes;
}

bool ml_event_watch_has_slope(const struct watched *w)
{
    return w->event->kind == ML_EXTREME ||
           (w->event->kind == ML_CROSSING && w->watch->takes_own_steps);
}

void ml_event_watch_rates(const struct watched *w, const double *t, const double *x)
{
    struct ml_instance model = w->ensemble->model;
    model.n_column = model.n_sens = 0;
    w->batch->kernels.general->rates(&model, t, w->batch->constants, x, w->watch->rate,
                                     w->batch->work);
}

/* to = from + by step direction, rows of `size` doubles in all. */
static void watch_move(size_t size, const double *from, double by, const double *step,
                       const double *direction, double *to)
{
    for (size_t i = 0; i < size; i++)
        to[i] = from[i] + by * step[i % ML_LANES] * direction[i];
}

void ml_event_watch_along(const struct watched *w, const double *t, const double *x,
                          const struct direction *direction, ml_event_watch_function *function,
                          int n_row, double *deriv)
{
    static const double weights[] = {8.0 / 12.0, -1.0 / 12.0};
    const struct ml_ensemble *e = w->ensemble;
    const double *step = direction->step;
    struct ml_batch moved = *w->batch;
    struct watched there = *w;
    double time[ML_LANES] __attribute__((aligned(64)));
    if (direction->constants)
        moved.constants = w->watch->moved_constants;
    there.batch = &moved;
    memset(deriv, 0, (size_t)n_row * ML_LANES * sizeof *deriv);
    for (int k = 0; k < 2; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double by = side * (k + 1);
            watch_move(ml_event_watch_states(e), x, by, step, direction->x, direction->moved_x);
            if (direction->constants)
                watch_move(ml_event_watch_constants(e), w->batch->constants, by, step,
                           direction->constants, moved.constants);
            for (int lane = 0; lane < ML_LANES; lane++)
                time[lane] = t[lane] + by * step[lane] * direction->time[lane];
            function(&there, time, direction->moved_x, direction->value);
            for (int i = 0; i < n_row * ML_LANES; i++)
                deriv[i] += side * weights[k] * direction->value[i];
        }
    for (int i = 0; i < n_row * ML_LANES; i++)
        deriv[i] /= step[i % ML_LANES];
}

void ml_event_watch_slopes(const struct watched *w, const double *t, const double *x, double *slope)
{
    double value[ML_LANES];
    struct direction motion = {.x = w->watch->rate, .moved_x = w->watch->probe, .value = value};
    ml_event_watch_rates(w, t, x);
    for (int lane = 0; lane < ML_LANES; lane++) {
        motion.time[lane] = 1.0;
        motion.step[lane] = 0x1p-8 * w->watch->span[lane];
    }
    ml_event_watch_along(w, t, x, &motion, ml_event_watch_values, 1, slope);
}

double ml_event_watch_rounding(const struct watched *w, double rate, double span, int lane)
{
    const struct ml_ensemble *e = w->ensemble;
    const double end = fma((double)e->time.n_step, w->batch->step[lane], e->time.start);
    return rate * fmax(0x1p-34 * span, 0x1p-50 * fmax(fabs(e->time.start), fabs(end)));
}

void ml_event_watch_go(const struct watched *w, const double *s, unsigned active, double *time)
{
    struct ml_batch *b = w->batch;
    const struct ml_ensemble *e = w->ensemble;
    const size_t size = (size_t)ml_rows_x(&e->model) * ML_LANES * sizeof(double);
    memcpy(b->x, w->origin.x, size);
    for (int lane = 0; lane < ML_LANES; lane++)
        time[lane] = w->origin.time[lane] + (active >> lane & 1 ? s[lane] : 0.0);
    if (!w->origin.step_control) {
        b->feedback.is_retaken = true;
        double step[ML_LANES] __attribute__((aligned(64)));
        for (int lane = 0; lane < ML_LANES; lane++)
            step[lane] = active >> lane & 1 ? s[lane] : 0.0;
        const struct ml_jumps_lanes lanes = ml_batch_lanes(e, b);
        (void)ml_jumps_step(&lanes, w->origin.time, step, active, NULL);
        b->feedback.is_retaken = false;
        return;
    }
    ml_batch_retake(e, b, w->origin.step_control, time, active);
}

void ml_event_watch_look(const struct watched *w, bool is_slope, const double *s, unsigned active,
                         double *value)
{
    double time[ML_LANES] __attribute__((aligned(64)));
    ml_event_watch_go(w, s, active, time);
    if (is_slope)
        ml_event_watch_slopes(w, time, w->batch->x, value);
    else
        ml_event_watch_values(w, time, w->batch->x, value);
}

void ml_event_watch_search(const struct watched *w, bool is_slope, const struct stretch *stretch,
                           const double *level, unsigned lanes, double *s)
{
    struct ml_root root[ML_LANES];
    double value[ML_LANES];
    unsigned open = 0;
    ML_EACH_LANE(lane, lanes) {
        const double t = fabs(w->origin.time[lane]) + stretch->to[lane];
        open |= (unsigned)ml_root_begin(&root[lane], stretch->from[lane],
                                        stretch->value_from[lane] - level[lane], stretch->to[lane],
                                        stretch->value_to[lane] - level[lane], t * DBL_EPSILON)
                << lane;
        s[lane] = root[lane].at;
    }
    while (open) {
        ml_event_watch_look(w, is_slope, s, open, value);
        ML_EACH_LANE(lane, open) {
            if (!ml_root_next(&root[lane], value[lane] - level[lane]))
                open &= ~(1u << lane);
            s[lane] = root[lane].at;
        }
    }
}
