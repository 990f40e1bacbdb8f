/* The events of a study. */
#include <math.h>
#include <string.h>

#include "config/formulas/formulas.h"
#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/sections/sections.h"
#include "expr/parse.h"

enum { MOST_NUMBERS = 1 << 24 };

/* The number that an event looks at. */
static void read_looked(struct ml_reader *r, const struct ml_node *node, struct ml_event *event)
{
    struct ml_event_keep found;
    if (!r->system || !ml_read_chosen(r, node, node->key, &found))
        return;
    if (found.n_row > 1)
        ml_problem(&r->problems, node->location,
                   "an event watches a single number, not all of %s: %s", found.name,
                   ml_record_rows_text(r, &r->system->tables.records[found.record]));
    event->record = found.record;
    event->row = found.first;
    event->looked = found.name;
}

/* All quantities of the state, in place of the word `state`. */
static int keep_state(struct ml_reader *r, struct ml_event_keep *keep)
{
    const struct ml_system *system = r->system;
    for (int q = 0; q < system->tables.n_state; q++)
        keep[q] = (struct ml_event_keep){
            .name = system->tables.state[q].name,
            .unit = system->tables.state[q].unit,
            .doc = system->tables.state[q].doc,
            .record = q,
            .n_row = ml_quantity_rows(&system->tables.state[q], r->spec->model.n),
            .dim = system->tables.state[q].dim[0]};
    return system->tables.n_state;
}

/* Checks that no number is kept under two names. */
static void check_kept(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_event_keep *a, const struct ml_event_keep *b)
{
    const struct ml_event_keep *part = a->n_row < b->n_row ? a : b, *whole = part == a ? b : a;
    if (strcmp(a->name, b->name) == 0)
        ml_problem(&r->problems, node->location, "`%s` is kept twice", a->name);
    else if (a->record == b->record && part->first >= whole->first &&
             part->first + part->n_row <= whole->first + whole->n_row)
        ml_problem(&r->problems, node->location,
                   "`%s` is kept twice, as a part of `%s` too; leave one of them out", part->name,
                   whole->name);
}

static void read_keep(struct ml_reader *r, const struct ml_node *list, struct ml_event *event)
{
    const int most = list->n_child + (r->system ? r->system->tables.n_state : 0);
    struct ml_event_keep *keep = ml_pool_take(r->spec->pool, (size_t)most + 1, sizeof *keep);
    int n = 0;
    if (!r->system || !keep)
        return;
    for (const struct ml_node *child = list->first; child; child = child->next) {
        const bool is_scalar = child->kind == ML_NODE_SCALAR;
        const int before = n;
        if (is_scalar && strcmp(child->text, "state") == 0)
            n += keep_state(r, keep + n);
        else if (ml_read_chosen(r, child, "keep", &keep[n]))
            n++;
        for (int k = before; k < n; k++)
            for (int i = 0; i < k; i++)
                check_kept(r, child, &keep[i], &keep[k]);
    }
    event->keep = keep;
    event->n_keep = n;
}

/* Row of the state of a name such as rate or rate.lower, or of a state of a force; -1 after
 * reporting.
 */
static int find_state_row(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_event_keep rows = {0};
    const struct ml_system *system = r->system;
    const int own = ml_find_own_state(r, node->key);
    if (own >= 0)
        return own;
    const char *why = ml_record_path(r, node->key, &rows);
    if (!why && (rows.record >= system->tables.n_state || rows.n_row > 1))
        why = ml_pool_format(r->pool, "%s is not a single number of the state", node->key);
    if (why) {
        ml_problem(&r->problems, node->key_location, "cannot set %s: %s",
                   ml_quote(r->pool, node->key), why);
        return -1;
    }
    return ml_state_row(system, r->spec->model.n, &rows);
}

/* A number that the state is set to: a record, or a formula. */
static bool read_new_value(struct ml_reader *r, const struct ml_node *node,
                           struct ml_event_keep *out)
{
    const char *text = ml_read_text(r, node, node->key, "a formula");
    if (!text)
        return false;
    if (ml_record_path(r, text, out) || out->n_row > 1)
        return ml_read_formula_record(r, node, node->key, false, out);
    return true;
}

/* Whether an event sets only states of forces, which the study's angles do not change. */
static bool sets_own_states(struct ml_reader *r, const struct ml_node *set)
{
    bool are_own = true;
    for (const struct ml_node *child = set->first; child; child = child->next)
        are_own &= ml_find_own_state(r, child->key) >= 0;
    return are_own;
}

/* Checks that the event can set the state. */
static void check_set(struct ml_reader *r, const struct ml_node *set, const struct ml_event *event)
{
    const struct ml_instance *model = &r->spec->model;
    const char *why = NULL;
    if (event->kind == ML_EXTREME)
        why = "an extreme is found one step too late to set a state; give the crossing of its "
              "rate, as `when: rate, crosses: 0`";
    else if (event->stops)
        why = "the run ends with the event; leave `stop` or `set` out";
    else if ((!r->system->dynamics.is_plain || !r->system->dynamics.is_plain(model)) &&
             !sets_own_states(r, set))
        why =
            "the study's angles are joint angles, but the state has absolute ones; leave `angles` "
            "out";
    else if (ml_study_spec_method(r->spec)->is_map)
        why = "a map has no states between iterations; write the change into `next`";
    if (why)
        ml_problem(&r->problems, set->key_location, "cannot set the state: %s", why);
}

/* Rows of the state and their formulas: how many, to *out. */
static int read_new_state(struct ml_reader *r, const struct ml_node *map,
                          const struct ml_event_set **out)
{
    struct ml_event_set *set = ml_pool_take(r->spec->pool, (size_t)map->n_child + 1, sizeof *set);
    int n = 0;
    if (!r->system || !set)
        return 0;
    for (const struct ml_node *child = map->first; child; child = child->next) {
        struct ml_event_keep value;
        const int row = find_state_row(r, child);
        if (row < 0 || !read_new_value(r, child, &value) ||
            !ml_derive_formula_record(r, value.record))
            continue;
        set[n++] = (struct ml_event_set){
            .name = ml_pool_text(r->spec->pool, child->key, strlen(child->key)),
            .value = value.name,
            .state = row,
            .record = value.record,
            .first = value.first};
    }
    *out = set;
    return n;
}

/* The state behind the event, and behind events that accumulate. */
static void read_set(struct ml_reader *r, const struct ml_node *node, struct ml_event *event)
{
    const struct ml_node *set = ml_node_find_kind(node, "set", ML_NODE_MAP);
    const struct ml_node *then = ml_node_find(node, "then");
    if (then && then->kind != ML_NODE_MAP) {
        ml_read_rest(r, node, then);
        return;
    }
    const struct ml_node *empty = set && set->n_child == 0     ? set
                                  : then && then->n_child == 0 ? then
                                                               : NULL;
    if (empty) {
        ml_problem(&r->problems, empty->location,
                   "%s is empty; name one state at least, as in `%s: {x: -0.9*x}`, or leave %s out",
                   empty->key, empty->key, empty->key);
        return;
    }
    if (set && r->system) {
        event->n_set = read_new_state(r, set, &event->set);
        check_set(r, set, event);
    }
    if (then && (!set || event->kind != ML_CROSSING || event->is_once))
        ml_problem(&r->problems, then->key_location,
                   "`then` is the state behind crossings that accumulate, each of which sets the "
                   "state; %s",
                   !set ? "give `set` too" : "leave `then` out");
    else if (then)
        event->n_then = read_new_state(r, then, &event->then);
}

/* Reports the first key of a map that belongs to another kind of event. */
static void report_foreign(struct ml_reader *r, const struct ml_node *node,
                           const struct ml_keys *keys, const struct ml_event *event)
{
    static const char *const kinds[] = {"a crossing", "an extreme", "a strobe"};
    const char *kind = event->n_time > 0 ? "a strobe at given times" : kinds[event->kind];
    for (int i = 0; i < keys->n; i++) {
        const struct ml_key *key = &keys->row[i];
        const struct ml_node *found = ml_node_find(node, key->param.name);
        if (!found || !key->when || key->when(event) || key->kind == ML_KEY_CHOSENS ||
            key->kind == ML_KEY_ANY_TEXTS || key->kind == ML_KEY_FORMULAS ||
            key->kind == ML_KEY_MAP || key->kind == ML_KEY_REST)
            continue;
        ml_problem(&r->problems, found->key_location, "%s has no key `%s`; leave it out", kind,
                   key->param.name);
        return;
    }
}

/* Comparisons that must hold: one, or a list. */
static void read_conditions(struct ml_reader *r, const struct ml_node *node, struct ml_event *event)
{
    const bool is_list = node->kind == ML_NODE_LIST;
    const size_t most = is_list ? (size_t)node->n_child + 1 : 1;
    struct ml_event_keep *out = ml_pool_take(r->spec->pool, most, sizeof *out);
    if (!out || !r->system)
        return;
    for (const struct ml_node *one = is_list ? node->first : node; one;
         one = is_list ? one->next : NULL)
        if (ml_read_text(r, one, node->key, "a comparison, or a list of comparisons") &&
            ml_read_formula_record(r, one, node->key, true, &out[event->n_condition]))
            event->n_condition++;
    event->conditions = out;
}

/* Options that all kinds have. */
static void read_options(struct ml_reader *r, const struct ml_node *node, struct ml_event *event)
{
    const struct ml_node *keep = ml_node_find_kind(node, "keep", ML_NODE_LIST);
    const struct ml_node *and = ml_node_find(node, "and"), *guard = ml_node_find(node, "if");
    if (and&&guard)
        ml_problem(&r->problems, guard->key_location,
                   "`if` and `and` are the same key; give one list of comparisons");
    else if (and || guard)
        read_conditions(r, and? and : guard, event);
    read_set(r, node, event);
    if (keep)
        read_keep(r, keep, event);
    if (event->attractors > 0.0 && (event->most < 2 || !keep))
        ml_problem(&r->problems, ml_read_location(node, "attractors"),
                   "attractors needs `keep: [state]` and a `max` of at least twice the longest "
                   "period to find, such as 16");
    if (keep && event->most == 0)
        ml_problem(&r->problems, keep->key_location,
                   "keep needs `max`, the number of events per run to keep");
    if (event->attractors > 0.0 && event->n_time > 0)
        ml_problem(&r->problems, ml_read_location(node, "attractors"),
                   "attractors needs events that repeat; give `period` in place of `at`");
    if ((event->stops || event->is_once) && event->most > 1)
        ml_problem(&r->problems, ml_read_location(node, "max"),
                   "an event %s happens once; max must be 1",
                   event->stops ? "that stops the run" : "with `once: true`");
}

/* Reads whether steps end at the event. */
static void read_align(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_event *event)
{
    const struct ml_study_spec *spec = r->spec;
    if (event->graded > 0.0 && !event->aligns)
        ml_problem(&r->problems, ml_read_location(node, "graded"),
                   "graded needs steps that end at the event; add `align: true`");
    if (event->aligns && spec->time.is_adaptive)
        ml_problem(&r->problems, ml_read_location(node, "align"),
                   "align needs given steps, but integrator.tolerance chooses the steps, short "
                   "ones where a force sets in; leave align out");
    else if (event->aligns && event->stops)
        ml_problem(&r->problems, ml_read_location(node, "align"),
                   "an event that stops the run has no steps after it; leave align out");
}

/* The level of a crossing that is not given: 0 of a formula.
 *   values  [ML_EVENT_NUMBERS] in and out */
static void read_level(struct ml_reader *r, const struct ml_node *node,
                       const struct ml_event *event, double *values)
{
    if (event->kind != ML_CROSSING || ml_node_find(node, "crosses"))
        return;
    if (event->looked && ml_record_is_formula(r, event->record))
        values[0] = 0.0;
    else if (!ml_node_find_kind(node, "when", ML_NODE_SCALAR) ||
             ml_is_record_path(ml_node_find(node, "when")->text))
        ml_problem(&r->problems, node->location,
                   "key `crosses` is missing: the level at which `when` counts");
}

/* Times that a list gives. */
static void read_times(struct ml_reader *r, const struct ml_node *list,
                       const struct ml_param *param, struct ml_event *event)
{
    double *times = ml_pool_take(r->spec->pool, (size_t)list->n_child + 1, sizeof *times);
    int n = 0;
    if (list->n_child == 0)
        ml_problem(&r->problems, list->location, "at is empty; give one time at least");
    for (const struct ml_node *child = list->first; child && times; child = child->next, n++)
        if (ml_read_number(r, child, param, &times[n]) && n > 0 && !(times[n] > times[n - 1]))
            ml_problem(&r->problems, child->location,
                       "at has %g s behind %g s; give each time once, in growing order", times[n],
                       times[n - 1]);
    event->times = times;
    event->n_time = n;
}

/* The given time of a strobe, or its times.
 *   value  the number of the event */
static void read_at(struct ml_reader *r, const struct ml_node *node, const struct ml_keys *keys,
                    struct ml_event *event, double *value)
{
    const struct ml_key *key = ml_keys_find(keys, "at");
    *value = (double)NAN;
    if (!node || !key || event->kind != ML_STROBE)
        return;
    if (node->kind == ML_NODE_LIST)
        read_times(r, node, &key->param, event);
    else if (ml_read_number(r, node, &key->param, value))
        event->n_time = 1;
}

/* values: [ML_EVENT_NUMBERS] out, NaN where none is given */
static void read_event(struct ml_reader *r, const struct ml_node *node, struct ml_event *event,
                       double *values)
{
    if (!ml_read_is_map(r, node,
                        "an event must be a map such as {name: flip, when: angle.lower, "
                        "crosses: pi}"))
        return;
    const int before = r->problems.count;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_EVENT, NULL, NULL);
    const struct ml_node *level = ml_node_find_kind(node, "crosses", ML_NODE_SCALAR),
                         *number = ml_node_find_kind(node, "when", ML_NODE_SCALAR);
    if (level && level->text && ml_expr_is_name(level->text))
        ml_problem(&r->problems, level->location,
                   "crosses is a number; a level that has a name is a part of `when`: `when: %s - "
                   "%s, crosses: 0`",
                   number ? number->text : "angle.lower", level->text);
    else
        ml_read_map(r, node, &keys, event, values);
    const struct ml_node *when = ml_node_find(node, "when"), *of = ml_node_find(node, "of");
    event->kind = when ? ML_CROSSING : of ? ML_EXTREME : ML_STROBE;
    event->direction = when ? event->direction : of ? event->extreme : 0;
    if (ml_node_find_kind(node, "after", ML_NODE_MAP))
        ml_read_after(r, node, ml_node_find(node, "after"));
    read_at(r, ml_node_find(node, "at"), &keys, event, &values[ML_EVENT_NUMBERS - 1]);
    if (r->problems.count > before)
        return;
    if (!when && !of && event->n_time == 0 && !ml_node_find(node, "period"))
        ml_problem(&r->problems, node->location,
                   "an event has one of the keys `when` (a crossing), `of` (an extreme), `period` "
                   "and `at` (a strobe)");
    else
        report_foreign(r, node, &keys, event);
    if ((when || of) && ml_study_spec_method(r->spec)->is_map)
        ml_problem(&r->problems, (when ? when : of)->location,
                   "a map has no states between iterations, where a number could cross a level or "
                   "turn; its events are strobes: `period`, in iterations");
    else if (when || of)
        read_looked(r, when ? when : of, event);
    read_level(r, node, event, values);
    read_options(r, node, event);
    read_align(r, node, event);
}

void ml_read_events(struct ml_reader *r, const struct ml_node *node)
{
    const int n = node ? node->n_child : 0;
    if (n > ML_MAX_EVENTS)
        ml_problem(&r->problems, node->location, "there are more than %d events",
                   (int)ML_MAX_EVENTS);
    if (n == 0 || n > ML_MAX_EVENTS)
        return;
    r->events = ml_pool_take(r->spec->pool, (size_t)n, sizeof *r->events);
    r->event_values = ml_pool_take(r->pool, (size_t)n * ML_EVENT_NUMBERS, sizeof *r->event_values);
    if (!r->events || !r->event_values)
        return;
    const int before = r->problems.count;
    int i = 0;
    for (const struct ml_node *child = node->first; child; child = child->next, i++)
        read_event(r, child, &r->events[i], r->event_values + (size_t)i * ML_EVENT_NUMBERS);
    if (r->problems.count > before)
        return;
    r->spec->events = r->events;
    r->spec->n_event = n;
}

/* Numbers that the events of a run keep. */
static int64_t kept_numbers(const struct ml_reader *r)
{
    struct ml_output output;
    int64_t n = 0;
    for (int i = 0; i < r->spec->n_event; i++)
        for (int k = 0; ml_event_output(&r->events[i], k, &output); k++)
            n += ml_output_rows(&output, r->spec->model.n);
    return n;
}

/* Room for the events of a run, the same for all of them; and that their datasets are not too
 * large. */
static void check_outputs(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_event *events = r->events;
    const int n = r->spec->n_event;
    int64_t room = 0;
    const char *names[ML_MAX_EVENTS] = {NULL};
    for (int i = 0; i < n; i++) {
        room = events[i].most > room ? events[i].most : room;
        names[i] = events[i].name;
    }
    for (int i = 0; i < n; i++) {
        events[i].room = room;
        events[i].n_sens = r->spec->model.n_sens;
        if (ml_event_longest_name(&events[i]) >= ML_MAX_OUTPUT_NAME)
            ml_problem(&r->problems, node->location,
                       "names of event `%.40s..` and of a quantity that it keeps are longer than "
                       "%d bytes together; take shorter ones",
                       events[i].name, (int)ML_MAX_OUTPUT_NAME - 1);
    }
    const int64_t n_kept = kept_numbers(r);
    ml_read_unique(r, node, names, n);
    if (n_kept > MOST_NUMBERS)
        ml_problem(&r->problems, node->location,
                   "events keep %lld numbers of each run, at most %d are possible; take a smaller "
                   "`max`, or keep fewer quantities",
                   (long long)n_kept, (int)MOST_NUMBERS);
}

/* Where a number of an event is given, and its smallest and largest; false if it is not given. */
static bool find_number(struct ml_reader *r, const struct ml_event *event, const char *key,
                        struct ml_given *out)
{
    for (int i = 0; i < ML_EVENT_NUMBERS; i++)
        if (event->slot[i] >= 0 && strcmp(ml_event_number_rows[i].key, key) == 0 &&
            ml_slot_is_given(r, event->slot[i])) {
            *out = ml_given_find(r, event->slot[i]);
            return true;
        }
    return false;
}

/* Levels and strobes too close for doubles: closer than a small part of the level, or of the run's
 * times. */
static void check_distances(struct ml_reader *r, const struct ml_event *event, double end)
{
    const double part = 1e-12, latest = fmax(fabs(r->spec->time.start), fabs(end));
    struct ml_given period, every, crosses;
    if (find_number(r, event, "period", &period) && period.low < part * latest)
        ml_problem(&r->problems, period.location,
                   "period is shorter than %g of the run's times, up to %g s: consecutive strobes "
                   "would round to the same time; take a longer period",
                   part, latest);
    if (!find_number(r, event, "every", &every) || !find_number(r, event, "crosses", &crosses))
        return;
    const double level = fmax(fabs(crosses.low), fabs(crosses.high));
    if (every.low < part * level)
        ml_problem(&r->problems, every.location,
                   "every is smaller than %g of the level, %g: consecutive levels would round to "
                   "the same number; take a larger value",
                   part, level);
}

/* The place of a key of an event. */
static struct ml_location event_location(struct ml_reader *r, const struct ml_event *event,
                                         const char *key)
{
    const char *path = ml_pool_format(r->pool, "events.%s.%s", event->name, key);
    return path ? ml_given_node(r, path)->location : (struct ml_location){0};
}

/* Strobes of a map, which has no states between iterations. */
static void check_iterations(struct ml_reader *r, const struct ml_event *event)
{
    static const char *const keys[] = {"period", "phase", "at"};
    struct ml_given given;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (find_number(r, event, keys[i], &given) &&
            (given.is_swept || given.low != nearbyint(given.low)))
            ml_problem(&r->problems, given.location,
                       "%s of a map must be a whole number of iterations, the same in all runs",
                       keys[i]);
    for (int i = 0; event->times && i < event->n_time; i++)
        if (event->times[i] != nearbyint(event->times[i]))
            ml_problem(&r->problems, event_location(r, event, "at"),
                       "at of a map must be whole numbers of iterations, and %g is not",
                       event->times[i]);
}

/* Given times outside of the longest run. */
static void check_at(struct ml_reader *r, const struct ml_event *event, double end)
{
    const double start = r->spec->time.start, rounding = 1e-12 * fmax(fabs(start), fabs(end));
    struct ml_given at = {.low = start, .high = start};
    if (event->times) {
        at = (struct ml_given){.low = event->times[0],
                               .high = event->times[event->n_time - 1],
                               .location = event_location(r, event, "at")};
    } else if (!find_number(r, event, "at", &at)) {
        return;
    }
    if (end > start && (at.low < start || at.high > end + rounding))
        ml_problem(&r->problems, at.location,
                   "at is %g s but the runs last from %g to %g s; give times within",
                   at.low < start ? at.low : at.high, start, end);
}

/* Times of an event against those of the longest run. */
static void check_times(struct ml_reader *r, const struct ml_event *event)
{
    const struct ml_study_spec *spec = r->spec;
    const double step = ml_given_longest_step(r);
    const double span = step * (double)spec->time.n_step, end = spec->time.start + span;
    struct ml_given period, from;
    const bool has_period = find_number(r, event, "period", &period);
    if (has_period && step > 0.0 && !spec->time.is_adaptive && period.low < step)
        ml_problem(&r->problems, period.location,
                   "period is shorter than time.step, %g s; take a longer period", step);
    else
        check_distances(r, event, end);
    if (has_period && span > 0.0 && period.high > span)
        ml_problem(&r->problems, period.location,
                   "period is longer than the time from start to end, %g s", span);
    if (find_number(r, event, "from", &from) && spec->time.n_step > 0 && from.high >= end)
        ml_problem(&r->problems, from.location, "from is not before the end of the run, %g s", end);
    check_at(r, event, end);
    if (span > 0.0 && event->graded > span)
        ml_problem(&r->problems, event_location(r, event, "graded"),
                   "graded is longer than the time from start to end, %g s", span);
}

/* Whether two events have the same number in all runs, or neither has one. */
static bool have_same(struct ml_reader *r, const struct ml_event *a, const struct ml_event *b,
                      const char *key)
{
    struct ml_given of_a, of_b;
    const bool has_a = find_number(r, a, key, &of_a), has_b = find_number(r, b, key, &of_b);
    return has_a == has_b && (!has_a || (!of_a.is_swept && !of_b.is_swept && of_a.low == of_b.low));
}

/* Instant k of a strobe, s; false past the last one, or where runs differ in it. */
static bool find_instant(struct ml_reader *r, const struct ml_event *event, int k, double *time)
{
    struct ml_given at, period, phase = {.low = 0.0};
    if (event->times) {
        *time = k < event->n_time ? event->times[k] : 0.0;
        return k < event->n_time;
    }
    if (find_number(r, event, "at", &at)) {
        *time = at.low;
        return k == 0 && !at.is_swept;
    }
    if (!find_number(r, event, "period", &period))
        return false;
    (void)find_number(r, event, "phase", &phase);
    *time = fma((double)k, period.low, phase.low);
    return !period.is_swept && !phase.is_swept;
}

/* Whether two events are at the same instants: crossings of the same level, or strobes, of which
 * the first instants are looked at. */
static bool are_together(struct ml_reader *r, const struct ml_event *a, const struct ml_event *b)
{
    enum { MOST_INSTANTS = 100 };
    double of_a, of_b;
    bool are = false;
    if (a->kind != b->kind || a->n_condition + b->n_condition > 0)
        return false;
    if (a->kind != ML_STROBE)
        return a->kind == ML_CROSSING && a->record == b->record && a->row == b->row &&
               a->direction * b->direction >= 0 && have_same(r, a, b, "crosses");
    for (int i = 0; i < MOST_INSTANTS && find_instant(r, a, i, &of_a); i++)
        for (int k = 0; k < MOST_INSTANTS && find_instant(r, b, k, &of_b); k++)
            are |= fabs(of_a - of_b) <= 1e-12 * fabs(of_a);
    return are;
}

/* Notice of a number that two events set at the same instants, where the second does not take the
 * value of the first. */
static void report_overwritten(struct ml_reader *r, const struct ml_event *a,
                               const struct ml_event *b)
{
    for (int i = 0; i < a->n_set; i++)
        for (int k = 0; k < b->n_set; k++)
            if (a->set[i].state == b->set[k].state &&
                strcmp(a->set[i].value, b->set[k].value) != 0 &&
                !ml_node_has_word(b->set[k].value, b->set[k].name) && are_together(r, a, b))
                ml_notice(
                    r, event_location(r, b, "set"),
                    "`%s` and `%s` set `%s` at the same instants, to `%s` and `%s`: the latter "
                    "remains; leave one of them out, or give them different times",
                    a->name, b->name, a->set[i].name, a->set[i].value, b->set[k].value);
}

/* Notice where a run may end before an event counts for the first time. */
static void report_cut_off(struct ml_reader *r, const struct ml_event *stop,
                           const struct ml_event *event)
{
    struct ml_given from, first;
    if (!find_number(r, event, "from", &from) || from.high <= r->spec->time.start)
        return;
    if (!find_number(r, stop, "from", &first) || first.low < from.high)
        ml_notice(r, from.location,
                  "`%s` can end a run before %g s, and such a run has no `%s`; to let all runs "
                  "last that long, give `%s` `from: %g` too, or leave out its `stop`",
                  stop->name, from.high, event->name, stop->name, from.high);
}

void ml_read_events_of_runs(struct ml_reader *r, const struct ml_node *node)
{
    if (r->spec->n_event == 0 || !r->slots)
        return;
    check_outputs(r, node);
    for (int i = 0; i < r->spec->n_event; i++) {
        check_times(r, &r->events[i]);
        if (ml_study_spec_method(r->spec)->is_map)
            check_iterations(r, &r->events[i]);
    }
    for (int i = 0; i < r->spec->n_event; i++)
        for (int k = i + 1; k < r->spec->n_event; k++)
            report_overwritten(r, &r->events[i], &r->events[k]);
    for (int i = 0; i < r->spec->n_event; i++)
        for (int k = 0; k < r->spec->n_event; k++)
            if (r->events[k].stops && k != i)
                report_cut_off(r, &r->events[k], &r->events[i]);
}
