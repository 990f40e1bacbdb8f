/* Times as people write them. */
#ifndef ML_CLI_DURATION_H
#define ML_CLI_DURATION_H

#include <stdbool.h>

#define DURATION_FORMS "90, 90s, 20m, 3h50m, 2d, or as Slurm writes them: 4:00:00, 1-12:00:00"

/* Seconds from one of DURATION_FORMS; false if it is in no such form, or not above 0. */
bool parse_duration(const char *text, double *seconds);

#endif
