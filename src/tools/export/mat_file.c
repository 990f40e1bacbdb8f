/* Writes the elements of a MAT-file. */
#include "tools/export/export.h"

#include <ctype.h>
#include <string.h>

/* Types of data, and classes of arrays. */
enum { MI_INT8 = 1, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14, MI_UTF8 = 16 };
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };
enum { ALIGN = 8, FLAGS = 16, MOST_RANK = 64 };

static uint64_t mat_padded(uint64_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static void mat_tag(FILE *to, uint32_t type, uint64_t n)
{
    const uint32_t tag[] = {type, (uint32_t)n};
    (void)fwrite(tag, sizeof tag, 1, to);
}

static void mat_element(FILE *to, uint32_t type, const void *data, uint64_t n)
{
    static const char zeros[ALIGN];
    mat_tag(to, type, n);
    (void)fwrite(data, 1, (size_t)n, to);
    (void)fwrite(zeros, 1, (size_t)(mat_padded(n) - n), to);
}

/* Bytes of an array without its tag, whose contents have so many with their own tags. */
static uint64_t mat_size(const char *name, int rank, uint64_t contents)
{
    return FLAGS + ALIGN + mat_padded((uint64_t)rank * sizeof(int32_t)) + ALIGN +
           mat_padded(strlen(name)) + contents;
}

/* All of an array but its contents. */
static void mat_begin(FILE *to, uint32_t class, const char *name, int rank, const int64_t *shape,
                      uint64_t contents)
{
    const uint32_t flags[] = {class, 0};
    int32_t size[MOST_RANK];
    for (int k = 0; k < rank; k++)
        size[k] = (int32_t)shape[k];
    mat_tag(to, MI_MATRIX, mat_size(name, rank, contents));
    mat_element(to, MI_UINT32, flags, sizeof flags);
    mat_element(to, MI_INT32, size, (uint64_t)rank * sizeof *size);
    mat_element(to, MI_INT8, name, strlen(name));
}

/* Characters of a text in UTF-8. */
static int64_t mat_characters(const char *text)
{
    int64_t n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static uint64_t mat_text_contents(const char *text) { return ALIGN + mat_padded(strlen(text)); }

void mat_text(FILE *to, const char *name, const char *text)
{
    const int64_t shape[] = {1, mat_characters(text)};
    mat_begin(to, MX_CHAR, name, 2, shape, mat_text_contents(text));
    mat_element(to, MI_UTF8, text, strlen(text));
}

void mat_texts(FILE *to, const char *name, int n, const char *const *texts)
{
    const int64_t shape[] = {1, n};
    uint64_t contents = 0;
    for (int i = 0; i < n; i++)
        contents += ALIGN + mat_size("", 2, mat_text_contents(texts[i]));
    mat_begin(to, MX_CELL, name, 2, shape, contents);
    for (int i = 0; i < n; i++)
        mat_text(to, "", texts[i]);
}

void mat_begin_numbers(FILE *to, const char *name, int rank, const int64_t *shape)
{
    uint64_t n = sizeof(double);
    for (int k = 0; k < rank; k++)
        n *= (uint64_t)shape[k];
    mat_begin(to, MX_DOUBLE, name, rank, shape, ALIGN + n);
    mat_tag(to, MI_DOUBLE, n);
}

bool mat_fits(uint64_t n_number)
{
    const uint64_t most = INT32_MAX; /* bytes of a variable */
    return n_number <= most / sizeof(double) - MOST_RANK;
}

void mat_header(FILE *to)
{
    const uint16_t version = 0x0100, order = 0x4D49;
    const char no_data[8] = {0};
    (void)fprintf(to, "%-116.116s", "MATLAB 5.0 MAT-file, written by manylink");
    (void)fwrite(no_data, sizeof no_data, 1, to);
    (void)fwrite(&version, sizeof version, 1, to);
    (void)fwrite(&order, sizeof order, 1, to);
}

const char *mat_name(const char *name, const char *ending, char *variable)
{
    (void)snprintf(variable, MAT_NAME + 1, "%s%.40s%s", isalpha((unsigned char)*name) ? "" : "x",
                   name, ending);
    for (char *c = variable; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return variable;
}
