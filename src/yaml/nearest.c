/* Edit distance between words, and the nearest of the words that are offered. */
#include "yaml/nearest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "manylink/text.h"

enum { LONGEST = 127 }; /* longer words are never near */

static int nearest_least(int a, int b) { return a < b ? a : b; }

/* Whether two bytes are the same letter, in capitals or not. */
static bool is_letter_of(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment; rows i-2, i-1 and i of the table. Capitals make no difference. */
int ml_distance(const char *a, const char *b, int limit)
{
    int n_a = (int)strnlen(a, LONGEST + 1), n_b = (int)strnlen(b, LONGEST + 1);
    if (n_a > LONGEST || n_b > LONGEST || abs(n_a - n_b) >= limit)
        return limit;
    int rows[3][LONGEST + 1];
    for (int j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n_a; i++) {
        int *row = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        int lowest = row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            int replaced = last[j - 1] + !is_letter_of(a[i - 1], b[j - 1]);
            row[j] = nearest_least(replaced, nearest_least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = nearest_least(row[j], before[j - 2] + 1);
            lowest = nearest_least(lowest, row[j]);
        }
        if (lowest >= limit)
            return limit;
    }
    return nearest_least(rows[n_a % 3][n_b], limit);
}

struct ml_nearest ml_nearest_typo(const char *wanted)
{
    int length = (int)strnlen(wanted, LONGEST + 1);
    const int most = length > 6 ? length / 3 : length > 3 ? 2 : 1;
    return (struct ml_nearest){.wanted = wanted, .distance = most + 1, .is_letter = length == 1};
}

struct ml_nearest ml_nearest_any(const char *wanted)
{
    return (struct ml_nearest){.wanted = wanted, .distance = LONGEST + 1};
}

/* Whether a word is the written path with more in front: "forces.c.kp" of "c.kp". */
static bool nearest_ends(const char *word, const char *path)
{
    const size_t n = strlen(word), n_path = strlen(path);
    return strchr(path, '.') && n > n_path && word[n - n_path - 1] == '.' &&
           strcmp(word + n - n_path, path) == 0;
}

void ml_nearest_offer(struct ml_nearest *nearest, const char *word)
{
    const bool is_end = nearest_ends(word, nearest->wanted);
    const int distance = is_end ? 1 : ml_distance(nearest->wanted, word, nearest->distance);
    const bool is_begun =
        tolower((unsigned char)nearest->wanted[0]) == tolower((unsigned char)word[0]);
    if (distance < nearest->distance && (is_begun || !nearest->is_letter)) {
        nearest->distance = distance;
        nearest->best = word;
    }
}

const char *ml_text_nearest(const char *typed, const char *const *words, int n_word)
{
    struct ml_nearest nearest = ml_nearest_typo(typed);
    for (int i = 0; i < n_word; i++)
        ml_nearest_offer(&nearest, words[i]);
    return nearest.best;
}
