/* Finds the columns of force plates among those of a table. */
#include "inverse/landmarks.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Where a component's letter is in a name: at its end but for digits; -1: the name has no such
 * letter. */
static int letter_of(const char *name)
{
    int at = (int)strlen(name) - 1;
    while (at > 0 && name[at] >= '0' && name[at] <= '9')
        at--;
    return at >= 0 && (name[at] | 0x20) >= 'x' && (name[at] | 0x20) <= 'z' ? at : -1;
}

bool ml_plate_names(const char *name)
{
    static const char *const stems[] = {"f", "m", "t", "grf", "frc", "force", "moment", "torque"};
    const int at = letter_of(name);
    const int length = at > 0 && strchr("_. ", name[at - 1]) ? at - 1 : at;
    if (at == 0 && name[1])
        return true;
    for (size_t i = 0; at > 0 && i < sizeof stems / sizeof *stems; i++)
        if ((size_t)length == strlen(stems[i]) &&
            strncasecmp(name, stems[i], strlen(stems[i])) == 0)
            return true;
    return false;
}

/* Index of the column whose name is that of x with `stem` in place of the letters from `from` to
 * its component, and with component d for x; -1: none. */
static int find_part(struct ml_table *table, const char *name, int from, const char *stem, int d)
{
    const int at = letter_of(name);
    const char *part =
        ml_pool_format(table->pool, "%.*s%s%c%s", from, name, stem, name[at] + d, name + at + 1);
    return part ? ml_table_find(table, part) : -1;
}

static double largest(const struct ml_table *table, int c)
{
    double most = 0.0;
    for (int64_t k = 0; c >= 0 && k < table->n_row; k++)
        most = fmax(most, fabs(table->columns[c].to[k]));
    return most;
}

bool ml_plate_find(struct ml_table *table, int x, struct ml_plate *out)
{
    /* letters in front of the component, of a force and of its point */
    static const char *const stems[][2] = {{"v", "p"}, {"F", ""},    {"F", "COP"},
                                           {"F", "P"}, {"f", "cop"}, {"f", "p"}};
    const char *name = table->columns[x].param.name;
    const int at = letter_of(name);
    if (at < 1 || (name[at] | 0x20) != 'x')
        return false;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        const char *own = stems[i][0], *other = stems[i][1];
        const int from = at - 1;
        if (name[from] != *own)
            continue;
        const int y = find_part(table, name, from, own, 1),
                  z = find_part(table, name, from, own, 2);
        const int up = largest(table, z) > largest(table, y) ? 2 : 1;
        *out = (struct ml_plate){
            {x, up == 1 ? y : z},
            {find_part(table, name, from, other, 0), find_part(table, name, from, other, up)}};
        if (out->point[0] >= 0 && out->point[1] >= 0)
            return largest(table, out->force[1]) > 0.0;
    }
    return false;
}
