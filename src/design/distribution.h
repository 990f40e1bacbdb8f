/* Distributions of drawn numbers, by their quantile functions. */
#ifndef ML_DESIGN_DISTRIBUTION_H
#define ML_DESIGN_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

enum ml_distribution_kind {
    ML_UNIFORM, /* of the number, or of its logarithm */
    ML_NORMAL,
    ML_LOGNORMAL,
    ML_TRIANGULAR,
    ML_BETA,
    ML_DISCRETE,
    ML_TABULATED, /* between values, with the same density all along each interval */
    ML_N_DISTRIBUTION
};

/* Numbers that a kind does not have, or that are not given, are NaN. */
struct ml_distribution {
    int kind;        /* enum ml_distribution_kind */
    bool is_log;     /* of a uniform one: of the logarithm */
    double from, to; /* ends; a normal or lognormal distribution may be cut off at either */
    double mean, sd; /* of the number itself, before the cut */
    double cv;       /* sd / |mean|, in place of sd */
    double mode;     /* of a triangular one */
    double alpha, beta;
    /* Numbers of a discrete one, or the ends of the intervals of a tabulated one, ascending;
     * weights of the numbers, or of the n_value - 1 intervals; NULL: all the same. */
    const double *values, *weights;
    int64_t n_value;
};

/* A probability and its complement: each is exact to a rounding where it is small. */
struct ml_probability {
    long double below, above; /* in (0, 1), with the sum 1 */
};

/* The middle of the interval of 2^-53 that begins at u, a multiple of that in [0, 1). */
struct ml_probability ml_probability_of(double u);

/* The number below which a value of the standard normal distribution is with that probability. */
long double ml_normal_quantile(struct ml_probability p);

/* The probability of values of the standard normal distribution below z. */
struct ml_probability ml_normal_probability(long double z);

/* The probability of a beta distribution below x in [0, 1] and above. */
struct ml_probability ml_beta_probability(double alpha, double beta, double x);

/* The number below which a drawn number is with that probability; in [from, to]. Not of a uniform
 * distribution, of which ml_between is the quantile. */
double ml_distribution_quantile(const struct ml_distribution *distribution,
                                struct ml_probability p);

/* Standard deviation before the cut, of a normal or lognormal distribution; NaN of another. */
double ml_distribution_deviation(const struct ml_distribution *distribution);

/* Mean and standard deviation before the cut, of a normal number or of the normal logarithm of a
 * lognormal one. */
struct ml_normal_law {
    long double mean, sd;
};
struct ml_normal_law ml_distribution_law(const struct ml_distribution *distribution);

/* The kinds: word in the study file, its meaning, keys that it needs and keys that it may have. Of
 * `sd` and `cv` a kind that needs `sd` needs either. */
struct ml_distribution_info {
    const char *word, *doc;
    const char *needs[4], *may[4]; /* NULL behind the last */
};
extern const struct ml_distribution_info ml_distributions[ML_N_DISTRIBUTION];

#endif
