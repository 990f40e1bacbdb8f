/* Pools the cycles of the trials of each side, run by run. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "manylink/fail.h"
#include "tools/gait/gait.h"

const char *const gait_side_names[] = {"right", "left"};

/* Mean and standard deviation of all cycles follow from those of the trials: the squares about the
 * means of the trials, and those of these means about the mean of all. */
static struct gait_number pool_run(const struct gait *gait, enum gait_side side, int row,
                                   int64_t run)
{
    double sum = 0.0, means = 0.0, squares = 0.0, between = 0.0, n_cycle = 0.0;
    int n = 0; /* trials that have the number */
    const struct gait_trial *trials =
        gait->trials + (side == GAIT_LEFT ? gait->n_side_trial[0] : 0);
    const int64_t at = row * gait->n_run + run;
    for (int t = 0; t < gait->n_side_trial[side]; t++) {
        const struct gait_spread s = trials[t].spreads[at];
        n += s.n > 0;
        n_cycle += (double)s.n;
        sum += s.n > 0 ? (double)s.n * s.mean : 0.0;
        means += s.n > 0 ? s.mean : 0.0;
    }
    const double mean = sum / n_cycle;
    for (int t = 0; t < gait->n_side_trial[side]; t++) {
        const struct gait_spread s = trials[t].spreads[at];
        const double own = (double)s.n, off = s.mean - mean;
        if (s.n == 0)
            continue;
        squares += own * off * off + (own > 1.0 ? (own - 1.0) * s.sd * s.sd : 0.0);
        between += (s.mean - means / n) * (s.mean - means / n);
    }
    return (struct gait_number){mean, n_cycle > 1.0 ? sqrt(squares / (n_cycle - 1.0)) : (double)NAN,
                                n > 1 ? sqrt(between / (n - 1)) : (double)NAN, (double)NAN};
}

/* Mean and standard deviation of numbers of runs, of those that are finite; sums are of differences
 * from the first, so that equal numbers have no deviation by rounding. */
static void over_runs(const double *values, int64_t n, double *mean, double *sd)
{
    double first = (double)NAN, sum = 0.0, squares = 0.0;
    int64_t n_finite = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            continue;
        first = n_finite++ == 0 ? values[i] : first;
        sum += values[i] - first;
    }
    *mean = first + sum / (double)n_finite;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            squares += (values[i] - *mean) * (values[i] - *mean);
    *sd = n_finite > 1 ? sqrt(squares / (double)(n_finite - 1)) : (double)NAN;
}

/* Means of one side in the runs of a row. */
static double *means_of(const struct gait *gait, enum gait_side side, int row)
{
    return gait->means + ((int64_t)side * gait->n_all + row) * gait->n_run;
}

static void pool_row(struct gait *gait, enum gait_side side, int row, double *room)
{
    const int64_t n = gait->n_run;
    double *means = means_of(gait, side, row), unused;
    struct gait_number *number = &gait->numbers[side][row];
    for (int64_t run = 0; run < n; run++) {
        const struct gait_number own = pool_run(gait, side, row, run);
        means[run] = own.mean;
        room[run] = own.sd;
        room[n + run] = own.between;
    }
    over_runs(means, n, &number->mean, &number->runs);
    over_runs(room, n, &number->sd, &unused);
    over_runs(room + n, n, &number->between, &unused);
}

static enum ml_status pool_all(struct gait *gait)
{
    const size_t n_all = (size_t)gait->n_all, n_run = (size_t)gait->n_run;
    double *room = malloc(2 * n_run * sizeof *room);
    bool has_memory = room != NULL;
    gait->means = malloc(N_GAIT_SIDE * n_all * n_run * sizeof *gait->means);
    for (int side = 0; side < N_GAIT_SIDE && has_memory; side++) {
        gait->numbers[side] =
            gait->n_side_trial[side] > 0 ? malloc(n_all * sizeof *gait->numbers[side]) : NULL;
        has_memory = gait->means && (gait->numbers[side] || gait->n_side_trial[side] == 0);
        for (int row = 0; has_memory && gait->numbers[side] && row < gait->n_all; row++)
            pool_row(gait, (enum gait_side)side, row, room);
    }
    free(room);
    return has_memory ? ML_OK : ML_E_MEMORY;
}

void gait_differ(const struct gait *gait, int row, struct gait_difference *out)
{
    const int64_t n = gait->n_run;
    double *differences = malloc((size_t)n * sizeof *differences);
    const double right = gait->numbers[GAIT_RIGHT][row].mean,
                 left = gait->numbers[GAIT_LEFT][row].mean;
    *out = (struct gait_difference){(double)NAN, (double)NAN, (double)NAN};
    for (int64_t run = 0; differences && run < n; run++)
        differences[run] =
            means_of(gait, GAIT_RIGHT, row)[run] - means_of(gait, GAIT_LEFT, row)[run];
    if (differences)
        over_runs(differences, n, &out->mean, &out->runs);
    if (row < gait->n_row && gait->rows[row].has_index && right * left > 0.0)
        out->index = 100.0 * (right - left) / (0.5 * fabs(right + left));
    free(differences);
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

enum ml_status gait_make(struct gait *gait, bool may_be_changed, struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (int t = 0; t < gait->n_trial && status == ML_OK; t++) {
        struct gait_trial *trial = &gait->trials[t];
        gait->has_sides |= trial->side != gait->trials[0].side;
        status = may_be_changed ? ml_result_open_changed(trial->path, &trial->result, err)
                                : ml_result_open(trial->path, &trial->result, err);
        for (int k = 0; k < t && status == ML_OK; k++)
            if (is_same_file(gait->trials[k].path, trial->path))
                status = ml_fail(err, ML_E_INPUT, "cannot report %s twice: leave a file out",
                                 trial->path);
    }
    for (int t = 0; t < gait->n_trial && status == ML_OK; t++) {
        struct gait_trial *trial = &gait->trials[t];
        status = gait_read_trial(gait, trial, err);
        gait->n_run = trial->n_run;
        gait->n_side_trial[trial->side]++;
        gait->n_cycle[trial->side] += trial->n_cycle;
    }
    return status == ML_OK ? pool_all(gait) : status;
}

void gait_free(struct gait *gait)
{
    for (int t = 0; t < gait->n_trial; t++) {
        free(gait->trials[t].spreads);
        ml_result_free(gait->trials[t].result);
    }
    for (int side = 0; side < N_GAIT_SIDE; side++)
        free(gait->numbers[side]);
    free(gait->means);
    free(gait->rows);
    free((void *)gait->joints);
}
