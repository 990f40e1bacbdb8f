/* Numbers that a study may leave open. */
#ifndef ML_CONFIG_OPTIONAL_H
#define ML_CONFIG_OPTIONAL_H

#include <stdbool.h>

struct ml_optional {
    bool is_given; /* and could be read */
    double value;  /* 0 if it is not */
};

static inline double ml_optional_or(struct ml_optional number, double otherwise)
{
    return number.is_given ? number.value : otherwise;
}

#endif
