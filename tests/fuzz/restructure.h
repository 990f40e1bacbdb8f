/* Other structure in a result, which is sealed again: shapes, types, attributes and links that this
 * program never writes. */
#ifndef FUZZ_RESTRUCTURE_H
#define FUZZ_RESTRUCTURE_H

#include "generated_results.h"
#include "h5/h5.h"

/* Bytes of a change: which object; which attribute, 0 for the dataset itself; type; form; four
 * sizes; what the values are made of. */
enum { AT_OBJECT, AT_ATTRIBUTE, AT_TYPE, AT_FORM, AT_SIZES, AT_VALUES = AT_SIZES + 4 };
enum { CHANGE_SIZE = AT_VALUES + 4, MOST_VALUES = 4 * 4 * 4 * 4 };

/* Forms: so many dimensions, or one of these. */
enum { FORM_NULL = 5, FORM_HUGE, FORM_GONE, FORM_LINK, FORM_GROUP, N_FORM };

static const char *const objects[] = {
    "/",
    "/study",
    "/study/runs",
    "/study/summary",
    "/study/trajectories",
    "/study/title",
    "/study/definition",
    "/study/resolved",
    "/study/provenance/host",
    "/study/runs/run",
    "/study/runs/outcome",
    "/study/runs/steps",
    "/study/runs/end_time",
    "/study/runs/initial.angle.a",
    "/study/summary/initial.angle.a",
    "/study/summary/segment",
    "/study/summary/end_angle",
    "/study/summary/max_rate",
    "/study/trajectories/run",
    "/study/trajectories/time",
    "/study/trajectories/segment",
    "/study/trajectories/coordinate",
    "/study/trajectories/angle",
    "/study/trajectories/end_position",
    "/study/trajectories/checksums/angle",
};

static const char *const attributes[] = {
    "DIMENSION_LIST", "NAME",          "CLASS",           "REFERENCE_LIST", "units",
    "long_name",      "description",   "shows",           "axes",           "default",
    "outputs",        "uncertainties", "manylink_format", "creator",        "shard",
};

static const char *const words[] = {
    "angle", "", "segment", "\x1B[31m\xFF", "summary", "/study/runs", "DIMENSION_SCALE", "run",
};

enum {
    N_OBJECT = sizeof objects / sizeof objects[0],
    N_ATTRIBUTE = sizeof attributes / sizeof attributes[0],
    N_WORD = sizeof words / sizeof words[0],
};

enum kind { BYTE, LONG, UNSIGNED, SINGLE, DOUBLE, PAIR, MEMBERS, FIXED, TEXT, LINK, LINKS, N_KIND };

/* To be closed. */
static inline hid_t type_of(enum kind kind)
{
    const hid_t numbers[] = {H5T_NATIVE_INT8, H5T_NATIVE_INT64, H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT,
                             H5T_NATIVE_DOUBLE};
    const hsize_t two = 2;
    hid_t type;
    switch (kind) {
    case PAIR:
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &two);
    case MEMBERS:
        type = H5Tcreate(H5T_COMPOUND, sizeof(double));
        (void)H5Tinsert(type, "member", 0, H5T_NATIVE_DOUBLE);
        return type;
    case FIXED:
    case TEXT:
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, kind == TEXT ? H5T_VARIABLE : 5);
        return type;
    case LINK:
        return H5Tcopy(H5T_STD_REF_OBJ);
    case LINKS:
        return H5Tvlen_create(H5T_STD_REF_OBJ);
    default:
        return H5Tcopy(numbers[kind]);
    }
}

/* To be closed; *n becomes the values that can be written. */
static inline hid_t space_of(const uint8_t *change, size_t *n)
{
    hsize_t size[4] = {0};
    const int form = change[AT_FORM] % N_FORM;
    *n = 0;
    if (form == FORM_NULL)
        return H5Screate(H5S_NULL);
    const int rank = form < FORM_NULL ? form : 2;
    *n = form == FORM_HUGE ? 0 : 1;
    for (int k = 0; k < rank; k++) {
        size[k] = form == FORM_HUGE ? (hsize_t)1 << 30 : change[AT_SIZES + k] % 5u;
        if (form != FORM_HUGE && change[AT_SIZES + k] == 72)
            size[k] = 72; /* as many as there are runs */
        *n *= size[k];
    }
    return rank > 0 ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
}

/* The reference to an object; 0, which is to none, where it is not there. */
static inline hobj_ref_t reference_to(hid_t file, unsigned i)
{
    hobj_ref_t reference = 0;
    (void)H5Rcreate(&reference, file, objects[i % N_OBJECT], H5R_OBJECT, -1);
    return reference;
}

/* n values of a type, to be freed with what they point to, which *more is. */
static inline void *values_of(hid_t file, enum kind kind, hid_t type, size_t n,
                              const uint8_t *change, hobj_ref_t **more)
{
    const size_t size = H5Tget_size(type);
    uint8_t *values = calloc(n + 1, size);
    *more = calloc(n + 1, sizeof **more);
    require(values && *more, "no memory", NULL);
    for (size_t i = 0; i < n; i++) {
        const unsigned byte = change[AT_VALUES + i % 4];
        if (kind == TEXT)
            ((const char **)(void *)values)[i] = words[byte % N_WORD];
        else if (kind == LINK)
            ((hobj_ref_t *)(void *)values)[i] = reference_to(file, byte);
        else if (kind == LINKS) {
            (*more)[i] = reference_to(file, byte);
            ((hvl_t *)(void *)values)[i] = (hvl_t){byte % 3u > 0, &(*more)[i]};
        } else
            for (size_t k = 0; k < size; k++)
                values[i * size + k] = change[AT_VALUES + k % 4];
    }
    return values;
}

static inline void change_attribute(hid_t file, hid_t object, const char *name,
                                    const uint8_t *change)
{
    const enum kind kind = change[AT_TYPE] % N_KIND;
    size_t n;
    (void)H5Adelete(object, name);
    if (change[AT_FORM] % N_FORM >= FORM_HUGE)
        return;
    hid_t type = type_of(kind), space = space_of(change, &n);
    hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    hobj_ref_t *more;
    void *values = values_of(file, kind, type, n, change, &more);
    if (n > 0)
        (void)H5Awrite(id, type, values);
    free(values);
    free(more);
    (void)H5Aclose(id);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
}

/* Copies an attribute to another object; a visitor of H5Aiterate2. */
static inline herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *about, void *to)
{
    (void)about;
    hid_t id = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(id), space = H5Aget_space(id);
    void *values = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(type));
    hid_t copy = H5Acreate2(*(hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (values && H5Aread(id, type, values) >= 0) {
        (void)H5Awrite(copy, type, values);
        (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    }
    free(values);
    (void)H5Aclose(copy);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(id);
    return 0;
}

/* Chunks for what is too large to be written. */
static inline hid_t creation_of(const uint8_t *change)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (change[AT_FORM] % N_FORM == FORM_HUGE)
        (void)H5Pset_chunk(list, 2, (const hsize_t[]){8, 8});
    return list;
}

/* Puts another dataset in the place of one, which keeps its attributes. */
static inline void replace_dataset(hid_t file, const char *path, hid_t old, const uint8_t *change)
{
    const enum kind kind = change[AT_TYPE] % N_KIND;
    size_t n;
    hid_t type = type_of(kind), space = space_of(change, &n), creation = creation_of(change);
    (void)H5Ldelete(file, path, H5P_DEFAULT);
    hid_t id = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    hobj_ref_t *more;
    void *values = values_of(file, kind, type, n, change, &more);
    if (n > 0)
        (void)H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    (void)H5Aiterate2(old, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &id);
    free(values);
    free(more);
    (void)H5Dclose(id);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
}

/* Puts something else in the place of an object, or nothing. */
static inline void replace_object(hid_t file, const char *path, hid_t old, const uint8_t *change)
{
    const int form = change[AT_FORM] % N_FORM;
    if (form < FORM_GONE) {
        if (H5Iget_type(old) == H5I_DATASET)
            replace_dataset(file, path, old, change);
        return;
    }
    (void)H5Ldelete(file, path, H5P_DEFAULT);
    if (form == FORM_LINK)
        (void)H5Lcreate_soft(objects[change[AT_VALUES] % N_OBJECT], file, path, H5P_DEFAULT,
                             H5P_DEFAULT);
    else if (form == FORM_GROUP)
        (void)H5Gclose(H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static inline void change_object(hid_t file, const uint8_t *change)
{
    const char *path = objects[change[AT_OBJECT] % N_OBJECT];
    const unsigned attribute = change[AT_ATTRIBUTE] % (N_ATTRIBUTE + 1);
    hid_t object = H5Oopen(file, path, H5P_DEFAULT);
    if (object < 0)
        return; /* changed before, or of another result */
    if (attribute > 0)
        change_attribute(file, object, attributes[attribute - 1], change);
    else if (strcmp(path, "/") != 0)
        replace_object(file, path, object, change);
    (void)H5Oclose(object);
}

/* Makes OUT of a result and changes. */
static inline void restructure(const struct made *made, enum result result, struct bytes changes)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    write_file(OUT, made->results[result]);
    ml_h5_begin(&h5, OUT, &err);
    hid_t file = H5Fopen(OUT, H5F_ACC_RDWR, H5P_DEFAULT);
    require(file >= 0, "cannot be opened", OUT);
    for (size_t i = 0; i + CHANGE_SIZE <= changes.size && i < 4 * CHANGE_SIZE; i += CHANGE_SIZE)
        change_object(file, changes.at + i);
    ml_h5_close(&h5, file);
    require_ok(ml_h5_end(&h5), &err);
    require_ok(ml_seal_write(OUT, made->offsets.seal, 0, NULL, &err), &err);
}

#endif
