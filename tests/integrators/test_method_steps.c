/* Steps of every explicit Runge-Kutta method, by a scalar stepper that reads its table as the
 * kernels do: measured orders on problems with closed solutions, the stability polynomial, and the
 * textbook formulas to the bit. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "integrators/method.h"

enum { MAX_N = 4, MAX_SWEEP = 8 };

/* x' = rhs(t, x) from `exact` at t = 0. */
struct problem {
    int n;
    double end;
    void (*rhs)(double t, const double *x, double *derivative);
    void (*exact)(double t, double *x);
};

/* Derivatives at the stages of a step. */
struct stages {
    double k[ML_MAX_STAGE][MAX_N];
};

/* to = x + h sum */
static void add_sum(const struct ml_sum *sum, const struct stages *stages, int n, double h,
                    const double *x, double *to)
{
    for (int i = 0; i < n; i++) {
        double total = 0.0;
        for (int j = 0; j < sum->n_term; j++) {
            const double weight = sum->terms[j].weight, k = stages->k[sum->terms[j].stage][i];
            total = j ? fma(weight, k, total) : weight * k;
        }
        to[i] = sum->n_term ? fma(h / sum->divisor, total, x[i]) : x[i];
    }
}

/* The first n_stage stages of the step of h from x at t. */
static void evaluate(const struct ml_method *m, int n_stage, const struct problem *p, double t,
                     double h, const double *x, struct stages *stages)
{
    for (int s = 0; s < n_stage; s++) {
        double y[MAX_N];
        add_sum(&m->stage[s], stages, p->n, h, x, y);
        p->rhs(t + m->node[s] * h, y, stages->k[s]);
    }
}

static void step(const struct ml_method *m, const struct problem *p, double t, double h, double *x)
{
    struct stages stages;
    evaluate(m, m->n_step_stage, p, t, h, x, &stages);
    add_sum(&m->step, &stages, p->n, h, x, x);
}

static double distance(const struct problem *p, double t, const double *x)
{
    double exact[MAX_N], sum = 0.0;
    p->exact(t, exact);
    for (int i = 0; i < p->n; i++)
        sum += (x[i] - exact[i]) * (x[i] - exact[i]);
    return sqrt(sum);
}

/* An ellipse about a centre that moves with a constant velocity, from the pericentre: period 2 pi.
 * The motion of the centre makes the right-hand side depend on time. */
static const double eccentricity = 0.2, centre_velocity[2] = {0.3, -0.2};

static void kepler_rhs(double t, const double *x, double *derivative)
{
    const double r[2] = {x[0] - centre_velocity[0] * t, x[1] - centre_velocity[1] * t};
    const double r2 = r[0] * r[0] + r[1] * r[1], r3 = r2 * sqrt(r2);
    derivative[0] = x[2];
    derivative[1] = x[3];
    derivative[2] = -r[0] / r3;
    derivative[3] = -r[1] / r3;
}

static void kepler_exact(double t, double *x)
{
    const double e = eccentricity, b = sqrt(1.0 - e * e);
    double u = t; /* eccentric anomaly, by Newton's method */
    for (int i = 0; i < 20; i++)
        u -= (u - e * sin(u) - t) / (1.0 - e * cos(u));
    const double rate = 1.0 / (1.0 - e * cos(u));
    x[0] = cos(u) - e + centre_velocity[0] * t;
    x[1] = b * sin(u) + centre_velocity[1] * t;
    x[2] = -sin(u) * rate + centre_velocity[0];
    x[3] = b * cos(u) * rate + centre_velocity[1];
}

static const struct problem kepler = {4, 3.0, kepler_rhs, kepler_exact};

/* The error at the end after n_step steps. */
static double error_of(const struct ml_method *m, const struct problem *p, int n_step)
{
    const double h = p->end / n_step;
    double x[MAX_N];
    p->exact(0.0, x);
    for (int i = 0; i < n_step; i++)
        step(m, p, i * h, h, x);
    return distance(p, p->end, x);
}

/* Methods of high order reach rounding before their errors are pure powers of the step: what the
 * order is follows from their tables (test_method.c), and here it must not be far below. */
static double order_miss(double measured, int declared)
{
    return declared > 5 ? fmax(declared - measured, 0.0) / 13.0 : fabs(measured - declared);
}

static void measured_orders_are_the_declared_ones(const struct ml_method *m,
                                                  const struct problem *p, int n_step)
{
    double last = error_of(m, p, n_step);
    for (int halvings = 1; halvings <= 2; halvings++) {
        const double error = error_of(m, p, n_step << halvings);
        CHECK_CASE("%s, %d steps: error %.1e", m->name, n_step << halvings, error);
        CHECK_ERROR(order_miss(log2(last / error), m->order), 0.1);
        CHECK(error > 1e-13); /* rounding is small against it */
        last = error;
    }
}

/* |h error| of one step of h from t */
static double estimate(const struct ml_method *m, const struct problem *p, double t, double h)
{
    static const double zero[MAX_N];
    struct stages stages;
    double x[MAX_N], error[MAX_N], sum = 0.0;
    p->exact(t, x);
    evaluate(m, m->n_stage, p, t, h, x, &stages);
    add_sum(&m->error, &stages, p->n, h, zero, error);
    for (int i = 0; i < p->n; i++)
        sum += error[i] * error[i];
    return sqrt(sum);
}

/* The largest error of the interpolant within one step of h from t, itself of size h^(degree + 1)
 */
static double interpolation_error(const struct ml_method *m, const struct problem *p, double t,
                                  double h)
{
    struct stages stages;
    double x[MAX_N], worst = 0.0;
    p->exact(t, x);
    evaluate(m, m->n_stage, p, t, h, x, &stages);
    for (int q = 1; q < 4; q++) {
        const double theta = 0.25 * q;
        double y[MAX_N];
        memcpy(y, x, sizeof y);
        for (int s = 0; s < m->n_stage; s++) {
            double b = 0.0;
            for (int j = m->interpolant_degree - 1; j >= 0; j--)
                b = (b + m->interpolant[s * m->interpolant_degree + j]) * theta;
            for (int i = 0; i < p->n; i++)
                y[i] += h * b * stages.k[s][i];
        }
        worst = fmax(worst, distance(p, t + theta * h, y));
    }
    return worst;
}

static void estimates_and_interpolants_shrink_as_their_order_says(const struct ml_method *m,
                                                                  const struct problem *p, double h)
{
    const double t = 0.7;
    CHECK_CASE("%s within a step", m->name);
    if (m->embedded_order > 6) {
        const double order = log2(estimate(m, p, t, 8.0 * h) / estimate(m, p, t, 4.0 * h));
        CHECK_ERROR(fmax(m->embedded_order + 1 - order, 0.0), 0.5);
    } else if (m->embedded_order) {
        const double order = log2(estimate(m, p, t, h) / estimate(m, p, t, 0.5 * h));
        CHECK_ERROR(fabs(order - (m->embedded_order + 1)), 0.1);
    }
    if (m->interpolant_degree) {
        const double order =
            log2(interpolation_error(m, p, t, h) / interpolation_error(m, p, t, 0.5 * h));
        CHECK_ERROR(fabs(order - (m->interpolant_degree + 1)), 0.1);
    }
}

/* x' = lambda x with lambda = -0.7 + 1.1 i, as two real rows */
static void spiral_rhs(double t, const double *x, double *derivative)
{
    (void)t;
    derivative[0] = -0.7 * x[0] - 1.1 * x[1];
    derivative[1] = 1.1 * x[0] - 0.7 * x[1];
}

/* Sums of large weights of both signs round accordingly. */
static double largest_weight(const struct ml_method *m)
{
    double largest = 0.0;
    for (int s = 0; s < m->n_stage; s++)
        for (int i = 0; i < m->stage[s].n_term; i++)
            largest = fmax(largest, fabs(m->stage[s].terms[i].weight));
    return fmax(largest, 1.0);
}

static void a_step_multiplies_by_the_stability_polynomial(const struct ml_method *m)
{
    static const struct problem spiral = {2, 0.0, spiral_rhs, NULL};
    const double h = 0.9;
    const double complex z = h * (-0.7 + 1.1 * (double complex)I);
    double complex expected = 0.0;
    double x[MAX_N] = {1.0, 0.0}, r[ML_MAX_STAGE + 1];
    ml_method_stability(m, r);
    for (int k = m->n_stage; k >= 0; k--)
        expected = expected * z + r[k];
    step(m, &spiral, 0.0, h, x);
    CHECK_CASE("%s", m->name);
    CHECK_ERROR(cabs(x[0] + x[1] * (double complex)I - expected),
                5e-16 * pow(largest_weight(m), 2.0));
}

/* The classical method written out. */
static void rk4_written_out(const struct problem *p, double t, double h, double *x)
{
    double k[MAX_N], sum[MAX_N], y[MAX_N];
    p->rhs(t, x, k);
    for (int i = 0; i < p->n; i++) {
        sum[i] = k[i];
        y[i] = fma(0.5 * h, k[i], x[i]);
    }
    p->rhs(t + 0.5 * h, y, k);
    for (int i = 0; i < p->n; i++) {
        sum[i] = fma(2.0, k[i], sum[i]);
        y[i] = fma(0.5 * h, k[i], x[i]);
    }
    p->rhs(t + 0.5 * h, y, k);
    for (int i = 0; i < p->n; i++) {
        sum[i] = fma(2.0, k[i], sum[i]);
        y[i] = fma(h, k[i], x[i]);
    }
    p->rhs(t + h, y, k);
    for (int i = 0; i < p->n; i++)
        x[i] = fma(h / 6.0, sum[i] + k[i], x[i]);
}

static void euler_written_out(const struct problem *p, double t, double h, double *x)
{
    double k[MAX_N];
    p->rhs(t, x, k);
    for (int i = 0; i < p->n; i++)
        x[i] = fma(h, k[i], x[i]);
}

static void midpoint_written_out(const struct problem *p, double t, double h, double *x)
{
    double k[MAX_N], y[MAX_N];
    p->rhs(t, x, k);
    for (int i = 0; i < p->n; i++)
        y[i] = fma(0.5 * h, k[i], x[i]);
    p->rhs(t + 0.5 * h, y, k);
    for (int i = 0; i < p->n; i++)
        x[i] = fma(h, k[i], x[i]);
}

static void heun_written_out(const struct problem *p, double t, double h, double *x)
{
    double k[MAX_N], y[MAX_N], sum[MAX_N];
    p->rhs(t, x, sum);
    for (int i = 0; i < p->n; i++)
        y[i] = fma(h, sum[i], x[i]);
    p->rhs(t + h, y, k);
    for (int i = 0; i < p->n; i++)
        x[i] = fma(0.5 * h, sum[i] + k[i], x[i]);
}

static void tables_give_the_bits_of_the_formula(const struct ml_method *m, const struct problem *p,
                                                void (*written_out)(const struct problem *, double,
                                                                    double, double *))
{
    enum { N_STEP = 1000 };
    const double h = p->end / N_STEP;
    double x[MAX_N], y[MAX_N];
    p->exact(0.0, x);
    memcpy(y, x, sizeof y);
    for (int i = 0; i < N_STEP; i++) {
        step(m, p, i * h, h, x);
        written_out(p, i * h, h, y);
    }
    CHECK_CASE("%s", m->name);
    CHECK(!memcmp(x, y, (size_t)p->n * sizeof *x));
}

int main(void)
{
    /* Of an order, the steps of the coarsest of three runs: few enough to keep rounding small. */
    static const int n_step[] = {0, 4000, 100, 100, 80, 100, 10, 25, 8, 4, 4};
    static const struct {
        const char *name;
        void (*written_out)(const struct problem *, double, double, double *);
    } known[] = {
        {"rk4", rk4_written_out},
        {"euler", euler_written_out},
        {"midpoint", midpoint_written_out},
        {"heun", heun_written_out},
    };
    for (int i = 0; ml_methods[i]; i++) {
        const struct ml_method *m = ml_methods[i];
        if (!ml_method_is_tableau(
                m)) /* tests/integrators/test_adaptive.c, tests/cli/splitting.sh */
            continue;
        measured_orders_are_the_declared_ones(m, &kepler, n_step[m->order]);
        estimates_and_interpolants_shrink_as_their_order_says(m, &kepler, 0.05);
        a_step_multiplies_by_the_stability_polynomial(m);
        for (size_t j = 0; j < sizeof known / sizeof *known; j++)
            if (!strcmp(known[j].name, m->name))
                tables_give_the_bits_of_the_formula(m, &kepler, known[j].written_out);
    }
    return check_done();
}
