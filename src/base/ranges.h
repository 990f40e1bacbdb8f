/* Sets of numbers, for people: "0, 3-7, 12". */
#ifndef ML_BASE_RANGES_H
#define ML_BASE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

/* The numbers below n for which `is_in` is true, as text to be freed; long lists are cut off with
 * "...". NULL without memory. */
char *ml_ranges(int64_t n, bool (*is_in)(const void *context, int64_t i), const void *context);

#endif
