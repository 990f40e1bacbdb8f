/* Copies indices as they are found, and has the library draw them. */
#include "cli/indices_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/signals.h"
#include "manylink/fail.h"

/* Kinds that are drawn: of curves those of first and total order, which are comparable; of oat the
 * changes at both ends of each input, a tornado. */
static int picture_kinds(const struct indices_picture *picture,
                         const struct ml_index_points *points)
{
    if (picture->x_label)
        return points->design == ML_INDEX_POINTS ? 1 : 2;
    return points->design == ML_INDEX_OAT || points->design == ML_INDEX_DERIVATIVES
               ? 2
               : indices_kinds(points->design);
}

/* The panel of a number: the last, or a new one; NULL without room. */
static struct picture_panel *picture_panel(struct indices_picture *picture,
                                           const struct indices *found, const char *before)
{
    char *title =
        take_text("%.*s%s%s", (int)strcspn(before, "\n"), before, *before ? " " : "", found->name);
    for (int i = 0; i < picture->n; i++)
        if (picture->x_label && strcmp(picture->panels[i].title, title) == 0) {
            free(title);
            return &picture->panels[i];
        }
    if (picture->n == MOST_PANELS) {
        picture->n_too_many++;
        free(title);
        return NULL;
    }
    struct picture_panel *panel = &picture->panels[picture->n++];
    *panel =
        (struct picture_panel){.title = title,
                               .rows = take((size_t)found->points->n_input, sizeof *panel->rows),
                               .n_kind = picture_kinds(picture, found->points),
                               .n_row = found->points->n_input};
    for (int k = 0; k < panel->n_kind; k++)
        panel->kinds[k] = ml_index_table_kinds(found->points->design)->kinds[k].word;
    return panel;
}

static double *picture_grow(double *numbers, size_t n)
{
    return need(realloc(numbers, n * sizeof *numbers + 1));
}

void indices_picture_add(struct indices_picture *picture, const struct indices *found,
                         const char *before, double x)
{
    struct picture_panel *panel =
        found->table.is_found ? picture_panel(picture, found, before) : NULL;
    if (!panel)
        return;
    const size_t n = (size_t)panel->n_kind * (size_t)panel->n_row, at = (size_t)panel->n_x;
    panel->x = picture_grow(panel->x, at + 1);
    panel->values = picture_grow(panel->values, (at + 1) * n);
    panel->halves = picture_grow(panel->halves, (at + 1) * n);
    panel->x[panel->n_x++] = x;
    for (int row = 0, i = -1; row < panel->n_row; row++) {
        i = picture->x_label ? row : indices_next(found, i);
        panel->rows[row] = found->inputs[i];
        for (int k = 0; k < panel->n_kind; k++) {
            const size_t to = at * n + (size_t)(k * panel->n_row + row);
            panel->values[to] = found->table.kinds[k][i].value;
            panel->halves[to] = found->table.kinds[k][i].half;
        }
    }
}

enum ml_status indices_picture_draw(const struct indices_picture *picture,
                                    const struct ml_index_points *points,
                                    const struct command_line *line, struct ml_error *err)
{
    struct ml_plot_estimates estimates[MOST_PANELS];
    if (picture->n == 0)
        return ml_fail(
            err, ML_E_INPUT,
            "cannot draw indices: no number has indices, as each is the same in all runs or has "
            "too few runs");
    if (picture->n_too_many > 0)
        return ml_fail(err, ML_E_INPUT,
                       "cannot draw indices of %d numbers: a picture has room for %d; name "
                       "some outputs behind the result",
                       picture->n + picture->n_too_many, (int)MOST_PANELS);
    for (int i = 0; i < picture->n; i++) {
        const struct picture_panel *panel = &picture->panels[i];
        estimates[i] = (struct ml_plot_estimates){
            .title = panel->title,
            .label = points->design == ML_INDEX_MORRIS ? "effect"
                     : points->design == ML_INDEX_OAT  ? "change"
                     : points->design == ML_INDEX_DERIVATIVES ||
                             (points->design == ML_INDEX_POINTS && !picture->x_label)
                         ? "measure"
                         : "sensitivity index",
            .rows = panel->rows,
            .kinds = panel->kinds,
            .x_label = picture->x_label,
            .x = panel->x,
            .values = panel->values,
            .halves = panel->halves,
            .n_row = panel->n_row,
            .n_kind = panel->n_kind,
            .n_x = panel->n_x};
    }
    const struct ml_plot_options options = {.size = sizeof options,
                                            .result = line->arguments[0],
                                            .output = line->output,
                                            .script = line->picture.script,
                                            .estimates = estimates,
                                            .n_estimate = picture->n,
                                            .stop = count_signals};
    return ml_plot(&options, err);
}

void indices_picture_free(struct indices_picture *picture)
{
    for (int i = 0; i < picture->n; i++) {
        free(picture->panels[i].title);
        free(picture->panels[i].rows);
        free(picture->panels[i].x);
        free(picture->panels[i].values);
        free(picture->panels[i].halves);
    }
}
