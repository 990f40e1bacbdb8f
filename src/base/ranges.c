/* Formats a set of integers as "0, 3-7, 12" for messages. */
#include "base/ranges.h"

#include <stdio.h>
#include <stdlib.h>

char *ml_ranges(int64_t n, bool (*is_in)(const void *context, int64_t i), const void *context)
{
    enum { MOST = 20 }; /* ranges that are named */
    char *text = NULL;
    size_t size;
    int n_range = 0;
    FILE *out = open_memstream(&text, &size);
    for (int64_t i = 0, end; out && i < n && n_range <= MOST; i = end) {
        end = i + 1;
        if (!is_in(context, i))
            continue;
        while (end < n && is_in(context, end))
            end++;
        const char *comma = n_range++ > 0 ? ", " : "";
        if (n_range > MOST)
            (void)fprintf(out, ", ...");
        else if (end - i > 1)
            (void)fprintf(out, "%s%lld-%lld", comma, (long long)i, (long long)end - 1);
        else
            (void)fprintf(out, "%s%lld", comma, (long long)i);
    }
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
