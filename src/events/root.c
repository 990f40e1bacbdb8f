/* Brent's search for a zero, as a state between evaluations. */
#include "events/event.h"

#include <float.h>
#include <math.h>

/* The step to the next point: by the secant or the parabola through three points where that is
 * within the interval and shorter than half of the step before last, else to its middle. */
static void root_choose_step(struct ml_root *r, double middle, double least)
{
    double p, q;
    const double s = r->fb / r->fa;
    if (fabs(r->step_before) < least || fabs(r->fa) <= fabs(r->fb)) {
        r->step = r->step_before = middle;
        return;
    }
    if (r->a == r->c) {
        p = 2.0 * middle * s;
        q = 1.0 - s;
    } else {
        const double u = r->fa / r->fc, v = r->fb / r->fc;
        p = s * (2.0 * middle * u * (u - v) - (r->at - r->a) * (v - 1.0));
        q = (u - 1.0) * (v - 1.0) * (s - 1.0);
    }
    q = p > 0.0 ? -q : q;
    p = fabs(p);
    if (2.0 * p < fmin(3.0 * middle * q - fabs(least * q), fabs(r->step_before * q))) {
        r->step_before = r->step;
        r->step = p / q;
    } else {
        r->step = r->step_before = middle;
    }
}

/* From the value at root->at to the next point. */
static bool root_go_on(struct ml_root *r)
{
    if ((r->fb > 0.0) == (r->fc > 0.0)) {
        r->c = r->a;
        r->fc = r->fa;
        r->step = r->step_before = r->at - r->a;
    }
    if (fabs(r->fc) < fabs(r->fb)) {
        const double b = r->at, fb = r->fb;
        r->a = b;
        r->at = r->c;
        r->c = b;
        r->fa = fb;
        r->fb = r->fc;
        r->fc = fb;
    }
    const double least = 2.0 * DBL_EPSILON * fabs(r->at) + 0.5 * r->tolerance;
    const double middle = 0.5 * (r->c - r->at);
    if (fabs(middle) <= least || r->fb == 0.0)
        return false;
    root_choose_step(r, middle, least);
    r->a = r->at;
    r->fa = r->fb;
    r->at += fabs(r->step) > least ? r->step : copysign(least, middle);
    return true;
}

bool ml_root_begin(struct ml_root *root, double a, double fa, double b, double fb, double tolerance)
{
    *root = (struct ml_root){.at = b,
                             .a = a,
                             .fa = fa,
                             .fb = fb,
                             .c = a,
                             .fc = fa,
                             .step = b - a,
                             .step_before = b - a,
                             .tolerance = tolerance};
    if (fa == 0.0 || ((fa > 0.0) == (fb > 0.0) && fb != 0.0)) {
        root->at = fabs(fa) <= fabs(fb) ? a : b;
        return false;
    }
    return root_go_on(root);
}

bool ml_root_next(struct ml_root *root, double value)
{
    root->fb = value;
    return root_go_on(root);
}
