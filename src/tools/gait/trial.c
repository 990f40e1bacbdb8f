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
    {"cycle_negative_work", "negative work", .has_index = true}};
static const struct gait_row peaks[] = {{"cycle_max_angle", "largest angle", "rad"},
                                        {"cycle_max_angle_at", "at", "%"},
                                        {"cycle_min_angle", "smallest angle", "rad"},
                                        {"cycle_min_angle_at", "at", "%"}};

/* Datasets of bursts, and the ends of the names of their rows. */
static const struct {
    const char *dataset, *end;
    struct gait_row row;
} parts[] = {{"burst_work", "", {.has_index = true}},
             {"burst_power", "_power", {.has_index = true}},
             {"burst_power_at", "_power_at", {.label = "at", .may_lack = true}}};
enum {
    N_NUMBER = sizeof numbers / sizeof *numbers,
    N_PEAK = sizeof peaks / sizeof *peaks,
    N_PART = sizeof parts / sizeof *parts,
    MOST_BURSTS = 32,
    LEG = 2 /* the first numbers are of the leg */
};

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
    if (!ml_result_find(trial->result, path, &values->info) &&
        ml_result_find(trial->result, "inverse/cycle_torque_mean", &values->info))
        return ml_fail(err, ML_E_INPUT,
                       "%s: cannot report a gait: the result has cycles, but no %s; compute it "
                       "again by this version of `manylink inverse`",
                       trial->path, path);
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

/* The spread of n numbers, or of those that are no NaN. */
static struct gait_spread spread_of(const double *values, int64_t n, bool may_lack)
{
    double sum = 0.0, squares = 0.0;
    int64_t own = 0;
    for (int64_t i = 0; i < n; i++)
        if (!may_lack || !isnan(values[i])) {
            sum += values[i];
            own++;
        }
    const double mean = sum / (double)own;
    for (int64_t i = 0; i < n; i++)
        if (!may_lack || !isnan(values[i]))
            squares += (values[i] - mean) * (values[i] - mean);
    return (struct gait_spread){mean, own > 1 ? sqrt(squares / (double)(own - 1)) : (double)NAN,
                                own};
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

static enum ml_status fail_shape(const struct gait_trial *trial, const char *name,
                                 struct ml_error *err)
{
    return ml_fail(err, ML_E_FILE, "%s: %s has another shape than the cycles", trial->path, name);
}

/* Adds the spread of numbers k of values [n_lead][number][cycle] to those of the trial; the first
 * trial makes the rows, of which others have the units. */
static enum ml_status add_row(struct gait *gait, struct gait_trial *trial, struct gait_row row,
                              const struct values *values, int64_t k, struct ml_error *err)
{
    const int at = trial->n_row++;
    if (trial == gait->trials)
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
            trial->n_cycle, row.may_lack);
    return ML_OK;
}

/* Whether values are n numbers of every cycle, of each run or of all. */
static bool is_shaped(const struct gait_trial *trial, const struct values *values, int64_t n)
{
    return values->n_own == n * trial->n_cycle &&
           (values->n_lead == 1 || values->n_lead == trial->n_run);
}

/* Adds numbers of the leg, or of all joints. */
static enum ml_status add_rows(struct gait *gait, struct gait_trial *trial, struct gait_row row,
                               const struct values *values, struct ml_error *err)
{
    const bool is_of_leg = trial->n_row < LEG;
    const int n = is_of_leg ? 1 : gait->n_joint;
    enum ml_status status = is_shaped(trial, values, n) ? ML_OK : fail_shape(trial, row.name, err);
    for (int k = 0; k < n && status == ML_OK; k++) {
        row.joint = is_of_leg ? -1 : k;
        status = add_row(gait, trial, row, values, k, err);
    }
    return status;
}

enum ml_status gait_read_cycles(const struct gait_trial *trial, struct gait_cycle **out, int64_t *n,
                                struct ml_error *err)
{
    static const char *const names[] = {"cycle_start", "cycle_duration", "toe_off",
                                        "toe_off_before"};
    enum { N = sizeof names / sizeof *names };
    struct values v[N] = {{.n_own = 0}};
    enum ml_status status = ML_OK;
    for (int i = 0; i < N && status == ML_OK; i++) {
        status = read_values(trial, names[i], &v[i], err);
        if (status == ML_OK && v[i].n_own != v[0].n_own)
            status = fail_shape(trial, names[i], err);
    }
    *n = v[0].n_own;
    *out = malloc((size_t)*n * sizeof **out + 1);
    if (status == ML_OK && !*out)
        status = ML_E_MEMORY;
    for (int64_t c = 0; c < *n && status == ML_OK; c++) {
        const double start = v[0].at[c], duration = v[1].at[c], percent = v[2].at[c];
        (*out)[c] = (struct gait_cycle){start, start + duration, start + duration * percent / 100.0,
                                        v[3].at[c]};
    }
    for (int i = 0; i < N; i++)
        free(v[i].at);
    return status;
}

/* Adds times of support; those by both legs only to a report of both. */
static enum ml_status add_support(struct gait *gait, struct gait_trial *trial, struct ml_error *err)
{
    const int n = gait->has_sides ? GAIT_N_SUPPORT : GAIT_STEP;
    struct values values = {.n_lead = 1, .n_own = GAIT_N_SUPPORT * trial->n_cycle};
    values.at = malloc((size_t)values.n_own * sizeof *values.at);
    enum ml_status status =
        values.at ? gait_find_support(gait, trial, values.at, err) : ML_E_MEMORY;
    for (int k = 0; k < n && status == ML_OK; k++)
        status = add_row(gait, trial, gait_support_rows[k], &values, k, err);
    free(values.at);
    return status;
}

/* Adds work, largest power and its instant of burst k, "A1" of the ankle. */
static enum ml_status add_burst(struct gait *gait, struct gait_trial *trial,
                                const struct values values[N_PART], int64_t k, struct ml_error *err)
{
    const char *burst;
    enum ml_status status = ml_result_text(trial->result, "inverse/burst", k, &burst, err);
    for (int i = 0; i < N_PART && status == ML_OK; i++) {
        struct gait_row row = parts[i].row;
        (void)snprintf(row.name, sizeof row.name, "%s%s", burst, parts[i].end);
        row.label = row.label ? row.label : burst;
        row.unit = values[i].info.unit;
        row.joint = gait->n_joint - 1;
        while (row.joint >= 0 && *gait_joint_name(gait, row.joint) != *burst - 'A' + 'a')
            row.joint--;
        status = add_row(gait, trial, row, &values[i], k, err);
    }
    return status;
}

/* Adds the bursts, if the segments are those of a leg. */
static enum ml_status add_bursts(struct gait *gait, struct gait_trial *trial, struct ml_error *err)
{
    struct ml_array_info info = {.size = sizeof info};
    struct values values[N_PART] = {{.n_lead = 0}};
    enum ml_status status = ML_OK;
    if (!ml_result_find(trial->result, "inverse/burst", &info))
        return ML_OK;
    const int64_t n = ml_result_count(&info, 0, info.rank);
    for (int i = 0; i < N_PART && status == ML_OK; i++) {
        status = read_values(trial, parts[i].dataset, &values[i], err);
        if (status == ML_OK && (n > MOST_BURSTS || !is_shaped(trial, &values[i], n)))
            status = fail_shape(trial, parts[i].dataset, err);
    }
    for (int64_t k = 0; k < n && status == ML_OK; k++)
        status = add_burst(gait, trial, values, k, err);
    for (int i = 0; i < N_PART; i++)
        free(values[i].at);
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
            to->n = trial->n_cycle;
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
    if (status == ML_OK)
        status = gait_check_recording(gait, trial, err);
    const int n_most = GAIT_N_SUPPORT + (N_NUMBER + N_PEAK) * gait->n_joint + N_PART * MOST_BURSTS;
    const int n_all = n_most + N_GAIT_CURVE * gait->n_joint * GAIT_POINTS;
    trial->spreads = malloc((size_t)n_all * (size_t)trial->n_run * sizeof *trial->spreads);
    if (status == ML_OK && trial == gait->trials)
        gait->rows = malloc((size_t)n_most * sizeof *gait->rows);
    if (status == ML_OK && !(trial->spreads && gait->rows))
        status = ML_E_MEMORY;
    for (int k = 0; k < N_NUMBER && status == ML_OK; k++) {
        struct gait_row row = numbers[k];
        status = read_values(trial, row.name, &values, err);
        trial->n_cycle = k == 0 ? values.n_own : trial->n_cycle;
        row.unit = values.info.unit;
        if (status == ML_OK && trial->n_cycle < 1)
            status = fail_shape(trial, row.name, err);
        if (k == LEG && status == ML_OK)
            status = add_support(gait, trial, err);
        if (k == LEG && status == ML_OK)
            status = add_peaks(gait, trial, err);
        if (status == ML_OK)
            status = add_rows(gait, trial, row, &values, err);
        free(values.at);
    }
    if (status == ML_OK)
        status = add_bursts(gait, trial, err);
    gait->n_all = gait_curve_at(gait, N_GAIT_CURVE, 0, 0);
    for (int c = 0; c < N_GAIT_CURVE && status == ML_OK; c++)
        status = read_curve(gait, trial, (enum gait_curve)c, err);
    return status;
}
