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

int ml_saving_records(const struct ml_saving *saving)
{
    return saving->every > 0 ? saving->n_record : 0;
}

bool ml_saving_has(const struct ml_saving *saving, int q)
{
    for (int k = 0; k < ml_saving_records(saving); k++)
        if (saving->records[k] == q)
            return true;
    return false;
}
