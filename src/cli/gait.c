/* manylink gait: a report of the cycles of several trials and of both legs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/gait_picture.h"
#include "cli/json_output.h"
#include "cli/signals.h"
#include "tools/export/export.h"

/* The numbers of a row by side, and their difference. */
static json_t *json_row(const struct gait *gait, int row)
{
    json_t *object = json_object();
    for (int side = 0; side < N_GAIT_SIDE; side++) {
        if (!gait->numbers[side])
            continue;
        const struct gait_number *number = &gait->numbers[side][row];
        json_object_set_new(object, gait_side_names[side],
                            json_pack("{s:o, s:o, s:o, s:o}", "mean", json_number(number->mean),
                                      "sd", json_number(number->sd), "sd_trials",
                                      json_number(number->between), "sd_runs",
                                      json_number(number->runs)));
    }
    if (gait->numbers[GAIT_RIGHT] && gait->numbers[GAIT_LEFT]) {
        struct gait_difference difference;
        gait_differ(gait, row, &difference);
        json_object_set_new(object, "difference", json_number(difference.mean));
        json_object_set_new(object, "difference_sd_runs", json_number(difference.runs));
        json_object_set_new(object, "index", json_number(difference.index));
    }
    return object;
}

static int print_json(const struct gait *gait)
{
    json_t *root = json_object(), *trials = json_array(), *numbers = json_array();
    for (int t = 0; t < gait->n_trial; t++)
        json_array_append_new(trials, json_pack("{s:s, s:s, s:I}", "file", gait->trials[t].path,
                                                "side", gait_side_names[gait->trials[t].side],
                                                "cycles", (json_int_t)gait->trials[t].n_cycle));
    for (int i = 0; i < gait->n_row; i++) {
        const struct gait_row *row = &gait->rows[i];
        json_t *object = json_row(gait, i);
        json_object_set_new(object, "name", json_string(row->name));
        json_object_set_new(object, "unit", json_string(row->unit));
        json_object_set_new(object, "joint",
                            row->joint < 0 ? json_null() : json_string(gait->joints[row->joint]));
        json_array_append_new(numbers, object);
    }
    json_object_set_new(root, "runs", json_integer(gait->n_run));
    json_object_set_new(root, "trials", trials);
    json_object_set_new(root, "numbers", numbers);
    return json_print(root);
}

static void print_trials(const struct gait *gait)
{
    for (int side = 0; side < N_GAIT_SIDE; side++) {
        if (!gait->numbers[side])
            continue;
        printf("%-5s  %lld cycles:", gait_side_names[side], (long long)gait->n_cycle[side]);
        for (int t = 0, n = 0; t < gait->n_trial; t++)
            if ((int)gait->trials[t].side == side)
                say(stdout, "%s %lld of %s", n++ > 0 ? "," : "", (long long)gait->trials[t].n_cycle,
                    gait->trials[t].path);
        printf("\n");
    }
    printf("sd: over all cycles; trials: standard deviation of their means");
    if (gait->n_run > 1)
        printf("; runs: of the mean, over %lld runs", (long long)gait->n_run);
    printf("\n\n%-26s", "");
    for (int side = 0; side < N_GAIT_SIDE; side++)
        if (gait->numbers[side])
            printf(" %9s %8s %8s%s", gait_side_names[side], "sd", "trials",
                   gait->n_run > 1 ? "     runs" : "");
    if (gait->numbers[GAIT_RIGHT] && gait->numbers[GAIT_LEFT])
        printf(" %12s%s %8s", "right - left", gait->n_run > 1 ? "     runs" : "", "index %");
    printf("\n");
}

/* A number in so many letters, after a space; - stands for none. */
static void print_cell(int width, double value)
{
    if (isnan(value))
        printf(" %*s", width, "-");
    else
        printf(" %*.4g", width, value);
}

static void print_row(const struct gait *gait, int i)
{
    enum { WIDTH = 8, WIDE = 9, DIFFERENCE = 12 };
    const struct gait_row *row = &gait->rows[i];
    double unit;
    const char *unit_name = gait_shown_unit(row->unit, &unit);
    char *label = take_text("%s%s (%s)", row->joint < 0 ? "" : "  ", row->label, unit_name);
    say(stdout, "%-26s", label);
    free(label);
    for (int side = 0; side < N_GAIT_SIDE; side++) {
        if (!gait->numbers[side])
            continue;
        const struct gait_number *number = &gait->numbers[side][i];
        print_cell(WIDE, number->mean / unit);
        print_cell(WIDTH, number->sd / unit);
        print_cell(WIDTH, number->between / unit);
        if (gait->n_run > 1)
            print_cell(WIDTH, number->runs / unit);
    }
    if (gait->numbers[GAIT_RIGHT] && gait->numbers[GAIT_LEFT]) {
        struct gait_difference difference;
        gait_differ(gait, i, &difference);
        print_cell(DIFFERENCE, difference.mean / unit);
        if (gait->n_run > 1)
            print_cell(WIDTH, difference.runs / unit);
        print_cell(WIDTH, difference.index);
    }
    printf("\n");
}

static void print_table(const struct gait *gait)
{
    print_trials(gait);
    for (int joint = -1; joint < gait->n_joint; joint++) {
        if (joint >= 0)
            say(stdout, "%s\n", gait_joint_name(gait, joint));
        for (int i = 0; i < gait->n_row; i++)
            if (gait->rows[i].joint == joint)
                print_row(gait, i);
    }
}

/* Notices trials whose cycles are longer or shorter than those of the other trials of the side:
 * another speed, or a foot strike that was missed. */
static void note_durations(const struct gait *gait)
{
    const double limit = 1.15;
    for (int t = 0; t < gait->n_trial; t++) {
        const struct gait_trial *trial = &gait->trials[t];
        const double own = trial->spreads[0].mean, all = gait->numbers[trial->side][0].mean;
        if (own > limit * all || all > limit * own) {
            char *text = take_text("note: %s: its cycles take %.3g s, those of all trials %.3g s: "
                                   "another speed, or were foot strikes missed?",
                                   trial->path, own, all);
            print_notice(text);
            free(text);
        }
    }
}

/* Notices the first trial whose motion or loads are smoothed in another way than those of the
 * first. */
static void note_smoothing(const struct gait *gait)
{
    char first[GAIT_SMOOTHING], own[GAIT_SMOOTHING];
    bool is_same = true;
    gait_smoothing(&gait->trials[0], first);
    for (int t = 1; t < gait->n_trial && is_same; t++) {
        gait_smoothing(&gait->trials[t], own);
        is_same = strcmp(own, first) == 0;
        if (is_same)
            continue;
        char *text = take_text("note: %s: its numbers are smoothed by `%s`, those of %s by `%s`; "
                               "peaks of moments depend on the filter: give both studies the same "
                               "`filter` or `spline` of `inverse`, and `filter` of loads",
                               gait->trials[t].path, own, gait->trials[0].path, first);
        print_notice(text);
        free(text);
    }
}

/* Notices instants that jump from cycle to cycle, between peaks of about the same size or between 0
 * and 100 %: no cycle has its peak near their mean. */
static void note_instants(const struct gait *gait)
{
    const double limit = 15.0; /* % of the cycle */
    for (int side = 0; side < N_GAIT_SIDE; side++)
        for (int i = 1; i < gait->n_row && gait->numbers[side]; i++) {
            const struct gait_row *row = &gait->rows[i], *peak = row - 1;
            const double sd = gait->numbers[side][i].sd;
            if (strcmp(row->label, "at") != 0 || !(sd > limit))
                continue;
            while (peak->joint != row->joint)
                peak--;
            char *text = take_text(
                "note: %s leg, %s of %s: its instants differ by %.3g %% of the cycle (sd), between "
                "peaks of about the same size or between 0 and 100 %%, and no cycle has its peak "
                "at "
                "their mean; take the instant of the mean curve",
                gait_side_names[side], peak->label, gait_joint_name(gait, row->joint), sd);
            print_notice(text);
            free(text);
        }
}

/* Notices legs without a common motion. */
static void note_steps(const struct gait *gait)
{
    const struct gait_row *step = &gait_support_rows[GAIT_STEP];
    for (int i = 0; i < gait->n_row; i++)
        if (strcmp(gait->rows[i].name, step->name) == 0 &&
            isnan(gait->numbers[GAIT_RIGHT][i].mean) && isnan(gait->numbers[GAIT_LEFT][i].mean))
            print_notice("note: times of steps and of double support are missing: they need the "
                         "strikes of both legs on one clock, and no trial of the left has the "
                         "`motion` file of a right trial, with cycles at the same times");
}

static int report_gait(const struct gait *gait, const struct command_line *line)
{
    struct ml_error err = {0};
    enum ml_status status = ML_OK;
    int code = EXIT_DONE;
    if (!line->quiet) {
        note_durations(gait);
        note_smoothing(gait);
        note_instants(gait);
        note_steps(gait);
    }
    if (line->gait.curves)
        status = gait_write_curves(gait, line, &err);
    if (status == ML_OK && (line->output || line->picture.script))
        status = gait_draw(gait, line, &err);
    if (status != ML_OK)
        return fail_with(&err);
    if (line->json)
        code = print_json(gait);
    else
        print_table(gait);
    return code;
}

/* Exit code, or -1. */
static int check_options(const struct command_line *line)
{
    if (line->gait.curves && !motion_format_of(line->gait.curves))
        return fail_usage(line->command,
                          "cannot write --curves %s: the name ends in none of " MOTION_FORMATS_LIST,
                          line->gait.curves);
    if (line->gait.norm && !line->output && !line->picture.script)
        return fail_usage(line->command, "--norm is for a picture: give -o PICTURE");
    return -1;
}

int command_gait(const struct command_line *line)
{
    struct ml_error err = {0};
    const int n_right = line->n_argument, n_left = line->gait.left.n;
    int code = check_options(line);
    if (code >= 0)
        return code;
    struct gait_trial *trials = take((size_t)n_right + (size_t)n_left, sizeof *trials);
    struct gait gait = {.trials = trials, .n_trial = n_right + n_left};
    for (int t = 0; t < gait.n_trial; t++) {
        trials[t].side = t < n_right ? GAIT_RIGHT : GAIT_LEFT;
        trials[t].path = t < n_right ? line->arguments[t] : line->gait.left.words[t - n_right];
    }
    catch_signals("\nstopping\n");
    code =
        gait_make(&gait, line->changed, &err) == ML_OK ? report_gait(&gait, line) : fail_with(&err);
    gait_free(&gait);
    free(trials);
    return code;
}
