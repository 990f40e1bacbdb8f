/* Times of a study that contradict each other: a span that begins after the end of the run, or is
 * longer than the run, is refused where nothing would be measured, else gives a notice. */
#include <math.h>
#include <string.h>

#include "config/schema/given.h"
#include "config/schema/reader.h"
#include "config/schema/slots.h"
#include "plan/plan_study.h"
#include "yaml/number.h"

static const double rounding = 1e-9; /* relative, of times */

/* The latest end of a run: time.end, or `until` of an indicator. */
static double last_time(const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    double end = study->spec.time.end;
    for (int i = 0; study->spec.registry->indicators[i]; i++) {
        const struct ml_indicator *indicator = study->spec.registry->indicators[i];
        if (!e->indicators.settings[i] || !indicator->extend)
            continue;
        const struct ml_indicator_use use = ml_ensemble_use(e, i);
        const double own = indicator->extend(&use);
        end = own > end ? own : end; /* NaN: it does not */
    }
    return end;
}

/* Params in s. A default of 0 marks a time after the start (transient, from); the others are
 * lengths, NaN unless given. */
static bool is_time(const struct ml_param *param)
{
    return strcmp(param->unit, "s") == 0 && !param->group;
}

static bool is_after_start(const struct ml_param *param)
{
    return is_time(param) && param->default_value == 0.0 && !(param->flags & ML_DERIVED);
}

/* Times of an indicator against the `length` of a run, s. */
static void check_indicator(struct ml_reader *r, const struct ml_node *node,
                            const struct ml_indicator *indicator, const double *settings,
                            double length)
{
    char own[ML_NUMBER_TEXT], all[ML_NUMBER_TEXT];
    const char *name = NULL;
    double left = length;
    for (int p = 0; p < indicator->n_param; p++) {
        if (!is_after_start(&indicator->params[p]))
            continue;
        name = indicator->params[p].name;
        left = length - settings[p];
        if (!(left > rounding * length)) {
            ml_problem(&r->problems, ml_read_location(node, name),
                       "%s is %s s but a run lasts only %s s", name,
                       ml_number_text(settings[p], own), ml_number_text(length, all));
            return;
        }
    }
    for (int p = 0; p < indicator->n_param; p++)
        if (is_time(&indicator->params[p]) && !is_after_start(&indicator->params[p]) &&
            settings[p] > left + rounding * length)
            ml_problem(&r->problems, ml_read_location(node, indicator->params[p].name),
                       "%s is %s s but a run lasts %.6g s%s%s", indicator->params[p].name,
                       ml_number_text(settings[p], own), left, left < length ? " after " : "",
                       left < length ? name : "");
}

/* Whether an indicator has no number of this system; those of tangent vectors always have some. */
static bool has_nothing(const struct ml_study *study, int i)
{
    const struct ml_indicator *indicator = ml_ensemble_indicator(&study->ensemble, i);
    return !indicator->n_tangent && !indicator->takes_parameters &&
           !ml_ensemble_measures(&study->ensemble, i);
}

static void check_indicators(struct ml_reader *r, const struct ml_study *study, double length)
{
    const struct ml_study_spec *spec = r->spec;
    for (int i = 0; spec->registry->indicators[i]; i++) {
        const struct ml_indicator *indicator = spec->registry->indicators[i];
        const struct ml_node *node = ml_node_find(r->analyse, indicator->name);
        if (node && spec->indicators.settings[i] && has_nothing(study, i))
            ml_problem(&r->problems, node->location, "the study has nothing that `%s` measures: %s",
                       indicator->name, indicator->doc);
        if (node && spec->indicators.settings[i])
            check_indicator(r, node, indicator, spec->indicators.settings[i], length);
    }
}

/* Intervals that are longer than the span that they divide. */
static void notice_intervals(struct ml_reader *r, const struct ml_node *save)
{
    const struct ml_study_spec *spec = r->spec;
    const long long n_step = (long long)spec->time.n_step, n_run = (long long)spec->runs.n;
    const struct ml_node *trajectory = ml_node_find(save, "trajectory");
    const struct ml_node *runs = ml_node_find(trajectory, "runs");
    if (spec->indicators.observe_every > spec->time.n_step && ml_node_find(r->analyse, "every"))
        ml_notice(
            r, ml_read_location(r->analyse, "every"),
            "every is more than the %lld steps of a run: only its start and its end are observed",
            n_step);
    if (trajectory && spec->saving.every > spec->time.n_step)
        ml_notice(r, ml_read_location(trajectory, "every"),
                  "every is more than the %lld steps of a run: only its start is kept", n_step);
    if (runs && spec->saving.run_every >= spec->runs.n && spec->runs.n > 1)
        ml_notice(r, ml_read_location(runs, "every"),
                  "every is not less than the %lld runs: only run 0 is kept", n_run);
}

/* Whether a number is given and the same in all runs. */
static bool is_common(const struct ml_reader *r, int slot)
{
    return ml_slot_has_own(r, slot) && !r->swept_by[slot];
}

/* Signals of a force that change only before or after the run. */
static void notice_signals(struct ml_reader *r, const struct ml_force_use *use,
                           struct ml_location location, double last)
{
    const double start = r->spec->time.start;
    for (int k = 0; k < use->n_number; k++) {
        const int onset = use->slot + k + ML_SIGNAL_ONSET;
        const int duration = use->slot + k + ML_SIGNAL_DURATION;
        if (!(use->numbers[k].flags & ML_SIGNAL) || !is_common(r, onset))
            continue;
        const double from = r->spec->numbers.base[onset],
                     end = from + r->spec->numbers.base[duration];
        if (from >= last)
            ml_notice(r, location, "`%s` is %g s but the run ends at %g s: it never sets in",
                      r->slots[onset].path, from, last);
        else if (is_common(r, duration) && end <= start)
            ml_notice(r, location,
                      "`%s` and the duration end at %g s, before the run starts at %g s",
                      r->slots[onset].path, end, start);
    }
}

/* Tables must cover the times up to the latest end of a run. */
static void check_tables(struct ml_reader *r, const struct ml_force_use *use,
                         struct ml_location location, double last)
{
    for (int c = 0; c < use->n_signal; c++) {
        const struct ml_breakpoints *breakpoints = use->signals[c].breakpoints;
        if (use->signals[c].type != ML_TABLE_SIGNAL || !breakpoints ||
            breakpoints->time[breakpoints->n - 1] >= last)
            continue;
        ml_problem(&r->problems, location,
                   "the times of %s end at %g s but runs may last until %g s (`until`)",
                   breakpoints->file, breakpoints->time[breakpoints->n - 1], last);
        return;
    }
}

static void check_forces(struct ml_reader *r, const struct ml_node *forces, double last)
{
    const struct ml_study_spec *spec = r->spec;
    const struct ml_node *node = forces ? forces->first : NULL;
    for (int i = 0; node && i < spec->n_force; i++, node = node->next) {
        const struct ml_force_use *use = &spec->forces[i];
        if (!use->type || !use->numbers)
            continue;
        notice_signals(r, use, node->location, last);
        if (ml_study_is_swept(spec, &use->threshold))
            ml_problem(&r->problems, node->location,
                       "cannot sweep the threshold of `%s` in a run; `manylink inverse` can: give "
                       "a threshold to each run with --set, or filter the table",
                       use->name);
        if (last > spec->time.end)
            check_tables(r, use, node->location, last);
    }
}

static void notice_motion(struct ml_reader *r)
{
    const struct ml_motion_spec *plan = &r->spec->inverse.motion;
    const double start = r->spec->time.start, end = r->spec->time.end;
    const struct ml_slot *slot = r->slots ? ml_slot_find(r, "motion.onset") : NULL;
    if (!slot)
        return;
    /* the first of all runs' motions to set off, and the last to end */
    const int onset = (int)(slot - r->slots), duration = onset + 1;
    const double first = ml_given_find(r, onset).low;
    const double last = ml_given_find(r, onset).high + ml_given_find(r, duration).high;
    if (first >= end || last <= start)
        ml_notice(r, plan->location,
                  "the motion lasts from %g to %g s, outside of the time: %g to %g s", first, last,
                  start, end);
    else if (first < start || last > end * (1.0 + rounding))
        ml_notice(r, plan->location,
                  "the motion lasts from %g to %g s, but the result covers only %g to %g s", first,
                  last, start, end);
}

void ml_plan_spans(struct ml_reader *r, const struct ml_study *study)
{
    const double last = last_time(study);
    if (!r->is_for_inverse) {
        check_indicators(r, study, last - study->spec.time.start);
        notice_intervals(r, ml_node_find(r->root, "save"));
        check_forces(r, ml_node_find(r->root, "forces"), last);
    }
    notice_motion(r);
}

void ml_plan_rounded_spans(struct ml_reader *r, const struct ml_study *study)
{
    const struct ml_ensemble *e = &study->ensemble;
    const double interval = e->time.step * (double)e->indicators.renormalise_every;
    char own[ML_NUMBER_TEXT], each[ML_NUMBER_TEXT];
    for (int i = 0; study->spec.registry->indicators[i]; i++) {
        const struct ml_indicator *indicator = study->spec.registry->indicators[i];
        const struct ml_node *node = ml_node_find(r->analyse, indicator->name);
        for (int p = 0;
             node && e->indicators.settings[i] && indicator->n_tangent && p < indicator->n_param;
             p++) {
            const struct ml_param *param = &indicator->params[p];
            const bool begins = strcmp(param->name, "from") == 0; /* a window, at any interval */
            const double n = e->indicators.settings[i][p] / interval;
            const double whole = fmax(begins ? 0.0 : 1.0, nearbyint(n));
            if (is_after_start(param) &&
                ceil(n - rounding) * (double)e->indicators.renormalise_every >=
                    (double)e->time.n_step)
                ml_problem(&r->problems, ml_read_location(node, param->name),
                           "%s leaves less of the run than the %s s between orthonormalisations: "
                           "nothing would be measured",
                           param->name, ml_number_text(interval, each));
            else if (is_time(param) && (begins || !is_after_start(param)) &&
                     fabs(n - whole) > 1e-6 * fmax(1.0, whole))
                ml_notice(r, ml_read_location(node, param->name),
                          "%s is taken as %s s, a multiple of the %s s between orthonormalisations",
                          param->name, ml_number_text(whole * interval, own),
                          ml_number_text(interval, each));
        }
    }
}
