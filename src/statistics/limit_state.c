/* Draws of normal scores, and intervals of probabilities. */
#include "statistics/limit_state.h"

#include <math.h>

#include "design/sample.h"

double ml_normal_draw(uint64_t seed, int64_t i, int j)
{
    return (double)ml_normal_quantile(ml_probability_of(ml_sample(ML_RANDOM, seed, 0, i, j)));
}

void ml_chance_bound(struct ml_chance *chance)
{
    const double z = 1.959963984540054; /* 0.975-quantile of the standard normal distribution */
    const double width = exp(z * sqrt(log1p(chance->variation * chance->variation)));
    chance->low = chance->value / width;
    chance->high = fmin(chance->value * width, 1.0);
}
