/* Finds the events of the runs of a batch. After every step it compares the quantities of the
 * events with their values before; where something has happened in between, a search takes the step
 * again.
 */
#include "engine/events/event_watch.h"

#include <string.h>

#include "engine/events/event_watched.h"
#include "engine/steps/switches.h"

/* Counts the strobes of a lane up to the end of its step, or of the run, if nobody asks for them
 * one by one. */
static bool watch_count_strobes(const struct watched *w, int lane)
{
    bool counts;
    const double now = w->batch->window.now[lane], next = ml_event_watch_row(w, WATCH_PLACE)[lane];
    const double until = fmin(ml_event_watch_until(w, now, lane, &counts), now);
    if (!counts)
        return false;
    const double n = ml_strobe_behind(&w->numbers[lane], until) - next;
    if (ml_event_watch_row(w, WATCH_NEXT)[lane] <= until)
        w->out[ML_EVENT_COUNT][lane] += fmax(n, 1.0);
    ml_event_watch_set_strobe(w, lane, next + fmax(n, 1.0));
    return true;
}

static void watch_strobes(const struct watched *w, unsigned stepped)
{
    const double *next = ml_event_watch_row(w, WATCH_NEXT);
    double s[ML_LANES];
    for (unsigned found = stepped; found && ml_stop_level(w->batch->stop) < 2;) {
        for (int lane = 0; lane < ML_LANES; lane++) {
            const bool is_here = found >> lane & 1 && next[lane] <= w->batch->window.now[lane];
            if (!is_here || watch_count_strobes(w, lane))
                found &= ~(1u << lane);
            else
                s[lane] = next[lane] - w->batch->window.before[lane];
        }
        ml_event_watch_found(w, s, found);
        ml_event_watch_next_strobe(w, found);
    }
}

/* All results of an event before it is. */
static void begin_outputs(const struct watched *w)
{
    struct ml_output output;
    for (int k = 0; ml_event_output(w->event, k, &output); k++) {
        const int64_t n = ml_output_rows(&output, w->ensemble->model.n) * ML_LANES;
        for (int64_t i = 0; i < n; i++)
            w->out[k][i] = k == ML_EVENT_COUNT ? 0.0 : (double)NAN;
    }
}

/* The first strobe, which may be at the start. */
static void begin_strobes(const struct watched *w)
{
    const double start = w->ensemble->time.start;
    double first[ML_LANES];
    unsigned now = 0;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const struct ml_event_numbers *own = &w->numbers[lane];
        first[lane] = ml_strobe_first(own, fmax(own->from, start));
        now |= (unsigned)(own->from <= start && ml_strobe_is_at(own, first[lane], start)) << lane;
    }
    const unsigned counted = now && w->event->n_set == 0
                                 ? ml_event_watch_holds(w, w->batch->window.now, w->batch->x, now)
                                 : 0;
    if (counted)
        ml_event_watch_count(w, w->batch->window.now, NULL, counted);
    for (int lane = 0; lane < ML_LANES; lane++)
        ml_event_watch_set_strobe(w, lane, first[lane]);
    if (w->event->n_set > 0)
        w->watch->reset.lanes[w->event - w->ensemble->events] = now;
    else
        ml_event_watch_next_strobe(w, now);
}

static void begin_event(const struct watched *w)
{
    begin_outputs(w);
    ml_event_watch_forget(w, ML_ALL_LANES);
    for (int lane = 0; lane < ML_LANES; lane++)
        for (int i = WATCH_LAST; i <= WATCH_REST; i++)
            ml_event_watch_row(w, i)[lane] = (double)-INFINITY;
    memset(ml_event_watch_row(w, WATCH_UNSURE), 0, ML_LANES * sizeof(double));
    if (w->event->kind == ML_STROBE)
        begin_strobes(w);
}

void ml_event_watch_doubt(const struct ml_ensemble *ensemble, struct ml_batch *batch,
                          unsigned lanes)
{
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        for (int lane = 0; lane < ML_LANES; lane++)
            if (lanes >> lane & 1 && ml_event_watch_row(&w, WATCH_UNSURE)[lane] > 0.0)
                w.out[ML_EVENT_COUNT][lane] = (double)NAN;
    }
}

void ml_event_watch_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    struct ml_event_watch *watch = &batch->watch;
    watch->stopped = watch->ended = 0;
    for (int i = 0; i < ensemble->n_event * ML_LANES; i++)
        watch->numbers[i] = ml_event_of_run(&ensemble->events[i / ML_LANES],
                                            batch->values + i % ML_LANES, ML_LANES);
    for (int i = 0; i < ensemble->n_event; i++) {
        const struct watched w = ml_event_watched(ensemble, batch, i);
        begin_event(&w);
    }
    if (ensemble->model.system->switches.n > 0)
        ml_switches_begin(ensemble, batch);
    ml_event_watch_restart(ensemble, batch, ML_ALL_LANES);
    if (ml_reset_is_needed(ensemble))
        ml_reset_apply(ensemble, batch, ML_ALL_LANES);
    if (watch->align)
        ml_align_begin(ensemble, batch);
    if (batch->window.states)
        ml_event_watch_scan_begin(ensemble, batch);
}

/* The events of a step that end a run, or the others. */
static void watch_events(const struct ml_ensemble *e, struct ml_batch *b, bool stops,
                         unsigned stepped)
{
    for (int i = 0; i < e->n_event; i++) {
        const struct watched w = ml_event_watched(e, b, i);
        if (w.event->stops != stops)
            continue;
        if (w.event->kind == ML_STROBE && w.event->n_set == 0)
            watch_strobes(&w, stepped);
        else if (w.event->kind != ML_STROBE)
            ml_event_watch_crossings(&w, stepped);
    }
}

void ml_event_watch_step(const struct ml_ensemble *ensemble, struct ml_batch *batch, int j,
                         unsigned stepped)
{
    struct ml_event_watch *watch = &batch->watch;
    const size_t size = (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *batch->x;
    const size_t step_control_size = ML_N_STEP_CONTROL * ML_LANES * sizeof *batch->step_control;
    double step_control[ML_N_STEP_CONTROL * ML_LANES];
    if (batch->window.states)
        ml_event_watch_scan_take(ensemble, batch, j);
    watch->stopped = 0;
    memcpy(watch->x_now, batch->x, size);
    if (batch->step_control)
        memcpy(step_control, batch->step_control, step_control_size);
    if (!watch->align) /* else done where the step was cut */
        ml_event_watch_measure(ensemble, batch);
    watch_events(ensemble, batch, true, stepped);
    ml_event_watch_count_stops(ensemble, batch, watch->stopped);
    watch_events(ensemble, batch, false, stepped);
    memcpy(batch->x, batch->window.states ? ml_event_watch_scan_end(ensemble, batch) : watch->x_now,
           size);
    if (batch->step_control)
        memcpy(batch->step_control, step_control, step_control_size);
    ml_event_watch_shift(ensemble, batch, stepped);
}

/* Whether some event looks at a record, or keeps it. */
static bool watch_needs(const struct ml_ensemble *e, int record, bool are_kept)
{
    bool is_needed = false;
    for (int i = 0; i < e->n_event; i++) {
        const struct ml_event *event = &e->events[i];
        is_needed |= !are_kept && event->kind != ML_STROBE && event->record == record;
        for (int k = 0; are_kept && k < event->n_keep; k++)
            is_needed |= event->keep[k].record == record;
        for (int k = 0; are_kept && k < event->n_condition; k++)
            is_needed |= event->conditions[k].record == record;
        for (int k = 0; are_kept && k < event->n_set; k++)
            is_needed |= event->set[k].record == record;
        for (int k = 0; are_kept && k < event->n_then; k++)
            is_needed |= event->then[k].record == record;
    }
    return is_needed;
}

/* Pointers to rows of the records that events look at, or that they keep. */
static double **watch_records(const struct ml_ensemble *e, struct ml_arena *arena, bool are_kept)
{
    double **out = ml_arena_take(arena, (size_t)e->model.system->tables.n_record, sizeof *out);
    for (int q = 0; q < e->model.system->tables.n_record; q++) {
        const bool is_needed = watch_needs(e, q, are_kept);
        double *piece = is_needed ? ml_rows_take(arena, ml_record_rows(e, q)) : NULL;
        if (out)
            out[q] = piece;
    }
    return out;
}

/* States that are searched together. */
static void place_scan(const struct ml_ensemble *e, struct ml_arena *arena, int n_state,
                       struct ml_event_watch *watch)
{
    watch->low = ml_rows_take(arena, e->n_event);
    watch->high = ml_rows_take(arena, e->n_event);
    watch->values = ml_arena_take(arena, (size_t)e->n_event, sizeof *watch->values);
    watch->sags = ml_arena_take(arena, (size_t)e->n_event, sizeof *watch->sags);
    for (int i = 0; i < e->n_event; i++) {
        const bool is_strobe = e->events[i].kind == ML_STROBE;
        const int n_row = is_strobe ? 0 : ml_record_rows(e, e->events[i].record);
        double *piece = ml_rows_take(arena, n_state * n_row);
        double *sags = ml_rows_take(arena, is_strobe ? 0 : n_state - 1);
        if (watch->values)
            watch->values[i] = piece;
        if (watch->sags)
            watch->sags[i] = sags;
    }
}

/* Rows of all that an event keeps, at most. */
static int watch_most_kept(const struct ml_ensemble *e)
{
    int most = 0;
    for (int i = 0; i < e->n_event; i++)
        if (ml_event_watch_kept_rows(&e->events[i]) > most)
            most = ml_event_watch_kept_rows(&e->events[i]);
    return most;
}

/* For derivatives by parameters. */
static void watch_place_derivs(const struct ml_ensemble *e, struct ml_arena *arena,
                               struct ml_event_watch *watch)
{
    watch->time_derivs = ml_rows_take(arena, e->model.n_sens);
    watch->stop_derivs = ml_rows_take(arena, e->model.n_sens);
    watch->moved_x = ml_rows_take(arena, ml_n_x(&e->model));
    watch->motion_x = ml_rows_take(arena, ml_n_x(&e->model));
    watch->moved_constants = ml_rows_take(arena, ml_rows_constants(&e->model));
    watch->kept_deriv = ml_rows_take(arena, watch_most_kept(e));
}

void ml_event_watch_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                           const struct ml_window *window, struct ml_event_watch *watch)
{
    const int n_x = ml_rows_x(&ensemble->model);
    *watch = (struct ml_event_watch){0};
    if (!ml_ensemble_is_watched(ensemble))
        return;
    watch->seen = watch_records(ensemble, arena, false);
    watch->kept = watch_records(ensemble, arena, true);
    watch->kept_value = ml_rows_take(arena, watch_most_kept(ensemble));
    watch->rows = ml_rows_take(arena, ensemble->n_event * N_WATCH);
    watch->numbers =
        ml_arena_take(arena, (size_t)ensemble->n_event * ML_LANES, sizeof *watch->numbers);
    watch->stop_time = ml_rows_take(arena, 1);
    watch->x_now = ml_rows_take(arena, n_x);
    watch->x_stop = ml_rows_take(arena, n_x);
    watch->probe = ml_rows_take(arena, n_x);
    watch->rate = ml_rows_take(arena, n_x);
    watch->end_rates = ml_rows_take(arena, 2 * ml_n_x(&ensemble->model));
    watch->span = ml_rows_take(arena, 1);
    if (ensemble->model.n_sens > 0 ||
        (ml_reset_is_needed(ensemble) && ensemble->model.n_column > 0))
        watch_place_derivs(ensemble, arena, watch);
    if (ml_reset_is_needed(ensemble))
        ml_reset_layout(ensemble, arena, watch);
    watch->takes_own_steps = ensemble->time.is_adaptive || ml_align_is_needed(ensemble);
    watch->align = ml_align_is_needed(ensemble) ? ml_rows_take(arena, ML_ALIGN_ROWS) : NULL;
    if (window->has_states)
        place_scan(ensemble, arena, 2 + (int)window->most, watch);
}
