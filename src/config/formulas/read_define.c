/* `define` and `formulas` of a study: the numbers of a run that follow from names, and those that
 * cannot. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/formulas/define.h"
#include "config/formulas/formulas.h"
#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "config/schema/values.h"
#include "config/sections/sections.h"
#include "expr/number.h"
#include "expr/text.h"

enum {
    MOST_NAMES = 1024,
    MOST_LOOKS = 1 << 16 /* runs in which numbers are looked at before any is integrated */
};

static const double step_rounding = 1e-9; /* of a number of steps that is a quotient */

/* A name that has a number, whose node is an input. */
static void read_number(struct ml_reader *r, struct ml_define *d, struct ml_name *name,
                        struct ml_definition *out)
{
    struct ml_param param;
    ml_read_given(r, name->place, &param);
    out->unit = param.unit;
    out->doc = param.doc;
    out->value = param.default_value;
    name->unit = param.unit;
    name->is_formula = false;
    name->first = d->out->n_name;
    d->values[d->out->n_name++] = param.default_value;
}

/* Whether the key can be a name, which may be a key of systems; reports another one. */
static bool check_name(struct ml_reader *r, const struct ml_node *child)
{
    const bool is_right = ml_expr_is_name(child->key) && strcmp(child->key, "t") != 0 &&
                          strcmp(child->key, "all") != 0;
    return is_right || ml_check_formula_name(r, child, "it is a word of keys that take names");
}

/* A formula, which is read once all names are known. */
static void read_text(struct ml_reader *r, struct ml_name *name, struct ml_definition *out)
{
    struct ml_number_fault hint;
    if (!ml_read_text(r, name->place, name->name, "a number or a formula"))
        return;
    out->text = ml_expr_text(name->place->text, r->spec->pool);
    name->is_wrong = ml_number_hint(name->place->text, &hint);
    if (name->is_wrong)
        ml_report_text(r, name->place, name->name, hint.at, hint.what);
}

static void read_names(struct ml_reader *r, struct ml_define *d, const struct ml_node *map)
{
    struct ml_number_fault unused;
    struct ml_study_spec *spec = r->spec;
    int n = 0;
    for (const struct ml_node *child = map->first; child; child = child->next) {
        struct ml_name *name = &d->own.names[n];
        struct ml_definition *out = &spec->numbers.definitions[n++];
        double value;
        *name = (struct ml_name){.name = child->key,
                                 .place = child,
                                 .is_formula = true,
                                 .is_wrong = true,
                                 .node = ML_NO_NODE};
        out->name = ml_pool_text(spec->pool, child->key, strlen(child->key));
        if (!check_name(r, child))
            continue;
        if (child->kind == ML_NODE_MAP ||
            (child->kind == ML_NODE_SCALAR && ml_expr_number(child->text, &value, &unused)))
            read_number(r, d, name, out);
        else
            read_text(r, name, out);
    }
    spec->numbers.n_definition = n; /* from here on a word behind a number may be a name */
}

/* Reads the formulas of names, each for the others too. */
static void read_formulas(struct ml_reader *r, struct ml_define *d, const struct ml_node *define)
{
    for (int i = 0; i < d->own.n; i++)
        (void)ml_names_define(&d->f, &d->own.names[i]);
    if (define && d->out->graph.n > ML_DEFINED_MOST)
        ml_problem(&r->problems, define->location,
                   "the formulas of define have more than %d operations", (int)ML_DEFINED_MOST);
}

void ml_read_define(struct ml_reader *r, const struct ml_node *define)
{
    struct ml_study_spec *spec = r->spec;
    const int most = define ? define->n_child : 0;
    const size_t n = (size_t)most + 1;
    struct ml_define *d = ml_pool_take(r->pool, 1, sizeof *d);
    struct ml_defined *out = ml_pool_take(spec->pool, 1, sizeof *out);
    struct ml_name *names = ml_pool_take(r->pool, n, sizeof *names);
    if (!d || !out)
        return;
    *out = (struct ml_defined){.graph = {.pool = spec->pool, .is_unfused = true},
                               .functions = spec->registry->functions};
    *d = (struct ml_define){
        .pool = r->pool, .out = out, .values = ml_pool_take(r->pool, n, sizeof *d->values)};
    spec->numbers.definitions = ml_pool_take(spec->pool, n, sizeof *spec->numbers.definitions);
    if (r->pool->is_short || spec->pool->is_short)
        return;
    ml_define_make(r, d, names, most > MOST_NAMES ? 0 : most);
    if (most > MOST_NAMES)
        ml_problem(&r->problems, define->location, "define has %d names but may have %d at most",
                   most, (int)MOST_NAMES);
    else if (define)
        read_names(r, d, define);
    read_formulas(r, d, define);
    spec->numbers.defined = most > 0 ? out : NULL;
    r->define = d;
    r->define_number = ml_define_number;
    r->names = &d->scope;
}

static bool is_within(const double *at, const double *first, int n)
{
    return first && at >= first && at < first + n;
}

/* The slot of a number that was read to `out`; -1: it is no number of a run. */
static int slot_of(const struct ml_reader *r, const double *out)
{
    const struct ml_study_spec *spec = r->spec;
    const int fixed = ml_slot_forces(&spec->model), n_event = spec->n_event * ML_EVENT_NUMBERS;
    if (is_within(out, spec->numbers.base, spec->numbers.n))
        return (int)(out - spec->numbers.base);
    if (is_within(out, r->base, fixed))
        return (int)(out - r->base);
    if (is_within(out, r->force_values, r->first_event - fixed))
        return fixed + (int)(out - r->force_values);
    if (is_within(out, r->event_values, n_event)) {
        const int i = (int)(out - r->event_values);
        return r->events[i / ML_EVENT_NUMBERS].slot[i % ML_EVENT_NUMBERS];
    }
    for (int i = 0; i < spec->numbers.n_of_runs; i++)
        if (is_within(out, spec->numbers.of_runs[i].own, spec->numbers.of_runs[i].n))
            return spec->numbers.of_runs[i].slot + (int)(out - spec->numbers.of_runs[i].own);
    return -1;
}

static struct ml_defined_number *find_number(const struct ml_defined *defined, int slot)
{
    for (int i = 0; i < defined->n; i++)
        if (defined->numbers[i].slot == slot)
            return &defined->numbers[i];
    return NULL;
}

/* Gives a number of a run its formula. An option --set with a plain number goes before it. */
static void place_use(struct ml_reader *r, struct ml_define_use *use, int slot)
{
    const struct ml_param *param = &r->slots[slot].param;
    const bool is_of_file = use->place->location.option == 0;
    if (find_number(r->define->out, slot) || (is_of_file && ml_is_fixed(r, r->slots[slot].path)))
        return;
    if (r->spec->numbers.base[slot] != use->value) {
        use->out = NULL;
        return;
    }
    use->out = &r->spec->numbers.base[slot];
    r->define->out->numbers[r->define->out->n++] = (struct ml_defined_number){
        .slot = slot,
        .node = use->node,
        .low = param->flags & ML_OPEN_LOW ? nextafter(param->low, (double)INFINITY) : param->low,
        .high = param->high,
        .least = *use->out,
        .most = *use->out};
}

/* Formulas by path, which stand for numbers wherever these are given. */
static void read_by_path(struct ml_reader *r, const struct ml_node *formulas)
{
    for (const struct ml_node *child = formulas ? formulas->first : NULL; child;
         child = child->next) {
        const struct ml_node named = {
            .kind = ML_NODE_SCALAR, .location = child->key_location, .text = child->key};
        const struct ml_slot *slot =
            r->slots && ml_read_clock(r, &named) ? ml_read_slot(r, &named, "formulas") : NULL;
        if (strncmp(child->key, "define.", strlen("define.")) == 0)
            ml_problem(&r->problems, child->key_location,
                       "the number of `%s` is below `define`; give it there", child->key);
        else if (slot && !(child->location.option == 0 && ml_is_fixed(r, slot->path)))
            (void)ml_read_number(r, child, &slot->param, &r->spec->numbers.base[slot - r->slots]);
    }
}

void ml_formulas_place(struct ml_reader *r, const struct ml_node *formulas)
{
    struct ml_define *d = r->define;
    read_by_path(r, formulas);
    size_t n = 1;
    for (const struct ml_define_use *use = d ? d->uses : NULL; use; use = use->next)
        n++;
    if (!d || !r->slots || !r->spec->numbers.defined)
        return;
    d->out->numbers = ml_pool_take(r->spec->pool, n, sizeof *d->out->numbers);
    for (struct ml_define_use *use = d->uses; use && d->out->numbers; use = use->next) {
        const int slot = slot_of(r, use->out);
        if (slot >= 0)
            place_use(r, use, slot);
    }
}

/* The use of a defined number that differs between runs. */
static const struct ml_define_use *use_of(const struct ml_reader *r,
                                          const struct ml_defined_number *number)
{
    const struct ml_define_use *use = r->define->uses;
    while (use && use->out != &r->spec->numbers.base[number->slot])
        use = use->next;
    assert(use); /* the number has its formula */
    return use;
}

static bool is_differentiated(const struct ml_study_spec *spec, int slot)
{
    for (int p = 0; p < spec->model.n_sens; p++)
        for (int i = 0; i < spec->derivatives.directions[p].n; i++)
            if (spec->derivatives.directions[p].slot[i] == slot)
                return true;
    return false;
}

/* Index of the first name that a node depends on and that is swept, or differentiated by; -1: none
 * is. */
static int moving_name(const struct ml_reader *r, int node)
{
    const bool *is_named = ml_define_names_of(r->define, node);
    for (int i = 0; is_named && i < r->define->out->n_name; i++)
        if (is_named[i] && (r->swept_by[r->define->out->first + i] ||
                            is_differentiated(r->spec, r->define->out->first + i)))
            return i;
    return -1;
}

static void report_common(struct ml_reader *r, const struct ml_define_use *use, int name)
{
    const char *path = r->slots[r->define->out->first + name].path;
    if (r->swept_by[r->define->out->first + name])
        ml_problem(&r->problems, use->place->location,
                   "%s must be the same in all runs, but depends on `%s`, which is swept; a number "
                   "of each run is given below `formulas` by its path",
                   use->param.name, path);
    else
        ml_problem(&r->problems, use->place->location,
                   "%s does not enter the motion, but depends on `%s`, by which derivatives are "
                   "taken; leave out either",
                   use->param.name, path);
}

/* The formula of a time of the study by which runs differ; NULL: they do not differ in it. */
static const struct ml_define_use *moving_use(const struct ml_reader *r, const double *out)
{
    const struct ml_define_use *use = r->define->uses;
    while (use && (use->out != out || moving_name(r, use->node) < 0))
        use = use->next;
    return use;
}

/* A number that is the same in all runs must not depend on names that are swept; but the time at
 * the end, or the step, may become a number of each run. */
static void settle_common(struct ml_reader *r, struct ml_define_use *use)
{
    struct ml_study_spec *spec = r->spec;
    const int name = use->is_copied || slot_of(r, use->out) >= 0 ? -1 : moving_name(r, use->node);
    const bool is_end = use->out == &spec->time.end;
    struct ml_node named = {.kind = ML_NODE_SCALAR, .location = use->place->location};
    if (name >= 0 && !is_end && use->out != &spec->time.step)
        report_common(r, use, name);
    if (name < 0 || !(is_end || use->out == &spec->time.step) || (is_end && r->define->end))
        return;
    named.text = ml_pool_format(r->pool, "time.%s", is_end ? "end" : "step");
    if (named.text && ml_read_clock(r, &named) && strcmp(r->clock->path, named.text) == 0)
        place_use(r, use, spec->time.slot);
}

/* A continued run starts from the end of its neighbour, so a formula of its start has no effect. */
static void check_continued(struct ml_reader *r, const struct ml_defined_number *number)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_axis *axis =
        spec->runs.n_axis > 0 ? &spec->runs.axes[spec->runs.n_axis - 1] : NULL;
    const int slot = number->slot;
    const bool *is_named =
        ml_slot_is_of_start(&spec->model, slot) && axis && axis->continuation != ML_CONTINUE_NONE
            ? ml_define_names_of(r->define, number->node)
            : NULL;
    for (int i = 0; is_named && i < axis->n_swept; i++) {
        const int name = axis->swept[i].slot - r->define->out->first;
        if (name >= 0 && name < r->define->out->n_name && is_named[name])
            ml_problem(&r->problems, use_of(r, number)->place->location,
                       "with `continue` a run begins where another run ended, so the formula of "
                       "`%s` has no effect along `%s`; give a formula without that name",
                       r->slots[slot].path, axis->swept[i].path);
    }
}

static void settle_number(struct ml_reader *r, struct ml_defined_number *number)
{
    const struct ml_define_use *use = use_of(r, number);
    const struct ml_node **by = &r->swept_by[number->slot];
    if (*by)
        ml_problem(&r->problems, (*by)->location,
                   "cannot sweep `%s`: the study gives the formula %s; sweep a name in the "
                   "formula, or give a number instead",
                   r->slots[number->slot].path, ml_quote(r->pool, use->place->text));
    number->is_moved = moving_name(r, number->node) >= 0;
    *by = number->is_moved && !*by ? use->place : *by;
    check_continued(r, number);
}

/* The step or end of runs that do not differ in it. */
static void drop_common_clock(struct ml_reader *r)
{
    int n = 0;
    for (int i = 0; i < r->define->out->n; i++)
        if (r->define->out->numbers[i].is_moved ||
            &r->slots[r->define->out->numbers[i].slot] != r->clock)
            r->define->out->numbers[n++] = r->define->out->numbers[i];
    r->define->out->n = n;
}

/* Where runs differ in the step and in the end, the end is as many steps behind the start in all of
 * them; false after telling. v  of the run */
static bool check_steps(struct ml_reader *r, const double *v, int64_t run)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_define_use *step = r->define->step, *end = r->define->end;
    const double steps = (v[end->node] - spec->time.start) / v[step->node],
                 n = (double)spec->time.n_step;
    if (fabs(steps - n) <= step_rounding * n)
        return true;
    ml_problem(&r->problems, end->place->location,
               "all runs must have the same number of steps, but `end` is %.10g steps after the "
               "start in run %lld and %.10g in other runs; give `steps: N` instead",
               steps, (long long)run, n);
    return false;
}

/* Looks at the numbers of one run; false after telling one that is not allowed. */
static bool look_at_run(struct ml_reader *r, int64_t run, double *values)
{
    double v[ML_DEFINED_MOST], unused[ML_DEFINED_MOST];
    ml_study_values(r->spec, run, values);
    ml_defined_compute(r->define->out, values + r->define->out->first, NULL, v, unused);
    bool is_allowed = !r->define->end || check_steps(r, v, run);
    for (int i = 0; is_allowed && i < r->define->out->n; i++) {
        struct ml_defined_number *number = &r->define->out->numbers[i];
        const struct ml_param *param = &r->slots[number->slot].param;
        const double value = v[number->node];
        if (!number->is_moved)
            continue;
        number->least = run == 0 ? value : fmin(number->least, value);
        number->most = run == 0 ? value : fmax(number->most, value);
        is_allowed = ml_read_range(r, use_of(r, number)->place->location, param, value);
        if (is_allowed && param->flags & ML_WHOLE && value != nearbyint(value)) {
            is_allowed = false;
            ml_problem(&r->problems, use_of(r, number)->place->location,
                       "%s must be an integer, but is %.10g in run %lld", param->name, value,
                       (long long)run);
        }
    }
    return is_allowed;
}

/* Looks at all combinations of the names that are swept, or at many that are spread evenly. */
static void look_at_runs(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    double *values = ml_pool_take(r->pool, (size_t)spec->numbers.n + 1, sizeof *values);
    int64_t stride[ML_MAX_AXES], count[ML_MAX_AXES], n = 1, runs = 1;
    int n_axis = 0;
    for (int a = spec->runs.n_axis - 1; a >= 0; runs *= spec->runs.axes[a--].count) {
        bool is_of_name = false;
        for (int i = 0; i < spec->runs.axes[a].n_swept; i++)
            is_of_name |=
                spec->runs.axes[a].swept[i].slot >= r->define->out->first &&
                spec->runs.axes[a].swept[i].slot < r->define->out->first + r->define->out->n_name;
        stride[n_axis] = runs;
        count[n_axis] = is_of_name ? spec->runs.axes[a].count : 1;
        n *= count[n_axis++];
    }
    const int64_t each = (n + MOST_LOOKS - 1) / MOST_LOOKS;
    bool goes_on = values != NULL;
    for (int64_t look = 0; goes_on && look < n;
         look = look + each < n || look == n - 1 ? look + each : n - 1) {
        int64_t run = 0, rest = look;
        for (int k = 0; k < n_axis; k++) {
            run += rest % count[k] * stride[k];
            rest /= count[k];
        }
        goes_on = look_at_run(r, run, values);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const struct ml_defined_number *p = a, *q = b;
    return (p->slot > q->slot) - (p->slot < q->slot);
}

/* For the resolved text, in the order of slots. */
static void keep_formulas(struct ml_reader *r)
{
    struct ml_pool *pool = r->spec->pool;
    const size_t n = (size_t)r->define->out->n;
    struct ml_formulas *out = &r->spec->numbers.formulas;
    out->names = ml_pool_take(pool, n + 1, sizeof *out->names);
    out->texts = ml_pool_take(pool, n + 1, sizeof *out->texts);
    if (n > 0)
        qsort(r->define->out->numbers, n, sizeof *r->define->out->numbers, compare_numbers);
    for (; !pool->is_short && out->n < r->define->out->n; out->n++) {
        out->names[out->n] = r->slots[r->define->out->numbers[out->n].slot].path;
        out->texts[out->n] =
            ml_expr_text(use_of(r, &r->define->out->numbers[out->n])->place->text, pool);
    }
}

/* Values of names that are formulas, for the resolved text. */
static void keep_values(const struct ml_reader *r)
{
    double v[ML_DEFINED_MOST], unused[ML_DEFINED_MOST];
    const struct ml_study_spec *spec = r->spec;
    struct ml_define *d = r->define;
    ml_defined_compute(d->out, spec->numbers.base + r->define->out->first, NULL, v, unused);
    for (int i = 0; i < d->own.n; i++) {
        const int node = ml_names_define(&d->f, &d->own.names[i]);
        if (node != ML_NO_NODE)
            spec->numbers.definitions[i].value = v[node];
    }
}

static void notice_unused(struct ml_reader *r)
{
    const struct ml_names *own = &r->define->own;
    for (const struct ml_name *name = own->names; name < own->names + own->n; name++)
        if (!name->is_used)
            ml_notice(r, name->place->key_location, "no number depends on `%s`", name->name);
}

void ml_formulas_settle(struct ml_reader *r)
{
    struct ml_define *d = r->define;
    if (!r->slots || !r->spec->numbers.defined || !d->out->numbers)
        return;
    d->step = moving_use(r, &r->spec->time.step);
    d->end = d->step ? moving_use(r, &r->spec->time.end) : NULL;
    for (struct ml_define_use *use = d->uses; use; use = use->next)
        settle_common(r, use);
    d->settled = d->uses;
    for (int i = 0; i < d->out->n; i++)
        settle_number(r, &d->out->numbers[i]);
    drop_common_clock(r);
    keep_formulas(r);
    keep_values(r);
    if (r->problems.count == 0 && !r->pool->is_short && !r->spec->pool->is_short)
        look_at_runs(r);
}

void ml_formulas_end(struct ml_reader *r)
{
    const struct ml_define *d = r->define;
    if (!r->slots || !r->spec->numbers.defined)
        return;
    notice_unused(r);
    for (const struct ml_define_use *use = d->uses; use != d->settled; use = use->next) {
        const int name = moving_name(r, use->node);
        if (!use->is_copied && name >= 0)
            report_common(r, use, name);
    }
}

bool ml_formulas_each_of(struct ml_reader *r, int name,
                         bool (*visit)(struct ml_reader *r, const struct ml_node *node, int slot,
                                       const struct ml_node *formula),
                         const struct ml_node *node)
{
    const struct ml_define *d = r->define;
    const struct ml_define_use *use = d ? d->uses : NULL;
    for (; use; use = use->next) {
        const int slot = slot_of(r, use->out);
        const bool *is_named = use->is_copied && slot < 0 ? NULL : ml_define_names_of(d, use->node);
        if (is_named && is_named[name] && visit(r, node, slot, use->place))
            return true;
    }
    return false;
}
