/* Reading of a file that may have been changed or forged: objects are found and numbers are read
 * here and nowhere else, and only after their kind, type and shape were checked. h5_read_text.c
 * does the same for texts, attributes and scales. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "h5/h5.h"
#include "manylink/fail.h"

enum { PATH_LENGTH = 600, WHAT_LENGTH = 400 };

/* Values per stored byte that deflate can reach, and bytes that are believed in any case. */
static const unsigned long long most_inflated = 1032, small_storage = 1 << 16;

static const char *read_class_name(H5T_class_t class)
{
    switch (class) {
    case H5T_INTEGER:
        return "integer";
    case H5T_FLOAT:
        return "float";
    case H5T_STRING:
        return "text";
    case H5T_COMPOUND:
        return "compound";
    case H5T_REFERENCE:
        return "reference";
    case H5T_ENUM:
        return "enumeration";
    case H5T_VLEN:
        return "list";
    case H5T_ARRAY:
        return "array";
    default:
        return "foreign type";
    }
}

/* "float [12 x 3]", "one text", "integer without values" */
static void read_describe(hid_t type, hid_t space, char text[WHAT_LENGTH])
{
    hsize_t size[H5S_MAX_RANK];
    const bool is_null = H5Sget_simple_extent_type(space) == H5S_NULL;
    const int rank = is_null ? -1 : H5Sget_simple_extent_dims(space, size, NULL);
    int used = snprintf(text, WHAT_LENGTH, "%s%s%s", rank == 0 ? "one " : "",
                        read_class_name(H5Tget_class(type)), is_null ? " without values" : "");
    for (int k = 0; k < rank && used < WHAT_LENGTH; k++)
        used += snprintf(text + used, WHAT_LENGTH - (size_t)used, k == 0 ? " [%llu" : " x %llu",
                         (unsigned long long)size[k]);
    if (rank > 0 && used < WHAT_LENGTH)
        (void)snprintf(text + used, WHAT_LENGTH - (size_t)used, "]");
}

void ml_h5_refuse(struct ml_h5 *h5, hid_t object, const char *attribute, const char *format, ...)
{
    char path[PATH_LENGTH] = "?", there[WHAT_LENGTH], expected[WHAT_LENGTH];
    if (h5->status != ML_OK)
        return;
    hid_t id = attribute ? H5Aopen(object, attribute, H5P_DEFAULT) : object;
    hid_t type = attribute ? H5Aget_type(id) : H5Dget_type(id);
    hid_t space = attribute ? H5Aget_space(id) : H5Dget_space(id);
    va_list args;
    va_start(args, format);
    (void)vsnprintf(expected, sizeof expected, format, args);
    va_end(args);
    (void)H5Iget_name(object, path, sizeof path);
    read_describe(type, space, there);
    h5->status =
        ml_fail(h5->err, ML_E_FILE, "%s: %s%s%s is %s, and must be %s", h5->path,
                attribute ? attribute : "", attribute ? " of " : "", path, there, expected);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    if (attribute)
        (void)H5Aclose(id);
}

bool ml_h5_has(hid_t at, const char *path)
{
    char part[PATH_LENGTH];
    H5L_info_t link;
    for (size_t end = 0; path[end];) {
        end += strspn(path + end, "/");
        end += strcspn(path + end, "/");
        if (end >= sizeof part)
            return false;
        memcpy(part, path, end);
        part[end] = '\0';
        if (H5Lexists(at, part, H5P_DEFAULT) <= 0 ||
            H5Lget_info(at, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

/* An existing object of a kind; -1 if not found. */
static hid_t h5_read_find(struct ml_h5 *h5, hid_t at, const char *path, H5I_type_t kind)
{
    if (h5->status != ML_OK || at < 0 || !ml_h5_has(at, path))
        return -1;
    hid_t id = H5Oopen(at, path, H5P_DEFAULT);
    if (id >= 0 && H5Iget_type(id) == kind)
        return id;
    (void)H5Oclose(id);
    return -1;
}

hid_t ml_h5_find_group(struct ml_h5 *h5, hid_t at, const char *path)
{
    return h5_read_find(h5, at, path, H5I_GROUP);
}

/* Whether the values are in this file: no other is opened because a result names it. */
static bool h5_read_is_inside(hid_t dataset)
{
    hid_t list = H5Dget_create_plist(dataset);
    const bool is = H5Pget_layout(list) != H5D_VIRTUAL && H5Pget_external_count(list) == 0;
    (void)H5Pclose(list);
    return is;
}

/* Whether the file can have so many bytes: no memory is taken for a shape that the file cannot
 * hold. */
static bool read_is_stored(hid_t dataset, unsigned long long bytes)
{
    const unsigned long long stored = H5Dget_storage_size(dataset);
    return bytes <= small_storage || bytes / most_inflated <= stored;
}

/* Bytes of all values; 0: no values; ULLONG_MAX: overflow. */
static unsigned long long read_bytes(hid_t type, const struct ml_extent *extent)
{
    unsigned long long bytes = H5Tget_size(type);
    for (int k = 0; k < extent->rank; k++) {
        const unsigned long long size = extent->size[k];
        if (size == 0)
            return 0;
        bytes = bytes > ULLONG_MAX / size ? ULLONG_MAX : bytes * size;
    }
    return bytes;
}

/* Refuses a dataset whose form alone no result has. */
static void read_check_form(struct ml_h5 *h5, hid_t dataset)
{
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    struct ml_extent extent = {.rank = H5Sget_simple_extent_ndims(space)};
    if (H5Sget_simple_extent_type(space) == H5S_NULL || extent.rank < 0 ||
        extent.rank > ML_MAX_RANK) {
        ml_h5_refuse(h5, dataset, NULL, "an array of values");
    } else {
        (void)H5Sget_simple_extent_dims(space, extent.size, NULL);
        const unsigned long long bytes = read_bytes(type, &extent);
        if (bytes == 0)
            ml_h5_refuse(h5, dataset, NULL, "an array with values");
        else if (!h5_read_is_inside(dataset))
            ml_h5_refuse(h5, dataset, NULL, "in the file itself, not in another one");
        else if (!read_is_stored(dataset, bytes))
            ml_h5_refuse(h5, dataset, NULL, "no larger than what %llu stored bytes can hold",
                         (unsigned long long)H5Dget_storage_size(dataset));
    }
    (void)H5Tclose(type);
    (void)H5Sclose(space);
}

hid_t ml_h5_find_dataset(struct ml_h5 *h5, hid_t at, const char *path)
{
    hid_t id = h5_read_find(h5, at, path, H5I_DATASET);
    if (id >= 0)
        read_check_form(h5, id);
    if (h5->status == ML_OK)
        return id;
    (void)H5Oclose(id);
    return -1;
}

hid_t ml_h5_open_dataset(struct ml_h5 *h5, hid_t at, const char *path)
{
    hid_t id = ml_h5_find_dataset(h5, at, path);
    if (id < 0 && h5->status == ML_OK)
        h5->status = ml_fail(h5->err, ML_E_FILE, "%s: has no dataset %s", h5->path, path);
    return id;
}

/* The index of a group: the order of making, or in files of other programs that of names. */
static H5_index_t read_index(hid_t at)
{
    unsigned order = 0;
    const hid_t group = H5Gopen2(at, ".", H5P_DEFAULT);
    const hid_t list = H5Gget_create_plist(group);
    const bool has_order = H5Pget_link_creation_order(list, &order) >= 0;
    (void)H5Pclose(list);
    (void)H5Gclose(group);
    return has_order && order & H5P_CRT_ORDER_INDEXED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

void ml_h5_each_dataset(struct ml_h5 *h5, hid_t group,
                        void (*visit)(void *context, hid_t group, const char *name, hid_t dataset),
                        void *context)
{
    H5G_info_t about = {0};
    if (h5->status != ML_OK)
        return;
    ml_h5_check(h5, H5Gget_info(group, &about), "group");
    const H5_index_t index = read_index(group);
    for (hsize_t i = 0; i < about.nlinks && h5->status == ML_OK; i++) {
        char name[PATH_LENGTH] = "";
        ml_h5_check(
            h5,
            H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT),
            "group");
        hid_t object = ml_h5_find_dataset(h5, group, name);
        if (object >= 0)
            visit(context, group, name, object);
        (void)H5Oclose(object);
    }
}

char *ml_h5_find_name(hid_t group, hobj_ref_t reference)
{
    H5G_info_t about = {0};
    const H5_index_t index = read_index(group);
    (void)H5Gget_info(group, &about);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        char name[PATH_LENGTH] = "";
        hobj_ref_t member = 0;
        (void)H5Lget_name_by_idx(group, ".", index, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (ml_h5_has(group, name) && H5Rcreate(&member, group, name, H5R_OBJECT, -1) >= 0 &&
            member == reference)
            return strdup(name);
    }
    return NULL;
}

struct ml_extent ml_h5_extent(struct ml_h5 *h5, hid_t dataset)
{
    struct ml_extent extent = {0};
    if (h5->status != ML_OK)
        return extent;
    hid_t space = ml_h5_check(h5, H5Dget_space(dataset), "dataset");
    const int rank = h5->status == ML_OK ? H5Sget_simple_extent_ndims(space) : 0;
    if (rank < 0 || rank > ML_MAX_RANK)
        ml_h5_refuse(h5, dataset, NULL, "of at most %d dimensions", ML_MAX_RANK);
    else if (rank > 0)
        extent.rank = H5Sget_simple_extent_dims(space, extent.size, NULL);
    (void)H5Sclose(space);
    return extent;
}

static bool read_has_class(hid_t dataset, H5T_class_t a, H5T_class_t b)
{
    hid_t type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    (void)H5Tclose(type);
    return class == a || class == b;
}

bool ml_h5_is_number(hid_t dataset) { return read_has_class(dataset, H5T_INTEGER, H5T_FLOAT); }

bool ml_h5_is_text(hid_t dataset) { return read_has_class(dataset, H5T_STRING, H5T_STRING); }

static bool read_is_same(const struct ml_extent *a, const struct ml_extent *b)
{
    bool is = a->rank == b->rank;
    for (int k = 0; is && k < a->rank; k++)
        is = a->size[k] == b->size[k];
    return is;
}

void ml_h5_expect(struct ml_h5 *h5, hid_t dataset, hid_t type, const struct ml_extent *expected)
{
    const bool is_integer = H5Tget_class(type) == H5T_INTEGER;
    const struct ml_extent extent = ml_h5_extent(h5, dataset);
    if (h5->status != ML_OK ||
        (read_is_same(&extent, expected) &&
         read_has_class(dataset, H5T_INTEGER, is_integer ? H5T_INTEGER : H5T_FLOAT)))
        return;
    char what[WHAT_LENGTH];
    hid_t space = expected->rank > 0 ? H5Screate_simple(expected->rank, expected->size, NULL)
                                     : H5Screate(H5S_SCALAR);
    read_describe(type, space, what);
    (void)H5Sclose(space);
    ml_h5_refuse(h5, dataset, NULL, "%s", what);
}

static void h5_read_box(struct ml_h5 *h5, hid_t dataset, hid_t type, const struct ml_extent *start,
                        const struct ml_extent *stride, const struct ml_extent *count, void *values)
{
    const int rank = count->rank;
    /* A space of the box's shape: HDF5 moves element by element between shapes of different rank.
     */
    hid_t memory = rank > 0 ? H5Screate_simple(rank, count->size, NULL) : H5Screate(H5S_SCALAR);
    hid_t space = ml_h5_check(h5, H5Dget_space(dataset), "dataset");
    if (rank > 0)
        ml_h5_check(h5,
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, start->size,
                                        stride ? stride->size : NULL, count->size, NULL),
                    "dataset");
    if (h5->status == ML_OK)
        ml_h5_check(h5, H5Dread(dataset, type, memory, space, H5P_DEFAULT, values),
                    "cannot be read");
    (void)H5Sclose(space);
    (void)H5Sclose(memory);
}

void ml_h5_read_box(struct ml_h5 *h5, hid_t dataset, hid_t type, const struct ml_extent *start,
                    const struct ml_extent *stride, const struct ml_extent *count, void *values)
{
    struct ml_extent extent = ml_h5_extent(h5, dataset);
    bool is_inside = extent.rank == count->rank && start->rank == count->rank;
    for (int k = 0; is_inside && k < extent.rank; k++)
        is_inside = count->size[k] > 0 && start->size[k] < extent.size[k] &&
                    count->size[k] - 1 <=
                        (extent.size[k] - 1 - start->size[k]) / (stride ? stride->size[k] : 1);
    if (!is_inside)
        ml_h5_refuse(h5, dataset, NULL, "of another shape");
    ml_h5_expect(h5, dataset, type, &extent);
    if (h5->status == ML_OK)
        h5_read_box(h5, dataset, type, start, stride, count, values);
}

/* Whether elements first .. first + n - 1 are there. */
static bool read_is_within(const struct ml_extent *extent, unsigned long long first,
                           unsigned long long n)
{
    unsigned long long count = 1;
    for (int k = 0; k < extent->rank; k++) {
        if (extent->size[k] == 0)
            return n == 0;
        if (count > ULLONG_MAX / extent->size[k])
            return false;
        count *= extent->size[k];
    }
    return first <= count && n <= count - first;
}

void ml_h5_read_range(struct ml_h5 *h5, hid_t dataset, const struct ml_extent *extent, hid_t type,
                      unsigned long long first, unsigned long long n, void *values)
{
    const size_t size = H5Tget_size(type);
    struct ml_extent start, count;
    size_t done = 0;
    ml_h5_expect(h5, dataset, type, extent);
    if (!read_is_within(extent, first, n))
        ml_h5_refuse(h5, dataset, NULL, "large enough to have value %llu",
                     first + (n > 0) * (n - 1));
    for (unsigned long long before = n;
         h5->status == ML_OK && ml_extent_next_box(extent, &first, &n, &start, &count);
         before = n) {
        h5_read_box(h5, dataset, type, &start, NULL, &count, (char *)values + done);
        done += (size_t)(before - n) * size;
    }
}

static const unsigned long long most_values = 1000000; /* a page of text is worth reading so many;
                                                          report/describe.c prints the number */

/* Sorts the finite ones of n values to the front. */
static struct ml_stats h5_stats_of_values(double *values, unsigned long long n)
{
    unsigned long long m = 0;
    for (unsigned long long i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[m++] = values[i];
    if (m == 0)
        return (struct ml_stats){0};
    qsort(values, m, sizeof *values, ml_compare_double);
    return (struct ml_stats){
        .is_known = true,
        .min = values[0],
        .median = 0.5 * values[(m - 1) / 2] + 0.5 * values[m / 2],
        .max = values[m - 1],
        .n_finite = m,
    };
}

struct ml_stats ml_stats_of(struct ml_h5 *h5, hid_t dataset)
{
    struct ml_extent extent = ml_h5_extent(h5, dataset);
    unsigned long long n = 1;
    for (int k = 0; k < extent.rank; k++)
        n *= extent.size[k];
    if (h5->status != ML_OK || n == 0 || n > most_values)
        return (struct ml_stats){.is_too_many = n > most_values};
    double *values = calloc(n, sizeof *values);
    struct ml_stats stats = {0};
    ml_h5_need(h5, values);
    ml_h5_read_range(h5, dataset, &extent, H5T_NATIVE_DOUBLE, 0, n, values);
    if (h5->status == ML_OK)
        stats = h5_stats_of_values(values, n);
    free(values);
    return stats;
}
