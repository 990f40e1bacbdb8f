/* Writes one run over time as a MAT-file of level 5. */
#include "cli/mat_file.h"
#include "cli/motion_file.h"

static void mat_matrix(FILE *to, const char *name, const struct motion *motion,
                       const struct motion_part *part)
{
    const int64_t shape[] = {motion->n_time, part->n};
    mat_begin_numbers(to, name, 2, shape);
    for (int i = 0; i < part->n; i++)
        (void)fwrite(part->values + i * motion->n_room, sizeof(double), (size_t)motion->n_time, to);
}

/* Of every part a matrix [time x component], its NAME_columns and NAME_unit. */
bool motion_write_mat(FILE *to, const struct motion *motion)
{
    char variable[MAT_NAME + 1];
    for (int p = 0; p < motion->n_part; p++)
        if (!mat_fits((uint64_t)motion->n_time * (uint64_t)motion->parts[p].n))
            return false;
    mat_header(to);
    mat_text(to, "title", motion->title);
    for (int p = 0; p < motion->n_part; p++) {
        const struct motion_part *part = &motion->parts[p];
        mat_matrix(to, mat_name(part->name, "", variable), motion, part);
        mat_texts(to, mat_name(part->name, "_columns", variable), part->n,
                  (const char *const *)part->columns);
        mat_text(to, mat_name(part->name, "_unit", variable), part->unit);
    }
    return true;
}
