/* Notices about numbers that are possible, but seldom meant. */
#include "plan/plausibility.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "config/schema/given.h"
#include "config/schema/slots.h"
#include "config/schema/values.h"
#include "engine/assess/stability.h"
#include "model/forces/formula.h"
#include "plan/controlled.h"

static const double turn = 6.283185307179586;

static bool plausibility_is_same(struct ml_location a, struct ml_location b)
{
    return a.option == b.option && a.line == b.line && a.column == b.column;
}

/* "`path` is 90 rad" or "`path` goes to 90 rad". */
static const char *statement(struct ml_reader *r, const struct ml_given *given, double value,
                             const char *unit)
{
    const char *text =
        ml_pool_format(r->pool, "`%s` %s %.6g%s", given->path, given->is_swept ? "goes to" : "is",
                       value, ml_unit_text(" ", unit, "").text);
    return text ? text : "";
}

/* Numbers outside of the plausible range of their table. */
static void report_unusual(struct ml_reader *r, const struct ml_given *given,
                           const struct ml_param *param)
{
    const struct ml_plausible_range *doubt = param->doubt;
    if (!doubt || !(given->low < doubt->low || given->high > doubt->high))
        return;
    ml_notice(r, given->location, "%s: %s",
              statement(r, given, given->low < doubt->low ? given->low : given->high, param->unit),
              doubt->cause);
}

static void report_angle(struct ml_reader *r, const struct ml_given *given)
{
    const double most = fabs(given->low) > fabs(given->high) ? given->low : given->high;
    if (fabs(most) <= turn * (1.0 + 1e-12))
        return;
    ml_notice(r, given->location, "%s, more than a whole turn: in degrees? then write %.6g*pi/180",
              statement(r, given, most, "rad"), most);
}

/* Numbers by themselves; of those that are given in one place the first. */
static void report_numbers(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const int first = ml_slot_initial(&spec->model, 0, 0);
    struct ml_location told = {0};
    for (int slot = 0; slot < spec->numbers.n; slot++) {
        const struct ml_param *param = &r->slots[slot].param;
        const bool is_angle =
            slot >= first && slot < r->first_event && strcmp(param->unit, "rad") == 0;
        if ((!is_angle && !param->doubt) || !ml_slot_is_given(r, slot))
            continue;
        const struct ml_given given = ml_given_find(r, slot);
        const int before = r->notices.count;
        if (plausibility_is_same(given.location, told))
            continue;
        report_unusual(r, &given, param);
        if (is_angle)
            report_angle(r, &given);
        if (r->notices.count > before)
            told = given.location;
    }
}

/* Index of a number of a segment; -1: it has none of that name. */
static int segment_param(const struct ml_system *system, const char *name)
{
    for (int p = 0; p < system->tables.n_segment_param; p++)
        if (strcmp(system->tables.segment_params[p].name, name) == 0)
            return p;
    return -1;
}

/* A segment of one member.
 *   first   slot of its first number
 *   values  of the member */
struct segment {
    const double *values;
    int first;
};

static double plausibility_number_of(struct ml_reader *r, const struct segment *s, const char *name)
{
    return s->values[s->first + segment_param(r->system, name)];
}

/* Where a number is given; false if the study does not. */
static bool find_given(struct ml_reader *r, const struct segment *s, const char *name,
                       struct ml_given *out)
{
    const int slot = s->first + segment_param(r->system, name);
    if (!ml_slot_is_given(r, slot))
        return false;
    *out = ml_given_find(r, slot);
    return true;
}

static bool report_com(struct ml_reader *r, const struct segment *s)
{
    const double com = plausibility_number_of(r, s, "com"),
                 length = plausibility_number_of(r, s, "length");
    struct ml_given given;
    if ((com >= 0.0 && com <= length) || !find_given(r, s, "com", &given))
        return false;
    ml_notice(r, given.location,
              "%s, which is outside of the segment, of %.6g m: in cm, or a share of the length? "
              "the distance is in m from the proximal joint",
              statement(r, &given, com, "m"), length);
    return true;
}

static bool report_inertia(struct ml_reader *r, const struct segment *s)
{
    const double length = plausibility_number_of(r, s, "length"),
                 most = plausibility_number_of(r, s, "mass") * length * length;
    const double inertia = plausibility_number_of(r, s, "inertia");
    struct ml_given given;
    if (inertia <= most * (1.0 + 1e-12) || !find_given(r, s, "inertia", &given))
        return false;
    ml_notice(r, given.location,
              "%s, more than mass x length^2 = %.6g kg m^2, all of the mass at an end: in other "
              "units? the inertia is about the centre of mass, in kg m^2",
              statement(r, &given, inertia, "kg m^2"), most);
    return true;
}

/* The first segment of the first member with such a number. */
static void report_segments(struct ml_reader *r, int n, const int64_t *runs)
{
    static bool (*const tell[])(struct ml_reader *, const struct segment *) = {report_com,
                                                                               report_inertia};
    const struct ml_study_spec *spec = r->spec;
    double *values = ml_pool_take(r->pool, (size_t)spec->numbers.n, sizeof *values);
    for (size_t t = 0; values && t < sizeof tell / sizeof *tell; t++) {
        bool is_told = false;
        for (int m = 0; m < n && !is_told; m++) {
            ml_study_values(spec, runs[m], values);
            if (spec->model.system->parameters.derive)
                spec->model.system->parameters.derive(&spec->model, values);
            for (int i = 0; i < spec->model.n && !is_told; i++)
                is_told = tell[t](
                    r, &(struct segment){values, ml_slot_segment(spec->model.system, i, 0)});
        }
    }
}

/* Rounded towards 0, to two digits. */
static double plausibility_round_down(double value)
{
    const double unit = value > 0.0 ? pow(10.0, floor(log10(value)) - 1.0) : 1.0;
    return floor(value / unit) * unit;
}

/* Rates at the start that are much in one step; beside an energy they are directions only. */
static void report_rates(struct ml_reader *r)
{
    const double most = 0.5; /* rad */
    const struct ml_study_spec *spec = r->spec;
    const int energy = ml_slot_energy(spec->model.system), end = ml_slot_forces(&spec->model);
    struct ml_location told = {0};
    if (spec->time.is_adaptive || (energy >= 0 && ml_slot_is_given(r, energy)))
        return;
    for (int slot = ml_slot_initial(&spec->model, 0, 0); slot < end; slot++) {
        if (strcmp(r->slots[slot].param.unit, "rad/s") != 0)
            continue;
        const struct ml_given given = ml_given_find(r, slot);
        const double rate = fabs(given.low) > fabs(given.high) ? given.low : given.high;
        if (!(fabs(rate) * spec->time.step > most) || plausibility_is_same(given.location, told))
            continue;
        told = given.location;
        ml_notice(r, given.location,
                  "%s, %.2g rad in one step of %.6g s: in degrees? or a step of at most %.2g s",
                  statement(r, &given, rate, "rad/s"), fabs(rate) * spec->time.step,
                  spec->time.step, plausibility_round_down(most / fabs(rate)));
    }
}

/* Angles of the study's own motion. */
static void report_motion(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_motion_spec *motion = &spec->inverse.motion;
    double most = 0.0;
    for (int k = 0; motion->type == ML_MINIMUM_JERK && k < spec->numbers.n_of_runs; k++) {
        const struct ml_of_runs *of = &spec->numbers.of_runs[k];
        for (int i = 0; (of->own == motion->start || of->own == motion->end) && i < of->n; i++) {
            const struct ml_given given = ml_given_find(r, of->slot + i);
            most = fmax(most, fmax(fabs(given.low), fabs(given.high)));
        }
    }
    if (most > turn * (1.0 + 1e-12))
        ml_notice(r, motion->location,
                  "the motion has an angle of %.6g rad, more than a whole turn: in degrees? then "
                  "write %.6g*pi/180",
                  most, most);
}

/* Results by a mass that is not that of the body in every run. */
static void report_mass(struct ml_reader *r)
{
    const struct ml_slot *body = ml_slot_find(r, "system.body.mass");
    const struct ml_slot *by = ml_slot_find(r, "inverse.per_mass");
    if (!body || !by)
        return;
    const struct ml_given mass = ml_given_find(r, (int)(body - r->slots));
    const struct ml_given per_mass = ml_given_find(r, (int)(by - r->slots));
    if (mass.is_swept && !per_mass.is_swept)
        ml_notice(r, mass.location,
                  "the mass of the body is swept, but all results are divided by %g kg; `set: "
                  "[%s, %s]` sweeps both",
                  per_mass.low, mass.path, per_mass.path);
}

/* Axes along which nothing changes that is integrated. */
static void report_idle_axes(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    for (int a = 0; spec->numbers.n_of_runs > 0 && a < spec->runs.n_axis; a++) {
        const struct ml_axis *axis = &spec->runs.axes[a];
        bool is_idle = true;
        for (int i = 0; i < axis->n_swept; i++)
            is_idle &= axis->swept[i].slot >= spec->numbers.of_runs[0].slot &&
                       &r->slots[axis->swept[i].slot] != r->clock &&
                       strncmp(axis->swept[i].path, "define.", strlen("define.")) != 0;
        if (is_idle)
            ml_notice(r, ml_given_find(r, axis->swept[0].slot).location,
                      "all runs along `%s` are equal: only `manylink inverse` uses that key",
                      axis->name);
    }
}

/* The motion that the step is too large for, and a step that is small enough. */
static void say_instability(const struct ml_study *study, const struct ml_instability *found,
                            size_t size, char *text)
{
    const struct ml_ensemble *e = &study->ensemble;
    const struct ml_force_use *force = found->force >= 0 ? &e->forces[found->force] : NULL;
    char what[200];
    if (force)
        (void)snprintf(what, sizeof what, "force `%.60s` (%s)%s", force->name, force->type->name,
                       found->is_engaged ? " where it acts" : "");
    else
        (void)snprintf(what, sizeof what, "the fastest motion of system `%s`",
                       e->model.system->name);
    (void)snprintf(text, size,
                   "%s: step x |eigenvalue| is %.3g, and %s is stable up to %.3g; the largest "
                   "stable step is about %.2g s",
                   what, found->product, e->method->name, found->limit,
                   plausibility_round_down(found->largest));
}

enum { LONGEST = 500 };

/* Checks the step of a study, once; the finding is kept as the cause of runs that fail. */
static void report_step(struct ml_reader *r, struct ml_study *study, int n, const int64_t *runs)
{
    struct ml_instability found;
    char text[LONGEST], run[40] = "";
    if (ml_ensemble_instability(&study->ensemble, n, runs, &found, NULL) != ML_OK ||
        !found.is_there)
        return;
    say_instability(study, &found, sizeof text, text);
    if (study->ensemble.n_run > 1)
        (void)snprintf(run, sizeof run, " in run %lld", (long long)found.run);
    study->ensemble.time.is_unstable = true;
    study->too_large = ml_pool_format(&study->pool, "%s for %s", run, text);
    const bool is_step = ml_node_find(ml_given_node(r, "time"), "step");
    ml_notice(r, ml_given_node(r, is_step ? "time.step" : "time.steps")->location,
              "a step of %.6g s is too large%s for %s", found.step, run, text);
}

/* Whether something acts on one side only: a joint's limit, the ground. */
static bool has_contacts(const struct ml_study_spec *spec)
{
    bool has = !spec->model.system->forces.joint_terms &&
               ml_record(spec->model.system, ML_GROUND_FORCE) >= 0;
    for (int f = 0; f < spec->n_force; f++)
        has |= spec->forces[f].type->is_one_sided;
    return has;
}

/* Part of a step, at its end, that the error estimate does not sample: a force that sets in there
 * is missed at any tolerance. 0 without an estimate, or of a linearly implicit method. */
static double unseen(const struct ml_method *method)
{
    double last = 0.0;
    if (method->embedded_order == 0 || method->implicit)
        return 0.0;
    for (int i = 0; i < method->error.n_term; i++)
        last = fmax(last, method->node[method->error.terms[i].stage]);
    return 1.0 - last;
}

/* An error estimate that is blind to the end of a step, where there are contacts. */
static void report_unseen(struct ml_reader *r)
{
    const double much = 0.05;
    const struct ml_study_spec *spec = r->spec;
    const struct ml_method *method = ml_study_spec_method(spec);
    char others[200] = "";
    if (!spec->time.is_adaptive || unseen(method) < much || !has_contacts(spec))
        return;
    for (int i = 0; ml_methods[i]; i++) {
        const size_t used = strlen(others);
        if (ml_methods[i]->embedded_order > 0 && unseen(ml_methods[i]) < much)
            (void)snprintf(others + used, sizeof others - used, "%s%s", used > 0 ? ", " : "",
                           ml_methods[i]->name);
    }
    ml_notice(r, ml_given_node(r, "integrator")->location,
              "%s misses a contact that sets in within the last %.0f %% of a step, at any "
              "tolerance, and may end wrong; integrators without that gap: %s",
              method->name, 100.0 * unseen(method), others);
}

/* Exponents beside an error of the state alone. */
static void report_error_of(struct ml_reader *r, const struct ml_study *study)
{
    if (!study->spec.chosen.control.is_of_state || study->ensemble.indicators.n_tangent == 0)
        return;
    ml_notice(
        r, ml_read_location(ml_given_node(r, "integrator"), "error_of"),
        "tangent vectors have no say in the steps: exponents of runs that come to rest may be "
        "those of the map of long steps; leave `error_of` out");
}

/* A PID whose integral stands still at its limit: where it does, its rate jumps, and tangent
 * vectors would jump too, by an amount that is not computed. */
static void report_windup(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    const bool has_vectors = study->ensemble.model.n_column > 0 || spec->fit.n_range > 0;
    for (int f = 0; f < spec->n_force && has_vectors; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        bool has_limit = false, has_integral = false;
        for (int k = 0; k < use->n_number; k++) {
            const int slot = use->slot + k;
            has_limit |= use->numbers[k].flags & ML_LIMIT && ml_slot_is_given(r, slot);
            has_integral |= strcmp(use->numbers[k].name, "ki") == 0 &&
                            (spec->numbers.base[slot] != 0.0 || r->swept_by[slot]);
        }
        if (has_limit && has_integral)
            ml_notice(
                r, (struct ml_location){.line = use->line, .column = use->column},
                "the integral of `%s` stands still where its torque is at the limit: derivatives "
                "and exponents of runs that reach the limit are wrong; leave `ki` or `limit` out",
                use->name);
    }
}

/* Controllers that look at the start alone, and delays that make steps far shorter. */
static void report_late(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const double span = (double)spec->time.n_step * spec->time.step, shorter = 0.01;
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        const struct ml_location place = {.line = use->line, .column = use->column};
        for (int k = 0; k < use->n_number; k++) {
            const char *name = use->numbers[k].name;
            const double value = spec->numbers.base[use->slot + k];
            const bool is_delay = strcmp(name, "delay") == 0;
            if ((!is_delay && strcmp(name, "sample_time") != 0) || r->swept_by[use->slot + k])
                continue;
            if (value >= span && spec->time.n_step > 0)
                ml_notice(r, place,
                          "`%s` sees the start alone: its %s of %.6g s is no shorter than the run, "
                          "of %.6g s",
                          use->name, name, value, span);
            else if (is_delay && value > 0.0 && value < shorter * spec->time.step)
                ml_notice(
                    r, place,
                    "the delay of `%s`, %.3g s, is far below the step, and each step is cut "
                    "into parts as short as the delay; leave `delay` out, or take a longer one",
                    use->name, value);
        }
    }
}

/* `tracking` of a study in which nothing has a target; of equations it needs their `control_error`.
 */
static void report_untracked(struct ml_reader *r)
{
    const struct ml_node *tracking = ml_node_find(r->analyse, "tracking");
    bool has_target = r->system->has_formulas;
    for (int f = 0; f < r->spec->n_force; f++)
        has_target |= r->spec->forces[f].type->feedback > 0 && !r->spec->forces[f].formula;
    if (tracking && !has_target)
        ml_notice(r, tracking->key_location,
                  "`tracking` measures nothing: no force of the study brings an angle to a target");
}

/* `tracking` from the start, where all controllers begin at targets that stand still. */
static void report_rest(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_node *tracking = ml_node_find(r->analyse, "tracking");
    const struct ml_force_use *rests = NULL;
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        const int target = ml_controlled_target(use, spec->model.n);
        const int start = ml_slot_initial(&spec->model, 0, use->segment);
        if (use->type->feedback <= 0)
            continue;
        if (target < 0 || r->swept_by[target] || r->swept_by[start] ||
            spec->numbers.base[target] != spec->numbers.base[start])
            return;
        rests = use;
    }
    if (tracking && rests && !ml_node_find(tracking, "from"))
        ml_notice(
            r, tracking->key_location,
            "`%s` begins at its target: rise_time, overshoot and settling_time have no value; "
            "begin elsewhere, or measure a push by `tracking: {from: TIME}`",
            rests->name);
}

/* Jumps of formulas at which tangent vectors should jump too, but do not. */
static void report_jumps(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_study_spec *spec = &study->spec;
    const char *left = spec->model.system->switches.left_jump;
    if (study->ensemble.model.n_column == 0 && spec->fit.n_range == 0)
        return;
    if (left && spec->source.kind == ML_FLOW)
        ml_notice(r, ml_node_find(r->root, "system")->location,
                  "derivatives and exponents leave out the jumps of the rates where `%s` changes; "
                  "make the change an event that sets a state",
                  left);
    for (int f = 0; f < spec->n_force; f++) {
        const struct ml_force_use *use = &spec->forces[f];
        if (use->formula && use->formula->equations.jumps)
            ml_notice(r, (struct ml_location){.line = use->line, .column = use->column},
                      "derivatives and exponents leave out the jumps of the formulas of `%s`; make "
                      "the changes events that set a state of the force",
                      use->name);
    }
}

/* Whether a controller of a target follows the angle of a segment. */
static bool follows(const struct ml_force_use *use, int segment)
{
    return use->type->feedback > 0 && !use->formula &&
           (!(use->type->places & ML_AT_JOINT) || use->segment == segment);
}

/* Two targets of one angle, of which errors are those of the last. */
static void report_targets(struct ml_reader *r)
{
    const struct ml_study_spec *spec = r->spec;
    const bool has_tracking = ml_node_find(r->analyse, "tracking") != NULL;
    for (int last = spec->n_force - 1; has_tracking && last > 0; last--)
        for (int f = 0; f < last; f++) {
            const struct ml_force_use *a = &spec->forces[f], *b = &spec->forces[last];
            const int segment = a->type->places & ML_AT_JOINT ? a->segment : b->segment;
            if (!follows(a, segment) || !follows(b, segment))
                continue;
            ml_notice(r, (struct ml_location){.line = b->line, .column = b->column},
                      "`%s` and `%s` follow targets of the same angle: `tracking` and "
                      "`control_error` are of the target of `%s`, the last",
                      a->name, b->name, b->name);
            return;
        }
}

void ml_plausibility_check(struct ml_reader *r, struct ml_study *study)
{
    int64_t runs[ML_MOST_CORNERS];
    const int n = ml_corners(r->spec, runs);
    report_numbers(r);
    if (r->system->tables.segment_params)
        report_segments(r, n, runs);
    report_motion(r);
    if (r->is_for_inverse) {
        report_mass(r);
        return;
    }
    report_idle_axes(r);
    report_rates(r);
    report_step(r, study, n, runs);
    report_unseen(r);
    report_error_of(r, study);
    report_windup(r, study);
    report_targets(r);
    report_late(r);
    report_untracked(r);
    report_rest(r);
    report_jumps(r, study);
}

bool ml_plausibility_later(const struct ml_study *study, int64_t run, size_t size, char *text)
{
    struct ml_instability found;
    char cause[LONGEST];
    if (ml_ensemble_instability_before(&study->ensemble, run, &found, NULL) != ML_OK ||
        !found.is_there)
        return false;
    say_instability(study, &found, sizeof cause, cause);
    (void)snprintf(text, size, "step too large? it is for %s, at t = %.3g s" ML_PLAUSIBILITY_REMEDY,
                   cause, found.time);
    return true;
}
