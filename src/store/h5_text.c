/* Attributes and texts. */
#include "store/h5.h"

#include <stdlib.h>
#include <string.h>

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

void ml_h5_read_attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t type, int n,
                          void *values)
{
    if (h5->status != ML_OK)
        return;
    hid_t id = ml_h5_check(h5, H5Aopen(at, name, H5P_DEFAULT), name);
    hid_t space = H5Aget_space(id), there = H5Aget_type(id);
    if (h5->status == ML_OK &&
        (H5Sget_simple_extent_npoints(space) != n || H5Tget_class(there) != H5T_INTEGER))
        ml_h5_fail(h5, ML_E_FILE, "has an attribute that is none of a result");
    if (h5->status == ML_OK)
        ml_h5_check(h5, H5Aread(id, type, values), name);
    (void)H5Tclose(there);
    (void)H5Sclose(space);
    (void)H5Aclose(id);
}

/* The texts of an attribute; their number, or 0 if it is none of texts. To be freed by free_texts.
 */
static int find_texts(hid_t at, const char *name, char ***texts)
{
    int n = 0;
    *texts = NULL;
    if (H5Aexists(at, name) <= 0)
        return 0;
    hid_t id = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(id), space = H5Aget_space(id);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count > 0 && H5Tis_variable_str(type) > 0)
        *texts = calloc((size_t)count, sizeof **texts);
    if (*texts && H5Aread(id, type, *texts) >= 0)
        n = (int)count;
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(id);
    return n;
}

void ml_h5_free_texts(unsigned long long n, char **texts)
{
    for (unsigned long long i = 0; texts && i < n; i++)
        (void)H5free_memory(texts[i]);
    free(texts);
}

char *ml_h5_find_text(hid_t at, const char *name)
{
    char **texts;
    int n = find_texts(at, name, &texts);
    char *text = n > 0 && texts[0] ? strdup(texts[0]) : NULL;
    ml_h5_free_texts((unsigned long long)n, texts);
    return text;
}

bool ml_h5_lists(hid_t at, const char *list, const char *text)
{
    char **texts;
    int n = find_texts(at, list, &texts);
    bool found = false;
    for (int i = 0; i < n; i++)
        found = found || (texts[i] && strcmp(texts[i], text) == 0);
    ml_h5_free_texts((unsigned long long)n, texts);
    return found;
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

char *ml_h5_read_text(struct ml_h5 *h5, hid_t at, const char *name)
{
    if (h5->status != ML_OK)
        return NULL;
    hid_t type = text_type();
    hid_t id = ml_h5_check(h5, H5Dopen2(at, name, H5P_DEFAULT), name);
    char *read = NULL, *text = NULL;
    ml_h5_check(h5, H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &read), name);
    if (read && !(text = strdup(read)))
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
    (void)H5free_memory(read);
    (void)H5Dclose(id);
    (void)H5Tclose(type);
    return text;
}

char **ml_h5_read_texts(struct ml_h5 *h5, hid_t dataset, unsigned long long n)
{
    if (h5->status != ML_OK)
        return NULL;
    char **texts = calloc((size_t)n + 1, sizeof *texts);
    if (!texts) {
        ml_h5_fail(h5, ML_E_MEMORY, "out of memory");
        return NULL;
    }
    hid_t type = text_type();
    ml_h5_check(h5, H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts), "texts");
    (void)H5Tclose(type);
    return texts;
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
