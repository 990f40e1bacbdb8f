/* Writes one run over time as a MAT-file of level 5, after "MAT-File Format" of The MathWorks:
 * tagged elements, each filled up to 8 bytes, in the byte order of this machine, which the header
 * tells. */
#include <ctype.h>
#include <string.h>

#include "cli/motion_file.h"

/* Types of data, and classes of arrays. */
enum { MI_INT8 = 1, MI_INT32 = 5, MI_UINT32 = 6, MI_DOUBLE = 9, MI_MATRIX = 14, MI_UTF8 = 16 };
enum { MX_CELL = 1, MX_CHAR = 4, MX_DOUBLE = 6 };
enum { ALIGN = 8, NAME = 63, FLAGS = 16, DIMENSIONS = 16 };

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
static uint64_t mat_size(const char *name, uint64_t contents)
{
    return FLAGS + DIMENSIONS + ALIGN + mat_padded(strlen(name)) + contents;
}

/* All of an array but its contents. */
static void mat_begin(FILE *to, uint32_t class, const char *name, int64_t n_row, int64_t n_column,
                      uint64_t contents)
{
    const uint32_t flags[] = {class, 0};
    const int32_t size[] = {(int32_t)n_row, (int32_t)n_column};
    mat_tag(to, MI_MATRIX, mat_size(name, contents));
    mat_element(to, MI_UINT32, flags, sizeof flags);
    mat_element(to, MI_INT32, size, sizeof size);
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

static void mat_text(FILE *to, const char *name, const char *text)
{
    mat_begin(to, MX_CHAR, name, 1, mat_characters(text), mat_text_contents(text));
    mat_element(to, MI_UTF8, text, strlen(text));
}

static void mat_texts(FILE *to, const char *name, int n, char *const *texts)
{
    uint64_t contents = 0;
    for (int i = 0; i < n; i++)
        contents += ALIGN + mat_size("", mat_text_contents(texts[i]));
    mat_begin(to, MX_CELL, name, 1, n, contents);
    for (int i = 0; i < n; i++)
        mat_text(to, "", texts[i]);
}

static void mat_matrix(FILE *to, const char *name, const struct motion *motion,
                       const struct motion_part *part)
{
    const uint64_t n = (uint64_t)motion->n_time * (uint64_t)part->n * sizeof(double);
    mat_begin(to, MX_DOUBLE, name, motion->n_time, part->n, ALIGN + n);
    mat_tag(to, MI_DOUBLE, n);
    for (int i = 0; i < part->n; i++)
        (void)fwrite(part->values + i * motion->n_room, sizeof(double), (size_t)motion->n_time, to);
}

/* The name of a variable: letters, digits and underscores, a letter first. */
static const char *mat_name(const char *name, const char *ending, char *variable)
{
    (void)snprintf(variable, NAME + 1, "%s%.40s%s", isalpha((unsigned char)*name) ? "" : "x", name,
                   ending);
    for (char *c = variable; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return variable;
}

/* Of every part a matrix [time x component], its NAME_columns and NAME_unit. */
bool motion_write_mat(FILE *to, const struct motion *motion)
{
    const uint64_t most = INT32_MAX; /* bytes of a variable */
    const uint16_t version = 0x0100, order = 0x4D49;
    const char no_data[8] = {0};
    char variable[NAME + 1];
    for (int p = 0; p < motion->n_part; p++)
        if ((uint64_t)motion->n_time * (uint64_t)motion->parts[p].n >
            most / sizeof(double) - FLAGS - DIMENSIONS)
            return false;
    (void)fprintf(to, "%-116.116s", "MATLAB 5.0 MAT-file, written by manylink");
    (void)fwrite(no_data, sizeof no_data, 1, to);
    (void)fwrite(&version, sizeof version, 1, to);
    (void)fwrite(&order, sizeof order, 1, to);
    mat_text(to, "title", motion->title);
    for (int p = 0; p < motion->n_part; p++) {
        const struct motion_part *part = &motion->parts[p];
        mat_matrix(to, mat_name(part->name, "", variable), motion, part);
        mat_texts(to, mat_name(part->name, "_columns", variable), part->n, part->columns);
        mat_text(to, mat_name(part->name, "_unit", variable), part->unit);
    }
    return true;
}
