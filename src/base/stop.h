/* Whether a call in progress is asked to end before its time. */
#ifndef ML_BASE_STOP_H
#define ML_BASE_STOP_H

struct ml_stop {
    int (*level)(void *context); /* NULL: it is not; else as `stop` of ml_run_options */
    void *context;
};

/* 0 go on, 1 take no more work, 2 drop that in progress too. */
static inline int ml_stop_level(struct ml_stop stop)
{
    return stop.level ? stop.level(stop.context) : 0;
}

#endif
