/* Controllers that do not see the present: refuses methods, steps and indicators that do not go
 * with them, and finds how far back they see. */
#include <math.h>

#include "config/given.h"
#include "engine/loop.h"
#include "model/forces/numbers.h"
#include "plan/sections.h"
#include "yaml/number.h"

/* One such controller; `slot` is the first of its ML_FEEDBACK_PARAMS among the values of a run. */
struct feedback_use {
    struct ml_reader *r;
    const struct ml_study *study;
    int slot;
    bool has_delay, is_sampled;
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
                       "noise is of samples: give `sample_time`, the time from one measurement to "
                       "the next");
    if (is_given(u, ML_FEEDBACK_SEED) && !is_given(u, noises[0]) && !is_given(u, noises[1]))
        ml_problem(&u->r->problems, given(u, ML_FEEDBACK_SEED).location,
                   "seed is of `angle_noise` and `rate_noise`, which are not given");
}

/* The past has no tangent vectors. */
static void refuse_tangents(const struct feedback_use *u)
{
    const enum ml_feedback_param which = u->has_delay ? ML_FEEDBACK_DELAY : ML_FEEDBACK_SAMPLE_TIME;
    if (u->study->ensemble.model.n_column > 0)
        ml_problem(
            &u->r->problems, given(u, which).location,
            "a controller with `%s` acts on what the state was, of which there are no tangent "
            "vectors: no exponents, other indicators of chaos or sensitivities can be measured "
            "beside it",
            u->has_delay ? "delay" : "sample_time");
}

/* The past that is seen is one motion. */
static void refuse_set(const struct feedback_use *u)
{
    const enum ml_feedback_param which = u->has_delay ? ML_FEEDBACK_DELAY : ML_FEEDBACK_SAMPLE_TIME;
    for (int i = 0; i < u->study->ensemble.n_event; i++)
        if (u->study->ensemble.events[i].n_set > 0)
            ml_problem(
                &u->r->problems, given(u, which).location,
                "a controller with `%s` sees the past of one motion, and event `%s` sets the "
                "state anew; leave its `set` out",
                u->has_delay ? "delay" : "sample_time", u->study->ensemble.events[i].name);
}

/* Between samples there is no frequency response. */
static void refuse_margins(const struct feedback_use *u)
{
    if (u->is_sampled && ml_loop_is_needed(&u->study->ensemble))
        ml_problem(&u->r->problems, given(u, ML_FEEDBACK_SAMPLE_TIME).location,
                   "`margins` are those of a controller that looks all the time: leave "
                   "`sample_time` out, and give half of it as `delay`, which a held torque lags "
                   "by");
}

/* Memory and time grow with the square and the cube of the state. */
static void refuse_large(struct ml_reader *r, const struct ml_study *study)
{
    enum { MOST_ROWS = 128 };
    const int n_x = ml_n_x(&study->ensemble.model);
    if (ml_loop_is_needed(&study->ensemble) && n_x > MOST_ROWS)
        ml_problem(&r->problems, ml_read_location(r->analyse, "margins"),
                   "margins are found of states of at most %d numbers; this one has %d",
                   (int)MOST_ROWS, n_x);
}

static void refuse_steps(const struct feedback_use *u)
{
    const struct ml_study_spec *spec = &u->study->spec;
    const struct ml_method *method = ml_study_spec_method(spec);
    const struct ml_given delay = given(u, ML_FEEDBACK_DELAY);
    char least[ML_NUMBER_TEXT], step[ML_NUMBER_TEXT];
    if (spec->is_adaptive)
        return;
    if (spec->clock != ML_CLOCK_COMMON)
        ml_problem(&u->r->problems, delay.location,
                   "a delay needs the same step in all runs: leave `time` out of the sweep");
    else if (method->n_sweep_stage > 0 && !u->is_sampled && delay.high > 0.0 &&
             delay.low < spec->step)
        ml_problem(&u->r->problems, delay.location,
                   "a delay of %s s is shorter than a step, %s s, and %s is implicit: take shorter "
                   "steps, or an explicit method, whose steps are cut",
                   ml_number_text(delay.low, least), ml_number_text(spec->step, step),
                   method->name);
}

/* Steps end at every sample, and wherever the past is seen to break; those that lanes choose are no
 * longer than the delay. */
static void refuse_short(const struct feedback_use *u, enum ml_feedback_param which)
{
    const struct ml_study_spec *spec = &u->study->spec;
    const struct ml_ensemble *e = &u->study->ensemble;
    const struct ml_given time = given(u, which);
    const double span = spec->step * (double)spec->n_step, most = fmin(e->control.most_steps, 1e10);
    const double least = spec->is_adaptive ? span / most : 1e-3 * spec->step;
    char shown[ML_NUMBER_TEXT], shown_step[ML_NUMBER_TEXT];
    if (!is_given(u, which) || !(time.low > 0.0 && time.low < least))
        return;
    const char *name = which == ML_FEEDBACK_DELAY ? "delay" : "sample_time";
    (void)ml_number_text(time.low, shown);
    if (spec->is_adaptive)
        ml_problem(&u->r->problems, time.location,
                   "%s is %s s, and steps would be as short, more than the %.0f that a run may "
                   "take: leave it out",
                   name, shown, most);
    else
        ml_problem(&u->r->problems, time.location,
                   "%s is %s s, less than a thousandth of a step, %s s, and steps would be as "
                   "short: take shorter steps, or leave it out",
                   name, shown, ml_number_text(spec->step, shown_step));
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
        n += e->events[i].aligns ? 2.0 + 2.0 * ceil(reach / e->step) : 0.0;
    return n;
}

void ml_plan_feedback(struct ml_reader *r, struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    double n_delay = 0.0, reach = 0.0, shortest = (double)INFINITY, n_sampled = 0.0;
    bool has_delay = false;
    refuse_large(r, study);
    const int before = r->problems.count;
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force *type = spec->forces[f].type;
        struct feedback_use u = {.r = r, .study = study};
        if (type->feedback == 0)
            continue;
        u.slot = spec->forces[f].slot + ml_force_first_number(type, spec->model.n, type->feedback);
        u.has_delay = is_given(&u, ML_FEEDBACK_DELAY);
        u.is_sampled = is_given(&u, ML_FEEDBACK_SAMPLE_TIME);
        refuse_noise(&u);
        if (!u.has_delay && !u.is_sampled)
            continue;
        refuse_tangents(&u);
        refuse_set(&u);
        refuse_margins(&u);
        if (u.has_delay)
            refuse_steps(&u);
        refuse_short(&u, ML_FEEDBACK_DELAY);
        refuse_short(&u, ML_FEEDBACK_SAMPLE_TIME);
        const struct ml_given delay = given(&u, ML_FEEDBACK_DELAY),
                              interval = given(&u, ML_FEEDBACK_SAMPLE_TIME);
        reach = fmax(reach, fmax(delay.high, 0.0) + fmax(interval.high, 0.0));
        shortest = u.is_sampled ? fmin(shortest, interval.low) : shortest;
        n_sampled += u.is_sampled;
        n_delay += u.has_delay && !u.is_sampled;
        has_delay |= u.has_delay;
    }
    const double most = 0x1p24;
    double n = reach > 0.0 ? first_breaks(study, reach) : has_delay, one = n;
    if (n_sampled > 0.0)
        n = one += n_sampled * (2.0 + ceil(reach / shortest));
    for (int k = 0; k < ml_study_spec_method(spec)->order; k++)
        n += one *= n_delay;
    if (n > most && r->problems.count == before)
        ml_problem(
            &r->problems, ml_node_find(r->root, "forces")->location,
            "controllers see too many moments at once, more than %.0f: delays are long beside "
            "`sample_time`, or too many",
            most);
    study->derived.feedback = (struct ml_feedback_plan){.reach = has_delay ? reach : 0.0,
                                                        .n_break = n <= most ? (int64_t)n : 0};
}
