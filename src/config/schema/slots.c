/* The numbers of a run by name. */
#include "config/schema/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simd/trig.h"
#include "yaml/nearest.h"

struct filler {
    struct ml_pool *pool; /* paths live as long as the study */
    struct ml_slot *next;
};

static void name_params(struct filler *f, const char *owner, const struct ml_param *params, int n)
{
    for (int i = 0; i < n; i++) {
        const char *prefix = ml_param_is_of_start(&params[i]) ? "initial" : owner;
        const char *group = params[i].group;
        const char *path = ml_pool_format(f->pool, "%s%s%s.%s", prefix, group ? "." : "",
                                          group ? group : "", params[i].name);
        *f->next++ = (struct ml_slot){path, params[i]};
    }
}

static void name_quantity(struct filler *f, const struct ml_quantity *quantity,
                          const struct ml_study_spec *spec)
{
    struct ml_param param = ml_quantity_param(quantity);
    const char *name = quantity->name;
    bool is_by_segment = ml_dim_is_named(quantity->dim[0]);
    int rows = ml_quantity_rows(quantity, spec->model.n);
    for (int i = 0; i < rows; i++) {
        const char *path =
            is_by_segment && spec->segment_names
                ? ml_pool_format(f->pool, "initial.%s.%s", name, spec->segment_names[i])
                : ml_pool_format(f->pool, "initial.%s", name);
        *f->next++ = (struct ml_slot){path, param};
    }
}

/* The numbers of an event of its kind, in the unit of the watched quantity. */
static void name_event(struct filler *f, const struct ml_reader *r, const struct ml_event *event,
                       const double *given)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_EVENT, spec->model.system, NULL);
    for (int i = 0; i < ML_EVENT_NUMBERS; i++) {
        if (event->slot[i] < 0)
            continue;
        const char *key = ml_event_number_rows[i].key;
        struct ml_slot *slot = f->next++;
        slot->path = ml_pool_format(f->pool, "events.%s.%s", event->name, key);
        slot->param = ml_keys_find(&keys, key)->param;
        if (event->kind == ML_CROSSING && strcmp(slot->param.unit, "s") != 0)
            slot->param.unit = spec->model.system->tables.records[event->record].unit;
        spec->numbers.base[event->slot[i]] = given[i];
    }
}

/* Names the slots of the system, its segments and forces. */
static void name_system(struct filler *f, const struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_system *system = spec->model.system;
    int n = spec->model.n;
    name_params(f, "system", system->tables.params, system->tables.n_param);
    for (int i = 0; system->tables.segment_params && i < n; i++) {
        const char *prefix = ml_pool_format(f->pool, "system.segments.%s", spec->segment_names[i]);
        name_params(f, prefix ? prefix : "", system->tables.segment_params,
                    system->tables.n_segment_param);
    }
    for (int i = 0; i < system->tables.n_state; i++)
        name_quantity(f, &system->tables.state[i], spec);
    for (int i = 0; i < spec->n_force; i++) {
        const struct ml_force_use *use = &spec->forces[i];
        const char *prefix = ml_pool_format(f->pool, "forces.%s", use->name ? use->name : "");
        if (use->type)
            name_params(f, prefix ? prefix : "", use->numbers, use->n_number);
    }
}

/* The names below `define` that have a number. */
static void name_definitions(const struct ml_study_spec *spec, struct ml_slot *slots)
{
    struct ml_slot *slot = spec->numbers.defined ? slots + spec->numbers.defined->first : NULL;
    for (int i = 0; slot && i < spec->numbers.n_definition; i++) {
        const struct ml_definition *own = &spec->numbers.definitions[i];
        if (!own->unit)
            continue;
        slot->path = ml_pool_format(spec->pool, "define.%s", own->name);
        slot->param =
            (struct ml_param){own->name, own->unit, 0.0, -ML_ANGLE_MAX, ML_ANGLE_MAX, 0, own->doc};
        if (own->range) {
            slot->param.low = own->range->low;
            slot->param.high = own->range->high;
            slot->param.flags = own->range->flags & ML_OPEN_LOW;
        }
        spec->numbers.base[slot++ - slots] = own->value;
    }
}

static int slots_compare(const void *a, const void *b)
{
    const struct ml_slot *p = *(const struct ml_slot *const *)a;
    const struct ml_slot *q = *(const struct ml_slot *const *)b;
    return strcmp(p->path, q->path);
}

static int count_forces(const struct ml_study_spec *spec)
{
    int n = 0;
    for (int i = 0; i < spec->n_force; i++)
        n += spec->forces[i].n_number;
    return n;
}

/* Slots of the numbers that events have, from r->first_event on. Returns how many there are. */
static int place_events(struct ml_reader *r)
{
    int slot = r->first_event;
    for (int i = 0; i < r->spec->n_event; i++)
        for (int k = 0; k < ML_EVENT_NUMBERS; k++) {
            r->events[i].slot[k] = ml_event_has_number(&r->events[i], k) ? slot++ : -1;
        }
    return slot - r->first_event;
}

const struct ml_slot *ml_slots_of_system(const struct ml_reader *r, int *n)
{
    const int most = r->has_segments ? ml_slot_forces(&r->spec->model) + count_forces(r->spec) : 0;
    struct ml_slot *slots = ml_pool_take(r->pool, (size_t)most + 1, sizeof *slots);
    struct filler filler = {r->pool, slots};
    if (most > 0 && slots)
        name_system(&filler, r);
    *n = r->pool->is_short ? 0 : most;
    return slots;
}

void ml_slots_make(struct ml_reader *r)
{
    struct ml_study_spec *spec = r->spec;
    if (!r->has_segments)
        return;
    int n_fixed = ml_slot_forces(&spec->model);
    int n_force = count_forces(spec);
    r->first_event = n_fixed + n_force;
    const int after_events = r->first_event + place_events(r);
    const int after_study = after_events + ml_study_numbers_place(spec, after_events);
    const int n = after_study + (spec->numbers.defined ? spec->numbers.defined->n_name : 0);
    if (spec->numbers.defined)
        spec->numbers.defined->first = after_study;
    const int most = n + 1; /* and a clock */
    struct ml_slot *slots = ml_pool_take(r->pool, (size_t)most, sizeof *slots);
    const struct ml_slot **sorted = ml_pool_take(r->pool, (size_t)n, sizeof(struct ml_slot *));
    spec->numbers.base = ml_pool_take(spec->pool, (size_t)most, sizeof *spec->numbers.base);
    r->swept_by = ml_pool_take(r->pool, (size_t)most, sizeof(struct ml_node *));
    r->is_seen = ml_pool_take(spec->pool, (size_t)most, sizeof *r->is_seen);
    spec->numbers.names = ml_pool_take(spec->pool, (size_t)most, sizeof *spec->numbers.names);
    spec->numbers.params = ml_pool_take(spec->pool, (size_t)most, sizeof *spec->numbers.params);
    if (r->pool->is_short || spec->pool->is_short)
        return;
    memcpy(spec->numbers.base, r->base, (size_t)n_fixed * sizeof *spec->numbers.base);
    if (n_force > 0)
        memcpy(spec->numbers.base + n_fixed, r->force_values,
               (size_t)n_force * sizeof *spec->numbers.base);
    spec->numbers.n = n;
    struct filler filler = {spec->pool, slots};
    name_system(&filler, r);
    for (int i = 0; i < spec->n_event; i++)
        name_event(&filler, r, &r->events[i], r->event_values + (size_t)i * ML_EVENT_NUMBERS);
    ml_study_numbers_name(r, slots);
    name_definitions(r->spec, slots);
    if (spec->pool->is_short)
        return;
    for (int i = 0; i < n; i++) {
        sorted[i] = &slots[i];
        spec->numbers.names[i] = slots[i].path;
        spec->numbers.params[i] = slots[i].param;
    }
    qsort(sorted, (size_t)n, sizeof(struct ml_slot *), slots_compare);
    r->slots = slots;
    r->sorted = sorted;
}

static const struct ml_slot *slots_find(const struct ml_reader *r, const char *path)
{
    const struct ml_slot wanted = {.path = path}, *key = &wanted;
    const struct ml_slot **found =
        bsearch(&key, r->sorted, (size_t)(r->spec->numbers.n - (r->clock ? 1 : 0)),
                sizeof(struct ml_slot *), slots_compare);
    if (r->clock && strcmp(path, r->clock->path) == 0)
        return r->clock;
    return found ? *found : NULL;
}

/* system.mass.body.wheel is system.mass.wheel.body; NULL if the path names no pair. */
static const char *mirrored(const struct ml_reader *r, const char *path)
{
    for (int a = 0; a < r->system->tables.n_array; a++) {
        const char *prefix =
            ml_pool_format(r->pool, "system.%s.", r->system->tables.arrays[a].name);
        const size_t length = prefix ? strlen(prefix) : 0;
        const char *row = path + length;
        if (!(r->system->tables.arrays[a].flags & ML_SYMMETRIC) || !prefix ||
            strncmp(path, prefix, length) != 0 || !strchr(row, '.'))
            continue;
        const char *column = strchr(row, '.') + 1;
        return ml_pool_format(r->pool, "%s%s.%.*s", prefix, column, (int)(column - row - 1), row);
    }
    return NULL;
}

/* controllers.motor.limit.low is define.motor_limit_low, and so are numbers of signals; NULL if the
 * path is of neither. */
static const char *laid_out(const struct ml_reader *r, const char *path)
{
    static const char *const sections[] = {"controllers.", "signals."};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const size_t n = strlen(sections[i]);
        const char *name = strncmp(path, sections[i], n) == 0 ? path + n : "";
        const char *dot = strchr(name, '.'), *low = dot ? strchr(dot + 1, '.') : NULL;
        if (dot)
            return ml_pool_format(r->pool, "define.%.*s_%.*s%s%s", (int)(dot - name), name,
                                  low ? (int)(low - dot - 1) : (int)strlen(dot + 1), dot + 1,
                                  low ? "_" : "", low ? low + 1 : "");
    }
    return NULL;
}

const struct ml_slot *ml_slot_find(const struct ml_reader *r, const char *path)
{
    const struct ml_slot *found = slots_find(r, path);
    const char *section = found ? NULL : laid_out(r, path);
    const char *other = found || section ? section : mirrored(r, path);
    return other ? slots_find(r, other) : found;
}

/* A key that exists, but has no slot in this study: it is the same for all runs, or not given. */
enum slotless { UNKNOWN, COMMON, NOT_GIVEN };

static enum slotless find_slotless(const struct ml_reader *r, const char *path)
{
    char known[256];
    for (int scope = 0; scope < ML_N_SCOPE; scope++) {
        const struct ml_keys keys = ml_schema_keys(r->pool, (enum ml_scope)scope, r->system, NULL);
        const char *in = ml_scope_name((enum ml_scope)scope);
        for (int i = 0; i < keys.n; i++) {
            (void)snprintf(known, sizeof known, "%s%s%s", in, *in ? "." : "",
                           keys.row[i].param.name);
            if (keys.row[i].slot < 0 && !ml_key_is_array(&keys.row[i]) && strcmp(known, path) == 0)
                return keys.row[i].is_of_runs ? NOT_GIVEN : COMMON;
        }
    }
    return UNKNOWN;
}

/* A number that a group must have, of a group that is not there. */
static bool slot_is_without_group(const struct ml_reader *r, const struct ml_slot *slot)
{
    return slot->param.group && slot->param.flags & ML_REQUIRED &&
           !ml_slot_has_own(r, slot - r->slots);
}

/* A number of a signal of another type, or the constant that it stands for. */
static bool slot_is_off_signal(const struct ml_reader *r, const struct ml_slot *slot)
{
    return slot->param.flags & (ML_SIGNAL | ML_OF_SIGNAL) && !ml_slot_has_own(r, slot - r->slots);
}

/* Whether a study that names it is not refused. */
static bool slot_is_there(const struct ml_reader *r, const struct ml_slot *slot)
{
    return !(slot->param.flags & ML_VECTOR) && !slot_is_without_group(r, slot) &&
           !slot_is_off_signal(r, slot);
}

/* The path of the first number below a group of keys, "initial.angle.upper" of "initial.angle";
 * NULL: the study has no such number. */
static const char *slot_below(const struct ml_reader *r, const char *path)
{
    const size_t n = strlen(path);
    for (int i = 0; i < r->spec->numbers.n; i++) {
        const char *below = r->slots[i].path;
        if (slot_is_there(r, &r->slots[i]) && strncmp(below, path, n) == 0 && below[n] == '.')
            return below;
    }
    return NULL;
}

static void slot_report_unknown(struct ml_reader *r, const struct ml_node *node)
{
    const char *quoted = ml_quote(r->pool, node->text);
    const enum slotless kind = find_slotless(r, node->text);
    if (kind == NOT_GIVEN) {
        ml_problem(&r->problems, node->location,
                   "cannot sweep %s: the study does not give that number, or its `motion` has "
                   "none; give a value",
                   quoted);
        return;
    }
    const char *below = slot_below(r, node->text);
    if (kind == COMMON && below) {
        ml_problem(&r->problems, node->location,
                   "%s has several numbers; sweep one of these, such as `%s`", quoted, below);
        return;
    }
    if (kind == COMMON) {
        ml_problem(&r->problems, node->location,
                   "%s must be the same in all runs; sweep numbers of system, its segments, "
                   "forces, initial, motion and inverse, `time.step` and `time.end`",
                   quoted);
        return;
    }
    const char *defined = laid_out(r, node->text);
    struct ml_nearest nearest = ml_nearest_any(defined ? defined : node->text);
    for (int i = 0; i < r->spec->numbers.n && r->problems.count < ML_PROBLEMS_SHOWN; i++)
        if (slot_is_there(r, &r->slots[i]))
            ml_nearest_offer(&nearest, r->slots[i].path);
    ml_problem(&r->problems, node->location,
               "%s is not a number of this study; the nearest number is `%s`", quoted,
               nearest.best ? nearest.best : r->slots[0].path);
}

const struct ml_slot *ml_read_slot(struct ml_reader *r, const struct ml_node *node, const char *key)
{
    const char *path = ml_read_text(r, node, key, "a key such as initial.angle.upper");
    if (!path || !r->slots)
        return NULL;
    const struct ml_slot *slot = ml_slot_find(r, path);
    if (!slot)
        slot_report_unknown(r, node);
    if (slot && slot->param.flags & ML_VECTOR)
        ml_problem(&r->problems, node->location,
                   "`%s` is a vector: its numbers are `%s.x` and `%s.y`", path, path, path);
    else if (slot && slot_is_without_group(r, slot))
        ml_problem(&r->problems, node->location,
                   "cannot set `%s`: the system of this study has no `%s`", path,
                   slot->param.group);
    else if (slot && slot_is_off_signal(r, slot))
        ml_problem(&r->problems, node->location,
                   "`%s` is not a number of the signal that this study gives", path);
    else
        return slot;
    return NULL;
}
