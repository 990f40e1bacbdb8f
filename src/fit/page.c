/* Writes the page of a fit: estimates, noise, minima, identifiability, residuals. */
#include "fit/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fit/coordinate.h"
#include "fit/shooting.h"

enum { SHOWN_MINIMA = 4 };

static const struct ml_fit_spec *spec_of(const struct ml_fit_found *f)
{
    return &f->starts->study->spec.fit;
}

static void write_head(FILE *to, const struct ml_fit_found *f)
{
    const struct ml_measured_numbers *m = f->starts->measured;
    (void)fprintf(to, "%lld numbers of %d column%s", (long long)m->n_number, m->n_column,
                  m->n_column == 1 ? "" : "s");
    if (spec_of(f)->is_joint)
        (void)fprintf(to, " of %d experiment%s", spec_of(f)->n_experiment,
                      spec_of(f)->n_experiment == 1 ? "" : "s");
    if (m->n_missing > 0)
        (void)fprintf(to, " (%lld missing)", (long long)m->n_missing);
    (void)fprintf(to, ", %d fitted number%s, %lld start%s, %lld runs\n\n", f->n,
                  f->n == 1 ? "" : "s", (long long)f->starts->n_start,
                  f->starts->n_start == 1 ? "" : "s", (long long)f->starts->n_evaluation);
}

/* "0.79 .. 0.81", padded. */
static void write_interval(FILE *to, double low, double high, int width)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%.8g .. %.8g", low, high);
    (void)fprintf(to, "%-*s", width, text);
}

/* The interval of the profile; bounds of the range where it does not end before these. */
static void write_profile_interval(FILE *to, const struct ml_fit_profile *p, int i)
{
    const struct ml_fit_range *range = &spec_of(p->found)->ranges[i];
    const bool is_below = isnan(p->low[i]), is_above = isnan(p->high[i]);
    write_interval(to, is_below ? range->from : p->low[i], is_above ? range->to : p->high[i], 0);
    (void)fprintf(to, "%s",
                  is_below && is_above ? " (both bounds)"
                  : is_below           ? " (lower bound)"
                  : is_above           ? " (upper bound)"
                                       : "");
}

static int width_of_names(const struct ml_fit_found *f)
{
    int width = 6;
    for (int i = 0; i < f->n; i++) {
        const int own = (int)strlen(spec_of(f)->ranges[i].name);
        width = own > width ? own : width;
    }
    return width;
}

static void write_estimates(FILE *to, const struct ml_fit_found *f, const struct ml_fit_profile *p)
{
    const int width = width_of_names(f);
    const int interval = p ? 28 : 0;
    (void)fprintf(to, "%-*s  %-8s  %14s  %11s  %-*s%s\n", width, "number", "unit", "estimate",
                  "std. error", interval, "95 % interval", p ? "  of the profile" : "");
    for (int i = 0; i < f->n; i++) {
        const struct ml_fit_range *range = &spec_of(f)->ranges[i];
        (void)fprintf(to, "%-*s  %-8s  %14.8g  ", width, range->name,
                      ml_unit_text("", range->unit, "").text, f->estimate[i]);
        if (f->is_held[i])
            (void)fprintf(to, "at its bound: widen `%s` of its range",
                          f->estimate[i] == range->to ? "to" : "from");
        else {
            (void)fprintf(to, "%11.3g  ", f->standard_error[i]);
            write_interval(to, f->low[i], f->high[i], interval);
            if (!p && (f->low[i] < range->from || f->high[i] > range->to))
                (void)fprintf(to, "  beyond the range: `--profile` keeps within");
        }
        if (p) {
            (void)fprintf(to, "  ");
            write_profile_interval(to, p, i);
        }
        (void)fprintf(to, "\n");
    }
    (void)fprintf(to, "\n");
}

/* Priors, and how much the measured numbers have added. */
static void write_priors(FILE *to, const struct ml_fit_found *f)
{
    const double alike = 0.95; /* deviations */
    const double *z = f->starts->descents[f->best].z;
    for (int i = 0; i < f->n; i++) {
        const struct ml_fit_range *range = &spec_of(f)->ranges[i];
        if (!ml_fit_has_prior(range))
            continue;
        const struct ml_fit_distance at = ml_fit_prior(range, z[i]);
        (void)fprintf(to, "prior of %s: %s, %.6g +- %.3g%s; the estimate is %.2f deviations off",
                      range->name, ml_distributions[range->prior.kind].word, range->prior.mean,
                      ml_distribution_deviation(&range->prior),
                      ml_unit_text(" ", range->unit, "").text,
                      fabs(at.residual) < 0.005 ? 0.0 : at.residual);
        if (!f->is_held[i]) {
            const double share = f->standard_error[i] / ml_fit_scale(range, z[i]) * fabs(at.slope);
            (void)fprintf(to, ", with an error of %.2f deviations%s", share,
                          share > alike ? ": the measured numbers add next to nothing" : "");
        }
        (void)fprintf(to, "\n");
    }
}

/* Whether the ends of the two intervals differ by more than a tenth of a standard error. */
static bool differs(const struct ml_fit_profile *p, int i)
{
    const struct ml_fit_found *f = p->found;
    const double much = 0.1 * f->standard_error[i];
    return !f->is_held[i] &&
           !(fabs(p->low[i] - f->low[i]) <= much && fabs(p->high[i] - f->high[i]) <= much);
}

static void write_profile(FILE *to, const struct ml_fit_profile *p)
{
    const double lower = -0.01;
    int n = 0;
    (void)fprintf(to,
                  "profiles: where the sum of squares, with the other numbers fitted again, rises "
                  "by %.4g variances; %lld runs\n",
                  p->found->quantile * p->found->quantile, (long long)p->n_evaluation);
    for (int i = 0; i < p->n; i++)
        if (differs(p, i))
            (void)fprintf(to, "%s%s", n++ > 0 ? ", " : "  the model is not linear along ",
                          spec_of(p->found)->ranges[i].name);
    if (n > 0)
        (void)fprintf(to, ": prefer the intervals of the profile\n");
    if (p->below < lower)
        (void)fprintf(to,
                      "  a point of the profiles is below the best minimum, by %.3g variances: "
                      "take more starts\n",
                      -p->below);
}

static void write_noise(FILE *to, const struct ml_fit_found *f)
{
    /* The cube root of chi^2 over its degrees of freedom is about normal: E. B. Wilson and
     * M. M. Hilferty, PNAS 17, 684 (1931). */
    const double ratio = f->chi2 / (double)f->dof, variance = 2.0 / (9.0 * (double)f->dof);
    const double off = (cbrt(ratio) - (1.0 - variance)) / sqrt(variance),
                 limit = 2.326; /* p = 0.01 */
    if (f->starts->scale > 0.0) {
        (void)fprintf(to,
                      "loss: %lld of %lld residuals are beyond its scale, %.8g%s, and count less\n",
                      (long long)f->n_weighed, (long long)f->n_number, f->starts->scale,
                      spec_of(f)->has_deviations ? " `sd`" : "");
        return;
    }
    if (!spec_of(f)->has_deviations) {
        (void)fprintf(to, "noise: standard deviation %.4g%s, found by the fit\n", sqrt(f->variance),
                      ml_unit_text(" ", spec_of(f)->columns[0].unit, "").text);
        return;
    }
    (void)fprintf(to, "chi^2 / %lld degrees of freedom: %.4g (p = %.2g): ", (long long)f->dof,
                  ratio, erfc(fabs(off) / sqrt(2.0)) / 2.0);
    if (off > limit)
        (void)fprintf(to,
                      "the noise is %.3g times `sd`, or the model lacks something; the standard "
                      "errors hold for `sd`\n",
                      sqrt(ratio));
    else if (off < -limit)
        (void)fprintf(to, "the noise is only %.3g times `sd`\n", sqrt(ratio));
    else
        (void)fprintf(to, "no doubt of `sd` found\n");
}

static void write_minima(FILE *to, const struct ml_fit_found *f)
{
    int64_t ends[ML_DESCENT_FAILED + 1] = {0};
    for (int64_t i = 0; i < f->starts->n_start; i++)
        ends[f->starts->descents[i].end]++;
    (void)fprintf(to,
                  "starts: %lld converged, %lld stalled, %lld reached `iterations`, %lld did not "
                  "finish their runs; %lld of %lld met the best minimum\n",
                  (long long)ends[ML_DESCENT_CONVERGED], (long long)ends[ML_DESCENT_STALLED],
                  (long long)ends[ML_DESCENT_CUT_OFF], (long long)ends[ML_DESCENT_FAILED],
                  (long long)f->n_met[0], (long long)f->starts->n_start);
    if (f->starts->descents[f->best].end == ML_DESCENT_CUT_OFF)
        (void)fprintf(to, "  the best start had not converged: the estimates are not those of a "
                          "minimum; raise `iterations`\n");
    if (f->n_met[0] == 1 && f->starts->n_start > 1)
        (void)fprintf(to, "  no other start met it: it may not be the least one; take more "
                          "starts, or narrower ranges\n");
    for (int64_t k = 1; k < f->n_minimum && k < SHOWN_MINIMA; k++) {
        const double best = f->starts->descents[f->best].at.cost;
        const double ratio = f->starts->descents[f->leader[k]].at.cost / best;
        (void)fprintf(to, "  another, met by %lld: sum of squares ", (long long)f->n_met[k]);
        if (ratio < 1.001)
            (void)fprintf(to, "larger by %.2g of the best\n", ratio - 1.0);
        else
            (void)fprintf(to, "%.4g times the best\n", ratio);
    }
    if (f->n_minimum > SHOWN_MINIMA)
        (void)fprintf(to, "  and %lld more\n", (long long)(f->n_minimum - SHOWN_MINIMA));
}

/* How far arcs of multiple shooting meet, and single runs follow these. */
static void write_met(FILE *to, const struct ml_fit_found *f)
{
    const struct ml_met *met = &f->met;
    if (met->n_segment == 0)
        return;
    (void)fprintf(to,
                  "multiple shooting: %d segments, whose runs meet to %.2g of the state's size; ",
                  met->n_segment, met->gap);
    if (!(met->until > f->starts->measured->time[0]))
        (void)fprintf(
            to, "a single run from the estimates does not finish, or leaves these at once, so that "
                "all results are those of the segments' runs\n");
    else if (met->until < met->whole)
        (void)fprintf(to,
                      "a single run from the estimates follows these, within the noise, up to %.6g "
                      "s of %.6g s, so that all results are those of the segments' runs; to try "
                      "single runs, make these "
                      "estimates the study's own numbers, with `count: 1` and without `segments`\n",
                      met->until, met->whole);
    else
        (void)fprintf(to, "a single run follows these to the end, and all results are those of "
                          "single runs\n");
    if (met->gap > 100.0 * ML_SHOOTING_GAP)
        (void)fprintf(to, "  they do not meet: the model does not hold along the whole record, or "
                          "the starts are far "
                          "off; take more `segments` or more starts\n");
}

char *ml_fit_combination(const struct ml_fit_found *f, int k)
{
    const double least = 0.1;
    const double *direction = f->directions + (int64_t)k * f->n;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    int n = 0, largest = 0;
    for (int i = 0; i < f->n; i++)
        largest = fabs(direction[i]) > fabs(direction[largest]) ? i : largest;
    const double sign = direction[largest] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < f->n; i++)
        if (fabs(direction[i]) >= least) {
            const double part = sign * direction[i];
            (void)fprintf(to, "%s%.2f %s",
                          n > 0        ? part < 0.0 ? " - " : " + "
                          : part < 0.0 ? "-"
                                       : "",
                          fabs(part), spec_of(f)->ranges[i].name);
            n++;
        }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static void write_combination(FILE *to, const struct ml_fit_found *f, int k)
{
    char *text = ml_fit_combination(f, k);
    (void)fprintf(to, "%s", text ? text : "?");
    free(text);
}

static void write_identifiability(FILE *to, const struct ml_fit_found *f)
{
    const int last = f->n_free - 1;
    if (last < 0)
        return;
    bool is_unseen = false;
    for (int k = 0; k <= last; k++)
        if (!(ml_fit_spread(f, k) < 1.0)) {
            is_unseen = true;
            (void)fprintf(to, "the data do not determine ");
            write_combination(to, f, k);
            (void)fprintf(to,
                          " (in parts of the ranges): it is uncertain by %.2g ranges; fix one of "
                          "these numbers, or measure more\n",
                          ml_fit_spread(f, k));
        }
    if (!is_unseen) {
        (void)fprintf(to, "least determined: ");
        write_combination(to, f, last);
        (void)fprintf(to, " (in parts of the ranges), to %.2g of a range; best %.2g\n",
                      ml_fit_spread(f, last), ml_fit_spread(f, 0));
    }
}

/* Causes of residuals that are no noise, as far as the numbers show these. */
static void write_cause(FILE *to, const struct ml_fit_found *f, int c)
{
    const struct ml_fit_residuals *r = &f->residuals[c];
    const struct ml_fit_column *column = &spec_of(f)->columns[c];
    const double noise =
        spec_of(f)->has_deviations ? f->starts->measured->least_sd[c] : sqrt(f->variance);
    if (r->is_coloured && r->n_jump > 0)
        (void)fprintf(to,
                      "  %lld neighbours are more than half a turn apart: angles must not jump by "
                      "whole turns, as those within -pi .. pi do\n",
                      (long long)r->n_jump);
    if (r->between * sqrt((double)r->n) > noise)
        (void)fprintf(to,
                      "  between steps the model is interpolated to %.2g%s, which can move "
                      "estimates by a standard error; take shorter steps, or ticks with a "
                      "tolerance\n",
                      r->between, ml_unit_text(" ", column->unit, "").text);
}

/* The residuals that are far from the others: "1 of 161 residuals is beyond 5 standard deviations:
 * 2.0 at 2.5 s". */
static void write_far(FILE *to, const struct ml_fit_found *f, int c)
{
    const struct ml_measured_numbers *m = f->starts->measured;
    const struct ml_fit_residuals *r = &f->residuals[c];
    const struct ml_unit_text unit = ml_unit_text(" ", spec_of(f)->columns[c].unit, "");
    const bool is_weighed = spec_of(f)->columns[c].sd_column != NULL;
    if (r->n_far == 0)
        return;
    (void)fprintf(to,
                  "  %lld of %lld residuals %s beyond %g standard deviations of the others, which "
                  "is %.2g%s:",
                  (long long)r->n_far, (long long)r->n, r->n_far == 1 ? "is" : "are", ML_FIT_FAR,
                  is_weighed ? r->scale / m->least_sd[c] : r->scale,
                  is_weighed ? " `sd`" : unit.text);
    for (int i = 0; i < ML_FIT_NAMED_FAR && i < r->n_far; i++)
        (void)fprintf(to, "%s %.3g%s at %.6g s", i > 0 ? "," : "",
                      f->residual[c * m->n_time + r->far[i]], unit.text, m->time[r->far[i]]);
    (void)fprintf(to, "%s\n", r->n_far > ML_FIT_NAMED_FAR ? ", ..." : "");
}

static void write_residuals(FILE *to, const struct ml_fit_found *f)
{
    bool is_rounding = true;
    for (int c = 0; c < spec_of(f)->n_column; c++) {
        const struct ml_fit_residuals *r = &f->residuals[c];
        const struct ml_fit_column *column = &spec_of(f)->columns[c];
        (void)fprintf(to, "residuals of %s: rms %.4g%s, Durbin-Watson %.3f%s\n", column->name,
                      r->rms, ml_unit_text(" ", column->unit, "").text, r->durbin,
                      r->is_rounding                                ? ", rounding alone"
                      : r->is_coloured && f->chance < ML_FIT_CHANCE ? ", correlated in time"
                                                                    : "");
        write_cause(to, f, c);
        write_far(to, f, c);
        is_rounding &= r->is_rounding;
    }
    if (is_rounding)
        (void)fprintf(to, "residuals are rounding errors: the data are those of the model, and the "
                          "intervals no more than rounding\n");
    else if (f->chance < ML_FIT_CHANCE)
        (void)fprintf(to,
                      "residuals follow each other, as those of independent noise do with a "
                      "probability of %.1g: the model lacks something, or the noise is not "
                      "independent from sample to sample; the true errors are larger\n",
                      f->chance);
    else
        (void)fprintf(
            to,
            "no correlation of residuals found (p = %.2g), which the intervals assume; of "
            "%lld samples only one above %.1g would be seen\n",
            f->chance, (long long)f->n_number, f->seen);
}

/* For the choice among models of the same data. */
static void write_likelihood(FILE *to, const struct ml_fit_found *f)
{
    if (isfinite(f->likelihood))
        (void)fprintf(to,
                      "log-likelihood %.7g, AIC %.7g, BIC %.7g: of models of these data the least "
                      "AIC or BIC is preferred\n",
                      f->likelihood, f->aic, f->bic);
}

char *ml_fit_page(const struct ml_fit_found *f, const struct ml_fit_profile *profile,
                  const struct ml_fit_posterior *posterior)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    write_head(to, f);
    write_estimates(to, f, profile);
    if (profile)
        write_profile(to, profile);
    write_priors(to, f);
    write_noise(to, f);
    write_likelihood(to, f);
    write_residuals(to, f);
    write_identifiability(to, f);
    write_minima(to, f);
    write_met(to, f);
    if (posterior)
        ml_fit_page_posterior(to, posterior, width_of_names(f));
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}
