/* The known word nearest to a written word, for "did you mean". */
#ifndef ML_YAML_NEAREST_H
#define ML_YAML_NEAREST_H

#include <stdbool.h>

/* Edit distance (insert, delete, replace, swap neighbours), or `limit` if it is not less. */
int ml_distance(const char *a, const char *b, int limit);

/* Keeps the nearest of the words offered so far; the first of equals. */
struct ml_nearest {
    const char *wanted;
    const char *best; /* NULL: none near enough */
    int distance;     /* of `best`; before: one more than is near enough */
    bool is_letter;   /* one that only names which begin with it are near to */
};

/* Near enough for a typing error: about a third of the letters. */
struct ml_nearest ml_nearest_typo(const char *wanted);

/* However far. */
struct ml_nearest ml_nearest_any(const char *wanted);

/* A path whose end was written is as near as a word with one mistake. */
void ml_nearest_offer(struct ml_nearest *nearest, const char *word);

#endif
