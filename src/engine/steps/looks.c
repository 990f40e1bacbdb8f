/* Interpolates steps that lanes choose, and shows indicators the motion within each. */
#include <math.h>
#include <string.h>

#include "analysis/arc.h"
#include "engine/team/batch_run.h"

/* Shares of a step: a number that is no smooth curve over the former has a corner, over the latter
 * a jump. */
static const double looks_short = 0x1p-12, looks_shortest = 0x1p-36;

/* Coefficients below this are rounding. */
static const double looks_least = 1e-13;

/* Relative error of a corner, whatever the tolerance is: at its limit a torque has no digit more.
 */
static const double looks_least_tolerance = 1e-11;

/* Most parts of a step that are tried. */
enum { LOOKS_MOST_TRIES = 1024 };

/* The step of each lane, and the part of it that is looked at. */
struct looks_step {
    const struct ml_ensemble *ensemble;
    struct ml_batch *batch;
    struct ml_looks *looks;
    struct ml_step *curve;
    double first[ML_LANES], last[ML_LANES]; /* s, that are in it for sure */
    double from[ML_LANES], share[ML_LANES]; /* of the part, in steps */
    double time[ML_LANES], span[ML_LANES];  /* s, of the part */
};

/* Whether an indicator looks at steps. */
static bool looks_has(const struct ml_ensemble *e, int i)
{
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    return ml_ensemble_measures(e, i) && ml_looks_at_steps(ml_ensemble_indicator(e, i), &use);
}

bool ml_looks_are_needed(const struct ml_ensemble *ensemble)
{
    bool are_needed = false;
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++)
        are_needed |= looks_has(ensemble, i);
    return are_needed;
}

/* Whether some indicator looks at a record in steps.
 *   is_differentiated  and needs its derivatives */
static bool looks_see(const struct ml_ensemble *e, int i_record, bool is_differentiated)
{
    bool is_seen = false;
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        if (looks_has(e, i) && (!is_differentiated || use.is_differentiated))
            is_seen |= ml_indicator_sees_record(&use, i_record);
    }
    return is_seen;
}

/* Rows of the records that are seen in steps. */
static void looks_place_records(const struct ml_ensemble *e, struct ml_arena *arena,
                                struct ml_looks *looks)
{
    const struct ml_system *system = e->model.system;
    const int n_record = system->tables.n_record, n_sens = e->model.n_sens;
    double ***rows[] = {&looks->records, &looks->largest,   &looks->derivs,   &looks->ends[0],
                        &looks->ends[1], &looks->slopes[0], &looks->slopes[1]};
    enum { N_ROWS = sizeof rows / sizeof *rows };
    looks->n_record_row = ml_arena_take(arena, (size_t)n_record, sizeof *looks->n_record_row);
    for (int i = 0; i < N_ROWS; i++)
        *rows[i] = ml_arena_take(arena, (size_t)n_record, sizeof **rows[i]);
    for (int q = 0; q < n_record; q++) {
        const int n_row = looks_see(e, q, false) ? ml_record_rows(e, q) : 0;
        const int n_deriv = looks_see(e, q, true) ? n_row * n_sens : 0;
        const int n_slope = q < system->tables.n_state ? n_row : 0;
        const int n[N_ROWS] = {ML_LOOK_POINTS * n_row,
                               n_row,
                               ML_LOOK_POINTS * n_deriv,
                               n_row,
                               n_row,
                               n_slope,
                               n_slope};
        for (int i = 0; i < N_ROWS; i++) {
            double *piece = ml_rows_take(arena, n[i]);
            if (*rows[i])
                (*rows[i])[q] = n[i] > 0 ? piece : NULL;
        }
        if (looks->n_record_row)
            looks->n_record_row[q] = n_row;
    }
}

/* Energies, if the system has any. */
static void looks_place_energies(const struct ml_ensemble *e, struct ml_arena *arena,
                                 struct ml_looks *looks)
{
    const int n = e->model.system->energy.measure ? 1 : 0;
    const int n_deriv = looks->have_derivs ? n * e->model.n_sens : 0;
    looks->kinetic = ml_rows_take(arena, ML_LOOK_POINTS * n);
    looks->potential = ml_rows_take(arena, ML_LOOK_POINTS * n);
    looks->kinetic_deriv = ml_rows_take(arena, ML_LOOK_POINTS * n_deriv);
    looks->potential_deriv = ml_rows_take(arena, ML_LOOK_POINTS * n_deriv);
    for (int k = 0; k < 2; k++) {
        looks->energy[k] = ml_rows_take(arena, n);
        looks->power[k] = ml_rows_take(arena, n);
        looks->sides[k] = ml_rows_take(arena, n);
    }
}

void ml_looks_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                     struct ml_looks *looks)
{
    const struct ml_method *method = ensemble->method;
    int n_indicator = 0;
    *looks = (struct ml_looks){.are_needed = ml_looks_are_needed(ensemble)};
    if (!looks->are_needed)
        return;
    for (; ml_ensemble_indicator(ensemble, n_indicator); n_indicator++)
        looks->have_derivs |= looks_has(ensemble, n_indicator) &&
                              ml_ensemble_use(ensemble, n_indicator).is_differentiated;
    const int n_column = looks->have_derivs ? ensemble->model.n_column : 0;
    struct ml_step *step = &looks->step;
    step->n_point = ml_step_n_point(method);
    step->n_row = ml_n_x(&ensemble->model) * (1 + n_column);
    step->takes_rates = !method->implicit;
    for (int k = 0; k < step->n_point; k++) {
        step->x[k] = looks->x[k] = ml_rows_take(arena, step->n_row);
        step->rate[k] = looks->rate[k] = ml_rows_take(arena, step->n_row);
    }
    looks->now = ml_rows_take(arena, ml_rows_x(&ensemble->model));
    looks->kept = ml_rows_take(arena, ml_rows_x(&ensemble->model));
    looks->wanted = ml_arena_take(arena, (size_t)n_indicator, sizeof *looks->wanted);
    looks_place_records(ensemble, arena, looks);
    looks_place_energies(ensemble, arena, looks);
}

void ml_looks_begin(const struct ml_ensemble *ensemble, struct ml_batch *batch)
{
    const struct ml_looks *looks = &batch->looks;
    if (!looks->are_needed)
        return;
    memset(looks->now, 0, (size_t)ml_rows_x(&ensemble->model) * ML_LANES * sizeof *looks->now);
    for (int q = 0; q < ensemble->model.system->tables.n_record; q++)
        for (int i = 0; i < looks->n_record_row[q] * ML_LANES; i++)
            looks->largest[q][i] = 0.0;
}

static size_t looks_size(const struct ml_looks *looks)
{
    return (size_t)looks->step.n_row * ML_LANES;
}

/* s, of a share of the step, within it where rounding lets it be: signals that jump at its ends are
 * on the piece of their curve that they have in it. */
static void looks_times(const struct looks_step *step, const double *share, double *time)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double t = step->curve->begin[lane] + share[lane] * step->curve->length[lane];
        const double later = t > step->first[lane] ? t : step->first[lane];
        time[lane] = later < step->last[lane] ? later : step->last[lane];
    }
}

static double looks_share(const struct looks_step *step, int k)
{
    return ml_step_points(step->curve->n_point)[k];
}

/* Rates of the state at point k of the step. */
static void looks_find_rates(const struct looks_step *step, int k)
{
    const struct ml_looks *looks = step->looks;
    struct ml_batch *b = step->batch;
    struct ml_instance model = step->ensemble->model;
    double share[ML_LANES];
    struct ml_times time;
    if (!looks->have_derivs)
        model.n_column = model.n_sens = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        share[lane] = looks_share(step, k);
    looks_times(step, share, time.lane);
    b->kernels.general->rates(&model, time.lane, b->constants, looks->x[k], looks->rate[k],
                              b->work);
}

/* Gives controllers the past that they see in the step. */
static void looks_report(const struct looks_step *step, unsigned lanes)
{
    for (int lane = 0; lane < ML_LANES && step->batch->feedback.capacity > 0; lane++)
        if (lanes >> lane & 1)
            (void)ml_feedback_report(step->ensemble, &step->batch->feedback, lane,
                                     step->curve->begin[lane],
                                     step->curve->begin[lane] + step->curve->length[lane]);
}

/* Takes the step again up to its points. */
static void looks_find_points(const struct looks_step *step, unsigned lanes)
{
    const struct ml_ensemble *e = step->ensemble;
    struct ml_batch *b = step->batch;
    const struct ml_looks *looks = step->looks;
    const size_t size = looks_size(looks), whole = (size_t)ml_rows_x(&e->model) * ML_LANES;
    const int last = looks->step.n_point - 1;
    for (int k = 1; k < last; k++) {
        struct ml_times time;
        for (int lane = 0; lane < ML_LANES; lane++)
            time.lane[lane] =
                step->curve->begin[lane] + looks_share(step, k) * step->curve->length[lane];
        memcpy(b->x, b->x_before, whole * sizeof *b->x);
        ml_batch_retake(e, b, b->window.step_control, time.lane, lanes);
        memcpy(looks->x[k], b->x, size * sizeof *b->x);
    }
    looks_report(step, lanes);
    for (int k = 1; looks->step.takes_rates && k < last; k++)
        looks_find_rates(step, k);
}

/* Derivatives at point k of the part that is looked at, where the state is looks->now. */
static void looks_measure_derivs(const struct looks_step *step, int k, const double *time)
{
    const struct ml_ensemble *e = step->ensemble;
    const struct ml_looks *looks = step->looks;
    const long n_sens = e->model.n_sens;
    struct ml_batch there = *step->batch;
    there.x = looks->now;
    for (int q = 0; q < e->model.system->tables.n_record; q++)
        if (looks->derivs[q])
            ml_derivs_of_record(e, &there, time, q,
                                looks->derivs[q] + k * looks->n_record_row[q] * n_sens * ML_LANES);
    if (e->model.system->energy.measure)
        ml_derivs_of_energy(e, &there, looks->kinetic_deriv + k * n_sens * ML_LANES,
                            looks->potential_deriv + k * n_sens * ML_LANES, NULL);
}

/* Fills point k of the part that is looked at. */
static void looks_measure(const struct looks_step *step, int k)
{
    const struct ml_ensemble *e = step->ensemble;
    const struct ml_system *system = e->model.system;
    const struct ml_looks *looks = step->looks;
    const struct ml_batch *b = step->batch;
    double share[ML_LANES];
    struct ml_times time;
    for (int lane = 0; lane < ML_LANES; lane++)
        share[lane] = step->from[lane] + ml_look_points[k] * step->share[lane];
    looks_times(step, share, time.lane);
    ml_step_state(step->curve, share, looks->now);
    for (int q = 0; q < system->tables.n_record; q++)
        if (looks->records[q])
            b->records.rows[q] = looks->records[q] + (long)k * looks->n_record_row[q] * ML_LANES;
    system->dynamics.record(&e->model, time.lane, b->constants, looks->now, b->work,
                            b->records.rows);
    for (int q = 0; q < system->tables.n_record; q++)
        b->records.rows[q] = NULL;
    if (system->energy.measure && looks->want_energy)
        system->energy.measure(&e->model, b->constants, looks->now, b->work,
                               looks->kinetic + (long)k * ML_LANES,
                               looks->potential + (long)k * ML_LANES, NULL);
    if (looks->have_derivs)
        looks_measure_derivs(step, k, time.lane);
}

/* Sizes of the last four coefficients of the polynomial through the points of one number, in
 * polynomials of Legendre: size [4] out. Returns the larger of the last two. */
static double looks_legendre(const double *value, long stride, double *size)
{
    static const double legendre[4][ML_LOOK_POINTS] = {
        {-0.15277777777777779, 0.038865984594095619, 0.49234526852811472, -0.59375184263452152, 0.0,
         0.59375184263452152, -0.49234526852811472, -0.038865984594095619, 0.15277777777777779},
        {0.18055555555555555, -0.26086801758659944, -0.090924386825949166, 0.5485611118955418,
         -0.75464852607709754, 0.5485611118955418, -0.090924386825949166, -0.26086801758659944,
         0.18055555555555555},
        {-0.20833333333333334, 0.45753954987913814, -0.44352689447194132, 0.26715540371107349, 0.0,
         -0.26715540371107349, 0.44352689447194132, -0.45753954987913814, 0.20833333333333334},
        {0.1111111111111111, -0.27120747413562313, 0.34930961274437816, -0.39238785289446931,
         0.40634920634920635, -0.39238785289446931, 0.34930961274437816, -0.27120747413562313,
         0.1111111111111111},
    };
    for (int i = 0; i < 4; i++) {
        double sum = 0.0;
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            sum += legendre[i][k] * value[k * stride];
        size[i] = fabs(sum);
    }
    return size[2] > size[3] ? size[2] : size[3];
}

/* The larger of `most` and the largest absolute value at the points. */
static double looks_largest(const double *value, long stride, double most)
{
    for (int k = 0; k < ML_LOOK_POINTS; k++)
        most = fabs(value[k * stride]) > most ? fabs(value[k * stride]) : most;
    return most;
}

/* How well the polynomial through the points of one number is the number. */
enum looks_fit { LOOKS_SMOOTH, LOOKS_BENT, LOOKS_ROUGH };

/* By how large its last coefficients are, and how fast they fall: rough is beyond the tolerance,
 * bent is a corner within it.
 *   largest  of the run so far; in and out */
static enum looks_fit looks_fit(const double *value, long stride, double tolerance, double *largest)
{
    double size[4];
    const double last = looks_legendre(value, stride, size);
    const double most = looks_largest(value, stride, *largest);
    *largest = most;
    const double before = size[0] > size[1] ? size[0] : size[1];
    const double ratio = last > before ? 1.0 : last / before, fall = ratio > 0.02 ? ratio : 0.02;
    const double allowed = (ratio > 0.1 ? looks_least_tolerance : tolerance) * most;
    if (!(last > looks_least && last > 0.01 * looks_least_tolerance * most))
        return LOOKS_SMOOTH;
    return last * fall > allowed ? LOOKS_ROUGH : LOOKS_BENT;
}

/* Makes a line of a number. */
static void looks_straighten(double *value, long stride)
{
    const double first = value[0], last = value[ML_LOOK_LAST * stride];
    for (int k = 1; k < ML_LOOK_LAST; k++)
        value[k * stride] = first + ml_look_points[k] * (last - first);
}

/* The lanes in which some derivative jumps within the part or at an end of it, as that of |x| at a
 * zero of x where a step ends: the number itself is smooth there. */
static unsigned looks_jumps(const struct looks_step *step, unsigned lanes)
{
    const double jump =
        1e-6; /* of the derivative or the number, of which differences err by 1e-10 */
    const struct ml_looks *looks = step->looks;
    const int n_sens = step->ensemble->model.n_sens;
    unsigned jumps = 0;
    for (int q = 0; q < step->ensemble->model.system->tables.n_record; q++) {
        const int n = looks->derivs[q] ? looks->n_record_row[q] * n_sens : 0;
        for (int i = 0; i < n * ML_LANES; i++) {
            const int lane = i % ML_LANES;
            const double *value = looks->derivs[q] + i;
            const double number = looks->largest[q][i / ML_LANES / n_sens * ML_LANES + lane];
            const long stride = (long)n * ML_LANES;
            double size[4];
            if (lanes >> lane & 1 &&
                looks_legendre(value, stride, size) > jump * looks_largest(value, stride, number))
                jumps |= 1u << lane;
        }
    }
    return jumps;
}

/* The lanes in which some number is rough over the part, which is not the shortest. Over short
 * parts a corner and a jump are lines: the polynomial would swing beyond them. */
static unsigned looks_rough(const struct looks_step *step, unsigned lanes)
{
    const struct ml_looks *looks = step->looks;
    const double relative = 0.1 * step->ensemble->chosen.control.relative;
    const double least = looks_least_tolerance;
    const double tolerance = relative < least ? least : relative > 1e-6 ? 1e-6 : relative;
    unsigned rough = 0;
    for (int q = 0; q < step->ensemble->model.system->tables.n_record; q++)
        for (int i = 0; looks->records[q] && i < looks->n_record_row[q] * ML_LANES; i++) {
            const int lane = i % ML_LANES;
            const long stride = (long)looks->n_record_row[q] * ML_LANES;
            if (!(lanes >> lane & 1))
                continue;
            const enum looks_fit fit =
                looks_fit(looks->records[q] + i, stride, tolerance, looks->largest[q] + i);
            if (fit == LOOKS_ROUGH && step->share[lane] > looks_shortest)
                rough |= 1u << lane;
            else if (fit != LOOKS_SMOOTH && step->share[lane] <= looks_short)
                looks_straighten(looks->records[q] + i, stride);
        }
    for (int lane = 0; lane < ML_LANES && looks->have_derivs; lane++)
        lanes &= ~((unsigned)(step->share[lane] <= looks_shortest) << lane);
    return looks->have_derivs ? rough | looks_jumps(step, lanes) : rough;
}

/* Shows indicators the part of these lanes. */
static void looks_show(struct looks_step *step, unsigned lanes)
{
    const struct ml_ensemble *e = step->ensemble;
    struct ml_batch *b = step->batch;
    const struct ml_looks *looks = step->looks;
    for (int lane = 0; lane < ML_LANES; lane++) {
        step->time[lane] = step->curve->begin[lane] + step->from[lane] * step->curve->length[lane];
        step->span[lane] = step->share[lane] * step->curve->length[lane];
    }
    struct ml_look look = {.begin = step->time,
                           .length = step->span,
                           .n_row = looks->n_record_row,
                           .n_sens = e->model.n_sens,
                           .records = (const double *const *)looks->records,
                           .record_derivs = (const double *const *)looks->derivs,
                           .kinetic = looks->kinetic,
                           .potential = looks->potential,
                           .kinetic_deriv = looks->kinetic_deriv,
                           .potential_deriv = looks->potential_deriv};
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        look.lanes = lanes & looks->wanted[i];
        if (look.lanes)
            ml_ensemble_indicator(e, i)->look(&b->indicators.use[i], &look, b->indicators.keep[i]);
    }
}

/* The part behind one that was looked at: as long as a half, a quarter, .. of the step that begins
 * there. */
static bool looks_go_on(struct looks_step *step, int lane)
{
    double from = step->from[lane] + step->share[lane], share = step->share[lane];
    while (from < 1.0 && from / (2.0 * share) == floor(from / (2.0 * share)))
        share *= 2.0;
    step->from[lane] = from;
    step->share[lane] = share;
    return from < 1.0;
}

/* From the start of the steps of some lanes to their ends, by parts in which all is smooth. */
static void looks_pass(struct looks_step *step, unsigned lanes)
{
    for (int lane = 0; lane < ML_LANES; lane++) {
        step->from[lane] = 0.0;
        step->share[lane] = 1.0;
    }
    for (int tries = 0; lanes; tries++) {
        for (int k = 0; k < ML_LOOK_POINTS; k++)
            looks_measure(step, k);
        const unsigned rough = tries < LOOKS_MOST_TRIES ? looks_rough(step, lanes) : 0;
        looks_show(step, lanes & ~rough);
        for (int lane = 0; lane < ML_LANES; lane++) {
            if (rough >> lane & 1)
                step->share[lane] *= 0.5;
            else if (lanes >> lane & 1 && !looks_go_on(step, lane))
                lanes &= ~(1u << lane);
        }
    }
}

/* Rates, records and energy at end k of the step: 0 where it begins. */
static void looks_find_end(const struct looks_step *step, int k)
{
    const struct ml_ensemble *e = step->ensemble;
    const struct ml_system *system = e->model.system;
    const struct ml_looks *looks = step->looks;
    const struct ml_batch *b = step->batch;
    const int point = k == 0 ? 0 : looks->step.n_point - 1;
    const double *x = looks->x[point];
    const double *rate = looks->rate[point];
    double share[ML_LANES];
    struct ml_times time;
    for (int lane = 0; lane < ML_LANES; lane++)
        share[lane] = k;
    looks_times(step, share, time.lane);
    looks_find_rates(step, point);
    system->dynamics.record(&e->model, time.lane, b->constants, x, b->work, looks->ends[k]);
    system->dynamics.record(&e->model, time.lane, b->constants, rate, b->work, looks->slopes[k]);
    if (!system->energy.measure)
        return;
    system->energy.measure(&e->model, b->constants, x, b->work, looks->sides[0], looks->sides[1],
                           NULL);
    for (int lane = 0; lane < ML_LANES; lane++)
        looks->energy[k][lane] = looks->sides[0][lane] + looks->sides[1][lane];
}

/* How fast energy comes at end k of the step, by a difference along the motion. */
static void looks_find_power(const struct looks_step *step, int k)
{
    const struct ml_ensemble *e = step->ensemble;
    const struct ml_looks *looks = step->looks;
    const struct ml_batch *b = step->batch;
    const size_t point = k == 0 ? 0 : (size_t)looks->step.n_point - 1, size = looks_size(looks);
    const double *x = looks->x[point], *rate = looks->rate[point];
    memset(looks->power[k], 0, ML_LANES * sizeof *looks->power[k]);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t i = 0; i < size; i++)
            looks->now[i] = x[i] + side * 0x1p-8 * step->curve->length[i % ML_LANES] * rate[i];
        e->model.system->energy.measure(&e->model, b->constants, looks->now, b->work,
                                        looks->sides[0], looks->sides[1], NULL);
        for (int lane = 0; lane < ML_LANES; lane++)
            looks->power[k][lane] += side * (looks->sides[0][lane] + looks->sides[1][lane]) /
                                     (0x1p-7 * step->curve->length[lane]);
    }
}

/* Rates, records, energies and powers at both ends of the step. Energies that differ by no more
 * than the error of a method have no power. */
static void looks_find_ends(const struct looks_step *step, unsigned lanes)
{
    const struct ml_looks *looks = step->looks;
    const double relative = 10.0 * step->ensemble->chosen.control.relative;
    const double lost = relative > 1e-7 ? relative : 1e-7;
    unsigned moved = 0;
    looks_report(step, lanes);
    for (int k = 0; k < 2; k++)
        looks_find_end(step, k);
    if (!step->ensemble->model.system->energy.measure)
        return;
    for (int lane = 0; lane < ML_LANES; lane++) {
        const double scale = fabs(looks->sides[0][lane]) + fabs(looks->sides[1][lane]);
        const double change = looks->energy[1][lane] - looks->energy[0][lane];
        moved |= (unsigned)(fabs(change) > lost * scale) << lane & lanes;
    }
    for (int k = 0; moved && k < 2; k++)
        looks_find_power(step, k);
    for (int k = 0; k < 2; k++)
        for (int lane = 0; lane < ML_LANES; lane++)
            if (!(moved >> lane & 1))
                looks->power[k][lane] = 0.0;
}

/* Asks indicators which lanes they look into; the lanes that some do. */
static unsigned looks_ask(const struct looks_step *step, unsigned lanes)
{
    const struct ml_ensemble *e = step->ensemble;
    const struct ml_batch *b = step->batch;
    struct ml_looks *looks = step->looks;
    struct ml_look_ends ends = {.lanes = lanes, .length = step->curve->length};
    unsigned wanted = 0;
    looks->want_energy = false;
    for (int k = 0; k < 2; k++) {
        ends.at[k].records = (const double *const *)looks->ends[k];
        ends.at[k].slopes = (const double *const *)looks->slopes[k];
        ends.at[k].energy = looks->energy[k];
        ends.at[k].power = looks->power[k];
    }
    for (int i = 0; ml_ensemble_indicator(e, i); i++) {
        const struct ml_indicator *indicator = ml_ensemble_indicator(e, i);
        const bool is_asked =
            b->indicators.active[i] && ml_looks_at_steps(indicator, &b->indicators.use[i]);
        looks->wanted[i] = is_asked ? lanes : 0;
        if (is_asked && indicator->look_at_ends && !b->indicators.use[i].is_differentiated)
            looks->wanted[i] =
                indicator->look_at_ends(&b->indicators.use[i], &ends, b->indicators.keep[i]);
        wanted |= looks->wanted[i];
        looks->want_energy |= looks->wanted[i] && indicator->sees_derivs & ML_SEES_ENERGY;
    }
    return wanted;
}

/* Where the steps of these lanes begin and end. */
static void looks_begin_step(struct looks_step *step, unsigned lanes, unsigned stopped)
{
    const struct ml_batch *b = step->batch;
    const struct ml_looks *looks = step->looks;
    struct ml_step *curve = step->curve;
    const size_t size = looks_size(looks);
    double *last = looks->x[looks->step.n_point - 1];
    memcpy(looks->x[0], b->x_before, size * sizeof *last);
    memcpy(last, b->x, size * sizeof *last);
    for (int lane = 0; lane < ML_LANES; lane++) {
        const bool is_stopped = stopped >> lane & 1;
        const double end = is_stopped ? b->watch.stop_time[lane] : b->window.now[lane];
        const double rounding = 2.0 * ml_ensemble_rounding(step->ensemble, end);
        curve->begin[lane] = b->window.before[lane];
        curve->length[lane] = lanes >> lane & 1 ? end - curve->begin[lane] : 0.0;
        const double most = 0.25 * curve->length[lane], edge = rounding < most ? rounding : most;
        step->first[lane] = curve->begin[lane] + edge;
        step->last[lane] = curve->begin[lane] + curve->length[lane] - edge;
    }
    ml_lanes_copy(looks->step.n_row, b->watch.x_stop, stopped, last);
}

void ml_looks_take(const struct ml_ensemble *ensemble, struct ml_batch *batch, unsigned lanes,
                   unsigned stopped)
{
    struct ml_looks *looks = &batch->looks;
    struct looks_step step = {ensemble, batch, looks, &looks->step};
    double control[ML_N_STEP_CONTROL * ML_LANES];
    const size_t size = (size_t)ml_rows_x(&ensemble->model) * ML_LANES;
    if (!looks->are_needed || lanes == 0)
        return;
    looks_begin_step(&step, lanes, stopped);
    looks_find_ends(&step, lanes);
    const unsigned wanted = looks_ask(&step, lanes);
    if (wanted == 0)
        return;
    memcpy(control, batch->step_control, sizeof control);
    memcpy(looks->kept, batch->x, size * sizeof *batch->x);
    looks_find_points(&step, wanted);
    looks_pass(&step, wanted);
    memcpy(batch->x, looks->kept, size * sizeof *batch->x);
    memcpy(batch->step_control, control, sizeof control);
}
