/* How fast a study runs on this machine, measured in a moment. */
#ifndef ML_CLI_SPEED_H
#define ML_CLI_SPEED_H

#include <stdbool.h>

#include "manylink/study.h"

struct speed {
    double rate;      /* as of ml_plan: member-steps per second of one thread; 0: not known */
    double taken;     /* as of ml_plan: part of the steps that is taken */
    bool is_at_most;  /* the study takes no longer than by these two */
    bool is_at_least; /* it is slower than `rate`, and measuring it would have taken too long */
};

/* Measures for a fraction of a second, and never longer than some: a step may take minutes. */
struct speed measure_speed(const struct ml_study *study);

#endif
