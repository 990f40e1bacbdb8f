/* Other values in a result, which is sealed again: HDF5 finds nothing wrong with it. */
#ifndef FUZZ_RESEAL_H
#define FUZZ_RESEAL_H

#include "generated_results.h"
#include "h5/h5.h"

/* Bytes of an edit: which field, where in its values, how many, and what to put there. */
enum { EDIT_FIELD, EDIT_AT, EDIT_COUNT = EDIT_AT + 2, EDIT_BYTES, EDIT_SIZE = EDIT_BYTES + 8 };

struct field {
    const char *object, *attribute; /* NULL: the values of a dataset */
};

static const struct field fields[] = {
    {"/", "manylink_format"},
    {"/", "creator"},
    {"/study", "shard"},
    {"/study/runs/outcome", NULL},
    {"/study/runs/steps", NULL},
    {"/study/runs/end_time", NULL},
    {"/study/summary", "outputs"},
    {"/study/summary/end_angle", NULL},
    {"/study/summary/end_angle", "units"},
    {"/study/summary/initial.angle.a", NULL},
    {"/study/trajectories/angle", NULL},
    {"/study/trajectories/checksums/angle", NULL},
    {"/study/title", NULL},
    {"/study/definition", NULL},
    {"/study/resolved", NULL},
    {"/study/provenance/host", NULL},
};

static inline void write_bytes(void *values, size_t size, const uint8_t *edit)
{
    const size_t at = edit[EDIT_AT] + 256u * edit[EDIT_AT + 1];
    for (size_t i = 0; size > 0 && i <= edit[EDIT_COUNT] % 8u; i++)
        ((uint8_t *)values)[(at + i) % size] = edit[EDIT_BYTES + i];
}

/* Of texts the first. */
static inline void write_values(hid_t type, hid_t space, void *values, const uint8_t *edit)
{
    const size_t n = (size_t)H5Sget_simple_extent_npoints(space);
    char *const *texts = values;
    if (H5Tis_variable_str(type) > 0)
        write_bytes(texts[0], strlen(texts[0]), edit);
    else
        write_bytes(values, n * H5Tget_size(type), edit);
}

/* Of an attribute, or else of a dataset. */
static inline void edit_values(hid_t id, bool is_attribute, hid_t type, hid_t space,
                               const uint8_t *edit)
{
    void *values = calloc((size_t)H5Sget_simple_extent_npoints(space), H5Tget_size(type));
    require(values && (is_attribute ? H5Aread(id, type, values)
                                    : H5Dread(id, type, space, space, H5P_DEFAULT, values)) >= 0,
            "values cannot be read", OUT);
    write_values(type, space, values, edit);
    require((is_attribute ? H5Awrite(id, type, values)
                          : H5Dwrite(id, type, space, space, H5P_DEFAULT, values)) >= 0,
            "values cannot be written", OUT);
    (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, values);
    free(values);
}

static inline void edit_attribute(hid_t object, const char *name, const uint8_t *edit)
{
    if (H5Aexists(object, name) <= 0)
        return; /* only shards say which they are */
    hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    edit_values(id, true, type, space, edit);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(id);
}

static inline void edit_dataset(hid_t id, const uint8_t *edit)
{
    hid_t type = H5Dget_type(id), space = H5Dget_space(id);
    edit_values(id, false, type, space, edit);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
}

static inline void edit_field(hid_t file, struct field field, const uint8_t *edit)
{
    hid_t object = H5Oopen(file, field.object, H5P_DEFAULT);
    if (field.attribute)
        edit_attribute(object, field.attribute, edit);
    else
        edit_dataset(object, edit);
    (void)H5Oclose(object);
}

/* Makes OUT of a result and edits. */
static inline void reseal(const struct made *made, enum result result, struct bytes edits)
{
    struct ml_h5 h5;
    struct ml_error err = {0};
    write_file(OUT, made->results[result]);
    ml_h5_begin(&h5, OUT, &err);
    hid_t file = H5Fopen(OUT, H5F_ACC_RDWR, H5P_DEFAULT);
    require(file >= 0, "cannot be opened", OUT);
    for (size_t i = 0; i + EDIT_SIZE <= edits.size; i += EDIT_SIZE) {
        const uint8_t *edit = edits.at + i;
        edit_field(file, fields[edit[EDIT_FIELD] % (sizeof fields / sizeof fields[0])], edit);
    }
    ml_h5_close(&h5, file);
    require_ok(ml_h5_end(&h5), &err);
    require_ok(ml_seal_write(OUT, made->offsets.seal, 0, NULL, &err), &err);
}

#endif
