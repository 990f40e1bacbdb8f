/* Copies pooled curves into a file of other programs, and into the panels of a picture. */
#include "cli/gait_picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/signals.h"
#include "manylink/fail.h"
#include "manylink/plot.h"
#include "tools/export/export.h"

enum { MOST_JOINTS = 4, MOST_ROWS = N_GAIT_SIDE + 1 };

/* Parts of the file: endings of the names of its columns. */
static const struct {
    const char *ending;
    size_t field; /* of struct gait_number */
} parts[] = {{"mean", offsetof(struct gait_number, mean)},
             {"sd", offsetof(struct gait_number, sd)},
             {"sd_trials", offsetof(struct gait_number, between)},
             {"sd_runs", offsetof(struct gait_number, runs)}};
enum { N_PART = sizeof parts / sizeof *parts };

const char *gait_shown_unit(const char *unit, double *size)
{
    const double degree = 0.017453292519943295; /* rad */
    const bool is_angle = strcmp(unit, "rad") == 0;
    *size = is_angle ? degree : 1.0;
    return is_angle ? "deg" : unit;
}

/* A part of all joints: "right_angle_mean", with columns "right/angle/thigh/mean". */
static struct motion_part curves_part(const struct gait *gait, int side, int curve, int p)
{
    struct motion_part part = {
        .name =
            take_text("%s_%s_%s", gait_side_names[side], gait_curve_names[curve], parts[p].ending),
        .unit = gait->units[curve],
        .n = gait->n_joint,
        .columns = take((size_t)gait->n_joint, sizeof *part.columns),
        .values = take((size_t)gait->n_joint * GAIT_POINTS, sizeof *part.values)};
    for (int j = 0; j < gait->n_joint; j++) {
        part.columns[j] = take_text("%s/%s/%s/%s", gait_side_names[side], gait_curve_names[curve],
                                    gait->joints[j], parts[p].ending);
        for (int k = 0; k < GAIT_POINTS; k++) {
            const int at = gait_curve_at(gait, (enum gait_curve)curve, j, k);
            part.values[j * GAIT_POINTS + k] =
                *(const double *)((const char *)&gait->numbers[side][at] + parts[p].field);
        }
    }
    return part;
}

static struct motion_part percent_part(void)
{
    struct motion_part part = {.name = take_text("percent"),
                               .unit = "%",
                               .n = 1,
                               .columns = take(1, sizeof *part.columns),
                               .values = take(GAIT_POINTS, sizeof *part.values)};
    part.columns[0] = take_text("percent");
    for (int k = 0; k < GAIT_POINTS; k++)
        part.values[k] = k;
    return part;
}

enum ml_status gait_write_curves(const struct gait *gait, const struct command_line *line,
                                 struct ml_error *err)
{
    struct motion_part all[1 + N_GAIT_SIDE * N_GAIT_CURVE * N_PART] = {percent_part()};
    struct motion motion = {.title = take_text("gait"),
                            .n_time = GAIT_POINTS,
                            .n_room = GAIT_POINTS,
                            .parts = all,
                            .n_part = 1};
    for (int side = 0; side < N_GAIT_SIDE; side++)
        for (int curve = 0; gait->numbers[side] && curve < N_GAIT_CURVE; curve++)
            for (int p = 0; p < N_PART; p++)
                if (p < N_PART - 1 || gait->n_run > 1)
                    all[motion.n_part++] = curves_part(gait, side, curve, p);
    const enum ml_status status = motion_write(line->gait.curves, &motion, err);
    for (int i = 0; i < motion.n_part; i++) {
        for (int k = 0; k < all[i].n; k++)
            free(all[i].columns[k]);
        free(all[i].columns);
        free(all[i].values);
        free((void *)all[i].name);
    }
    free(motion.title);
    return status;
}

/* The numbers and joints of the picture. */
struct gait_figure {
    const struct gait *gait;
    struct gait_spread *norm; /* [n_all]; NULL: none */
    int joints[MOST_JOINTS], n_joint;
    const char *rows[MOST_ROWS];
    int n_row;
    double x[GAIT_POINTS], marks[MOST_ROWS];
};

/* The joints of a leg, or the first joints of another chain. */
static void choose_joints(struct gait_figure *figure)
{
    const struct gait *gait = figure->gait;
    for (int j = 0; j < gait->n_joint && figure->n_joint < MOST_JOINTS; j++)
        if (gait_joint_name(gait, j) != gait->joints[j])
            figure->joints[figure->n_joint++] = j;
    for (int j = 0; figure->n_joint == 0 && j < gait->n_joint && j < MOST_JOINTS; j++)
        figure->joints[j] = j;
    if (figure->n_joint == 0)
        figure->n_joint = gait->n_joint < MOST_JOINTS ? gait->n_joint : MOST_JOINTS;
}

/* The curves, and the toe-offs, which are their lines. */
static void choose_rows(struct gait_figure *figure)
{
    const struct gait *gait = figure->gait;
    for (int side = 0; side < N_GAIT_SIDE; side++) {
        if (!gait->numbers[side])
            continue;
        for (int row = 0; row < gait->n_row; row++)
            if (strcmp(gait->rows[row].name, "toe_off") == 0)
                figure->marks[figure->n_row] = gait->numbers[side][row].mean;
        figure->rows[figure->n_row++] = gait_side_names[side];
    }
    if (figure->norm) {
        figure->marks[figure->n_row] = (double)NAN;
        figure->rows[figure->n_row++] = "norm";
    }
}

/* A panel: angles in degrees. */
static struct ml_plot_estimates make_panel(const struct gait_figure *figure, enum gait_curve curve,
                                           int joint)
{
    static const char *const words[] = {"angle", "moment", "power"};
    const struct gait *gait = figure->gait;
    const size_t n = (size_t)figure->n_row * GAIT_POINTS;
    double unit;
    const char *unit_name = gait_shown_unit(gait->units[curve], &unit);
    double *values = take(2 * n, sizeof *values), *halves = values + n;
    for (int k = 0; k < GAIT_POINTS; k++)
        for (int side = 0, row = 0; row < figure->n_row; side++) {
            const int at = gait_curve_at(gait, curve, joint, k);
            const bool is_norm = side == N_GAIT_SIDE;
            if (!is_norm && !gait->numbers[side])
                continue;
            const struct gait_number *number = is_norm ? NULL : &gait->numbers[side][at];
            values[k * figure->n_row + row] =
                (is_norm ? figure->norm[at].mean : number->mean) / unit;
            halves[k * figure->n_row + row] = (is_norm           ? figure->norm[at].sd
                                               : gait->n_run > 1 ? number->runs
                                                                 : number->sd) /
                                              unit;
            row++;
        }
    return (struct ml_plot_estimates){.title = gait_joint_name(gait, joint),
                                      .label = take_text("%s (%s)", words[curve], unit_name),
                                      .rows = figure->rows,
                                      .kinds = figure->rows,
                                      .x_label = "cycle (%)",
                                      .x = figure->x,
                                      .values = values,
                                      .halves = halves,
                                      .n_row = figure->n_row,
                                      .n_kind = 1,
                                      .n_x = GAIT_POINTS};
}

static enum ml_status draw_panels(const struct gait_figure *figure, const struct command_line *line,
                                  struct ml_error *err)
{
    struct ml_plot_estimates panels[N_GAIT_CURVE * MOST_JOINTS];
    const struct gait *gait = figure->gait;
    const int n = N_GAIT_CURVE * figure->n_joint;
    for (int i = 0; i < n; i++)
        panels[i] = make_panel(figure, (enum gait_curve)(i / figure->n_joint),
                               figure->joints[i % figure->n_joint]);
    char *title =
        gait->n_run > 1
            ? take_text("mean, band of a standard deviation over %lld runs; dashed: toe-off",
                        (long long)gait->n_run)
            : take_text("mean, band of a standard deviation over cycles (%lld right, %lld left); "
                        "dashed: toe-off",
                        (long long)gait->n_cycle[GAIT_RIGHT], (long long)gait->n_cycle[GAIT_LEFT]);
    const struct ml_plot_options options = {.size = sizeof options,
                                            .result = gait->trials[0].path,
                                            .may_be_changed = line->changed,
                                            .output = line->output,
                                            .script = line->picture.script,
                                            .title = title,
                                            .estimates = panels,
                                            .n_estimate = n,
                                            .n_column = figure->n_joint,
                                            .marks = figure->marks,
                                            .n_mark = figure->n_row,
                                            .stop = count_signals};
    const enum ml_status status = ml_plot(&options, err);
    for (int i = 0; i < n; i++) {
        free((void *)panels[i].label);
        free((void *)panels[i].values);
    }
    free(title);
    return status;
}

/* Largest mean of a kind of curve, over joints and the cycle: of the norm, or where `norm` is NULL
 * of a side; NaN of curves without numbers. */
static double largest_of(const struct gait *gait, int curve, const struct gait_spread *norm,
                         const struct gait_number *numbers)
{
    double most = (double)NAN;
    const int first = gait_curve_at(gait, (enum gait_curve)curve, 0, 0);
    for (int i = first; i < first + gait->n_joint * GAIT_POINTS && (norm || numbers); i++)
        most = fmax(most, fabs(norm ? norm[i].mean : numbers[i].mean)); /* fmax passes over NaN */
    return most;
}

/* Notices kinds of curves that the norm lacks, or has in another unit. */
static void note_norm(const struct gait *gait, const struct gait_spread *norm, const char *path)
{
    const double much = 10.0; /* no patient is so far from controls */
    for (int curve = 0; curve < N_GAIT_CURVE; curve++) {
        const int side = gait->numbers[GAIT_RIGHT] ? GAIT_RIGHT : GAIT_LEFT;
        const char *name = gait_curve_names[curve], *segment = gait->joints[0];
        const double own = largest_of(gait, curve, NULL, gait->numbers[side]),
                     most = largest_of(gait, curve, norm, NULL);
        char *text = NULL;
        if (isnan(most))
            text = take_text("note: %s: the norm has no curve of %s, and no band of it is drawn; "
                             "its columns are named %s/%s/mean and %s/%s/sd",
                             path, name, name, segment, name, segment);
        else if (own > 0.0 && most > 0.0 && (own > much * most || most > much * own))
            text = take_text("note: %s: the largest %s of the norm is %.3g, that of the report "
                             "%.3g %s: in another unit? name it with the column, `[deg]`, and give "
                             "`per_mass` of `inverse` if the norm is by mass",
                             path, name, most, own, gait->units[curve]);
        if (text)
            print_notice(text);
        free(text);
    }
}

enum ml_status gait_draw(const struct gait *gait, const struct command_line *line,
                         struct ml_error *err)
{
    struct gait_figure figure = {.gait = gait};
    enum ml_status status = ML_OK;
    if (line->gait.norm) {
        figure.norm = take((size_t)gait->n_all, sizeof *figure.norm);
        status = gait_read_norm(gait, line->gait.norm, figure.norm, err);
        if (status == ML_OK && !line->quiet)
            note_norm(gait, figure.norm, line->gait.norm);
    }
    for (int k = 0; k < GAIT_POINTS; k++)
        figure.x[k] = k;
    choose_joints(&figure);
    choose_rows(&figure);
    if (status == ML_OK)
        status = draw_panels(&figure, line, err);
    free(figure.norm);
    return status;
}
