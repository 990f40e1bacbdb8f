/* Controllers and formulas that do not see the present: refuses methods, steps and indicators that
 * do not go with them, and finds how far back they see. */
#include <math.h>

#include "base/pi.h"
#include "config/schema/given.h"
#include "engine/steps/loop.h"
#include "model/equations.h"
#include "model/forces/formula.h"
#include "model/forces/numbers.h"
#include "plan/plan_study.h"
#include "yaml/number.h"

/* One such controller, or one delay of formulas. */
struct feedback_use {
    struct ml_reader *r;
    const struct ml_study *study;
    int slot; /* of a controller the first of its ML_FEEDBACK_PARAMS among the values of a run */
    bool has_delay, is_sampled;
    struct ml_given delay, interval; /* where they are there */
    const char *name;                /* "a controller with `delay`" */
};

/* Sums over all controllers. */
struct feedback_sum {
    double n_delay, n_sampled;
    double reach, shortest; /* s: the longest view back; the shortest time between samples */
    double late;            /* samples: the longest delay of a sampled controller, beside loops */
    const struct ml_force_use *sampled,
        *unsampled; /* beside `margins`: the first with samples, with
                       `interval`, and the first without; NULL */
    struct ml_given interval;
};

static bool is_given(const struct feedback_use *u, enum ml_feedback_param which)
{
    return ml_slot_is_given(u->r, u->slot + (int)which);
}

static struct ml_given given(const struct feedback_use *u, enum ml_feedback_param which)
{
    return ml_given_find(u->r, u->slot + (int)which);
}

static void refuse_noise(const struct feedback_use *u)
{
    const enum ml_feedback_param noises[] = {ML_FEEDBACK_ANGLE_NOISE, ML_FEEDBACK_RATE_NOISE};
    for (int k = 0; k < 2; k++)
        if (is_given(u, noises[k]) && !u->is_sampled)
            ml_problem(&u->r->problems, given(u, noises[k]).location,
                       "noise needs samples: give `sample_time`, the time between measurements");
    if (is_given(u, ML_FEEDBACK_SEED) && !is_given(u, noises[0]) && !is_given(u, noises[1]))
        ml_problem(&u->r->problems, given(u, ML_FEEDBACK_SEED).location,
                   "seed needs `angle_noise` or `rate_noise`");
}

static struct ml_location use_location(const struct feedback_use *u)
{
    return u->has_delay ? u->delay.location : u->interval.location;
}

/* The past has no tangent vectors. */
static void refuse_tangents(const struct feedback_use *u)
{
    if (u->study->ensemble.model.n_column > 0 || u->study->spec.fit.n_range > 0)
        ml_problem(&u->r->problems, use_location(u),
                   "%s acts on past states, which have no tangent vectors: leave out exponents, "
                   "other indicators of chaos, sensitivities and `fit`",
                   u->name);
}

/* The past that is seen is one motion. */
static void refuse_set(const struct feedback_use *u)
{
    for (int i = 0; i < u->study->ensemble.n_event; i++)
        if (u->study->ensemble.events[i].n_set > 0)
            ml_problem(&u->r->problems, use_location(u),
                       "%s uses past states, but event `%s` sets the state, which ends that past; "
                       "leave the event's `set` out",
                       u->name, u->study->ensemble.events[i].name);
}

/* Name of the first key that looks at loops; NULL: none. */
static const char *loop_key(const struct ml_study *study)
{
    const int i = ml_loop_indicator(&study->ensemble, ML_NO_LOOP);
    return i >= 0 ? ml_ensemble_indicator(&study->ensemble, i)->name : NULL;
}

/* Whether a formula sees a state of another force, which no sample holds. */
static bool sees_states(const struct ml_formula *formula)
{
    bool sees = false;
    for (int i = 0; formula && i < formula->n_seen; i++)
        sees |= formula->seen[i].kind == ML_SEEN_state;
    return sees;
}

/* A loop with delays in continuous time has no finite number of poles.
 *   remedy  besides */
static void refuse_late_poles(const struct feedback_use *u, const char *remedy)
{
    if (u->has_delay && u->delay.high > 0.0 &&
        ml_loop_indicator(&u->study->ensemble, ML_LOOP_POLES) >= 0)
        ml_problem(&u->r->problems, u->delay.location,
                   "`poles` are infinitely many with a `delay` in continuous time: ask for "
                   "`margins`, which count the roots that grow%s",
                   remedy);
}

/* Whether the formula of a force sees a row of the state that an event sets. */
static bool is_seen(const struct ml_ensemble *e, const struct ml_event *event)
{
    bool is = false;
    for (int f = 0; f < e->n_force; f++) {
        const struct ml_formula *formula = e->forces[f].formula;
        for (int i = 0; formula && i < formula->n_seen; i++)
            for (int k = 0; k < event->n_set; k++)
                is |= formula->seen[i].kind == ML_SEEN_state &&
                      formula->seen[i].segment == event->set[k].state;
    }
    return is;
}

/* Refuses loops with numbers that events set, such as registers: the loop is that of the rates
 * alone, of equations of all of the state. */
static void refuse_events_in_loop(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    const char *key = loop_key(study);
    const bool is_all = ml_loop_of_formulas(&e->model);
    for (int i = 0; i < e->n_event && key; i++)
        if (is_all ? e->events[i].n_set > 0 : is_seen(e, &e->events[i]))
            ml_problem(&r->problems, ml_read_location(r->analyse, key),
                       "`%s` %s of loops in continuous time, but event `%s` sets %s; %s", key,
                       is_all ? "of equations is" : "beside forces with registers is",
                       e->events[i].name,
                       is_all ? "the state, as registers and sampled controllers do"
                              : "a number that a force's formula sees",
                       is_all ? "ask for it in a study without the event and without `sample_time`"
                              : "write the law into the formula of the force, with a "
                                "`sample_time`, in place of the register");
}

/* The frequency response of samples is of loops whose torques are all held from the same instants
 * on. */
static void refuse_margins(const struct feedback_use *u, const struct ml_force_use *use,
                           struct feedback_sum *sum)
{
    char shown[ML_NUMBER_TEXT], first[ML_NUMBER_TEXT];
    const char *key = loop_key(u->study);
    if (!key)
        return;
    if (!u->is_sampled) {
        refuse_late_poles(u, ", or give the controllers a `sample_time`");
        if (!sum->unsampled && (!use->is_perturbation || u->has_delay))
            sum->unsampled = use;
        return;
    }
    if (sees_states(use->formula))
        ml_problem(&u->r->problems, u->interval.location,
                   "`%s` needs held torques: force `%s` has a `sample_time`, but sees a state "
                   "of another force, which changes between samples; give `%s` the state",
                   key, use->name, use->name);
    if (sum->sampled &&
        (u->interval.low != sum->interval.low || u->interval.high != sum->interval.high))
        ml_problem(&u->r->problems, u->interval.location,
                   "`%s` needs one `sample_time` for all controllers: `%s` has %s s, and `%s` "
                   "%s s; give both the same",
                   key, use->name, ml_number_text(u->interval.low, shown), sum->sampled->name,
                   ml_number_text(sum->interval.low, first));
    if (u->has_delay)
        sum->late = fmax(sum->late, ceil(u->delay.high / u->interval.low));
    if (!sum->sampled) {
        sum->sampled = use;
        sum->interval = u->interval;
    }
}

static void refuse_mixed_margins(const struct feedback_use *u, const struct feedback_sum *sum)
{
    if (sum->sampled && sum->unsampled)
        ml_problem(&u->r->problems, sum->interval.location,
                   "`%s` needs a `sample_time` for all controllers or for none: `%s` has one, "
                   "and `%s` acts all the time; give `%s` the same `sample_time`, or, without a "
                   "`delay`, `perturbation: true`, which leaves its loop closed",
                   loop_key(u->study), sum->sampled->name, sum->unsampled->name,
                   sum->unsampled->name);
}

/* Poles of sampled loops are those of all values on their way. */
static void refuse_poles(const struct feedback_use *u, struct ml_study *study,
                         const struct feedback_sum *sum)
{
    enum { MOST_ROWS = 256 };
    const int n_x = ml_n_x(&study->ensemble.model), n_held = n_x - study->ensemble.model.n;
    const double n_row = n_x + sum->late * n_held;
    study->ensemble.feedback.n_late_sample = 0;
    if (ml_loop_indicator(&study->ensemble, ML_LOOP_POLES) < 0)
        return;
    if (n_row > MOST_ROWS)
        ml_problem(&u->r->problems, ml_read_location(u->r->analyse, "poles"),
                   "`poles` of sampled loops are those of the state and of all samples on their "
                   "way, here %.0f numbers, and %d are allowed: take a longer `sample_time` or a "
                   "shorter `delay`, or ask for `margins`",
                   n_row, (int)MOST_ROWS);
    else
        study->ensemble.feedback.n_late_sample = (int)sum->late;
}

/* Poles are placed by one torque. */
static void refuse_inputs(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    int n_use = 0, n_input = 0;
    if (ml_loop_indicator(&study->ensemble, ML_LOOP_PLACEMENT) < 0)
        return;
    for (int j = 0; j < spec->model.n; j++) {
        bool has_input = false;
        for (int f = 0; f < spec->n_force; f++) {
            const struct ml_force_use *use = &spec->forces[f];
            const bool acts = use->type->feedback > 0 && !use->is_perturbation;
            n_use += acts;
            has_input |= acts && (!(use->type->places & ML_AT_JOINT) || use->joint == j);
        }
        n_input += has_input;
    }
    if (n_use == 0)
        n_input = spec->model.n;
    if (n_input > 1)
        ml_problem(&r->problems, ml_read_location(r->analyse, "place"),
                   "`place` is of one torque, and there are %d, one at each joint %s: give one "
                   "joint a force such as {name: motor, type: formula, joint: %s, torque: 0}, or "
                   "ask for `lqr`, which finds gains of several torques",
                   n_input, n_use > 0 ? "that has a controller" : "of a study without controllers",
                   spec->segment_names[0]);
}

/* Frequencies grow, and end at half of the sampling frequency. */
static void refuse_response(const struct feedback_use *u, const struct feedback_sum *sum)
{
    const struct ml_ensemble *e = &u->study->ensemble;
    const int i = ml_loop_indicator(e, ML_LOOP_RESPONSE);
    const double rounding = 1e-12;
    struct ml_output output;
    char text[ML_NUMBER_TEXT], other[ML_NUMBER_TEXT];
    if (i < 0)
        return;
    const struct ml_indicator_use use = ml_ensemble_use(e, i);
    (void)ml_ensemble_indicator(e, i)->output(&use, 0, &output);
    const struct ml_node *own = ml_node_find(u->r->analyse, "frequency_response");
    const struct ml_location location = ml_read_location(own, "to");
    if (!(output.last > output.first))
        ml_problem(&u->r->problems, location,
                   "frequencies go from %s to %s rad/s, and must grow: give a larger `to`",
                   ml_number_text(output.first, text), ml_number_text(output.last, other));
    if (sum->sampled && output.last * sum->interval.high > ML_PI * (1.0 + rounding))
        ml_problem(
            &u->r->problems, location,
            "frequencies go to %s rad/s, but a loop with a `sample_time` of %s s has them up "
            "to half of the sampling frequency, %.4g rad/s: end `to` there",
            ml_number_text(output.last, text), ml_number_text(sum->interval.high, other),
            ML_PI / sum->interval.high);
}

/* Memory and time grow with the square and the cube of the state. */
static void refuse_large(struct ml_reader *r, const struct ml_study *study)
{
    enum { MOST_ROWS = 128 };
    const int n_x = ml_n_x(&study->ensemble.model);
    const char *key = loop_key(study);
    if (key && n_x > MOST_ROWS)
        ml_problem(&r->problems, ml_read_location(r->analyse, key),
                   "%s needs a state of at most %d numbers; this state has %d", key, (int)MOST_ROWS,
                   n_x);
}

static void refuse_steps(const struct feedback_use *u)
{
    const struct ml_study_spec *spec = &u->study->spec;
    const struct ml_method *method = ml_study_spec_method(spec);
    const struct ml_given delay = u->delay;
    char least[ML_NUMBER_TEXT], step[ML_NUMBER_TEXT];
    if (spec->time.is_adaptive)
        return;
    if (spec->time.clock != ML_CLOCK_COMMON)
        ml_problem(&u->r->problems, delay.location,
                   "a delay needs the same step in all runs: leave `time` out of the sweep");
    else if (method->n_sweep_stage > 0 && !u->is_sampled && delay.high > 0.0 &&
             delay.low < spec->time.step)
        ml_problem(&u->r->problems, delay.location,
                   "a delay of %s s is shorter than a step, %s s, and %s is implicit: take shorter "
                   "steps, or an explicit method, whose steps are cut",
                   ml_number_text(delay.low, least), ml_number_text(spec->time.step, step),
                   method->name);
}

/* Steps end at every sample, and wherever the past is seen to break; those that lanes choose are no
 * longer than the delay. */
static void refuse_short(const struct feedback_use *u, const struct ml_given *given,
                         const char *name)
{
    const struct ml_study_spec *spec = &u->study->spec;
    const struct ml_ensemble *e = &u->study->ensemble;
    const double span = spec->time.step * (double)spec->time.n_step,
                 most = fmin(e->chosen.control.most_steps, 1e10);
    const double least = spec->time.is_adaptive ? span / most : 1e-3 * spec->time.step;
    char shown[ML_NUMBER_TEXT], shown_step[ML_NUMBER_TEXT];
    if (!(given->low > 0.0 && given->low < least))
        return;
    (void)ml_number_text(given->low, shown);
    if (spec->time.is_adaptive)
        ml_problem(&u->r->problems, given->location,
                   "%s is %s s, and steps would be as short, more than the %.0f steps that a run "
                   "may take: leave that key out",
                   name, shown, most);
    else
        ml_problem(&u->r->problems, given->location,
                   "%s is %s s, less than a thousandth of a step, %s s, and steps would be as "
                   "short: take shorter steps, or leave that key out",
                   name, shown, ml_number_text(spec->time.step, shown_step));
}

/* The ends of all steps within a delay are kept, with their rates. */
static void refuse_long(const struct feedback_use *u)
{
    const struct ml_study_spec *spec = &u->study->spec;
    const double most = 0x1p31,
                 n = fmin(u->delay.high / spec->time.step, (double)spec->time.n_step);
    const double size = n * (2 + 2 * ml_n_x(&u->study->ensemble.model)) * ML_LANES * sizeof(double);
    if (!spec->time.is_adaptive && size > most)
        ml_problem(&u->r->problems, u->delay.location,
                   "of a delay of %.3g s the ends of %.0f steps are kept, which take %.1f GB for "
                   "16 runs side by side, and at most 2 are allowed: take longer steps",
                   u->delay.high, n, size * 1e-9);
}

/* Breaks that do not follow from others. */
static double first_breaks(const struct ml_study *study, double reach)
{
    const struct ml_ensemble *e = &study->ensemble;
    double n = 1.0;
    for (int f = 0; f < e->n_force; f++)
        for (int s = 0; s < e->forces[f].n_signal; s++) {
            const struct ml_signal *signal = &e->forces[f].signals[s];
            n += signal->type == ML_TABLE_SIGNAL && signal->breakpoints
                     ? (double)signal->breakpoints->n
                     : 2.0;
        }
    for (int i = 0; i < e->n_event; i++)
        n += e->events[i].aligns ? 2.0 + 2.0 * ceil(reach / e->time.step) : 0.0;
    return n;
}

/* Adds a view of the past, or refuses a view that other keys of the study exclude. */
static void add_use(const struct feedback_use *u, struct feedback_sum *sum)
{
    const double interval = u->is_sampled ? u->interval.high : 0.0;
    refuse_tangents(u);
    refuse_set(u);
    if (u->has_delay) {
        refuse_steps(u);
        refuse_long(u);
        refuse_short(u, &u->delay, "delay");
    }
    if (u->is_sampled) {
        refuse_short(u, &u->interval, "sample_time");
        sum->shortest = fmin(sum->shortest, u->interval.low);
    }
    sum->reach =
        fmax(sum->reach, (u->has_delay ? fmax(u->delay.high, 0.0) : 0.0) + fmax(interval, 0.0));
    sum->n_sampled += u->is_sampled;
    sum->n_delay += u->has_delay && !u->is_sampled;
}

static void add_controller(struct feedback_use *u, const struct ml_force_use *use,
                           struct feedback_sum *sum, bool *has_delay)
{
    u->has_delay = is_given(u, ML_FEEDBACK_DELAY);
    u->is_sampled = is_given(u, ML_FEEDBACK_SAMPLE_TIME);
    u->name = u->has_delay ? "a controller with `delay`" : "a controller with `sample_time`";
    refuse_noise(u);
    if (u->has_delay)
        u->delay = given(u, ML_FEEDBACK_DELAY);
    if (u->is_sampled)
        u->interval = given(u, ML_FEEDBACK_SAMPLE_TIME);
    if (u->has_delay || u->is_sampled)
        add_use(u, sum);
    refuse_margins(u, use, sum);
    *has_delay |= u->has_delay;
}

/* The delays of formulas, whose parameters are in slots from `first` on.
 *   key  of the force or the study that excludes them; NULL: none does */
static void add_formulas(struct feedback_use *u, const struct ml_equations *equations, int first,
                         const char *key, struct feedback_sum *sum)
{
    u->has_delay = true;
    u->is_sampled = false;
    u->name = "a formula with a delay";
    for (int i = 0; i < equations->n_late; i++) {
        const struct ml_late *late = &equations->late[i];
        const struct ml_given literal = {
            .low = late->delay, .high = late->delay, .location = late->location};
        u->delay = late->param < 0 ? literal : ml_given_find(u->r, first + late->param);
        if (!u->delay.is_swept) /* paths of systems by formula are not those of their keys */
            u->delay.location = late->location;
        if (!(u->delay.low > 0.0))
            ml_problem(&u->r->problems, u->delay.location,
                       "a delay in formulas must be above 0 in every run");
        else if (key)
            ml_problem(
                &u->r->problems, late->location,
                "with `%s`, formulas of a force cannot have delays: give the force the key `delay`",
                key);
        else
            add_use(u, sum);
        if (equations->loop)
            refuse_late_poles(u, "");
    }
}

/* Moments that are seen at once at most, by the order of the method; 0 after telling that there are
 * too many. */
static int64_t count_breaks(struct ml_reader *r, const struct ml_study *study,
                            const struct feedback_sum *sum, bool has_delay)
{
    const double most = 0x1p24;
    double n = sum->reach > 0.0 ? first_breaks(study, sum->reach) : has_delay, one = n;
    if (sum->n_sampled > 0.0)
        n = one += sum->n_sampled * (2.0 + ceil(sum->reach / sum->shortest));
    for (int k = 0; k < ml_study_spec_method(&study->spec)->order; k++)
        n += one *= sum->n_delay;
    if (n <= most)
        return (int64_t)n;
    const struct ml_node *forces = ml_node_find(r->root, "forces");
    ml_problem(&r->problems, (forces ? forces : ml_node_find(r->root, "system"))->location,
               forces ? "controllers use more than %.0f past states at a time: too many delays, or "
                        "delays too long relative to `sample_time`"
                      : "formulas use more than %.0f past states at a time: too many delays for a "
                        "method of this order",
               most);
    return 0;
}

void ml_plan_feedback(struct ml_reader *r, struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    struct feedback_sum sum = {.shortest = (double)INFINITY};
    struct feedback_use u = {.r = r, .study = study};
    bool has_delay = false;
    refuse_large(r, study);
    const int before = r->problems.count;
    const char *loops = loop_key(study);
    refuse_events_in_loop(r, study);
    refuse_inputs(r, study);
    if (spec->model.system->has_formulas && spec->model.own)
        add_formulas(&u, spec->model.own, 0, NULL, &sum);
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        const int feedback = use->type->feedback;
        u.is_sampled = false;
        u.slot = use->slot + ml_force_first_number(use->type, spec->model.n, feedback);
        if (feedback > 0)
            add_controller(&u, use, &sum, &has_delay);
        if (use->formula)
            add_formulas(&u, &use->formula->equations, use->slot,
                         u.is_sampled ? "sample_time" : loops, &sum);
    }
    refuse_mixed_margins(&u, &sum);
    refuse_poles(&u, study, &sum);
    refuse_response(&u, &sum);
    has_delay |= sum.n_delay > 0.0;
    const int64_t n = r->problems.count == before ? count_breaks(r, study, &sum, has_delay) : 0;
    study->ensemble.feedback.has_samples = sum.sampled != NULL;
    study->ensemble.feedback.reach = has_delay ? sum.reach : 0.0;
    study->ensemble.feedback.n_break = n;
}
