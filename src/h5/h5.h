/* The HDF5 library, with errors that callers look at once. The only file that includes its headers.
 *
 * Errors are sticky: the first call that fails records its text in h5->err; everything after it
 * fails too and records nothing, so callers look once, at the end. A file is closed with all that
 * is open in it, so they need not close groups and datasets on the way out. */
#ifndef ML_H5_H5_H
#define ML_H5_H5_H

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdbool.h>

#include "h5/extent.h"
#include "manylink/status.h"

struct ml_h5 {
    const char *path; /* for messages; borrowed */
    struct ml_error *err;
    enum ml_status status;
    bool is_sketch; /* datasets are made, but no numbers are written to them: they are counted */
    double counted, most; /* bytes that the numbers and their index would take in the file: about,
                             and if nothing can be compressed */
    struct ml_h5_team *team; /* NULL: HDF5 filters chunks alone */
    double filtered;         /* bytes of chunks that a team has filtered */
    H5E_auto2_t report;      /* of the caller, given back at the end */
    void *report_context;
};

/* Between the two, HDF5 prints nothing and is this thread's alone, or its team's: other threads
 * wait in `begin`. `end` returns the status. */
void ml_h5_begin(struct ml_h5 *h5, const char *path, struct ml_error *err);
enum ml_status ml_h5_end(struct ml_h5 *h5);

/* Between `begin` and `end`, who keeps a file open while others compute leaves HDF5 to other
 * threads, and enters again before using it. */
void ml_h5_leave(struct ml_h5 *h5);
void ml_h5_enter(struct ml_h5 *h5);

/* Passes on what an HDF5 call returned; if negative, fails with "path: what: HDF5's reason". */
hid_t ml_h5_check(struct ml_h5 *h5, hid_t returned, const char *what);
/* Fails with "path: what". */
void ml_h5_fail(struct ml_h5 *h5, enum ml_status status, const char *what);
/* Fails as out of memory unless the memory that was asked for is there; returns whether. */
static inline bool ml_h5_need(struct ml_h5 *h5, bool is_there)
{
    if (!is_there)
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
    return is_there;
}

/* Files as every reader of HDF5 1.8 or later opens them, with checksums on the metadata, creation
 * order and no time stamps. Virtual datasets alone take HDF5 1.10. */
/* At h5->path, in place of a file that is there. */
hid_t ml_h5_create(struct ml_h5 *h5);
/* Creates a file in memory: nothing is at h5->path, which is for messages. */
hid_t ml_h5_create_in_memory(struct ml_h5 *h5);
/* Bytes of a sketch in memory: all of a file but the numbers. */
double ml_h5_sketch_bytes(struct ml_h5 *h5, hid_t file);
/* h5->path, to read; an ordinary file only. */
hid_t ml_h5_open(struct ml_h5 *h5);

/* Whether an ordinary file of HDF5 is there. */
bool ml_h5_is_hdf5(const char *path);

/* Writes HDF5's caches and closes the file; file < 0 is allowed. If the writing fails
 * the file stays open, at the price of its memory: HDF5 crashes when it closes a dataset that it
 * cannot write. */
void ml_h5_close(struct ml_h5 *h5, hid_t file);

/* Keeps the order in which groups and attributes were made, of a file or group that a list creates.
 */
void ml_h5_keep_order(hid_t group_creation);

/* Makes a group. Names of groups and datasets must be valid in HDF5 and netCDF and not yet taken in
 * the group: ML_E_INPUT with a message if not, as studies name them. */
hid_t ml_h5_group(struct ml_h5 *h5, hid_t at, const char *name, const char *nx_class);
/* Whether a new group or dataset of `at` can have the name; if not, fails with the reason. */
bool ml_h5_can_name(struct ml_h5 *h5, hid_t at, const char *name);

/* Attributes: strings are variable-length UTF-8; text NULL writes none. */
void ml_h5_text_attribute(struct ml_h5 *h5, hid_t at, const char *name, const char *text);
void ml_h5_texts_attribute(struct ml_h5 *h5, hid_t at, const char *name, int n,
                           const char *const *texts);
/* type H5T_NATIVE_*; n = 0 is a scalar */
void ml_h5_numbers_attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t type, int n,
                             const void *values);

/* Transfer property list for datasets of texts of variable length, to be closed by H5Pclose: they
 * pass through a buffer of a few hundred. HDF5 would clear two buffers of a megabyte for every
 * dataset, however short its text. Negative on failure, which the transfer then reports. */
hid_t ml_h5_text_transfer(void);

/* A scalar text dataset; NULL makes none. */
void ml_h5_text(struct ml_h5 *h5, hid_t at, const char *name, const char *text);

/* One dataset of numbers to be made: in chunks with checksums, but scalars and empty datasets. */
struct ml_h5_field {
    const char *name;
    hid_t type; /* H5T_NATIVE_*; stored little-endian */
    /* Attributes units, description, long_name; may be NULL. Viewers and xarray label by name and
     * unit, so a label is for datasets that need another. Numbers without unit have none: "1" is
     * written of an axis only that must tell. */
    const char *unit, *doc, *label;
    bool tells_one;
    struct ml_extent extent;
    bool is_whole; /* without chunks and checksums */
    bool is_compressed;
    double compressed; /* part of its bytes that compression leaves, about; 0: next to nothing */
    bool is_scale;
    const char *scales[ML_MAX_RANK]; /* per dimension, datasets of the same group; NULL: none */
    hid_t scales_at;                 /* the group that they are in; 0: the same */
    int n_flag; /* attributes flag_values of the field's type and flag_meanings, CF; 0: none */
    const void *flag_values;
    const char *flag_meanings;
    bool ends_with_missing; /* of a virtual dataset: one more entry, last along the first dimension,
                               that is NaN, or of integers -1 */
};

/* Appends a dimension of n entries with a scale of the group. */
void ml_h5_along(struct ml_h5_field *field, const char *scale, int64_t n);

hid_t ml_h5_field(struct ml_h5 *h5, hid_t at, const struct ml_h5_field *field);

/* Makes a dataset with all its numbers. type: H5T_NATIVE_* of the values in memory. */
void ml_h5_dataset(struct ml_h5 *h5, hid_t at, const struct ml_h5_field *field, hid_t type,
                   const void *values);

/* A dataset of a group by another name in a group. */
void ml_h5_link(struct ml_h5 *h5, hid_t group, const char *name, hid_t at, const char *as);

/* Makes a virtual dataset: it stores nothing, and shows part of another dataset of the file.
 *   whole  the other one, as it was made
 *   path   of it, from the root
 *   fixed  [whole->extent.rank] index that is taken of a dimension; -1: all of them. At least one
 *          dimension stays; all of them may. */
hid_t ml_h5_slice(struct ml_h5 *h5, hid_t at, const char *name, const struct ml_h5_field *whole,
                  const char *path, const int64_t *fixed);

/* Room for a dataset in one piece that somebody else fills, in no group yet; its first byte, from
 * the start of the file; then its name and all else, by a field of the same type and extent. */
hid_t ml_h5_reserve(struct ml_h5 *h5, hid_t file, hid_t type, const struct ml_extent *extent);
unsigned long long ml_h5_address(struct ml_h5 *h5, hid_t reserved);
void ml_h5_place(struct ml_h5 *h5, hid_t at, hid_t reserved, const struct ml_h5_field *field);

/* Writes HDF5's cache of a dataset and closes the dataset, or leaves it to ml_h5_close if the
 * writing fails; id < 0 is allowed. */
void ml_h5_close_dataset(struct ml_h5 *h5, hid_t id);

/* A dimension scale of texts. */
void ml_h5_text_scale(struct ml_h5 *h5, hid_t at, const char *name, const char *doc, int n,
                      const char *const *texts);

/* Elements first .. first + n - 1 in row order. type H5T_NATIVE_* of the values in memory. */
void ml_h5_write_range(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent, hid_t type,
                       unsigned long long first, unsigned long long n, const void *values);

/* Between the two, n_thread threads filter (compress, sum) the chunks of the datasets that
 * ml_h5_write_range fills, and no other function is called for the file. The bytes of the file do
 * not depend on n_thread; with 1 HDF5 filters alone. Datasets are written in row order. */
void ml_h5_team_begin(struct ml_h5 *h5, int n_thread);
void ml_h5_team_end(struct ml_h5 *h5);

/* Reading. A file may have been changed or forged, so nothing that it says of itself is trusted: an
 * object of another kind, type or shape than expected is refused with a message that names it. Only
 * h5_read.c and h5_read_text.c call HDF5's functions that read values. */

/* Fails with "path: ATTRIBUTE of OBJECT is TYPE AND SHAPE, and must be ...".
 *   attribute  NULL: it is about the dataset itself */
void ml_h5_refuse(struct ml_h5 *h5, hid_t object, const char *attribute, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether all parts of a path are there. Links to other places or files are not: no result has any,
 * and they may lead anywhere. */
bool ml_h5_has(hid_t at, const char *path);

/* -1 if not found; the second and third fail if the dataset has no value, more than can be
 * stored in it, or has them in another file. The third fails if not found. */
hid_t ml_h5_find_group(struct ml_h5 *h5, hid_t at, const char *path);
hid_t ml_h5_find_dataset(struct ml_h5 *h5, hid_t at, const char *path);
hid_t ml_h5_open_dataset(struct ml_h5 *h5, hid_t at, const char *path);

/* Shows the datasets of a group in the order of their making, of other programs' files by name. */
void ml_h5_each_dataset(struct ml_h5 *h5, hid_t group,
                        void (*visit)(void *context, hid_t group, const char *name, hid_t dataset),
                        void *context);

/* The name of the first member of a group that a reference is of, to be freed; NULL: none. The
 * reference is not followed, for HDF5 takes whatever is at its address for an object; nor is a
 * member opened. */
char *ml_h5_find_name(hid_t group, hobj_ref_t reference);

bool ml_h5_is_number(hid_t dataset);
bool ml_h5_is_text(hid_t dataset);
struct ml_extent ml_h5_extent(struct ml_h5 *h5, hid_t dataset);

/* Fails unless the dataset has this shape and numbers, integers if type is an H5T_NATIVE_* of
 * integers. */
void ml_h5_expect(struct ml_h5 *h5, hid_t dataset, hid_t type, const struct ml_extent *extent);

/* Elements first .. first + n - 1 in row order of a dataset that must have this shape. type:
 * H5T_NATIVE_* of the values in memory. */
void ml_h5_read_range(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent, hid_t type,
                      unsigned long long first, unsigned long long n, void *values);

/* `count` elements along every dimension, from `start` on, every `stride`-th (NULL: each), in row
 * order. */
void ml_h5_read_box(struct ml_h5 *h5, hid_t dataset, hid_t type, const struct ml_extent *start,
                    const struct ml_extent *stride, const struct ml_extent *count, void *values);

/* n integers. */
void ml_h5_read_attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t type, int n,
                          void *values);
/* The only text of an attribute, to be freed; NULL if there is no such attribute. */
char *ml_h5_find_text(struct ml_h5 *h5, hid_t at, const char *name);
/* All texts of an attribute, *n of them, to be freed; NULL if there is no such attribute. */
char **ml_h5_find_texts(struct ml_h5 *h5, hid_t at, const char *name, unsigned long long *n);
/* All numbers of an attribute, *n of them, to be freed; NULL if the attribute is absent or has no
 * numbers. */
double *ml_h5_find_numbers(struct ml_h5 *h5, hid_t at, const char *name, unsigned long long *n);
/* Whether `text` is among the texts of an attribute; false if there is no such attribute. */
bool ml_h5_lists(struct ml_h5 *h5, hid_t at, const char *list, const char *text);

/* The only text of a dataset, to be freed. */
char *ml_h5_read_text(struct ml_h5 *h5, hid_t at, const char *name);
/* The n texts of an open dataset, to be freed by the second; NULL on failure. */
char **ml_h5_read_texts(struct ml_h5 *h5, hid_t dataset, unsigned long long n);
void ml_h5_free_texts(unsigned long long n, char **texts);

/* Dimension scales: whether a dataset is one, and the name of the first scale of a dimension, which
 * is a dataset of the same group, to be freed; NULL if it has none. */
bool ml_h5_is_scale(struct ml_h5 *h5, hid_t dataset);
char *ml_h5_scale_name(struct ml_h5 *h5, hid_t group, hid_t dataset, int dim);

/* Minimum, median and maximum of the finite values of a dataset. */
struct ml_stats {
    bool is_known;    /* false: too many values, or none is finite */
    bool is_too_many; /* of the two it is this */
    double min, median, max;
    unsigned long long n_finite;
};

struct ml_stats ml_stats_of(struct ml_h5 *h5, hid_t dataset);

#endif
