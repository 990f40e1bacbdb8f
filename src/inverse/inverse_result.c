/* Writes the result file of inverse dynamics from finished blocks; recognises a finished one. */
#include "inverse/inverse_task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/schema/slots.h"
#include "config/schema/values.h"
#include "inverse/bursts.h"
#include "inverse/diagnostics.h"
#include "plan/study_id.h"
#include "store/result.h"
#include "store/result_h5.h"

#define GROUP "inverse"

/* The file while it is written. */
struct writing {
    struct ml_inverse_task *task;
    const struct ml_motions *motions; /* of it */
    struct ml_result_file result;
    struct ml_layout layout; /* of the axes as they are in the file */
    struct ml_extent lead;   /* of the dimensions of the items */
    bool is_by_run;          /* that is the runs of several motions */
    double *swept;           /* [ml_layout_swept][n_run] values in these runs; NULL: not by run */
    hid_t set[ML_N_SET];     /* -1: left out */
    int8_t *outcomes;        /* [items of a block] */
    struct ml_diagnostics diagnostics;
    struct ml_pool pool; /* owns `swept` and `outcomes` */
};

/* Scale of the items of several motions: their runs. */
static void begin_run_scale(struct writing *w, hid_t group)
{
    int64_t *runs = malloc((size_t)w->layout.n_run * sizeof *runs);
    ml_h5_need(&w->result.h5, runs);
    for (int64_t i = 0; runs && i < w->layout.n_run; i++)
        runs[i] = w->motions->run[ml_layout_run(&w->layout, i)];
    if (runs)
        ml_result_write_scale(&w->result, group, ML_DATA_INVERSE_RUN, w->layout.n_run, runs);
    free(runs);
}

/* Scales of the dimensions of the items: the axes, or several motions. */
static void begin_lead(struct writing *w, hid_t group)
{
    if (!w->is_by_run) {
        ml_result_begin_axes(&w->result, group);
        return;
    }
    ml_result_name_run_dims(&w->result, group, 1, &(const char *){"run"});
    begin_run_scale(w, group);
}

/* Numbers of the cycles, from 1 on, and the points of a cycle. */
static void begin_cycle_scales(struct writing *w, hid_t group)
{
    struct ml_h5 *h5 = &w->result.h5;
    double percent[ML_CYCLE_POINTS];
    const char *bursts[ML_N_BURST];
    const int n_burst = ml_bursts_name(&w->motions->cycles, bursts);
    const int64_t n = w->motions->cycles.n;
    int64_t *numbers = ml_pool_take(&w->pool, (size_t)n, sizeof *numbers);
    for (int64_t c = 0; ml_h5_need(h5, numbers) && c < n; c++)
        numbers[c] = c + 1;
    for (int p = 0; p < ML_CYCLE_POINTS; p++)
        percent[p] = 100.0 * p / (ML_CYCLE_POINTS - 1);
    if (numbers)
        ml_result_write_scale(&w->result, group, ML_DATA_CYCLE, n, numbers);
    const struct ml_result_dim dims[] = {{.scale = ML_DATA_CYCLE_PERCENT, .n = ML_CYCLE_POINTS},
                                         {.scale = ML_DATA_NONE}};
    struct ml_h5_field field = ml_result_field(&w->layout, dims, ML_DATA_CYCLE_PERCENT, NULL);
    field.label = "cycle (%)";
    ml_h5_dataset(h5, group, &field, H5T_NATIVE_DOUBLE, percent);
    if (n_burst > 0)
        ml_result_write_scale(&w->result, group, ML_DATA_CYCLE_BURST, n_burst, bursts);
}

static void begin_scales(struct writing *w, hid_t group, bool is_summary)
{
    static const char *const coordinates[] = {"x", "y"};
    struct ml_result_file *result = &w->result;
    const struct ml_motions *m = w->motions;
    const char *const *names = (const char *const *)w->layout.study->spec.segment_names;
    begin_lead(w, group);
    ml_result_write_scale(result, group, ML_DATA_JOINT, m->n, names);
    if (!is_summary && ml_torque_numbers(m, ML_SET_COUPLING) > 0)
        ml_result_write_scale(result, group, ML_DATA_INVERSE_BY_JOINT, m->n, names);
    if (!is_summary)
        ml_result_write_scale(result, group, ML_DATA_COORDINATE, 2, coordinates);
    if (!is_summary || m->smoothing)
        ml_result_write_scale(result, group, ML_DATA_SEGMENT, m->n, names);
    if (!is_summary)
        ml_result_write_scale(result, group, ML_DATA_TIME, m->n_time, m->time);
    if (!is_summary && m->cycles.n > 0)
        begin_cycle_scales(w, group);
}

/* Values that the study has in the runs of several motions, column by column. */
static void inverse_result_find_swept(struct writing *w)
{
    const int n_swept = ml_layout_swept(&w->layout);
    const int64_t n = w->layout.n_run;
    double *one = ml_pool_take(&w->pool, (size_t)n_swept + 1, sizeof *one);
    w->swept = ml_pool_take(&w->pool, (size_t)n_swept * (size_t)n + 1, sizeof *w->swept);
    if (!ml_h5_need(&w->result.h5, one && w->swept))
        return;
    for (int64_t i = 0; i < n && n_swept > 0; i++) {
        ml_study_swept(&w->task->study->spec, w->motions->run[ml_layout_run(&w->layout, i)], one);
        for (int k = 0; k < n_swept; k++)
            w->swept[k * n + i] = one[k];
    }
}

static void inverse_result_add_swept(struct writing *w, hid_t group)
{
    const int64_t n = w->layout.n_run;
    for (int k = 0; w->swept && k < ml_layout_swept(&w->layout); k++) {
        const struct ml_h5_field field =
            ml_result_swept_field(&w->layout, ml_layout_swept_at(&w->layout, k));
        ml_result_vector(&w->result, group, field, n, w->swept + k * n);
    }
}

static const char *lead_name(const struct writing *w, int k)
{
    return w->is_by_run ? "run" : ml_layout_runs_name(&w->layout, k);
}

/* Shape of the items, in the file of a study or shard. */
static struct ml_extent lead_of(const struct ml_inverse_task *task, const struct ml_layout *layout)
{
    return ml_inverse_task_is_by_run(task)
               ? (struct ml_extent){.rank = 1, .size = {(unsigned long long)layout->n_run}}
               : layout->runs;
}

/* Shape of a dataset; the motion has one for all results, or one for each. */
static struct ml_extent extent_of(const struct ml_motions *m, const struct ml_extent *lead, int set)
{
    const struct ml_inverse_set *about = ml_inverse_set(set);
    struct ml_extent extent = ml_inverse_set_is_shared(m, set) ? (struct ml_extent){0} : *lead;
    for (int d = 0; d < ml_inverse_set_rank(set); d++)
        extent.size[extent.rank++] = (unsigned long long)ml_inverse_set_size(m, about->dim[d]);
    return extent;
}

static struct ml_h5_field inverse_result_field_of(const struct writing *w, int set)
{
    struct ml_h5_field field = {.name = ml_inverse_set(set)->name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = ml_inverse_set_unit(w->motions, set),
                                .doc = ml_inverse_set(set)->doc,
                                .extent = extent_of(w->motions, &w->lead, set)};
    const int own = ml_inverse_set_rank(set);
    int rank = 0;
    for (; rank < field.extent.rank - own; rank++)
        field.scales[rank] = lead_name(w, rank);
    for (int d = 0; d < own; d++)
        field.scales[rank++] = ml_inverse_set(set)->dim[d];
    return field;
}

static hid_t begin_set(struct writing *w, hid_t group, int set)
{
    if (ml_torque_numbers(w->motions, set) == 0)
        return -1;
    struct ml_h5_field field = inverse_result_field_of(w, set);
    hid_t id = ml_h5_field(&w->result.h5, group, &field);
    if (w->result.h5.status == ML_OK && !ml_inverse_set(set)->is_summary)
        ml_h5_text_attribute(&w->result.h5, id, "interpretation", "spectrum");
    if (w->result.h5.status == ML_OK && ml_inverse_set(set)->deviation)
        ml_h5_text_attribute(&w->result.h5, id, "uncertainties", ml_inverse_set(set)->deviation);
    return id;
}

static void name_outputs(struct writing *w, hid_t group, bool is_summary)
{
    const char *outputs[ML_N_SET];
    int n = 0;
    for (int set = 0; set < ML_N_SET; set++)
        if (ml_inverse_set(set)->is_summary == is_summary &&
            ml_torque_numbers(w->motions, set) > 0 && (is_summary || set < ML_SET_MOTION))
            outputs[n++] = ml_inverse_set(set)->name;
    ml_h5_texts_attribute(&w->result.h5, group, "outputs", n, outputs);
}

/* Views of a set: curves of all joints over time, or its map over the axes. */
static void view_set(struct writing *w, hid_t group, hid_t plots, int set)
{
    static const char *const coordinates[] = {"x", "y"};
    const struct ml_inverse_set *own = ml_inverse_set(set);
    struct ml_nxdata view = {.name = own->name,
                             .shows = own->name,
                             .data = group,
                             .plots = plots,
                             .path = own->is_summary ? "/study/summary" : "/study/" GROUP,
                             .field = inverse_result_field_of(w, set)};
    const int n_lead = view.field.extent.rank - ml_inverse_set_rank(set);
    ml_nxdata_begin(
        &view, n_lead,
        w->is_by_run || ml_layout_is_list(&w->layout) ? NULL : w->layout.study->spec.runs.axes);
    for (int d = n_lead; d < view.field.extent.rank; d++) {
        const char *dim = own->dim[d - n_lead];
        const bool is_point = strcmp(dim, "coordinate") == 0;
        if (strcmp(dim, "time") == 0 || strcmp(dim, "percent") == 0)
            continue;
        view.dim[d].role = view.view.dims[d] == ML_VIEW_X ? ML_NXDATA_AXIS : ML_NXDATA_SIGNAL;
        view.dim[d].labels =
            is_point ? coordinates : (const char *const *)w->layout.study->spec.segment_names;
    }
    ml_nxdata_write(&w->result, &view);
}

/* Views for viewers: the first set first. */
static void begin_views(struct writing *w, hid_t group, bool is_summary)
{
    struct ml_h5 *h5 = &w->result.h5;
    int first = -1;
    hid_t plots = ml_h5_group(h5, group, "plots", "NXcollection");
    if (!w->is_by_run)
        ml_result_draw_axes(&w->result, group, plots);
    for (int set = 0; set < ML_N_SET; set++)
        if (ml_inverse_set(set)->is_summary == is_summary &&
            !ml_inverse_set_has_dim(set, "cycle") && ml_torque_numbers(w->motions, set) > 0) {
            first = first < 0 ? set : first;
            view_set(w, group, plots, set);
        }
    char path[64];
    (void)snprintf(path, sizeof path, "plots/%s", first >= 0 ? ml_inverse_set(first)->name : "");
    ml_result_index_views(&w->result, plots);
    ml_h5_text_attribute(h5, plots, "default", path + sizeof "plots/" - 1);
    ml_h5_text_attribute(h5, group, "default", path);
}

static void name_smoothing(struct writing *w, hid_t group)
{
    const struct ml_smoothing *smoothing = w->motions->smoothing;
    struct ml_h5 *h5 = &w->result.h5;
    if (!smoothing)
        return;
    const int64_t order = smoothing->order;
    ml_h5_text_attribute(h5, group, "smoothing", order > 0 ? "butterworth" : "gcv");
    if (order > 0) {
        ml_h5_numbers_attribute(h5, group, "filter_order", H5T_NATIVE_INT64, 0, &order);
        if (!ml_study_is_swept(&w->task->study->spec, &smoothing->cutoff))
            ml_h5_numbers_attribute(h5, group, "filter_cutoff", H5T_NATIVE_DOUBLE, 0,
                                    &smoothing->cutoff);
    }
}

/* Origin of the motion: given data, and data replaced by splines. */
static void name_motion(struct writing *w, hid_t group)
{
    const char *names[2][ML_N_MOTION];
    int n[2] = {0, 0};
    for (int q = 0; q < ML_N_MOTION; q++) {
        if (!ml_motions_have(w->motions, (enum ml_motion_row)q))
            continue;
        int is_splined = !w->motions->is_given[q];
        names[is_splined][n[is_splined]++] = ml_motion_name((enum ml_motion_row)q);
    }
    ml_h5_text_attribute(&w->result.h5, group, "motion", w->motions->source);
    if (w->motions->run && !w->is_by_run)
        ml_h5_numbers_attribute(&w->result.h5, group, "motion_run", H5T_NATIVE_INT64, 0,
                                w->motions->run);
    ml_h5_texts_attribute(&w->result.h5, group, "given", n[0], names[0]);
    if (n[1] > 0)
        ml_h5_texts_attribute(&w->result.h5, group, "splined", n[1], names[1]);
    name_smoothing(w, group);
}

/* Forces of actuators are left out: their torques are the result. */
static void name_actuators(struct writing *w, hid_t group)
{
    const struct ml_study *study = w->layout.study;
    const int n = study->ensemble.n_force;
    struct ml_pool pool = {0};
    const char **names = ml_pool_take(&pool, (size_t)n + 1, sizeof *names);
    int n_actuator = 0;
    ml_h5_need(&w->result.h5, names);
    for (int f = 0; names && f < n; f++)
        if (!ml_force_is_relevant(&study->spec.forces[f]))
            names[n_actuator++] = study->spec.forces[f].name;
    if (n_actuator > 0)
        ml_h5_texts_attribute(&w->result.h5, group, "not_counted", n_actuator, names);
    ml_pool_free(&pool);
}

/* /study/runs: the swept numbers of the items, and how they ended. */
static void begin_runs(struct writing *w)
{
    const hid_t group = ml_result_begin_run_list(&w->result);
    if (w->is_by_run) {
        begin_run_scale(w, group);
        inverse_result_add_swept(w, group);
    } else {
        ml_result_begin_inputs(&w->result, group);
    }
    ml_result_begin_outcome(&w->result, group);
}

static void begin_group(struct writing *w, bool is_summary)
{
    struct ml_h5 *h5 = &w->result.h5;
    hid_t group = ml_h5_group(h5, w->result.entry, is_summary ? "summary" : GROUP, "NXcollection");
    name_outputs(w, group, is_summary);
    if (!is_summary) {
        name_motion(w, group);
        name_actuators(w, group);
    }
    begin_scales(w, group, is_summary);
    inverse_result_add_swept(w, group);
    for (int set = 0; set < ML_N_SET; set++)
        if (ml_inverse_set(set)->is_summary == is_summary)
            w->set[set] = begin_set(w, group, set);
    begin_views(w, group, is_summary);
}

/* Makes the file with everything but the numbers of items. */
static void inverse_result_begin(struct writing *w, struct ml_shard shard, const char *path,
                                 struct ml_error *err)
{
    struct ml_result_file *result = &w->result;
    const bool has_layout = ml_layout_init_shard(&w->layout, &w->task->shape, shard);
    ml_result_create(result, &w->layout, path, GROUP "/plots/torque", err);
    w->lead = lead_of(w->task, &w->layout);
    w->outcomes = ml_pool_take(&w->pool, (size_t)w->task->shape.ensemble.block_runs + 1, 1);
    ml_h5_need(&result->h5, has_layout && w->outcomes &&
                                ml_diagnostics_init(&w->diagnostics, w->task->study, w->motions,
                                                    &w->task->report));
    if (w->is_by_run)
        inverse_result_find_swept(w);
    begin_runs(w);
    begin_group(w, false);
    begin_group(w, true);
    for (int k = 0; k < w->task->n_set; k++)
        result->summary[k] = w->set[w->task->set[k]];
}

/* Numbers of a dataset, n of them from `first` on. */
static void inverse_result_write_numbers(struct writing *w, int set, int64_t first, int64_t n,
                                         const double *numbers)
{
    const struct ml_extent extent = extent_of(w->motions, &w->lead, set);
    ml_h5_write_range(&w->result.h5, w->set[set], &extent, H5T_NATIVE_DOUBLE,
                      (unsigned long long)first, (unsigned long long)n, numbers);
}

/* The motion that all items have. */
static void add_shared(struct writing *w)
{
    const struct ml_inverse_task *task = w->task;
    for (int set = ML_SET_MOTION; set < ML_N_SET; set++)
        if (task->shared_sets[set])
            inverse_result_write_numbers(w, set, 0, task->n_number[set], task->shared_sets[set]);
    if (task->shared)
        ml_diagnostics_check_motion(&w->diagnostics, 0, task->shared_sets);
}

/* Notes about an item, and how it ended. */
static int8_t inverse_result_look_at(struct writing *w, int64_t item, double *const sets[ML_N_SET])
{
    const int64_t run = ml_inverse_task_shown_run(w->task, item);
    const int64_t before = w->task->report.not_finite;
    ml_diagnostics_check_finite(&w->diagnostics, run, sets);
    ml_diagnostics_check_ends(&w->diagnostics, sets);
    if (!w->task->shared)
        ml_diagnostics_check_motion(&w->diagnostics, run, sets);
    const int outcome = w->task->report.not_finite == before ? ML_FINISHED : ML_DIVERGED;
    ml_tally_add(&w->result.tally, outcome, item, 0.0);
    return (int8_t)outcome;
}

static void inverse_result_add(struct writing *w, const struct ml_part *part)
{
    const struct ml_inverse_task *task = w->task;
    const int64_t first = ml_layout_block_first(&w->layout, part->block);
    const int64_t row = ml_layout_block_row(&w->layout, part->block);
    const struct ml_extent all = {.rank = 1, .size = {(unsigned long long)w->layout.n_run}};
    double *sets[ML_N_SET];
    for (int64_t i = 0; i < part->n_run; i++) {
        ml_inverse_task_place(task, part->summary, i, sets);
        w->outcomes[i] = inverse_result_look_at(w, first + i, sets);
    }
    ml_h5_write_range(&w->result.h5, w->result.outcome, &all, H5T_NATIVE_INT8,
                      (unsigned long long)row, (unsigned long long)part->n_run, w->outcomes);
    for (int k = 0; k < task->n_set; k++) {
        const int64_t n = task->n_number[task->set[k]];
        inverse_result_write_numbers(w, task->set[k], row * n, part->n_run * n, part->summary[k]);
    }
}

static void add_block(struct writing *w, const struct ml_result_content *content, int64_t block)
{
    struct ml_part part;
    struct ml_h5 *h5 = &w->result.h5;
    const enum ml_status status = content->read(content->context, block, &part, h5->err);
    if (status == ML_OK)
        inverse_result_add(w, &part);
    else
        h5->status = status; /* already reported */
    ml_part_close(&part);
}

static enum ml_status inverse_result_end(struct writing *w, const struct ml_provenance *given,
                                         const char *path, struct ml_error *err)
{
    const struct ml_inverse_task *task = w->task;
    struct ml_provenance provenance = *given;
    provenance.options = task->options;
    provenance.motion = task->motion_id;
    provenance.not_finite = task->report.not_finite;
    provenance.notes = *task->report.notes ? task->report.notes : NULL;
    return ml_result_finish(&w->result, &provenance, path, err);
}

static enum ml_status inverse_result_write(void *context, const struct ml_layout *layout,
                                           const struct ml_result_content *content,
                                           const char *path, struct ml_tally *tally,
                                           struct ml_error *err)
{
    struct ml_inverse_task *task = context;
    struct writing w = {
        .task = task, .motions = &task->motions, .is_by_run = ml_inverse_task_is_by_run(task)};
    inverse_result_begin(&w, layout->shard, path, err);
    add_shared(&w);
    ml_h5_team_begin(&w.result.h5, content->n_thread);
    for (int64_t j = 0; j < layout->n_block && w.result.h5.status == ML_OK; j++)
        add_block(&w, content, ml_layout_block(layout, j));
    ml_h5_team_end(&w.result.h5);
    if (!w.is_by_run && layout->n_run > 0) {
        ml_result_write_sensitivity(&w.result);
        ml_result_write_statistics(&w.result);
    }
    *tally = w.result.tally;
    const enum ml_status status = inverse_result_end(&w, content->provenance, path, err);
    ml_layout_free(&w.layout);
    ml_pool_free(&w.pool);
    free(w.diagnostics.work);
    return status;
}

static struct ml_extent inverse_result_find(void *context, const struct ml_layout *layout, int i,
                                            char path[ML_DATASET_PATH])
{
    const struct ml_inverse_task *task = context;
    const struct ml_inverse_set *set = ml_inverse_set(task->set[i]);
    const struct ml_extent lead = lead_of(task, layout);
    (void)snprintf(path, ML_DATASET_PATH, "/study/%s/%s", set->is_summary ? "summary" : GROUP,
                   set->name);
    return extent_of(&task->motions, &lead, task->set[i]);
}

/* Reads the report of a finished file. */
static void take_notes(struct ml_h5 *h5, hid_t file, struct ml_inverse_report *report)
{
    const struct ml_extent one = {0};
    hid_t id = ml_h5_open_dataset(h5, file, "/study/provenance/not_finite");
    ml_h5_read_range(h5, id, &one, H5T_NATIVE_INT64, 0, 1, &report->not_finite);
    (void)H5Dclose(id);
    char *notes = h5->status == ML_OK && ml_h5_has(file, "/study/provenance/notes")
                      ? ml_h5_read_text(h5, file, "/study/provenance/notes")
                      : NULL;
    (void)snprintf(report->notes, sizeof report->notes, "%s", notes ? notes : "");
    free(notes);
}

/* ML_E_OTHER_STUDY if the file has other results of inverse dynamics, or by an older version. */
static void check_id(struct ml_h5 *h5, hid_t file, const struct ml_inverse_task *task)
{
    static const char motion[] = "/study/provenance/motion";
    char *resolved = ml_h5_read_text(h5, file, "/study/resolved");
    if (h5->status == ML_OK)
        h5->status =
            ml_study_id_check(h5->path, resolved, task->study, ML_STUDY_ID_REMEDY, h5->err);
    char *id =
        h5->status == ML_OK && ml_h5_has(file, motion) ? ml_h5_read_text(h5, file, motion) : NULL;
    if (h5->status == ML_OK && (!id || strcmp(id, task->motion_id) != 0))
        ml_h5_fail(h5, ML_E_OTHER_STUDY, "has torques of another motion");
    free(id);
    free(resolved);
}

static const struct ml_result_mark inverse_result_mark = {.group = "/study/" GROUP,
                                                          .called = "inverse dynamics"};

static enum ml_status inverse_result_check(void *context, const char *path,
                                           const struct ml_layout *layout, struct ml_tally *tally,
                                           struct ml_error *err)
{
    struct ml_inverse_task *task = context;
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, err);
    hid_t file = ml_result_h5_open(&h5, false);
    ml_result_h5_check_mark(&h5, file, &inverse_result_mark, ML_E_INPUT);
    check_id(&h5, file, task);
    /* Not ML_E_OTHER_STUDY: another shard of the same results is never replaced. */
    ml_result_h5_check_shard(&h5, file, layout->shard, ML_E_INPUT);
    if (h5.status == ML_OK)
        take_notes(&h5, file, &task->report);
    ml_h5_close(&h5, file);
    *tally = (struct ml_tally){0};
    tally->count[ML_DIVERGED].runs = task->report.not_finite;
    tally->count[ML_FINISHED].runs = layout->n_run - task->report.not_finite;
    return ml_h5_end(&h5);
}

struct ml_result_kind ml_inverse_result_kind(struct ml_inverse_task *task)
{
    return (struct ml_result_kind){
        .context = task,
        .of = task->of,
        .mark = &inverse_result_mark,
        .less = "use fewer sets of parameters or motions, or divide them by --shard",
        .replaces_others = true,
        .find = inverse_result_find,
        .write = inverse_result_write,
        .check = inverse_result_check,
    };
}
