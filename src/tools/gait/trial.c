/* Reads one trial: the spread of each number over its cycles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "tools/gait/gait.h"

const char *const gait_curve_names[] = {"angle", "torque", "power"};

/* Datasets with a number of each cycle, of the leg or of its joints; and the peaks of an angle,
 * found in its curves. */
static const struct gait_row numbers[] = {
    {"cycle_duration", "cycle time", .has_index = true},
    {"toe_off", "stance", .has_index = true},
    {"cycle_max_torque", "largest moment", .has_index = true},
    {"cycle_max_torque_at", "at"},
    {"cycle_min_torque", "smallest moment", .has_index = true},
    {"cycle_min_torque_at", "at"},
    {"cycle_positive_work", "positive work", .has_index = true},
    {"cycle_negative_work", "negative work", .has_index = true},
    {"burst_work", .joint = -1, .has_index = true}};
static const struct gait_row peaks[] = {{"cycle_max_angle", "largest angle", "rad"},
                                        {"cycle_max_angle_at", "at", "%"},
                                        {"cycle_min_angle", "smallest angle", "rad"},
                                        {"cycle_min_angle_at", "at", "%"}};
enum {
    N_NUMBER = sizeof numbers / sizeof *numbers,
    N_PEAK = sizeof peaks / sizeof *peaks,
    MOST_BURSTS = 32,
    LEG = 2
}; /* the first numbers are of the leg */

/* A dataset of a trial: [n_lead][n_own]. */
struct values {
    struct ml_array_info info;
    double *at;
    int64_t n_lead; /* runs; 1: all runs have the same numbers */
    int64_t n_own;
};

static enum ml_status read_values(const struct gait_trial *trial, const char *name,
                                  struct values *values, struct ml_error *err)
{
    char path[64];
    *values = (struct values){.info.size = sizeof values->info};
    (void)snprintf(path, sizeof path, "inverse/%s", name);
    if (!ml_result_find(trial->result, path, &values->info))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot report a gait: the result has no cycles; give its study\n"
                       "    inverse: {cycles: {of: LOAD}}\nand compute it by `manylink inverse`",
                       trial->path);
    values->n_lead = ml_result_count(&values->info, 0, values->info.n_run_dim);
    values->n_own = ml_result_count(&values->info, values->info.n_run_dim, values->info.rank);
    const size_t n = (size_t)values->n_lead * (size_t)values->n_own;
    values->at = malloc(n * sizeof *values->at);
    return values->at ? ml_result_read(trial->result, path, NULL, NULL, values->at, n, err)
                      : ML_E_MEMORY;
}

static struct gait_spread spread_of(const double *values, int64_t n)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t i = 0; i < n; i++)
        sum += values[i];
    const double mean = sum / (double)n;
    for (int64_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return (struct gait_spread){mean, n > 1 ? sqrt(squares / (double)(n - 1)) : (double)NAN};
}

/* Joints of a leg: the segment beyond, and its name, whose first letter its bursts have. */
static const struct {
    const char *segment, *name;
} leg[] = {{"thigh", "hip"}, {"shank", "knee"}, {"foot", "ankle"}};

const char *gait_joint_name(const struct gait *gait, int joint)
{
    for (size_t k = 0; k < sizeof leg / sizeof *leg; k++)
        if (strcmp(gait->joints[joint], leg[k].segment) == 0)
            return leg[k].name;
    return gait->joints[joint];
}

/* Names a burst, "A1" of the ankle. */
static enum ml_status name_burst(const struct gait *gait, const struct gait_trial *trial, int64_t k,
                                 struct gait_row *row, struct ml_error *err)
{
    const enum ml_status status =
        ml_result_text(trial->result, "inverse/burst", k, &row->name, err);
    row->label = row->name;
    row->joint = status == ML_OK ? gait->n_joint - 1 : -1;
    while (row->joint >= 0 && *gait_joint_name(gait, row->joint) != *row->name - 'A' + 'a')
        row->joint--;
    return status;
}

static enum ml_status fail_shape(const struct gait_trial *trial, const char *name,
                                 struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s has another shape than the cycles", trial->path, name);
}

/* Adds spreads of values [n_lead][row][cycle] to those of the trial; the first trial makes the
 * rows, of which others have the units. */
static enum ml_status add_rows(struct gait *gait, struct gait_trial *trial, struct gait_row row,
                               const struct values *values, struct ml_error *err)
{
    const int64_t n = values->n_own / trial->n_cycle, first = trial->n_row;
    const bool is_burst = strcmp(row.name, "burst_work") == 0, is_first = trial == gait->trials;
    enum ml_status status = ML_OK;
    if (values->n_own % trial->n_cycle != 0 || n > MOST_BURSTS ||
        (!is_burst && n != (first < LEG ? 1 : gait->n_joint)) ||
        (values->n_lead != 1 && values->n_lead != trial->n_run))
        return fail_shape(trial, row.name, err);
    for (int64_t k = 0; k < n && status == ML_OK; k++) {
        const int at = trial->n_row++;
        row.joint = first < LEG ? -1 : (int)k;
        if (is_burst)
            status = name_burst(gait, trial, k, &row, err);
        if (is_first)
            gait->rows[gait->n_row++] = row;
        else if (at >= gait->n_row || strcmp(row.unit, gait->rows[at].unit) != 0)
            return ml_fail(err, ML_E_INPUT,
                           "%s: cannot report the trial with %s: %s is in %s, not in %s; give both "
                           "studies the same `inverse.per_mass`",
                           trial->path, gait->trials[0].path, row.name, row.unit,
                           gait->rows[at < gait->n_row ? at : 0].unit);
        for (int64_t run = 0; run < trial->n_run; run++)
            trial->spreads[at * trial->n_run + run] = spread_of(
                values->at + (values->n_lead > 1 ? run : 0) * values->n_own + k * trial->n_cycle,
                trial->n_cycle);
    }
    return status;
}

/* A peak of a curve, as they are listed above. */
static double find_peak(const double *curve, int kind)
{
    const double sign = kind < N_PEAK / 2 ? 1.0 : -1.0;
    int most = 0;
    for (int p = 1; p < GAIT_POINTS; p++)
        most = sign * curve[p] > sign * curve[most] ? p : most;
    return kind % 2 == 0 ? curve[most] : most;
}

/* Peaks of the angles [n_lead][joint][cycle][percent]. */
static enum ml_status add_peaks(struct gait *gait, struct gait_trial *trial, struct ml_error *err)
{
    struct values angle;
    enum ml_status status = read_values(trial, "cycle_angle", &angle, err);
    struct values found = {.n_lead = angle.n_lead, .n_own = angle.n_own / GAIT_POINTS};
    found.at = malloc((size_t)(angle.n_lead * found.n_own) * sizeof *found.at);
    if (status == ML_OK && !found.at)
        status = ML_E_MEMORY;
    for (int kind = 0; status == ML_OK && kind < N_PEAK; kind++) {
        for (int64_t i = 0; i < found.n_lead * found.n_own; i++)
            found.at[i] = find_peak(angle.at + i * GAIT_POINTS, kind);
        status = add_rows(gait, trial, peaks[kind], &found, err);
    }
    free(found.at);
    free(angle.at);
    return status;
}

/* The mean and deviation over the cycles that the file has of a curve. */
static enum ml_status read_curve(struct gait *gait, const struct gait_trial *trial,
                                 enum gait_curve curve, struct ml_error *err)
{
    char name[32];
    enum ml_status status = ML_OK;
    const int first = gait_curve_at(gait, curve, 0, 0), n = gait->n_joint * GAIT_POINTS;
    for (int part = 0; part < 2 && status == ML_OK; part++) {
        struct values values;
        (void)snprintf(name, sizeof name, "cycle_%s_%s", gait_curve_names[curve],
                       part == 0 ? "mean" : "sd");
        status = read_values(trial, name, &values, err);
        if (status == ML_OK &&
            (values.n_own != n || (values.n_lead != 1 && values.n_lead != trial->n_run)))
            status = fail_shape(trial, name, err);
        gait->units[curve] = gait->units[curve] ? gait->units[curve] : values.info.unit;
        for (int64_t i = 0; status == ML_OK && i < n * trial->n_run; i++) {
            const int64_t row = first + i / trial->n_run, run = i % trial->n_run;
            struct gait_spread *to = &trial->spreads[row * trial->n_run + run];
            *(part == 0 ? &to->mean : &to->sd) =
                values.at[(values.n_lead > 1 ? run * n : 0) + i / trial->n_run];
        }
        free(values.at);
    }
    return status;
}

/* The joints of the first trial, which others have too. */
static enum ml_status read_joints(struct gait *gait, const struct gait_trial *trial,
                                  struct ml_error *err)
{
    const bool is_first = trial == gait->trials;
    struct ml_array_info info = {.size = sizeof info};
    const char *name = "";
    enum ml_status status = ML_OK;
    const bool is_found = ml_result_find(trial->result, "inverse/joint", &info) && info.rank == 1;
    const int n = is_found ? (int)info.shape[0] : 0;
    if (is_first && !(gait->joints = calloc((size_t)n + 1, sizeof *gait->joints)))
        return ML_E_MEMORY;
    gait->n_joint = is_first ? n : gait->n_joint;
    for (int j = 0; j < n && status == ML_OK; j++) {
        status = ml_result_text(trial->result, "inverse/joint", j, &name, err);
        if (is_first)
            gait->joints[j] = name;
        else if (status == ML_OK && (n != gait->n_joint || strcmp(name, gait->joints[j]) != 0))
            return ml_fail(err, ML_E_INPUT,
                           "%s: cannot report the trial with %s: joint %d of %d is `%s`, not `%s` "
                           "of %d; give both studies the same segments",
                           trial->path, gait->trials[0].path, j + 1, n, name,
                           j < gait->n_joint ? gait->joints[j] : "", gait->n_joint);
    }
    return status;
}

enum ml_status gait_read_trial(struct gait *gait, struct gait_trial *trial, struct ml_error *err)
{
    struct values values;
    enum ml_status status = read_values(trial, "cycle_torque_mean", &values, err);
    trial->n_run = values.n_lead;
    free(values.at);
    if (status == ML_OK)
        status = read_joints(gait, trial, err);
    if (status == ML_OK)
        status = gait_check_body(gait, trial, err);
    const int n_most = (N_NUMBER + N_PEAK) * gait->n_joint + MOST_BURSTS;
    const int n_all = n_most + N_GAIT_CURVE * gait->n_joint * GAIT_POINTS;
    trial->spreads = malloc((size_t)n_all * (size_t)trial->n_run * sizeof *trial->spreads);
    if (status == ML_OK && trial == gait->trials)
        gait->rows = malloc((size_t)n_most * sizeof *gait->rows);
    if (status == ML_OK && !(trial->spreads && gait->rows))
        status = ML_E_MEMORY;
    for (int k = 0; k < N_NUMBER && status == ML_OK; k++) {
        struct gait_row row = numbers[k];
        struct ml_array_info info = {.size = sizeof info};
        if (row.joint < 0 && !ml_result_find(trial->result, "inverse/burst", &info))
            continue; /* of other segments than those of a leg */
        status = read_values(trial, row.name, &values, err);
        trial->n_cycle = k == 0 ? values.n_own : trial->n_cycle;
        row.unit = values.info.unit;
        if (status == ML_OK && trial->n_cycle < 1)
            status = fail_shape(trial, row.name, err);
        if (k == LEG && status == ML_OK)
            status = add_peaks(gait, trial, err);
        if (status == ML_OK)
            status = add_rows(gait, trial, row, &values, err);
        free(values.at);
    }
    gait->n_all = gait_curve_at(gait, N_GAIT_CURVE, 0, 0);
    for (int c = 0; c < N_GAIT_CURVE && status == ML_OK; c++)
        status = read_curve(gait, trial, (enum gait_curve)c, err);
    return status;
}
