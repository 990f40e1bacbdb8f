/* Writes the result file of inverse dynamics: creates its datasets and adds one result at a time.
 */
#include "inverse/inverse_result.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "config/values.h"
#include "inverse/relevant_axes.h"
#include "store/result_h5.h"
#include "store/seal.h"
#include "store/shown.h"

#define GROUP "inverse"

/* What a dataset is, and its dimensions between those of `lead` and time. */
struct set {
    const char *name, *unit, *doc;
    const char *dim[2];
    bool is_summary; /* in /study/summary, without time */
};

static const struct set sets[ML_N_SET] = {
#define X(code, called, text) [code] = {called, "N m", text, {"joint"}},
    ML_TORQUE_LIST(X)
#undef X
        [ML_SET_COUPLING] = {"torque_inertia_coupling",
                             "N m",
                             "torque of each joint for the acceleration of every other joint",
                             {"joint", "by_joint"}},
    [ML_SET_FORCE] = {"joint_force",
                      "N",
                      "force on each segment at its joint, from the segment before or the base",
                      {"joint", "coordinate"}},
    [ML_SET_PEAK] = {"peak_torque",
                     "N m",
                     "largest |torque of the actuators| over the samples",
                     {"joint"},
                     true},
    [ML_SET_RMS] = {"rms_torque",
                    "N m",
                    "root mean square of the torque of the actuators over time",
                    {"joint"},
                    true},
    [ML_SET_POSITIVE] =
        {"positive_work", "J", "work that the actuators of a joint put in", {"joint"}, true},
    [ML_SET_NEGATIVE] =
        {"negative_work", "J", "work that they take out, at most 0", {"joint"}, true},
    [ML_SET_MOTION +
        ML_MOTION_ANGLE] = {"angle", "rad", "angle, in the coordinates of the study", {"segment"}},
    [ML_SET_MOTION + ML_MOTION_RATE] = {"rate", "rad/s", "time derivative of angle", {"segment"}},
    [ML_SET_MOTION + ML_MOTION_ACCELERATION] = {"acceleration",
                                                "rad/s^2",
                                                "time derivative of rate",
                                                {"segment"}},
    [ML_SET_RAW] = {"angle_raw", "rad", "angle as given, before smoothing", {"segment"}},
    [ML_SET_RESIDUAL] = {"angle_residual_rms",
                         "rad",
                         "root mean square of angle_raw - angle: what smoothing took away",
                         {"segment"},
                         true},
    [ML_SET_CUTOFF] = {"smoothing_cutoff",
                       "Hz",
                       "frequency that the smoothing spline of the angle halves",
                       {"segment"},
                       true},
};

static unsigned long long inverse_result_size_of(const struct ml_motions *motions, const char *dim)
{
    return strcmp(dim, "coordinate") == 0 ? 2 : (unsigned long long)motions->n;
}

bool ml_inverse_result_shares_motion(const struct ml_motions *motions)
{
    return motions->n_motion == 1 && !motions->planned;
}

/* Whether a dataset has something to say of these motions. */
static bool is_kept(const struct ml_motions *motions, int set)
{
    const struct ml_smoothing *smoothing = motions->smoothing;
    if (set == ML_SET_RAW || set == ML_SET_RESIDUAL)
        return smoothing;
    return set != ML_SET_CUTOFF || (smoothing && smoothing->is_validated);
}

struct ml_motion_rows ml_torque_motion(double *const values[ML_N_SET])
{
    struct ml_motion_rows rows = {.raw = values[ML_SET_RAW],
                                  .residual = values[ML_SET_RESIDUAL],
                                  .cutoff = values[ML_SET_CUTOFF]};
    for (int q = 0; q < ML_N_MOTION; q++)
        rows.row[q] = values[ML_SET_MOTION + q];
    return rows;
}

int64_t ml_torque_numbers(const struct ml_motions *motions, int set)
{
    int64_t n = sets[set].is_summary ? 1 : motions->n_time;
    if (!is_kept(motions, set))
        return 0;
    if (set == ML_SET_COUPLING && motions->n > ML_MAX_COUPLED)
        return 0;
    for (int d = 0; d < 2 && sets[set].dim[d]; d++)
        n *= (int64_t)inverse_result_size_of(motions, sets[set].dim[d]);
    return n;
}

bool ml_inverse_result_is(const char *path)
{
    struct ml_h5 h5;
    ml_h5_begin(&h5, path, NULL);
    bool is = ml_h5_is_hdf5(path);
    hid_t file = is ? ml_h5_open(&h5) : -1;
    is = file >= 0 && H5Aexists(file, "manylink_format") > 0 && ml_h5_has(file, "/study/" GROUP);
    ml_h5_close(&h5, file);
    (void)ml_h5_end(&h5);
    return is;
}

enum ml_status ml_inverse_result_check(const struct ml_study *study, struct ml_error *err)
{
    static const char *const taken[] = {"time", "joint", "by_joint", "segment", "coordinate"};
    const int own = 3; /* dimensions of the dataset that has most */
    struct ml_layout layout;
    ml_layout_init(&layout, study);
    if (layout.runs.rank + own > ML_MAX_RANK)
        return ml_fail(err, ML_E_INPUT, "%s: torques can be shaped on at most %d axes, not %d",
                       study->name, ML_MAX_RANK - own, layout.runs.rank);
    for (int i = 0; i < study->n_axis; i++) {
        bool is_taken = false;
        for (int s = 0; s < ML_N_SET; s++)
            is_taken |= strcmp(study->axes[i].name, sets[s].name) == 0;
        for (size_t d = 0; d < sizeof taken / sizeof *taken; d++)
            is_taken |= strcmp(study->axes[i].name, taken[d]) == 0;
        if (is_taken)
            return ml_fail(err, ML_E_INPUT,
                           "%s: an axis cannot be named \"%s\": a dataset of the result is",
                           study->name, study->axes[i].name);
    }
    return ml_names_check(&layout, err);
}

/* Scales of what torques are shaped on: the axes, or several motions. */
static void begin_lead(struct ml_inverse_result *file, hid_t group)
{
    const struct ml_motions *m = file->motions;
    const struct ml_h5_field run = {.name = "run",
                                    .type = H5T_NATIVE_INT64,
                                    .unit = "1",
                                    .doc = "index of the run whose motion it is",
                                    .is_scale = true};
    if (file->is_by_run)
        ml_result_vector(&file->result, group, run, m->n_motion, m->run);
    else
        ml_result_begin_axes(&file->result, group);
}

static void begin_scales(struct ml_inverse_result *file, hid_t group, bool is_summary)
{
    static const char *const coordinates[] = {"x", "y"};
    struct ml_h5 *h5 = &file->result.h5;
    const struct ml_motions *m = file->motions;
    const char *const *names = (const char *const *)file->layout.study->segment_names;
    struct ml_h5_field time = {
        .name = "time", .type = H5T_NATIVE_DOUBLE, .unit = "s", .doc = "time", .is_scale = true};
    begin_lead(file, group);
    ml_h5_text_scale(h5, group, "joint", "joints, proximal to distal", m->n, names);
    if (!is_summary && ml_torque_numbers(m, ML_SET_COUPLING) > 0)
        ml_h5_text_scale(h5, group, "by_joint", "joints whose acceleration it is for", m->n, names);
    if (!is_summary)
        ml_h5_text_scale(h5, group, "coordinate", "coordinate in the plane", 2, coordinates);
    if (!is_summary || m->smoothing)
        ml_h5_text_scale(h5, group, "segment", "segments, proximal to distal", m->n, names);
    if (!is_summary)
        ml_result_vector(&file->result, group, time, m->n_time, m->time);
}

/* Values that the study has in the runs of several motions. */
static void inverse_result_add_swept(struct ml_inverse_result *file, hid_t group)
{
    const struct ml_study *study = file->layout.study;
    const int n_swept = ml_layout_swept(&file->layout);
    const int64_t n = file->motions->n_motion;
    struct ml_pool pool = {0};
    double *one = ml_pool_take(&pool, (size_t)n_swept + 1, sizeof *one);
    double *columns = ml_pool_take(&pool, (size_t)n_swept * (size_t)n + 1, sizeof *columns);
    if (!one || !columns) {
        ml_h5_fail(&file->result.h5, ML_E_MEMORY, "out of memory");
        ml_pool_free(&pool);
        return;
    }
    for (int64_t i = 0; i < n && n_swept > 0; i++) {
        ml_study_swept(study, file->motions->run[i], one);
        for (int k = 0; k < n_swept; k++)
            columns[k * n + i] = one[k];
    }
    for (int a = 0, k = 0; a < study->n_axis; a++)
        for (int s = 0; s < study->axes[a].n_swept; s++, k++) {
            const struct ml_swept *swept = &study->axes[a].swept[s];
            const struct ml_h5_field field = {.name = swept->path,
                                              .type = H5T_NATIVE_DOUBLE,
                                              .unit = swept->unit,
                                              .doc = swept->doc,
                                              .scales = {"run"}};
            ml_result_vector(&file->result, group, field, n, columns + k * n);
        }
    ml_pool_free(&pool);
}

static const char *lead_name(const struct ml_inverse_result *file, int k)
{
    return file->is_by_run ? "run" : ml_layout_runs_name(&file->layout, k);
}

/* Shape of a dataset; the motion has one for all results, or one for each. */
static struct ml_extent extent_of(const struct ml_inverse_result *file, int set)
{
    bool is_shared = set >= ML_SET_MOTION && ml_inverse_result_shares_motion(file->motions);
    struct ml_extent extent = is_shared ? (struct ml_extent){0} : file->lead;
    for (int d = 0; d < 2 && sets[set].dim[d]; d++)
        extent.size[extent.rank++] = inverse_result_size_of(file->motions, sets[set].dim[d]);
    if (!sets[set].is_summary)
        extent.size[extent.rank++] = (unsigned long long)file->motions->n_time;
    return extent;
}

/* The dataset, without its chunks. */
static struct ml_h5_field field_of(const struct ml_inverse_result *file, int set)
{
    struct ml_h5_field field = {.name = sets[set].name,
                                .type = H5T_NATIVE_DOUBLE,
                                .unit = sets[set].unit,
                                .doc = sets[set].doc,
                                .extent = extent_of(file, set)};
    const int n_dim = sets[set].dim[1] ? 2 : 1, own = n_dim + !sets[set].is_summary;
    int rank = 0;
    for (; rank < field.extent.rank - own; rank++)
        field.scales[rank] = lead_name(file, rank);
    for (int d = 0; d < n_dim; d++)
        field.scales[rank++] = sets[set].dim[d];
    if (!sets[set].is_summary)
        field.scales[rank] = "time";
    return field;
}

static hid_t begin_set(struct ml_inverse_result *file, hid_t group, int set)
{
    if (ml_torque_numbers(file->motions, set) == 0)
        return -1;
    struct ml_h5_field field = field_of(file, set);
    field.chunk = ml_layout_chunk(&field.extent, ML_RESULT_CHUNK);
    hid_t id = ml_h5_field(&file->result.h5, group, &field);
    if (file->result.h5.status == ML_OK && !sets[set].is_summary)
        ml_h5_text_attribute(&file->result.h5, id, "interpretation", "spectrum");
    return id;
}

static void name_outputs(struct ml_inverse_result *file, hid_t group, bool is_summary)
{
    const char *outputs[ML_N_SET];
    int n = 0;
    for (int set = 0; set < ML_N_SET; set++)
        if (sets[set].is_summary == is_summary && ml_torque_numbers(file->motions, set) > 0 &&
            (is_summary || set < ML_SET_MOTION))
            outputs[n++] = sets[set].name;
    ml_h5_texts_attribute(&file->result.h5, group, "outputs", n, outputs);
}

/* Views of a set: curves of all joints over time, or its map over the axes. */
static void view_set(struct ml_inverse_result *file, hid_t group, hid_t plots, int set)
{
    static const char *const coordinates[] = {"x", "y"};
    struct ml_view view = {.name = sets[set].name,
                           .shows = sets[set].name,
                           .data = group,
                           .plots = plots,
                           .path = sets[set].is_summary ? "/study/summary" : "/study/" GROUP,
                           .field = field_of(file, set),
                           .is_by_time = !sets[set].is_summary};
    const int n_dim = sets[set].dim[1] ? 2 : 1;
    const int n_lead = view.field.extent.rank - n_dim - !sets[set].is_summary;
    if (n_lead > 0 && !file->is_by_run)
        ml_view_lead(&view, &file->layout);
    const bool is_single = n_lead == 0 || (file->layout.n_run == 1 && !file->is_by_run);
    if (is_single)
        for (int k = 0; k < n_lead; k++)
            view.dim[k] = (struct ml_view_dim){.role = ML_VIEW_FIXED};
    for (int d = 0; d < n_dim; d++) {
        const bool is_point = strcmp(sets[set].dim[d], "coordinate") == 0;
        view.dim[n_lead + d].role =
            is_single && sets[set].is_summary ? ML_VIEW_AXIS : ML_VIEW_SIGNAL;
        view.dim[n_lead + d].labels =
            is_point ? coordinates : (const char *const *)file->layout.study->segment_names;
    }
    ml_view_write(&file->result, &view);
}

/* What viewers draw: the first set first. */
static void begin_views(struct ml_inverse_result *file, hid_t group, bool is_summary)
{
    struct ml_h5 *h5 = &file->result.h5;
    int first = -1;
    hid_t plots = ml_h5_group(h5, group, "plots", "NXcollection");
    if (!file->is_by_run)
        ml_result_draw_axes(&file->result, group, plots);
    for (int set = 0; set < ML_N_SET; set++)
        if (sets[set].is_summary == is_summary && ml_torque_numbers(file->motions, set) > 0) {
            first = first < 0 ? set : first;
            view_set(file, group, plots, set);
        }
    char path[64];
    (void)snprintf(path, sizeof path, "plots/%s", first >= 0 ? sets[first].name : "");
    ml_h5_text_attribute(h5, plots, "default", path + sizeof "plots/" - 1);
    ml_h5_text_attribute(h5, group, "default", path);
}

static void name_smoothing(struct ml_inverse_result *file, hid_t group)
{
    const struct ml_smoothing *smoothing = file->motions->smoothing;
    struct ml_h5 *h5 = &file->result.h5;
    if (!smoothing)
        return;
    const int64_t order = smoothing->order;
    ml_h5_text_attribute(h5, group, "smoothing", order > 0 ? "butterworth" : "gcv");
    if (order > 0) {
        ml_h5_numbers_attribute(h5, group, "filter_order", H5T_NATIVE_INT64, 0, &order);
        ml_h5_numbers_attribute(h5, group, "filter_cutoff", H5T_NATIVE_DOUBLE, 0,
                                &smoothing->cutoff);
    }
}

/* Where the motion is from: what was given, and what splines stand in for. */
static void name_motion(struct ml_inverse_result *file, hid_t group)
{
    const char *names[2][ML_N_MOTION];
    int n[2] = {0, 0};
    for (int q = 0; q < ML_N_MOTION; q++) {
        int is_splined = !file->motions->is_given[q];
        names[is_splined][n[is_splined]++] = ml_motion_name((enum ml_motion_row)q);
    }
    ml_h5_text_attribute(&file->result.h5, group, "motion", file->motions->source);
    if (file->motions->run && !file->is_by_run)
        ml_h5_numbers_attribute(&file->result.h5, group, "motion_run", H5T_NATIVE_INT64, 0,
                                file->motions->run);
    ml_h5_texts_attribute(&file->result.h5, group, "given", n[0], names[0]);
    if (n[1] > 0)
        ml_h5_texts_attribute(&file->result.h5, group, "splined", n[1], names[1]);
    name_smoothing(file, group);
}

/* Actuators' torques do not count: they are what is looked for. */
static void name_actuators(struct ml_inverse_result *file, hid_t group)
{
    const struct ml_study *study = file->layout.study;
    const int n = study->ensemble.n_force;
    struct ml_pool pool = {0};
    const char **names = ml_pool_take(&pool, (size_t)n + 1, sizeof *names);
    int n_actuator = 0;
    if (!names)
        ml_h5_fail(&file->result.h5, ML_E_MEMORY, "out of memory");
    for (int f = 0; names && f < n; f++)
        if (!ml_force_is_relevant(&study->forces[f]))
            names[n_actuator++] = study->forces[f].name;
    if (n_actuator > 0)
        ml_h5_texts_attribute(&file->result.h5, group, "not_counted", n_actuator, names);
    ml_pool_free(&pool);
}

void ml_inverse_result_begin(struct ml_inverse_result *file, const struct ml_study *study,
                             const struct ml_motions *motions, const char *path,
                             struct ml_error *err)
{
    *file = (struct ml_inverse_result){.motions = motions, .is_by_run = motions->n_motion > 1};
    struct ml_result_file *result = &file->result;
    ml_layout_init(&file->layout, study);
    *result = (struct ml_result_file){.layout = &file->layout, .file = -1};
    file->lead = file->layout.runs;
    if (file->is_by_run)
        file->lead = (struct ml_extent){.rank = 1, .size = {(unsigned long long)motions->n_motion}};
    ml_h5_begin(&result->h5, path, err);
    result->file = ml_h5_create(&result->h5);
    ml_offsets_seal(&result->h5, result->file, &result->seal, &result->offsets);
    ml_result_begin_entry(result, GROUP "/plots/torque");
    for (int is_summary = 0; is_summary < 2; is_summary++) {
        hid_t group =
            ml_h5_group(&result->h5, result->entry, is_summary ? "summary" : GROUP, "NXcollection");
        name_outputs(file, group, is_summary);
        if (!is_summary) {
            name_motion(file, group);
            name_actuators(file, group);
        }
        begin_scales(file, group, is_summary);
        if (file->is_by_run)
            inverse_result_add_swept(file, group);
        for (int set = 0; set < ML_N_SET; set++)
            if (sets[set].is_summary == is_summary)
                file->set[set] = begin_set(file, group, set);
        begin_views(file, group, is_summary);
    }
    ml_h5_leave(&result->h5);
}

void ml_inverse_result_add(struct ml_inverse_result *file, int64_t item,
                           double *const values[ML_N_SET])
{
    ml_h5_enter(&file->result.h5);
    for (int set = 0; set < ML_N_SET; set++) {
        if (!values[set] || file->set[set] < 0)
            continue;
        const struct ml_extent extent = extent_of(file, set);
        const unsigned long long n = (unsigned long long)ml_torque_numbers(file->motions, set);
        bool is_shared = set >= ML_SET_MOTION && ml_inverse_result_shares_motion(file->motions);
        if (!is_shared || item == 0)
            ml_h5_write_range(&file->result.h5, file->set[set], &extent, H5T_NATIVE_DOUBLE,
                              (unsigned long long)item * n, n, values[set]);
    }
    ml_h5_leave(&file->result.h5);
}

enum ml_status ml_inverse_result_end(struct ml_inverse_result *file,
                                     const struct ml_provenance *provenance)
{
    struct ml_result_file *result = &file->result;
    ml_h5_enter(&result->h5);
    ml_result_write_provenance(result, provenance);
    ml_h5_close(&result->h5, result->file);
    struct ml_error *err = result->h5.err;
    const char *path = result->h5.path;
    enum ml_status status = ml_h5_end(&result->h5);
    return status == ML_OK ? ml_seal_write(path, result->offsets.seal, NULL, err) : status;
}
