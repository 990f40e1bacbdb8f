/* Attributes and texts that are written. */
#include "store/h5.h"

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, H5T_VARIABLE);
    (void)H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

static hid_t space_of(int n)
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
    hid_t space = space_of(n);
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

/* Makes and fills a dataset of n texts, 0 for a scalar. */
static hid_t text_dataset(struct ml_h5 *h5, hid_t at, const char *name, int n,
                          const char *const *texts)
{
    if (h5->status != ML_OK)
        return -1;
    hid_t type = text_type(), space = space_of(n), creation = H5Pcreate(H5P_DATASET_CREATE);
    unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    (void)H5Pset_attr_creation_order(creation, order);
    (void)H5Pset_obj_track_times(creation, false);
    hid_t id = H5Dcreate2(at, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    ml_h5_check(h5, id, name);
    ml_h5_check(h5, H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts), name);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    return id;
}

void ml_h5_text(struct ml_h5 *h5, hid_t at, const char *name, const char *text)
{
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
