/* Functions of points in the unit cube whose Sobol' indices have closed forms. */
#ifndef CLOSED_FORMS_H
#define CLOSED_FORMS_H

#include <math.h>

enum { MOST = 8 };

static const double pi = 3.14159265358979323846;

/* Ishigami and Homma 1990, a = 7, b = 0.1, of inputs in -pi .. pi. */
static inline double ishigami(int n, const double *u)
{
    const double x = pi * (2.0 * u[0] - 1.0), y = pi * (2.0 * u[1] - 1.0),
                 z = pi * (2.0 * u[2] - 1.0);
    (void)n;
    return sin(x) + 7.0 * sin(y) * sin(y) + 0.1 * z * z * z * z * sin(x);
}

static const double g_a[] = {0, 1, 4.5, 9, 99, 99, 99, 99};

/* The G function of Saltelli and Sobol' 1995. */
static inline double sobol_g(int n, const double *u)
{
    double product = 1.0;
    for (int i = 0; i < n; i++)
        product *= (fabs(4.0 * u[i] - 2.0) + g_a[i]) / (1.0 + g_a[i]);
    return product;
}

static const double ishigami_first[] = {0.31390519114781146, 0.4424111447900409, 0.0},
                    ishigami_total[] = {0.5575888552099592, 0.4424111447900409, 0.2436836640621477};
static const double g_first[] = {0.7161921688790331,    0.17904804221975829,
                                 0.02367577417781928,   0.007161921688790333,
                                 7.161921688790333e-05, 7.161921688790333e-05,
                                 7.161921688790333e-05, 7.161921688790333e-05},
                    g_total[] = {0.7871441266592748,     0.2421981928182384,
                                 0.03431691015408282,    0.010460387065239534,
                                 0.00010494905191950601, 0.00010494905191950601,
                                 0.00010494905191950601, 0.00010494905191950601};

#endif
