/* Time, host and compiler for /study/provenance. */
#include "store/provenance.h"

#include <time.h>
#include <unistd.h>

#if defined __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

void ml_provenance_time(char out[ML_TIME_LENGTH])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || !strftime(out, ML_TIME_LENGTH, "%Y-%m-%dT%H:%M:%SZ", &parts))
        out[0] = '\0';
}

void ml_provenance_host(char out[ML_HOST_LENGTH])
{
    if (gethostname(out, ML_HOST_LENGTH) != 0)
        out[0] = '\0';
    out[ML_HOST_LENGTH - 1] = '\0';
}

const char *ml_provenance_compiler(void) { return COMPILER; }
