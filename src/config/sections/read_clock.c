/* Steps or ends of runs that are swept: every run takes the same number of steps, each of a length
 * of its own. */
#include <string.h>

#include "config/formulas/define.h"
#include "config/sections/sections.h"

static const char step_path[] = "time.step", end_path[] = "time.end";

/* Why the key cannot be swept in this study, with the remedy; NULL: it can. */
static const char *clock_fault(const struct ml_reader *r, const char *path)
{
    const bool has_steps = ml_node_find(r->time, "steps"), has_end = ml_node_find(r->time, "end");
    if (ml_study_spec_method(r->spec)->is_map)
        return "cannot be swept: the time of a map counts iterations, the same number in all runs";
    const bool is_adaptive = r->spec->time.is_adaptive, is_step = strcmp(path, step_path) == 0;
    if (is_step && is_adaptive)
        return "cannot be swept: an integrator with a tolerance chooses its steps; sweep "
               "`time.end`, "
               "or leave the tolerance out";
    if (is_step && (!has_steps || has_end) && !(r->define && r->define->end))
        return "can be swept where all runs take the same number of steps: give time: {step: ..., "
               "steps: N} without `end`, which then is N steps after the start";
    if (!is_step && !has_end)
        return "is not given, and follows from `time.step` and `time.steps`; sweep `time.step`";
    if (!is_step && is_adaptive && ml_node_find(r->time, "tick"))
        return "can be swept where all runs have the same number of ticks: leave `tick` out, which "
               "then is a hundredth of each run's time";
    if (!is_step && !is_adaptive && !has_steps)
        return "can be swept where all runs take the same number of steps: give `steps: N` instead "
               "of `step`, which then is the N-th part of each run's time";
    return NULL;
}

/* Adds the number behind all others. */
static void clock_add(struct ml_reader *r, bool is_end)
{
    struct ml_study_spec *spec = r->spec;
    struct ml_slot *slot = &r->slots[spec->numbers.n];
    const struct ml_keys keys = ml_schema_keys(r->pool, ML_SCOPE_TIME, NULL, NULL);
    *slot = (struct ml_slot){is_end ? end_path : step_path,
                             ml_keys_find(&keys, is_end ? "end" : "step")->param};
    if (is_end) {
        slot->param.low = spec->time.start;
        slot->param.flags |= ML_OPEN_LOW;
    }
    spec->numbers.base[spec->numbers.n] = is_end ? spec->time.end : spec->time.step;
    spec->numbers.names[spec->numbers.n] = slot->path;
    spec->time.clock = is_end ? ML_CLOCK_END : ML_CLOCK_STEP;
    spec->time.slot = spec->numbers.n++;
    r->clock = slot;
}

bool ml_read_clock(struct ml_reader *r, const struct ml_node *node)
{
    const bool is_text = node->kind == ML_NODE_SCALAR;
    const bool is_end = is_text && strcmp(node->text, end_path) == 0;
    if (!r->slots || !(is_end || (is_text && strcmp(node->text, step_path) == 0)))
        return true;
    const char *fault = clock_fault(r, node->text);
    if (fault)
        ml_problem(&r->problems, node->location, "`%s` %s", node->text, fault);
    else if (!r->clock)
        clock_add(r, is_end);
    return !fault;
}

/* Outputs that need the same times in all runs: sums over time, growth per second, samples. */
void ml_read_clock_use(struct ml_reader *r, const struct ml_node *save)
{
    static const char remedy[] = "; leave that sweep out, or run each value with --set";
    const struct ml_study_spec *spec = r->spec;
    const struct ml_node *trajectory = ml_node_find(save, "trajectory");
    if (spec->time.clock == ML_CLOCK_COMMON)
        return;
    const char *path = r->slots[spec->time.slot].path;
    if (trajectory &&
        trajectory->key_location.option == 0) /* of --set: run/job.c, as --run sets it */
        ml_problem(&r->problems, trajectory->key_location,
                   "the samples of all runs share their times, but `%s` is swept%s", path, remedy);
    for (int i = 0; r->settings && spec->registry->indicators[i]; i++) {
        const struct ml_indicator *indicator = spec->registry->indicators[i];
        if (r->settings[i] && (indicator->n_tangent || indicator->integrates))
            ml_problem(
                &r->problems, ml_node_find(r->analyse, indicator->name)->key_location,
                "%s needs the same time between observations in all runs, but `%s` is swept%s",
                indicator->name, path, remedy);
    }
    if (spec->inverse.motion.type != ML_NO_MOTION && spec->inverse.motion.type != ML_MEASURED)
        ml_problem(&r->problems, spec->inverse.motion.location,
                   "a motion has the same times in all runs, but `%s` is swept%s", path, remedy);
}
