/* ftle: finite-time Lyapunov exponent (Haller 2001; Shadden, Lekien, Marsden 2005),
 *
 *   ftle = 1/T ln s,   s the largest singular value of the state transition matrix over T
 *
 * From and to the renormalisations next to the ends of the window that is asked for. */
#include "analysis/indicator.h"
#include "analysis/triangle.h"
#include "simd/lanes.h"
#include "simd/log.h"

/* Turns two columns of n rows so that they become orthogonal. */
ML_INLINE void ml_jacobi_pair(int n, double *p, double *q)
{
    ml_vec pp = ml_splat(0.0), qq = pp, pq = pp;
    for (int i = 0; i < n; i++) {
        ml_vec a = ml_load(p, i), b = ml_load(q, i);
        pp = ml_fma(a, a, pp);
        qq = ml_fma(b, b, qq);
        pq = ml_fma(a, b, pq);
    }
    ml_mask is_done = (ml_mask)(pq == 0.0);
    ml_vec zeta = (qq - pp) / ml_select(is_done, ml_splat(1.0), pq + pq);
    ml_vec size = 1.0 / (ml_abs(zeta) + ml_sqrt(ml_fma(zeta, zeta, ml_splat(1.0))));
    ml_vec t = ml_select((ml_mask)(zeta < 0.0), -size, size);
    t = ml_select(is_done, ml_splat(0.0), t);
    ml_vec c = 1.0 / ml_sqrt(ml_fma(t, t, ml_splat(1.0))), s = c * t;
    for (int i = 0; i < n; i++) {
        ml_vec a = ml_load(p, i), b = ml_load(q, i);
        ml_store(p, i, ml_fnma(s, b, c * a));
        ml_store(q, i, ml_fma(s, a, c * b));
    }
}

/* Largest singular value of a, [n columns][n rows], whose columns become orthogonal: one-sided
 * Jacobi rotations (Hestenes 1958; Golub, Van Loan, Matrix Computations, section 8.6.3). The number
 * of sweeps is fixed: they converge quadratically. */
ML_INLINE ml_vec ml_largest_singular_value(int n, double *a)
{
    const int n_sweep = 10;
    ml_vec largest = ml_splat(0.0);
    for (int sweep = 0; sweep < n_sweep; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                ml_jacobi_pair(n, a + (long)p * n * ML_LANES, a + (long)q * n * ML_LANES);
    for (int c = 0; c < n; c++) {
        ml_vec square = ml_splat(0.0);
        for (int i = 0; i < n; i++)
            square = ml_fma(ml_load(a, c * n + i), ml_load(a, c * n + i), square);
        ml_vec length = ml_sqrt(square);
        largest = ml_select(ml_is_kept(length, largest), largest, length);
    }
    return largest;
}

enum { RENORMALISE = ML_SETTING_RENORMALISE, FROM, WINDOW, N_PARAM };

static const struct ml_param params[N_PARAM] = {
    [RENORMALISE] = ML_PARAM_RENORMALISE,
    [FROM] = {"from", "s", 0.0, 0.0, 1e15, 0, "time after the start at which the window begins"},
    [WINDOW] = {"window", "s", (double)NAN, 0.0, 1e15, ML_DERIVED | ML_OPEN_LOW,
                ML_DOC_BY_RULE("length of the window", "to the end")},
};

/* Rows that are kept, before the product and room for its columns. */
enum { SPAN, LOG_SCALE, N_KEEP };

static int ftle_n_tangent(const struct ml_indicator_use *use) { return use->n_x; }

static bool ftle_output(const struct ml_indicator_use *use, int i, struct ml_output *out)
{
    (void)use;
    *out = (struct ml_output){"ftle", "1/s",
                              "finite-time Lyapunov exponent: growth of the tangent vector that "
                              "grows most over the window",
                              .dim = {ML_DIM_NONE}};
    return i == 0;
}

static int ftle_keep_rows(const struct ml_indicator_use *use)
{
    return N_KEEP + ml_tri(use->n_x, 0) + use->n_x * use->n_x;
}

/* Time of a step after the start, in intervals between renormalisations, rounded. */
static double interval_of(const struct ml_indicator_use *use, double seconds)
{
    return nearbyint(seconds / (use->step * (double)use->renormalise_every));
}

/* Whether an interval is inside the window. */
static bool ftle_is_inside(const struct ml_indicator_use *use, const struct ml_renormalisation *by)
{
    const double first = interval_of(use, use->settings[FROM]);
    const double number = by->begin / (double)use->renormalise_every;
    const double window = interval_of(use, use->settings[WINDOW]);
    return number >= first && (isnan(window) || number < first + (window < 1.0 ? 1.0 : window));
}

static void ftle_renormalised(const struct ml_indicator_use *use,
                              const struct ml_renormalisation *by, double *keep)
{
    const int n = use->n_x;
    ML_EACH_GROUP(g) {
        double *product = keep + N_KEEP * ML_LANES + g;
        if (by->is_start)
            ml_triangle_unit(n, product);
        if (by->is_start || !ftle_is_inside(use, by))
            continue;
        const ml_vec span = ml_load(by->span + g, 0);
        ml_triangle_multiply(n, by->r + g, product);
        ml_vec size = ml_sqrt(ml_triangle_square(0, n, product));
        size = ml_select((ml_mask)(span > 0.0), size, ml_splat(1.0));
        ml_triangle_scale(0, n, 1.0 / size, product);
        ml_store(keep + g, LOG_SCALE, ml_load(keep + g, LOG_SCALE) + ml_log(size));
        ml_store(keep + g, SPAN, ml_load(keep + g, SPAN) + span);
    }
}

static void ftle_finish(const struct ml_indicator_use *use, const struct ml_observation *observed,
                        double *keep, double *const *out)
{
    const int n = use->n_x;
    (void)observed;
    ML_EACH_GROUP(g) {
        const double *product = keep + N_KEEP * ML_LANES + g;
        double *full = keep + (N_KEEP + ml_tri(n, 0)) * ML_LANES + g;
        for (int c = 0; c < n; c++)
            for (int p = 0; p < n; p++)
                ml_store(full, c * n + p, p <= c ? ml_load(product, ml_tri(c, p)) : ml_splat(0.0));
        ml_vec grown = ml_load(keep + g, LOG_SCALE) + ml_log(ml_largest_singular_value(n, full));
        ml_store(out[0] + g, 0, grown / ml_load(keep + g, SPAN));
    }
}

extern const struct ml_indicator ML_K(ml_indicator_ftle);
const struct ml_indicator ML_K(ml_indicator_ftle) = {
    .name = "ftle",
    .doc = "finite-time Lyapunov exponent",
    .is_on_request = true,
    .params = params,
    .n_param = N_PARAM,
    .output = ftle_output,
    .keep_rows = ftle_keep_rows,
    .finish = ftle_finish,
    .n_tangent = ftle_n_tangent,
    .renormalised = ftle_renormalised,
};
