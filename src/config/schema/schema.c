/* The table of all keys of a study file. */
#include "config/schema/schema.h"
#include "columns/butterworth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/registry.h"
#include "config/schema/study_spec.h"
#include "config/sections/inverse_sets.h"
#include "manylink/run.h"
#include "model/forces/numbers.h"
#include "simd/trig.h"
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

static struct ml_word distribution_word(const void *owner, int i)
{
    (void)owner;
    return i < ML_N_DISTRIBUTION
               ? (struct ml_word){ml_distributions[i].word, ml_distributions[i].doc, i}
               : (struct ml_word){NULL, NULL, 0};
}

static struct ml_word design_word(const void *owner, int i)
{
    (void)owner;
    return i < ML_N_DESIGN ? (struct ml_word){ml_designs[i].word, ml_designs[i].doc, i}
                           : (struct ml_word){NULL, NULL, 0};
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
    return (struct ml_word){system->tables.parts[i], "", i};
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
    {"measured", "as a table has it, of `file` or of --motion FILE", ML_MEASURED},
    {"minimum_jerk", "every angle from start to end, the jerk as small as can be", ML_MINIMUM_JERK},
    {"hand_path",
     "of two segments: the tip from start to end on a straight line, the jerk as small as can be",
     ML_HAND_PATH},
    {NULL, NULL, 0},
};

const char *ml_motion_word(int type)
{
    const struct ml_word *word = motion_words;
    while (word->value != type)
        word++;
    return word->text;
}

struct ml_word ml_inverse_word(const void *unused, int set)
{
    static const char *const words[ML_N_JOINT_SET][2] = {
#define X(code, name, doc) [code] = {name, doc},
        ML_TORQUE_LIST(X)
#undef X
#define X(code, name, unit, doc, ...) [code] = {name, doc},
            ML_JOINT_SET_LIST(X)
#undef X
    };
    (void)unused;
    return set < ML_N_JOINT_SET ? (struct ml_word){words[set][0], words[set][1], set}
                                : (struct ml_word){0};
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

enum { MOST_AXIS_VALUES = 1 << 24 };
static const double exact_integer = (double)(INT64_C(1) << ML_INTEGER_BITS);
static const double most_steps = (double)(INT64_C(1) << ML_STEP_BITS);

/* Keys that only some studies or events have: the fields are the owners of the key. */

static bool is_never(const void *fields)
{
    (void)fields;
    return false;
}

#define ONLY_IF(name, type, condition)        \
    static bool name(const void *fields)      \
    {                                         \
        const struct type *const of = fields; \
        return condition;                     \
    }

ONLY_IF(is_flow, ml_study_spec, of->source.kind == ML_FLOW)
ONLY_IF(is_map, ml_study_spec, of->source.kind == ML_MAP)
ONLY_IF(has_times, ml_study_spec, of->time.n_step > 0)
ONLY_IF(has_step, ml_study_spec, !of->time.is_adaptive && of->time.clock != ML_CLOCK_END)
ONLY_IF(has_tick, ml_study_spec, of->time.is_adaptive && of->time.clock != ML_CLOCK_END)
ONLY_IF(has_end, ml_study_spec, of->time.clock != ML_CLOCK_STEP)
ONLY_IF(has_steps, ml_study_spec, of->time.clock != ML_CLOCK_COMMON && !of->time.is_adaptive)
ONLY_IF(is_adaptive, ml_study_spec, of->time.is_adaptive)
ONLY_IF(is_compensated, ml_study_spec, of->model.is_compensated)
ONLY_IF(is_of_state, ml_study_spec, of->chosen.control.is_of_state)
ONLY_IF(has_solver, ml_study_spec, of->model.system->terms.write && !of->model.system->has_formulas)
ONLY_IF(has_motion, ml_study_spec, of->inverse.motion.type != ML_NO_MOTION)
ONLY_IF(has_course, ml_study_spec, of->inverse.motion.type != ML_MEASURED)
ONLY_IF(has_columns, ml_study_spec, of->inverse.motion.measured.has_columns)
ONLY_IF(has_markers, ml_study_spec, of->inverse.motion.measured.has_markers)
ONLY_IF(has_base, ml_study_spec, of->inverse.motion.measured.base.n > 0)
ONLY_IF(has_length, ml_study_spec, of->inverse.motion.measured.length != ML_LENGTH_OF_FILE)
ONLY_IF(has_unit, ml_study_spec, of->inverse.motion.measured.unit != ML_UNIT_OF_FILE)
ONLY_IF(is_turned, ml_study_spec, of->inverse.motion.measured.sign != NULL)
ONLY_IF(is_moved, ml_study_spec, of->inverse.motion.measured.offset != NULL)
ONLY_IF(has_gaps, ml_study_spec, of->inverse.motion.measured.gaps > 0.0)
ONLY_IF(is_unwrapped, ml_study_spec, of->inverse.motion.measured.is_unwrapped)
ONLY_IF(has_elbow, ml_study_spec, of->inverse.motion.type == ML_HAND_PATH)
ONLY_IF(has_filter, ml_study_spec, of->inverse.smoothing.order > 0)
ONLY_IF(has_spline, ml_study_spec, of->inverse.smoothing.is_validated)
ONLY_IF(has_kept, ml_study_spec, of->inverse.outputs.kept != 0)
ONLY_IF(has_report, ml_study_spec,
        !isnan(of->inverse.outputs.from) || !isnan(of->inverse.outputs.to))
ONLY_IF(has_cycles, ml_study_spec, of->inverse.cycles.is_given)
ONLY_IF(is_by_velocity, ml_study_spec,
        of->inverse.cycles.is_given && of->inverse.cycles.method == ML_STRIKES_OCONNOR)
ONLY_IF(is_by_loads, ml_study_spec, of->inverse.cycles.n_load > 0)
ONLY_IF(has_inverse, ml_study_spec,
        of->inverse.smoothing.order > 0 || of->inverse.smoothing.is_validated ||
            of->inverse.outputs.kept != 0 || of->inverse.outputs.per_mass > 0.0 ||
            !isnan(of->inverse.outputs.from) || !isnan(of->inverse.outputs.to) ||
            of->inverse.cycles.is_given)
ONLY_IF(is_grid, ml_study_spec, !ml_study_spec_is_sample(of))
ONLY_IF(is_sample, ml_study_spec, of->runs.sample != NULL)
ONLY_IF(is_drawn_sample, ml_sample_points, of->file == NULL)
ONLY_IF(is_of_file, ml_sample_points, of->file != NULL)
ONLY_IF(is_by_method, ml_sample_points,
        !ml_sample_is_stored(of) && !ml_design_has_points(of->design))
ONLY_IF(is_saltelli, ml_sample_points, of->design == ML_DESIGN_SALTELLI)
ONLY_IF(is_morris, ml_sample_points, of->design == ML_DESIGN_MORRIS)
ONLY_IF(has_fit, ml_study_spec, of->fit.n_listed > 0)
ONLY_IF(has_tune, ml_study_spec, of->tune.n_vary > 0)
ONLY_IF(is_quantile, ml_study_spec, of->tune.over == ML_OVER_QUANTILE)
ONLY_IF(has_experiments, ml_study_spec, of->fit.is_joint)
ONLY_IF(has_own_numbers, ml_study_spec, of->fit.n_own > 0)
ONLY_IF(leaves_out, ml_experiment, of->n_left_out > 0)
ONLY_IF(sets_numbers, ml_experiment, of->n_set > 0)
ONLY_IF(is_of_torques, ml_study_spec, of->fit.of == ML_FIT_TORQUES)
ONLY_IF(has_walkers, ml_study_spec, of->fit.posterior.walkers > 0)
ONLY_IF(is_cut, ml_study_spec, of->fit.segments > 1)
ONLY_IF(is_robust, ml_study_spec, of->fit.loss != ML_LOSS_SQUARES)
ONLY_IF(has_deviations, ml_study_spec, of->fit.has_deviations)
ONLY_IF(is_designed, ml_sample_points, of->design != ML_DESIGN_POINTS)
ONLY_IF(is_correlated, ml_sample_points, of->correlation.n > 0)
ONLY_IF(has_events, ml_study_spec, of->time.n_step > 0 && of->n_event > 0)
ONLY_IF(has_observables, ml_study_spec, of->indicators.n_observable > 0)
ONLY_IF(has_above, ml_requirement, !isnan(of->above))
ONLY_IF(has_below, ml_requirement, !isnan(of->below))
ONLY_IF(has_requirements, ml_study_spec, of->indicators.n_requirement > 0)
ONLY_IF(has_quantities, ml_study_spec, of->formulas.n_quantity > 0)
ONLY_IF(is_together, ml_event, of->is_together)
ONLY_IF(has_curves, ml_study_spec, of->formulas.n_curve > 0)
ONLY_IF(has_summary, ml_study_spec, of->indicators.left_out != NULL)
ONLY_IF(has_run_first, ml_study_spec, (double)of->saving.run_first < exact_integer)
ONLY_IF(has_trajectory, ml_study_spec, of->saving.every > 0)
ONLY_IF(has_definitions, ml_study_spec, of->numbers.n_definition > 0)
ONLY_IF(has_formulas, ml_study_spec, of->numbers.formulas.n > 0)
ONLY_IF(is_said_accuracy, ml_study_spec, of->indicators.accuracy != 0)
ONLY_IF(is_range, ml_axis, of->is_range)
ONLY_IF(has_own_name, ml_axis,
        of->n_swept > 1 || of->kind == ML_AXIS_FACTOR || strcmp(of->name, of->swept->path) != 0)
ONLY_IF(is_plain_range, ml_axis, of->is_range && of->kind != ML_AXIS_FACTOR)
ONLY_IF(is_factor, ml_axis, of->kind == ML_AXIS_FACTOR)
ONLY_IF(has_column, ml_axis, of->kind != ML_AXIS_FACTOR && of->name)
ONLY_IF(is_grouped, ml_axis, of->group != NULL)
ONLY_IF(has_factor_column, ml_axis, of->name != NULL)
ONLY_IF(is_uniform, ml_axis,
        of->kind != ML_AXIS_FACTOR && !of->name && of->distribution.kind == ML_UNIFORM)
ONLY_IF(is_drawn, ml_axis, of->kind != ML_AXIS_FACTOR && of->distribution.kind != ML_UNIFORM)
ONLY_IF(is_discrete, ml_axis, of->kind != ML_AXIS_FACTOR && of->distribution.n_value > 0)
ONLY_IF(has_weights, ml_axis, of->kind != ML_AXIS_FACTOR && of->distribution.weights != NULL)
ONLY_IF(is_uniform_factor, ml_axis, !of->name && of->distribution.kind == ML_UNIFORM)
ONLY_IF(is_drawn_factor, ml_axis, of->distribution.kind != ML_UNIFORM)
ONLY_IF(is_discrete_factor, ml_axis, of->distribution.n_value > 0)
ONLY_IF(has_factor_weights, ml_axis, of->distribution.weights != NULL)
ONLY_IF(has_values, ml_axis, !of->is_range)
ONLY_IF(has_plain_values, ml_axis, !of->is_range && of->kind != ML_AXIS_FACTOR)
ONLY_IF(has_continuation, ml_axis, of->continuation != ML_CONTINUE_NONE)
ONLY_IF(is_crossing, ml_event, of->kind == ML_CROSSING)
ONLY_IF(is_extreme, ml_event, of->kind == ML_EXTREME)
ONLY_IF(is_periodic, ml_event, of->kind == ML_STROBE && of->n_time == 0)
ONLY_IF(is_timed, ml_event, of->n_time > 0)
ONLY_IF(keeps, ml_event, of->n_keep > 0)
ONLY_IF(has_conditions, ml_event, of->n_condition > 0)
ONLY_IF(sets, ml_event, of->n_set > 0)
ONLY_IF(rests, ml_event, of->n_then > 0)
ONLY_IF(is_looked_at, ml_event, of->kind != ML_STROBE)

/* The place a key is read into: a field of the spec or of the struct of a list's element; a number
 * of each run; or none, for keys that code of their own reads. */
#define FIELD(type, field)                              \
    .slot = -1, .offset = offsetof(struct type, field), \
    .size = sizeof((const struct type *)0)->field
#define SPEC(field) FIELD(ml_study_spec, field)
#define OF_RUN(i) .slot = (i), .is_of_runs = true
#define NOWHERE .slot = -1

/* A row: scope of the key, kind of its value, the place it is read into, members of its param. */
#define ROW(in, is, to, ...) .scope = ML_SCOPE_##in, .kind = ML_KEY_##is, to, .param = {__VA_ARGS__}
#define ANY (double)-INFINITY, (double)INFINITY
#define NO_RANGE(name, flags, ...) name, "1", 0, ANY, flags, __VA_ARGS__
#define PLAIN(in, is, to, ...) \
    .scope = ML_SCOPE_##in, .kind = ML_KEY_##is, to, .param = {NO_RANGE(__VA_ARGS__)}

/* The keys of a distribution, of numbers or of a factor of numbers. */
#define POSITIVE 0.0, (double)INFINITY
#define EXPONENT 0.0, 1e6 /* to which quantiles are right to 1e-12 */
#define DRAWN(in, field, range, open, is, text)                                                \
    {                                                                                          \
        ROW(in, OPTIONAL, FIELD(ml_axis, distribution.field), #field, "1", (double)NAN, range, \
            ML_DERIVED | ML_UNTOLD | (open), text),                                            \
            .when = is                                                                         \
    }
#define DISTRIBUTION(in, is, has_list, has_second)                                                \
    {PLAIN(in, WORD, FIELD(ml_axis, distribution.kind), "distribution", 0,                        \
           "how numbers are distributed"),                                                        \
     .words = {.at = distribution_word}, .when = is},                                             \
        DRAWN(in, mean, ANY, 0, is, "mean, before the ends cut the distribution off"),            \
        DRAWN(in, sd, POSITIVE, ML_OPEN_LOW, is, "standard deviation, before that too"),          \
        DRAWN(in, cv, POSITIVE, ML_OPEN_LOW, is,                                                  \
              "coefficient of variation, sd/|mean|, in place of sd"),                             \
        DRAWN(in, mode, ANY, 0, is, "most frequent number of a triangular distribution"),         \
        DRAWN(in, alpha, EXPONENT, ML_OPEN_LOW, is,                                               \
              "exponent of a beta distribution at `from`, plus 1"),                               \
        DRAWN(in, beta, EXPONENT, ML_OPEN_LOW, is,                                                \
              "exponent of a beta distribution at `to`, plus 1"),                                 \
        {PLAIN(in, VALUES, NOWHERE, "values", 0,                                                  \
               "numbers of a discrete distribution, or the ascending ends of the intervals of a " \
               "table"),                                                                          \
         .when = has_list},                                                                       \
    {                                                                                             \
        PLAIN(in, VALUES, NOWHERE, "weights", 0,                                                  \
              "how often each of the values, or a number of each interval, is drawn (default: "   \
              "alike)"),                                                                          \
            .when = has_second                                                                    \
    }

/* A time of a controller, which may be left out. */
#define TIME_OF_CONTROLLER(name, text)                                                \
    ROW(CONTROLLER, OPTIONAL, NOWHERE, name, "s", (double)NAN, 0.0, (double)INFINITY, \
        ML_DERIVED | ML_OPEN_LOW, text)

static const struct ml_key fixed[] = {
    {ROW(STUDY, INTEGER, SPEC(format), "manylink", "1", 0, 1, 1, ML_REQUIRED,
         "version of the study file's format")},
    {PLAIN(STUDY, TEXT, SPEC(title), "title", 0, "subject of the study, in a line")},
    {PLAIN(STUDY, GIVEN, NOWHERE, "define", 0,
           "names for all numbers of the study: of numbers, which can be swept as `define.NAME`, "
           "and of formulas of them"),
     .child = ML_SCOPE_GIVEN, .when = has_definitions},
    {PLAIN(STUDY, FORMULAS, NOWHERE, "formulas", 0,
           "numbers of a run as formulas of the names in `define`, each by its path; the formula "
           "replaces the number at the key itself"),
     .when = has_formulas},
    {PLAIN(STUDY, TABLES, NOWHERE, "tables", 0,
           "curves through the samples of files, each a function that formulas of the system, of "
           "forces and of recorded quantities call by its name"),
     .child = ML_SCOPE_TABLE, .when = has_curves},
    {PLAIN(STUDY, NAMED_SIGNALS, NOWHERE, "signals", 0,
           "numbers that change over time, by the names that formulas of the system, of forces and "
           "of recorded quantities have for them: each as of forces, {type: pulse, ...}"),
     .when = is_never},
    {PLAIN(STUDY, MAP, NOWHERE, "system", ML_REQUIRED, "the mechanism or equations"),
     .child = ML_SCOPE_SYSTEM},
    {PLAIN(STUDY, LIST, NOWHERE, "forces", 0, "forces on the system besides gravity"),
     .child = ML_SCOPE_FORCE},
    {PLAIN(
         STUDY, REGISTERS, NOWHERE, "registers", 0,
         "numbers that hold their values between the instants at which a formula or an event sets "
         "them, by name, of a chain or of equations: each by its value at the start, or a map"),
     .child = ML_SCOPE_REGISTER, .when = is_never},
    {PLAIN(STUDY, CONTROLLERS, NOWHERE, "controllers", 0,
           "controllers of equations, by the names that formulas have for their outputs"),
     .child = ML_SCOPE_CONTROLLER, .when = is_never},
    {PLAIN(STUDY, MAP, NOWHERE, "initial", 0, "state at the start"), .child = ML_SCOPE_INITIAL},
    {PLAIN(STUDY, QUANTITIES, NOWHERE, "quantities", 0,
           "records besides those of the system, by name: each a formula of records, parameters "
           "and t, or {formula, unit, doc}"),
     .child = ML_SCOPE_QUANTITY, .when = has_quantities},
    {PLAIN(STUDY, MAP, NOWHERE, "time", ML_REQUIRED, "span and step of the integration"),
     .child = ML_SCOPE_TIME, .when = has_times},
    {PLAIN(STUDY, METHOD, NOWHERE, "integrator", 0,
           "method of integration; with steps chosen by tolerance, the map below"),
     .words = {.at = integrator_word}, .child = ML_SCOPE_INTEGRATOR},
    {PLAIN(
         STUDY, WORD, SPEC(model.solver), "solver", 0,
         "how the equations for the accelerations are solved, of a system that has a mass matrix"),
     .words = {.table = solver_words}, .when = has_solver},
    {PLAIN(STUDY, MAP, NOWHERE, "motion", 0,
           "motion of a chain whose joint torques `manylink inverse` finds; other commands ignore "
           "this key"),
     .child = ML_SCOPE_MOTION, .when = has_motion},
    {PLAIN(STUDY, MAP, NOWHERE, "inverse", 0,
           "how `manylink inverse` treats motions from a table or a result, and the datasets of "
           "its results; other commands ignore this key"),
     .child = ML_SCOPE_INVERSE, .when = has_inverse},
    {PLAIN(STUDY, LIST, NOWHERE, "sweep", 0, "axes of a grid of runs, the first varies slowest"),
     .child = ML_SCOPE_AXIS, .when = is_grid},
    {PLAIN(STUDY, MAP, NOWHERE, "sample", 0,
           "runs at points drawn from ranges, beside `sweep` at every point of the grid"),
     .child = ML_SCOPE_SAMPLE, .when = is_sample},
    {PLAIN(STUDY, REQUIREMENTS, NOWHERE, "require", 0,
           "bounds of numbers of the summary, such as {settling_time.lower: {below: 0.3}}: the "
           "result has the share of the sample's runs that keep to each and to all"),
     .child = ML_SCOPE_REQUIREMENT, .when = has_requirements},
    {PLAIN(STUDY, MAP, NOWHERE, "fit", 0,
           "measured columns, to which `manylink fit` fits the numbers that `sample` draws; other "
           "commands ignore this key"),
     .child = ML_SCOPE_FIT, .when = has_fit},
    {PLAIN(STUDY, MAP, NOWHERE, "tune", 0,
           "numbers that `manylink tune` chooses so that a cost is least; other commands take the "
           "study's own"),
     .child = ML_SCOPE_TUNE, .when = has_tune},
    {PLAIN(STUDY, MAP, NOWHERE, "analyse", 0, "indicators computed for every run"),
     .child = ML_SCOPE_ANALYSE, .when = has_times},
    {PLAIN(STUDY, LIST, NOWHERE, "events", 0,
           "instants detected in every run: crossings, extremes and strobes"),
     .child = ML_SCOPE_EVENT, .when = has_events},
    {PLAIN(STUDY, MAP, NOWHERE, "save", 0, "data kept besides the summary"), .child = ML_SCOPE_SAVE,
     .when = has_times},
    {PLAIN(STUDY, TEXT, SPEC(show), "show", 0,
           "dataset of the summary or of the trajectories that viewers and `manylink plot` "
           "show first (default: the first that `analyse` names)")},
    {ROW(STUDY, COUNT, SPEC(indicators.accuracy), "accuracy", "1", 0, 1, ML_RUN_MAX_ACCURACY, 0,
         "number of runs computed again with smaller steps, to estimate the error of the step in "
         "every number"),
     .words = WORDS({"auto", "as many runs as cost 4 % of the steps, at most 64", 0},
                    {"off", "no run is computed again", -1}),
     .when = is_said_accuracy},
    {PLAIN(STUDY, MAP, NOWHERE, "derived", 0,
           "values derived from the study, as the study text of a result has them; each stands for "
           "the key of its name where the study does not give that key"),
     .child = ML_SCOPE_DERIVED, .when = is_never},

    {PLAIN(SYSTEM, WORD, NOWHERE, "type", ML_REQUIRED, "kind of system"),
     .words = {.at = system_word}},

    {ROW(GIVEN, INTEGER, FIELD(ml_given_number, count), "count", "1", 0, 1, ML_MOST_ENTRIES, 0,
         "entries of an array, which formulas name x[1], x[2], ...")},
    {PLAIN(GIVEN, ENTRIES, NOWHERE, "value", ML_REQUIRED,
           "the number, of a state at the start; of an array a number for all entries, a list, or "
           "a formula of i, the index of an entry")},
    {PLAIN(GIVEN, TEXT, FIELD(ml_given_number, unit), "unit", 0, "its unit, for labels")},
    {PLAIN(GIVEN, TEXT, FIELD(ml_given_number, doc), "doc", 0, "its meaning, in a line")},

    {PLAIN(TABLE, TEXT, FIELD(ml_curve_keys, file), "file", ML_REQUIRED,
           "the table, from the folder of the study")},
    {PLAIN(TABLE, TEXT, FIELD(ml_curve_keys, x), "x", ML_REQUIRED,
           "column of the argument, whose numbers increase")},
    {PLAIN(TABLE, TEXT, FIELD(ml_curve_keys, y), "y", ML_REQUIRED, "column of the values")},
    {PLAIN(TABLE, WORD, FIELD(ml_curve_keys, outside), "outside", 0,
           "of an argument beyond the first or last one"),
     .words = WORDS({"refuse", "no value: the run ends as `diverged`", ML_OUTSIDE_REFUSE},
                    {"hold", "the value is the first or last one", ML_OUTSIDE_HOLD})},
    {PLAIN(TABLE, TRUTH, FIELD(ml_curve_keys, has_stairs), "hold", 0,
           "whether the value of a sample holds up to the next, in place of a smooth curve"),
     .words = {.table = truth_words}},

    {PLAIN(REGISTER, ENTRIES, NOWHERE, "start", ML_REQUIRED, "value at the start")},
    {PLAIN(
        REGISTER, ENTRIES, NOWHERE, "every", 0,
        "s: time between consecutive instants at which `next` sets the register (default: events "
        "set it)")},
    {PLAIN(REGISTER, ENTRIES, NOWHERE, "phase", 0,
           "s: time of any of these instants (default: 0)")},
    {PLAIN(REGISTER, FORMULA, NOWHERE, "next", 0,
           "the value after such an instant: a formula of all values before")},
    {PLAIN(REGISTER, TEXT, FIELD(ml_given_number, unit), "unit", 0, "its unit, for labels")},
    {PLAIN(REGISTER, TEXT, FIELD(ml_given_number, doc), "doc", 0, "its meaning, in a line")},

    {PLAIN(CONTROLLER, WORD, NOWHERE, "type", ML_REQUIRED, "its law"),
     .words = WORDS({"pid", "proportional, integral and derivative terms of the error", 0})},
    {PLAIN(CONTROLLER, FORMULA, NOWHERE, "input", ML_REQUIRED, "the measured number, a formula")},
    {PLAIN(CONTROLLER, FORMULA, NOWHERE, "target", ML_REQUIRED,
           "the number, or formula, that the input is brought to")},
    {PLAIN(CONTROLLER, NUMBER, NOWHERE, "kp", 0, "gain of the error: target - input")},
    {PLAIN(CONTROLLER, NUMBER, NOWHERE, "ki", 0, "gain of the integral of the error")},
    {PLAIN(CONTROLLER, NUMBER, NOWHERE, "kd", 0, "gain of the derivative of the input")},
    {ROW(CONTROLLER, NUMBER, NOWHERE, "proportional_weight", "1", 1, ANY, 0,
         "share of the target in the proportional term")},
    {ROW(CONTROLLER, NUMBER, NOWHERE, "derivative_weight", "1", 0, ANY, 0,
         "share of the target in the derivative term")},
    {PLAIN(CONTROLLER, FORMULA, NOWHERE, "rate", 0,
           "the measured derivative of the input, a formula (default: differences of the input)")},
    {TIME_OF_CONTROLLER("filter_time", "time constant of the filter of the derivative "
                                       "(default, with `rate` or `sample_time`: no filter)")},
    {ROW(CONTROLLER, LIMIT, NOWHERE, "limit", "1", (double)NAN, 0.0, (double)INFINITY, ML_DERIVED,
         "largest |output|, or [low, high], low <= 0 <= high (default: none)")},
    {PLAIN(CONTROLLER, WORD, NOWHERE, "anti_windup", 0,
           "how the integral stops where the output is limited"),
     .words = WORDS({"clamping", "it stands still while it would lead further beyond", 0},
                    {"back_calculation", "it goes back with `tracking_time`", 1},
                    {"none", "it grows as without a limit", 2})},
    {TIME_OF_CONTROLLER("tracking_time", "time constant of `back_calculation`")},
    {ROW(CONTROLLER, OPTIONAL, NOWHERE, "rate_limit", "1/s", (double)NAN, POSITIVE,
         ML_DERIVED | ML_OPEN_LOW,
         "largest change of the output from one sample to the next, by the time between them "
         "(default: none)")},
    {ROW(CONTROLLER, OPTIONAL, NOWHERE, "resolution", "1", (double)NAN, POSITIVE,
         ML_DERIVED | ML_OPEN_LOW,
         "the input is seen as the nearest multiple of this (default: exactly)")},
    {TIME_OF_CONTROLLER("lag", "time constant of an actuator of first order behind the limits "
                               "(default: none)")},
    {TIME_OF_CONTROLLER("sample_time", "time between samples, the first at the start; the output "
                                       "holds in between (default: continuous)")},

    {PLAIN(QUANTITY, TEXT, FIELD(ml_named_formula, formula), "formula", ML_REQUIRED,
           "its value, a formula")},
    {PLAIN(QUANTITY, TEXT, FIELD(ml_named_formula, unit), "unit", 0,
           "its unit, for labels (default: 1)")},
    {PLAIN(QUANTITY, TEXT, FIELD(ml_named_formula, doc), "doc", 0,
           "its meaning, in a line (default: the formula)")},

    {PLAIN(POINT, FORMULA_LIST, NOWHERE, "at", ML_REQUIRED, "the point's place [x, y]")},
    {PLAIN(POINT, FORMULA_LIST, NOWHERE, "force", ML_REQUIRED, "the force there, [x, y]")},

    {PLAIN(SEGMENT, NAME, FIELD(ml_segment_keys, name), "name", 0,
           "name of the segment and of its proximal joint (default: its number, from 1)")},

    {ROW(REPEAT, INTEGER, FIELD(ml_segment_keys, repeat), "repeat", "1", 0, 1, ML_MOST_SEGMENTS,
         ML_REQUIRED, "number of equal segments, named 1, 2, ...")},

    {PLAIN(FORCE, NAME, FIELD(ml_force_use, name), "name", 0,
           "name of the force (default: its number, from 1)")},
    {PLAIN(FORCE, WORD, NOWHERE, "type", ML_REQUIRED, "kind of force"),
     .words = {.at = force_word}},

    {PLAIN(SIGNAL, WORD, NOWHERE, "type", ML_REQUIRED, "how the number changes over time"),
     .words = {.at = signal_word}},

    {ROW(TIME, NUMBER, SPEC(time.start), "start", "s", 0.0, -1e15, 1e15, 0, "time at the start")},
    {ROW(TIME, OPTIONAL, SPEC(time.step), "step", "s", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW, "time step; divides the time from start to end"),
     .when = has_step},
    {ROW(TIME, OPTIONAL, SPEC(time.step), "tick", "s", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "instead of step, of an integrator with a tolerance: time between observations of a run, "
         "which its steps meet exactly; divides the time from start to end (default: a hundredth "
         "of that time)"),
     .when = has_tick},
    {ROW(TIME, OPTIONAL, SPEC(time.end), "end", "s", (double)NAN, -1e15, 1e15, ML_DERIVED,
         "time at the end, after the start (default: start + `steps` * `step`)"),
     .when = has_end},
    {ROW(TIME, INTEGER, SPEC(time.n_step), "steps", "1", 0, 1, most_steps, 0,
         "instead of step or end: number of equal steps from start to end"),
     .when = has_steps},

    {PLAIN(INTEGRATOR, WORD, SPEC(time.i_integrator), "type", ML_REQUIRED, "method of integration"),
     .words = {.at = integrator_word}},
    {PLAIN(INTEGRATOR, WORD, SPEC(model.is_compensated), "summation", 0,
           "of the steps to the state; compensated: the rounding error is carried on, for runs of "
           "millions of steps"),
     .words = WORDS({"plain", "rounded at every step", 0},
                    {"compensated", "the rounding error is added to the next step", 1}),
     .when = is_compensated},
    {ROW(INTEGRATOR, OPTIONAL, SPEC(chosen.tolerance), "tolerance", "1", 0, 1e-15, 1.0, ML_DERIVED,
         "allowed error of a step: absolute for rows of the state below 1, relative above; without "
         "any tolerance steps are time.step"),
     .when = is_never},
    {ROW(INTEGRATOR, OPTIONAL, SPEC(chosen.control.relative), "relative", "1", 0, 1e-15, 1.0,
         ML_DERIVED, "allowed relative error of a step (default: tolerance, or absolute)")},
    {ROW(INTEGRATOR, OPTIONAL, SPEC(chosen.control.absolute), "absolute", "1", 0, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "allowed absolute error of a step, in the unit of each row of the state (default: "
         "tolerance, or relative)")},
    {PLAIN(INTEGRATOR, WORD, SPEC(chosen.control.is_of_state), "error_of", 0,
           "of a step, which the tolerance bounds"),
     .words = WORDS({"tangents", "the state, and each of its tangent vectors beside its length", 0},
                    {"state", "the state alone: tangent vectors have no say in the step", 1}),
     .when = is_of_state},
    {ROW(INTEGRATOR, OPTIONAL, SPEC(chosen.first), "first_step", "s", 0, 0.0, 1e15, ML_OPEN_LOW,
         "step tried first (default: from the start of each run)")},
    {ROW(INTEGRATOR, OPTIONAL, SPEC(chosen.control.step_max), "step_max", "s", (double)INFINITY,
         0.0, 1e15, ML_OPEN_LOW, "longest step (default: up to the next tick)"),
     .when = is_adaptive},
    {ROW(INTEGRATOR, INTEGER, SPEC(chosen.control.most_steps), "max_steps", "1", 10000000, 1,
         exact_integer, ML_WHOLE,
         "steps that a run may try; a run beyond that ends with the outcome too_many_steps"),
     .when = is_adaptive},

    {PLAIN(MOTION, WORD, SPEC(inverse.motion.type), "type", ML_REQUIRED,
           "quantity that moves from start to end"),
     .words = {.table = motion_words}},
    {PLAIN(MOTION, TEXT, SPEC(inverse.motion.measured.file), "file", 0,
           "table of a measured motion, from the folder of the study"),
     .when = is_never},
    {PLAIN(MOTION, NAMED, NOWHERE, "columns", 0,
           "column of each segment's angle (default: angle/NAME, or NAME), of the `time`, and of "
           "`base/x` and `base/y` of the first joint"),
     .when = has_columns},
    {PLAIN(MOTION, NAMED, NOWHERE, "markers", 0,
           "instead of columns: [PROXIMAL, DISTAL], markers that a segment points along; a list in "
           "place of a marker is the middle of these"),
     .when = has_markers},
    {PLAIN(MOTION, TEXTS, NOWHERE, "plane", 0,
           "which axes of markers are x and y of the study: [x, y]; [-x, y] where x points back"),
     .when = has_markers},
    {PLAIN(MOTION, ANY_TEXTS, NOWHERE, "base", 0,
           "marker of the first joint, or markers around that joint, which then moves (default: "
           "columns base/x and base/y)"),
     .when = has_base},
    {PLAIN(MOTION, WORD, SPEC(inverse.motion.measured.length), "length", 0,
           "unit of the base's marker or columns"),
     .words = WORDS({"file", "unit in the file", ML_LENGTH_OF_FILE}, {"m", "metres", ML_LENGTH_M},
                    {"cm", "centimetres", ML_LENGTH_CM}, {"mm", "millimetres", ML_LENGTH_MM}),
     .when = has_length},
    {PLAIN(MOTION, WORD, SPEC(inverse.motion.measured.unit), "unit", 0, "of the angles in columns"),
     .words = WORDS({"file", "unit in the file; rad, if the file has none", ML_UNIT_OF_FILE},
                    {"rad", "radians", ML_UNIT_RAD}, {"deg", "degrees", ML_UNIT_DEG}),
     .when = has_unit},
    {ROW(MOTION, QUANTITY, NOWHERE, "sign", "1", 1.0, -1.0, 1.0, 0,
         "1, or -1 where an angle counts the other way"),
     .when = is_turned},
    {ROW(MOTION, QUANTITY, NOWHERE, "offset", "rad", 0.0, -ML_ANGLE_MAX, ML_ANGLE_MAX, 0,
         "added to angles, after the sign"),
     .when = is_moved},
    {ROW(MOTION, OPTIONAL, SPEC(inverse.motion.measured.rate), "rate", "Hz", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "of the samples: times are even from the first on, or from 0 (default: by the file)")},
    {ROW(MOTION, OPTIONAL, SPEC(inverse.motion.measured.from), "from", "s", (double)NAN, -1e15,
         1e15, ML_DERIVED, "first time of the file to read (default: all)")},
    {ROW(MOTION, OPTIONAL, SPEC(inverse.motion.measured.to), "to", "s", (double)NAN, -1e15, 1e15,
         ML_DERIVED, "last time of the file to read (default: all)")},
    {PLAIN(MOTION, MAP, NOWHERE, "gaps", 0, "treatment of missing numbers"), .child = ML_SCOPE_GAPS,
     .when = has_gaps},
    {PLAIN(MOTION, TRUTH, SPEC(inverse.motion.measured.is_unwrapped), "unwrap", 0,
           "angles of columns are continued through a whole turn; angles from markers always are"),
     .words = {.table = truth_words}, .when = is_unwrapped},
    {PLAIN(
         MOTION, POSTURE, NOWHERE, "start", ML_REQUIRED,
         "start of the motion: {angle: ...} as below `initial`; of a hand path a point [x, y], m"),
     .child = ML_SCOPE_POSTURE, .is_of_runs = true, .when = has_course},
    {PLAIN(MOTION, POSTURE, NOWHERE, "end", ML_REQUIRED,
           "end of the motion, in the same form as `start`"),
     .child = ML_SCOPE_POSTURE, .is_of_runs = true, .when = has_course},
    {ROW(MOTION, NUMBER, SPEC(inverse.motion.duration), "duration", "s", 0.0, 0.0, 1e15,
         ML_REQUIRED | ML_OPEN_LOW, "time from start to end"),
     .is_of_runs = true, .when = has_course},
    {ROW(MOTION, NUMBER, SPEC(inverse.motion.onset), "onset", "s", 0.0, -1e15, 1e15, 0,
         "time at which the motion sets off, at rest before"),
     .is_of_runs = true, .when = has_course},
    {PLAIN(MOTION, WORD, SPEC(inverse.motion.elbow), "elbow", 0,
           "which way the elbow bends on a hand path"),
     .words =
         WORDS({"positive", "the second joint bends counter-clockwise: its angle is positive", 1},
               {"negative", "it is negative", -1}),
     .when = has_elbow},

    {ROW(GAPS, OPTIONAL, SPEC(inverse.motion.measured.gaps), "spline", "s", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "the longest gap to fill, by the spline of `smoothing: gcv` through the given samples")},

    {ROW(POSTURE, QUANTITY, NOWHERE, "angle", "rad", 0.0, -ML_ANGLE_MAX, ML_ANGLE_MAX, ML_REQUIRED,
         "angles, in the coordinates of the study"),
     .is_of_runs = true},

    {PLAIN(INVERSE, MAP, NOWHERE, "filter", 0,
           "filter of the given data of the motion, for all angles"),
     .child = ML_SCOPE_FILTER, .when = has_filter},
    {PLAIN(INVERSE, MAP, NOWHERE, "spline", 0,
           "the spline that replaces missing rates and accelerations"),
     .child = ML_SCOPE_SPLINE, .when = has_spline},
    {PLAIN(INVERSE, WORDS, NOWHERE, "keep", 0,
           "datasets over time besides `torque` and the motion (default: all but "
           "`torque_interaction` and `power`), or a list of datasets"),
     .words = {.at = ml_inverse_word}, .when = has_kept},
    {ROW(INVERSE, OPTIONAL, SPEC(inverse.outputs.per_mass), "per_mass", "kg", (double)NAN, 0.0,
         1e12, ML_DERIVED | ML_OPEN_LOW,
         "mass that torques, forces, power and work of the result are divided by, such as the "
         "body's mass (default: none)"),
     .is_of_runs = true},

    {PLAIN(INVERSE, MAP, NOWHERE, "report", 0,
           "times of the samples that peaks, root mean squares and work are of (default: all)"),
     .child = ML_SCOPE_REPORTED, .when = has_report},
    {PLAIN(INVERSE, MAP, NOWHERE, "cycles", 0,
           "cycles of a gait, from foot strike to foot strike of one leg, and their mean"),
     .child = ML_SCOPE_CYCLES, .when = has_cycles},

    {ROW(REPORTED, OPTIONAL, SPEC(inverse.outputs.from), "from", "s", (double)NAN, -1e15, 1e15,
         ML_DERIVED, "first time (default: that of the motion)")},
    {ROW(REPORTED, OPTIONAL, SPEC(inverse.outputs.to), "to", "s", (double)NAN, -1e15, 1e15,
         ML_DERIVED, "last time (default: that of the motion)")},

    {PLAIN(
        CYCLES, ANY_TEXTS, NOWHERE, "of", ML_REQUIRED,
        "the load, or list of loads, whose force shows the foot on the ground, or the segment of "
        "the foot, whose motion does")},
    {PLAIN(CYCLES, WORD, SPEC(inverse.cycles.method), "method", 0,
           "how the motion of a foot shows strikes and toe-offs"),
     .words = WORDS({"zeni", "turns of the foot before the first joint", ML_STRIKES_ZENI},
                    {"oconnor", "vertical velocity of the middle of the foot", ML_STRIKES_OCONNOR}),
     .when = is_by_velocity},
    {ROW(CYCLES, OPTIONAL, SPEC(inverse.cycles.threshold), "threshold", "N", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW, "upward force of a foot on the ground (default: 20)")},
    {ROW(CYCLES, OPTIONAL, SPEC(inverse.cycles.share), "share", "1", (double)NAN, 0.0, 10.0,
         ML_DERIVED | ML_OPEN_LOW,
         "the same in weights of the body, whose `mass` the system has (default: by `threshold`)")},
    {ROW(CYCLES, NUMBER, SPEC(inverse.cycles.shortest), "shortest", "s", 0.05, 0.0, 1e15, 0,
         "a shorter force is no stance, and a shorter time without no swing"),
     .when = is_by_loads},

    {PLAIN(FILTER, WORD, SPEC(inverse.smoothing.filter), "type", ML_REQUIRED, "kind of filter"),
     .words = WORDS({"butterworth", "low-pass, run forwards and backwards: no delay", 0})},
    {ROW(FILTER, INTEGER, SPEC(inverse.smoothing.order), "order", "1", 0, 1, ML_MOST_FILTER_ORDER,
         ML_REQUIRED, "order of a single pass; the two passes together have twice that order")},
    {ROW(FILTER, NUMBER, SPEC(inverse.smoothing.cutoff), "cutoff", "Hz", 0.0, 0.0, 1e15,
         ML_REQUIRED | ML_OPEN_LOW, "frequency that the two passes together halve"),
     .is_of_runs = true},

    {PLAIN(SPLINE, WORD, SPEC(inverse.smoothing.is_validated), "smoothing", 0,
           "strength of the smoothing"),
     .words =
         WORDS({"none", "the spline goes through every sample", 0},
               {"gcv", "strength by generalised cross-validation, for each angle separately", 1})},

    {PLAIN(AXIS, PATHS, NOWHERE, "set", ML_REQUIRED,
           "the swept key, such as initial.angle.upper; or a list of keys that move together")},
    {PLAIN(AXIS, NAME, FIELD(ml_axis, name), "name", 0,
           "name of the axis (default: the key; axis1, ... for several)"),
     .when = has_own_name},
    {PLAIN(AXIS, MAP, NOWHERE, "scale_by", 0,
           "instead of all but `set`, `name` and `continue`: factors by which the keys' own values "
           "are multiplied, which are then the numbers of the axis"),
     .child = ML_SCOPE_AXIS_FACTOR, .when = is_factor},
    {ROW(AXIS, NUMBER, FIELD(ml_axis, from), "from", "1", (double)NAN, ANY, ML_DERIVED,
         "first value, in the unit of the key; several keys take the same value"),
     .when = is_plain_range},
    {ROW(AXIS, NUMBER, FIELD(ml_axis, to), "to", "1", (double)NAN, ANY, ML_DERIVED, "last value"),
     .when = is_plain_range},
    {PLAIN(AXIS, WORD, FIELD(ml_axis, is_log), "scale", 0, "how the values are spaced"),
     .words = {.table = scale_words}, .when = is_plain_range},
    {ROW(AXIS, INTEGER, FIELD(ml_axis, count), "count", "1", 0, 1, MOST_AXIS_VALUES, 0,
         "number of values from `from` to `to`"),
     .when = is_plain_range},
    {PLAIN(AXIS, VALUES, NOWHERE, "values", 0,
           "the values themselves, instead of from, to and count; lists for several keys"),
     .when = has_plain_values},
    {PLAIN(AXIS, WORD, FIELD(ml_axis, continuation), "continue", 0,
           "whether each run along the axis starts from the end of its neighbour; such an axis is "
           "the last axis"),
     .words = WORDS(
         {"none", "every run begins with the initial state of the study", ML_CONTINUE_NONE},
         {"forward", "each run starts from the end of the run of the previous value",
          ML_CONTINUE_FORWARD},
         {"backward", "each run starts from the end of the run of the next value",
          ML_CONTINUE_BACKWARD},
         {"both", "forward, then back from the end of the last run: along an axis `direction`",
          ML_CONTINUE_BOTH}),
     .when = has_continuation},

    {ROW(AXIS_FACTOR, NUMBER, FIELD(ml_axis, from), "from", "1", (double)NAN, ANY, ML_DERIVED,
         "first factor"),
     .when = is_range},
    {ROW(AXIS_FACTOR, NUMBER, FIELD(ml_axis, to), "to", "1", (double)NAN, ANY, ML_DERIVED,
         "last factor"),
     .when = is_range},
    {PLAIN(AXIS_FACTOR, WORD, FIELD(ml_axis, is_log), "scale", 0, "how the factors are spaced"),
     .words = {.table = scale_words}, .when = is_range},
    {ROW(AXIS_FACTOR, INTEGER, FIELD(ml_axis, count), "count", "1", 0, 1, MOST_AXIS_VALUES, 0,
         "number of factors from `from` to `to`"),
     .when = is_range},
    {PLAIN(AXIS_FACTOR, VALUES, NOWHERE, "values", 0,
           "the factors themselves, instead of from, to and count"),
     .when = has_values},

    {PLAIN(SAMPLE, WORD, FIELD(ml_sample_points, sampling), "method", 0,
           "how points are drawn, of points and Saltelli's design"),
     .words =
         WORDS({"random", "independent uniform numbers", ML_RANDOM},
               {"latin_hypercube", "a run in each of `count` strata of every quantity",
                ML_LATIN_HYPERCUBE},
               {"sobol", "low-discrepancy sequence, best with a power of two runs", ML_SOBOL},
               {"scrambled_sobol",
                "the same with Owen's nested scrambling, by the seed: without bias, and more exact "
                "for smooth outputs",
                ML_SCRAMBLED_SOBOL},
               {"halton", "low-discrepancy sequence for any number of runs", ML_HALTON}),
     .when = is_by_method},
    {ROW(SAMPLE, INTEGER, FIELD(ml_sample_points, n_point), "count", "1", 0, 1, exact_integer,
         ML_REQUIRED,
         "number of points, each of which is a run unless `design` makes more of them"),
     .when = is_drawn_sample},
    {ROW(SAMPLE, INTEGER, FIELD(ml_sample_points, seed), "seed", "1", 1, 0, exact_integer, 0,
         "another seed, another sample; 0 for sobol: the sequence as published"),
     .when = is_drawn_sample},
    {PLAIN(SAMPLE, TEXT, FIELD(ml_sample_points, file), "file", 0,
           "points that another program has made, in place of method, count and seed: CSV with a "
           "run in each row, or HDF5 with a dataset for each column"),
     .when = is_of_file},
    {PLAIN(SAMPLE, TEXT, FIELD(ml_sample_points, fit), "from_fit", 0,
           "result of a fit whose estimates, with their errors and correlations, are ranges beside "
           "those of `over`"),
     .when = is_never},
    {PLAIN(SAMPLE, TEXTS, NOWHERE, "leave_out", 0,
           "numbers of that fit, by the names that it has, of which no range is made"),
     .when = is_never},
    {ROW(SAMPLE, OPTIONAL, FIELD(ml_sample_points, energy_shell), "energy_shell", "J", (double)NAN,
         ANY, ML_DERIVED,
         "total energy of all points, in place of method: coordinates in the ranges of `over` and "
         "rates, uniform in Liouville's measure on the energy shell")},
    {PLAIN(SAMPLE, WORD, FIELD(ml_sample_points, design), "design", 0,
           "which runs are made of each point"),
     .words = {.at = design_word}, .when = is_designed},
    {PLAIN(SAMPLE, TRUTH, FIELD(ml_sample_points, has_second), "second_order", 0,
           "whether Saltelli's design has the runs for pairs of inputs, another for each input, or "
           "group of inputs"),
     .words = {.table = truth_words}, .when = is_saltelli},
    {ROW(SAMPLE, INTEGER, FIELD(ml_sample_points, levels), "levels", "1", 4, 2, 1024, 0,
         "of each input of Morris' design, an even number"),
     .when = is_morris},
    {ROW(SAMPLE, INTEGER, FIELD(ml_sample_points, n_candidate), "candidates", "1", 0, 0,
         ML_MOST_CANDIDATES, 0,
         "trajectories of Morris' design that the `count` with the largest distances from each "
         "other are chosen from; 0: all are taken"),
     .when = is_morris},
    {PLAIN(SAMPLE, LIST, NOWHERE, "over", ML_REQUIRED, "the ranges"), .child = ML_SCOPE_OVER},

    {PLAIN(
         SAMPLE, PAIRS, NOWHERE, "correlation", 0,
         "which ranges are correlated, by pairs (Gaussian copula), the others are independent; or "
         "rows of the matrix of all coefficients"),
     .child = ML_SCOPE_PAIR, .when = is_correlated},

    {PLAIN(PAIR, PATHS, NOWHERE, "between", ML_REQUIRED, "two keys of different ranges")},
    {ROW(PAIR, NUMBER, FIELD(ml_pair_keys, r), "r", "1", 0, -1.0, 1.0, ML_REQUIRED,
         "coefficient of correlation of their normal scores; of normal numbers that of the "
         "numbers")},

    {ROW(REQUIREMENT, OPTIONAL, FIELD(ml_requirement, above), "above", "1", (double)NAN, ANY,
         ML_DERIVED, "number that it must exceed, in SI units"),
     .when = has_above},
    {ROW(REQUIREMENT, OPTIONAL, FIELD(ml_requirement, below), "below", "1", (double)NAN, ANY,
         ML_DERIVED, "number that it must stay below"),
     .when = has_below},

    {PLAIN(FIT, WORD, SPEC(fit.of), "of", 0, "the model of the measured numbers"),
     .words =
         WORDS({"run", "trajectories of runs", ML_FIT_RUNS},
               {"inverse",
                "torques and forces in the joints at the study's `motion`, by inverse dynamics",
                ML_FIT_TORQUES}),
     .when = is_of_torques},
    {PLAIN(FIT, TEXT, SPEC(fit.file), "to", 0,
           "table of measured numbers (CSV, .mot, .sto, .trc), from the folder of the study; or "
           "`experiments`")},
    {PLAIN(FIT, LIST, NOWHERE, "experiments", 0,
           "tables of several measured runs of the system, in place of `to`"),
     .child = ML_SCOPE_EXPERIMENT, .when = has_experiments},
    {PLAIN(FIT, TEXTS, NOWHERE, "own", 0,
           "keys of the sample of which each experiment has a number (default: the numbers are "
           "common to all)"),
     .when = has_own_numbers},
    {PLAIN(FIT, TEXT, SPEC(fit.time), "time", 0, "its column of times (default: time)")},
    {PLAIN(FIT, NAMED, NOWHERE, "columns", ML_REQUIRED,
           "the column of each measured number, of a record or a formula: {angle.upper: theta1}")},
    {ROW(FIT, DEVIATIONS, NOWHERE, "sd", "1", (double)NAN, ML_FIT_LEAST_SD, (double)INFINITY,
         ML_DERIVED,
         "standard deviation of the noise, of all columns or of each, in the unit of the measured "
         "number; of each also by a column of the table, as {x: sx} (default: one deviation of all "
         "columns, found by the fit)"),
     .when = has_deviations},
    {PLAIN(FIT, WORD, SPEC(fit.loss), "loss", 0,
           "function of the residuals whose sum is least: with a loss in place of squares, "
           "residuals count "
           "less that are beyond a scale, found by the median of their sizes"),
     .words =
         WORDS({"squares", "least squares", ML_LOSS_SQUARES},
               {"huber", "squares, then linear, from 1.345 standard deviations on", ML_LOSS_HUBER},
               {"soft_l1", "the same with a smooth bend", ML_LOSS_SOFT_L1},
               {"cauchy",
                "logarithm, from 2.385 standard deviations on: far residuals hardly "
                "count",
                ML_LOSS_CAUCHY}),
     .when = is_robust},
    {ROW(FIT, INTEGER, SPEC(fit.iterations), "iterations", "1", 100, 1, 1e6, 0,
         "most iterations from each start")},

    {ROW(FIT, INTEGER, SPEC(fit.segments), "segments", "1", 1, 1, 4096, 0,
         "parts of the records that runs are fitted to first, each from a state of its own, until "
         "these runs meet: multiple shooting, for long or chaotic records"),
     .when = is_cut},
    {PLAIN(FIT, MAP, NOWHERE, "posterior", 0,
           "walkers that draw from the posterior density of the numbers, beside the estimates"),
     .child = ML_SCOPE_POSTERIOR, .when = has_walkers},

    {ROW(POSTERIOR, INTEGER, SPEC(fit.posterior.walkers), "walkers", "1", 64, 4, 65536, 0,
         "number of walkers: even, at least twice that of the fitted numbers")},
    {ROW(POSTERIOR, INTEGER, SPEC(fit.posterior.steps), "steps", "1", 5000, 4, 1e7, 0,
         "steps of each walker that are kept")},
    {ROW(POSTERIOR, INTEGER, SPEC(fit.posterior.burn_in), "burn_in", "1", 500, 0, 1e7, 0,
         "steps before these, which are left out")},
    {ROW(POSTERIOR, INTEGER, SPEC(fit.posterior.seed), "seed", "1", 1, 0, exact_integer, 0,
         "another seed, other chains")},

    {PLAIN(EXPERIMENT, NAME, FIELD(ml_experiment, name), "name", 0,
           "name of the experiment (default: its number in the list)")},
    {PLAIN(EXPERIMENT, TEXT, FIELD(ml_experiment, file), "to", ML_REQUIRED,
           "its table of measured numbers")},
    {PLAIN(EXPERIMENT, NUMBERS, NOWHERE, "set", 0,
           "numbers of its runs in place of the study's, such as {initial.angle.upper: 0.3}; of a "
           "key of `own` the number that the first start has"),
     .when = sets_numbers},
    {PLAIN(EXPERIMENT, TEXTS, NOWHERE, "leave_out", 0, "names of `columns` that its table lacks"),
     .when = leaves_out},

    {PLAIN(TUNE, LIST, NOWHERE, "vary", ML_REQUIRED, "the numbers with their ranges"),
     .child = ML_SCOPE_VARY},
    {PLAIN(TUNE, TEXT, SPEC(tune.minimise), "minimise", ML_REQUIRED,
           "the cost: a number of the summary, such as iae.lower, or a formula of such numbers, in "
           "SI units")},
    {PLAIN(TUNE, REQUIREMENTS, NOWHERE, "require", 0,
           "bounds of numbers of the summary: the same as the key `require` of the study"),
     .child = ML_SCOPE_REQUIREMENT, .when = is_never},
    {PLAIN(TUNE, WORD, SPEC(tune.over), "over", 0,
           "the cost of several runs, of a sample or sweep, and how many of these must keep to the "
           "requirements"),
     .words = WORDS({"worst", "the largest cost; all runs", ML_OVER_WORST},
                    {"mean", "the mean; all runs", ML_OVER_MEAN},
                    {"quantile", "the cost that a share of the runs does not exceed; that share",
                     ML_OVER_QUANTILE})},
    {ROW(TUNE, NUMBER, SPEC(tune.quantile), "quantile", "1", 0.9, 0.0, 1.0, ML_OPEN_LOW,
         "that share"),
     .when = is_quantile},
    {ROW(TUNE, INTEGER, SPEC(tune.starts), "starts", "1", 8, 1, 1024, 0,
         "searches side by side, the first from the study's own numbers")},
    {ROW(TUNE, INTEGER, SPEC(tune.points), "points", "1", 20000, 1, exact_integer, 0,
         "most points that are tried, at each of which all runs of the study are made")},
    {ROW(TUNE, INTEGER, SPEC(tune.seed), "seed", "1", 1, 0, exact_integer, 0,
         "another seed, another search")},

    {PLAIN(VARY, PATHS, NOWHERE, "set", ML_REQUIRED,
           "the key, such as forces.brace.kp; or a list of keys that take the same number")},
    {ROW(VARY, NUMBER, FIELD(ml_axis, from), "from", "1", 0.0, ANY, ML_REQUIRED | ML_UNTOLD,
         "lower end, in the unit of the key")},
    {ROW(VARY, NUMBER, FIELD(ml_axis, to), "to", "1", 0.0, ANY, ML_REQUIRED | ML_UNTOLD,
         "upper end")},
    {PLAIN(VARY, WORD, FIELD(ml_axis, is_log), "scale", 0,
           "whether the search moves by the number or by its logarithm"),
     .words = {.table = scale_words}},

    {PLAIN(OVER, PATHS, NOWHERE, "set", ML_REQUIRED,
           "the drawn key, such as initial.angle.upper; or a list of keys that take the same "
           "number")},
    {ROW(OVER, NUMBER, FIELD(ml_axis, from), "from", "1", (double)NAN, ANY, ML_DERIVED | ML_UNTOLD,
         "lower end, in the unit of the key"),
     .when = is_plain_range},
    {ROW(OVER, NUMBER, FIELD(ml_axis, to), "to", "1", (double)NAN, ANY, ML_DERIVED | ML_UNTOLD,
         "upper end, never drawn itself"),
     .when = is_plain_range},
    {PLAIN(OVER, WORD, FIELD(ml_axis, is_log), "scale", 0,
           "whether the number or its logarithm is uniform"),
     .words = {.table = scale_words}, .when = is_uniform},
    {PLAIN(OVER, TEXT, FIELD(ml_axis, name), "column", 0,
           "in place of all these: column of the file of points (default, without `over`: columns "
           "with the paths of keys)"),
     .when = has_column},
    DISTRIBUTION(OVER, is_drawn, is_discrete, has_weights),
    {PLAIN(OVER, MAP, NOWHERE, "scale_by", 0,
           "instead of them: the range or distribution of a factor by which the keys' own values "
           "are multiplied"),
     .child = ML_SCOPE_OVER_FACTOR, .when = is_factor},
    {PLAIN(
         OVER, TEXT, FIELD(ml_axis, group), "group", 0,
         "name that ranges of Saltelli's design share whose index is that of all of them, in fewer "
         "runs; they may be correlated with each other (default: each has an index)"),
     .when = is_grouped},

    {ROW(OVER_FACTOR, NUMBER, FIELD(ml_axis, from), "from", "1", (double)NAN, ANY,
         ML_DERIVED | ML_UNTOLD, "lowest factor")},
    {ROW(OVER_FACTOR, NUMBER, FIELD(ml_axis, to), "to", "1", (double)NAN, ANY,
         ML_DERIVED | ML_UNTOLD, "largest factor, never drawn itself")},
    {PLAIN(OVER_FACTOR, WORD, FIELD(ml_axis, is_log), "scale", 0,
           "whether the factor or its logarithm is uniform"),
     .words = {.table = scale_words}, .when = is_uniform_factor},
    {PLAIN(OVER_FACTOR, TEXT, FIELD(ml_axis, name), "column", 0, "column of the file of points"),
     .when = has_factor_column},
    DISTRIBUTION(OVER_FACTOR, is_drawn_factor, is_discrete_factor, has_factor_weights),

    {ROW(
        ANALYSE, INTEGER, SPEC(indicators.observe_every), "every", "1", 5, 1, most_steps, 0,
        "steps between observations for the summary (1 if not given, beside tracking and effort)")},
    {PLAIN(ANALYSE, TEXT, SPEC(indicators.cut), "cut", 0,
           "of equations: the name below `define` of the system whose formula is that of the "
           "controller, where margins, poles and frequency_response cut the loop")},

    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_MAX]), "max", 0,
           "largest of the observed values of a recorded number, or a formula")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_MIN]), "min", 0,
           "the smallest of them")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_MEAN]), "mean", 0, "mean over time")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_RMS]), "rms", 0,
           "root of the mean square over time")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_INTEGRAL]), "integral", 0,
           "integral over time")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, of[ML_AT_END]), "at_end", 0,
           "value at the end of the run")},
    {ROW(OBSERVABLE, NUMBER, FIELD(ml_observable_keys, from), "from", "s", 0.0, 0.0, 1e15, 0,
         "time after the start: earlier values do not count")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, unit), "unit", 0,
           "its unit, for labels (default: from the unit of the recorded number)")},
    {PLAIN(OBSERVABLE, TEXT, FIELD(ml_observable_keys, doc), "doc", 0, "its meaning, in a line")},

    {PLAIN(EVENT, NAME, FIELD(ml_event, name), "name", ML_REQUIRED,
           "name of the event, with which its datasets begin")},
    {PLAIN(EVENT, CHOSEN, NOWHERE, "when", 0,
           "of a crossing: the watched number, such as angle.lower"),
     .when = is_crossing},
    {ROW(EVENT, OPTIONAL, OF_RUN(0), "crosses", "1", (double)NAN, ANY, ML_DERIVED,
         "the level, in the unit of the number"),
     .when = is_crossing},
    {ROW(EVENT, OPTIONAL, OF_RUN(1), "every", "1", 0, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
         "levels at this distance from each other count too: 2*pi for an angle"),
     .when = is_crossing},
    {PLAIN(EVENT, WORD, FIELD(ml_event, direction), "direction", 0, "direction of the crossing"),
     .words = WORDS({"either", "both ways", 0}, {"up", "growing", 1}, {"down", "falling", -1}),
     .when = is_crossing},
    {PLAIN(EVENT, ANY_TEXTS, NOWHERE, "and", 0,
           "comparisons such as rate.lower > 0, of formulas: the event counts where all of them "
           "hold"),
     .when = has_conditions},
    {PLAIN(EVENT, ANY_TEXTS, NOWHERE, "if", 0, "another name of `and`"), .when = is_never},
    {PLAIN(EVENT, CHOSEN, NOWHERE, "of", 0,
           "of an extreme: the watched number, such as angle.lower"),
     .when = is_extreme},
    {PLAIN(EVENT, WORD, FIELD(ml_event, extreme), "kind", 0, "which extremes count"),
     .words = WORDS({"maximum", "the largest around", -1}, {"minimum", "the smallest around", 1},
                    {"either", "both", 0}),
     .when = is_extreme},
    {ROW(EVENT, OPTIONAL, OF_RUN(2), "period", "s", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW, "of a strobe: time between consecutive strobes"),
     .when = is_periodic},
    {ROW(EVENT, NUMBER, OF_RUN(3), "phase", "s", 0.0, -1e15, 1e15, 0, "time of any of the strobes"),
     .when = is_periodic},
    {PLAIN(EVENT, MAP, NOWHERE, "after", 0,
           "in place of all these: another event, each of which this event follows after a delay"),
     .child = ML_SCOPE_AFTER, .when = is_never},
    {ROW(EVENT, TIMES, OF_RUN(6), "at", "s", (double)NAN, -1e15, 1e15, ML_DERIVED,
         "of a strobe: its time, or a list of times, in place of a period"),
     .when = is_timed},
    {ROW(EVENT, OPTIONAL, OF_RUN(4), "from", "s", (double)-INFINITY, -1e15, 1e15, ML_DERIVED,
         "time before which events are ignored (default: the start)")},
    {ROW(EVENT, OPTIONAL, OF_RUN(5), "least", "s", 0, 0.0, 1e15, ML_DERIVED,
         "time after an event during which further events are ignored (default: 0)"),
     .when = is_looked_at},
    {ROW(EVENT, OPTIONAL, FIELD(ml_event, attractors), "attractors", "1", 0, 0.0, 1e15, ML_OPEN_LOW,
         "two events are equal if each kept number differs by at most this, in its unit: every run "
         "is labelled by the cycle that its events return to")},
    {PLAIN(EVENT, TRUTH, FIELD(ml_event, aligns), "align", 0,
           "whether given steps end at the event, so that a force can set in there and the "
           "integrator keeps its order"),
     .words = {.table = truth_words}, .when = is_crossing},
    {ROW(EVENT, OPTIONAL, FIELD(ml_event, graded), "graded", "s", 0, 0.0, 1e15, ML_OPEN_LOW,
         "with align: time after the event in which steps grow from short steps to time.step, for "
         "forces that set in like a power of the depth (default: none)"),
     .when = is_crossing},
    {PLAIN(EVENT, FORMULAS, NOWHERE, "set", 0,
           "the state after the event: formulas of the state before the event, by name, such as "
           "{rate: -0.8*rate}; the step ends at the event"),
     .when = sets},
    {PLAIN(EVENT, TRUTH, FIELD(ml_event, is_together), "together", 0,
           "of a strobe with `set`: whether the formulas see the state before all events of the "
           "instant"),
     .words = {.table = truth_words}, .when = is_together},
    {PLAIN(EVENT, REST, NOWHERE, "then", 0,
           "the state after events that accumulate, as the impacts of a ball that comes to rest: "
           "formulas of the state after the last, such as {height: 0, rate: 0}, or `rest`: the "
           "motion rests on the surface that the event is until its forces lift it"),
     .when = rests},
    {PLAIN(EVENT, TRUTH, FIELD(ml_event, is_once), "once", 0,
           "whether only the first event of a run counts"),
     .words = {.table = truth_words}},
    {PLAIN(EVENT, TRUTH, FIELD(ml_event, stops), "stop", 0, "whether the event ends the run"),
     .words = {.table = truth_words}, .when = is_looked_at},
    {ROW(EVENT, INTEGER, FIELD(ml_event, most), "max", "1", 0, 0, 1 << 20, 0,
         "number of events per run whose time and `keep` are written to the result")},
    {PLAIN(EVENT, CHOSENS, NOWHERE, "keep", 0,
           "quantities kept of each event, such as angle, angle.lower or end.hand.x, or `state` "
           "for the whole state"),
     .when = keeps},

    {PLAIN(AFTER, TEXT, FIELD(ml_late_event, event), "event", ML_REQUIRED, "name of that event")},
    {PLAIN(AFTER, ENTRIES, NOWHERE, "delay", ML_REQUIRED, "s: from that event to this one")},

    {PLAIN(SAVE, WORDS, NOWHERE, "summary", 0,
           "datasets of the summary besides events and the indicators of `analyse` (default: all), "
           "or a list of datasets"),
     .words = {.at = summary_word}, .when = has_summary},
    {PLAIN(SAVE, MAP, NOWHERE, "trajectory", 0,
           "states along the run; without this key no states are kept"),
     .child = ML_SCOPE_TRAJECTORY, .when = has_trajectory},

    {ROW(TRAJECTORY, INTEGER, SPEC(saving.every), "every", "1", 1, 1, most_steps, 0,
         "steps between samples")},
    {PLAIN(TRAJECTORY, RECORDS, NOWHERE, "quantities", 0, "kept quantities (default: the state)")},
    {PLAIN(TRAJECTORY, RUNS, NOWHERE, "runs", 0,
           "which runs keep their trajectory: all, or as below"),
     .child = ML_SCOPE_RUNS},

    {ROW(RUNS, INTEGER, SPEC(saving.run_every), "every", "1", 1, 1, exact_integer, 0,
         "every such run, from the first on")},
    {ROW(RUNS, INTEGER, SPEC(saving.run_first), "first", "1", exact_integer, 1, exact_integer, 0,
         "only among the first runs, of this number"),
     .when = has_run_first},

    {ROW(DERIVED, OPTIONAL, SPEC(indicators.renormalise), "renormalise", "s", 0, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "time between orthonormalisations of tangent vectors, for indicators without such a key "
         "(default: from the growth rate in the first steps of some runs)")},
};

/* Keys that are being listed. */
struct key_list {
    struct ml_keys keys;
    int room;
    struct ml_pool *pool;
    struct ml_key lost; /* the last, without memory */
};

/* Room for keys: a list without any has rows too, unlike one without memory. */
static void schema_make_room(struct key_list *list, int room)
{
    struct ml_key *row = ml_pool_take(list->pool, (size_t)room, sizeof *row);
    if (row && list->keys.n > 0)
        memcpy(row, list->keys.row, (size_t)list->keys.n * sizeof *row);
    list->keys.row = row;
    list->keys.n = row ? list->keys.n : 0;
    list->room = room;
}

static struct ml_key *schema_add(struct key_list *list, struct ml_key key)
{
    struct ml_keys *keys = &list->keys;
    if (keys->row && keys->n == list->room)
        schema_make_room(list, 2 * list->room);
    struct ml_key *to = keys->row ? &keys->row[keys->n++] : &list->lost;
    *to = key;
    return to;
}

/* Where a force acts. */
static const struct {
    unsigned location;
    struct ml_key key;
} place_keys[] = {
    {ML_AT_JOINT,
     {PLAIN(FORCE, SEGMENT, NOWHERE, "joint", ML_REQUIRED,
            "the joint that the force acts at: the proximal joint of this segment")}},
    {ML_OF_FILE,
     {PLAIN(FORCE, TEXT, FIELD(ml_force_use, file), "file", 0,
            "table of numbers (CSV), from the folder of the study: the name of a column stands for "
            "a signal through its samples"),
      .when = is_never}},
    {ML_OF_FILE,
     {PLAIN(FORCE, TEXT, FIELD(ml_force_use, time), "time", 0,
            "column of that table's times (default: `time`)"),
      .when = is_never}},
    {ML_OF_FILE,
     {ROW(FORCE, OPTIONAL, FIELD(ml_force_use, rate), "rate", "Hz", (double)NAN, 0.0, 1e15,
          ML_DERIVED | ML_OPEN_LOW, "of the samples of a table without times, from 0 on"),
      .when = is_never}},
    {ML_OF_FILE,
     {PLAIN(FORCE, WORD, FIELD(ml_force_use, length), "length", 0,
            "unit of length of that table's points and moments"),
      .words = WORDS({"m", "metres", 0}, {"cm", "centimetres", 2}, {"mm", "millimetres", 3}),
      .when = is_never}},
    {ML_OF_FILE,
     {ROW(FORCE, OPTIONAL, FIELD(ml_force_use, threshold), "threshold", "N", 0.0, 0.0, 1e12, 0,
          "samples with a smaller force count as no force; their point is ignored"),
      .is_of_runs = true}},
    {ML_OF_FILE,
     {ROW(
         FORCE, OPTIONAL, FIELD(ml_force_use, filter), "filter", "Hz", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW,
         "frequency that a low-pass filter of that table's forces and moments halves: Butterworth, "
         "order 2, forwards and backwards (default: none)")}},
    {ML_AT_DOF,
     {PLAIN(FORCE, SEGMENT, NOWHERE, "dof", ML_REQUIRED,
            "the degree of freedom that the force acts on")}},
    {ML_AT_SEGMENT,
     {PLAIN(FORCE, SEGMENT, NOWHERE, "segment", ML_REQUIRED,
            "the segment that the force acts on")}},
    {ML_OF_SEGMENT,
     {PLAIN(FORCE, SEGMENT, NOWHERE, "segment", 0,
            "the segment whose angle the force sees (default: the segment of the joint)")}},
    {ML_FORCE_FORMULA,
     {PLAIN(FORCE, TEXTS, NOWHERE, "force", ML_REQUIRED,
            "[x, y]: formulas as of `torque`, which also see point.x, point.y, velocity.x and "
            "velocity.y of the point, N")}},
    {ML_TORQUE_FORMULA,
     {PLAIN(FORCE, TEXT, NOWHERE, "torque", ML_REQUIRED,
            "formula of t, of `angle` and `rate` of segments, such as angle.elbow, and of the "
            "names below, N m")}},
    {ML_BY_FORMULA,
     {PLAIN(FORCE, GIVEN, NOWHERE, "parameters", 0,
            "numbers that formulas name: each by its value, or {value, unit, doc}"),
      .child = ML_SCOPE_GIVEN}},
    {ML_BY_FORMULA,
     {PLAIN(FORCE, GIVEN, NOWHERE, "state", 0,
            "states of the force, numbers that change over time: each by its value at the start, "
            "or {value, unit, doc}"),
      .child = ML_SCOPE_GIVEN}},
    {ML_BY_FORMULA,
     {PLAIN(FORCE, FORMULAS, NOWHERE, "define", 0, "formulas that other formulas name")}},
    {ML_BY_FORMULA,
     {PLAIN(FORCE, FORMULAS, NOWHERE, "rates", 0,
            "of each name in `state` the derivative by time, as a formula")}},
    {ML_ACTUATES,
     {PLAIN(FORCE, TRUTH, FIELD(ml_force_use, is_perturbation), "perturbation", 0,
            "whether the force is external, not an actuator of the study"),
      .words = {.table = truth_words}}},
};

static void add_places(struct key_list *keys, unsigned places)
{
    for (size_t i = 0; i < sizeof place_keys / sizeof *place_keys; i++)
        if (places & place_keys[i].location)
            schema_add(keys, place_keys[i].key);
}

static void add_number(struct key_list *keys, enum ml_scope scope, const struct ml_param *param,
                       int slot)
{
    schema_add(keys,
               (struct ml_key){.scope = scope,
                               .kind = param->flags & ML_BY_JOINT ? ML_KEY_WEIGHTS : ML_KEY_NUMBER,
                               .param = *param,
                               .slot = slot});
}

/* A key that is read by code of its own. */
static struct ml_key *add_node(struct key_list *keys, enum ml_scope scope, enum ml_key_kind kind,
                               const struct ml_param *param)
{
    return schema_add(keys,
                      (struct ml_key){.scope = scope, .kind = kind, .param = *param, .slot = -1});
}

/* Adds parameters. Those of a system that stand below `initial` go there and nowhere else. */
static void add_numbers(struct key_list *keys, enum ml_scope scope, const struct ml_param *params,
                        int n)
{
    const bool is_start = scope == ML_SCOPE_INITIAL;
    for (int i = 0; i < n; i++)
        if (params[i].name && !params[i].group && ml_param_is_of_start(&params[i]) == is_start)
            add_number(keys, scope, &params[i], i);
}

bool ml_param_is_in_group(const struct ml_param *param, const char *group)
{
    return param->group && strcmp(param->group, group) == 0;
}

/* A map in `scope` for the group of param number `first`, if that is its first.
 *   child  scope of the keys of the map */
static void add_group(struct key_list *keys, enum ml_scope scope, enum ml_scope child,
                      const struct ml_params *own, int first)
{
    struct ml_params below = *own;
    below.group = own->row[first].group;
    for (int i = 0; i < first; i++)
        if (ml_param_is_in_group(&own->row[i], below.group))
            return;
    const struct ml_param param = {NO_RANGE(below.group, 0, "a map of the keys below")};
    struct ml_key *key = add_node(keys, scope, ML_KEY_MAP, &param);
    key->child = child;
    key->below = below;
}

/* Keys of such a map. */
static void add_of_group(struct key_list *keys, enum ml_scope scope, const struct ml_params *own)
{
    for (int i = 0; i < own->n; i++)
        if (ml_param_is_in_group(&own->row[i], own->group))
            add_number(keys, scope, &own->row[i], i);
}

/* Kind of the values of a signal's table. */
static const struct ml_key table_keys[] = {
    {PLAIN(SIGNAL, TEXT, FIELD(ml_signal_keys, file), "file", ML_REQUIRED,
           "table of numbers (CSV), from the folder of the study: a line of names with `time` "
           "among them, then a line of numbers per sample")},
    {PLAIN(SIGNAL, TEXT, FIELD(ml_signal_keys, column), "column", 0,
           "name of the column of the values, or `column 2` by its number (default: the only "
           "column besides `time`)")},
    {PLAIN(SIGNAL, TEXT, FIELD(ml_signal_keys, time), "time", 0,
           "column of the times (default: `time`)"),
     .when = is_never},
    {ROW(SIGNAL, OPTIONAL, FIELD(ml_signal_keys, rate), "rate", "Hz", (double)NAN, 0.0, 1e15,
         ML_DERIVED | ML_OPEN_LOW, "of the samples of a table without times, from 0 on"),
     .when = is_never},
    {PLAIN(SIGNAL, TRUTH, FIELD(ml_signal_keys, is_held), "hold", 0,
           "whether the value of a sample holds up to the next, in place of a curve"),
     .words = {.table = truth_words}},
};

static void add_signal(struct key_list *keys, const struct ml_params *own)
{
    for (size_t i = 0; own->takes_table && i < sizeof table_keys / sizeof *table_keys; i++)
        schema_add(keys, table_keys[i]);
    add_numbers(keys, ML_SCOPE_SIGNAL, own->row, own->n);
}

/* Kind of the values of number p of a force. */
static enum ml_key_kind force_number_kind(const struct ml_params *own, int p)
{
    const unsigned flags = own->row[p].flags;
    if (ml_force_row_is_signal_pair(own->row, p))
        return ML_KEY_SIGNAL_PAIR;
    if (flags & ML_SIGNAL)
        return flags & ML_BY_JOINT ? ML_KEY_SIGNALS : ML_KEY_SIGNAL;
    return flags & ML_MATRIX ? ML_KEY_MATRIX : flags & ML_LIMIT ? ML_KEY_LIMIT : ML_KEY_NUMBER;
}

/* Numbers of a force, some of which may be signals. */
static void add_force_numbers(struct key_list *keys, const struct ml_params *own)
{
    for (int p = 0; p < own->n; p++) {
        const struct ml_param *param = &own->row[p];
        const enum ml_key_kind kind = force_number_kind(own, p);
        if (kind != ML_KEY_NUMBER)
            add_node(keys, ML_SCOPE_FORCE, kind, param)->child =
                kind == ML_KEY_MATRIX || kind == ML_KEY_LIMIT ? ML_SCOPE_FORCE : ML_SCOPE_SIGNAL;
        else if (param->name)
            add_number(keys, ML_SCOPE_FORCE, param, p);
    }
}

/* Keys of a system that a study gives as formulas. */
static const struct ml_key formula_keys[] = {
    {PLAIN(SYSTEM, WORD, SPEC(source.kind), "kind", 0, "the meaning of the formulas"),
     .words = WORDS({"flow", "how the state changes over time, in `rates`", ML_FLOW},
                    {"map", "the next state, in `next`", ML_MAP}),
     .when = is_map},
    {PLAIN(SYSTEM, GIVEN, NOWHERE, "parameters", 0,
           "numbers that formulas name: each by its value, or {value, count, unit, doc}"),
     .child = ML_SCOPE_GIVEN},
    {PLAIN(SYSTEM, GIVEN, NOWHERE, "coordinates", 0,
           "coordinates of a mechanism, in the same form; the rate of x is x_rate, or x'"),
     .child = ML_SCOPE_GIVEN},
    {PLAIN(SYSTEM, GIVEN, NOWHERE, "state", 0,
           "numbers that change over time: each by its value at the start, or {value, count, unit, "
           "doc}"),
     .child = ML_SCOPE_GIVEN},
    {PLAIN(SYSTEM, FORMULAS, NOWHERE, "define", 0, "formulas that other formulas name")},
    {PLAIN(SYSTEM, FORMULAS, NOWHERE, "functions", 0,
           "functions that formulas call: of each f(x, k) a formula of x and k")},
    {PLAIN(SYSTEM, FORMULAS, NOWHERE, "rates", 0,
           "of a flow: of each name in `state` the derivative by time, as a formula; of the "
           "entries of an array x by x[i]"),
     .when = is_flow},
    {PLAIN(SYSTEM, FORMULAS, NOWHERE, "next", 0,
           "of a map: of each name in `state` its next value, as a formula; of the entries of an "
           "array x by x[i]"),
     .when = is_map},
    {PLAIN(SYSTEM, FORMULA_ROWS, NOWHERE, "mass", 0,
           "mass matrix M in M q'' = C + G + Q + D + E: a row for each coordinate")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "C", 0, "terms with products of rates, by coordinate")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "G", 0, "weight, by coordinate")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "Q", 0,
           "forces within the mechanism, by coordinate: actuators, springs")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "D", 0, "dampers, by coordinate")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "E", 0, "forces from outside, by coordinate")},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "force", 0,
           "generalised forces in total, instead of the parts C, G, Q, D and E, by coordinate")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "kinetic", 0,
           "kinetic energy, from which the mass matrix follows; excludes `mass`")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "potential", 0, "potential energy, beside `kinetic`")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "lagrangian", 0,
           "kinetic less potential energy, instead of `kinetic` and `potential`")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "dissipation", 0,
           "Rayleigh's function, half the power that dampers take, beside `kinetic`")},
    {PLAIN(SYSTEM, FORMULAS, NOWHERE, "forces", 0,
           "generalised forces by coordinate, beside `kinetic`")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "hamiltonian", 0,
           "Hamiltonian of coordinates and momenta p_x, ..., from which their rates follow")},
    {PLAIN(SYSTEM, LIST, NOWHERE, "points", 0, "forces at points, beside `kinetic`"),
     .child = ML_SCOPE_POINT},
    {PLAIN(SYSTEM, FORMULA_LIST, NOWHERE, "constraints", 0,
           "formulas of coordinates, or linear in their rates, that stay 0: `x^2 + y^2 = l^2`")},
    {PLAIN(SYSTEM, FORMULA, NOWHERE, "stabilisation", 0,
           "rate at which errors of constraints decay, 1/s, by default 10")},
};

/* Whether the study's own system has a parameter of that name, which it may where the key has no
 * place (config/formulas/read_equations.c). */
static bool is_own_param(const struct ml_system *system, const struct ml_key *key)
{
    bool is = false;
    for (int i = 0; i < system->tables.n_param; i++)
        is |= strcmp(system->tables.params[i].name, key->param.name) == 0;
    return is;
}

static void add_choices(struct key_list *keys, enum ml_scope scope, const struct ml_system *system,
                        const char *group)
{
    if (system->file_key)
        schema_add(keys, (struct ml_key){PLAIN(SYSTEM, TEXT, NOWHERE, system->file_key, ML_REQUIRED,
                                               system->file_doc)});
    if (system->file_key) /* no part of a resolved study: kernels change no result */
        schema_add(
            keys,
            (struct ml_key){
                PLAIN(SYSTEM, TEXT, SPEC(source.code_file), "source", 0,
                      "C source of the plugin, from the folder of the study, for compiled kernels"),
                .when = is_never});
    for (size_t i = 0; system->has_formulas && i < sizeof formula_keys / sizeof *formula_keys; i++)
        if (!is_own_param(system, &formula_keys[i]))
            schema_add(keys, formula_keys[i]);
    for (int i = 0; i < system->tables.n_choice; i++) {
        const struct ml_choice *choice = &system->tables.choices[i];
        if (!choice->group != !group || (group && strcmp(choice->group, group) != 0))
            continue;
        struct ml_key key = {
            PLAIN(SYSTEM, WORD, SPEC(model.choice[0]), choice->name, 0, choice->doc, group),
            .words = {.at = choice_word, .owner = choice}};
        key.scope = scope;
        key.offset += (size_t)i * key.size;
        schema_add(keys, key);
    }
}

/* Adds the arrays of a system of n degrees of freedom: their names, and numbers for each or each
 * pair. */
static void add_arrays(struct key_list *keys, const struct ml_system *system)
{
    schema_add(keys, (struct ml_key){PLAIN(SYSTEM, NAMES, NOWHERE, "names", 0,
                                           "names of the degrees of freedom (default: 1, 2, ... to "
                                           "the size of the first matrix)")});
    for (int a = 0; a < system->tables.n_array; a++)
        add_node(keys, ML_SCOPE_SYSTEM,
                 system->tables.arrays[a].flags & ML_MATRIX ? ML_KEY_MATRIX : ML_KEY_QUANTITY,
                 &system->tables.arrays[a]);
}

static void add_system(struct key_list *keys, const struct ml_system *system)
{
    const struct ml_params own = {
        .owner = system->name, .row = system->tables.params, .n = system->tables.n_param};
    if (system->tables.arrays) {
        add_arrays(keys, system);
        return;
    }
    add_choices(keys, ML_SCOPE_SYSTEM, system, NULL);
    add_numbers(keys, ML_SCOPE_SYSTEM, system->tables.params, system->tables.n_param);
    for (int i = 0; i < own.n; i++)
        if (own.row[i].group)
            add_group(keys, ML_SCOPE_SYSTEM, ML_SCOPE_SYSTEM_GROUP, &own, i);
    if (system->tables.segment_params)
        schema_add(
            keys,
            (struct ml_key){
                PLAIN(SYSTEM, SEGMENTS, NOWHERE, "segments", system->tables.parts ? 0 : ML_REQUIRED,
                      "the segments from proximal to distal: a list, or {repeat: n, ...}; "
                      "with a body the differences from its segments, by name"),
                .child = ML_SCOPE_SEGMENT});
}

struct ml_key ml_key_parts(const struct ml_system *system)
{
    return (struct ml_key){
        PLAIN(SYSTEM_GROUP, WORDS, NOWHERE, "segments", ML_REQUIRED,
              "the parts of the body that are segments, from proximal to distal: a name or a list",
              ML_BODY),
        .words = {.at = part_word, .owner = system}};
}

static void add_system_group(struct key_list *keys, const struct ml_system *system,
                             const struct ml_params *own)
{
    add_of_group(keys, ML_SCOPE_SYSTEM_GROUP, own);
    add_choices(keys, ML_SCOPE_SYSTEM_GROUP, system, own->group);
    if (system->tables.parts && strcmp(own->group, ML_BODY) == 0)
        schema_add(keys, ml_key_parts(system));
}

static void add_initial(struct key_list *keys, const struct ml_system *system)
{
    for (int i = 0; i < system->tables.n_state; i++) {
        const struct ml_param param = ml_quantity_param(&system->tables.state[i]);
        add_node(keys, ML_SCOPE_INITIAL,
                 ml_dim_is_named(system->tables.state[i].dim[0]) ? ML_KEY_QUANTITY : ML_KEY_STATE,
                 &param);
    }
    add_numbers(keys, ML_SCOPE_INITIAL, system->tables.params, system->tables.n_param);
}

/* A map for each indicator that a study has to name. */
static void add_indicators(struct key_list *keys)
{
    const struct ml_indicator *const *indicators = ml_registry()->indicators;
    for (int i = 0; indicators[i]; i++) {
        const struct ml_param param = {NO_RANGE(indicators[i]->name, 0, indicators[i]->doc)};
        if (!indicators[i]->is_on_request)
            continue;
        const bool has_names = indicators[i]->takes_observables;
        struct ml_key *key =
            add_node(keys, ML_SCOPE_ANALYSE, has_names ? ML_KEY_OBSERVABLES : ML_KEY_MAP, &param);
        key->child = has_names ? ML_SCOPE_OBSERVABLE : ML_SCOPE_INDICATOR;
        key->when = has_names ? has_observables : NULL;
        key->below = ml_indicator_params(indicators[i]);
    }
}

/* Outputs and parameters of the derivatives. */
static const struct ml_key derivative_keys[] = {
    {ROW(INDICATOR, WORDS, NOWHERE, "of", "1", 0, 0, 0, 0,
         "differentiated datasets (default: " ML_OF_DEFAULT "), or a list of datasets"),
     .words = {.at = of_word}},
    {ROW(INDICATOR, PATHS, NOWHERE, "to", "1", 0, 0, 0, ML_REQUIRED,
         "parameters of the derivatives: a key such as system.segments.upper.mass, the name of an "
         "axis whose keys move in proportion, or a list of these")},
};

const struct ml_key *ml_key_of(void) { return &derivative_keys[0]; }

/* Poles that a closed loop is given. */
static const struct ml_key pole_key = {
    PLAIN(INDICATOR, VALUES, NOWHERE, "poles", ML_REQUIRED,
          "poles of the closed loop, two for each segment: 1/s, or with `sample_time` in the z "
          "plane; each a number or [real part, imaginary part], whose conjugate is there too")};

static void add_indicator(struct key_list *keys, const struct ml_params *own)
{
    if (own->takes_poles)
        schema_add(keys, pole_key);
    for (size_t i = 0;
         own->takes_parameters && i < sizeof derivative_keys / sizeof *derivative_keys; i++)
        schema_add(keys, derivative_keys[i]);
    for (int i = 0; i < own->n; i++)
        if (own->row[i].group)
            add_group(keys, ML_SCOPE_INDICATOR, ML_SCOPE_GROUP, own, i);
        else
            add_number(keys, ML_SCOPE_INDICATOR, &own->row[i], i);
}

struct ml_params ml_force_params(const struct ml_force *force)
{
    return (struct ml_params){
        .owner = force->name,
        .row = force->params,
        .n = force->n_param,
        .places =
            force->places | (force->is_external || force->is_passive ? 0U : (unsigned)ML_ACTUATES)};
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
                              .takes_parameters = indicator->takes_parameters,
                              .takes_poles = indicator->takes_poles};
}

struct ml_keys ml_schema_keys(struct ml_pool *pool, enum ml_scope scope,
                              const struct ml_system *system, const struct ml_params *own)
{
    enum { FIRST_ROOM = 16 };
    struct key_list list = {.pool = pool}, *out = &list;
    schema_make_room(out, FIRST_ROOM);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (fixed[i].scope == scope)
            schema_add(out, fixed[i]);
    if (scope == ML_SCOPE_SYSTEM && system)
        add_system(out, system);
    if ((scope == ML_SCOPE_SEGMENT || scope == ML_SCOPE_REPEAT) && system)
        add_numbers(out, scope, system->tables.segment_params, system->tables.n_segment_param);
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
    return list.keys;
}

const struct ml_key *ml_keys_find(const struct ml_keys *keys, const char *name)
{
    static const struct ml_key none = {.param = {.name = "", .unit = "1", .doc = ""}};
    for (int i = 0; i < keys->n; i++)
        if (strcmp(keys->row[i].param.name, name) == 0)
            return &keys->row[i];
    return keys->row ? NULL : &none;
}

bool ml_key_is_pair(const struct ml_keys *keys, const struct ml_key *key)
{
    char component[64];
    (void)snprintf(component, sizeof component, "%s.x", key->param.name);
    return ml_keys_find(keys, component) != NULL;
}

const char *ml_scope_name(enum ml_scope scope)
{
    static const char *const names[] = {
#define ML_SCOPE(name, path) path,
#include "config/sections/scopes.def"
    };
    return names[scope];
}

struct ml_param ml_quantity_param(const struct ml_quantity *quantity)
{
    /* beyond, an angle has no sine; and the difference of two never overflows */
    return (struct ml_param){.name = quantity->name,
                             .unit = quantity->unit,
                             .default_value = quantity->default_value,
                             .low = -ML_ANGLE_MAX,
                             .high = ML_ANGLE_MAX,
                             .doc = quantity->doc};
}

const struct ml_key_traits ml_key_kinds[ML_N_KEY_KIND] = {
#define ML_KEY_KIND(name, field_, type_, default_, allowed_, is_swept_) \
    [ML_KEY_##name] = {.field = ML_FIELD_##field_,                      \
                       .type = (type_),                                 \
                       .default_value = ML_DEFAULT_##default_,          \
                       .allowed = ML_ALLOWED_##allowed_,                \
                       .is_swept = (is_swept_)},
#include "config/schema/kinds.def"
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

const struct ml_param *ml_point_param(int d)
{
    static const struct ml_param params[] = {{"x", "m", 0.0, -1e6, 1e6, 0, "x of the hand"},
                                             {"y", "m", 0.0, -1e6, 1e6, 0, "y of the hand"}};
    return &params[d];
}
