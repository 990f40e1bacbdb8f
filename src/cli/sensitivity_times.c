/* Reads pieces [run, component, times] of trajectories or joint torques, and prints the indices of
 * each time. */
#include "cli/sensitivity_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/messages.h"
#include "manylink/fail.h"
#include "manylink/text.h"

enum { PIECE = 1 << 24 /* numbers of a piece */ };

/* A quantity that is read piece by piece. */
struct quantity {
    const char *asked; /* the quantity, or one of its components */
    char **names;      /* [width] of the components that are asked for; NULL of others */
    const char *group; /* of its dataset: "trajectories", or "inverse" of joint torques */
    struct ml_array_info info;
    int64_t n_run, width, n_time, n_piece; /* runs, components, times, times of a piece */
    double *times;                         /* [n_time] */
    double *piece;                         /* [n_run][width][n_piece] */
    double *y;                             /* [n_run] */
};

/* The quantity of that name, or of a component of that name: "angle.upper". */
static bool is_in(const struct sample *s, const char *group, const char *name, struct quantity *q)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    bool is = ml_result_find(s->result, path, &q->info) != 0;
    for (char *dot = strrchr(path, '.'); dot && !is; dot = strrchr(path, '.')) {
        *dot = '\0';
        is = ml_result_find(s->result, path, &q->info) != 0;
    }
    return is;
}

/* Names the components that are asked for; the refusal has those that there are. */
static enum ml_status name_components(const struct sample *s, struct quantity *q)
{
    enum { MOST = 200 };
    const bool is_whole = strcmp(q->asked, ml_result_name(&q->info)) == 0;
    enum ml_status status = ML_OK;
    char there[MOST + 8] = "";
    bool is_there = false;
    for (int64_t k = 0; k < q->width && status == ML_OK; k++) {
        char *name = NULL;
        status =
            ml_result_component(s->result, &q->info, 1, q->info.rank - 1, k, '.', &name, s->err);
        const bool is_asked = name && (is_whole || strcmp(q->asked, name) == 0);
        const size_t used = strlen(there);
        if (name && used < MOST)
            (void)snprintf(there + used, MOST - used, "%s%s", k > 0 ? ", " : "", name);
        q->names[k] = is_asked ? name : NULL;
        is_there |= is_asked;
        if (!is_asked)
            free(name);
    }
    if (status != ML_OK || is_there)
        return status;
    return ml_fail(s->err, ML_E_INPUT,
                   "cannot find indices of `%s` over time: `%s` has no such component; it has: %s",
                   q->asked, q->info.name, there);
}

/* The dimension of the rows: time, the cycles, or the percents of a cycle. */
static const char *along(const struct quantity *q) { return q->info.dim[q->info.rank - 1]; }

/* The axis of the rows: times of trajectories and of a motion are both time. */
static const char *axis_of(const struct quantity *q)
{
    return strcmp(along(q), "percent") == 0 ? "cycle (%)"
           : strcmp(along(q), "cycle") == 0 ? "cycle"
                                            : "time (s)";
}

static enum ml_status find_quantity(const struct sample *s, const char *name, struct quantity *q)
{
    *q = (struct quantity){.asked = name, .info = {.size = sizeof q->info}, .n_run = s->n_run};
    q->group = "inverse";
    bool is_there = is_in(s, q->group, name, q);
    if (!is_there) {
        q->group = "trajectories";
        is_there = is_in(s, q->group, name, q);
    }
    if (!is_there || q->info.n_run_dim != 1 || q->info.rank < 2)
        return ml_fail(
            s->err, ML_E_INPUT,
            "cannot find indices of `%s` over time: the trajectories have no such "
            "quantity; save all runs: `save: {trajectory: {every: ..., quantities: [%s]}}`",
            name, name);
    if (s->n_run_dim != 1)
        return ml_fail(s->err, ML_E_INPUT,
                       "cannot find indices of `%s` over time: the sample is in a grid; make the "
                       "result of a point: `manylink extend OUT.h5 --set KEY=VALUE -o POINT.h5` "
                       "for each swept key",
                       name);
    if (q->info.shape[0] != q->n_run)
        return ml_fail(s->err, ML_E_INPUT,
                       "cannot find indices of `%s` over time: %lld of %lld runs are saved; save "
                       "all runs",
                       name, (long long)q->info.shape[0], (long long)q->n_run);
    q->width = ml_result_count(&q->info, 1, q->info.rank - 1);
    q->n_time = q->info.shape[q->info.rank - 1];
    q->n_piece = PIECE / (q->n_run * q->width) + 1;
    if (q->n_piece > q->n_time)
        q->n_piece = q->n_time;
    q->times = take((size_t)q->n_time, sizeof *q->times);
    q->piece = take((size_t)(q->n_run * q->width * q->n_piece), sizeof *q->piece);
    q->y = take((size_t)q->n_run, sizeof *q->y);
    q->names = take((size_t)q->width, sizeof *q->names);
    const enum ml_status status = name_components(s, q);
    if (status != ML_OK)
        return status;
    char path[64];
    (void)snprintf(path, sizeof path, "%s/%s", q->group, along(q));
    return ml_result_read(s->result, path, NULL, NULL, q->times, (size_t)q->n_time, s->err);
}

static void print_component(const struct sample *s, const struct quantity *q, int64_t k,
                            int64_t n_piece, int64_t at, double time,
                            struct indices_picture *picture)
{
    char number[ML_NUMBER_TEXT], before[ML_NUMBER_TEXT + 1];
    (void)snprintf(before, sizeof before, "%s,", ml_number_print(time, number));
    for (int64_t r = 0; r < q->n_run; r++)
        q->y[r] = q->piece[(r * q->width + k) * n_piece + at];
    const struct indices found = sample_indices(s, sample_points(s), q->names[k], q->y);
    indices_print_cells(&found, before);
    if (picture)
        indices_picture_add(picture, &found, "", time);
}

static enum ml_status print_quantity(const struct sample *s, const struct quantity *q,
                                     struct indices_picture *picture)
{
    int64_t start[ML_ARRAY_MAX_RANK] = {0}, count[ML_ARRAY_MAX_RANK];
    const int last = q->info.rank - 1;
    enum ml_status status = ML_OK;
    for (int d = 0; d <= last; d++)
        count[d] = q->info.shape[d];
    for (int64_t first = 0; first < q->n_time && status == ML_OK; first += q->n_piece) {
        start[last] = first;
        count[last] = q->n_time - first < q->n_piece ? q->n_time - first : q->n_piece;
        status = ml_result_read(s->result, q->info.name, start, count, q->piece,
                                (size_t)(q->n_run * q->width * count[last]), s->err);
        for (int64_t at = 0; at < count[last] && status == ML_OK; at++)
            for (int64_t k = 0; k < q->width; k++)
                if (q->names[k])
                    print_component(s, q, k, count[last], at, q->times[first + at], picture);
    }
    return status;
}

enum ml_status sensitivity_times(struct sample *s, const struct command_line *line,
                                 struct indices_picture *picture)
{
    enum ml_status status = ML_OK;
    const char *first = NULL;
    if (line->table.estimator == ML_ESTIMATOR_DERIVATIVES)
        return ml_fail(s->err, ML_E_INPUT,
                       "cannot use estimator `derivatives` over time: leave --over-time out");
    if (line->n_argument < 2 || line->table.convergence)
        return ml_fail(s->err, ML_E_INPUT,
                       line->table.convergence
                           ? "cannot show convergence over time: leave --convergence out"
                           : "cannot find indices over time: name saved quantities behind the "
                             "result; `manylink info` prints these");
    for (int i = 1; i < line->n_argument && status == ML_OK; i++) {
        struct quantity q;
        status = find_quantity(s, line->arguments[i], &q);
        const char *own = status == ML_OK ? axis_of(&q) : NULL;
        if (own && !first) {
            first = own;
            printf("%s,", along(&q));
            indices_print_head(sample_points(s));
        } else if (own && strcmp(own, first) != 0) {
            status = ml_fail(s->err, ML_E_INPUT,
                             "cannot find indices of `%s` beside those of `%s`: their rows are by "
                             "%s and by %s",
                             line->arguments[i], line->arguments[1], own, first);
        }
        if (picture && own)
            picture->x_label = own;
        if (status == ML_OK)
            status = print_quantity(s, &q, picture);
        for (int64_t k = 0; q.names && k < q.width; k++)
            free(q.names[k]);
        free(q.names);
        free(q.times);
        free(q.piece);
        free(q.y);
    }
    return status;
}
