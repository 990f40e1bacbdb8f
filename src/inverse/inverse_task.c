/* Study and motion joined to items, and the computation of one item. */
#include "inverse/inverse_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/schema/slots.h"
#include "config/schema/values.h"
#include "inverse/bursts.h"
#include "inverse/check_loads.h"
#include "inverse/cycles.h"
#include "inverse/diagnostics.h"
#include "inverse/effort.h"
#include "inverse/inverse_solver.h"
#include "inverse/load_windows.h"
#include "inverse/motion_h5.h"
#include "inverse/open_motion.h"
#include "manylink/fail.h"

bool ml_inverse_task_is_by_run(const struct ml_inverse_task *task)
{
    return task->motions.n_motion > 1;
}

/* The run whose parameters an item has. */
static int64_t run_of(const struct ml_inverse_task *task, int64_t item)
{
    if (!ml_inverse_task_is_by_run(task))
        return ml_relevant_axes_run(&task->relevant, item);
    return task->study->spec.runs.n_axis > 0 ? task->motions.run[item] : 0;
}

int64_t ml_inverse_task_shown_run(const struct ml_inverse_task *task, int64_t item)
{
    return ml_inverse_task_is_by_run(task) ? task->motions.run[item] : run_of(task, item);
}

/* Whether the values of motion i are those of its run in the study.
 *   there   [swept][n_motion] of the motions
 *   values  [swept] room */
static enum ml_status check_pair(const struct ml_inverse_task *task, int64_t i, const double *there,
                                 double *values, struct ml_error *err)
{
    const struct ml_study *study = task->study;
    const int64_t run = task->motions.run[i];
    if (run >= study->ensemble.n_run)
        return ml_fail(err, ML_E_INPUT,
                       "%s: has a motion of run %lld, but the study has %lld runs; choose one "
                       "motion with --run",
                       task->motions.source, (long long)run, (long long)study->ensemble.n_run);
    ml_study_swept(&study->spec, run, values);
    for (int a = 0, k = 0; a < study->spec.runs.n_axis; a++)
        for (int s = 0; s < study->spec.runs.axes[a].n_swept; s++, k++)
            if (there[k * task->motions.n_motion + i] != values[k])
                return ml_fail(err, ML_E_INPUT,
                               "%s: its runs are not those of the study, by `%s` of run %lld; "
                               "choose one motion for all with --run, or leave `sweep` out",
                               task->motions.source, study->spec.runs.axes[a].swept[s].path,
                               (long long)run);
    return ML_OK;
}

/* A swept study goes with motions of its own runs only. */
static enum ml_status check_pairs(const struct ml_inverse_task *task, struct ml_error *err)
{
    const struct ml_study_spec *spec = &task->study->spec;
    const size_t n_motion = (size_t)task->motions.n_motion;
    struct ml_pool pool = {0};
    enum ml_status status = ML_OK;
    size_t n_swept = 0;
    if (!ml_inverse_task_is_by_run(task) || spec->runs.n_axis == 0)
        return ML_OK;
    for (int a = 0; a < spec->runs.n_axis; a++)
        n_swept += (size_t)spec->runs.axes[a].n_swept;
    double *values = ml_pool_take(&pool, n_swept, sizeof *values);
    double *there = ml_pool_take(&pool, n_swept * n_motion + 1, sizeof *there), *row = there;
    if (!values || !there)
        status = ML_E_MEMORY;
    for (int a = 0; a < spec->runs.n_axis; a++)
        for (int s = 0; s < spec->runs.axes[a].n_swept && status == ML_OK; s++, row += n_motion)
            status = ml_motion_h5_swept(&task->motions, spec->runs.axes[a].swept[s].path, row, err);
    for (int64_t i = 0; i < task->motions.n_motion && status == ML_OK; i++)
        status = check_pair(task, i, there, values, err);
    ml_pool_free(&pool);
    return status;
}

/* ML_E_INPUT if a set of parameters makes the motion, or a load, impossible. */
static enum ml_status check_motions(const struct ml_inverse_task *task, struct ml_error *err)
{
    struct ml_segment_params segments;
    enum ml_status status = ML_OK;
    const bool is_one = !task->motions.is_by_parameters && !ml_thresholds_are_swept(task->study);
    const int64_t n = is_one ? 1 : task->shape.ensemble.n_run;
    if (!ml_segment_params_init(&segments, &task->study->ensemble))
        return ML_E_MEMORY;
    for (int64_t item = 0; item < n && status == ML_OK; item++) {
        const int64_t run = run_of(task, item);
        ml_segment_params_load(&segments, &task->study->ensemble, run);
        status = ml_motions_check(&task->motions, &segments, run, err);
        struct ml_pool pool = {0};
        struct ml_ensemble own;
        if (status == ML_OK)
            status = ml_thresholds_apply(task->study, run, segments.run_values, &pool, &own, err);
        ml_pool_free(&pool);
    }
    ml_segment_params_free(&segments);
    return status;
}

/* Items of a block: by their size only, so that an interrupted computation can continue on another
 * machine. */
static int64_t block_items(const struct ml_inverse_task *task)
{
    const int64_t usual = (int64_t)1 << 18; /* numbers */
    int64_t sum = 0;
    for (int k = 0; k < task->n_set; k++)
        sum += task->n_number[task->set[k]];
    return sum > 0 && sum < usual ? usual / sum : 1;
}

/* A dataset as an output: numbers of an item, or numbers over time, which are not described. */
static void describe_output(const struct ml_inverse_task *task, int set, struct ml_output *out)
{
    const struct ml_inverse_set *own = ml_inverse_set(set);
    *out = (struct ml_output){.unit = ml_inverse_set_unit(&task->motions, set), .doc = own->doc};
    (void)snprintf(out->name, sizeof out->name, "%s", own->name);
    if (own->is_summary) {
        out->dim[0] = strcmp(own->dim[0], "joint") == 0 ? ML_DIM_JOINT : ML_DIM_SEGMENT;
    } else {
        out->dim[0] = ML_DIM_TIME;
        out->size[0] = 1;
    }
}

/* Names and numbers of the datasets that each item has; false without memory. */
static bool describe_results(struct ml_inverse_task *task)
{
    const size_t n = (size_t)task->n_set;
    struct ml_results *results = &task->shape.results;
    struct ml_output *outputs = ml_pool_take(&task->pool, n, sizeof *outputs);
    int64_t *first = ml_pool_take(&task->pool, n + 1, sizeof *first);
    if (!outputs || !first)
        return false;
    for (int k = 0; k < task->n_set; k++) {
        describe_output(task, task->set[k], &outputs[k]);
        first[k + 1] = first[k] + task->n_number[task->set[k]];
    }
    *results = (struct ml_results){.outputs = outputs, .first = first, .n_output = task->n_set};
    return true;
}

/* Which datasets there are, and the blocks of items; false without memory. */
static bool describe(struct ml_inverse_task *task)
{
    const struct ml_motions *m = &task->motions;
    struct ml_ensemble *e = &task->shape.ensemble;
    for (int set = 0; set < ML_N_SET; set++) {
        task->n_number[set] = ml_torque_numbers(m, set);
        if (task->n_number[set] > 0 && !ml_inverse_set_is_shared(m, set))
            task->set[task->n_set++] = set;
    }
    task->shape = ml_inverse_task_is_by_run(task) ? *task->study : task->relevant.view;
    if (ml_inverse_task_is_by_run(task))
        e->n_run = m->n_motion;
    e->block_runs = block_items(task);
    e->continuation = (struct ml_continuation){0};
    e->saving = (struct ml_saving){.run_every = 1};
    e->n_event = 0; /* of runs, like requirements */
    task->shape.spec.indicators.n_requirement = 0;
    return describe_results(task);
}

/* The motion of the only motion's first item, or of all items, with its derivatives. */
static enum ml_status read_motion(const struct ml_inverse_task *task,
                                  const struct ml_segment_params *segments, int64_t item,
                                  double *const sets[ML_N_SET], struct ml_error *err)
{
    const struct ml_motions *m = &task->motions;
    const struct ml_motion_rows rows = ml_torque_motion(sets);
    const int64_t i = ml_inverse_task_is_by_run(task) ? item : 0;
    enum ml_status status = ml_motions_read(m, i, segments, sets + ML_SET_MOTION, err);
    if (status == ML_OK)
        status = ml_motion_complete(m, ml_motions_cutoff(m, segments), &rows, err);
    if (status == ML_OK)
        ml_cycles_fill_motion(m, segments->is_joint, sets);
    return status;
}

/* The cycles of a gait by the motion of the first run, which datasets have as a dimension. */
static enum ml_status find_cycles(struct ml_inverse_task *task, struct ml_error *err)
{
    struct ml_motions *m = &task->motions;
    struct ml_segment_params segments;
    struct ml_pool pool = {0};
    double *sets[ML_N_SET] = {NULL};
    if (!task->study->spec.inverse.cycles.is_given)
        return ML_OK;
    if (m->n_motion > 1)
        return ml_fail(err, ML_E_INPUT,
                       "%scycles are of one motion, but %s has %lld; choose one with --run",
                       task->study->spec.inverse.cycles.place, m->source, (long long)m->n_motion);
    if (!ml_segment_params_init(&segments, &task->study->ensemble))
        return ML_E_MEMORY;
    ml_segment_params_load(&segments, &task->study->ensemble, run_of(task, 0));
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++) {
        const size_t n = (size_t)ml_torque_numbers(m, set);
        sets[set] = n > 0 ? ml_pool_take(&pool, n, sizeof(double)) : NULL;
    }
    enum ml_status status =
        pool.is_short ? ML_E_MEMORY : read_motion(task, &segments, 0, sets, err);
    if (status == ML_OK)
        status = ml_cycles_find(m, &segments, sets, &task->report, err);
    ml_pool_free(&pool);
    ml_segment_params_free(&segments);
    return status;
}

/* Doubts about the motion beside which a load was refused: they may be the cause. */
static void note_causes(struct ml_inverse_task *task)
{
    struct ml_diagnostics diagnostics;
    if (ml_diagnostics_init(&diagnostics, task->study, &task->motions, &task->report))
        ml_diagnostics_check_motion(&diagnostics, run_of(task, 0), task->shared_sets);
    free(diagnostics.work);
}

/* The motion of the first item, as which plates are checked. */
static enum ml_status fill_first(struct ml_inverse_task *task, struct ml_error *err)
{
    const struct ml_motions *m = &task->motions;
    struct ml_segment_params segments;
    if (!ml_segment_params_init(&segments, &task->study->ensemble))
        return ML_E_MEMORY;
    ml_segment_params_load(&segments, &task->study->ensemble, run_of(task, 0));
    enum ml_status status = read_motion(task, &segments, 0, task->shared_sets, err);
    if (status == ML_OK && !m->is_of_study)
        status = ml_loads_check_places(task->study, m, run_of(task, 0), task->shared_sets,
                                       &task->report, err);
    if (status == ML_E_INPUT)
        note_causes(task);
    ml_segment_params_free(&segments);
    return status;
}

/* The motion that all items have, in memory; of motions that differ with parameters the first is
 * looked at. */
static enum ml_status fill_shared(struct ml_inverse_task *task, struct ml_error *err)
{
    const struct ml_motions *m = &task->motions;
    int64_t n = 0;
    if (ml_inverse_task_is_by_run(task) || (m->is_by_parameters && m->is_of_study))
        return ML_OK;
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++)
        n += task->n_number[set];
    double *at = task->shared = calloc((size_t)n, sizeof *task->shared);
    if (!at)
        return ml_fail(err, ML_E_MEMORY, "no memory for %lld numbers of one motion", (long long)n);
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++) {
        task->shared_sets[set] = task->n_number[set] > 0 ? at : NULL;
        at += task->n_number[set];
    }
    const enum ml_status status = fill_first(task, err);
    if (m->is_by_parameters) {
        free(task->shared);
        task->shared = NULL;
        memset((void *)task->shared_sets, 0, sizeof task->shared_sets);
    }
    return status;
}

/* "motion=FILE", and "run=N" where one was chosen: where it is found again. */
static const char *options_of(struct ml_inverse_task *task, const struct ml_inverse_input *input)
{
    char *path = realpath(input->path, NULL);
    const char *text = input->run >= 0
                           ? ml_pool_format(&task->pool, "motion=%s\nrun=%lld",
                                            path ? path : input->path, (long long)input->run)
                           : ml_pool_format(&task->pool, "motion=%s", path ? path : input->path);
    free(path);
    return text;
}

/* Identity of the results. */
static enum ml_status inverse_task_identify(struct ml_inverse_task *task,
                                            const struct ml_inverse_input *input)
{
    enum ml_status status = ml_motion_id(&task->motions, task->motion_id);
    if (status != ML_OK)
        return status;
    task->of = ml_pool_format(&task->pool, "torques of motion %s", task->motion_id);
    task->options = input->path ? options_of(task, input) : NULL;
    return task->pool.is_short ? ML_E_MEMORY : ML_OK;
}

static void note_what_is_left_out(struct ml_inverse_task *task)
{
    const struct ml_smoothing *smoothing = &task->study->spec.inverse.smoothing;
    if (!ml_inverse_task_is_by_run(task) && task->relevant.left_out)
        ml_inverse_note(&task->report,
                        "torques do not depend on %s, which set initial states, actuators, or an "
                        "unused motion or filter: left out of the result",
                        task->relevant.left_out);
    if (task->motions.is_of_study && (smoothing->order > 0 || smoothing->is_validated))
        ml_inverse_note(
            &task->report,
            "the key `inverse` smooths measured motions; the study's own `motion` stays as it "
            "is");
}

/* ML_E_INPUT if the summary is of no sample. */
static enum ml_status check_report(const struct ml_inverse_task *task, struct ml_error *err)
{
    const struct ml_motions *m = &task->motions;
    const struct ml_effort_span span = ml_effort_span(m);
    if (span.first < span.end)
        return ML_OK;
    return ml_fail(err, ML_E_INPUT,
                   "%s: no time is within `from` and `to` of `inverse: {report: ..}`: the times "
                   "are %g to %g s",
                   m->source, m->time[0], m->time[m->n_time - 1]);
}

/* Everything but the motions. */
static enum ml_status task_complete(struct ml_inverse_task *task,
                                    const struct ml_inverse_input *input, struct ml_error *err)
{
    if (input->called)
        task->motions.source = input->called;
    if (!ml_relevant_axes_init(&task->relevant, task->study, task->motions.is_of_study,
                               &task->pool))
        return ML_E_MEMORY;
    enum ml_status status = find_cycles(task, err);
    if (status != ML_OK)
        return status;
    if (!describe(task))
        return ML_E_MEMORY;
    note_what_is_left_out(task);
    status = check_pairs(task, err);
    if (status == ML_OK)
        status = ml_loads_check_past(task->study, err);
    if (status == ML_OK)
        status = ml_loads_check_times(task->study, &task->motions, err);
    if (status == ML_OK)
        status = check_motions(task, err);
    if (status == ML_OK)
        status = check_report(task, err);
    if (status == ML_OK && task->motions.h5)
        status = ml_motion_h5_check(&task->motions, err);
    if (status == ML_OK)
        status = inverse_task_identify(task, input);
    if (status == ML_OK && task->shape.ensemble.n_run > 1 && !ml_thresholds_are_swept(task->study))
        task->windows = ml_load_windows(&task->study->ensemble.model, task->motions.n_time,
                                        task->motions.time, &task->pool);
    if (status == ML_OK && task->pool.is_short)
        status = ML_E_MEMORY;
    return status == ML_OK ? fill_shared(task, err) : status;
}

enum ml_status ml_inverse_task_open(struct ml_inverse_task *task, const struct ml_study *study,
                                    const struct ml_inverse_input *input, struct ml_error *err)
{
    const struct ml_system *system = study->ensemble.model.system;
    *task = (struct ml_inverse_task){.study = study, .shape = *study};
    if (!ml_segment_params_are_of(system))
        return ml_fail(err, ML_E_INPUT,
                       "%s: system `%s` has no joints; inverse dynamics is for system `chain`",
                       study->spec.name, system->name);
    enum ml_status status = ml_inverse_names_check(study, err);
    if (status == ML_OK)
        status = ml_motions_open(study, input->path, input->run, &task->motions, err);
    return status == ML_OK ? task_complete(task, input, err) : status;
}

void ml_inverse_task_close(struct ml_inverse_task *task)
{
    free(task->shared);
    ml_pool_free(&task->pool);
    ml_motions_close(&task->motions);
}

void ml_inverse_task_place(const struct ml_inverse_task *task, double *const *numbers, int64_t i,
                           double *sets[ML_N_SET])
{
    memcpy((void *)sets, (const void *)task->shared_sets, ML_N_SET * sizeof *sets);
    for (int k = 0; k < task->n_set; k++)
        sets[task->set[k]] = numbers[k] + i * task->n_number[task->set[k]];
}

static void task_lay_out_block(const void *context, struct ml_arena *arena, struct ml_block *block)
{
    const struct ml_inverse_items *items = context;
    const struct ml_inverse_task *task = items->task;
    const size_t n = (size_t)task->shape.ensemble.block_runs;
    block->outcome = ml_arena_take(arena, n, sizeof *block->outcome);
    block->steps = ml_arena_take(arena, n, sizeof *block->steps);
    block->end_time = ml_arena_take(arena, n, sizeof *block->end_time);
    block->summary = ml_arena_take(arena, (size_t)task->n_set, sizeof *block->summary);
    for (int k = 0; k < task->n_set; k++) {
        const size_t size = (size_t)task->n_number[task->set[k]] * sizeof(double);
        double *piece = ml_arena_take(arena, n, size);
        if (block->summary)
            block->summary[k] = piece;
    }
}

/* One thread. */
struct worker {
    struct ml_inverse_solver solver;
    double *cutoff; /* [items of a block] Hz, of their filter */
    double *spare;  /* power and curves of cycles, where these are not kept */
};

/* Numbers of a curve of all joints over the cycles. */
static int64_t n_of_cycles(const struct ml_motions *m)
{
    return m->n * m->cycles.n * ML_CYCLE_POINTS;
}

/* Gives room to curves that are not kept, and that kept numbers are made of. */
static void place_spare(const struct ml_motions *m, double *spare, double *sets[ML_N_SET])
{
    double *of_cycles = spare + m->n * m->n_time;
    if (!sets[ML_SET_POWER])
        sets[ML_SET_POWER] = spare;
    if (!sets[ML_SET_CYCLE_TORQUE])
        sets[ML_SET_CYCLE_TORQUE] = of_cycles;
    if (!sets[ML_SET_CYCLE_POWER])
        sets[ML_SET_CYCLE_POWER] = of_cycles + n_of_cycles(m);
}

static bool task_begin(const void *context, void *own)
{
    const struct ml_inverse_items *items = context;
    const struct ml_motions *m = &items->task->motions;
    struct worker *w = own;
    const bool has_solver = ml_inverse_solver_init(&w->solver, &items->task->study->ensemble);
    w->cutoff = calloc((size_t)items->task->shape.ensemble.block_runs, sizeof *w->cutoff);
    w->spare = malloc((size_t)(m->n * m->n_time + 2 * n_of_cycles(m)) * sizeof *w->spare);
    return has_solver && w->cutoff && w->spare;
}

static void task_end(void *own)
{
    struct worker *w = own;
    ml_inverse_solver_free(&w->solver);
    free(w->cutoff);
    free(w->spare);
}

/* Copies the motion that an item before in the block has from the same filter; false: none has. */
static bool copy_motion(const struct ml_inverse_task *task, const struct worker *w,
                        const struct ml_block *block, int64_t i, double *const sets[ML_N_SET])
{
    double *from[ML_N_SET];
    int64_t k = i - 1;
    while (k >= 0 && w->cutoff[k] != w->cutoff[i])
        k--;
    if (task->motions.is_of_study || ml_inverse_task_is_by_run(task) || k < 0)
        return false;
    ml_inverse_task_place(task, block->summary, k, from);
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++)
        if (task->n_number[set] > 0)
            memcpy(sets[set], from[set], (size_t)task->n_number[set] * sizeof(double));
    return true;
}

/* Outputs per mass. */
static void divide_by_mass(const struct ml_inverse_task *task,
                           const struct ml_segment_params *segments, double *const sets[ML_N_SET])
{
    const struct ml_motions *m = &task->motions;
    const double mass =
        *ml_study_of_run(&task->study->spec, &m->outputs->per_mass, segments->run_values);
    for (int set = 0; set < ML_SET_MOTION; set++) {
        const int64_t n = ml_inverse_set_is_by_mass(m, set) ? task->n_number[set] : 0;
        for (int64_t i = 0; i < n; i++)
            sets[set][i] /= mass;
    }
}

/* Item number `item`, the i-th of the block. */
static enum ml_status compute_item(const struct ml_inverse_task *task, struct worker *w,
                                   int64_t item, const struct ml_block *block, int64_t i,
                                   struct ml_error *err)
{
    const struct ml_ensemble *e = &task->study->ensemble;
    const struct ml_motions *m = &task->motions;
    struct ml_segment_params *segments = &w->solver.segments;
    double *sets[ML_N_SET];
    ml_inverse_task_place(task, block->summary, i, sets);
    place_spare(m, w->spare, sets);
    ml_segment_params_load(segments, e, run_of(task, item));
    w->cutoff[i] = ml_motions_cutoff(m, segments);
    enum ml_status status = task->shared || copy_motion(task, w, block, i, sets)
                                ? ML_OK
                                : read_motion(task, segments, item, sets, err);
    struct ml_pool pool = {0};
    struct ml_ensemble own;
    if (status == ML_OK)
        status = ml_thresholds_apply(task->study, run_of(task, item), segments->run_values, &pool,
                                     &own, err);
    w->solver.windows = task->windows;
    if (status == ML_OK)
        ml_inverse_solver_solve(&w->solver, &own, m->n_time, m->time, sets);
    ml_pool_free(&pool);
    if (status != ML_OK)
        return status;
    ml_effort(m, e->kernels, segments->is_joint, sets);
    ml_cycles_fill_torques(m, sets);
    ml_bursts_fill(m, sets);
    divide_by_mass(task, segments, sets);
    return ML_OK;
}

static enum ml_status task_compute(const void *context, void *own, struct ml_team *team,
                                   struct ml_block *block, struct ml_error *err)
{
    const struct ml_inverse_items *items = context;
    const struct ml_inverse_task *task = items->task;
    for (int64_t i = 0; i < block->n_run; i++) {
        const int64_t at = block->first + i;
        if (ml_team_is_over(team) || ml_stop_level(ml_team_stop(team)) > 1)
            return ML_STOPPED;
        const enum ml_status status =
            compute_item(task, own, items->item ? items->item[at] : at, block, i, err);
        if (status != ML_OK)
            return status;
        block->outcome[i] = ML_FINISHED;
        block->steps[i] = 0; /* nothing is integrated */
        block->end_time[i] = 0.0;
        (void)ml_team_count(team, task->motions.n_time, 1);
    }
    return ML_OK;
}

struct ml_computation ml_inverse_task_computation(const struct ml_inverse_items *items,
                                                  int64_t block_items)
{
    return (struct ml_computation){
        .context = items,
        .called = "results",
        .n_run = items->n,
        .block_runs = block_items,
        .own_size = sizeof(struct worker),
        .lay_out_block = task_lay_out_block,
        .begin = task_begin,
        .end = task_end,
        .compute = task_compute,
    };
}
