/* Linearised control loops. The share of a controller in the derivatives is found by holding the
 * controller: its rows of the past are those of the equilibrium, so that its torque stays while the
 * state moves. The share is the difference of the derivatives without and with that. */
#include "engine/steps/loop.h"

#include <string.h>

#include "design/spacing.h"
#include "linalg/lu.h"
#include "model/equations.h"
#include "model/forces/numbers.h"

enum { MOST_STEPS = 200, MOST_HALVINGS = 12 };

/* Most that an angle changes in one step of Newton's method, rad; and the relative change below
 * which it has converged: its error is then of the order of this one's square. */
static const double longest = 0.5, least = 1e-9;

static const struct ml_force *type_of(const struct ml_ensemble *e, const struct ml_law *law)
{
    return e->kernels->registry->forces[law->type];
}

int ml_loop_indicator(const struct ml_ensemble *ensemble, enum ml_loop_measure measure)
{
    for (int i = 0; ml_ensemble_indicator(ensemble, i); i++) {
        const enum ml_loop_measure own = ml_ensemble_indicator(ensemble, i)->loop;
        if (own != ML_NO_LOOP && (measure == ML_NO_LOOP || own == measure) &&
            ml_ensemble_measures(ensemble, i))
            return i;
    }
    return -1;
}

/* Number of unknowns of an equilibrium, and of rates that are 0 there: of a chain accelerations and
 * rates of controllers' states, by angles and these states; by formula all rates, and the formula
 * of the input - the input, by all states and the input. */
static int n_unknown(const struct ml_loop_work *w)
{
    return w->formulas ? w->loop.n_x + 1 : w->loop.n_x - w->loop.n;
}

/* Gives every controller rows for the past that it sees, behind those that are there. */
static void add_feedback(const struct ml_ensemble *e, struct ml_loop_work *w)
{
    int row = e->model.system->dynamics.constant_rows(&e->model);
    w->n_controller = 0;
    for (int l = 0; l < e->model.n_law; l++) {
        const struct ml_law *law = &e->model.laws[l];
        const int n_row = ml_feedback_rows(e->model.n, law->n_state);
        if (w->laws)
            w->laws[l] = *law;
        if (type_of(e, law)->feedback == 0)
            continue;
        if (w->laws && w->controllers && w->is_sampled) {
            w->controllers[w->n_controller] = l;
            w->is_sampled[w->n_controller] = law->is_sampled;
            w->laws[l].is_sampled = false;
        }
        w->has_samples |= law->is_sampled;
        w->n_controller++;
        if (law->feedback > 0)
            continue;
        if (w->laws)
            w->laws[l].feedback = row;
        row += n_row;
        w->model.n_law_constant += n_row;
    }
}

static void loop_place(struct ml_arena *arena, struct ml_loop_work *w)
{
    struct ml_loop *loop = &w->loop;
    const size_t n = (size_t)loop->n, n_x = (size_t)loop->n_x;
    const size_t n_controller = (size_t)w->n_controller, size = sizeof(double);
    loop->n_controller = w->n_controller;
    loop->now = ml_arena_take(arena, n_x * n_x, size);
    loop->seen = ml_arena_take(arena, n_controller * n_x * n_x, size);
    loop->delay = ml_arena_take(arena, n_controller, size);
    loop->joint = ml_arena_take(arena, n * n_x, size);
    loop->torque = ml_arena_take(arena, n * n_x, size);
    loop->torque_seen = ml_arena_take(arena, n_controller * n * n_x, size);
    loop->target = ml_arena_take(arena, 2 * n * n_x, size);
    loop->angle = ml_arena_take(arena, n * n_x, size);
    loop->is_idle = ml_arena_take(arena, n_x, sizeof *loop->is_idle);
    loop->has_controller = ml_arena_take(arena, n, sizeof *loop->has_controller);
    loop->has_target = ml_arena_take(arena, n, sizeof *loop->has_target);
}

static void sampled_place(struct ml_arena *arena, struct ml_loop_work *w)
{
    struct ml_sampled_loop *sampled = &w->sampled;
    const size_t n = (size_t)w->loop.n, n_x = (size_t)w->loop.n_x;
    const size_t n_controller = (size_t)w->n_controller, size = sizeof(double);
    if (!w->has_samples)
        return;
    sampled->n_held = (int)(n_x - n);
    sampled->lag = ml_arena_take(arena, n_controller, sizeof *sampled->lag);
    sampled->ahead = ml_arena_take(arena, n_controller, size);
    sampled->step = ml_arena_take(arena, n_x * n_x, size);
    sampled->held = ml_arena_take(arena, n_x * n_x, size);
    sampled->own = ml_arena_take(arena, n_x * n_x, size);
    sampled->of_state = ml_arena_take(arena, n_controller * n_x * n_x, size);
    sampled->of_held = ml_arena_take(arena, n_controller * n_x * n_x, size);
    sampled->torque_own = ml_arena_take(arena, n * n_x, size);
    sampled->torque_of_state = ml_arena_take(arena, n_controller * n * n_x, size);
    sampled->torque_of_held = ml_arena_take(arena, n_controller * n * n_x, size);
    sampled->state_ahead = ml_arena_take(arena, n_x * n_x, size);
    sampled->held_ahead = ml_arena_take(arena, n_x * n_x, size);
    sampled->scratch = ml_arena_take(arena, 3 * n_x * n_x, size);
    double **vectors[] = {&w->cut.state, &w->cut.state_before, &w->cut.seen, &w->cut.seen_before,
                          &w->cut.ended};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = ml_arena_take(arena, n_x, size);
    w->cut.held = ml_arena_take(arena, n_controller * n_x, size);
    w->cut.held_before = ml_arena_take(arena, n_controller * n_x, size);
    w->cut.torque = ml_arena_take(arena, n_controller, size);
    w->cut.torque_before = ml_arena_take(arena, n_controller, size);
}

/* Rows of what indicators look at. */
static void measures_place(const struct ml_ensemble *e, struct ml_arena *arena,
                           struct ml_loop_work *w)
{
    const int response = ml_loop_indicator(e, ML_LOOP_RESPONSE);
    const size_t n_x = (size_t)w->loop.n_x;
    if (response >= 0) {
        const struct ml_indicator_use use = ml_ensemble_use(e, response);
        struct ml_output output;
        (void)ml_ensemble_indicator(e, response)->output(&use, 0, &output);
        w->n_frequency = output.size[w->formulas ? 0 : 1];
        const int n_row = w->loop.n_x + w->sampled.n_held;
        w->equations = ml_rows_take(arena, 2 * n_row * (n_row + w->loop.n));
        w->open = ml_arena_take(arena, (size_t)w->loop.n * ML_LANES, sizeof *w->open);
        w->frequencies = ml_arena_take(arena, (size_t)w->n_frequency, sizeof *w->frequencies);
        for (int i = 0; w->frequencies && i < w->n_frequency; i++)
            w->frequencies[i] = ml_spaced(output.first, output.last, w->n_frequency, i, true);
        w->measures[ML_LOOP_RESPONSE] =
            ml_rows_take(arena, ML_N_RESPONSE * w->loop.n * w->n_frequency);
    }
    if (ml_loop_indicator(e, ML_LOOP_MARGINS) >= 0)
        w->measures[ML_LOOP_MARGINS] = ml_rows_take(arena, ML_N_MARGIN * w->loop.n);
    const size_t n = (size_t)w->loop.n;
    for (int k = ML_LOOP_REGULATOR; k <= ML_LOOP_PLACEMENT; k++) {
        if (ml_loop_indicator(e, (enum ml_loop_measure)k) < 0)
            continue;
        w->measures[k] = ml_rows_take(arena, (2 * w->loop.n + 1) * w->loop.n + 1);
    }
    if (ml_loop_indicator(e, ML_LOOP_REGULATOR) >= 0 ||
        ml_loop_indicator(e, ML_LOOP_PLACEMENT) >= 0) /* at one time for each */
        w->regulator =
            ml_arena_take(arena, (6 + ML_RICCATI_MATRICES) * 4 * n * n, sizeof *w->regulator);
    if (ml_loop_indicator(e, ML_LOOP_POLES) < 0)
        return;
    const size_t n_row = n_x + (size_t)e->feedback.n_late_sample * (size_t)w->sampled.n_held;
    w->n_companion = (int)n_row;
    w->measures[ML_LOOP_POLES] = ml_rows_take(arena, ML_N_POLE * w->loop.n_x);
    w->poles = ml_arena_take(arena, n_row, sizeof *w->poles);
    w->companion = ml_arena_take(arena, n_row * n_row, sizeof *w->companion);
}

void ml_loop_layout(const struct ml_ensemble *ensemble, struct ml_arena *arena,
                    struct ml_loop_work *work)
{
    const struct ml_equations *formulas = ml_loop_of_formulas(&ensemble->model);
    const int n = formulas ? 1 : ensemble->model.n, n_x = ml_n_x(&ensemble->model);
    const size_t n_law = (size_t)ensemble->model.n_law;
    *work = (struct ml_loop_work){.formulas = formulas, .loop = {.n = n, .n_x = n_x}};
    if (!ml_loop_is_needed(ensemble))
        return;
    work->model = ensemble->model;
    if (formulas)
        work->model.own = formulas;
    const int n_input = ml_n_x(&work->model);
    work->model.n_column = n_input;
    work->model.n_sens = 0;
    work->model.is_compensated = false;
    work->model.has_joint_terms = true;
    work->laws = ml_arena_take(arena, n_law, sizeof *work->laws);
    work->controllers = ml_arena_take(arena, n_law, sizeof *work->controllers);
    work->is_sampled = ml_arena_take(arena, n_law, sizeof *work->is_sampled);
    add_feedback(ensemble, work);
    if (formulas)
        work->n_controller = formulas->n_late;
    if (work->laws)
        work->model.laws = work->laws;
    work->constants = ml_rows_take(arena, ml_rows_constants(&work->model));
    work->x = ml_rows_take(arena, n_input * (1 + n_input));
    work->base = ml_rows_take(arena, n_input);
    work->work = ml_rows_take(arena, ml_rows_step(&work->model, 1));
    work->time = ml_rows_take(arena, 1);
    work->error = ml_rows_take(arena, n);
    work->records = ml_arena_take(arena, (size_t)ensemble->model.system->tables.n_record,
                                  sizeof *work->records);
    work->rate = ml_rows_take(arena, n_input * (1 + n_input));
    work->held = ml_rows_take(arena, work->n_controller * n_x * n_x);
    work->joint = ml_rows_take(arena, n * n);
    loop_place(arena, work);
    sampled_place(arena, work);
    const int n_all = n_x + work->sampled.n_held + (work->has_samples || formulas);
    const size_t n_row = (size_t)n_all;
    work->matrix = ml_arena_take(arena, n_row * n_row, sizeof *work->matrix);
    work->column = ml_arena_take(arena, n_row, sizeof *work->column);
    work->pivots = ml_arena_take(arena, n_row, sizeof *work->pivots);
    work->factors =
        ml_arena_take(arena, ML_LANES * (1 + (size_t)work->n_controller), sizeof *work->factors);
    for (int i = 0; i < 3; i++) {
        work->response[i].open = ml_arena_take(arena, (size_t)n, sizeof *work->response[i].open);
        work->response[i].closed =
            ml_arena_take(arena, (size_t)n, sizeof *work->response[i].closed);
    }
    work->still = ml_arena_take(arena, (size_t)n, sizeof *work->still);
    measures_place(ensemble, arena, work);
}

static void find_rates(const struct ml_ensemble *e, struct ml_loop_work *w,
                       const struct ml_instance *model)
{
    const int n_x = ml_n_x(model);
    for (int i = 0; w->formulas && i < w->formulas->n_late_input; i++)
        memcpy(w->x + (size_t)(w->loop.n_x + 1 + i) * ML_LANES,
               w->x + (size_t)w->formulas->late_inputs[i].value * ML_LANES,
               ML_LANES * sizeof *w->x);
    if (model->n_column > 0)
        ml_unit_vectors(n_x, n_x, w->x);
    ml_ensemble_general(e)->rates(model, w->time, w->constants, w->x, w->rate, w->work);
}

/* Puts angles to their targets, and rates to 0. */
static void write_to_targets(const struct ml_ensemble *e, struct ml_loop_work *w)
{
    const int n = e->model.n;
    const int record = ml_record(e->model.system, ML_CONTROL_ERROR);
    const bool is_joint = ml_counts_joints(&e->model);
    struct ml_instance model = w->model;
    model.n_column = 0;
    for (int q = 0; q < e->model.system->tables.n_record; q++)
        w->records[q] = q == record ? w->error : NULL;
    e->model.system->dynamics.record(&model, w->time, w->constants, w->x, w->work, w->records);
    for (int lane = 0; lane < ML_LANES; lane++) {
        double shift = 0.0;
        for (int i = 0; i < n; i++) {
            const double error = w->error[i * ML_LANES + lane];
            if (is_joint)
                shift += isnan(error) ? 0.0 : error;
            else
                shift = isnan(error) ? 0.0 : error;
            w->x[i * ML_LANES + lane] += shift;
        }
    }
    memset(w->x + (size_t)n * ML_LANES, 0,
           (size_t)(ml_n_x(&w->model) - n) * ML_LANES * sizeof *w->x);
}

/* Derivative of the rate of row i by row c of the state, as if the past were like the present. */
static double rate_by(const struct ml_loop_work *w, const double *derivs, int i, int c, int lane)
{
    const int n_x = ml_n_x(&w->model);
    double sum = derivs[(c * n_x + i) * ML_LANES + lane];
    for (int k = 0; w->formulas && k < w->formulas->n_late_input; k++)
        if (w->formulas->late_inputs[k].value == c)
            sum += derivs[((w->loop.n_x + 1 + k) * n_x + i) * ML_LANES + lane];
    return sum;
}

static const double *rate_derivs(const struct ml_loop_work *w)
{
    return w->rate + (size_t)ml_n_x(&w->model) * ML_LANES;
}

/* Whether row c of the state, of a controller or by formula, acts on nothing, as the integral of a
 * controller without an integral gain: it need not be at rest. */
static bool is_idle(const struct ml_loop_work *w, int c, int lane)
{
    if (!w->formulas && c < 2 * w->model.n)
        return false;
    bool is_idle = true;
    for (int i = 0; i < ml_n_x(&w->model); i++)
        is_idle &= rate_by(w, rate_derivs(w), i, c, lane) == 0.0;
    return is_idle;
}

/* Row of the state of unknown i of an equilibrium: angles, then states of controllers. Their
 * equations are the rates of rows `equation`. */
static int row_of_unknown(const struct ml_loop_work *w, int i)
{
    return w->formulas || i < w->loop.n ? i : i + w->loop.n;
}

static int row_of_equation(const struct ml_loop_work *w, int i)
{
    return w->formulas ? i : i + w->loop.n;
}

/* The step of Newton's method of a lane to w->column; false if the matrix is singular. */
static bool newton_step(const struct ml_loop_work *w, int lane)
{
    double complex *step = w->column;
    const int n = n_unknown(w);
    for (int i = 0; i < n; i++) {
        const int row = row_of_equation(w, i);
        const bool is_free = is_idle(w, row, lane);
        step[i] = is_free ? 0.0 : -w->rate[row * ML_LANES + lane];
        for (int k = 0; k < n; k++)
            w->matrix[i * n + k] =
                is_free ? i == k : rate_by(w, rate_derivs(w), row, row_of_unknown(w, k), lane);
    }
    if (ml_lu_factor(n, w->matrix, w->pivots) == 0.0)
        return false;
    ml_lu_solve(n, w->matrix, w->pivots, step);
    return true;
}

/* Takes it from w->base, shortened if angles would go too far; whether the lane has converged. */
static bool take_step(const struct ml_loop_work *w, int lane)
{
    const double complex *step = w->column;
    const int n = n_unknown(w), n_angle = w->formulas ? 0 : w->loop.n;
    double far = 0.0;
    bool is_small = true;
    for (int i = 0; i < n_angle; i++)
        far = fmax(far, fabs(creal(step[i])));
    const double share = far > longest ? longest / far : 1.0;
    for (int i = 0; i < n; i++) {
        const int at = row_of_unknown(w, i) * ML_LANES + lane;
        double *x = &w->x[at];
        w->base[at] = *x;
        *x += share * creal(step[i]);
        is_small &= fabs(creal(step[i])) <= least * (1.0 + fabs(*x));
    }
    return is_small;
}

/* Takes back half of the step. */
static void halve_step(const struct ml_loop_work *w, int lane)
{
    const int n = n_unknown(w);
    for (int i = 0; i < n; i++) {
        const int at = row_of_unknown(w, i) * ML_LANES + lane;
        w->x[at] = 0.5 * (w->x[at] + w->base[at]);
    }
}

/* Sum of squares of the rates that are 0 at rest. */
static double unrest(const struct ml_loop_work *w, int lane)
{
    const int n = n_unknown(w);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        const int row = row_of_equation(w, i);
        const double rate = w->rate[row * ML_LANES + lane];
        sum += is_idle(w, row, lane) ? 0.0 : rate * rate;
    }
    return sum;
}

/* Brings lanes to rest, unless they are, as without gravity anywhere: a step after which a lane is
 * farther from rest, as one out of a contact, is halved. */
static void find_equilibrium(const struct ml_ensemble *e, struct ml_loop_work *w)
{
    unsigned underway = ML_ALL_LANES;
    double before[ML_LANES];
    int n_halving[ML_LANES] = {0};
    w->is_at_rest = 0;
    for (int lane = 0; lane < ML_LANES; lane++)
        before[lane] = (double)INFINITY;
    for (int k = 0; k < MOST_STEPS && underway; k++) {
        find_rates(e, w, &w->model);
        ML_EACH_LANE(lane, underway) {
            const double now = unrest(w, lane);
            if (now > before[lane] && n_halving[lane] < MOST_HALVINGS) {
                n_halving[lane]++;
                halve_step(w, lane);
                continue;
            }
            before[lane] = now;
            n_halving[lane] = 0;
            const bool is_possible = now == 0.0 || newton_step(w, lane);
            if (now == 0.0 || (is_possible && take_step(w, lane)))
                w->is_at_rest |= 1u << lane;
            if (!is_possible || w->is_at_rest >> lane & 1)
                underway &= ~(1u << lane);
        }
    }
}

/* Holds a controller at the angles of the equilibrium, a sampled controller at its own states and
 * the time too, or lets it see the present. */
static void hold(struct ml_loop_work *w, int k, bool is_held)
{
    struct ml_law *law = &w->laws[w->controllers[k]];
    double *rows = w->constants + (size_t)law->feedback * ML_LANES;
    law->is_sampled = is_held && w->is_sampled[k];
    for (int lane = 0; lane < ML_LANES; lane++) {
        rows[ML_FEEDBACK_SAMPLED * ML_LANES + lane] = w->time[lane];
        for (int i = 0; law->is_sampled && i < law->n_state; i++)
            rows[ml_feedback_rows(w->model.n, i) * ML_LANES + lane] =
                w->x[(law->state + i) * ML_LANES + lane];
        rows[ML_FEEDBACK_IS_PAST * ML_LANES + lane] = is_held;
        for (int i = 0; i < w->model.n; i++)
            rows[(ML_FEEDBACK_ANGLE + i * ML_FEEDBACK_BY_ANGLE) * ML_LANES + lane] =
                w->x[i * ML_LANES + lane];
    }
}

/* Derivatives with each controller held in turn, then those with none. */
static void differentiate_held(const struct ml_ensemble *e, struct ml_loop_work *w)
{
    const size_t n_x = (size_t)ml_n_x(&w->model), size = n_x * n_x * ML_LANES;
    for (int k = 0; k < w->n_controller; k++) {
        hold(w, k, true);
        find_rates(e, w, &w->model);
        memcpy(w->held + (size_t)k * size, rate_derivs(w), size * sizeof *w->held);
        hold(w, k, false);
    }
}

/* Accelerations are linear in torques: those by 1 N m at each joint. */
static void find_joints(const struct ml_ensemble *e, struct ml_loop_work *w)
{
    const int n = w->model.n;
    const size_t size = (size_t)n * ML_LANES;
    const struct ml_joint_terms terms =
        e->model.system->forces.joint_terms(&w->model, w->constants);
    const double *own = w->rate + size; /* accelerations */
    struct ml_instance model = w->model;
    model.n_column = 0;
    find_rates(e, w, &model);
    for (int j = 0; j < n; j++)
        for (size_t i = 0; i < size; i++)
            w->joint[(size_t)j * size + i] = -own[i];
    for (int j = 0; j < n; j++) {
        double *torque = terms.torque + (size_t)(j * terms.stride) * ML_LANES, kept[ML_LANES];
        memcpy(kept, torque, sizeof kept);
        for (int lane = 0; lane < ML_LANES; lane++)
            torque[lane] += 1.0;
        find_rates(e, w, &model);
        memcpy(torque, kept, sizeof kept);
        for (size_t i = 0; i < size; i++)
            w->joint[(size_t)j * size + i] += own[i];
    }
}

void ml_loop_linearise(const struct ml_ensemble *ensemble, struct ml_loop_work *work,
                       const double *constants, const double *x, const struct ml_times *time)
{
    const struct ml_system *system = ensemble->model.system;
    const size_t n = (size_t)system->dynamics.constant_rows(&ensemble->model) * ML_LANES;
    const size_t n_all = (size_t)system->dynamics.constant_rows(&work->model) * ML_LANES;
    const size_t n_state = (size_t)work->loop.n_x * ML_LANES;
    memcpy(work->constants, constants, (n < n_all ? n : n_all) * sizeof *constants);
    memset(work->constants + n, 0, (n < n_all ? n_all - n : 0) * sizeof *constants);
    memcpy(work->x, x, n_state * sizeof *x);
    memcpy(work->time, time->lane, sizeof time->lane);
    if (work->formulas) {
        memset(work->x + n_state, 0, ML_LANES * sizeof *x);
        find_equilibrium(ensemble, work);
        find_rates(ensemble, work, &work->model);
        return;
    }
    for (int k = 0; k < work->n_controller; k++) {
        const struct ml_law *law = &work->laws[work->controllers[k]];
        memset(work->constants + (size_t)law->feedback * ML_LANES, 0,
               (size_t)ml_feedback_rows(work->model.n, 0) * ML_LANES * sizeof *constants);
    }
    write_to_targets(ensemble, work);
    find_equilibrium(ensemble, work);
    differentiate_held(ensemble, work);
    find_joints(ensemble, work);
    find_rates(ensemble, work, &work->model);
}

/* Matrices of the state. Idle rows are replaced by ones that decay. */
static void take_matrices(const struct ml_loop_work *w, int lane)
{
    const struct ml_loop *loop = &w->loop;
    const int n_x = loop->n_x, size = n_x * n_x;
    for (int i = 0; i < n_x; i++)
        loop->is_idle[i] = is_idle(w, i, lane);
    for (int i = 0; i < n_x; i++)
        for (int c = 0; c < n_x; c++) {
            const double all = rate_by(w, rate_derivs(w), i, c, lane);
            double *now = &loop->now[i * n_x + c];
            const bool is_free = loop->is_idle[i];
            *now = is_free ? 0.0 - (i == c) : all;
            for (int k = 0; k < loop->n_controller; k++) {
                const double held = rate_by(w, w->held + (size_t)(k * size) * ML_LANES, i, c, lane);
                const bool acts_always = w->has_samples && !w->is_sampled[k];
                const double seen = is_free || acts_always ? 0.0 : all - held;
                loop->seen[k * size + i * n_x + c] = seen;
                *now -= seen;
            }
        }
}

/* Whether a controller acts at joint j, or follows a target of angle j. */
static bool acts_at(const struct ml_loop_work *w, const struct ml_force *type, int k, int j)
{
    return !(type->places & ML_AT_JOINT) || w->laws[w->controllers[k]].joint == j;
}

static bool follows(const struct ml_loop_work *w, const struct ml_force *type, int k, int j)
{
    return !(type->places & ML_AT_JOINT) || w->laws[w->controllers[k]].segment == j;
}

/* Torques at the joints that have the accelerations of column c of a matrix, to column c of `out`:
 * as the factors of w->matrix say. */
static void take_torque(const struct ml_loop_work *w, const struct ml_force *type, int k,
                        const double *matrix, int c, double *out)
{
    const int n = w->loop.n, n_x = w->loop.n_x;
    for (int i = 0; i < n; i++)
        w->column[i] = matrix[(n + i) * n_x + c];
    ml_lu_solve(n, w->matrix, w->pivots, w->column);
    for (int j = 0; j < n; j++)
        if (acts_at(w, type, k, j))
            out[j * n_x + c] = creal(w->column[j]);
}

/* False if the joints' accelerations by torques are singular. */
static bool take_torques(const struct ml_ensemble *e, const struct ml_loop_work *w)
{
    const struct ml_loop *loop = &w->loop;
    const int n = loop->n, n_x = loop->n_x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w->matrix[i * n + j] = loop->joint[j * n_x + n + i];
    if (ml_lu_factor(n, w->matrix, w->pivots) == 0.0)
        return false;
    memset(loop->torque, 0, (size_t)(n * n_x) * sizeof *loop->torque);
    memset(loop->torque_seen, 0,
           (size_t)(loop->n_controller * n * n_x) * sizeof *loop->torque_seen);
    memset(loop->has_controller, 0, (size_t)n * sizeof *loop->has_controller);
    for (int k = 0; k < loop->n_controller; k++) {
        const struct ml_law *law = &w->laws[w->controllers[k]];
        const struct ml_force *type = type_of(e, law);
        if (law->is_passive)
            continue;
        for (int c = 0; c < n_x; c++)
            take_torque(w, type, k, loop->seen + k * n_x * n_x, c, loop->torque_seen + k * n * n_x);
        for (int c = law->state; !w->is_sampled[k] && c < law->state + law->n_state; c++)
            take_torque(w, type, k, loop->now, c, loop->torque);
        for (int j = 0; j < n; j++)
            loop->has_controller[j] |= acts_at(w, type, k, j);
    }
    return true;
}

/* Share of a target's rate that a controller follows: none if its rate is damped as such, NAN if
 * the controller follows the acceleration too. */
static double rate_share(const struct ml_loop_work *w, const struct ml_force *type, int k, int lane)
{
    const struct ml_law *law = &w->laws[w->controllers[k]];
    if (type->places & ML_AT_JOINT)
        return 0.0;
    for (int p = 0; p < type->n_param; p++)
        if (type->params[p].name && strcmp(type->params[p].name, "rate_share") == 0)
            return w
                ->constants[(law->constant + ml_force_first_number(type, w->loop.n, p)) * ML_LANES +
                            lane];
    return (double)NAN;
}

/* A controller sees target - angle: it is moved by a target as by the angle the other way. */
static void add_target(const struct ml_loop_work *w, int k, int j, bool is_joint, double share)
{
    const struct ml_loop *loop = &w->loop;
    const int n_x = loop->n_x;
    const double *seen = loop->seen + k * n_x * n_x;
    double *target = loop->target + 2 * j * n_x;
    for (int i = 0; i < n_x; i++)
        for (int c = j; c < (is_joint ? loop->n : j + 1); c++) {
            target[i] -= seen[i * n_x + c];
            target[n_x + i] -= share * seen[i * n_x + loop->n + c];
        }
}

static void take_targets(const struct ml_ensemble *e, const struct ml_loop_work *w, int lane)
{
    const struct ml_loop *loop = &w->loop;
    const int n_x = loop->n_x;
    const bool is_joint = ml_counts_joints(&e->model);
    memset(loop->target, 0, (size_t)(2 * loop->n * n_x) * sizeof *loop->target);
    memset(loop->angle, 0, (size_t)(loop->n * n_x) * sizeof *loop->angle);
    for (int j = 0; j < loop->n; j++) {
        double shares = 0.0;
        bool has_target = false;
        for (int k = 0; k < loop->n_controller; k++) {
            const struct ml_law *law = &w->laws[w->controllers[k]];
            const struct ml_force *type = type_of(e, law);
            if (law->is_passive || law->formula || !follows(w, type, k, j))
                continue;
            const double share = rate_share(w, type, k, lane);
            add_target(w, k, j, is_joint, share);
            shares += share;
            has_target = true;
        }
        loop->has_target[j] = has_target && !isnan(shares);
        loop->angle[j * n_x + j] = 1.0;
        if (is_joint && j > 0)
            loop->angle[j * n_x + j - 1] = -1.0;
    }
}

/* Delays, and the time between samples. */
static void take_times(struct ml_loop_work *w, int lane)
{
    struct ml_loop *loop = &w->loop;
    loop->interval = 0.0;
    for (int k = 0; k < loop->n_controller; k++) {
        const double *row =
            w->constants + (size_t)w->laws[w->controllers[k]].delay * ML_LANES + lane;
        const double interval = row[ML_FEEDBACK_SAMPLE_TIME * ML_LANES];
        loop->delay[k] = fmax(row[ML_FEEDBACK_DELAY * ML_LANES], 0.0);
        if (w->is_sampled[k])
            loop->interval =
                loop->interval == 0.0 || loop->interval == interval ? interval : (double)NAN;
    }
}

/* The loop by formula of a lane: u is the torque. */
static bool take_formulas(const struct ml_loop_work *w, int lane)
{
    const struct ml_loop *loop = &w->loop;
    const struct ml_equations *of = w->formulas;
    const int n_x = loop->n_x, n_row = ml_n_x(&w->model), size = n_x * n_x;
    const double *by = rate_derivs(w) + lane;
    memset(loop->seen, 0, (size_t)(loop->n_controller * size) * sizeof *loop->seen);
    memset(loop->torque_seen, 0, (size_t)(loop->n_controller * n_x) * sizeof *loop->torque_seen);
    for (int i = 0; i < n_x; i++) {
        loop->is_idle[i] = is_idle(w, i, lane);
        loop->joint[i] = by[(n_x * n_row + i) * ML_LANES];
        loop->torque[i] = by[(i * n_row + n_x) * ML_LANES];
        loop->angle[i] = loop->target[i] = loop->target[n_x + i] = 0.0;
    }
    for (int k = 0; k < of->n_late_input; k++) {
        const struct ml_late_input *input = &of->late_inputs[k];
        const double *column = by + (size_t)((n_x + 1 + k) * n_row) * ML_LANES;
        loop->torque_seen[input->late * n_x + input->value] = column[n_x * ML_LANES];
        for (int i = 0; i < n_x; i++)
            loop->seen[input->late * size + i * n_x + input->value] =
                loop->is_idle[i] ? 0.0
                                 : column[i * ML_LANES] + loop->joint[i] * column[n_x * ML_LANES];
    }
    for (int i = 0; i < n_x; i++)
        for (int c = 0; c < n_x; c++)
            loop->now[i * n_x + c] = loop->is_idle[i] ? 0.0 - (i == c)
                                                      : by[(c * n_row + i) * ML_LANES] +
                                                            loop->joint[i] * loop->torque[c];
    for (int k = 0; k < loop->n_controller; k++)
        loop->delay[k] = of->late[k].param < 0 ? of->late[k].delay
                                               : w->constants[of->late[k].param * ML_LANES + lane];
    loop->has_controller[0] = true;
    loop->has_target[0] = false;
    return true;
}

bool ml_loop_take(const struct ml_ensemble *ensemble, struct ml_loop_work *work, int lane)
{
    struct ml_loop *loop = &work->loop;
    const int n = loop->n, n_x = loop->n_x;
    if (work->formulas)
        return take_formulas(work, lane);
    take_times(work, lane);
    memset(loop->joint, 0, (size_t)(n * n_x) * sizeof *loop->joint);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            loop->joint[j * n_x + n + i] = work->joint[(j * n + i) * ML_LANES + lane];
    take_matrices(work, lane);
    take_targets(ensemble, work, lane);
    return take_torques(ensemble, work);
}

void ml_loop_close(const struct ml_loop *loop, double complex *out)
{
    const int size = loop->n_x * loop->n_x;
    for (int i = 0; i < size; i++) {
        out[i] = loop->now[i];
        for (int k = 0; k < loop->n_controller; k++)
            out[i] += loop->seen[k * size + i];
    }
}
