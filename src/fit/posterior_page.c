/* Writes the table of the posterior of a fit, and its doubts. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "fit/page.h"

/* Warnings of chains that are too short or have not mixed, with a remedy. */
static void write_mixing(FILE *to, const struct ml_fit_posterior *p)
{
    const double time = ml_fit_posterior_time(p), r_hat = ml_fit_posterior_r_hat(p),
                 steps = (double)p->spec->steps,
                 accepted = (double)p->n_accepted / (double)p->n_trial;
    const double wanted = ceil(2.0 * ML_CHAIN_LEAST_TIMES * time / 100.0) * 100.0;
    if (!(steps >= ML_CHAIN_LEAST_TIMES * time))
        (void)fprintf(to,
                      "  the chains are shorter than %g autocorrelation times (%.0f steps, of %.3g "
                      "at least): the numbers above are rough; raise `steps` of `posterior` to "
                      "%.0f\n",
                      ML_CHAIN_LEAST_TIMES, steps, time, wanted);
    if (!(r_hat <= ML_CHAIN_MOST_R_HAT))
        (void)fprintf(to,
                      "  the chains have not mixed: their halves differ (R-hat %.4g, above %g); "
                      "raise `burn_in` and `steps` of `posterior`, or narrow the ranges if some "
                      "walkers are at another minimum\n",
                      r_hat, ML_CHAIN_MOST_R_HAT);
    if (accepted < 0.1)
        (void)fprintf(to,
                      "  few moves are accepted: the density is far from a normal one; take more "
                      "`walkers`, or ranges by `scale: log`\n");
}

void ml_fit_page_posterior(FILE *to, const struct ml_fit_posterior *p, int width)
{
    const struct ml_fit_range *ranges = p->walkers.study->spec.fit.ranges;
    (void)fprintf(to,
                  "\nposterior by %lld walkers of %lld steps, after %lld: %.2g of the moves "
                  "accepted, %lld runs\n",
                  (long long)p->spec->walkers, (long long)p->spec->steps,
                  (long long)p->spec->burn_in, (double)p->n_accepted / (double)p->n_trial,
                  (long long)p->walkers.n_evaluation);
    (void)fprintf(to, "%-*s  %-8s  %14s  %11s  %-28s  %11s  %s\n", width, "number", "unit", "mean",
                  "std. dev.", "95 % interval", "autocorr.", "R-hat");
    for (int i = 0; i < p->n; i++) {
        const struct ml_chain_summary *of = &p->of[i];
        char interval[64];
        (void)snprintf(interval, sizeof interval, "%.8g .. %.8g", of->low, of->high);
        (void)fprintf(to, "%-*s  %-8s  %14.8g  %11.3g  %-28s  %11.3g  %.4f\n", width,
                      ranges[i].name, ml_unit_text("", ranges[i].unit, "").text, of->mean, of->sd,
                      interval, of->time, of->r_hat);
    }
    write_mixing(to, p);
}
