/* The rules of docs/views.md: how a dataset is drawn, from names and sizes of its dimensions. */
#ifndef ML_PLAN_VIEW_H
#define ML_PLAN_VIEW_H

#include <stdbool.h>

#include "manylink/result.h"

/* Dimensions with these names have rules of their own. */
#define ML_VIEW_RUN "run"         /* runs in no order: those of a sample, a shard, saved ones */
#define ML_VIEW_TIME "time"       /* of motions */
#define ML_VIEW_PERCENT "percent" /* of cycles */
#define ML_VIEW_EVENT "crossing"  /* the events of a run */

/* Sets style, dims, x, y and colour, linear scales and rank -1.
 *   info  name (without its group), rank, n_run_dim, shape and dim
 *   view  texts borrowed from `info`
 * False of texts and single numbers, which are no picture. */
bool ml_view_of_shape(const struct ml_array_info *info, struct ml_view *view);

/* Decides the dimensions that a wish leaves free, ML_VIEW_FREE.
 *   usual  [rank] dims of the usual view, or ML_VIEW_FREE: by the shape
 *   style  wished: curves, a map, or points with x and y along one dimension; -1: the usual one
 *   dims   [rank] in and out; no dimension is x where a single number is left */
enum { ML_VIEW_FREE = ML_VIEW_EACH - 1 };
enum ml_view_style ml_view_wish(const struct ml_array_info *info, const int64_t *usual, int style,
                                int64_t *dims);

/* The entry of dimension k that stands for all, of a dimension that is no axis of the runs. */
int64_t ml_view_entry(const struct ml_array_info *info, int k);

/* Whether axis k of [n] sizes is a family: of two values beside one of more, such as the direction
 * of a continuation. Each of its values is a curve. */
bool ml_view_is_family(int k, int n, const int64_t *sizes);

#endif
