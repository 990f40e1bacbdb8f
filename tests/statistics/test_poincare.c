/* Poincare constants against closed forms: of uniform and normal distributions, half a normal one,
 * triangular and beta ones by zeros of Bessel functions (SciPy's jn_zeros, and brentq of jv), a
 * step in the density by its transcendental equation; and distributions without a constant. */
#include <math.h>

#include "check.h"
#include "manylink/indices.h"

static const double none = (double)NAN, pi = 3.14159265358979323846;

static double squared(double a) { return a * a; }

static struct ml_input_distribution of(const char *kind)
{
    return (struct ml_input_distribution){sizeof(struct ml_input_distribution),
                                          kind,
                                          0,
                                          none,
                                          none,
                                          none,
                                          none,
                                          none,
                                          none,
                                          none,
                                          NULL,
                                          NULL,
                                          0};
}

static struct ml_input_distribution between(const char *kind, double from, double to)
{
    struct ml_input_distribution d = of(kind);
    d.from = from;
    d.to = to;
    return d;
}

static void check(const struct ml_input_distribution *d, double expected, double bound)
{
    CHECK_CASE("%s", d->kind);
    CHECK_ERROR(fabs(ml_poincare_constant(d) / expected - 1.0), bound);
}

static void known_forms_hold(void)
{
    struct ml_input_distribution d = between("uniform", -pi, pi);
    check(&d, 4.0, 1e-15);
    d = between("uniform", 1.0, exp(pi));
    d.is_log = 1;
    check(&d, 1.0, 1e-15);
    d = of("normal");
    d.mean = 3.0;
    d.sd = 0.5;
    check(&d, 0.25, 1e-15);
    d.from = -1e3; /* a cut where nothing is */
    check(&d, 0.25, 1e-5);
    d.from = 3.0; /* He_2 */
    check(&d, 0.125, 1e-5);
    d = of("lognormal");
    d.mean = 2.0;
    d.sd = 1.0;
    check(&d, log(1.25), 1e-15);
    d.from = 2.0 / sqrt(1.25); /* the median: half of the logarithm's normal */
    check(&d, 0.5 * log(1.25), 1e-5);
}

static void bessel_forms_hold(void)
{
    static const struct {
        double alpha, zero;
    } rows[] = {{0.25, 2.5951205329},
                {0.5, 2.7808877239},
                {1.0, 3.1415926535897932},
                {2.0, 3.8317059702},
                {3.0, 4.4934094579}};
    struct ml_input_distribution d = between("triangular", -1.0, 1.0);
    d.mode = 0.0;
    check(&d, 1.0 / (2.4048255577 * 2.4048255577), 1e-5);
    d.mode = 1.0;
    check(&d, 4.0 / (rows[3].zero * rows[3].zero), 1e-5);
    for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++) {
        d = between("beta", 2.0, 5.0);
        d.alpha = rows[k].alpha;
        d.beta = 1.0;
        check(&d, 9.0 / (rows[k].zero * rows[k].zero), 1e-5);
        d.alpha = 1.0;
        d.beta = rows[k].alpha;
        check(&d, 9.0 / (rows[k].zero * rows[k].zero), 1e-5);
    }
}

/* Of densities p on (0, a) and q on (a, a + b), f is a cosine from each end, and where these meet
 * p tan(k a) + q tan(k b) = 0. With a = b the root is k = pi/2 for all p and q; for a = 1, b = 2
 * and q = p/6, tan^2(k) = 4/3. */
static void tables_hold(void)
{
    const double ends[] = {0.0, 1.0, 3.0}, even[] = {2.0, 4.0}, step[] = {3.0, 1.0},
                 gap_ends[] = {0.0, 1.0, 2.0, 3.0}, gap[] = {1.0, 0.0, 1.0},
                 outer[] = {0.0, 1.0, 0.0};
    struct ml_input_distribution d = of("table");
    d.values = ends;
    d.weights = even;
    d.n_value = 3;
    check(&d, 9.0 / (pi * pi), 1e-13);
    const double middle[] = {0.0, 1.0, 2.0};
    d.values = middle;
    d.weights = step;
    check(&d, 4.0 / (pi * pi), 1e-13);
    d.values = ends;
    check(&d, 1.0 / squared(atan(sqrt(4.0 / 3.0))), 1e-13);
    d.values = gap_ends;
    d.n_value = 4;
    d.weights = outer;
    check(&d, 1.0 / (pi * pi), 1e-13);
    d.weights = gap;
    CHECK(isnan(ml_poincare_constant(&d)));
    d = of("discrete");
    CHECK(isnan(ml_poincare_constant(&d)));
    d = of("points of a file");
    CHECK(isnan(ml_poincare_constant(&d)));
}

int main(void)
{
    known_forms_hold();
    bessel_forms_hold();
    tables_hold();
    return check_done();
}
