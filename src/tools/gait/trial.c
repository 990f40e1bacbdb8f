/* Reads one trial: the spread of each number over its cycles. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "tools/gait/gait.h"

const char *const gait_curve_names[] = {"angle", "torque", "power"};

enum { N_PEAK = 4 }; /* of an angle: largest, its instant, smallest, its instant */

/* The numbers that each cycle has, in the order of the rows: one of the leg, or one of each joint.
 * Peaks of the angle are found in its curves, the others are datasets. */
static const struct {
    const char *name, *label;
    bool is_of_joint, is_of_angle, has_index;
} numbers[] = {{"cycle_duration", "cycle time", .has_index = true},
               {"toe_off", "stance", .has_index = true},
               {"cycle_max_angle", "largest angle", true, true},
               {"cycle_max_angle_at", "at", true, true},
               {"cycle_min_angle", "smallest angle", true, true},
               {"cycle_min_angle_at", "at", true, true},
               {"cycle_max_torque", "largest moment", true, .has_index = true},
               {"cycle_max_torque_at", "at", true},
               {"cycle_min_torque", "smallest moment", true, .has_index = true},
               {"cycle_min_torque_at", "at", true},
               {"cycle_positive_work", "positive work", true, .has_index = true},
               {"cycle_negative_work", "negative work", true, .has_index = true}};
enum { N_NUMBER = sizeof numbers / sizeof *numbers, FIRST_PEAK = 2 };

/* A dataset of a trial: [n_lead][n_own]. */
struct values {
    double *at;
    int64_t n_lead; /* runs; 1: all runs have the same numbers */
    int64_t n_own;
};

static enum ml_status fail_without_cycles(const struct gait_trial *trial, struct ml_error *err)
{
    return ml_fail(err, ML_E_INPUT,
                   "%s: cannot report a gait: the result has no cycles; give its study\n"
                   "    inverse: {cycles: {of: LOAD}}\nand compute it by `manylink inverse`",
                   trial->path);
}

/* Reads a dataset that has n_own numbers for a run. */
static enum ml_status read_values(const struct gait_trial *trial, const char *name, int64_t n_own,
                                  struct values *values, struct ml_error *err)
{
    char path[64];
    struct ml_array_info info = {.size = sizeof info};
    *values = (struct values){.n_own = n_own};
    (void)snprintf(path, sizeof path, "inverse/%s", name);
    if (!ml_result_find(trial->result, path, &info))
        return fail_without_cycles(trial, err);
    values->n_lead = ml_result_count(&info, 0, info.n_run_dim);
    if (ml_result_count(&info, info.n_run_dim, info.rank) != n_own ||
        (values->n_lead != 1 && values->n_lead != trial->n_run))
        return ml_fail(err, ML_E_FILE, "%s: dataset %s has another shape than the cycles",
                       trial->path, path);
    const size_t n = (size_t)values->n_lead * (size_t)n_own;
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

/* Spreads of values [n_lead][row][cycle], into rows from `first` on. */
static void spread_rows(const struct gait_trial *trial, const struct values *values, int first)
{
    const int64_t n = trial->n_cycle;
    for (int64_t k = 0; k < values->n_own / n; k++)
        for (int64_t run = 0; run < trial->n_run; run++) {
            const int64_t lead = values->n_lead > 1 ? run : 0;
            trial->spreads[(first + k) * trial->n_run + run] =
                spread_of(values->at + lead * values->n_own + k * n, n);
        }
}

static void find_peaks(const double *curve, double out[N_PEAK])
{
    int most = 0, least = 0;
    for (int p = 1; p < GAIT_POINTS; p++) {
        most = curve[p] > curve[most] ? p : most;
        least = curve[p] < curve[least] ? p : least;
    }
    out[0] = curve[most], out[1] = most;
    out[2] = curve[least], out[3] = least;
}

/* Spreads of the peaks of the angles [n_lead][joint][cycle][percent]. */
static enum ml_status read_peaks(const struct gait *gait, const struct gait_trial *trial, int first,
                                 struct ml_error *err)
{
    struct values angle, peaks = {.n_own = gait->n_joint * trial->n_cycle};
    enum ml_status status =
        read_values(trial, "cycle_angle", peaks.n_own * GAIT_POINTS, &angle, err);
    const int64_t n = angle.n_lead * peaks.n_own;
    peaks.n_lead = angle.n_lead;
    peaks.at = status == ML_OK ? malloc((size_t)n * sizeof *peaks.at) : NULL;
    if (status == ML_OK && !peaks.at)
        status = ML_E_MEMORY;
    for (int kind = 0; status == ML_OK && kind < N_PEAK; kind++) {
        double own[N_PEAK];
        for (int64_t i = 0; i < n; i++) {
            find_peaks(angle.at + i * GAIT_POINTS, own);
            peaks.at[i] = own[kind];
        }
        spread_rows(trial, &peaks, first + kind * gait->n_joint);
    }
    free(peaks.at);
    free(angle.at);
    return status;
}

/* The mean and deviation over the cycles that the file has of a curve. */
static enum ml_status read_curve(const struct gait *gait, const struct gait_trial *trial,
                                 enum gait_curve curve, struct ml_error *err)
{
    char name[32];
    enum ml_status status = ML_OK;
    const int first = gait_curve_at(gait, curve, 0, 0), n = gait->n_joint * GAIT_POINTS;
    for (int part = 0; part < 2 && status == ML_OK; part++) {
        struct values values;
        (void)snprintf(name, sizeof name, "cycle_%s_%s", gait_curve_names[curve],
                       part == 0 ? "mean" : "sd");
        status = read_values(trial, name, n, &values, err);
        for (int i = 0; status == ML_OK && i < n; i++)
            for (int64_t run = 0; run < trial->n_run; run++) {
                struct gait_spread *to = &trial->spreads[(first + i) * trial->n_run + run];
                *(part == 0 ? &to->mean : &to->sd) =
                    values.at[(values.n_lead > 1 ? run * n : 0) + i];
            }
        free(values.at);
    }
    return status;
}

/* Joints of a leg: the segment beyond, and its name, whose first letter its bursts have. */
static const struct {
    const char *segment, *name;
} leg[] = {{"thigh", "hip"}, {"shank", "knee"}, {"foot", "ankle"}};
enum { N_LEG = sizeof leg / sizeof *leg };

const char *gait_joint_name(const struct gait *gait, int joint)
{
    for (int k = 0; k < N_LEG; k++)
        if (strcmp(gait->joints[joint], leg[k].segment) == 0)
            return leg[k].name;
    return gait->joints[joint];
}

/* The joint of a burst, "A1" of the ankle; -1: none. */
static int joint_of_burst(const struct gait *gait, const char *burst)
{
    int joint = gait->n_joint - 1;
    while (joint >= 0 && *gait_joint_name(gait, joint) != *burst - 'A' + 'a')
        joint--;
    return joint;
}

static const char *unit_of(const struct gait_trial *trial, const char *name)
{
    char path[64];
    struct ml_array_info info = {.size = sizeof info};
    (void)snprintf(path, sizeof path, "inverse/%s", name);
    return ml_result_find(trial->result, path, &info) ? info.unit : "1";
}

static int64_t count_entries(const struct gait_trial *trial, const char *path)
{
    struct ml_array_info info = {.size = sizeof info};
    return ml_result_find(trial->result, path, &info) && info.rank == 1 ? info.shape[0] : 0;
}

/* Makes the rows of the report after the first trial. */
static enum ml_status define_rows(struct gait *gait, const struct gait_trial *trial,
                                  struct ml_error *err)
{
    const int64_t n_joint = count_entries(trial, "inverse/joint");
    const int64_t n_burst = count_entries(trial, "inverse/burst");
    enum ml_status status = ML_OK;
    gait->joints = calloc((size_t)n_joint + 1, sizeof *gait->joints);
    gait->rows = calloc((size_t)(N_NUMBER * (n_joint + 1) + n_burst), sizeof *gait->rows);
    if (!gait->joints || !gait->rows)
        return ML_E_MEMORY;
    for (gait->n_joint = 0; gait->n_joint < n_joint && status == ML_OK; gait->n_joint++)
        status = ml_result_text(trial->result, "inverse/joint", gait->n_joint,
                                &gait->joints[gait->n_joint], err);
    for (int k = 0; k < N_NUMBER; k++)
        for (int j = numbers[k].is_of_joint ? 0 : -1;
             j < (numbers[k].is_of_joint ? gait->n_joint : 0); j++)
            gait->rows[gait->n_row++] =
                (struct gait_row){numbers[k].name, numbers[k].label,
                                  !numbers[k].is_of_angle          ? unit_of(trial, numbers[k].name)
                                  : strstr(numbers[k].name, "_at") ? "%"
                                                                   : unit_of(trial, "cycle_angle"),
                                  j, numbers[k].has_index};
    for (int64_t b = 0; b < n_burst && status == ML_OK; b++) {
        struct gait_row row = {.unit = unit_of(trial, "burst_work"), .has_index = true};
        status = ml_result_text(trial->result, "inverse/burst", b, &row.name, err);
        row.joint = status == ML_OK ? joint_of_burst(gait, row.name) : -1;
        row.label = row.name;
        gait->rows[gait->n_row++] = row;
    }
    for (int c = 0; c < N_GAIT_CURVE; c++) {
        char name[32];
        (void)snprintf(name, sizeof name, "cycle_%s_mean", gait_curve_names[c]);
        gait->units[c] = unit_of(trial, name);
    }
    gait->n_all = gait_curve_at(gait, N_GAIT_CURVE, 0, 0);
    return status;
}

/* Refuses a trial with other joints or bursts than the first. */
static enum ml_status check_joints(const struct gait *gait, const struct gait_trial *trial,
                                   struct ml_error *err)
{
    const char *first = gait->trials[0].path, *name = "";
    if (count_entries(trial, "inverse/joint") != gait->n_joint)
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot report the trial with %s: it has %lld joints, not %d; give "
                       "results of the same chain",
                       trial->path, first, (long long)count_entries(trial, "inverse/joint"),
                       gait->n_joint);
    for (int j = 0; j < gait->n_joint; j++)
        if (ml_result_text(trial->result, "inverse/joint", j, &name, err) != ML_OK)
            return ML_E_FILE;
        else if (strcmp(name, gait->joints[j]) != 0)
            return ml_fail(err, ML_E_INPUT,
                           "%s: cannot report the trial with %s: joint %d is `%s`, not `%s`; give "
                           "both studies the same names of segments",
                           trial->path, first, j + 1, name, gait->joints[j]);
    for (int c = 0; c < N_GAIT_CURVE; c++) {
        char mean[32];
        (void)snprintf(mean, sizeof mean, "cycle_%s_mean", gait_curve_names[c]);
        if (strcmp(unit_of(trial, mean), gait->units[c]) != 0)
            return ml_fail(err, ML_E_INPUT,
                           "%s: cannot report the trial with %s: its %s is in %s, not in %s; give "
                           "both studies the same `inverse.per_mass`",
                           trial->path, first, gait_curve_names[c], unit_of(trial, mean),
                           gait->units[c]);
    }
    return ML_OK;
}

/* Reads the numbers of cycles of a dataset into n rows. */
static enum ml_status read_rows(const struct gait_trial *trial, const char *name, int first, int n,
                                struct ml_error *err)
{
    struct values values;
    const enum ml_status status = read_values(trial, name, n * trial->n_cycle, &values, err);
    if (status == ML_OK)
        spread_rows(trial, &values, first);
    free(values.at);
    return status;
}

static enum ml_status read_numbers(const struct gait *gait, const struct gait_trial *trial,
                                   struct ml_error *err)
{
    enum ml_status status = ML_OK;
    int row = 0;
    for (int k = 0; k < N_NUMBER && status == ML_OK; k++) {
        const int n = numbers[k].is_of_joint ? gait->n_joint : 1;
        if (k == FIRST_PEAK)
            status = read_peaks(gait, trial, row, err);
        else if (!numbers[k].is_of_angle)
            status = read_rows(trial, numbers[k].name, row, n, err);
        row += n;
    }
    if (status == ML_OK && row < gait->n_row)
        status = read_rows(trial, "burst_work", row, gait->n_row - row, err);
    for (int c = 0; c < N_GAIT_CURVE && status == ML_OK; c++)
        status = read_curve(gait, trial, (enum gait_curve)c, err);
    return status;
}

enum ml_status gait_read_trial(struct gait *gait, struct gait_trial *trial, struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    trial->n_cycle = count_entries(trial, "inverse/cycle");
    if (trial->n_cycle == 0 || !ml_result_find(trial->result, "inverse/cycle_torque_mean", &info))
        return fail_without_cycles(trial, err);
    trial->n_run = ml_result_count(&info, 0, info.n_run_dim);
    enum ml_status status =
        trial == gait->trials ? define_rows(gait, trial, err) : check_joints(gait, trial, err);
    if (status == ML_OK)
        status = gait_check_body(gait, trial, err);
    if (status != ML_OK)
        return status;
    trial->spreads = malloc((size_t)gait->n_all * (size_t)trial->n_run * sizeof *trial->spreads);
    return trial->spreads ? read_numbers(gait, trial, err) : ML_E_MEMORY;
}
