/* Keeps means of a run's first indicator in the cells of a small map, and prints them in colours.
 */
#include "tools/watch/watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/text.h"

enum { MOST_KEYS = 64, HUES = 10, GREY = 244, FRAME = 4 /* lines that are no cells */, TEXT = 400 };

/* From dark to light, of the 256 colours of terminals. */
static const int watch_hues[HUES] = {54, 60, 24, 30, 36, 35, 71, 113, 149, 226};

/* The first key that an axis moves; false: none. */
static bool watch_find_key(const struct ml_study *study, int axis, struct ml_study_key *key)
{
    for (int i = 0; ml_study_key(study, i, key); i++)
        if (key->axis == axis)
            return true;
    return false;
}

static struct watch_side watch_axis(const struct ml_study *study, int i, int64_t stride, int most)
{
    struct ml_study_axis axis = {.size = sizeof axis};
    struct ml_study_key key = {.size = sizeof key};
    (void)ml_study_axis(study, i, &axis);
    struct watch_side side = {
        .name = axis.name, .key = -1, .stride = stride, .count = axis.count, .high = 1.0};
    if (watch_find_key(study, i, &key)) {
        side.low = key.low;
        side.high = key.high;
    }
    side.n = axis.count < most ? (int)axis.count : most;
    return side;
}

/* The last two axes that have more than one value. */
static void watch_choose_axes(struct watch *watch, const int most[2])
{
    struct ml_study_axis axis = {.size = sizeof axis};
    struct watch_side *const sides[] = {&watch->across, &watch->up};
    int n_axis = 0, n = 0;
    int64_t stride = 1;
    while (ml_study_axis(watch->study, n_axis, &axis))
        n_axis++;
    for (int i = n_axis - 1; i >= 0 && n < 2; i--) {
        (void)ml_study_axis(watch->study, i, &axis);
        if (axis.count > 1) {
            *sides[n] = watch_axis(watch->study, i, stride, most[n]);
            n++;
        }
        stride *= axis.count;
    }
}

/* The first two keys of a sample. */
static void watch_choose_keys(struct watch *watch, const int most[2])
{
    struct ml_study_key key = {.size = sizeof key};
    struct watch_side *const sides[] = {&watch->across, &watch->up};
    int n = 0;
    while (ml_study_key(watch->study, n, &key))
        n++;
    for (int i = 0; i < 2 && i < n && n <= MOST_KEYS; i++) {
        (void)ml_study_key(watch->study, i, &key);
        *sides[i] = (struct watch_side){.n = most[i],
                                        .name = key.path,
                                        .key = i,
                                        .low = key.low,
                                        .high = key.high,
                                        .is_log = key.is_log};
    }
}

/* Chooses the number that is drawn: the last of an output with one for every segment, else the
 * first. */
static void watch_choose_output(struct watch *watch)
{
    struct ml_array_info info = {.size = sizeof info};
    watch->output = ml_study_shown(watch->study);
    if (watch->output < 0 || !ml_study_output(watch->study, watch->output, &info)) {
        watch->output = -1;
        return;
    }
    watch->width = 1;
    for (int k = 0; k < info.rank; k++)
        watch->width *= info.shape[k];
    const bool is_named = info.rank == 1 && ml_study_segment(watch->study, 0);
    watch->component = is_named ? watch->width - 1 : 0;
}

void watch_begin(struct watch *watch, const struct ml_study *study, int columns, int rows)
{
    const int most[] = {
        columns - 1 < WATCH_MOST_ACROSS ? columns - 1 : WATCH_MOST_ACROSS,
        rows - FRAME < WATCH_MOST_UP ? rows - FRAME : WATCH_MOST_UP,
    };
    *watch = (struct watch){
        .study = study, .columns = columns, .across.n = 1, .up.n = 1, .up.high = 1.0};
    watch_choose_output(watch);
    if (most[0] < 1 || most[1] < 1)
        watch->output = -1;
    else if (ml_study_sampling(study) == ML_STUDY_GRID)
        watch_choose_axes(watch, most);
    else
        watch_choose_keys(watch, most);
    if (!watch->across.name)
        watch->output = -1;
}

/* Where a value lies between two ends, 0 at the lower. */
static double watch_part(double low, double high, bool is_log, double value)
{
    return is_log ? log(value / low) / log(high / low) : (value - low) / (high - low);
}

/* The cell of a run along a side. */
static int watch_cell(const struct watch_side *side, int64_t run, const double *values)
{
    double part = 0.0;
    if (!side->name)
        return 0;
    if (side->key < 0)
        part = ((double)(run / side->stride % side->count) + 0.5) / (double)side->count;
    else
        part = watch_part(side->low, side->high, side->is_log, values[side->key]);
    if (side->key < 0 && side->low > side->high)
        part = 1.0 - part;
    const int cell = part > 0.0 ? (int)(part * side->n) : 0;
    return cell < side->n ? cell : side->n - 1;
}

void watch_add(struct watch *watch, const struct ml_run_block *block)
{
    double values[MOST_KEYS] = {0.0};
    if (watch->output < 0)
        return;
    for (int64_t i = 0; i < block->n_run; i++) {
        const int64_t run = block->first + i;
        const double value = block->outputs[watch->output][i * watch->width + watch->component];
        if (watch->across.key >= 0)
            ml_study_run_values(watch->study, run, values);
        const int x = watch_cell(&watch->across, run, values);
        const int y = watch_cell(&watch->up, run, values);
        if (isfinite(value)) {
            watch->sum[y][x] += value;
            watch->count[y][x]++;
        } else {
            watch->missing[y][x]++;
        }
    }
}

/* Means are coloured from low to high, their logarithms if they span more than three decades. */
struct watch_scale {
    double low, high;
    bool is_log;
};

static struct watch_scale watch_scale_of(const struct watch *watch)
{
    const double many = 1000.0;
    struct watch_scale scale = {(double)INFINITY, -(double)INFINITY, false};
    for (int y = 0; y < watch->up.n; y++)
        for (int x = 0; x < watch->across.n; x++)
            if (watch->count[y][x] > 0) {
                const double mean = watch->sum[y][x] / (double)watch->count[y][x];
                scale.low = fmin(scale.low, mean);
                scale.high = fmax(scale.high, mean);
            }
    scale.is_log = scale.low > 0.0 && scale.high > many * scale.low;
    return scale;
}

static int watch_hue(const struct watch_scale *scale, double mean)
{
    const double part = watch_part(scale->low, scale->high, scale->is_log, mean);
    const int i = part > 0.0 ? (int)(part * HUES) : 0; /* of one value only it is NaN */
    return watch_hues[i < HUES ? i : HUES - 1];
}

static void watch_print_row(const struct watch *watch, const struct watch_scale *scale, int y,
                            FILE *to)
{
    int hue = -1; /* of the cells so far; -1: blank */
    for (int x = 0; x < watch->across.n; x++) {
        const int64_t n = watch->count[y][x];
        const int next = n > 0                      ? watch_hue(scale, watch->sum[y][x] / (double)n)
                         : watch->missing[y][x] > 0 ? GREY
                                                    : -1;
        if (next != hue && next < 0)
            (void)fputs("\033[0m", to);
        else if (next != hue)
            (void)fprintf(to, "\033[48;5;%dm", next);
        (void)fputc(' ', to);
        hue = next;
    }
    (void)fputs("\033[0m\033[K\n", to);
}

static void watch_print_heading(const struct watch *watch, FILE *to)
{
    struct ml_array_info info = {.size = sizeof info};
    (void)ml_study_output(watch->study, watch->output, &info);
    const char *segment =
        watch->component > 0 ? ml_study_segment(watch->study, (int)watch->component) : NULL;
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%s%s%s (%s): %s%s%s", info.name, segment ? "." : "",
                   segment ? segment : "", info.unit, watch->across.name,
                   watch->up.name ? " across, up " : " across",
                   watch->up.name ? watch->up.name : "");
    /* A longer heading would take two lines. */
    char *shown = ml_text_escape(strndup(text, (size_t)watch->columns - 1));
    (void)fprintf(to, "%s\033[K\n", shown ? shown : "");
    free(shown);
}

int watch_print(const struct watch *watch, FILE *to)
{
    const struct watch_scale scale = watch_scale_of(watch);
    if (watch->output < 0)
        return 0;
    watch_print_heading(watch, to);
    for (int y = watch->up.n - 1; y >= 0; y--)
        watch_print_row(watch, &scale, y, to);
    if (scale.low <= scale.high) {
        (void)fprintf(to, "%.4g ", scale.low);
        for (int i = 0; i < HUES; i++)
            (void)fprintf(to, "\033[48;5;%dm ", watch_hues[i]);
        (void)fprintf(to, "\033[0m %.4g%s", scale.high, scale.is_log ? ", logarithmic" : "");
    }
    (void)fputs("\033[K\n", to);
    return watch->up.n + 2;
}
