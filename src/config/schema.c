/* The table of all keys of a study file. */
#include "config/schema.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "config/study_spec.h"
#include "manylink/run.h"
#include "simd/sincos_large.h"
#include "yaml/number.h"

#define WORD_OF(item, i) \
    ((item) ? (struct ml_word){(item)->name, (item)->doc, (i)} : (struct ml_word){0})

static struct ml_word system_word(const void *owner, int i)
{
    (void)owner;
    return WORD_OF(ml_registry()->systems[i], i);
}

static struct ml_word force_word(const void *owner, int i)
{
    (void)owner;
    return WORD_OF(ml_registry()->forces[i], i);
}

static struct ml_word integrator_word(const void *owner, int i)
{
    (void)owner;
    return WORD_OF(ml_methods[i], i);
}

static struct ml_word signal_word(const void *owner, int i)
{
    struct ml_word word = {.value = ML_RAMP_SIGNAL + i};
    (void)owner;
    word.text = ml_signal_word(word.value, &word.doc);
    return word;
}

/* The i-th indicator of those that `is_one` takes, then the word `last`. */
static struct ml_word indicator_word(bool (*is_one)(const struct ml_indicator *), int i,
                                     struct ml_word last)
{
    const struct ml_indicator *const *indicators = ml_registry()->indicators;
    for (int k = 0; indicators[k]; k++)
        if (is_one(indicators[k]) && i-- == 0)
            return WORD_OF(indicators[k], k);
    return i == 0 ? last : (struct ml_word){0};
}

static bool is_unasked(const struct ml_indicator *indicator) { return !indicator->is_on_request; }

static struct ml_word summary_word(const void *owner, int i)
{
    (void)owner;
    return indicator_word(is_unasked, i, (struct ml_word){ML_SUMMARY_NONE, "nothing", -1});
}

static bool has_derivs(const struct ml_indicator *indicator) { return indicator->derivs; }

static struct ml_word of_word(const void *owner, int i)
{
    (void)owner;
    return indicator_word(has_derivs, i,
                          (struct ml_word){ML_OF_TRAJECTORY,
                                           "the state at every sample that save.trajectory keeps",
                                           -1});
}

static struct ml_word choice_word(const void *owner, int i)
{
    const struct ml_choice *choice = owner;
    return i < ML_MAX_CHOICE_VALUES ? (struct ml_word){choice->values[i], choice->value_docs[i], i}
                                    : (struct ml_word){0};
}

static struct ml_word part_word(const void *owner, int i)
{
    const struct ml_system *system = owner;
    return (struct ml_word){system->parts[i], "", i};
}

/* Words that are the same for every study, {text, doc, value}; the first is the default. */
#define WORDS(...)                         \
    {                                      \
        .table = (const struct ml_word[])  \
        {                                  \
            __VA_ARGS__, { NULL, NULL, 0 } \
        }                                  \
    }

static const struct ml_word scale_words[] = {
    {"linear", "equal differences", 0}, {"log", "equal ratios", 1}, {NULL, NULL, 0}};

static const struct ml_word truth_words[] = {
    {"false", "no", 0}, {"true", "yes", 1}, {NULL, NULL, 0}};

static const struct ml_word solver_words[] = {
    {"auto", "interleaved; recursive for long chains", -1},
#define ML_SOLVER(name, potrf, potrs, text) {#name, text, ML_SOLVER_##name},
#include "linalg/solvers.def"
#undef ML_SOLVER
    {NULL, NULL, 0},
};

static const struct ml_word motion_words[] = {
    {"minimum_jerk", "every angle from start to end, the jerk as small as can be", ML_MINIMUM_JERK},
    {"hand_path",
     "of two segments: the tip from start to end on a straight line, the jerk as small as can be",
     ML_HAND_PATH},
    {NULL, NULL, 0},
};

const char *ml_motion_word(int type)
{
    assert(type != ML_NO_MOTION);
    return motion_words[type - 1].text;
}

struct ml_word ml_words_at(const struct ml_words *words, int i)
{
    return words->table ? words->table[i] : words->at(words->owner, i);
}

const char *ml_words_of(const struct ml_words *words, int value)
{
    for (int i = 0; ml_words_at(words, i).text; i++)
        if (ml_words_at(words, i).value == value)
            return ml_words_at(words, i).text;
    return NULL;
}

#define KEY(in, is, type, field) \
    .scope = ML_SCOPE_##in, .kind = ML_KEY_##is, .slot = -1, .offset = offsetof(struct type, field)
#define ANY (double)-INFINITY, (double)INFINITY

enum { MOST_AXIS_VALUES = 1 << 24 };
static const double exact_integer = (double)(INT64_C(1) << ML_INTEGER_BITS);
static const double most_steps = (double)(INT64_C(1) << ML_STEP_BITS);

static const struct ml_key fixed[] = {
    {KEY(STUDY, INTEGER, ml_study_keys, version),
     .param = {"manylink", "1", 0, 1, 1, ML_REQUIRED, "version of the study file's format"}},
    {KEY(STUDY, TEXT, ml_study_keys, title),
     .param = {"title", "1", 0, ANY, 0, "what the study is about, in a line"}},
    {KEY(STUDY, MAP, ml_study_keys, system), .child = ML_SCOPE_SYSTEM,
     .param = {"system", "1", 0, ANY, ML_REQUIRED, "the mechanism or equations"}},
    {KEY(STUDY, LIST, ml_study_keys, forces), .child = ML_SCOPE_FORCE,
     .param = {"forces", "1", 0, ANY, 0, "what acts on the system besides gravity"}},
    {KEY(STUDY, MAP, ml_study_keys, initial), .child = ML_SCOPE_INITIAL,
     .param = {"initial", "1", 0, ANY, 0, "state at the start"}},
    {KEY(STUDY, MAP, ml_study_keys, time), .child = ML_SCOPE_TIME,
     .param = {"time", "1", 0, ANY, ML_REQUIRED, "span and step of the integration"}},
    {KEY(STUDY, MAP, ml_study_keys, motion), .child = ML_SCOPE_MOTION,
     .param = {"motion", "1", 0, ANY, 0,
               "motion of a chain whose joint torques `manylink inverse` finds; other commands "
               "leave it aside"}},
    {KEY(STUDY, MAP, ml_study_keys, inverse), .child = ML_SCOPE_INVERSE,
     .param = {"inverse", "1", 0, ANY, 0,
               "how `manylink inverse` treats motions from a table or a result; other commands "
               "leave it aside"}},
    {KEY(STUDY, METHOD, ml_study_keys, integrator), .words = {.at = integrator_word},
     .child = ML_SCOPE_INTEGRATOR,
     .param = {"integrator", "1", 0, ANY, 0,
               "method of integration; with steps chosen by tolerance, the map below"}},
    {KEY(STUDY, WORD, ml_study_keys, solver), .words = {.table = solver_words},
     .param = {"solver", "1", 0, ANY, 0,
               "how the equations for the accelerations are solved, of a system that has a mass "
               "matrix"}},
    {KEY(STUDY, LIST, ml_study_keys, sweep), .child = ML_SCOPE_AXIS,
     .param = {"sweep", "1", 0, ANY, 0,
               "axes of a grid of runs, the first varies slowest; excludes `sample`"}},
    {KEY(STUDY, MAP, ml_study_keys, sample), .child = ML_SCOPE_SAMPLE,
     .param = {"sample", "1", 0, ANY, 0, "runs at points drawn from ranges; excludes `sweep`"}},
    {KEY(STUDY, MAP, ml_study_keys, analyse), .child = ML_SCOPE_ANALYSE,
     .param = {"analyse", "1", 0, ANY, 0, "what is measured on every run"}},
    {KEY(STUDY, LIST, ml_study_keys, events), .child = ML_SCOPE_EVENT,
     .param = {"events", "1", 0, ANY, 0,
               "instants that are looked for in every run: crossings, extremes and strobes"}},
    {KEY(STUDY, MAP, ml_study_keys, save), .child = ML_SCOPE_SAVE,
     .param = {"save", "1", 0, ANY, 0, "what is kept besides the summary"}},
    {KEY(STUDY, TEXT, ml_study_keys, show),
     .param =
         {"show", "1", 0, ANY, 0,
          "dataset of the summary or of the trajectories that viewers and `manylink plot` show "
          "first (default: the first that `analyse` names)"}},
    {KEY(STUDY, COUNT, ml_study_keys, accuracy),
     .words = WORDS({"auto", "as many runs as cost 4 % of the steps, at most 64", 0},
                    {"off", "no run is computed again", -1}),
     .param = {"accuracy", "1", 0, 1, ML_RUN_MAX_ACCURACY, 0,
               "how many runs are computed again with smaller steps, to tell the error that the "
               "step leaves in every number"}},
    {KEY(STUDY, MAP, ml_study_keys, derived), .child = ML_SCOPE_DERIVED,
     .param =
         {"derived", "1", 0, ANY, 0,
          "values that follow from the study, as the study text of a result has them; they are "
          "taken from here where the key itself is not given"}},

    {KEY(SYSTEM, WORD, ml_system_keys, type), .words = {.at = system_word},
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "kind of system"}},

    {KEY(SEGMENT, NAME, ml_segment_keys, name),
     .param = {"name", "1", 0, ANY, 0,
               "name of the segment and of its proximal joint (default: its "
               "number, from 1)"}},
    {KEY(REPEAT, INTEGER, ml_segment_keys, repeat),
     .param = {"repeat", "1", 0, 1, ML_MOST_SEGMENTS, ML_REQUIRED,
               "number of equal segments, named 1, 2, ..."}},

    {KEY(FORCE, NAME, ml_force_keys, name),
     .param = {"name", "1", 0, ANY, 0, "name of the force (default: its number, from 1)"}},
    {KEY(FORCE, WORD, ml_force_keys, type), .words = {.at = force_word},
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "kind of force"}},

    {KEY(SIGNAL, WORD, ml_signal_keys, type), .words = {.at = signal_word},
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "how the number changes over time"}},

    {KEY(TIME, NUMBER, ml_time_keys, start),
     .param = {"start", "s", 0.0, -1e15, 1e15, 0, "time at the start"}},
    {KEY(TIME, OPTIONAL, ml_time_keys, step),
     .param = {"step", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "time step; divides the time from start to end"}},
    {KEY(TIME, INTEGER, ml_time_keys, steps),
     .param = {"steps", "1", 0, 1, most_steps, 0,
               "instead of step or end: number of steps from start to end, each the same part of "
               "it"}},
    {KEY(TIME, OPTIONAL, ml_time_keys, tick),
     .param = {"tick", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "instead of step, of an integrator with a tolerance: time between looks at a run, "
               "which its steps meet exactly; divides the time from start to end (default: a "
               "hundredth of it)"}},
    {KEY(TIME, OPTIONAL, ml_time_keys, end),
     .param = {"end", "s", 0, -1e15, 1e15, ML_DERIVED,
               "time at the end, after the start (default: `steps` times `step` after it)"}},

    {KEY(INTEGRATOR, WORD, ml_integrator_keys, type), .words = {.at = integrator_word},
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "method of integration"}},
    {KEY(INTEGRATOR, WORD, ml_integrator_keys, summation),
     .words = WORDS({"plain", "rounded at every step", 0},
                    {"compensated", "what rounding leaves is added to the next step", 1}),
     .param = {"summation", "1", 0, ANY, 0,
               "of the steps to the state; compensated: what rounding leaves is carried on, for "
               "runs of millions of steps"}},
    {KEY(INTEGRATOR, OPTIONAL, ml_integrator_keys, tolerance),
     .param = {"tolerance", "1", 0, 1e-15, 1.0, ML_DERIVED,
               "error of a step that is allowed, in rows of the state below 1 absolute, above "
               "relative; without any tolerance steps are time.step"}},
    {KEY(INTEGRATOR, OPTIONAL, ml_integrator_keys, relative),
     .param = {"relative", "1", 0, 1e-15, 1.0, ML_DERIVED,
               "relative error of a step that is allowed (default: tolerance, or absolute)"}},
    {KEY(INTEGRATOR, OPTIONAL, ml_integrator_keys, absolute),
     .param = {"absolute", "1", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "absolute error of a step that is allowed, in the unit of each row of the state "
               "(default: tolerance, or relative)"}},
    {KEY(INTEGRATOR, OPTIONAL, ml_integrator_keys, first_step),
     .param = {"first_step", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "step tried first (default: from the start of each run)"}},
    {KEY(INTEGRATOR, OPTIONAL, ml_integrator_keys, step_max),
     .param = {"step_max", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "longest step (default: up to the next tick)"}},
    {KEY(INTEGRATOR, INTEGER, ml_integrator_keys, max_steps),
     .param = {"max_steps", "1", 10000000, 1, exact_integer, 0,
               "steps that a run may try; then it ends with the outcome too_many_steps"}},

    {KEY(MOTION, WORD, ml_motion_keys, type), .words = {.table = motion_words},
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "what moves from start to end"}},
    {KEY(MOTION, POSTURE, ml_motion_keys, start), .child = ML_SCOPE_POSTURE,
     .param = {"start", "1", 0, ANY, ML_REQUIRED,
               "where it starts: {angle: ...} as below `initial`; of a hand path a point [x, y], "
               "m"}},
    {KEY(MOTION, POSTURE, ml_motion_keys, end), .child = ML_SCOPE_POSTURE,
     .param = {"end", "1", 0, ANY, ML_REQUIRED, "where it ends, in the same form"}},
    {KEY(MOTION, NUMBER, ml_motion_keys, duration),
     .param = {"duration", "s", 0.0, 0.0, 1e15, ML_REQUIRED | ML_OPEN_LOW,
               "time from start to end"}},
    {KEY(MOTION, NUMBER, ml_motion_keys, onset),
     .param = {"onset", "s", 0.0, -1e15, 1e15, 0, "time at which it sets off, at rest before"}},
    {KEY(MOTION, WORD, ml_motion_keys, elbow),
     .words =
         WORDS({"positive", "the second joint's angle is positive: it bends counter-clockwise", 1},
               {"negative", "it is negative", -1}),
     .param = {"elbow", "1", 0, ANY, 0, "which way the elbow bends on a hand path"}},
    {KEY(POSTURE, QUANTITY, ml_posture_keys, angle),
     .param = {"angle", "rad", 0.0, -ML_ANGLE_MAX, ML_ANGLE_MAX, ML_REQUIRED,
               "angles, in the coordinates of the study"}},

    {KEY(INVERSE, MAP, ml_inverse_keys, filter), .child = ML_SCOPE_FILTER,
     .param = {"filter", "1", 0, ANY, 0, "filter of what is given of the motion, for all angles"}},
    {KEY(INVERSE, MAP, ml_inverse_keys, spline), .child = ML_SCOPE_SPLINE,
     .param = {"spline", "1", 0, ANY, 0,
               "the spline that stands in for rates and accelerations that are not given"}},
    {KEY(FILTER, WORD, ml_filter_keys, type),
     .words = WORDS({"butterworth", "low-pass, run forwards and backwards: no delay", 0}),
     .param = {"type", "1", 0, ANY, ML_REQUIRED, "kind of filter"}},
    {KEY(FILTER, INTEGER, ml_filter_keys, order),
     .param = {"order", "1", 0, 1, ML_MOST_FILTER_ORDER, ML_REQUIRED,
               "order of one pass; the two passes together have twice of it"}},
    {KEY(FILTER, NUMBER, ml_filter_keys, cutoff),
     .param = {"cutoff", "Hz", 0.0, 0.0, 1e15, ML_REQUIRED | ML_OPEN_LOW,
               "frequency that the two passes together halve"}},
    {KEY(SPLINE, WORD, ml_spline_keys, smoothing),
     .words = WORDS(
         {"none", "it goes through every sample", 0},
         {"gcv", "as much as generalised cross-validation finds, for each angle on its own", 1}),
     .param = {"smoothing", "1", 0, ANY, 0, "how much it smooths"}},

    {KEY(AXIS, PATHS, ml_axis_keys, set),
     .param = {"set", "1", 0, ANY, ML_REQUIRED,
               "the key that is swept, such as initial.angle.upper; or a list of keys that move "
               "together"}},
    {KEY(AXIS, NAME, ml_axis_keys, name),
     .param = {"name", "1", 0, ANY, 0,
               "name of the axis (default: the key; axis1, ... for several)"}},
    {KEY(AXIS, NUMBER, ml_axis_keys, from),
     .param = {"from", "1", (double)NAN, ANY, ML_DERIVED,
               "first value, in the unit of the key; several keys take the same one"}},
    {KEY(AXIS, NUMBER, ml_axis_keys, to),
     .param = {"to", "1", (double)NAN, ANY, ML_DERIVED, "last value"}},
    {KEY(AXIS, INTEGER, ml_axis_keys, count),
     .param = {"count", "1", 0, 1, MOST_AXIS_VALUES, 0, "number of values from `from` to `to`"}},
    {KEY(AXIS, WORD, ml_axis_keys, scale), .words = {.table = scale_words},
     .param = {"scale", "1", 0, ANY, 0, "how the values are spaced"}},
    {KEY(AXIS, VALUES, ml_axis_keys, values),
     .param = {"values", "1", 0, ANY, 0,
               "the values themselves, instead of from, to and count; lists for several keys"}},
    {KEY(AXIS, MAP, ml_axis_keys, factor), .child = ML_SCOPE_AXIS_FACTOR,
     .param = {"scale_by", "1", 0, ANY, 0,
               "instead of them: factors by which the keys' own values are multiplied, which are "
               "then the numbers of the axis"}},
    {KEY(AXIS, WORD, ml_axis_keys, going_on),
     .words =
         WORDS({"none", "every run begins with the initial state of the study", ML_APART},
               {"forward", "each run begins where that of the value before it ended", ML_FORWARD},
               {"backward", "each run begins where that of the next value ended", ML_BACKWARD},
               {"both", "forward, and then back from where that ended: along an axis `direction`",
                ML_THERE_AND_BACK}),
     .param = {"continue", "1", 0, ANY, 0,
               "whether runs along the axis, which is then the last one, go on from each other"}},
    {KEY(AXIS_FACTOR, NUMBER, ml_axis_keys, from),
     .param = {"from", "1", (double)NAN, ANY, ML_DERIVED, "first factor"}},
    {KEY(AXIS_FACTOR, NUMBER, ml_axis_keys, to),
     .param = {"to", "1", (double)NAN, ANY, ML_DERIVED, "last factor"}},
    {KEY(AXIS_FACTOR, INTEGER, ml_axis_keys, count),
     .param = {"count", "1", 0, 1, MOST_AXIS_VALUES, 0, "number of factors from `from` to `to`"}},
    {KEY(AXIS_FACTOR, WORD, ml_axis_keys, scale), .words = {.table = scale_words},
     .param = {"scale", "1", 0, ANY, 0, "how the factors are spaced"}},
    {KEY(AXIS_FACTOR, VALUES, ml_axis_keys, values),
     .param = {"values", "1", 0, ANY, 0, "the factors themselves, instead of from, to and count"}},

    {KEY(SAMPLE, WORD, ml_sample_keys, method),
     .words = WORDS({"random", "independent uniform numbers", ML_RANDOM},
                    {"latin_hypercube", "one run in each of `count` strata of every quantity",
                     ML_LATIN_HYPERCUBE},
                    {"sobol", "low-discrepancy sequence, best with a power of two runs", ML_SOBOL}),
     .param = {"method", "1", 0, ANY, ML_REQUIRED, "how points are drawn"}},
    {KEY(SAMPLE, INTEGER, ml_sample_keys, count),
     .param = {"count", "1", 0, 1, exact_integer, ML_REQUIRED, "number of runs"}},
    {KEY(SAMPLE, INTEGER, ml_sample_keys, seed),
     .param = {"seed", "1", 1, 0, exact_integer, 0,
               "another seed, another sample; 0 for sobol: the sequence as published"}},
    {KEY(SAMPLE, LIST, ml_sample_keys, over), .child = ML_SCOPE_OVER,
     .param = {"over", "1", 0, ANY, ML_REQUIRED, "the ranges"}},
    {KEY(OVER, PATHS, ml_axis_keys, set),
     .param = {"set", "1", 0, ANY, ML_REQUIRED,
               "the key that is drawn, such as initial.angle.upper; or a list of keys that take "
               "the same number"}},
    {KEY(OVER, NUMBER, ml_axis_keys, from),
     .param = {"from", "1", (double)NAN, ANY, ML_DERIVED, "lower end, in the unit of the key"}},
    {KEY(OVER, NUMBER, ml_axis_keys, to),
     .param = {"to", "1", (double)NAN, ANY, ML_DERIVED, "upper end, never drawn itself"}},
    {KEY(OVER, WORD, ml_axis_keys, scale), .words = {.table = scale_words},
     .param = {"scale", "1", 0, ANY, 0, "whether the number or its logarithm is uniform"}},
    {KEY(OVER, MAP, ml_axis_keys, factor), .child = ML_SCOPE_OVER_FACTOR,
     .param = {"scale_by", "1", 0, ANY, 0,
               "instead of them: the range of a factor by which the keys' own values are "
               "multiplied"}},
    {KEY(OVER_FACTOR, NUMBER, ml_axis_keys, from),
     .param = {"from", "1", 0, ANY, ML_REQUIRED, "lowest factor"}},
    {KEY(OVER_FACTOR, NUMBER, ml_axis_keys, to),
     .param = {"to", "1", 0, ANY, ML_REQUIRED, "largest factor, never drawn itself"}},
    {KEY(OVER_FACTOR, WORD, ml_axis_keys, scale), .words = {.table = scale_words},
     .param = {"scale", "1", 0, ANY, 0, "whether the factor or its logarithm is uniform"}},

    {KEY(ANALYSE, INTEGER, ml_analyse_keys, every),
     .param = {"every", "1", 5, 1, most_steps, 0,
               "steps between observations for the summary (1 if not given, beside tracking and "
               "effort)"}},
    {KEY(EVENT, NAME, ml_event_keys, name),
     .param = {"name", "1", 0, ANY, ML_REQUIRED, "name of the event; its datasets begin with it"}},
    {KEY(EVENT, CHOSEN, ml_event_keys, when),
     .param = {"when", "1", 0, ANY, 0,
               "of a crossing: the number that is looked at, such as angle.lower"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, crosses),
     .param = {"crosses", "1", 0, ANY, ML_DERIVED, "the level, in its unit"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, every),
     .param = {"every", "1", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "levels at this distance from each other count too: 2*pi for an angle"}},
    {KEY(EVENT, WORD, ml_event_keys, direction),
     .words = WORDS({"either", "both ways", 0}, {"up", "growing", 1}, {"down", "falling", -1}),
     .param = {"direction", "1", 0, ANY, 0, "which way it is crossed"}},
    {KEY(EVENT, CHOSEN, ml_event_keys, of),
     .param = {"of", "1", 0, ANY, 0,
               "of an extreme: the number that is looked at, such as angle.lower"}},
    {KEY(EVENT, WORD, ml_event_keys, kind),
     .words = WORDS({"maximum", "the largest around", -1}, {"minimum", "the smallest around", 1},
                    {"either", "both", 0}),
     .param = {"kind", "1", 0, ANY, 0, "which extremes count"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, period),
     .param = {"period", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "of a strobe: time from one to the next"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, phase),
     .param = {"phase", "s", 0, -1e15, 1e15, ML_DERIVED, "time of one of them (default: 0)"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, from),
     .param = {"from", "s", 0, -1e15, 1e15, ML_DERIVED,
               "time before which none counts (default: the start)"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, least),
     .param = {"least", "s", 0, 0.0, 1e15, ML_DERIVED,
               "time after one that counts in which no other does (default: 0)"}},
    {KEY(EVENT, TRUTH, ml_event_keys, stop), .words = {.table = truth_words},
     .param = {"stop", "1", 0, ANY, 0, "whether the run ends with it"}},
    {KEY(EVENT, TRUTH, ml_event_keys, align), .words = {.table = truth_words},
     .param = {"align", "1", 0, ANY, 0,
               "whether given steps end at it, so that a force can set in there and the integrator "
               "keeps its order"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, graded),
     .param = {"graded", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "with align: time behind it in which steps grow from short ones to time.step, for "
               "forces that set in like a power of the depth (default: none)"}},
    {KEY(EVENT, INTEGER, ml_event_keys, max),
     .param = {"max", "1", 0, 0, 1 << 20, 0,
               "events of a run of which the time and `keep` go into the result"}},
    {KEY(EVENT, OPTIONAL, ml_event_keys, attractors),
     .param = {"attractors", "1", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "largest difference of what is kept, each in its unit, of two events that are the "
               "same: every run is labelled by the cycle that its events come back to"}},
    {KEY(EVENT, CHOSENS, ml_event_keys, keep),
     .param = {"keep", "1", 0, ANY, 0,
               "what is kept of each: quantities such as angle, angle.lower or end.hand.x, or "
               "`state` for all of the state"}},
    {KEY(SAVE, MAP, ml_save_keys, trajectory), .child = ML_SCOPE_TRAJECTORY,
     .param = {"trajectory", "1", 0, ANY, 0,
               "states along the way; without this key none is kept"}},
    {KEY(SAVE, WORDS, ml_save_keys, summary), .words = {.at = summary_word},
     .param =
         {"summary", "1", 0, ANY, 0,
          "what the summary has besides events and what `analyse` names (default: all of it), or "
          "a list of these"}},
    {KEY(TRAJECTORY, INTEGER, ml_trajectory_keys, every),
     .param = {"every", "1", 1, 1, most_steps, 0, "steps between samples"}},
    {KEY(TRAJECTORY, RECORDS, ml_trajectory_keys, quantities),
     .param = {"quantities", "1", 0, ANY, 0, "what is kept (default: the state)"}},
    {KEY(TRAJECTORY, RUNS, ml_trajectory_keys, runs), .child = ML_SCOPE_RUNS,
     .param = {"runs", "1", 0, ANY, 0, "which runs keep their trajectory: all, or as below"}},
    {KEY(RUNS, INTEGER, ml_runs_keys, every),
     .param = {"every", "1", 1, 1, exact_integer, 0, "every such run, from the first on"}},
    {KEY(RUNS, INTEGER, ml_runs_keys, first),
     .param = {"first", "1", exact_integer, 1, exact_integer, 0, "only among so many first runs"}},
    {KEY(DERIVED, OPTIONAL, ml_derived_keys, renormalise),
     .param = {"renormalise", "s", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
               "time between orthonormalisations of tangent vectors, where no indicator says it "
               "(default: from how fast they grow in the first steps of some of the runs)"}},
};

static void schema_add(struct ml_keys *keys, struct ml_key key)
{
    assert(keys->n < ML_MAX_KEYS);
    keys->row[keys->n++] = key;
}

/* Where a force acts. */
static const struct {
    unsigned location;
    struct ml_key key;
} place_keys[] = {
    {ML_AT_JOINT,
     {KEY(FORCE, SEGMENT, ml_force_keys, joint),
      .param = {"joint", "1", 0, ANY, ML_REQUIRED,
                "where it acts: the joint at the proximal end of this segment"}}},
    {ML_AT_SEGMENT,
     {KEY(FORCE, SEGMENT, ml_force_keys, segment),
      .param = {"segment", "1", 0, ANY, ML_REQUIRED, "the segment that it acts on"}}},
    {ML_OF_SEGMENT,
     {KEY(FORCE, SEGMENT, ml_force_keys, segment),
      .param = {"segment", "1", 0, ANY, 0,
                "the segment whose angle it sees (default: that of the joint)"}}},
};

static void add_places(struct ml_keys *keys, unsigned places)
{
    for (size_t i = 0; i < sizeof place_keys / sizeof *place_keys; i++)
        if (places & place_keys[i].location)
            schema_add(keys, place_keys[i].key);
}

static void add_number(struct ml_keys *keys, enum ml_scope scope, const struct ml_param *param,
                       int slot)
{
    schema_add(keys, (struct ml_key){
                         .scope = scope, .kind = ML_KEY_NUMBER, .param = *param, .slot = slot});
}

/* Those of a system that stand below `initial` go there and nowhere else, counted by themselves. */
static void add_numbers(struct ml_keys *keys, enum ml_scope scope, const struct ml_param *params,
                        int n)
{
    const bool is_start = scope == ML_SCOPE_INITIAL;
    for (int i = 0, n_start = 0; i < n; i++)
        if (params[i].name && !params[i].group && ml_param_is_of_start(&params[i]) == is_start)
            add_number(keys, scope, &params[i], is_start ? n_start++ : i);
}

static bool is_in_group(const struct ml_param *param, const char *group)
{
    return param->group && strcmp(param->group, group) == 0;
}

/* A map in `scope` for the group of param number `first`, if that is its first.
 *   offset  of the pointers to the maps in the scope's struct
 *   child   what has the keys of the map */
static void add_group(struct ml_keys *keys, enum ml_scope scope, size_t offset, enum ml_scope child,
                      const struct ml_params *own, int first)
{
    struct ml_params below = *own;
    below.group = own->row[first].group;
    for (int i = 0; i < first; i++)
        if (is_in_group(&own->row[i], below.group))
            return;
    schema_add(keys,
               (struct ml_key){.scope = scope,
                               .kind = ML_KEY_MAP,
                               .param = {below.group, "1", 0, ANY, 0, "a map of the keys below"},
                               .child = child,
                               .below = below,
                               .offset = offset + (size_t)first * sizeof(void *),
                               .slot = -1});
}

/* Keys of such a map. */
static void add_of_group(struct ml_keys *keys, enum ml_scope scope, const struct ml_params *own)
{
    for (int i = 0; i < own->n; i++)
        if (is_in_group(&own->row[i], own->group))
            add_number(keys, scope, &own->row[i], i);
}

/* What a table of a signal is. */
static const struct ml_key table_keys[] = {
    {KEY(SIGNAL, TEXT, ml_signal_keys, file),
     .param = {"file", "1", 0, ANY, ML_REQUIRED,
               "table of numbers (CSV), from the folder of the study: a line of names, one of them "
               "`time`, then a line of numbers per sample"}},
    {KEY(SIGNAL, TEXT, ml_signal_keys, column),
     .param = {"column", "1", 0, ANY, 0,
               "name of the column of the values (default: the only one besides `time`)"}},
};

static void add_signal(struct ml_keys *keys, const struct ml_params *own)
{
    for (size_t i = 0; own->takes_table && i < sizeof table_keys / sizeof *table_keys; i++)
        schema_add(keys, table_keys[i]);
    add_numbers(keys, ML_SCOPE_SIGNAL, own->row, own->n);
}

/* Numbers of a force, some of which may be signals. */
static void add_force_numbers(struct ml_keys *keys, const struct ml_params *own)
{
    for (int p = 0; p < own->n; p++) {
        const struct ml_param *param = &own->row[p];
        const bool is_signal = param->flags & ML_SIGNAL;
        if (is_signal || param->flags & ML_MATRIX)
            schema_add(keys, (struct ml_key){.scope = ML_SCOPE_FORCE,
                                             .kind = !is_signal                   ? ML_KEY_MATRIX
                                                     : param->flags & ML_BY_JOINT ? ML_KEY_SIGNALS
                                                                                  : ML_KEY_SIGNAL,
                                             .param = *param,
                                             .child = is_signal ? ML_SCOPE_SIGNAL : ML_SCOPE_FORCE,
                                             .offset = offsetof(struct ml_force_keys, row) +
                                                       (size_t)p * sizeof(void *),
                                             .slot = -1});
        else if (param->name)
            add_number(keys, ML_SCOPE_FORCE, param, p);
    }
}

static void add_choices(struct ml_keys *keys, enum ml_scope scope, const struct ml_system *system,
                        const char *group)
{
    if (system->is_from_file)
        schema_add(keys,
                   (struct ml_key){
                       KEY(SYSTEM, TEXT, ml_system_keys, file),
                       .param = {"file", "1", 0, ANY, ML_REQUIRED,
                                 "its shared object, from the folder of the study; the "
                                 "other keys here and those below `initial` are the plugin's"}});
    for (int i = 0; i < system->n_choice; i++) {
        const struct ml_choice *choice = &system->choices[i];
        size_t offset = offsetof(struct ml_system_keys, choice) + (size_t)i * sizeof(int);
        if (!choice->group != !group || (group && strcmp(choice->group, group) != 0))
            continue;
        schema_add(keys,
                   (struct ml_key){.scope = scope,
                                   .kind = ML_KEY_WORD,
                                   .words = {.at = choice_word, .owner = choice},
                                   .param = {choice->name, "1", 0, ANY, 0, choice->doc, group},
                                   .offset = offset,
                                   .slot = -1});
    }
}

/* Of a system of n degrees of freedom: their names, and numbers for each or each pair. */
static void add_arrays(struct ml_keys *keys, const struct ml_system *system)
{
    schema_add(keys,
               (struct ml_key){KEY(SYSTEM, NAMES, ml_system_keys, names),
                               .param = {"names", "1", 0, ANY, 0,
                                         "names of the degrees of freedom (default: 1, 2, ... to "
                                         "the size of the first matrix)"}});
    for (int a = 0; a < system->n_array; a++) {
        bool is_matrix = system->arrays[a].flags & ML_MATRIX;
        size_t offset = offsetof(struct ml_system_keys, array) + (size_t)a * sizeof(void *);
        schema_add(keys, (struct ml_key){.scope = ML_SCOPE_SYSTEM,
                                         .kind = is_matrix ? ML_KEY_MATRIX : ML_KEY_QUANTITY,
                                         .param = system->arrays[a],
                                         .offset = offset,
                                         .slot = -1});
    }
}

static void add_system(struct ml_keys *keys, const struct ml_system *system)
{
    const struct ml_params own = ml_system_params(system);
    if (system->arrays) {
        add_arrays(keys, system);
        return;
    }
    add_choices(keys, ML_SCOPE_SYSTEM, system, NULL);
    add_numbers(keys, ML_SCOPE_SYSTEM, system->params, system->n_param);
    for (int i = 0; i < own.n; i++)
        if (own.row[i].group)
            add_group(keys, ML_SCOPE_SYSTEM, offsetof(struct ml_system_keys, group),
                      ML_SCOPE_SYSTEM_GROUP, &own, i);
    if (system->segment_params)
        schema_add(keys,
                   (struct ml_key){
                       KEY(SYSTEM, SEGMENTS, ml_system_keys, segments), .child = ML_SCOPE_SEGMENT,
                       .param = {"segments", "1", 0, ANY, system->parts ? 0 : ML_REQUIRED,
                                 "the segments from proximal to distal: a list, or {repeat: n, "
                                 "...}; of those of a body what differs, by name"}});
}

struct ml_key ml_key_parts(const struct ml_system *system)
{
    return (struct ml_key){KEY(SYSTEM_GROUP, WORDS, ml_system_keys, parts),
                           .words = {.at = part_word, .owner = system},
                           .param = {"segments", "1", 0, ANY, ML_REQUIRED,
                                     "the parts of the body that are segments, from proximal to "
                                     "distal: one or a list",
                                     ML_BODY}};
}

static void add_system_group(struct ml_keys *keys, const struct ml_system *system,
                             const struct ml_params *own)
{
    add_of_group(keys, ML_SCOPE_SYSTEM_GROUP, own);
    add_choices(keys, ML_SCOPE_SYSTEM_GROUP, system, own->group);
    if (system->parts && strcmp(own->group, ML_BODY) == 0)
        schema_add(keys, ml_key_parts(system));
}

static void add_initial(struct ml_keys *keys, const struct ml_system *system)
{
    for (int i = 0; i < system->n_state; i++) {
        size_t offset = offsetof(struct ml_initial_keys, quantity) + (size_t)i * sizeof(void *);
        bool is_by_segment = ml_dim_is_named(system->state[i].dim[0]);
        schema_add(keys, (struct ml_key){.scope = ML_SCOPE_INITIAL,
                                         .kind = is_by_segment ? ML_KEY_QUANTITY : ML_KEY_STATE,
                                         .param = ml_quantity_param(&system->state[i]),
                                         .offset = offset,
                                         .slot = -1});
    }
    add_numbers(keys, ML_SCOPE_INITIAL, system->params, system->n_param);
}

/* A map for each indicator that a study has to name. */
static void add_indicators(struct ml_keys *keys)
{
    const struct ml_indicator *const *indicators = ml_registry()->indicators;
    for (int i = 0; indicators[i]; i++) {
        size_t offset = offsetof(struct ml_analyse_keys, indicator) + (size_t)i * sizeof(void *);
        if (indicators[i]->is_on_request)
            schema_add(keys, (struct ml_key){
                                 .scope = ML_SCOPE_ANALYSE,
                                 .kind = ML_KEY_MAP,
                                 .param = {indicators[i]->name, "1", 0, ANY, 0, indicators[i]->doc},
                                 .child = ML_SCOPE_INDICATOR,
                                 .below = ml_indicator_params(indicators[i]),
                                 .offset = offset,
                                 .slot = -1});
    }
}

/* What is differentiated, and by what. */
static const struct ml_key derivative_keys[] = {
    {KEY(INDICATOR, WORDS, ml_indicator_keys, of), .words = {.at = of_word},
     .param = {.name = "of",
               .unit = "1",
               .doc = "what is differentiated (default: " ML_OF_DEFAULT "), or a list of these"}},
    {KEY(INDICATOR, PATHS, ml_indicator_keys, to),
     .param = {.name = "to",
               .unit = "1",
               .flags = ML_REQUIRED,
               .doc =
                   "by what: a key such as system.segments.upper.mass, the name of an axis whose "
                   "keys move in proportion, or a list of these"}},
};

const struct ml_key *ml_key_of(void) { return &derivative_keys[0]; }

static void add_indicator(struct ml_keys *keys, const struct ml_params *own)
{
    for (size_t i = 0;
         own->takes_parameters && i < sizeof derivative_keys / sizeof *derivative_keys; i++)
        schema_add(keys, derivative_keys[i]);
    for (int i = 0; i < own->n; i++)
        if (own->row[i].group)
            add_group(keys, ML_SCOPE_INDICATOR, offsetof(struct ml_indicator_keys, group),
                      ML_SCOPE_GROUP, own, i);
        else
            add_number(keys, ML_SCOPE_INDICATOR, &own->row[i], i);
}

struct ml_params ml_system_params(const struct ml_system *system)
{
    return (struct ml_params){.owner = system->name, .row = system->params, .n = system->n_param};
}

struct ml_params ml_force_params(const struct ml_force *force)
{
    return (struct ml_params){
        .owner = force->name, .row = force->params, .n = force->n_param, .places = force->places};
}

struct ml_params ml_signal_params(const struct ml_param *owner, int type,
                                  struct ml_param params[ML_SIGNAL_ROWS])
{
    const char *doc = NULL;
    for (int row = 0; row < ML_SIGNAL_ROWS; row++)
        params[row] = ml_signal_param(owner, type, row);
    return (struct ml_params){.owner = ml_signal_word(type, &doc),
                              .row = params,
                              .n = ML_SIGNAL_ROWS,
                              .takes_table = type == ML_TABLE_SIGNAL};
}

struct ml_params ml_indicator_params(const struct ml_indicator *indicator)
{
    return (struct ml_params){.owner = indicator->name,
                              .row = indicator->params,
                              .n = indicator->n_param,
                              .takes_parameters = indicator->takes_parameters};
}

void ml_schema_keys(enum ml_scope scope, const struct ml_system *system,
                    const struct ml_params *own, struct ml_keys *out)
{
    out->n = 0;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].scope == scope)
            schema_add(out, fixed[i]);
    if (scope == ML_SCOPE_SYSTEM && system)
        add_system(out, system);
    if ((scope == ML_SCOPE_SEGMENT || scope == ML_SCOPE_REPEAT) && system)
        add_numbers(out, scope, system->segment_params, system->n_segment_param);
    if (scope == ML_SCOPE_INITIAL && system)
        add_initial(out, system);
    if (scope == ML_SCOPE_FORCE && own) {
        add_places(out, own->places);
        add_force_numbers(out, own);
    }
    if (scope == ML_SCOPE_SIGNAL && own)
        add_signal(out, own);
    if (scope == ML_SCOPE_ANALYSE)
        add_indicators(out);
    if (scope == ML_SCOPE_INDICATOR && own)
        add_indicator(out, own);
    if (scope == ML_SCOPE_SYSTEM_GROUP && system && own)
        add_system_group(out, system, own);
    if (scope == ML_SCOPE_GROUP && own)
        add_of_group(out, scope, own);
}

const struct ml_key *ml_keys_find(const struct ml_keys *keys, const char *name)
{
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->row[i].param.name, name) == 0)
            return &keys->row[i];
    return NULL;
}

bool ml_key_is_pair(const struct ml_keys *keys, const struct ml_key *key)
{
    char component[64];
    (void)snprintf(component, sizeof component, "%s.x", key->param.name);
    return ml_keys_find(keys, component) != NULL;
}

const char *ml_scope_name(enum ml_scope scope)
{
    static const char *const names[ML_N_SCOPE] = {
        [ML_SCOPE_STUDY] = "",
        [ML_SCOPE_SYSTEM] = "system",
        [ML_SCOPE_SYSTEM_GROUP] = "system", /* the group follows */
        [ML_SCOPE_SEGMENT] = "system.segments[]",
        [ML_SCOPE_REPEAT] = "system.segments",
        [ML_SCOPE_FORCE] = "forces[]",
        [ML_SCOPE_SIGNAL] = "course",
        [ML_SCOPE_INITIAL] = "initial",
        [ML_SCOPE_TIME] = "time",
        [ML_SCOPE_MOTION] = "motion",
        [ML_SCOPE_POSTURE] = "motion.start", /* and end */
        [ML_SCOPE_INVERSE] = "inverse",
        [ML_SCOPE_INTEGRATOR] = "integrator",
        [ML_SCOPE_FILTER] = "inverse.filter",
        [ML_SCOPE_SPLINE] = "inverse.spline",
        [ML_SCOPE_AXIS] = "sweep[]",
        [ML_SCOPE_AXIS_FACTOR] = "sweep[].scale_by",
        [ML_SCOPE_SAMPLE] = "sample",
        [ML_SCOPE_OVER] = "sample.over[]",
        [ML_SCOPE_OVER_FACTOR] = "sample.over[].scale_by",
        [ML_SCOPE_ANALYSE] = "analyse",
        [ML_SCOPE_INDICATOR] = "analyse", /* their names follow */
        [ML_SCOPE_GROUP] = "analyse",
        [ML_SCOPE_EVENT] = "events[]",
        [ML_SCOPE_SAVE] = "save",
        [ML_SCOPE_DERIVED] = "derived",
        [ML_SCOPE_TRAJECTORY] = "save.trajectory",
        [ML_SCOPE_RUNS] = "save.trajectory.runs",
    };
    return names[scope];
}

struct ml_param ml_quantity_param(const struct ml_quantity *quantity)
{
    /* beyond, an angle has no sine; and the difference of two never overflows */
    return (struct ml_param){.name = quantity->name,
                             .unit = quantity->unit,
                             .low = -ML_ANGLE_MAX,
                             .high = ML_ANGLE_MAX,
                             .doc = quantity->doc};
}

/* As %g if that is the number, "1e+06"; else all its digits. */
static const char *bound_text(double value, char text[ML_NUMBER_TEXT])
{
    (void)snprintf(text, ML_NUMBER_TEXT, "%g", value);
    return strtod(text, NULL) == value ? text : ml_number_text(value, text);
}

const char *ml_range_text(const struct ml_param *param, char text[ML_RANGE_TEXT])
{
    char low[ML_NUMBER_TEXT + 4] = "", high[ML_NUMBER_TEXT + 4] = "", number[ML_NUMBER_TEXT];
    if (isfinite(param->low))
        (void)snprintf(low, sizeof low, "%s %s",
                       param->flags & ML_OPEN_LOW ? ">" : ">=", bound_text(param->low, number));
    if (isfinite(param->high))
        (void)snprintf(high, sizeof high, "<= %s", bound_text(param->high, number));
    (void)snprintf(text, ML_RANGE_TEXT, "%s%s%s", low, *low && *high ? " and " : "", high);
    if (param->low == param->high)
        (void)snprintf(text, ML_RANGE_TEXT, "%s", bound_text(param->low, number));
    return text;
}

const struct ml_key_traits ml_key_kinds[ML_N_KEY_KIND] = {
#define ML_KEY_KIND(name, field_, type_, default_, allowed_, is_swept_, json) \
    [ML_KEY_##name] = {.field = ML_FIELD_##field_,                            \
                       .type = (type_),                                       \
                       .default_value = ML_DEFAULT_##default_,                \
                       .allowed = ML_ALLOWED_##allowed_,                      \
                       .is_swept = (is_swept_)},
#include "config/kinds.def"
};

bool ml_key_has_default(const struct ml_key *key)
{
    const struct ml_param *param = &key->param;
    switch (ml_key_kinds[key->kind].default_value) {
    case ML_DEFAULT_NUMBER:
    case ML_DEFAULT_ELEMENT:
        return !(param->flags & (ML_REQUIRED | ML_DERIVED)) && param->default_value >= param->low;
    case ML_DEFAULT_WORD:
    case ML_DEFAULT_ALL:
        return !(param->flags & ML_REQUIRED);
    case ML_DEFAULT_NONE:
        break;
    }
    return false;
}

bool ml_key_has_range(const struct ml_key *key)
{
    return ml_key_kinds[key->kind].allowed == ML_ALLOWED_RANGE || ml_key_is_array(key);
}

bool ml_param_allows(const struct ml_param *param, double value)
{
    bool is_above = param->flags & ML_OPEN_LOW ? value > param->low : value >= param->low;
    return is_above && value <= param->high;
}
