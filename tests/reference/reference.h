/* Reads the reference files: the parameters of a case as a chain, a chain as an ensemble.
 *
 * Angles and rates of a `ref_runs` go in as absolute segment angles; with `joint` the engine is
 * given, and gives back, joint angles. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/assess/evaluate.h"
#include "engine/team/team.h"
#include "model/forces/laws.h"
#include "model/forces/numbers.h"

enum { REF_MAX_N = 8, REF_MAX_ELEMENT = 3, REF_MAX_SIGNAL = 64, REF_MAX_FORCE_VALUES = 512 };

/* What stops a test program: a missing file or name, an engine that refuses to run. */
__attribute__((noreturn, format(printf, 1, 2))) static inline void ref_stop(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vfprintf(stderr, format, args);
    va_end(args);
    (void)fputc('\n', stderr);
    exit(2);
}

/* A file of tests/reference; free with json_decref. */
static inline json_t *ref_load(const char *file)
{
    char path[1024];
    json_error_t error;
    (void)snprintf(path, sizeof path, "%s/tests/reference/%s", ML_SOURCE_DIR, file);
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        ref_stop("%s:%d: %s", path, error.line, error.text);
    return root;
}

/* Numbers of a possibly nested array, row by row; returns how many there are. */
static inline int ref_numbers(const json_t *array, int max, double *out)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (json_is_array(item))
            count += ref_numbers(item, max - count, out + count);
        else if (count < max)
            out[count++] = json_is_number(item) ? json_number_value(item) : (double)NAN;
    }
    return count;
}

static inline double ref_number(const json_t *object, const char *key)
{
    const json_t *item = json_object_get(object, key);
    if (!json_is_number(item))
        ref_stop("reference file: no number '%s'", key);
    return json_number_value(item);
}

static inline const char *ref_name(const json_t *object)
{
    return json_string_value(json_object_get(object, "name"));
}

/* The case of that name. */
static inline const json_t *ref_case(const json_t *root, const char *name)
{
    const json_t *cases = json_object_get(root, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++)
        if (!strcmp(ref_name(json_array_get(cases, i)), name))
            return json_array_get(cases, i);
    ref_stop("reference file: no case '%s'", name);
}

/* A force with a law of its own, with our names. */
struct ref_element {
    const char *type;
    int joint, segment;
    struct ref_given {
        char name[16];
        double value;
    } given[8];
    int n_given;
};

/* A chain, in the letters of the reference files. */
struct ref_chain {
    int n;
    bool right; /* angles from +x; else from the downward vertical */
    double m[REF_MAX_N], l[REF_MAX_N], d[REF_MAX_N], inertia[REF_MAX_N]; /* kg, m, m, kg m^2 */
    double b[REF_MAX_N], tau[REF_MAX_N];                                 /* N m s/rad, N m */
    double g[2];                                                         /* m/s^2 */
    bool all_forces; /* a torque and a damper at every joint, of whatever value */
    struct ref_element elements[REF_MAX_ELEMENT];
    int n_element;
};

/* Names of the parameters of an element, in the letters of the reference files and in ours. */
static const struct {
    const char *key, *type, *letters[8], *names[8];
} ref_element_kinds[] = {
    {"fext", "point_force", {"r", "F"}, {"at", "force"}},
    {"spring",
     "spring",
     {"r", "ks", "L0", "A", "axis"},
     {"at", "stiffness", "rest_length", "anchor", "axis"}},
    {"pid", "pid", {"r", "Kp", "Ki", "Kd"}, {"target", "kp", "ki", "kd"}},
};

static inline void ref_give(struct ref_element *to, const char *name, const char *component,
                            double value)
{
    struct ref_given *given = &to->given[to->n_given++];
    (void)snprintf(given->name, sizeof given->name, "%s%s", name, component);
    given->value = value;
}

/* The element of that kind in `json`. */
static inline struct ref_element ref_element(size_t kind, const json_t *json)
{
    const bool is_pid = !strcmp(ref_element_kinds[kind].key, "pid");
    struct ref_element out = {.type = ref_element_kinds[kind].type};
    out.segment = (int)ref_number(json, is_pid ? "angle" : "k") - 1;
    out.joint = is_pid ? (int)ref_number(json, "joint") - 1 : out.segment;
    for (int i = 0; ref_element_kinds[kind].letters[i]; i++) {
        const json_t *item = json_object_get(json, ref_element_kinds[kind].letters[i]);
        const char *name = ref_element_kinds[kind].names[i];
        double pair[2];
        if (json_is_array(item)) {
            (void)ref_numbers(item, 2, pair);
            ref_give(&out, name, ".x", pair[0]);
            ref_give(&out, name, ".y", pair[1]);
        } else if (item) {
            ref_give(&out, name, "", json_number_value(item));
        }
    }
    return out;
}

static inline struct ref_chain ref_chain(const json_t *params)
{
    struct ref_chain chain = {.n = (int)ref_number(params, "n")};
    struct {
        const char *key;
        double *out;
    } arrays[] = {{"m", chain.m},       {"l", chain.l}, {"d", chain.d},
                  {"I", chain.inertia}, {"b", chain.b}, {"tau", chain.tau}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (ref_numbers(json_object_get(params, arrays[i].key), REF_MAX_N, arrays[i].out) !=
            chain.n)
            ref_stop("reference file: '%s' needs %d numbers", arrays[i].key, chain.n);
    (void)ref_numbers(json_object_get(params, "g"), 2, chain.g);
    chain.right = !strcmp(json_string_value(json_object_get(params, "conv")), "H");
    for (size_t k = 0; k < sizeof ref_element_kinds / sizeof *ref_element_kinds; k++) {
        const json_t *element = json_object_get(params, ref_element_kinds[k].key);
        if (element)
            chain.elements[chain.n_element++] = ref_element(k, element);
    }
    return chain;
}

/* A controller that a file keeps apart from its chain; `json` may be NULL. */
static inline void ref_chain_add_pid(struct ref_chain *chain, const json_t *json)
{
    for (size_t k = 0; json && k < sizeof ref_element_kinds / sizeof *ref_element_kinds; k++)
        if (!strcmp(ref_element_kinds[k].key, "pid"))
            chain->elements[chain->n_element++] = ref_element(k, json);
}

/* Numbers behind the angles and rates of its state. */
static inline int ref_n_state(const struct ref_chain *chain)
{
    int n = 0;
    for (int i = 0; i < chain->n_element; i++)
        n += !strcmp(chain->elements[i].type, "pid");
    return n;
}

/* One run of a chain per initial state. Must stay where ref_runs_init found it. */
struct ref_runs {
    struct ref_chain chain;
    bool joint;
    const double *x0; /* [n_run][2 n] segment angles and rates, borrowed */
    struct ml_force_use forces[2 * REF_MAX_N + REF_MAX_ELEMENT];
    struct ml_law laws[2 * REF_MAX_N + REF_MAX_ELEMENT];
    struct ml_signal signals[REF_MAX_SIGNAL]; /* constant unless changed */
    int n_signal;
    double force_values[REF_MAX_FORCE_VALUES]; /* from the first force's slot on */
    struct ml_ensemble ensemble;
};

static inline const struct ml_kernels *ref_fastest(void)
{
    const struct ml_kernels *best = ml_kernels_at(0), *next;
    for (int i = 1; (next = ml_kernels_at(i)); i++)
        best = next;
    return best;
}

static inline int ref_param(const struct ml_param *params, int n_param, const char *name)
{
    for (int i = 0; i < n_param; i++)
        if (params[i].name && !strcmp(params[i].name, name))
            return i;
    ref_stop("no parameter '%s'", name);
}

static inline const struct ml_system *ref_system(const struct ml_kernels *k, const char *name)
{
    for (int i = 0; k->registry->systems[i]; i++)
        if (!strcmp(k->registry->systems[i]->name, name))
            return k->registry->systems[i];
    ref_stop("no system '%s'", name);
}

static inline int ref_force(const struct ml_kernels *k, const char *name)
{
    for (int i = 0; k->registry->forces[i]; i++)
        if (!strcmp(k->registry->forces[i]->name, name))
            return i;
    ref_stop("no force '%s'", name);
}

static inline const struct ml_method *ref_integrator(const struct ml_kernels *k, const char *name)
{
    (void)k;
    for (int i = 0; ml_methods[i]; i++)
        if (!strcmp(ml_methods[i]->name, name))
            return ml_methods[i];
    ref_stop("no integrator '%s'", name);
}

static inline int ref_quantity(const struct ml_quantity *quantities, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(quantities[i].name, name))
            return i;
    ref_stop("no quantity '%s'", name);
}

static inline void ref_choose(struct ml_instance *model, const struct ml_system *system,
                              const char *choice, const char *value)
{
    for (int i = 0; i < system->tables.n_choice; i++)
        for (int v = 0; !strcmp(system->tables.choices[i].name, choice) &&
                        v < ML_MAX_CHOICE_VALUES && system->tables.choices[i].values[v];
             v++)
            if (!strcmp(system->tables.choices[i].values[v], value)) {
                model->choice[i] = v;
                return;
            }
    ref_stop("no choice '%s: %s'", choice, value);
}

/* Segment angles or rates to joint ones. */
static inline void ref_to_joint(int n, const double *segment, double *joint)
{
    for (int i = 0; i < n; i++)
        joint[i] = segment[i] - (i ? segment[i - 1] : 0.0);
}

static inline void ref_values(const void *context, int64_t run, double *values)
{
    const struct ref_runs *runs = context;
    const struct ref_chain *chain = &runs->chain;
    const struct ml_system *system = runs->ensemble.model.system;
    int n = chain->n, n_segment_param = system->tables.n_segment_param;
    const struct {
        const char *name;
        const double *from;
    } given[] = {
        {"length", chain->l}, {"mass", chain->m}, {"com", chain->d}, {"inertia", chain->inertia}};

    for (int p = 0; p < system->tables.n_param; p++)
        values[ml_slot_param(p)] = system->tables.params[p].default_value;
    values[ml_slot_param(ref_param(system->tables.params, system->tables.n_param, "gravity.x"))] =
        chain->g[0];
    values[ml_slot_param(ref_param(system->tables.params, system->tables.n_param, "gravity.y"))] =
        chain->g[1];
    for (size_t p = 0; p < sizeof given / sizeof *given; p++) {
        int i_param = ref_param(system->tables.segment_params, n_segment_param, given[p].name);
        for (int i = 0; i < n; i++)
            values[ml_slot_segment(system, i, i_param)] = given[p].from[i];
    }
    for (int q = 0; q < 2; q++) {
        int i_quantity =
            ref_quantity(system->tables.state, system->tables.n_state, q ? "rate" : "angle");
        double *to = values + ml_slot_initial(&(struct ml_instance){system, n}, i_quantity, 0);
        const double *from = runs->x0 + (2 * run + q) * n;
        memcpy(to, from, (size_t)n * sizeof *to);
        if (runs->joint)
            ref_to_joint(n, from, to);
    }
    int n_fixed = ml_slot_forces(&(struct ml_instance){system, n});
    memcpy(values + n_fixed, runs->force_values,
           (size_t)(runs->ensemble.numbers.n - n_fixed) * sizeof *values);
}

/* Sets values to what they are without a study. */
static inline void ref_force_defaults(const struct ml_force *type, int n, double *values)
{
    struct ml_force_number number[REF_MAX_FORCE_VALUES];
    const int count = ml_force_numbers(type, n, NULL);
    (void)ml_force_numbers(type, n, count <= REF_MAX_FORCE_VALUES ? number : NULL);
    for (int k = 0; k < count; k++)
        values[k] = ml_force_number_param(&number[k]).default_value;
}

/* Adds a force with its defaults; returns its values. */
static inline double *ref_add_force(struct ref_runs *runs, const char *type, int joint, int segment)
{
    struct ml_ensemble *e = &runs->ensemble;
    const int n = runs->chain.n, i_type = ref_force(e->kernels, type);
    const struct ml_force *force = e->kernels->registry->forces[i_type];
    double *values = &runs->force_values[e->numbers.n - ml_slot_forces(&e->model)];
    struct ml_force_use *use = &runs->forces[e->n_force++];
    *use = (struct ml_force_use){.type = force,
                                 .i_type = i_type,
                                 .name = force->name,
                                 .joint = joint,
                                 .segment = segment,
                                 .n_number = ml_force_numbers(force, n, NULL),
                                 .signals = runs->signals + runs->n_signal,
                                 .n_signal = ml_force_signals(force, n),
                                 .slot = e->numbers.n};
    runs->n_signal += use->n_signal;
    e->numbers.n += use->n_number;
    if (e->numbers.n - ml_slot_forces(&e->model) > REF_MAX_FORCE_VALUES)
        ref_stop("%s: too many numbers", type);
    ref_force_defaults(force, n, values);
    return values;
}

static inline void ref_set_laws(struct ml_ensemble *e, struct ml_law *laws)
{
    ml_instance_set_laws(&e->model, e->forces, e->n_force, laws);
}

static inline void ref_add_elements(struct ref_runs *runs)
{
    for (int i = 0; i < runs->chain.n_element; i++) {
        const struct ref_element *own = &runs->chain.elements[i];
        double *values = ref_add_force(runs, own->type, own->joint, own->segment);
        const struct ml_force *force = runs->forces[runs->ensemble.n_force - 1].type;
        for (int g = 0; g < own->n_given; g++)
            values[ref_param(force->params, force->n_param, own->given[g].name)] =
                own->given[g].value;
    }
}

/* A torque and a damper where the chain has one, or all of them, and everything else it needs to
 * run. */
static inline void ref_runs_init(struct ref_runs *runs, const struct ml_kernels *kernels,
                                 const struct ref_chain *chain, bool joint, int64_t n_run,
                                 const double *x0)
{
    const struct ml_system *system = ref_system(kernels, "chain");
    *runs = (struct ref_runs){.chain = *chain, .joint = joint, .x0 = x0};
    struct ml_ensemble *e = &runs->ensemble;
    *e = (struct ml_ensemble){.method = ml_methods[0],
                              .kernels = kernels,
                              .model.system = system,
                              .forces = runs->forces,
                              .n_run = n_run,
                              .time.step = 1.0,
                              .indicators.observe_every = 1,
                              .saving = {.run_every = 1, .run_first = n_run},
                              .numbers.values = ref_values,
                              .numbers.context = runs};
    e->model.n = chain->n;
    ref_choose(&e->model, system, "angles", joint ? "joint" : "segment");
    ref_choose(&e->model, system, "zero", chain->right ? "right" : "down");
    e->numbers.n = ml_slot_forces(&e->model);
    for (int i = 0; i < chain->n; i++)
        for (int kind = 0; kind < 2; kind++) {
            double value = kind ? chain->b[i] : chain->tau[i];
            if (value == 0.0 && !chain->all_forces)
                continue;
            *ref_add_force(runs, kind ? "damper" : "torque", i, i) = value;
        }
    ref_add_elements(runs);
    ref_set_laws(e, runs->laws);
    e->block_runs = ml_ensemble_block_runs(e);
}

/* What the engine says of one run at its initial state. */
struct ref_evaluation {
    double m[REF_MAX_N * REF_MAX_N], c[REF_MAX_N], g[REF_MAX_N], q[REF_MAX_N], d[REF_MAX_N],
        e[REF_MAX_N], qdd[REF_MAX_N], state[2 * REF_MAX_N];
    double kinetic, potential;
};

static inline struct ref_evaluation ref_evaluate(const struct ref_runs *runs, int64_t run)
{
    struct ref_evaluation out;
    struct ml_error error = {0};
    for (size_t i = 0; i < sizeof out / sizeof(double); i++)
        ((double *)&out)[i] = (double)NAN;
    const struct ml_terms terms = {out.m, out.c, out.g, out.q, out.d, out.e, out.qdd};
    if (ml_ensemble_evaluate(&runs->ensemble, run, &terms, out.state, &out.kinetic, &out.potential,
                             &error))
        ref_stop("evaluate: %s", error.text);
    return out;
}

/* Angles and rates of all runs, [n_run][n_sample][2 n], in the coordinates of the runs. */
struct ref_samples {
    const struct ref_runs *runs;
    int records[2]; /* angle, rate */
    int64_t n_sample;
    double *x;
    int64_t n_finished;
};

static inline bool ref_samples_has(void *context, int64_t block)
{
    (void)context, (void)block;
    return false;
}

static inline enum ml_status ref_samples_write(void *context, const struct ml_block *block,
                                               struct ml_error *err)
{
    (void)err;
    struct ref_samples *samples = context;
    int n = samples->runs->chain.n;
    int64_t n_sample = samples->n_sample;
    for (int64_t r = 0; r < block->n_run; r++) {
        samples->n_finished += block->outcome[r] == ML_FINISHED;
        for (int64_t s = 0; s < n_sample; s++)
            for (int i = 0; i < 2 * n; i++) {
                const double *from = block->records[i / n];
                samples->x[((block->first + r) * n_sample + s) * 2 * n + i] =
                    from[(r * n + i % n) * n_sample + s];
            }
    }
    return ML_OK;
}

/* Runs n_step steps and keeps every `every`-th state; free `x`. */
static inline struct ref_samples ref_run(struct ref_runs *runs, const char *integrator, double step,
                                         int64_t n_step, int64_t every)
{
    struct ml_ensemble *e = &runs->ensemble;
    struct ml_error error = {0};
    struct ref_samples samples = {
        .runs = runs,
        .records = {ref_quantity(e->model.system->tables.records, e->model.system->tables.n_record,
                                 "angle"),
                    ref_quantity(e->model.system->tables.records, e->model.system->tables.n_record,
                                 "rate")}};
    e->method = ref_integrator(e->kernels, integrator);
    e->time.step = step;
    e->time.n_step = n_step;
    e->indicators.observe_every = n_step;
    e->saving.every = every;
    e->saving.records = samples.records;
    e->saving.n_record = 2;
    e->block_runs = ml_ensemble_block_runs(e);
    samples.n_sample = ml_ensemble_samples(e);
    size_t count = (size_t)(e->n_run * samples.n_sample * 2 * runs->chain.n);
    samples.x = malloc(count * sizeof *samples.x);
    if (!samples.x)
        ref_stop("out of memory");
    for (size_t i = 0; i < count; i++)
        samples.x[i] = (double)NAN;
    const struct ml_sink sink = {&samples, ref_samples_has, ref_samples_write};
    const struct ml_ensemble_options options = {0};
    if (ml_ensemble_run(e, &options, &sink, &error))
        ref_stop("run: %s", error.text);
    e->saving = (struct ml_saving){.run_every = 1, .run_first = e->n_run};
    return samples;
}

/* State of one run at one sample, [2 n]. */
static inline const double *ref_state(const struct ref_samples *samples, int64_t run,
                                      int64_t sample)
{
    return samples->x + (run * samples->n_sample + sample) * 2 * samples->runs->chain.n;
}

/* The larger of two errors; a NaN is larger than anything, and stays. */
static inline double ref_worse(double a, double b) { return b > a || isnan(b) ? b : a; }

/* Largest |a - b| over the largest |b|, or over 1 if all of b is zero. */
static inline double ref_error(int count, const double *a, const double *b)
{
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < count; i++) {
        double error = fabs(a[i] - b[i]);
        worst = ref_worse(worst, error);
        scale = fmax(scale, fabs(b[i]));
    }
    return worst / (scale > 0.0 ? scale : 1.0);
}

#endif
