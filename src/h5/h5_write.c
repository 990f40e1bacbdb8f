/* Groups, attributes, texts and datasets that are made. */
#include <math.h>
#include <string.h>

#include "h5/h5.h"
#include "manylink/fail.h"

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, H5T_VARIABLE);
    (void)H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t vector_space(int n)
{
    hsize_t size = (hsize_t)n;
    return n > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
}

/* Writes n values of a type, 0 for a scalar, as an attribute. */
static void attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t file_type,
                      hid_t memory_type, int n, const void *values)
{
    if (h5->status != ML_OK)
        return;
    hid_t space = vector_space(n);
    hid_t id = H5Acreate2(at, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    ml_h5_check(h5, id, name);
    ml_h5_check(h5, H5Awrite(id, memory_type, values), name);
    if (id >= 0)
        ml_h5_check(h5, H5Aclose(id), name);
    (void)H5Sclose(space);
}

void ml_h5_texts_attribute(struct ml_h5 *h5, hid_t at, const char *name, int n,
                           const char *const *texts)
{
    hid_t type = text_type();
    attribute(h5, at, name, type, type, n, texts);
    (void)H5Tclose(type);
}

void ml_h5_text_attribute(struct ml_h5 *h5, hid_t at, const char *name, const char *text)
{
    if (text)
        ml_h5_texts_attribute(h5, at, name, 0, &text);
}

void ml_h5_numbers_attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t type, int n,
                             const void *values)
{
    attribute(h5, at, name, type, type, n, values);
}

static const char *fault_of_name(hid_t at, const char *name)
{
    enum { MOST = 248 + 5 }; /* bytes: views put a word before names of a study */
    const size_t length = strlen(name);
    if (length == 0 || length > MOST)
        return "names have 1 to 248 bytes";
    if (strchr(name, '/') || strcmp(name, ".") == 0 || name[length - 1] == ' ')
        return "no '/', no space at the end, not \".\" alone";
    return H5Lexists(at, name, H5P_DEFAULT) > 0
               ? "the name is taken by another dataset there; take another name"
               : NULL;
}

bool ml_h5_can_name(struct ml_h5 *h5, hid_t at, const char *name)
{
    char group[256] = "";
    const char *fault = h5->status == ML_OK ? fault_of_name(at, name) : NULL;
    if (fault) {
        (void)H5Iget_name(at, group, sizeof group);
        h5->status = ml_fail(h5->err, ML_E_INPUT, "%s: \"%s\" cannot name a dataset of %s: %s",
                             h5->path, name, group, fault);
    }
    return h5->status == ML_OK;
}

hid_t ml_h5_group(struct ml_h5 *h5, hid_t at, const char *name, const char *nx_class)
{
    if (!ml_h5_can_name(h5, at, name))
        return -1;
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    ml_h5_keep_order(creation);
    hid_t group = H5Gcreate2(at, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    ml_h5_check(h5, group, name);
    (void)H5Pclose(creation);
    ml_h5_text_attribute(h5, group, "NX_class", nx_class);
    return group;
}

/* Makes and fills a dataset of n texts, 0 for a scalar. */
static hid_t text_dataset(struct ml_h5 *h5, hid_t at, const char *name, int n,
                          const char *const *texts)
{
    if (!ml_h5_can_name(h5, at, name))
        return -1;
    hid_t type = text_type(), space = vector_space(n), creation = H5Pcreate(H5P_DATASET_CREATE);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    (void)H5Pset_attr_creation_order(creation, order);
    (void)H5Pset_obj_track_times(creation, false);
    hid_t id = H5Dcreate2(at, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ml_h5_check(h5, id, name);
    hid_t transfer = ml_h5_text_transfer();
    ml_h5_check(h5, H5Dwrite(id, type, H5S_ALL, H5S_ALL, transfer, texts), name);
    (void)H5Pclose(transfer);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return id;
}

void ml_h5_text(struct ml_h5 *h5, hid_t at, const char *name, const char *text)
{
    if (text)
        ml_h5_close_dataset(h5, text_dataset(h5, at, name, 0, &text));
}

void ml_h5_text_scale(struct ml_h5 *h5, hid_t at, const char *name, const char *doc, int n,
                      const char *const *texts)
{
    hid_t id = text_dataset(h5, at, name, n, texts);
    if (h5->status != ML_OK)
        return;
    ml_h5_check(h5, H5DSset_scale(id, name), name);
    ml_h5_text_attribute(h5, id, "long_name", name);
    ml_h5_text_attribute(h5, id, "description", doc);
    ml_h5_close_dataset(h5, id);
}

enum { COMPRESSION = 1, CHUNK = 1 << 15 /* elements */ };

static struct ml_extent chunk_of(const struct ml_h5_field *field)
{
    return field->is_whole ? (struct ml_extent){0} : ml_extent_chunk(&field->extent, CHUNK);
}

static hid_t creation_list(const struct ml_h5_field *field)
{
    const struct ml_extent chunk = chunk_of(field);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    (void)H5Pset_attr_creation_order(list, order);
    (void)H5Pset_obj_track_times(list, false);
    if (chunk.rank == 0)
        return list;
    (void)H5Pset_chunk(list, chunk.rank, chunk.size);
    if (field->is_compressed) {
        (void)H5Pset_shuffle(list);
        (void)H5Pset_deflate(list, COMPRESSION);
    }
    (void)H5Pset_fletcher32(list);
    return list;
}

/* Room for exactly one chunk: datasets are written in row order, so no more is ever of use. */
static hid_t h5_write_access_list(const struct ml_h5_field *field)
{
    const struct ml_extent chunk = chunk_of(field);
    hid_t list = H5Pcreate(H5P_DATASET_ACCESS);
    size_t bytes = H5Tget_size(field->type);
    for (int k = 0; k < chunk.rank; k++)
        bytes *= chunk.size[k];
    (void)H5Pset_chunk_cache(list, 1, bytes, 1.0);
    return list;
}

static hid_t field_space(const struct ml_h5_field *field)
{
    if (field->extent.rank == 0)
        return H5Screate(H5S_SCALAR);
    return H5Screate_simple(field->extent.rank, field->extent.size, NULL);
}

static void h5_write_describe(struct ml_h5 *h5, hid_t id, const struct ml_h5_field *field)
{
    const bool is_one = field->unit && strcmp(field->unit, "1") == 0;
    const char *label = !field->label && is_one && field->tells_one ? field->name : field->label;
    ml_h5_text_attribute(h5, id, "units", is_one && !field->tells_one ? NULL : field->unit);
    ml_h5_text_attribute(h5, id, "long_name", label);
    ml_h5_text_attribute(h5, id, "description", field->doc);
    if (field->n_flag > 0)
        ml_h5_numbers_attribute(h5, id, "flag_values", field->type, field->n_flag,
                                field->flag_values);
    ml_h5_text_attribute(h5, id, "flag_meanings", field->flag_meanings);
}

static void attach_scales(struct ml_h5 *h5, hid_t at, hid_t id, const struct ml_h5_field *field)
{
    const hid_t group = field->scales_at ? field->scales_at : at;
    for (int k = 0; k < field->extent.rank && h5->status == ML_OK; k++) {
        if (!field->scales[k])
            continue;
        hid_t scale =
            ml_h5_check(h5, H5Dopen2(group, field->scales[k], H5P_DEFAULT), field->scales[k]);
        ml_h5_check(h5, H5DSattach_scale(id, scale, (unsigned)k), field->scales[k]);
        (void)H5Dclose(scale); /* none of its numbers wait to be written */
    }
}

static void set_attributes(struct ml_h5 *h5, hid_t at, hid_t id, const struct ml_h5_field *field)
{
    if (field->is_scale)
        ml_h5_check(h5, H5DSset_scale(id, field->name), field->name);
    else
        attach_scales(h5, at, id, field);
    h5_write_describe(h5, id, field);
}

/* Counts the bytes that its numbers take in a file: chunks are stored whole, each with a checksum,
 * and found by trees of nodes with room for 64, of which nine in ten are used as they are written
 * in order. */
static void sketch_field(struct ml_h5 *h5, const struct ml_h5_field *field)
{
    const struct ml_extent chunk = chunk_of(field);
    const double checksum = 4.0, room = 57.0, keys = 65.0, links = 64.0;
    const double compressed = !field->is_compressed     ? 1.0
                              : field->compressed > 0.0 ? field->compressed
                                                        : 0.005;
    double bytes = (double)H5Tget_size(field->type), n_chunk = 1.0;
    const struct ml_extent *pieces = chunk.rank > 0 ? &chunk : &field->extent;
    for (int k = 0; k < pieces->rank; k++) {
        bytes *= (double)pieces->size[k];
        n_chunk *= ceil((double)field->extent.size[k] / (double)pieces->size[k]);
    }
    if (chunk.rank == 0) {
        h5->counted += bytes;
        h5->most += bytes;
        return;
    }
    const double node = 24.0 + 8.0 * links + (16.0 + 8.0 * chunk.rank) * keys;
    const double n_node = n_chunk <= links ? 1.0 : ceil(n_chunk / room) * (1.0 + 1.0 / room) + 1.0;
    h5->counted += n_chunk * (checksum + bytes * compressed) + n_node * node;
    h5->most += n_chunk * (checksum + bytes) + n_node * node;
}

hid_t ml_h5_field(struct ml_h5 *h5, hid_t at, const struct ml_h5_field *field)
{
    if (!ml_h5_can_name(h5, at, field->name))
        return -1;
    if (h5->is_sketch)
        sketch_field(h5, field);
    hid_t creation = creation_list(field), access = h5_write_access_list(field),
          space = field_space(field);
    hid_t id = H5Dcreate2(at, field->name, field->type, space, H5P_DEFAULT, creation, access);
    ml_h5_check(h5, id, field->name);
    (void)H5Sclose(space);
    (void)H5Pclose(access);
    (void)H5Pclose(creation);
    set_attributes(h5, at, id, field);
    return id;
}

void ml_h5_along(struct ml_h5_field *field, const char *scale, int64_t n)
{
    field->scales[field->extent.rank] = scale;
    field->extent.size[field->extent.rank++] = (unsigned long long)n;
}

void ml_h5_dataset(struct ml_h5 *h5, hid_t at, const struct ml_h5_field *field, hid_t type,
                   const void *values)
{
    const hid_t id = ml_h5_field(h5, at, field);
    unsigned long long n = 1;
    for (int k = 0; k < field->extent.rank; k++)
        n *= field->extent.size[k];
    ml_h5_write_range(h5, id, &field->extent, type, 0, n, values);
    ml_h5_close_dataset(h5, id);
}

void ml_h5_link(struct ml_h5 *h5, hid_t group, const char *name, hid_t at, const char *as)
{
    if (h5->status == ML_OK)
        ml_h5_check(h5, H5Lcreate_hard(group, name, at, as, H5P_DEFAULT, H5P_DEFAULT), as);
}

/* Selects the taken part of the whole, and moves its dimensions together in the field. */
static hid_t take_slice(struct ml_h5_field *field, const int64_t *fixed)
{
    hid_t space = field_space(field);
    struct ml_extent start = {0}, count = field->extent;
    int rank = 0;
    for (int k = 0; k < field->extent.rank; k++) {
        if (fixed[k] >= 0) {
            start.size[k] = (unsigned long long)fixed[k];
            count.size[k] = 1;
            continue;
        }
        field->scales[rank] = field->scales[k];
        field->extent.size[rank++] = count.size[k];
    }
    (void)H5Sselect_hyperslab(space, H5S_SELECT_SET, start.size, NULL, count.size, NULL);
    field->extent.rank = rank;
    return space;
}

/* The entries of the dataset by which a part is taken: all, or all but the last. */
static hid_t shown_slice(struct ml_h5_field *field, hid_t creation)
{
    if (!field->ends_with_missing)
        return field_space(field);
    const bool is_integer = H5Tget_class(field->type) == H5T_INTEGER;
    const double no_number = (double)NAN;
    const int64_t no_index = -1;
    const struct ml_extent start = {0}, count = field->extent;
    field->extent.size[0]++;
    (void)H5Pset_fill_value(creation, is_integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE,
                            is_integer ? (const void *)&no_index : &no_number);
    hid_t space = field_space(field);
    (void)H5Sselect_hyperslab(space, H5S_SELECT_SET, start.size, NULL, count.size, NULL);
    return space;
}

hid_t ml_h5_slice(struct ml_h5 *h5, hid_t at, const char *name, const struct ml_h5_field *whole,
                  const char *path, const int64_t *fixed)
{
    struct ml_h5_field field = *whole;
    field.name = name;
    field.is_whole = true;
    if (h5->status != ML_OK)
        return -1;
    hid_t taken = take_slice(&field, fixed), creation = creation_list(&field);
    hid_t shown = shown_slice(&field, creation);
    ml_h5_check(h5, H5Pset_virtual(creation, shown, ".", path, taken), name);
    hid_t id = H5Dcreate2(at, name, field.type, shown, H5P_DEFAULT, creation, H5P_DEFAULT);
    ml_h5_check(h5, id, name);
    (void)H5Pclose(creation);
    (void)H5Sclose(shown);
    (void)H5Sclose(taken);
    set_attributes(h5, at, id, &field);
    return id;
}

hid_t ml_h5_reserve(struct ml_h5 *h5, hid_t file, hid_t type, const struct ml_extent *extent)
{
    if (h5->status != ML_OK)
        return -1;
    const struct ml_h5_field field = {.type = type, .extent = *extent, .is_whole = true};
    hid_t creation = creation_list(&field), space = field_space(&field);
    (void)H5Pset_layout(creation, H5D_CONTIGUOUS);
    (void)H5Pset_alloc_time(creation, h5->is_sketch ? H5D_ALLOC_TIME_LATE : H5D_ALLOC_TIME_EARLY);
    if (h5->is_sketch)
        sketch_field(h5, &field);
    (void)H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    hid_t id = H5Dcreate_anon(file, type, space, creation, H5P_DEFAULT);
    ml_h5_check(h5, id, "no room for the trajectories");
    (void)H5Sclose(space);
    (void)H5Pclose(creation);
    return id;
}

unsigned long long ml_h5_address(struct ml_h5 *h5, hid_t reserved)
{
    haddr_t address = h5->status == ML_OK && !h5->is_sketch ? H5Dget_offset(reserved) : 0;
    if (address == HADDR_UNDEF)
        ml_h5_fail(h5, ML_E_FILE, "HDF5 does not say where the trajectories are");
    return address;
}

void ml_h5_place(struct ml_h5 *h5, hid_t at, hid_t reserved, const struct ml_h5_field *field)
{
    if (!ml_h5_can_name(h5, at, field->name))
        return;
    ml_h5_check(h5, H5Olink(reserved, at, field->name, H5P_DEFAULT, H5P_DEFAULT), field->name);
    set_attributes(h5, at, reserved, field);
}

void ml_h5_close_dataset(struct ml_h5 *h5, hid_t id)
{
    /* To find the unwritten part of a dataset HDF5 sorts that of the whole file; of a sketch
     * nothing is written. */
    if (id >= 0 && (h5->is_sketch || ml_h5_check(h5, H5Dflush(id), "cannot be written") >= 0))
        ml_h5_check(h5, H5Dclose(id), "cannot be closed");
}
