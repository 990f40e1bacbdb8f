/* Which runs keep their trajectory. */
#include "design/saving.h"

int64_t ml_saving_index(const struct ml_saving *saving, int64_t run)
{
    int64_t below = run < saving->run_first ? run : saving->run_first;
    return saving->every ? (below + saving->run_every - 1) / saving->run_every : 0;
}

bool ml_saving_keeps(const struct ml_saving *saving, int64_t run)
{
    return saving->every && run < saving->run_first && run % saving->run_every == 0;
}
