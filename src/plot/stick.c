/* Stick figure of a chain in motion: the base at the origin, then the distal end of every segment.
 */
#include <math.h>
#include <string.h>

#include "plot/figure.h"

enum { SNAPSHOTS = 40, FRAMES = 120 };

static const double margin = 0.05; /* around the figure, of its size */

/* end_position[segment][coordinate][time] of one run. */
struct stick_motion {
    struct ml_plot_view view;
    struct ml_plot_slice slice; /* rows: segment, then coordinate; columns: time */
    unsigned long long n_segment;
    unsigned long long first, n; /* of the times, that are drawn */
    unsigned long long n_frame;  /* snapshots that are drawn */
    double frame_time[FRAMES];   /* [n_frame] s */
    const char *sticks, *path;   /* data: all of a snapshot's points, and those of the tip */
};

struct point {
    double x, y;
};

static struct point joint(const struct stick_motion *motion, unsigned long long segment,
                          unsigned long long at)
{
    const double *row = motion->slice.values + 2 * segment * motion->slice.n_column + at;
    return (struct point){row[0], row[motion->slice.n_column]};
}

static bool stick_is_there(const struct stick_motion *motion, unsigned long long at)
{
    bool is = true;
    for (unsigned long long row = 0; row < motion->slice.n_row; row++)
        is = is && isfinite(motion->slice.values[row * motion->slice.n_column + at]);
    return is;
}

/* x, y, time of the base and all ends, for each snapshot; of the data `frame` is drawn, which is a
 * variable of the script. */
static const char *write_sticks(const struct ml_plot_script *script, struct stick_motion *motion)
{
    const unsigned long long most = script->picture->is_animated ? FRAMES : SNAPSHOTS;
    unsigned long long count = motion->n < most ? motion->n : most;
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < count; i++) {
        unsigned long long at = motion->first + (count > 1 ? i * (motion->n - 1) / (count - 1) : 0);
        double time = motion->view.x_scale.values[at];
        if (!stick_is_there(motion, at))
            continue;
        for (unsigned long long k = 0; k <= motion->n_segment; k++) {
            struct point end = k > 0 ? joint(motion, k - 1, at) : (struct point){0.0, 0.0};
            ml_plot_write(&table, end.x);
            ml_plot_write(&table, end.y);
            ml_plot_write(&table, time);
        }
        motion->frame_time[motion->n_frame++] = time;
    }
    const unsigned long long n = motion->n_segment + 1;
    return ml_plot_format(script->source,
                          "data binary skip=(%ld + (frame - 1) * %llu) record=%llu "
                          "format='%%3double'",
                          table.skip, n * 3 * sizeof(double), n);
}

/* Where the last end was at all times. */
static const char *stick_write_path(const struct ml_plot_script *script,
                                    const struct stick_motion *motion)
{
    struct ml_plot_table table = ml_plot_begin_table(script, 3);
    for (unsigned long long i = 0; i < motion->n; i++) {
        struct point tip = joint(motion, motion->n_segment - 1, motion->first + i);
        ml_plot_write(&table, tip.x);
        ml_plot_write(&table, tip.y);
        ml_plot_write(&table, motion->view.x_scale.values[motion->first + i]);
    }
    return ml_plot_end_table(&table);
}

/* Few tics where the figure is narrow: gnuplot's own would overlap. */
static void set_tics(const struct ml_plot_script *script, char letter, double size, double other)
{
    const double narrow = 0.5, wanted = 2.0;
    if (size > narrow * other || !(size > 0.0))
        return;
    double unit = pow(10.0, floor(log10(size / wanted))), count = size / wanted / unit;
    (void)fprintf(script->file, "set %ctics %.17g\n", letter,
                  unit * (count < 2.0   ? 1.0
                          : count < 5.0 ? 2.0
                                        : 5.0));
}

/* All that is drawn lies in it, and a margin. */
static void set_box(const struct ml_plot_script *script, const struct stick_motion *motion)
{
    struct point low = {0.0, 0.0}, high = {0.0, 0.0};
    for (unsigned long long k = 0; k < motion->n_segment; k++)
        for (unsigned long long i = 0; i < motion->n; i++) {
            struct point end = joint(motion, k, motion->first + i); /* fmin passes over NaN */
            low = (struct point){fmin(low.x, end.x), fmin(low.y, end.y)};
            high = (struct point){fmax(high.x, end.x), fmax(high.y, end.y)};
        }
    double room = margin * fmax(high.x - low.x, high.y - low.y);
    (void)fprintf(script->file, "%sset xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n",
                  script->options->aspect == 0.0 ? "set size ratio -1\n" : "", low.x - room,
                  high.x + room, low.y - room, high.y + room);
    set_tics(script, 'x', high.x - low.x + 2.0 * room, high.y - low.y + 2.0 * room);
    set_tics(script, 'y', high.y - low.y + 2.0 * room, high.x - low.x + 2.0 * room);
}

static void set_part(struct stick_motion *motion)
{
    const struct ml_plot_view *view = &motion->view;
    const double *times = view->x_scale.values, *part = view->request->part;
    for (unsigned long long i = 0; i < view->x_scale.n; i++)
        if (times[i] >= part[0] && times[i] <= part[1] && motion->n++ == 0)
            motion->first = i;
}

static void find_motion(struct ml_plot_source *source, const struct ml_plot_options *request,
                        struct ml_plot_dataset *dataset, struct stick_motion *motion)
{
    if (request->x || request->y)
        ml_plot_refuse(source, "a stick figure has axes of its own: no x and y");
    if (!ml_plot_find_in(source, "trajectories", "end_position", dataset))
        ml_plot_refuse(source,
                       "a stick figure needs end_position in the trajectories, which was not "
                       "saved; give the study\n"
                       "    save: {trajectory: {every: 20, quantities: [end_position]}}");
    if (source->status != ML_OK)
        return;
    if (dataset->rank != 4 || dataset->size[2] != 2)
        ml_plot_fail(source, ML_E_FILE, "%s: /study/%s must be [runs x segments x 2 x times]",
                     source->path, dataset->path);
    ml_plot_choose(source, dataset, request, &motion->view);
    if (source->status == ML_OK && motion->view.x != 3)
        ml_plot_refuse(source, "a stick figure needs end_position at more than one time");
    for (int k = 1; k < dataset->rank && source->status == ML_OK; k++)
        if (motion->view.is_fixed[k] && dataset->size[k] > 1)
            ml_plot_refuse(source, "a stick figure shows all of %s", dataset->scales[k].name);
    if (source->status == ML_OK)
        ml_plot_read(source, &motion->view, &motion->slice);
    motion->n_segment = motion->slice.n_row / 2;
    set_part(motion);
}

/* From light to dark, in one picture. */
static void plot_snapshots(const struct ml_plot_script *script, const struct stick_motion *motion,
                           struct ml_plot_range range)
{
    ml_plot_set_fading_palette(script);
    ml_plot_leave_room_for_bar(script);
    ml_plot_set_range(script, "cb", motion->view.x_scale.label, range);
    (void)fprintf(script->file,
                  "plot %s using 1:2 with lines linewidth 0.7 linecolor rgb '#d55e00' notitle, \\\n"
                  "    for [frame = 1:%llu] %s using 1:2:3 with linespoints pointtype 7 "
                  "pointsize 0.4 linewidth 1.4 linecolor palette notitle\n",
                  motion->path, motion->n_frame, motion->sticks);
}

/* One after the other, with the path of the tip so far and the time. */
static void plot_frames(const struct ml_plot_script *script, const struct stick_motion *motion)
{
    (void)fputs("times = '", script->file);
    for (unsigned long long i = 0; i < motion->n_frame; i++)
        (void)fprintf(script->file, "%s%.9g",
                      i == 0       ? ""
                      : i % 8 == 0 ? " \\\n"
                                   : " ",
                      motion->frame_time[i]);
    (void)fprintf(script->file,
                  "'\n"
                  "do for [frame = 1:words(times)] {\n"
                  "    now = word(times, frame) + 0\n"
                  "    set label 1 sprintf('t = %%.2f s', now) at graph 0.03, graph 0.95\n"
                  "    plot %s using ($3 <= now ? $1 : NaN):2 with "
                  "lines linewidth 1 linecolor rgb '#d55e00' notitle, \\\n"
                  "        %s using 1:2 with linespoints "
                  "pointtype 7 pointsize 0.8 linewidth 3 linecolor rgb '#0b2545' notitle\n"
                  "}\n",
                  motion->path, motion->sticks);
}

void ml_plot_stick(const struct ml_plot_script *script, const struct ml_plot_options *request)
{
    struct ml_plot_source *source = script->source;
    struct ml_plot_dataset dataset;
    struct stick_motion found = {.n = 0}, *motion = &found;
    find_motion(source, request, &dataset, motion);
    if (source->status != ML_OK)
        return;
    motion->sticks = write_sticks(script, motion);
    motion->path = stick_write_path(script, motion);
    const struct ml_plot_scale *time = &motion->view.x_scale;
    struct ml_plot_range range = {.low = time->values[motion->first],
                                  .high = time->values[motion->first + motion->n - 1]};
    ml_plot_begin_script(script, ml_plot_run_subtitle(source, &motion->view));
    set_box(script, motion);
    ml_plot_set_label(script, "x", "x (m)");
    ml_plot_set_label(script, "y", "y (m)");
    if (script->picture->is_animated)
        plot_frames(script, motion);
    else
        plot_snapshots(script, motion, range);
}
