/* Finds landmarks of a leg, or else an arm, among the names of columns. */
#include "inverse/landmarks.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Joints of a limb from proximal to distal, with the segment beyond, and words in the names of
 * markers at them; the last has no segment. */
struct joint {
    const char *segment;
    const char *words[8]; /* NULL at the end */
};

enum { N_JOINT = 4, NAME_MOST = 256 }; /* characters of a name that are looked at */

static const struct joint limbs[][N_JOINT] = {
    {{"thigh", {"hip", "hjc", "gtr", "troch", "FTC", "FH", "asi", NULL}},
     {"shank", {"kne", "kjc", "lfc", "FLE", "LFE", "LE", NULL}},
     {"foot", {"ank", "ajc", "lmal", "FAL", "LM", NULL}},
     {NULL, {"mt5", "toe", "mt2", "mt1", "FM5", "VM", NULL}}},
    {{"upper_arm", {"shoulder", "sho", "acr", NULL}},
     {"forearm", {"elb", NULL}},
     {"hand", {"wri", NULL}},
     {NULL, {"knu", "fin", NULL}}},
};

/* Whether a word stands in a name; a word in capitals must be the whole name but for a
 * coordinate. */
static bool has_word(const char *name, const char *word)
{
    const size_t n = strlen(word);
    if (*word >= 'A' && *word <= 'Z')
        return strncmp(name, word, n) == 0 && strlen(name) <= n + 2;
    for (int i = 0; i < NAME_MOST && name[i]; i++)
        if (strncasecmp(name + i, word, n) == 0)
            return true;
    return false;
}

/* Side that a name says: 1 right, -1 left, 0 neither. */
static int side_of(const char *name)
{
    const size_t n = strlen(name);
    const char first = name[0], second = name[n > 1];
    const char last = name[n > 2 && name[n - 2] == '_' ? n - 1 : n];
    const bool is_marked = second == '.' || second == '_' || second == ' ' ||
                           (second >= 'A' && second <= 'Z' && n > 2);
    if (has_word(name, "right") || last == 'r' || last == 'R' || (first == 'R' && is_marked))
        return 1;
    if (has_word(name, "left") || last == 'l' || last == 'L' || (first == 'L' && is_marked))
        return -1;
    return 0;
}

bool ml_landmark_is_angle(const char *name)
{
    static const char *const others[] = {"force",    "moment", "torque", "frame", "sample",
                                         "pelvis_t", "emg",    "power",  "cop",   "grf",
                                         "item",     "/x",     "/y",     "/z",    NULL};
    for (int i = 0; others[i]; i++)
        if (has_word(name, others[i]) && strcmp(name, "pelvis_tilt") != 0)
            return false;
    return !ml_plate_names(name);
}

/* Number of coordinates of the marker whose x a column has: 2 or 3; 0 if the column is no x of a
 * marker, as those of forces.
 *   length  out: of the marker's name */
static int count_parts(const struct ml_table *table, int c, size_t *length)
{
    const char *name = table->columns[c].param.name;
    const size_t n = strlen(name);
    int parts = 1;
    if (n < 2 || n > NAME_MOST || (name[n - 1] | 0x20) != 'x' || has_word(name, "torque") ||
        has_word(name, "moment") || has_word(name, "force_v") || ml_plate_names(name))
        return 0;
    *length = n - 1 - (strchr("/_. :-", name[n - 2]) != NULL);
    for (; parts < 3 && c + parts < table->n_cell; parts++) {
        const char *next = table->columns[c + parts].param.name;
        if (strlen(next) != n || strncmp(next, name, n - 1) != 0 ||
            (next[n - 1] | 0x20) != 'x' + parts)
            break;
    }
    return parts > 1 ? parts : 0;
}

bool ml_landmark_is_part(const struct ml_table *table, int c)
{
    size_t length;
    for (int i = 0; i < 3 && i <= c; i++)
        if (count_parts(table, c - i, &length) > i)
            return true;
    return false;
}

/* Whether a column has numbers. */
static bool has_numbers(const struct ml_table *table, int c)
{
    const double *y = table->columns[c].to;
    for (int64_t k = 0; k < table->n_row; k++)
        if (!isnan(y[k]))
            return true;
    return false;
}

/* The column of a joint's angle, or x of a marker at it: by the order of words, then the side; -1:
 * none. */
static int find_joint(const struct ml_table *table, const struct joint *joint, bool of_markers,
                      int side)
{
    size_t length;
    for (int w = 0; joint->words[w]; w++)
        for (int c = 0; c < table->n_cell; c++) {
            const char *name = table->columns[c].param.name;
            const bool is_one = of_markers
                                    ? count_parts(table, c, &length) > 0
                                    : ml_landmark_is_angle(name) &&
                                          !ml_landmark_is_part(table, c) && !strstr(name, "add") &&
                                          !strstr(name, "rot") && !strstr(name, "beta");
            const char *word = joint->words[w];
            const bool is_sided = *word >= 'a'; /* a word in capitals is a whole name */
            if (is_one && has_word(name, word) && (!is_sided || side_of(name) == side) &&
                has_numbers(table, c))
                return c;
        }
    return -1;
}

static void add_marker(const struct ml_table *table, int x, struct ml_landmark *to)
{
    size_t length;
    const int n = count_parts(table, x, &length);
    for (int i = 0; i < n; i++)
        to->columns[to->n_column++] = x + i;
}

/* x of the marker on the other side of a knee or an ankle, as RLFC and RMFC, LE and ME, or R.Knee
 * and R.Knee.Medial; -1: none. */
static int find_medial(struct ml_table *table, int x)
{
    const char *name = table->columns[x].param.name;
    size_t length = 0, other_length = 0;
    for (size_t i = 0; count_parts(table, x, &length) > 0 && i < length; i++) {
        char *other = ml_pool_text(table->pool, name, strlen(name));
        if (!other || (other[i] | 0x20) != 'l')
            continue;
        other[i]++;
        const int c = ml_table_find(table, other);
        if (c >= 0 && has_numbers(table, c))
            return c;
    }
    for (int c = 0; c < table->n_cell; c++)
        if (c != x && strncmp(table->columns[c].param.name, name, length) == 0 &&
            has_word(table->columns[c].param.name + length, "med") &&
            count_parts(table, c, &other_length) > 0 && has_numbers(table, c))
            return c;
    return -1;
}

/* A marker's name. */
static const char *marker_name(const struct ml_table *table, int x)
{
    size_t length = 0;
    (void)count_parts(table, x, &length);
    const char *name = ml_pool_text(table->pool, table->columns[x].param.name, length);
    return name ? name : "";
}

/* Joints that follow each other, from the first on; false without. */
static bool find_limb(struct ml_table *table, const struct joint *limb, bool of_markers, int side,
                      struct ml_landmarks *out)
{
    int at[N_JOINT];
    out->n = 0;
    for (int j = 0; j < N_JOINT; j++) {
        at[j] = find_joint(table, &limb[j], of_markers, side);
        if (at[j] < 0 && j > 0)
            at[j] = find_joint(table, &limb[j], of_markers, 0);
    }
    for (int j = 0; j < ML_LANDMARKS && at[j] >= 0; j++) {
        struct ml_landmark *to = &out->of[out->n];
        *to = (struct ml_landmark){.segment = limb[j].segment};
        if (of_markers && at[j + 1] < 0)
            break;
        if (of_markers) {
            for (int end = 0; end < 2; end++) {
                const int joint = j + end;
                const int medial = joint == 1 || joint == 2 ? find_medial(table, at[joint]) : -1;
                to->ends[end][0] = marker_name(table, at[joint]);
                to->ends[end][1] = medial >= 0 ? marker_name(table, medial) : NULL;
                add_marker(table, at[joint], to);
            }
        } else {
            to->name = table->columns[at[j]].param.name;
            to->columns[to->n_column++] = at[j];
        }
        out->n++;
    }
    return out->n > 0;
}

/* Mean of y - z where both are there; z NULL: of y. */
static double mean_of(int64_t n, const double *y, const double *z)
{
    double sum = 0.0;
    int64_t there = 0;
    for (int64_t k = 0; k < n; k++) {
        const double own = z ? y[k] - z[k] : y[k];
        sum += isnan(own) ? 0.0 : own;
        there += !isnan(own);
    }
    return there > 0 ? sum / (double)there : 0.0;
}

/* How far y goes from the first quarter of the samples that are there to the last. */
static double way_of(int64_t n, const double *y)
{
    int64_t first = 0, end = n;
    while (first < n && isnan(y[first]))
        first++;
    while (end > first && isnan(y[end - 1]))
        end--;
    const int64_t part = (end - first) / 4;
    return mean_of(part, y + end - part, NULL) - mean_of(part, y + first, NULL);
}

/* The axis along which the first marker is above the last is up; that along which it goes farthest
 * is forward. */
static void find_plane(const struct ml_table *table, struct ml_landmarks *out)
{
    static const char *const names[2][3] = {{"x", "y", "z"}, {"-x", "-y", "-z"}};
    const struct ml_landmark *first = &out->of[0], *last = &out->of[out->n - 1];
    const int n = first->n_column / 2;
    double height[3] = {0.0}, way[3] = {0.0};
    int up = 0, forward = -1;
    for (int i = 0; i < n && i < last->n_column / 2; i++) {
        const double *y = table->columns[first->columns[i]].to;
        const double *z = table->columns[last->columns[last->n_column / 2 + i]].to;
        height[i] = mean_of(table->n_row, y, z);
        way[i] = way_of(table->n_row, y);
        up = fabs(height[i]) > fabs(height[up]) ? i : up;
    }
    for (int i = 0; i < n; i++)
        if (i != up && (forward < 0 || fabs(way[i]) > fabs(way[forward])))
            forward = i;
    const double least = 0.35; /* of that height: some 0.3 m of a leg */
    out->travels = forward >= 0 && fabs(way[forward]) > least * fabs(height[up]);
    out->up = names[height[up] < 0.0][up];
    out->forward = names[forward >= 0 && way[forward] < 0.0][forward < 0 ? 0 : forward];
}

void ml_landmarks_find(struct ml_table *table, struct ml_landmarks *out)
{
    static const int sides[] = {1, -1, 0};
    *out = (struct ml_landmarks){.forward = "x", .up = "y"};
    for (int kind = 0; kind < 2; kind++)
        for (size_t limb = 0; limb < sizeof limbs / sizeof *limbs; limb++)
            for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
                if (find_limb(table, limbs[limb], kind == 0, sides[s], out)) {
                    if (kind == 0)
                        find_plane(table, out);
                    return;
                }
}
