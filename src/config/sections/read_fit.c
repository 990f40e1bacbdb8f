/* The key `fit`: measured columns, and the ranges of the sample as the varied numbers. */
#include <string.h>

#include "config/sections/inverse_sets.h"
#include "config/sections/sections.h"
#include "manylink/text.h"

/* Datasets of inverse dynamics that a column may be of. */
static const struct fit_torque {
    const char *name, *unit;
    int set, n_coordinate; /* 0: a number for each joint */
} fit_torques[] = {
#define X(code, name, doc) {name, "N m", code, 0},
    ML_TORQUE_LIST(X)
#undef X
        {"joint_force", "N", ML_SET_FORCE, 2},
};

/* The torque or force of a joint that a key names, torque.NAME or joint_force.NAME.x; false after a
 * problem. */
static bool read_measured_torque(struct ml_reader *r, const struct ml_node *node,
                                 struct ml_fit_column *to)
{
    char *const *joints = r->spec->segment_names;
    const int n = joints ? r->spec->model.n : 0;
    struct ml_pool *pool = r->spec->pool;
    for (size_t s = 0; s < sizeof fit_torques / sizeof *fit_torques; s++) {
        const struct fit_torque *of = &fit_torques[s];
        const size_t length = strlen(of->name);
        const bool is_it = strncmp(node->key, of->name, length) == 0 && node->key[length] == '.';
        const int n_row = n * (of->n_coordinate ? of->n_coordinate : 1);
        for (int i = 0; is_it && i < n_row; i++) {
            const char *path =
                of->n_coordinate
                    ? ml_pool_format(pool, "%s.%s.%c", of->name, joints[i / 2], "xy"[i % 2])
                    : ml_pool_format(pool, "%s.%s", of->name, joints[i]);
            if (!path || strcmp(path, node->key) != 0)
                continue;
            *to = (struct ml_fit_column){
                .name = path, .unit = of->unit, .record = of->set, .row = i, .sd = (double)NAN};
            return true;
        }
    }
    ml_problem(
        &r->problems, node->key_location,
        "%s is no torque or force of a joint: of: inverse compares torque.NAME, its parts such "
        "as torque_gravity.NAME, and joint_force.NAME.x or .y of system `chain`; joints are "
        "%s%s",
        ml_quote(r->pool, node->key), n > 0 ? joints[0] : "not there", n > 1 ? ", ..." : "");
    return false;
}

/* The recorded number, or formula, that a key names; false after a problem. */
static bool read_measured_number(struct ml_reader *r, const struct ml_node *node,
                                 struct ml_fit_column *to)
{
    const struct ml_node named = {
        .kind = ML_NODE_SCALAR, .location = node->key_location, .text = node->key};
    struct ml_event_keep found;
    if (r->spec->fit.of == ML_FIT_TORQUES)
        return read_measured_torque(r, node, to);
    if (!r->system || !ml_read_chosen(r, &named, "columns", &found))
        return false;
    if (found.n_row > 1) {
        ml_problem(&r->problems, node->key_location,
                   "a column is of a single number, not of all of %s: %s", found.name,
                   ml_record_rows_text(r, &r->system->tables.records[found.record]));
        return false;
    }
    *to = (struct ml_fit_column){.name = found.name,
                                 .unit = found.unit,
                                 .is_formula = ml_record_is_formula(r, found.record) &&
                                               strcmp(found.unit, "1") == 0,
                                 .record = found.record,
                                 .row = found.first,
                                 .sd = (double)NAN};
    return true;
}

static void read_columns(struct ml_reader *r, const struct ml_node *map)
{
    struct ml_fit_spec *fit = &r->spec->fit;
    const size_t n = (size_t)map->n_child;
    if (n == 0 || n > ML_FIT_COLUMNS) {
        ml_problem(&r->problems, map->location, "columns has %d entries but may have 1 to %d",
                   (int)n, (int)ML_FIT_COLUMNS);
        return;
    }
    fit->listed = ml_pool_take(r->spec->pool, n, sizeof *fit->listed);
    for (const struct ml_node *node = map->first; fit->listed && node; node = node->next) {
        struct ml_fit_column *to = &fit->listed[fit->n_listed];
        const char *column = ml_read_text(r, node, node->key, "the name of a column");
        if (!column || !read_measured_number(r, node, to))
            continue;
        to->column = ml_pool_text(r->spec->pool, column, strlen(column));
        fit->n_listed++;
    }
}

/* The name of a column of the table in place of a deviation; NULL: it is a number. */
static const char *deviation_column(struct ml_reader *r, const struct ml_node *node)
{
    double value;
    char why[128];
    const bool is_number = node->kind != ML_NODE_SCALAR || strchr("+-.0123456789", node->text[0]) ||
                           ml_number_parse(node->text, &value, why, sizeof why);
    return is_number ? NULL : ml_pool_text(r->spec->pool, node->text, strlen(node->text));
}

static bool read_deviation(struct ml_reader *r, const struct ml_node *node,
                           struct ml_fit_column *to)
{
    const struct ml_param param = {
        .name = "sd", .unit = to->unit, .low = ML_FIT_LEAST_SD, .high = (double)INFINITY};
    return ml_read_number(r, node, &param, &to->sd);
}

/* Standard deviations by the names of the columns. */
static void read_deviations(struct ml_reader *r, const struct ml_node *map)
{
    struct ml_fit_spec *fit = &r->spec->fit;
    for (const struct ml_node *node = map->first; node; node = node->next) {
        int i = 0;
        while (i < fit->n_listed && strcmp(fit->listed[i].name, node->key) != 0)
            i++;
        if (i == fit->n_listed)
            ml_problem(&r->problems, node->key_location,
                       "sd of %s, which is no key of `columns`; leave it out",
                       ml_quote(r->pool, node->key));
        else if (!(fit->listed[i].sd_column = deviation_column(r, node)))
            (void)read_deviation(r, node, &fit->listed[i]);
    }
    for (int i = 0; i < fit->n_listed; i++)
        if (r->problems.count == 0 && isnan(fit->listed[i].sd) && !fit->listed[i].sd_column)
            ml_problem(&r->problems, map->location,
                       "sd of `%s` is missing; give the deviation of every column",
                       fit->listed[i].name);
}

/* One deviation of all columns, given or found by the fit, is that of numbers of one unit. */
static void check_one_unit(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_fit_column *listed = r->spec->fit.listed;
    for (int i = 1; i < r->spec->fit.n_listed; i++)
        if (strcmp(listed[i].unit, listed[0].unit) != 0) {
            ml_problem(&r->problems, node->location,
                       "cannot weigh `%s` [%s] against `%s` [%s]: give the standard deviation of "
                       "each, sd: {%s: ..., %s: ...}",
                       listed[0].name, listed[0].unit, listed[i].name, listed[i].unit,
                       listed[0].name, listed[i].name);
            return;
        }
}

static void read_sd(struct ml_reader *r, const struct ml_node *fit, const struct ml_node *sd)
{
    struct ml_fit_spec *to = &r->spec->fit;
    if (sd && sd->kind == ML_NODE_MAP) {
        read_deviations(r, sd);
    } else {
        check_one_unit(r, sd ? sd : ml_node_find(fit, "columns"));
        for (int i = 0; sd && i < to->n_listed; i++)
            if (!read_deviation(r, sd, &to->listed[i]))
                return;
    }
    to->has_deviations = sd != NULL;
}

/* Whether a range may be fitted, by its bounds alone or with a prior; false after a problem. */
static bool is_prior(struct ml_reader *r, const struct ml_node *place, const struct ml_swept *swept)
{
    const struct ml_fit_spec *fit = &r->spec->fit;
    const struct ml_distribution *d = &swept->distribution;
    const char *word = ml_distributions[d->kind].word;
    const int before = r->problems.count;
    if (d->kind == ML_UNIFORM)
        return true;
    if (d->kind != ML_NORMAL && d->kind != ML_LOGNORMAL)
        ml_problem(&r->problems, place->location,
                   "cannot fit `%s` by distribution `%s`: the prior of a fitted number is `normal` "
                   "or `lognormal`, or `uniform` between bounds `from` and `to`",
                   swept->path, word);
    else if (!(d->mean >= swept->low && d->mean <= swept->high))
        ml_problem(&r->problems, place->location,
                   "the mean of the prior of `%s`, %.6g, is outside of its range, %.6g to %.6g; "
                   "widen the range, or correct the mean",
                   swept->path, d->mean, swept->low, swept->high);
    else if (!fit->has_deviations)
        ml_problem(&r->problems, place->location,
                   "cannot weigh the prior of `%s` against measured numbers of unknown noise; give "
                   "`sd`, or leave `distribution` out",
                   swept->path);
    else if (fit->loss != ML_LOSS_SQUARES)
        ml_problem(&r->problems, place->location,
                   "cannot weigh the prior of `%s` against a `loss`: a prior goes with squares; "
                   "leave `loss` or `distribution` out",
                   swept->path);
    return r->problems.count == before;
}

/* Keys of range `dimension` of the sample, as a direction. */
static void read_range(struct ml_reader *r, const struct ml_axis *sample, int dimension,
                       struct ml_fit_range *to)
{
    struct ml_pool *pool = r->spec->pool;
    int *slots = ml_pool_take(pool, (size_t)sample->n_swept, sizeof *slots);
    double *weights = ml_pool_take(pool, (size_t)sample->n_swept, sizeof *weights);
    const struct ml_swept *first = NULL;
    const char *keys = NULL;
    int n = 0;
    for (int i = 0; slots && weights && i < sample->n_swept; i++) {
        const struct ml_swept *swept = &sample->swept[i];
        if (swept->dimension != dimension)
            continue;
        const struct ml_node *place = r->swept_by[swept->slot];
        first = first ? first : swept;
        if (ml_report_no_derivative(r, place, swept->slot))
            return;
        if (swept == first && !is_prior(r, place, swept))
            return;
        keys = keys ? ml_pool_format(pool, "%s, %s", keys, swept->path) : swept->path;
        slots[n] = swept->slot;
        weights[n++] = swept->weight;
    }
    if (!first)
        return;
    const struct ml_distribution *d = &first->distribution;
    const char *place = ml_location_text(&r->problems, r->swept_by[first->slot]->location);
    const double own = first->is_factor ? 1.0 : r->spec->numbers.base[first->slot];
    *to = (struct ml_fit_range){
        .name = first->is_factor ? ml_pool_format(pool, "factor of %s", first->path) : first->path,
        .keys = keys,
        .unit = first->is_factor ? "1" : first->unit,
        .place = ml_pool_text(pool, place, strlen(place)),
        .from = first->low,
        .to = first->high,
        .is_log = d->is_log || d->kind == ML_LOGNORMAL,
        .own = own >= first->low && own <= first->high ? own : (double)NAN,
        .prior = *d,
        .direction = {n, slots, weights}};
}

/* Places the correlations of the sample among the ranges of the fit, as those of priors. */
static void place_correlation(struct ml_reader *r, const struct ml_node *node, int n)
{
    struct ml_fit_spec *fit = &r->spec->fit;
    const struct ml_correlation *c = &r->spec->runs.sample->correlation;
    const size_t size = (size_t)fit->n_range;
    double *factor = ml_pool_take(r->spec->pool, size * size, sizeof *factor);
    const int *at = fit->n_experiment > 0 ? fit->experiments[0].ranges : NULL;
    for (int i = 0; factor && i < fit->n_range; i++)
        factor[i * fit->n_range + i] = 1.0;
    for (int i = 0; factor && at && i < n; i++)
        for (int j = 0; j < i; j++) {
            const struct ml_fit_range *a = &fit->ranges[at[i]], *b = &fit->ranges[at[j]];
            if (c->matrix[i * n + j] == 0.0 ||
                (ml_fit_has_prior(a) && ml_fit_has_prior(b) && !a->is_own && !b->is_own))
                continue;
            ml_problem(&r->problems, node->key_location,
                       "cannot fit `%s` and `%s` with a correlation: both need a `normal` or "
                       "`lognormal` prior that is common to all experiments; leave the correlation "
                       "out",
                       b->name, a->name);
            return;
        }
    for (int i = 0; factor && at && i < n; i++)
        for (int j = 0; j <= i; j++)
            factor[at[i] * fit->n_range + at[j]] = c->factor[i * n + j];
    fit->prior_factor = factor;
}

static void read_ranges(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_study_spec *spec = r->spec;
    const struct ml_axis *sample = ml_study_spec_sample(spec);
    int n = 0;
    if (!ml_study_spec_is_sample(spec) || ml_sample_is_stored(spec->runs.sample)) {
        ml_problem(&r->problems, node->key_location,
                   "fit needs `sample` without `sweep` and `file`: its ranges are the numbers that "
                   "vary, with their bounds, and its points the starts");
        return;
    }
    for (int i = 0; i < sample->n_swept; i++)
        n = sample->swept[i].dimension >= n ? sample->swept[i].dimension + 1 : n;
    if (spec->runs.sample->design != ML_DESIGN_POINTS)
        ml_problem(&r->problems, node->key_location,
                   "fit takes the points of a sample as its starts; leave `design` out");
    if (r->clock)
        ml_problem(&r->problems, r->swept_by[spec->time.slot]->location,
                   "cannot fit `%s`: all runs are compared with the data at the same times",
                   r->clock->path);
    struct ml_fit_range *ranges = ml_pool_take(spec->pool, (size_t)n + 1, sizeof *ranges);
    if (r->problems.count > 0 || !ranges)
        return;
    for (int i = 0; i < n; i++)
        read_range(r, sample, i, &ranges[i]);
    ml_experiments_place_ranges(r, n, ranges);
    if (spec->runs.sample->correlation.n > 0 && r->problems.count == 0)
        place_correlation(r, node, n);
    if (spec->fit.n_range > ML_FIT_RANGES)
        ml_problem(&r->problems, node->key_location, "fit varies at most %d numbers, not %d",
                   (int)ML_FIT_RANGES, spec->fit.n_range);
}

/* Reports a method that takes the tangents itself, of a plugin that has none. */
static void check_method(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_method *method = ml_study_spec_method(r->spec);
    if (method->implicit && r->system && !r->system->dynamics.has_tangents)
        ml_problem(&r->problems, node->key_location,
                   "cannot fit by %s: it needs second derivatives of a plugin without `tangent`; "
                   "add `tangent` to the plugin, or take an explicit method: %s",
                   method->name, ml_adaptive_names(r, true));
}

/* The walkers of the posterior, once the ranges are known. */
static void read_posterior(struct ml_reader *r, const struct ml_node *node)
{
    const double most = 1 << 27; /* numbers in memory */
    const struct ml_fit_spec *fit = &r->spec->fit;
    const struct ml_walkers *of = &fit->posterior;
    const struct ml_location walkers = ml_read_location(node, "walkers");
    if (of->walkers % 2 != 0 || of->walkers < 2 * (int64_t)fit->n_range)
        ml_problem(&r->problems, walkers,
                   "walkers is %lld but must be even, and at least %d, twice the number of fitted "
                   "numbers: each half moves along lines through the other half",
                   (long long)of->walkers, 2 * fit->n_range);
    if ((double)of->walkers * (double)of->steps * fit->n_range > most)
        ml_problem(&r->problems, ml_read_location(node, "steps"),
                   "%lld walkers of %lld steps of %d numbers do not fit into memory: take at most "
                   "%.0f numbers in all",
                   (long long)of->walkers, (long long)of->steps, fit->n_range, most);
    if (fit->loss != ML_LOSS_SQUARES)
        ml_problem(&r->problems, node->key_location,
                   "cannot draw from a posterior by `loss`: the density is that of normal noise; "
                   "leave `loss` or `posterior` out");
}

/* Reports why runs cannot begin anywhere from a state alone, as the arcs of multiple shooting do.
 */
static void check_segments(struct ml_reader *r, const struct ml_node *node)
{
    const struct ml_study_spec *spec = r->spec;
    const int first = ml_slot_initial(&spec->model, 0, 0), end = ml_slot_forces(&spec->model);
    const char *reason = spec->fit.of == ML_FIT_TORQUES ? "torques of a motion need no runs" : NULL;
    for (int i = 0; i < spec->n_event; i++)
        if (spec->events[i].stops || spec->events[i].n_set > 0)
            reason = "an event stops runs or sets the state";
    for (int slot = first; slot < end; slot++)
        if (ml_defined_moves(spec->numbers.defined, slot))
            reason = "a formula of `define` gives a number of `initial`";
    if (ml_node_find(ml_node_find(r->root, "system"), "constraints"))
        reason = "states between would have to hold the constraints";
    if (reason)
        ml_problem(&r->problems, node->key_location,
                   "cannot cut the records into segments: %s; leave `segments` out", reason);
}

void ml_read_fit(struct ml_reader *r, const struct ml_node *node)
{
    struct ml_fit_spec *fit = &r->spec->fit;
    if (!node)
        return;
    const struct ml_node *columns = ml_node_find_kind(node, "columns", ML_NODE_MAP);
    const int before = r->problems.count;
    ml_read_scope(r, node, ML_SCOPE_FIT, r->spec);
    const struct ml_node *posterior = ml_node_find_kind(node, "posterior", ML_NODE_MAP);
    if (posterior)
        ml_read_scope(r, posterior, ML_SCOPE_POSTERIOR, r->spec);
    if (columns)
        read_columns(r, columns);
    if (r->problems.count == before && fit->n_listed > 0)
        read_sd(r, node, ml_node_find(node, "sd"));
    if (r->problems.count == before)
        ml_experiments_place_columns(r, node);
    if (fit->segments > 1 && r->problems.count == before)
        check_segments(r, ml_node_find(node, "segments"));
    check_method(r, node);
    if (r->problems.count == before)
        read_ranges(r, node);
    if (r->problems.count == before && posterior)
        read_posterior(r, posterior);
}
