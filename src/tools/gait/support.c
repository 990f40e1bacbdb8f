/* Times of support and of steps: the instants of a trial among those of the other leg in the same
 * motion, whose clock they share. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/fail.h"
#include "tools/gait/gait.h"

const struct gait_row gait_support_rows[GAIT_N_SUPPORT] = {
    [GAIT_CADENCE] = {"cadence", "cadence", "steps/min", -1, true},
    [GAIT_STANCE] = {"stance_time", "stance", "s", -1, true},
    [GAIT_SWING] = {"swing", "swing", "%", -1, true},
    [GAIT_SWING_TIME] = {"swing_time", "swing", "s", -1, true},
    [GAIT_STEP] = {"step_time", "step", "s", -1, true, true},
    [GAIT_FIRST] = {"first_double_support", "first double support", "%", -1, true, true},
    [GAIT_FIRST_TIME] = {"first_double_support_time", "first double support", "s", -1, true, true},
    [GAIT_SINGLE] = {"single_support", "single support", "%", -1, true, true},
    [GAIT_SINGLE_TIME] = {"single_support_time", "single support", "s", -1, true, true},
    [GAIT_SECOND] = {"second_double_support", "second double support", "%", -1, true, true},
    [GAIT_SECOND_TIME] = {"second_double_support_time", "second double support", "s", -1, true,
                          true},
};

/* Instants of a foot, s. */
struct instants {
    double *strike, *toe_off; /* [n], [n_off] */
    int64_t n, n_off;
};

/* Foot strikes and toe-offs of the cycles of a trial, the last strike too. */
static enum ml_status add_instants(struct instants *to, const struct gait_trial *trial,
                                   struct ml_error *err)
{
    struct gait_cycle *cycles;
    int64_t n;
    enum ml_status status = gait_read_cycles(trial, &cycles, &n, err);
    double *strike = NULL, *toe_off = NULL;
    if (status == ML_OK) {
        strike = realloc(to->strike, (size_t)(to->n + 2 * n) * sizeof *strike);
        to->strike = strike ? strike : to->strike;
        toe_off = realloc(to->toe_off, (size_t)(to->n_off + 2 * n) * sizeof *toe_off);
        to->toe_off = toe_off ? toe_off : to->toe_off;
        status = strike && toe_off ? ML_OK : ML_E_MEMORY;
    }
    for (int64_t c = 0; status == ML_OK && c < n; c++) {
        to->strike[to->n++] = cycles[c].start;
        to->strike[to->n++] = cycles[c].end;
        to->toe_off[to->n_off++] = cycles[c].toe_off;
        to->toe_off[to->n_off++] = cycles[c].toe_off_before; /* NaN is between no instants */
    }
    free(cycles);
    return status;
}

static const double same_instant = 1e-6; /* s: the end of a cycle is the start of the next */

/* The only instant in (from, to), s; NaN without an instant there, or if there are several. */
static double only_between(const double *at, int64_t n, double from, double to)
{
    double found = (double)NAN;
    for (int64_t i = 0; i < n; i++) {
        if (!(at[i] > from && at[i] < to))
            continue;
        if (fabs(at[i] - found) > same_instant)
            return (double)NAN;
        found = at[i];
    }
    return found;
}

/* The numbers of one cycle. In double support both feet are on the ground, which they never are in
 * a run. */
static void fill_cycle(const struct gait_cycle *c, const struct instants *other,
                       double out[GAIT_N_SUPPORT])
{
    const double part = 100.0 / (c->end - c->start), per_minute = 60.0;
    const double strike = only_between(other->strike, other->n, c->start, c->end);
    const bool is_walk = strike < c->toe_off;
    const double second = is_walk ? c->toe_off - strike : (double)NAN;
    const double toe_off =
        is_walk ? only_between(other->toe_off, other->n_off, c->start, strike) : (double)NAN;
    out[GAIT_CADENCE] = 2.0 * per_minute / (c->end - c->start);
    out[GAIT_STANCE] = c->toe_off - c->start;
    out[GAIT_SWING_TIME] = c->end - c->toe_off;
    out[GAIT_SWING] = part * out[GAIT_SWING_TIME];
    out[GAIT_STEP] = c->end - strike;
    out[GAIT_FIRST_TIME] = toe_off - c->start;
    out[GAIT_FIRST] = part * out[GAIT_FIRST_TIME];
    out[GAIT_SINGLE_TIME] = strike - toe_off;
    out[GAIT_SINGLE] = part * out[GAIT_SINGLE_TIME];
    out[GAIT_SECOND_TIME] = second;
    out[GAIT_SECOND] = part * second;
}

/* The file of a trial's motion by its full path, and the run of a result in this file: the name in
 * the study may be that of other trials, in folders of their own. Borrowed; "" of a motion that is
 * of no file. */
static const char *recording_of(const struct gait_trial *trial)
{
    struct ml_error err = {0};
    const char *text = NULL;
    (void)ml_result_text(trial->result, "provenance/options", 0, &text, &err);
    ml_error_clear(&err);
    return text ? text : "";
}

static bool are_of_one_recording(const struct gait_trial *a, const struct gait_trial *b)
{
    const char *text = recording_of(a);
    return *text && strcmp(text, recording_of(b)) == 0;
}

/* Refuses a trial with a cycle of another trial, both of one leg in one recording. */
static enum ml_status check_cycles(const struct gait_trial *trial, const struct gait_trial *other,
                                   struct ml_error *err)
{
    struct gait_cycle *own, *all;
    int64_t n, n_all = 0;
    enum ml_status status = gait_read_cycles(trial, &own, &n, err);
    all = NULL;
    if (status == ML_OK)
        status = gait_read_cycles(other, &all, &n_all, err);
    for (int64_t i = 0; i < n * n_all && status == ML_OK; i++) {
        const double start = own[i / n_all].start;
        if (fabs(start - all[i % n_all].start) < same_instant)
            status = ml_fail(err, ML_E_INPUT,
                             "%s: cannot pool the trial with %s: both have the cycle from %.6g s "
                             "of one recording, which would count twice; leave a result out, or "
                             "give its study the `motion` of another trial",
                             trial->path, other->path, start);
    }
    free(own);
    free(all);
    return status;
}

enum ml_status gait_check_recording(const struct gait *gait, const struct gait_trial *trial,
                                    struct ml_error *err)
{
    enum ml_status status = ML_OK;
    for (const struct gait_trial *other = gait->trials; other < trial && status == ML_OK; other++) {
        if (other->side == trial->side && are_of_one_recording(trial, other))
            status = check_cycles(trial, other, err);
    }
    return status;
}

enum ml_status gait_find_support(const struct gait *gait, const struct gait_trial *trial,
                                 double *out, struct ml_error *err)
{
    struct instants other = {0};
    struct gait_cycle *cycles = NULL;
    int64_t n = 0;
    enum ml_status status = ML_OK;
    for (int t = 0; t < gait->n_trial && status == ML_OK; t++) {
        if (gait->trials[t].side != trial->side && are_of_one_recording(trial, &gait->trials[t]))
            status = add_instants(&other, &gait->trials[t], err);
    }
    if (status == ML_OK)
        status = gait_read_cycles(trial, &cycles, &n, err);
    for (int64_t c = 0; c < n && status == ML_OK; c++) {
        double numbers[GAIT_N_SUPPORT];
        fill_cycle(&cycles[c], &other, numbers);
        for (int k = 0; k < GAIT_N_SUPPORT; k++)
            out[k * n + c] = numbers[k];
    }
    free(cycles);
    free(other.strike);
    free(other.toe_off);
    return status;
}
