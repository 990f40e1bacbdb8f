/* Where and when a result is made. */
#ifndef ML_STORE_PROVENANCE_H
#define ML_STORE_PROVENANCE_H

#include <stdint.h>

enum { ML_TIME_LENGTH = 32, ML_HOST_LENGTH = 256 };

void ml_provenance_time(char out[ML_TIME_LENGTH]); /* now: UTC, ISO 8601; "" if it is not known */
void ml_provenance_host(char out[ML_HOST_LENGTH]); /* "" if unknown */
const char *ml_provenance_compiler(void);

/* Where and how a result was made: the only thing in which two results of one study differ. */
struct ml_provenance {
    const char *study;     /* path of the file; NULL: none */
    const char *overrides; /* of the study's keys, "PATH=VALUE", a line each; NULL: none */
    const char *options;   /* of `inverse` that say which motion, "NAME=VALUE"; NULL: none */
    const char *version, *compiler, *isa, *host;
    const char
        *kernel; /* that computed it, and its compiler if it was made for it; NULL: none did */
    int threads;
    const char *start_time, *end_time; /* ISO 8601 */
    const char *motion;                /* of `inverse`: checksum of the motion; NULL: it has none */
    int64_t not_finite;                /* of it: results with numbers that are not finite */
    const char *notes;                 /* notes for the user, a line each; NULL: no notes */
};

#endif
