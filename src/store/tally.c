/* Counts how runs ended. */
#include "store/tally.h"

void ml_tally_add(struct ml_tally *tally, int outcome, int64_t run, double end_time)
{
    if (tally->count[outcome]++ == 0 || run < tally->first_run[outcome]) {
        tally->first_run[outcome] = run;
        tally->first_time[outcome] = end_time;
    }
}
