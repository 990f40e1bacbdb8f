/* Results: of a file, or of a run into memory. */
#ifndef MANYLINK_RESULT_H
#define MANYLINK_RESULT_H

#include <stddef.h>
#include <stdint.h>

#include "manylink/api.h"
#include "manylink/array.h"
#include "manylink/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A finished result that is open for reading. Several threads may read several results at once, and
 * the same one too: their calls take turns, also with those that write a result or check its seal,
 * which takes seconds of large ones. */
struct ml_result;

/* Opens a result file of ml_run, ml_merge or ml_inverse. The whole file but its trajectories is
 * read once to check its seal; a trajectory is compared with its checksum when numbers of it are
 * read for the first time.
 *   out  freed with ml_result_free; NULL on failure
 * ML_E_INPUT if it is missing, or the file is no result; ML_E_FILE if it is damaged, or was changed
 * since. */
ML_API enum ml_status ml_result_open(const char *path, struct ml_result **out,
                                     struct ml_error *err);

/* Opens a result that another program may have changed since: neither the seal nor checksums of
 * trajectories are checked. */
ML_API enum ml_status ml_result_open_changed(const char *path, struct ml_result **out,
                                             struct ml_error *err);

/* The contents of a result file, or the progress of the result at `path` and its shards, in a page
 * of text.
 *   may_be_changed  not 0: also of a file that another program has changed
 *   text            to be freed by the caller with free(); NULL on failure */
ML_API enum ml_status ml_result_describe(const char *path, int may_be_changed, char **text,
                                         struct ml_error *err);
ML_API enum ml_status ml_result_status(const char *path, char **text, struct ml_error *err);

/* The status of a result as a JSON object: `sets` are its shards, a set for each number that they
 * were cut by; values that are not known are null. */
ML_API enum ml_status ml_result_status_json(const char *path, char **text, struct ml_error *err);

/* Frees it, and all that was borrowed from it. NULL is allowed. */
ML_API void ml_result_free(struct ml_result *result);

/* Dataset i, from 0 on, in the order of the file: texts of the study ("title", "definition",
 * "resolved"), then "runs/...", "summary/...", "trajectories/..." (or "inverse/...", or
 * "precision/..." of a comparison of integrators), and "accuracy/..." with its groups. Datasets for
 * viewers only are left out. `info->name` is the path by which it is read. 0 past the last. */
ML_API int ml_result_dataset(const struct ml_result *result, int i, struct ml_array_info *info);

/* The dataset of a path, such as "summary/final_energy", of those for viewers too; 0 if not found.
 */
ML_API int ml_result_find(const struct ml_result *result, const char *path,
                          struct ml_array_info *info);

/* The name of a dataset without its group, "end_angle"; and the product of the sizes of dimensions
 * first .. end - 1. */
ML_API const char *ml_result_name(const struct ml_array_info *info);
ML_API int64_t ml_result_count(const struct ml_array_info *info, int first, int end);

/* The name of component i, in row order over dimensions first .. end - 1: that of the dataset, then
 * the label of every dimension, each after the separator: "end_angle.upper". A dimension of numbers
 * has its number, one without a scale the position, from 0 on.
 *   name  to be freed by the caller with free(); NULL on failure
 * Errors as of ml_result_read and ml_result_text. */
ML_API enum ml_status ml_result_component(struct ml_result *result,
                                          const struct ml_array_info *info, int first, int end,
                                          int64_t i, char separator, char **name,
                                          struct ml_error *err);

/* How viewers draw a dataset, by the rules of docs/views.md. Views are computed when a study is
 * planned and lie in the file as attributes: h5web, silx, `manylink plot`, `report` and `info` and
 * the Python package begin with them. */
enum ml_view_style {
    ML_VIEW_CURVES,  /* over x, one for each entry of the dimensions that are ML_VIEW_EACH */
    ML_VIEW_MAP,     /* colours over x and y */
    ML_VIEW_SCATTER, /* a point for each run: its number over a swept quantity */
    ML_VIEW_EVENTS /* a point for each event of all runs: two numbers that events keep (a section),
                      or one over a swept quantity (an orbit diagram) */
};
enum ml_view_scale { ML_VIEW_LINEAR, ML_VIEW_LOG, ML_VIEW_SYMLOG };

/* Words of styles and scales in files: "curves", "linear"; NULL past the last. Static. */
ML_API const char *ml_view_style_name(int style);
ML_API const char *ml_view_scale_name(int scale);

/* How a dimension is drawn; 0 or more: only this entry is, at first. */
enum {
    ML_VIEW_X = -1,   /* x is along it; of points, all of its entries are */
    ML_VIEW_Y = -2,   /* y is along it, in a map */
    ML_VIEW_EACH = -3 /* a curve for each entry; of points, all of its entries */
};

struct ml_view {
    size_t size;         /* sizeof(struct ml_view), set before */
    const char *dataset; /* "summary/lyapunov_max", as ml_result_read takes it */
    enum ml_view_style style;
    /* The numbers along the axes, as `manylink plot` takes it: the name of a dimension, of a
     * swept quantity or of the dataset, or NAME.COMPONENT of a kept quantity of events. Colour is
     * the dataset of a map; the dimension that curves are told apart by; of events "run" or a swept
     * quantity; or "". */
    const char *x, *y, *colour;
    enum ml_view_scale x_scale, y_scale, colour_scale;
    const char *section; /* the event whose points are drawn; "" of other styles */
    int rank;            /* among the views of the result; 0: shown first; -1: it is in no file, but
                            follows from names and sizes of the dimensions alone */
    int n_dim;
    int64_t dims[ML_ARRAY_MAX_RANK]; /* [n_dim] of the dataset's dimensions */
    const char
        *signal; /* component of the dataset that is drawn first, "upper" of "end_angle.upper", or
                    the name of all components; "": the dataset has one number */
};

/* The view of a rank, from 0 on; 0 past the last. A result in memory has none. Texts are
 * borrowed from the result. */
ML_API int ml_result_view(struct ml_result *result, int rank, struct ml_view *view);

/* The first view of a dataset, or without one in the file the view that follows from its
 * dimensions, as in files of older versions; 0 if there is no such dataset, or nothing to draw:
 * texts, a single number. */
ML_API int ml_result_view_of(struct ml_result *result, const char *dataset, struct ml_view *view);

/* Reads numbers, integers converted.
 *   path    of a dataset; any of the file's, "provenance/threads" too
 *   start   [rank] first index along each dimension; NULL: all 0
 *   count   [rank] how many from there, at least 1; NULL: all that are left
 *   values  [product of count] out, in row order
 *   n       numbers that `values` has room for: exactly that product
 * ML_E_INPUT if there is no such dataset, the dataset has texts or another shape; ML_E_FILE of a
 * trajectory that is damaged.
 * ml_result_read_int64 refuses numbers that are not integers too. NaN stands for the missing
 * numbers of an unfinished run. */
ML_API enum ml_status ml_result_read(struct ml_result *result, const char *path,
                                     const int64_t *start, const int64_t *count, double *values,
                                     size_t n, struct ml_error *err);
ML_API enum ml_status ml_result_read_int64(struct ml_result *result, const char *path,
                                           const int64_t *start, const int64_t *count,
                                           int64_t *values, size_t n, struct ml_error *err);

/* Reads every stride-th number along each dimension.
 *   name    of a dataset, as of ml_result_read
 *   start   [rank] first index; NULL: all 0
 *   count   [rank] how many are taken, at least 1; NULL: all that there are from `start` on
 *   stride  [rank] from one index that is taken to the next, at least 1; NULL: all 1
 *   out     [product of count] in row order, in the unit of the dataset
 *   n       numbers that `out` has room for: exactly that product
 * Errors as of ml_result_read. A run that did not finish has numbers up to its end, or NaN. */
ML_API enum ml_status ml_result_read_slice(struct ml_result *result, const char *name,
                                           const int64_t *start, const int64_t *count,
                                           const int64_t *stride, double *out, size_t n,
                                           struct ml_error *err);

/* Reads a text of an attribute: "long_name", "flag_meanings", "outputs" (docs/result.md); or a
 * number, "distribution_sd", as text from which strtod reads the same number.
 *   path  of a dataset or a group, "summary/max_rate", "summary"; "": of the study
 *   i     0 for a single text or number
 *   out   borrowed from the result; NULL without such an attribute, past its last text, on failure
 * ML_E_INPUT if nothing has this path, ML_E_FILE if the attribute has neither. */
ML_API enum ml_status ml_result_attribute(struct ml_result *result, const char *path,
                                          const char *name, int64_t i, const char **out,
                                          struct ml_error *err);

/* Reads a single text, or one of a list: labels of segments, names of parameters.
 *   i    0 for a single text
 *   out  borrowed from the result; NULL on failure
 * ML_E_INPUT if there is no such dataset, it is of numbers, or has no text i. */
ML_API enum ml_status ml_result_text(struct ml_result *result, const char *path, int64_t i,
                                     const char **out, struct ml_error *err);

/* The error that the step leaves in a result's numbers, in words, from the runs that were computed
 * again with smaller steps ("accuracy/..."): "step error: max_rate 6e-07 rad/s, ... (median of 64
 * runs); observed order 4.0".
 *   text      borrowed from the result; "" if no run was; NULL on failure
 *   is_large  out: 1 where a median exceeds 1 %, or runs end in another way with smaller steps;
 *             may be NULL */
ML_API enum ml_status ml_result_accuracy(struct ml_result *result, const char **text, int *is_large,
                                         struct ml_error *err);

#ifdef __cplusplus
}
#endif

#endif
