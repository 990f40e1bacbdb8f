/* Writes one run over time: as text for spreadsheets and for OpenSim, and as a MAT-file. */
#include "tools/export/export.h"

#include <string.h>

#include "manylink/text.h"

#define MOTION_FORMAT_ROW(name, doc, limit) {"." #name, limit, motion_write_##name},
static const struct motion_format formats[] = {MOTION_FORMATS(MOTION_FORMAT_ROW, )};

const struct motion_format *motion_format_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (dot && dot > name && strcmp(dot, formats[i].ending) == 0)
            return &formats[i];
    return NULL;
}

/* The line of names, then one per time. */
static void motion_write_table(FILE *to, const struct motion *motion, char separator,
                               const char *missing)
{
    for (int64_t row = -1; row < motion->n_time; row++)
        for (int p = 0; p < motion->n_part; p++) {
            const struct motion_part *part = &motion->parts[p];
            for (int i = 0; i < part->n; i++) {
                const bool is_last = p == motion->n_part - 1 && i == part->n - 1;
                if (row < 0)
                    ml_text_word(to, part->columns[i], separator);
                else
                    ml_text_number(to, part->values[i * motion->n_room + row], missing);
                (void)fputc(is_last ? '\n' : separator, to);
            }
        }
}

/* A table with a line of names, which `inverse --motion` reads; cells are empty where there is no
 * number. */
bool motion_write_csv(FILE *to, struct motion *motion)
{
    motion_write_table(to, motion, ',', "");
    return true;
}

/* OpenSim's storage file: a header, then names and numbers between tabs. */
bool motion_write_sto(FILE *to, struct motion *motion)
{
    int n_column = 0;
    for (int p = 0; p < motion->n_part; p++)
        n_column += motion->parts[p].n;
    (void)fprintf(to, "%s\nversion=1\nnRows=%lld\nnColumns=%d\ninDegrees=no\nunits=",
                  *motion->title ? motion->title : "manylink", (long long)motion->n_time, n_column);
    for (int p = 0; p < motion->n_part; p++)
        (void)fprintf(to, "%s%s %s", p > 0 ? ", " : "", motion->parts[p].name,
                      motion->parts[p].unit);
    (void)fputs("\nendheader\n", to);
    motion_write_table(to, motion, '\t', "nan");
    return true;
}

static void mat_matrix(FILE *to, const char *name, const struct motion *motion,
                       const struct motion_part *part)
{
    const int64_t shape[] = {motion->n_time, part->n};
    mat_begin_numbers(to, name, 2, shape);
    for (int i = 0; i < part->n; i++)
        (void)fwrite(part->values + i * motion->n_room, sizeof(double), (size_t)motion->n_time, to);
}

/* Variables of a part: its matrix, the names of the columns, the unit. */
static const char *const mat_endings[] = {"", "_columns", "_unit"};
enum { MAT_MATRIX, MAT_COLUMNS, MAT_UNIT, N_MAT_ENDING };

static const char *mat_variable(const struct motion_part *part, int which,
                                char variable[MAT_NAME + 1])
{
    char number[16] = "", ending[32];
    if (part->same > 0)
        (void)snprintf(number, sizeof number, "_%d", part->same);
    (void)snprintf(ending, sizeof ending, "%s%s", number, mat_endings[which]);
    return mat_name(part->name, ending, variable);
}

/* Whether a variable of a part has the name of the title, or of a variable of a part before it. */
static bool mat_is_taken(const struct motion_part *parts, int p)
{
    char own[MAT_NAME + 1], other[MAT_NAME + 1];
    bool is_taken = strcmp(mat_variable(&parts[p], MAT_MATRIX, own), "title") == 0;
    for (int i = 0; i < N_MAT_ENDING; i++) {
        (void)mat_variable(&parts[p], i, own);
        for (int q = 0; q < p; q++)
            for (int k = 0; k < N_MAT_ENDING; k++)
                is_taken = is_taken || strcmp(own, mat_variable(&parts[q], k, other)) == 0;
    }
    return is_taken;
}

/* Writes of every part a matrix [time x component], its NAME_columns and NAME_unit. */
bool motion_write_mat(FILE *to, struct motion *motion)
{
    char variable[MAT_NAME + 1];
    for (int p = 0; p < motion->n_part; p++)
        if (!mat_fits((uint64_t)motion->n_time * (uint64_t)motion->parts[p].n))
            return false;
    mat_header(to);
    mat_text(to, "title", motion->title);
    for (int p = 0; p < motion->n_part; p++) {
        struct motion_part *part = &motion->parts[p];
        while (mat_is_taken(motion->parts, p))
            part->same += part->same > 0 ? 1 : 2;
        mat_matrix(to, mat_variable(part, MAT_MATRIX, variable), motion, part);
        mat_texts(to, mat_variable(part, MAT_COLUMNS, variable), part->n,
                  (const char *const *)part->columns);
        mat_text(to, mat_variable(part, MAT_UNIT, variable), part->unit);
    }
    return true;
}
