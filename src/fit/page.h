/* A fit as a page of text. */
#ifndef ML_FIT_PAGE_H
#define ML_FIT_PAGE_H

#include <stdio.h>

#include "fit/posterior.h"
#include "fit/profile.h"

/* Lines with their ends, to be freed; NULL without memory.
 *   profile, posterior  NULL: not wanted */
char *ml_fit_page(const struct ml_fit_found *found, const struct ml_fit_profile *profile,
                  const struct ml_fit_posterior *posterior);

/* fit/posterior_page.c: the table of the posterior.
 *   width  of the names */
void ml_fit_page_posterior(FILE *to, const struct ml_fit_posterior *posterior, int width);

/* "0.71 system.segments.lower.mass - 0.70 system.segments.lower.com": direction k, without parts
 * below 0.1, in parts of the ranges; to be freed, NULL without memory. */
char *ml_fit_combination(const struct ml_fit_found *found, int k);

#endif
