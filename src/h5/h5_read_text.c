/* Texts, attributes and dimension scales of a file that may have been changed or forged; see
 * h5_read.c. */
#include <stdlib.h>
#include <string.h>

#include "h5/h5.h"

/* The sources of texts. */
struct text_source {
    hid_t object;
    const char *attribute; /* NULL: the object is a dataset with them */
    hid_t id, type, space; /* of the attribute or dataset */
};

static struct text_source text_source_open(hid_t object, const char *attribute)
{
    struct text_source s = {.object = object, .attribute = attribute};
    s.id = attribute ? H5Aopen(object, attribute, H5P_DEFAULT) : object;
    s.type = attribute ? H5Aget_type(s.id) : H5Dget_type(s.id);
    s.space = attribute ? H5Aget_space(s.id) : H5Dget_space(s.id);
    return s;
}

static void text_source_close(const struct text_source *s)
{
    (void)H5Sclose(s->space);
    (void)H5Tclose(s->type);
    if (s->attribute)
        (void)H5Aclose(s->id);
}

static herr_t text_source_read(const struct text_source *s, void *values)
{
    if (s->attribute)
        return H5Aread(s->id, s->type, values);
    hid_t transfer = ml_h5_text_transfer();
    herr_t status = H5Dread(s->id, s->type, H5S_ALL, H5S_ALL, transfer, values);
    (void)H5Pclose(transfer);
    return status;
}

/* Number of values, 0 unless they are texts. */
static size_t text_source_count(const struct text_source *s)
{
    const hssize_t n = H5Sget_simple_extent_npoints(s->space);
    return n > 0 && H5Tget_class(s->type) == H5T_STRING ? (size_t)n : 0;
}

/* Copies n texts, of variable length (`each`) or of `size` bytes; false without memory. */
static bool copy_texts(size_t n, char *const *each, const char *fixed, size_t size, char **texts)
{
    bool is_good = true;
    for (size_t i = 0; i < n; i++) {
        if (each)
            texts[i] = strdup(each[i] ? each[i] : ""); /* HDF5 has NULL for an empty text */
        else
            texts[i] = strndup(fixed + i * size, size);
        is_good = is_good && texts[i];
    }
    return is_good;
}

/* All texts, to be freed by ml_h5_free_texts; NULL on failure. */
static char **read_all_texts(struct ml_h5 *h5, const struct text_source *s, size_t n)
{
    const bool is_variable = H5Tis_variable_str(s->type) > 0;
    const size_t size = H5Tget_size(s->type);
    void *values = calloc(n, size);
    char **texts = calloc(n, sizeof *texts);
    bool is_read = false;
    if (ml_h5_need(h5, values && texts)) {
        is_read = ml_h5_check(h5, text_source_read(s, values), "a text cannot be read") >= 0;
        ml_h5_need(h5, !is_read || copy_texts(n, is_variable ? values : NULL, values, size, texts));
        if (is_read && is_variable)
            (void)H5Dvlen_reclaim(s->type, s->space, H5P_DEFAULT, values);
    }
    free(values);
    if (h5->status == ML_OK)
        return texts;
    ml_h5_free_texts(n, texts);
    return NULL;
}

/* The texts of an attribute, or of a dataset; *n: how many there have to be, 0 for one or more, and
 * then how many there are. */
static char **h5_read_text_read_texts(struct ml_h5 *h5, hid_t object, const char *attribute,
                                      unsigned long long *n)
{
    if (h5->status != ML_OK)
        return NULL;
    const struct text_source s = text_source_open(object, attribute);
    const size_t count = text_source_count(&s);
    char **texts = NULL;
    if (count > 0 && (*n == 0 || *n == count))
        texts = read_all_texts(h5, &s, count);
    else if (*n > 1)
        ml_h5_refuse(h5, object, attribute, "text [%llu]", *n);
    else
        ml_h5_refuse(h5, object, attribute, *n == 1 ? "one text" : "a list of texts");
    *n = count;
    text_source_close(&s);
    return texts;
}

void ml_h5_free_texts(unsigned long long n, char **texts)
{
    for (unsigned long long i = 0; texts && i < n; i++)
        free(texts[i]);
    free(texts);
}

char **ml_h5_read_texts(struct ml_h5 *h5, hid_t dataset, unsigned long long n)
{
    return h5_read_text_read_texts(h5, dataset, NULL, &n);
}

/* Takes the only text out of a list of one. */
static char *take_only(char **texts)
{
    char *text = texts ? texts[0] : NULL;
    free(texts);
    return text;
}

char *ml_h5_read_text(struct ml_h5 *h5, hid_t at, const char *name)
{
    unsigned long long n = 1;
    hid_t id = ml_h5_open_dataset(h5, at, name);
    char *text = take_only(h5_read_text_read_texts(h5, id, NULL, &n));
    (void)H5Oclose(id);
    return text;
}

char *ml_h5_find_text(struct ml_h5 *h5, hid_t at, const char *name)
{
    unsigned long long n = 1;
    return at >= 0 && H5Aexists(at, name) > 0 ? take_only(h5_read_text_read_texts(h5, at, name, &n))
                                              : NULL;
}

char **ml_h5_find_texts(struct ml_h5 *h5, hid_t at, const char *name, unsigned long long *n)
{
    *n = 0;
    return H5Aexists(at, name) > 0 ? h5_read_text_read_texts(h5, at, name, n) : NULL;
}

double *ml_h5_find_numbers(struct ml_h5 *h5, hid_t at, const char *name, unsigned long long *n)
{
    double *numbers = NULL;
    *n = 0;
    if (h5->status != ML_OK || H5Aexists(at, name) <= 0)
        return NULL;
    const struct text_source s = text_source_open(at, name);
    const H5T_class_t class = H5Tget_class(s.type);
    const hssize_t count = H5Sget_simple_extent_npoints(s.space);
    if (count > 0 && (class == H5T_INTEGER || class == H5T_FLOAT)) {
        numbers = calloc((size_t)count, sizeof *numbers);
        if (ml_h5_need(h5, numbers))
            ml_h5_check(h5, H5Aread(s.id, H5T_NATIVE_DOUBLE, numbers), name);
        *n = (unsigned long long)count;
    }
    text_source_close(&s);
    return numbers;
}

bool ml_h5_lists(struct ml_h5 *h5, hid_t at, const char *list, const char *text)
{
    unsigned long long n;
    char **texts = ml_h5_find_texts(h5, at, list, &n);
    bool found = false;
    for (unsigned long long i = 0; texts && i < n; i++)
        found = found || (texts[i] && strcmp(texts[i], text) == 0);
    ml_h5_free_texts(n, texts);
    return found;
}

void ml_h5_read_attribute(struct ml_h5 *h5, hid_t at, const char *name, hid_t type, int n,
                          void *values)
{
    if (h5->status != ML_OK)
        return;
    hid_t id = ml_h5_check(h5, H5Aopen(at, name, H5P_DEFAULT), name);
    if (id < 0)
        return;
    hid_t space = H5Aget_space(id), there = H5Aget_type(id);
    if (H5Sget_simple_extent_npoints(space) != n || H5Tget_class(there) != H5T_INTEGER)
        ml_h5_refuse(h5, at, name, n > 1 ? "integer [%d]" : "one integer", n);
    else
        ml_h5_check(h5, H5Aread(id, type, values), name);
    (void)H5Tclose(there);
    (void)H5Sclose(space);
    (void)H5Aclose(id);
}

bool ml_h5_is_scale(struct ml_h5 *h5, hid_t dataset)
{
    char *class = ml_h5_find_text(h5, dataset, "CLASS");
    const bool is = class && strcmp(class, "DIMENSION_SCALE") == 0;
    free(class);
    return is;
}

static const char scale_list[] = "DIMENSION_LIST";

/* Whether the type is that of a DIMENSION_LIST. */
static bool is_of_references(hid_t type)
{
    bool is = false;
    if (H5Tget_class(type) == H5T_VLEN) {
        hid_t super = H5Tget_super(type);
        is = H5Tequal(super, H5T_STD_REF_OBJ) > 0;
        (void)H5Tclose(super);
    }
    return is;
}

/* Reads the list of a dataset's scales; 0, or the first reference of a dimension. */
static hobj_ref_t read_reference(struct ml_h5 *h5, hid_t dataset, int dim)
{
    hvl_t references[ML_MAX_RANK];
    hobj_ref_t first = 0;
    const int rank = ml_h5_extent(h5, dataset).rank;
    if (h5->status != ML_OK || H5Aexists(dataset, scale_list) <= 0)
        return 0;
    hid_t id = H5Aopen(dataset, scale_list, H5P_DEFAULT), type = H5Aget_type(id);
    hid_t space = H5Aget_space(id);
    if (dim >= rank || H5Sget_simple_extent_npoints(space) != rank || !is_of_references(type))
        ml_h5_refuse(h5, dataset, scale_list, "a list [%d] of references to scales", rank);
    else if (ml_h5_check(h5, H5Aread(id, type, references), scale_list) >= 0) {
        if (references[dim].len > 0)
            memcpy(&first, references[dim].p, sizeof first);
        (void)H5Dvlen_reclaim(type, space, H5P_DEFAULT, references);
    }
    (void)H5Sclose(space);
    (void)H5Tclose(type);
    (void)H5Aclose(id);
    return first;
}

char *ml_h5_scale_name(struct ml_h5 *h5, hid_t group, hid_t dataset, int dim)
{
    const hobj_ref_t reference = read_reference(h5, dataset, dim);
    if (h5->status != ML_OK || reference == 0)
        return NULL;
    char *name = ml_h5_find_name(group, reference);
    if (!name)
        ml_h5_refuse(h5, dataset, scale_list, "references to datasets of its group");
    return name;
}
