/* Segments, and the levels of their weights. */
#include "fit/shooting.h"

#include <math.h>
#include <string.h>

#include "fit/coordinate.h"
#include "fit/runs.h"
#include "manylink/fail.h"

static const struct ml_fit_spec *spec_of(const struct ml_shooting *s)
{
    return &s->starts.study->spec.fit;
}

static struct ml_arc *arc_of(const struct ml_shooting *s, int64_t start, int64_t experiment, int k)
{
    return &s->arcs[start].arcs[experiment * s->n_segment + k];
}

/* As `values` of an ensemble: of an arc of the segment at hand. */
static void arc_values(const void *context, int64_t run, double *values)
{
    const struct ml_shooting *s = context;
    const struct ml_fit_spec *fit = spec_of(s);
    const struct ml_instance *model = &s->starts.study->ensemble.model;
    const int64_t start = s->starts.underway[run / fit->n_experiment], e = run % fit->n_experiment;
    double numbers[ML_FIT_MOST];
    for (int i = 0; i < s->starts.n; i++)
        numbers[i] = ml_fit_number(&fit->ranges[i], s->starts.descents[start].trial[i]);
    ml_starts_set(&s->starts, (int)e, numbers, values);
    if (s->at == 0)
        return;
    ml_slots_clear_start(model->system, values);
    memcpy(values + ml_slot_initial(model, 0, 0), arc_of(s, start, e, s->at)->trial,
           (size_t)s->n_x * sizeof *values);
}

/* The state of an arc where the next begins, in run j of a block, and its derivatives. */
static void keep_end(const struct ml_shooting *s, const struct ml_block *block, int64_t j,
                     const double *scales, struct ml_arc_numbers *to)
{
    const struct ml_segment *segment = &s->segments[s->at];
    const int64_t n_sample = ml_ensemble_samples(&segment->ensemble), at = segment->n_sample;
    for (int x = 0; x < s->n_x; x++) {
        const struct ml_fit_curve curve =
            ml_fit_curve_of(&segment->ensemble, block, j, s->state[x][0], s->state[x][1]);
        to->end[x] = curve.values[at];
        for (int i = 0; i < s->n_number; i++)
            to->derivs[x * s->n_number + i] = scales[i] * curve.derivs[i * n_sample + at];
    }
}

static enum ml_status arcs_write(void *context, const struct ml_block *block, struct ml_error *err)
{
    struct ml_shooting *s = context;
    const struct ml_fit_spec *fit = spec_of(s);
    const struct ml_segment *segment = &s->segments[s->at];
    double scales[ML_FIT_MOST];
    int rows[ML_FIT_MOST];
    struct ml_fit_curve curves[ML_FIT_COLUMNS];
    struct ml_comparison comparison = {.fit = fit,
                                       .measured = &segment->measured,
                                       .n_sample = ml_ensemble_samples(&segment->ensemble),
                                       .n_number = s->n_number,
                                       .n_direction = s->n_number,
                                       .scales = scales,
                                       .rows = rows,
                                       .detail = s->starts.detail ? &segment->detail : NULL,
                                       .scale = s->starts.scale};
    (void)err;
    for (int i = 0; i < s->n_number; i++) {
        rows[i] = i;
        scales[i] = 1.0;
    }
    for (int64_t j = 0; j < block->n_run; j++) {
        const int64_t start = s->starts.underway[(block->first + j) / fit->n_experiment],
                      e = (block->first + j) % fit->n_experiment;
        struct ml_arc_numbers *to = &arc_of(s, start, e, s->at)->found;
        comparison.experiment = &fit->experiments[e];
        ml_fit_scales(fit, comparison.experiment, s->starts.descents[start].trial, scales);
        for (int c = 0; c < comparison.experiment->n_column; c++) {
            const struct ml_fit_column *of = &fit->columns[comparison.experiment->first + c];
            curves[c] = ml_fit_curve_of(&segment->ensemble, block, j, of->record, of->row);
        }
        ml_normal_sums(&comparison, block->outcome[j] == ML_FINISHED ? curves : NULL, &to->sums);
        keep_end(s, block, j, scales, to);
    }
    return ML_OK;
}

/* Where an arc begins at first: where the arc before ends, but with those numbers of the state that
 * are measured near there. */
static void guess(const struct ml_shooting *s, int64_t start, int e, int k)
{
    const struct ml_experiment *experiment = &spec_of(s)->experiments[e];
    const struct ml_measured_numbers *m = &s->segments[k].measured;
    struct ml_arc *arc = arc_of(s, start, e, k);
    for (int x = 0; x < s->n_x; x++) {
        const double end = arc[-1].found.end[x];
        arc->trial[x] = isfinite(end) ? end : 0.0;
        for (int c = experiment->first; c < experiment->first + experiment->n_column; c++) {
            const struct ml_fit_column *column = &spec_of(s)->columns[c];
            int64_t at = 0;
            if (column->record != s->state[x][0] || column->row != s->state[x][1])
                continue;
            while (at < m->n_time && !isfinite(m->values[c][at]))
                at++;
            if (at < m->n_time && 2 * m->first[at] < s->segments[k].n_sample)
                arc->trial[x] = m->values[c][at];
        }
    }
}

/* Root of the mean square of each number of the state where arcs of a start's trial begin. */
static void find_sizes(const struct ml_shooting *s, int64_t start, double *size)
{
    const int n_arc = spec_of(s)->n_experiment * s->n_segment;
    for (int x = 0; x < s->n_x; x++) {
        double sum = 0.0;
        for (int a = 0; a < n_arc; a++)
            if (a % s->n_segment > 0)
                sum += s->arcs[start].arcs[a].trial[x] * s->arcs[start].arcs[a].trial[x] / n_arc;
        size[x] = sum > 0.0 && isfinite(sum) ? sqrt(sum) : 1.0;
    }
}

/* Places the starts of the trials' arcs before any segment is run. */
static void place_trials(const struct ml_shooting *s)
{
    const int n_arc = spec_of(s)->n_experiment * s->n_segment;
    for (int64_t i = 0; i < s->starts.n_underway && !s->is_guess; i++) {
        const int64_t start = s->starts.underway[i];
        const struct ml_descent *d = &s->starts.descents[start];
        const bool stays = s->starts.detail || !isfinite(d->at.cost);
        if (!isfinite(d->at.cost))
            s->arcs[start].n_accepted = 0;
        if (!stays)
            ml_arcs_follow(&s->arcs[start], d);
        for (int a = 0; a < n_arc && stays; a++)
            memcpy(s->arcs[start].arcs[a].trial, s->arcs[start].arcs[a].start,
                   (size_t)s->n_x * sizeof(double));
    }
}

/* Adds up the costs of the trials' arcs and gaps, and of second derivatives those along single
 * coordinates, by which numbers are known that nothing depends on. */
static void add_up(const struct ml_shooting *s, int64_t start, struct ml_normal *to)
{
    const int n = s->starts.n;
    double cost = 0.0;
    memset(to->slope, 0, (size_t)n * sizeof *to->slope);
    memset(to->hessian, 0, (size_t)n * (size_t)n * sizeof *to->hessian);
    for (int e = 0; e < spec_of(s)->n_experiment; e++)
        for (int k = 0; k < s->n_segment; k++) {
            const struct ml_arc *arc = arc_of(s, start, e, k);
            const int *ranges = spec_of(s)->experiments[e].ranges;
            cost += arc->found.sums.cost;
            for (int i = 0; i < spec_of(s)->n_direction; i++)
                to->hessian[ranges[i] * (n + 1)] += arc->found.sums.hessian[i * (s->n_number + 1)];
            if (k > 0)
                cost += ml_arcs_gap(&s->arcs[start], arc[-1].found.end, arc->trial);
        }
    to->cost = isfinite(cost) ? cost : (double)INFINITY;
}

/* Eliminates the arcs of a start, damped as the descent is, which may be a copy of the start's. */
static double eliminate_arcs(const struct ml_shooting *s, int64_t start, const struct ml_descent *d)
{
    struct ml_arcs *arcs = &s->arcs[start];
    if (arcs->n_accepted != d->n_accepted)
        ml_arcs_accept(arcs);
    arcs->n_accepted = d->n_accepted;
    struct ml_normal at = d->at;
    const double lowers = ml_arcs_eliminate(arcs, d);
    ml_starts_add_priors(&s->starts, d->z, &at);
    return lowers;
}

/* As `eliminate` of a descent. */
static double eliminate(void *context, const struct ml_descent *d)
{
    const struct ml_shooting *s = context;
    return eliminate_arcs(s, d - s->starts.descents, d);
}

/* The derivatives of weighed gaps of an experiment, which bind the coordinates as measured numbers
 * do: the weights are finite, and where runs diverge the gaps then take a share. */
static void join_gaps(const struct ml_shooting *s, int64_t start, int e, const double *moves)
{
    const struct ml_fit_spec *fit = spec_of(s);
    const struct ml_arcs *arcs = &s->arcs[start];
    const int d = fit->n_direction, n_x = s->n_x;
    for (int k = 1; k < s->n_segment; k++) {
        const double *derivs = arc_of(s, start, e, k - 1)->at.derivs;
        for (int x = 0; x < n_x; x++)
            for (int i = 0; i < d; i++) {
                double sum = derivs[x * s->n_number + i] - moves[(k * n_x + x) * d + i];
                for (int y = 0; y < n_x; y++)
                    sum += derivs[x * s->n_number + d + y] * moves[((k - 1) * n_x + y) * d + i];
                s->starts.more[fit->experiments[e].ranges[i] * s->starts.n_more +
                               (e * (s->n_segment - 1) + k - 1) * n_x + x] =
                    sqrt(arcs->weight) / arcs->size[x] * sum;
            }
    }
}

/* Puts the details of all arcs of a start into those of the records, with derivatives by the
 * coordinates alone: with these the starts move so that the arcs meet. */
static bool join_details(struct ml_shooting *s, int64_t start, const struct ml_fit_detail *to)
{
    const struct ml_fit_spec *fit = spec_of(s);
    const int d = fit->n_direction, n_x = s->n_x;
    const int64_t n_time = s->starts.measured->n_time,
                  n_row = s->starts.measured->n_column * n_time;
    double *moves = ml_pool_take(&s->starts.pool, (size_t)s->n_segment * (size_t)n_x * (size_t)d,
                                 sizeof *moves);
    struct ml_descent exact = s->starts.descents[start];
    exact.damping = 0.0;
    if (!moves)
        return false;
    (void)eliminate_arcs(s, start, &exact);
    for (int c = 0, e = 0; c < fit->n_column; c++) {
        e += c == fit->experiments[e].first + fit->experiments[e].n_column;
        ml_arcs_moves(&s->arcs[start], e, moves);
        for (int k = 0; k < s->n_segment; k++) {
            const struct ml_segment *of = &s->segments[k];
            const int64_t n = of->measured.n_time, n_own = fit->n_column * n;
            memcpy(to->model + c * n_time + of->first, of->detail.model + c * n,
                   (size_t)n * sizeof(double));
            memcpy(to->between + c * n_time + of->first, of->detail.between + c * n,
                   (size_t)n * sizeof(double));
            for (int i = 0; i < d; i++)
                for (int64_t t = 0; t < n; t++) {
                    const double *own = of->detail.jacobian + c * n + t;
                    double sum = own[i * n_own];
                    for (int x = 0; x < n_x; x++)
                        sum += own[(d + x) * n_own] * moves[(k * n_x + x) * d + i];
                    to->jacobian[fit->experiments[e].ranges[i] * n_row + c * n_time + of->first +
                                 t] = sum;
                }
        }
    }
    for (int e = 0; e < fit->n_experiment; e++) {
        ml_arcs_moves(&s->arcs[start], e, moves);
        join_gaps(s, start, e, moves);
    }
    return true;
}

static enum ml_status arcs_evaluate(struct ml_starts *starts, const struct ml_ensemble_options *how,
                                    struct ml_error *err)
{
    struct ml_shooting *s = starts->evaluated;
    const struct ml_sink sink = {.context = s, .put = arcs_write};
    const int n_experiment = spec_of(s)->n_experiment;
    enum ml_status status = ML_OK;
    place_trials(s);
    for (s->at = 0; status == ML_OK && s->at < s->n_segment; s->at++) {
        struct ml_ensemble *e = &s->segments[s->at].ensemble;
        for (int64_t r = 0; s->is_guess && s->at > 0 && r < starts->n_underway * n_experiment; r++)
            guess(s, starts->underway[r / n_experiment], (int)(r % n_experiment), s->at);
        e->n_run = e->saving.run_first = starts->n_underway * n_experiment;
        e->block_runs = ml_ensemble_block_runs(e);
        status = ml_ensemble_run(e, how, &sink, err);
    }
    for (int64_t i = 0; status == ML_OK && i < starts->n_underway; i++) {
        if (s->is_guess)
            find_sizes(s, starts->underway[i], s->arcs[starts->underway[i]].size);
        add_up(s, starts->underway[i], &starts->found[starts->underway[i]]);
    }
    s->is_guess = false;
    if (status == ML_OK && starts->detail && !join_details(s, starts->underway[0], starts->detail))
        status = ML_E_MEMORY;
    return status;
}

/* The largest gap of a start's arcs in parts of the state's size. */
static double largest_gap(const struct ml_shooting *s, int64_t start)
{
    double most = 0.0;
    for (int e = 0; e < spec_of(s)->n_experiment; e++)
        for (int k = 1; k < s->n_segment; k++) {
            const struct ml_arc *arc = arc_of(s, start, e, k);
            for (int x = 0; x < s->n_x; x++)
                most = fmax(most, fabs(arc[-1].at.end[x] - arc->start[x]) / s->arcs[start].size[x]);
        }
    return most;
}

/* The start with the least cost. */
static int64_t best_of(const struct ml_shooting *s)
{
    const struct ml_descent *d = s->starts.descents;
    int64_t best = 0;
    for (int64_t i = 1; i < s->starts.n_start; i++)
        if (d[i].at.cost < d[best].at.cost)
            best = i;
    return best;
}

/* Begins a level, whose weight is given, with the starts that are not far behind the best. */
static void begin_level(struct ml_shooting *s, double weight, double enough)
{
    const double far = 100.0;
    struct ml_starts *starts = &s->starts;
    const double least = starts->descents[best_of(s)].at.cost;
    starts->n_underway = 0;
    for (int64_t i = 0; i < starts->n_start; i++) {
        struct ml_descent *d = &starts->descents[i];
        if (!(d->at.cost <= far * least) && !s->is_guess)
            continue;
        if (!s->is_guess)
            memcpy(d->trial, d->z, (size_t)starts->n * sizeof *d->z);
        ml_descent_begin(d);
        d->enough = enough > 0.0 ? enough : d->enough;
        s->arcs[i].weight = weight;
        starts->underway[starts->n_underway++] = i;
    }
}

/* Whether the arcs of the best start meet; all starts measure gaps by the sizes of that start. */
static bool is_met(const struct ml_shooting *s)
{
    const int64_t best = best_of(s);
    for (int64_t i = 0; i < s->starts.n_start; i++)
        find_sizes(s, best, s->arcs[i].size);
    return largest_gap(s, best) <= ML_SHOOTING_GAP;
}

enum ml_status ml_shooting_find(struct ml_shooting *s, const struct ml_ensemble_options *how,
                                struct ml_error *err)
{
    enum { MOST_LEVELS = 9, MOST = 30 }; /* weights beyond lose the data to rounding; iterations */
    const double first = 0.01, growth = 10.0, rough = 1e-3;
    const int most = (int)spec_of(s)->iterations;
    double weight = first * s->squares;
    for (int64_t i = 0; i < s->starts.n_start; i++)
        s->arcs[i].soft = weight;
    s->is_guess = true;
    begin_level(s, weight, rough);
    enum ml_status status = ml_starts_iterate(&s->starts, how, most, true, err);
    for (int level = 1; status == ML_OK && level < MOST_LEVELS && !is_met(s); level++) {
        weight *= growth;
        begin_level(s, weight, rough);
        status = ml_starts_iterate(&s->starts, how, most < MOST ? most : MOST, false, err);
    }
    begin_level(s, weight, 0.0);
    return status == ML_OK ? ml_starts_iterate(&s->starts, how, most, false, err) : status;
}

/* Where two models of the fit are further apart than the noise: the first time, s; the last
 * measured time if nowhere.
 *   variance  of residuals in their deviations */
static double parting(const struct ml_measured_numbers *m, const double *a, const double *b,
                      double variance)
{
    for (int64_t k = 0; k < m->n_time; k++)
        for (int c = 0; c < m->n_column; c++) {
            const double apart = fabs(a[c * m->n_time + k] - b[c * m->n_time + k]);
            const double rounding = ML_SHOOTING_GAP * m->size[c];
            if (isfinite(m->values[c][k]) && !(apart <= sqrt(variance) * m->sd[c][k] + rounding))
                return m->time[k];
        }
    return m->time[m->n_time - 1];
}

enum ml_status ml_shooting_follow(const struct ml_shooting *s, struct ml_fit_found *found,
                                  struct ml_starts *fit, const struct ml_ensemble_options *how,
                                  struct ml_error *err)
{
    const struct ml_measured_numbers *m = fit->measured;
    const size_t n = (size_t)m->n_column * (size_t)m->n_time;
    const struct ml_fit_detail detail = {
        .model = ml_pool_take(&fit->pool, n, sizeof(double)),
        .between = ml_pool_take(&fit->pool, n, sizeof(double)),
        .jacobian = ml_pool_take(&fit->pool, n * (size_t)fit->n, sizeof(double))};
    if (fit->pool.is_short)
        return ML_E_MEMORY;
    for (size_t i = 0; i < n; i++)
        detail.model[i] = (double)NAN; /* a run that does not finish notes none */
    memcpy(fit->descents[0].z, s->starts.descents[found->best].z, (size_t)fit->n * sizeof(double));
    const enum ml_status status = ml_starts_look(fit, 0, &detail, how, err);
    found->met =
        (struct ml_met){.n_segment = s->n_segment,
                        .gap = largest_gap(s, found->best),
                        .until = parting(m, detail.model, found->detail.model, found->variance),
                        .whole = m->time[m->n_time - 1]};
    return status;
}

void ml_shooting_pass_on(const struct ml_shooting *s, struct ml_starts *fit)
{
    for (int64_t i = 0; i < fit->n_start; i++) {
        const struct ml_descent *by_arcs = &s->starts.descents[i];
        if (by_arcs->end != ML_DESCENT_FAILED)
            memcpy(fit->descents[i].trial, by_arcs->z, (size_t)fit->n * sizeof *by_arcs->z);
        fit->underway[i] = i;
    }
    fit->n_underway = fit->n_start;
    fit->n_evaluation += s->starts.n_evaluation;
    fit->is_led = true;
}

/* Directions of the arcs of the first segment, or of all later arcs, which begin at states that
 * vary. */
static const struct ml_direction *make_directions(struct ml_shooting *s, bool is_first)
{
    const struct ml_fit_spec *fit = spec_of(s);
    const struct ml_instance *model = &s->starts.study->ensemble.model;
    const size_t n_x = (size_t)s->n_x;
    struct ml_pool *pool = &s->starts.pool;
    struct ml_direction *to = ml_pool_take(pool, (size_t)s->n_number, sizeof *to);
    int *slots = ml_pool_take(pool, n_x, sizeof *slots);
    double *weights = ml_pool_take(pool, n_x, sizeof *weights);
    for (int i = 0; !pool->is_short && i < fit->n_direction; i++) {
        const struct ml_direction *of = &fit->ranges[fit->experiments[0].ranges[i]].direction;
        int *own = ml_pool_take(pool, (size_t)of->n, sizeof *own), n = 0;
        double *by = ml_pool_take(pool, (size_t)of->n, sizeof *by);
        for (int k = 0; own && by && k < of->n; k++)
            if (is_first || !ml_slot_is_of_start(model, of->slot[k])) {
                own[n] = of->slot[k];
                by[n++] = of->weight[k];
            }
        to[i] = (struct ml_direction){n, own, by};
    }
    for (int x = 0; !pool->is_short && x < s->n_x; x++) {
        slots[x] = ml_slot_initial(model, 0, 0) + x;
        weights[x] = 1.0;
        to[fit->n_direction + x] = (struct ml_direction){is_first ? 0 : 1, slots + x, weights + x};
    }
    return pool->is_short ? NULL : to;
}

/* The measured numbers beside samples first .. first + n_sample - 1, in the last segment all that
 * are left. */
static bool cut_measured(struct ml_shooting *s, int64_t first, struct ml_segment *to)
{
    const struct ml_measured_numbers *m = s->starts.measured;
    struct ml_measured_numbers *own = &to->measured;
    const bool is_last = to == &s->segments[s->n_segment - 1];
    const size_t n_column = (size_t)m->n_column;
    int64_t k = 0, n = 0;
    while (k < m->n_time && m->first[k] < first)
        k++;
    while (k + n < m->n_time && (is_last || m->first[k + n] < first + to->n_sample))
        n++;
    *own = *m;
    own->n_time = n;
    to->first = k;
    to->detail.model = ml_pool_take(&s->starts.pool, n_column * (size_t)n + 1, sizeof(double));
    to->detail.between = ml_pool_take(&s->starts.pool, n_column * (size_t)n + 1, sizeof(double));
    to->detail.jacobian = ml_pool_take(
        &s->starts.pool, (size_t)s->n_number * n_column * (size_t)n + 1, sizeof(double));
    own->weights = m->weights + k;
    own->first = ml_pool_take(&s->starts.pool, (size_t)n + 1, sizeof *own->first);
    own->values = ml_pool_take(&s->starts.pool, 2 * n_column, sizeof *own->values);
    own->sd = own->values + n_column;
    for (size_t c = 0; !s->starts.pool.is_short && c < n_column; c++) {
        own->values[c] = m->values[c] + k;
        own->sd[c] = m->sd[c] + k;
    }
    for (int64_t i = 0; !s->starts.pool.is_short && i < n; i++)
        own->first[i] = m->first[k + i] - first;
    return !s->starts.pool.is_short;
}

/* Cuts the samples of the runs, n in all, into segments. */
static bool cut(struct ml_shooting *s, const struct ml_starts *fit, int64_t n)
{
    const struct ml_measured_numbers *m = fit->measured;
    const struct ml_direction *first = make_directions(s, true), *other = make_directions(s, false);
    struct ml_ensemble all = fit->ensemble;
    all.model.n_column = all.model.n_sens = s->n_number;
    all.numbers.values = arc_values;
    all.numbers.context = s;
    s->starts.ensemble = all;
    all.saving.records = ml_fit_choose_records(
        &s->starts, s->starts.study->ensemble.model.system->tables.n_state, &all.saving.n_record);
    if (!first || !other || !all.saving.records)
        return false;
    for (int k = 0; k < s->n_segment; k++) {
        const int64_t from = n * k / s->n_segment, to = n * (k + 1) / s->n_segment;
        const int64_t beyond =
            to - from + m->n_tap - 2 < n - from ? to - from + m->n_tap - 2 : n - from;
        struct ml_segment *segment = &s->segments[k];
        segment->n_sample = to - from;
        segment->ensemble = all;
        segment->ensemble.derivatives.directions = k == 0 ? first : other;
        segment->ensemble.time.start = ml_ensemble_sample_time(&all, from);
        segment->ensemble.time.n_step = (beyond > to - from ? beyond : to - from) * m->every;
        segment->ensemble.indicators.observe_every = segment->ensemble.time.n_step;
        if (!cut_measured(s, from, segment))
            return false;
        segment->measured.n_step = segment->ensemble.time.n_step;
    }
    return true;
}

/* Rows of the state among the records. */
static bool find_state(struct ml_shooting *s)
{
    const struct ml_instance *model = &s->starts.study->ensemble.model;
    int x = 0;
    s->state = ml_pool_take(&s->starts.pool, (size_t)s->n_x, sizeof *s->state);
    for (int q = 0; s->state && q < model->system->tables.n_state; q++)
        for (int r = 0; r < ml_quantity_rows(&model->system->tables.state[q], model->n); r++) {
            s->state[x][0] = q;
            s->state[x++][1] = r;
        }
    return s->state != NULL;
}

static double *take_numbers(struct ml_arc_numbers *to, size_t n_x, size_t m, double *rows)
{
    to->sums = (struct ml_normal){.slope = rows, .hessian = rows + m};
    to->end = rows + m + m * m;
    to->derivs = to->end + n_x;
    return to->derivs + n_x * m;
}

static bool take_arcs(struct ml_shooting *s)
{
    const struct ml_fit_spec *fit = spec_of(s);
    const size_t n_x = (size_t)s->n_x, m = (size_t)s->n_number, n = n_x + m + 1,
                 n_arc = (size_t)fit->n_experiment * (size_t)s->n_segment,
                 of_arc = 2 * n_x + 2 * (m + m * m + n_x + n_x * m) + n_x * n;
    struct ml_pool *pool = &s->starts.pool;
    double *front = ml_pool_take(pool, n * n, sizeof *front);
    s->segments = ml_pool_take(pool, (size_t)s->n_segment, sizeof *s->segments);
    s->arcs = ml_pool_take(pool, (size_t)s->starts.n_start, sizeof *s->arcs);
    for (int64_t i = 0; !pool->is_short && i < s->starts.n_start; i++) {
        struct ml_arc *arcs = ml_pool_take(pool, n_arc, sizeof *arcs);
        double *rows = ml_pool_take(pool, n_x + n_arc * of_arc + (size_t)s->starts.n, sizeof *rows);
        s->starts.descents[i].metric = rows + n_x + n_arc * of_arc;
        s->arcs[i] = (struct ml_arcs){.fit = fit,
                                      .n_x = s->n_x,
                                      .n_segment = s->n_segment,
                                      .arcs = arcs,
                                      .size = rows,
                                      .front = front};
        for (size_t a = 0; arcs && rows && a < n_arc; a++) {
            double *at = rows + n_x + a * of_arc;
            arcs[a].start = at;
            arcs[a].trial = at + n_x;
            at = take_numbers(&arcs[a].at, n_x, m, at + 2 * n_x);
            arcs[a].factor = take_numbers(&arcs[a].found, n_x, m, at);
        }
        s->starts.descents[i].eliminate = eliminate;
        s->starts.descents[i].context = s;
    }
    return !pool->is_short;
}

/* Squares of the measured numbers, in their deviations, of a segment of an experiment. */
static double squares_of_segment(const struct ml_shooting *s)
{
    const struct ml_measured_numbers *m = s->starts.measured;
    double sum = 0.0;
    for (int c = 0; c < m->n_column; c++)
        for (int64_t k = 0; k < m->n_time; k++)
            if (isfinite(m->values[c][k]))
                sum += m->values[c][k] / m->sd[c][k] * (m->values[c][k] / m->sd[c][k]);
    return sum / (s->n_segment * spec_of(s)->n_experiment);
}

enum ml_status ml_shooting_init(struct ml_shooting *s, const struct ml_starts *fit,
                                struct ml_error *err)
{
    const struct ml_instance *model = &fit->study->ensemble.model;
    const int n_x = ml_slot_forces(model) - ml_slot_initial(model, 0, 0),
              n_segment = (int)fit->study->spec.fit.segments;
    const int64_t n = fit->measured->n_step / fit->measured->every;
    *s = (struct ml_shooting){
        .n_x = n_x, .n_number = fit->study->spec.fit.n_direction + n_x, .n_segment = n_segment};
    if (n_x != model->system->dynamics.n_x(model) || s->n_number > ML_FIT_MOST)
        return ml_fail(
            err, ML_E_INPUT,
            "%s: cannot cut the runs into segments: the state has %d numbers, of which "
            "`initial` gives %d, and an arc may vary by %d, with those of the fit; leave "
            "`segments` out",
            fit->study->spec.name, model->system->dynamics.n_x(model), n_x, (int)ML_FIT_MOST);
    if (n < n_segment)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot cut the runs into %d segments: the measured times have %lld "
                       "intervals; take fewer `segments`",
                       fit->study->spec.name, n_segment, (long long)n);
    if (ml_starts_init_at(&s->starts, fit, fit->n_start, fit->first, NULL, 0.0) != ML_OK)
        return ML_E_MEMORY;
    s->starts.n_direction = s->n_number;
    s->starts.n_experiment = 1; /* arcs are added up here */
    s->starts.evaluate = arcs_evaluate;
    s->starts.evaluated = s;
    s->squares = squares_of_segment(s);
    s->starts.n_more = fit->study->spec.fit.n_experiment * (n_segment - 1) * n_x;
    s->starts.more = ml_pool_take(&s->starts.pool, (size_t)(s->starts.n * s->starts.n_more),
                                  sizeof *s->starts.more);
    return s->starts.more && find_state(s) && take_arcs(s) && cut(s, fit, n) ? ML_OK : ML_E_MEMORY;
}

void ml_shooting_free(struct ml_shooting *s) { ml_starts_free(&s->starts); }
